"""Sentences of a calibration that the browser has words of its own for: as a code with values, else as they are."""

from __future__ import annotations

import re
from typing import Any

from ..calibration.hand_set import SET_BY_HAND
from ..documents.surrogates import without_surrogates
from ..workspace.judging import MADE_AGAIN, NO_RULE, NOT_AT_HAND

_NOTES = {SET_BY_HAND: "by_hand", MADE_AGAIN: "made_again", NOT_AT_HAND: "not_at_hand", NO_RULE: "no_rule"}
_OF_PROFILE = re.compile(r"Weights and thresholds are those of the profile (.*)\.", re.DOTALL)
_OTHERS = ", whose figures out of sample are of other outcomes than these, so every figure here is in sample; "
_FOLDS = re.compile(r"(\d+) folds by document")
_FITTED = re.compile(r"the ([\d,]+) requests? fitted on")
_SAID_BY = re.compile(r"as the profile (.*) says", re.DOTALL)


def note_data(note: str) -> dict[str, Any]:
    """Return a note.

    Returns
    -------
    dict
        code: "by_hand", "made_again", "not_at_hand", "no_rule", "profile" or "other_outcomes" (both with name), or ""
        with text, which is English.

    Examples
    --------
    >>> note_data("Weights and thresholds are those of the profile dev.")
    {'code': 'profile', 'name': 'dev'}
    >>> note_data("The oracle is greedy.")
    {'code': '', 'text': 'The oracle is greedy.'}
    """
    if note in _NOTES:
        return {"code": _NOTES[note]}
    found = _OF_PROFILE.fullmatch(note)
    if found is None:
        return {"code": "", "text": without_surrogates(note)}
    name, others, _ = found[1].partition(_OTHERS)
    return {"code": "other_outcomes" if others else "profile", "name": without_surrogates(name)}


def basis_data(basis: str) -> dict[str, Any]:
    """Return how documents were held out.

    Returns
    -------
    dict
        code: "folds" (with folds), "each", "fitted" (with requests), "profile" (with name), or "" with text, which is
        English.

    Examples
    --------
    >>> basis_data("5 folds by document"), basis_data("as the profile dev says")
    ({'code': 'folds', 'folds': 5}, {'code': 'profile', 'name': 'dev'})
    """
    if found := _FOLDS.fullmatch(basis):
        return {"code": "folds", "folds": int(found[1])}
    if found := _FITTED.fullmatch(basis):
        return {"code": "fitted", "requests": found[1]}
    if found := _SAID_BY.fullmatch(basis):
        return {"code": "profile", "name": without_surrogates(found[1])}
    if basis == "each document left out once":
        return {"code": "each"}
    return {"code": "", "text": without_surrogates(basis)}
