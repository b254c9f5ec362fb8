"""What the parse of a sentence says: whether it holds a but-clause, and whether somebody acts in it.

The functions look at tokens as spaCy gives them (``lower_``, ``tag_``, ``dep_``, ``head``, ``children``, ``i``) and
load nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .markers import BUT_WORDS
from .verbs import CHINESE, english_forms

_BUT = frozenset(BUT_WORDS)
_ACTING = frozenset(("ROOT", "conj", "advcl", "ccomp", "xcomp", "parataxis"))
_SUBORDINATE = frozenset(("advcl", "prep", "mark"))
_NOTHING = frozenset(("nothing", "anything", "all", "none", "choice", "cannot", "last", "everything", "any"))
_BUT_ZH = frozenset(("但", "但是", "然而", "不过", "可是", "尽管", "只是"))
_TURNING_ZH = frozenset(("cc", "advmod", "mark", "case", "conj", "dep", "discourse"))


def has_but_clause(tokens: Sequence[Any]) -> bool:
    """Return whether an English sentence turns against what was said.

    Parameters
    ----------
    tokens : spacy.tokens.Doc
        A sentence with tags and dependencies.
    """
    return any(token.lower_ in _BUT and _turns(token, tokens) for token in tokens)


def _turns(token: Any, tokens: Sequence[Any]) -> bool:
    word, after = token.lower_, [other.lower_ for other in tokens[token.i + 1 : token.i + 4]]
    if word == "but":
        return _is_contrast(token, tokens, after)
    if word == "however":
        # "However small the amount": an adverb of degree, not a turn.
        return token.i + 1 == len(tokens) or tokens[token.i + 1].tag_[:2] not in ("JJ", "RB")
    if word in ("except", "excepting", "save"):
        return not (token.tag_.startswith("VB") and token.dep_ in ("ROOT", "xcomp", "ccomp", "relcl")) and (
            word != "save" or after[:1] in (["as"], ["for"], ["that"], ["and"], ["to"], ["where"], ["in"])
        )
    if word == "provided":
        return _is_proviso(token, after)
    return True


def _is_contrast(token: Any, tokens: Sequence[Any], after: list[str]) -> bool:
    before = tokens[token.i - 1].lower_ if token.i else ""
    if before in _NOTHING or (after[:1] == ["for"] and after[2:] != ["avoidance"]):
        return False
    if token.dep_ != "cc":
        # "No person but the tenant": an exception, which has a noun behind it. "Nothing but" is out above.
        return token.dep_ in ("mark", "advmod", "prep", "ROOT", "dep", "pcomp", "conj")
    if "limited" in after or after[:2] == ["without", "limitation"]:
        return False
    return after[:1] != ["also"] or all(earlier.lower_ != "only" for earlier in tokens[: token.i])


def _is_proviso(token: Any, after: list[str]) -> bool:
    """Tell "provided that he pays" from "the services provided that day" and "the data provided by the client"."""
    words = [word for word in after if word not in (",", ":")]
    if words[:1] in (["however"], ["further"], ["always"], ["also"]):
        return True
    if words[:1] != ["that"]:
        return False
    # A mark before it sets the clause apart, whatever the parser makes of the rest of a long sentence.
    before = token.nbor(-1) if token.i else token
    return before is token or not before.text[-1].isalnum() or before.tag_ == "CC" or token.dep_ in _SUBORDINATE


def has_action(tokens: Sequence[Any]) -> bool:
    """Return whether an action verb carries a clause of an English sentence.

    Parameters
    ----------
    tokens : spacy.tokens.Doc
        A sentence with tags and dependencies.
    """
    forms = english_forms()
    return any(
        token.lower_ in forms and token.tag_.startswith("VB") and token.dep_ in _ACTING and not _only_describes(token)
        for token in tokens
    )


def _only_describes(token: Any) -> bool:
    """Tell what is said of a thing ("billed quarterly") or was done ("sold the unit") from what acts or shall act."""
    if token.tag_ not in ("VBN", "VBG", "VBD"):
        return False
    helpers = [child for child in _with_first_conjunct(token) if child.dep_ in ("aux", "auxpass")]
    return not helpers or all(helper.lower_ in ("was", "were", "had") for helper in helpers)


def _with_first_conjunct(token: Any) -> Iterable[Any]:
    """Auxiliaries stand at the first of several verbs: "is stopped and restarted"."""
    while True:
        yield from token.children
        if token.dep_ != "conj" or token.head.i == token.i:
            return
        token = token.head


def has_but_clause_zh(tokens: Sequence[Any]) -> bool:
    """Return whether a Chinese sentence turns against what was said: its turning word joins clauses.

    Parameters
    ----------
    tokens : spacy.tokens.Doc
        A sentence with dependencies, cut into words: "不但" is one of its own.
    """
    return any(token.text in _BUT_ZH and token.dep_ in _TURNING_ZH for token in tokens) or any(
        token.text in ("除", "除了") and token.dep_ in ("case", "mark", "prep", "advmod", "dep") for token in tokens
    )


def has_action_zh(tokens: Sequence[Any]) -> bool:
    """Return whether an action verb carries a clause of a Chinese sentence."""
    verbs = frozenset(CHINESE)
    return any(token.text in verbs and token.tag_ in ("VV", "VERB") and token.dep_ in _ACTING for token in tokens)
