"""What the inputs of a reading can be: anything else is refused in plain words before a reading is made of it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import numpy as np

from ...documents import BlockKind, PageStatus
from ...relevance.scores import Scale, Scope
from ..cuts import LARGEST_OFFSET
from .columns import FEEDBACK
from .facts import told

MOST_PAGES = 100_000
"""Fifty times as many as a document is opened with by default."""
MOST_TOKENS = 2**31 - 1
"""Of one block; no text that fits into a document has more."""
DEEPEST_HEADING = 256
"""A heading stands under one of a smaller level, and levels are single bytes."""
LONGEST_CHAIN = 5_000
"""Tables that continue each other, each on a later page."""
MOST_SECTION_CHARS = 1 << 26
"""Of the paths of all headings together."""
_NUMBER = (int, float)
_CUTS: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "threshold": {"kind": (str,), "value": _NUMBER, "scale": (str,)},
    "token share": {"kind": (str,), "share": _NUMBER, "min_tokens": (int,)},
}
_MODEL = {"name": (str,), "fingerprint": (str,)}
_RULE = {"name": (str,), "weight": _NUMBER, "pin": (bool,), "reason": (str,)}
_RANGES = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(?: [0-9]{1,9}-[0-9]{1,9})*")

Cells = Mapping[str, Sequence[Any]]


class Impossible(Exception):
    """What no reading has, for the middle of a sentence."""


def check_facts(facts: Mapping[str, Any]) -> None:
    """Refuse facts that no reading has.

    Raises
    ------
    Impossible
    """
    _one_of("scale", facts["scale"], Scale)
    if facts["scope"] is not None:
        _one_of("scope", facts["scope"], Scope)
    for name in ("encoder", "classifier"):
        if facts[name] is not None:
            _shaped(name, facts[name], _MODEL)
    for number, rule in enumerate(facts["rules_spoken"], start=1):
        _shaped(f"rule {number} of those that spoke", rule, _RULE)
    _check_pages(facts["pages"])
    if not abs(facts["type_offset"]) <= LARGEST_OFFSET:
        raise Impossible(f"the offset is {told(facts['type_offset'])}, beyond ±{LARGEST_OFFSET:g}")


def check_cut(cut: Mapping[str, Any]) -> None:
    """Refuse what is no cut.

    Raises
    ------
    Impossible
    """
    kind = cut.get("kind")
    if not isinstance(kind, str) or kind not in _CUTS:
        raise Impossible(f"the cut is {told(kind)}, neither a threshold nor a token share")
    _shaped("cut", cut, _CUTS[kind])
    if kind == "threshold":
        _one_of("scale of the cut", cut["scale"], Scale)


def check_cells(facts: Mapping[str, Any], cells: Cells) -> None:
    """Refuse values of blocks that no reading has.

    Raises
    ------
    Impossible
    """
    kinds = {kind.value for kind in BlockKind}
    _each("kind", cells["kind"], lambda kind: kind in kinds)
    _each("tokens", cells["tokens"], lambda count: 0 <= count <= MOST_TOKENS)
    _each("share_read", cells["share_read"], lambda share: 0 <= share <= 1)
    pages = facts["pages"]["count"]
    _each("page", cells["page"], lambda page: 1 <= page <= pages, f"and the document has {pages:,}")
    _check_places(cells)
    _check_links(cells)
    _check_headings(cells)
    _check_feedback(facts, cells)
    spoke = {rule["name"] for rule in facts["rules_spoken"]}
    _each("rules", cells["rules"], lambda voices: spoke.issuperset(map(voice_of, said(voices))), "which never spoke")
    _each("focus", cells["focus"], lambda ranges: ranges is None or _RANGES.fullmatch(ranges) is not None)


def said(voices: str) -> Iterable[str]:
    """Return the voices of a cell of ``rules``, one a rule."""
    return filter(None, voices.split("; "))


def voice_of(voice: str) -> str:
    """Return the name of the rule that has a voice.

    Examples
    --------
    >>> voice_of("alarms x 1.7 pin*")
    'alarms'
    """
    return voice.partition(" x ")[0]


def _check_pages(pages: Mapping[str, Any]) -> None:
    statuses = [status.value for status in PageStatus if status is not PageStatus.TEXT]
    _shaped("list of pages", pages, {"count": (int,), **dict.fromkeys(statuses, (list,))})
    if not 0 <= pages["count"] <= MOST_PAGES:
        raise Impossible(f"the document has {told(pages['count'], 20)} pages; {MOST_PAGES:,} are the most")
    listed = [page for status in statuses for page in pages[status]]
    for page in listed:
        if type(page) is not int or not 1 <= page <= pages["count"]:
            raise Impossible(f"page {told(page, 20)} is listed, and the document has {pages['count']:,}")
    if len(set(listed)) < len(listed):
        raise Impossible("a page is listed twice")


def _check_places(cells: Cells) -> None:
    """What joins pieces is white space, so a block covers as many characters as its text has others."""
    for block, (text, start, end) in enumerate(zip(cells["text"], cells["start_char"], cells["end_char"], strict=True)):
        if not 0 <= start <= end <= MOST_TOKENS or end - start < sum(map(len, text.split())):
            raise Impossible(f"block {block} has a text of {len(text):,} characters, and stands from {start} to {end}")


def _check_links(cells: Cells) -> None:
    count = len(cells["text"])
    for name in ("parent", "table", "continues"):
        known = f"and there are the blocks 0 to {count - 1}"
        _each(name, cells[name], lambda block: block is None or 0 <= block < count, known)
    chain = [0] * count
    for block, (before, page) in enumerate(zip(cells["continues"], cells["page"], strict=True)):
        if before is None:
            continue
        if before >= block or cells["page"][before] > page:
            raise Impossible(f"block {block} continues block {before}, which comes later")
        chain[block] = chain[before] + 1
        if chain[block] > LONGEST_CHAIN:
            raise Impossible(f"more than {LONGEST_CHAIN:,} tables continue each other")


def _check_headings(cells: Cells) -> None:
    """A heading above that stands below would be walked up to for ever, and long paths would fill the memory."""
    depth, length, total = [1] * len(cells["text"]), list(map(len, cells["text"])), 0
    above = set()
    for block, parent in enumerate(cells["parent"]):
        if parent is None:
            continue
        if parent >= block:
            raise Impossible(f"block {block} stands under heading {parent}, which comes later")
        depth[block] += depth[parent]
        length[block] += length[parent] + 3
        if depth[parent] > DEEPEST_HEADING:
            raise Impossible(f"more than {DEEPEST_HEADING} headings stand under each other")
        if parent not in above:
            above.add(parent)
            total += length[parent]
    if total > MOST_SECTION_CHARS:
        raise Impossible("the titles of its sections have no room in memory")


def _check_feedback(facts: Mapping[str, Any], cells: Cells) -> None:
    _each("feedback", cells["feedback"], lambda factor: 0 < factor <= 1, "beyond 0 to 1")
    if FEEDBACK not in facts["parts"] and any(factor != 1 for factor in cells["feedback"]):
        raise Impossible("blocks have feedback, and no part of their logits is called feedback")


def check_finite(name: str, values: np.ndarray[Any, np.dtype[np.floating[Any]]]) -> None:
    """Refuse numbers that single precision cannot hold.

    Raises
    ------
    Impossible
    """
    _each(name, values.tolist(), math.isfinite)


def _one_of(what: str, value: str, kinds: type[StrEnum]) -> None:
    if value not in set(kinds):
        raise Impossible(f"the {what} is {told(value)}, which is none")


def _shaped(what: str, value: Any, shape: Mapping[str, tuple[type, ...]]) -> None:
    *others, last = shape
    if not isinstance(value, dict) or value.keys() != shape.keys():
        raise Impossible(f"the {what} does not consist of {', '.join(others)} and {last}")
    for name, types in shape.items():
        if type(value[name]) not in types:
            raise Impossible(f"the {what} has {told(value[name])} as {name}")


def _each(name: str, values: Sequence[Any], fine: Callable[[Any], bool], remark: str = "") -> None:
    for block, value in enumerate(values):
        if not fine(value):
            raise Impossible(f"block {block} has {told(value)} as {name}{remark and f', {remark}'}")
