"""Which type of document this is, by the readable words of ``rules/document_types.yaml``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DamagedFile
from ..resources import rules_dir
from .blocks import FURNITURE, KIND_CODE, BlockKind
from .languages import sample_of
from .pages import Verdict

GENERAL = "general"
RULES_FILE = "document_types.yaml"
SAMPLE_CHARS = 40_000
TITLE_CHARS = 2_000
HEADING_CHARS = 8_000
NUMBER = "N"
"""Stands for a number that stands alone; everything else is in lower case."""
PLACES = ("title", "headings", "body")
LANGUAGES = ("en", "zh")

_BODY_UNIT = 10_000
_SHORTEST_TITLE = 200
_SHORTEST_BODY = 4_000
"""A text of two lines is not dense in a word because it holds it once."""
_HAN_PER_LETTER = 2.5
"""The same content takes about this many times fewer characters in Chinese than in English."""
_SHOWN_REASONS = 4

_WORD = re.compile(r"[^\W_]+(?:[-'’&.][^\W_]+)*")
_DIGITS = re.compile(r"(?<= )\d[\d.]*(?= )")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the rules.

    Attributes
    ----------
    text : str
        As written in the rules file.
    needle : str
        What is looked for: words between single spaces in English, the plain characters in Chinese.
    place : str
        One of ``PLACES``.
    points : float
    """

    text: str
    needle: str
    place: str
    points: float


@dataclass(frozen=True, slots=True)
class TypeRules:
    """The words of every type, and how many points are enough to be of a type.

    Attributes
    ----------
    enough : float
    terms : dict of (type, language) to tuple of Term
    """

    enough: float
    terms: dict[tuple[str, str], tuple[Term, ...]]

    @property
    def types(self) -> tuple[str, ...]:
        """The types, in the order of the rules file."""
        return tuple(dict.fromkeys(name for name, _ in self.terms))


def document_type_of(texts: Sequence[str], kinds: npt.NDArray[np.uint8], *, name: str, language: str) -> Verdict:
    """Decide between technical, legal, financial, medical, patent, courseware and general.

    Parameters
    ----------
    texts : sequence of str
        Block texts in reading order.
    kinds : ndarray of uint8, shape (len(texts),)
        Index into ``KINDS`` for each block; running headers and footers are not looked at.
    name : str
        File name: its words count like those of the first page.
    language : str
        "zh" adds the Chinese words to the English ones.

    Returns
    -------
    Verdict
        ``score`` is the share of the best type's points in those of the best two and half of what is enough; for
        "general" it falls from 1, without any type's words, to 0.5. ``reasons`` name the words that counted most.

    Examples
    --------
    >>> verdict = document_type_of(
    ...     ["Form 10-K", "Net sales rose while net income fell in fiscal 2023."],
    ...     np.array([0, 1], np.uint8), name="ACME.pdf", language="en")
    >>> verdict.value, verdict.reasons[0]
    ('financial', "'form 10-k' in the title")
    """
    rules = load_rules()
    places = _Places(texts, kinds, name)
    points: dict[str, float] = {}
    found: dict[str, list[tuple[float, str]]] = {}
    for value in rules.types:
        hits = [
            hit
            for spoken in (LANGUAGES if language == "zh" else LANGUAGES[:1])
            for term in rules.terms.get((value, spoken), ())
            if (hit := places.score(term, spoken)) is not None
        ]
        points[value] = sum(score for score, _ in hits)
        found[value] = hits
    return _decide(points, found, rules.enough)


def load_rules() -> TypeRules:
    """Return the rules of the installed workbench, read once a process."""
    return read_rules(rules_dir() / RULES_FILE)


@lru_cache(maxsize=4)
def read_rules(path: Path) -> TypeRules:
    """Read a rules file.

    Raises
    ------
    DamagedFile
        If it does not have the shape that its first lines describe; the message names the place.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        data = YAML(typ="safe", pure=True).load(path.read_text("utf-8"))
    except YAMLError as error:
        raise DamagedFile(f"{path.name} is not valid YAML ({_first_line(error)}); mend it or reinstall.") from error
    terms: dict[tuple[str, str], tuple[Term, ...]] = {}
    for value, by_language in _mapping(path, data, "types").items():
        for spoken, by_place in _mapping(path, by_language, "", f"types.{value}").items():
            if spoken not in LANGUAGES:
                raise DamagedFile(f"{path.name} has the language {spoken!r} in types.{value}; use en or zh.")
            terms[value, spoken] = tuple(_terms(path, by_place, f"types.{value}.{spoken}"))
    enough = data.get("enough")
    if not isinstance(enough, int | float) or enough <= 0:
        raise DamagedFile(f"{path.name} has enough: {enough!r}; give a number of points above 0.")
    return TypeRules(float(enough), terms)


def _mapping(path: Path, data: Any, key: str, where: str = "") -> dict[str, Any]:
    found = data.get(key) if key and isinstance(data, dict) else data
    if not isinstance(found, dict) or not found:
        raise DamagedFile(f"{path.name} needs a mapping at {where or key}; see its first lines for the shape.")
    return found


def _terms(path: Path, by_place: Any, where: str) -> Iterator[Term]:
    for place, by_points in _mapping(path, by_place, "", where).items():
        if place not in PLACES:
            raise DamagedFile(f"{path.name} has the place {place!r} in {where}; use {', '.join(PLACES)}.")
        for points, words in _mapping(path, by_points, "", f"{where}.{place}").items():
            if not isinstance(points, int | float) or not isinstance(words, list):
                raise DamagedFile(
                    f"{path.name} needs points and a list of words in {where}.{place}, as in 3: [net sales]."
                )
            for word in words:
                yield Term(str(word), _needle(str(word), where.endswith("zh")), place, float(points))


def _needle(word: str, chinese: bool) -> str:
    if chinese:
        return word.lower()
    plain = " ".join(part if part == NUMBER else part.lower() for part in word.split())
    return f" {plain[:-1]}" if plain.endswith("*") else f" {plain} "


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


class _Places:
    """The three places of one document in the two forms in which words are counted."""

    def __init__(self, texts: Sequence[str], kinds: npt.NDArray[np.uint8], name: str) -> None:
        furniture = np.isin(kinds, [KIND_CODE[kind] for kind in FURNITURE])
        shown = [texts[index] for index in np.flatnonzero(~furniture).tolist()] if furniture.any() else texts
        headings = [texts[index] for index in np.flatnonzero(kinds == KIND_CODE[BlockKind.HEADING]).tolist()]
        body = sample_of(shown, SAMPLE_CHARS).lower()
        raw = {
            "title": f"{name} \n {_start(shown, _title_chars(len(body)))}".lower(),
            "headings": sample_of(headings, HEADING_CHARS).lower(),
            "body": body,
        }
        self._texts = {("zh", place): text for place, text in raw.items()}
        self._texts |= {("en", place): _spaced(text) for place, text in raw.items()}
        size = max(len(body), _SHORTEST_BODY)
        self._per_unit = {
            "en": _BODY_UNIT / size,
            "zh": _BODY_UNIT / _HAN_PER_LETTER / max(len(body), _SHORTEST_BODY / _HAN_PER_LETTER),
        }

    def score(self, term: Term, language: str) -> tuple[float, str] | None:
        """Return the points of a word and the reason in words, or None where it does not stand."""
        count = self._texts[language, term.place].count(term.needle)
        if not count:
            return None
        if term.place == "title":
            return term.points, f"'{term.text}' in the title"
        times = "once" if count == 1 else f"{count} times"
        if term.place == "headings":
            return term.points * math.log2(1 + count), f"'{term.text}' {times} in headings"
        rate = count * self._per_unit[language]
        return term.points * math.log2(1 + rate), f"'{term.text}' {times}"


def _title_chars(length: int) -> int:
    """The first page, but no more than a quarter of a short text, whose words would all count as its title."""
    return min(TITLE_CHARS, max(_SHORTEST_TITLE, length // 4))


def _start(texts: Sequence[str], limit: int) -> str:
    parts: list[str] = []
    length = 0
    for text in texts:
        parts.append(text[: limit - length])
        length += len(parts[-1])
        if length >= limit:
            break
    return "\n".join(parts)


def _spaced(text: str) -> str:
    """Words between single spaces, numbers as "N"; two neighbours share a space, so an echo counts once."""
    return _DIGITS.sub(NUMBER, f" {' '.join(_WORD.findall(text))} ")


def _decide(points: dict[str, float], found: dict[str, list[tuple[float, str]]], enough: float) -> Verdict:
    ranked = sorted(points, key=lambda value: points[value], reverse=True)
    best, runner_up = ranked[0], points[ranked[1]] if len(ranked) > 1 else 0.0
    if points[best] < enough:
        score = 1 - 0.5 * points[best] / enough
        reason = f"the words of no type stand out; the nearest is {best} with {points[best]:.0f} of {enough:.0f} points"
        return Verdict(GENERAL, round(score, 3), (reason if points[best] else "it holds no words of any type",))
    score = points[best] / (points[best] + runner_up + enough / 2)
    top = sorted(found[best], reverse=True)[:_SHOWN_REASONS]
    return Verdict(best, round(score, 3), tuple(reason for _, reason in top))
