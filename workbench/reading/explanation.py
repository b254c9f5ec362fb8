"""The whole calculation behind one block, line by line, in words and numbers."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..documents.blocks import Block
from ..documents.surrogates import without_surrogates
from ..printing import printable, shortened
from .basis import Basis
from .cuts import Cut, Threshold
from .decision import Decision
from .flips import Flip, flips_of
from .reasons import compared, reason_of
from .selection import Status

if TYPE_CHECKING:
    from ..documents import Document
    from ..relevance.scores import Scale
    from ..structure import RuleVoice

TEXT_CHARS = 160
MOST_TERMS = 8
LABEL_WIDTH = 11


@dataclass(frozen=True)
class Explanation:
    """Why a block was kept or skipped.

    Attributes
    ----------
    block : Block
    document : str
        The document's name.
    status : Status
    reason : str
    parts : mapping of str to float
        What adds up to the logit.
    logit, relevance : float
    scale : Scale
    formula : str
        How the relevance comes from the logit, or "".
    rank : int
        1 for the highest priority of the document.
    share_read : float
        Share of the block's text that the scorer has seen, in [0, 1].
    matched : tuple of (str, float)
        Terms of the question that the block was found by, and what each adds; empty if the scorer does not tell.
    feedback : str
        What people said of it, or "".
    rules : tuple of RuleVoice
        The rules that spoke, those that won marked.
    weight, priority : float
    cut : Threshold or TokenShare
    threshold : float or None
    offset : float
    margin : float
        nan without a threshold.
    focus : tuple of (int, int) or None
        Ranges of the block's text that are kept, in a follow-up.
    flips : tuple of Flip
        What would have to be different for it to be decided otherwise.
    blocks : int
        Blocks of the document.
    section : tuple of str
        Titles above the block, outermost first.
    """

    block: Block
    document: str
    status: Status
    reason: str
    parts: Mapping[str, float]
    logit: float
    relevance: float
    scale: Scale
    formula: str
    rank: int
    share_read: float
    matched: tuple[tuple[str, float], ...]
    feedback: str
    rules: tuple[RuleVoice, ...]
    weight: float
    priority: float
    cut: Cut
    threshold: float | None
    offset: float
    margin: float
    focus: tuple[tuple[int, int], ...] | None
    flips: tuple[Flip, ...]
    blocks: int
    section: tuple[str, ...]

    @property
    def block_id(self) -> int:
        """Id of the block."""
        return self.block.block_id

    @property
    def kept(self) -> bool:
        """Whether the block is kept: by its priority, by a pin, or as context."""
        return self.status is not Status.SKIPPED

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """The calculation, as pairs of a label and what stands there."""
        return tuple(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {
            "block_id": self.block_id,
            "status": self.status.name.lower(),
            "reason": without_surrogates(self.reason),
            "lines": [[label, without_surrogates(words)] for label, words in self.lines],
            "flips": [{"quantity": flip.quantity, "value": flip.value, "words": flip.words} for flip in self.flips],
        }

    def __str__(self) -> str:
        head = f"Block {self.block_id} of {printable(self.document)}: {self.status.name.lower()}"
        return "\n".join([head, *(f"  {label:<{LABEL_WIDTH}} {words}" for label, words in self.lines)])

    def __repr__(self) -> str:
        return f"Explanation(block {self.block_id}, {self.status.name.lower()}, {self.reason!r})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(label)}</th>"
            f"<td style='text-align:left'>{html.escape(words)}</td></tr>"
            for label, words in self.lines
        )
        head = html.escape(f"Block {self.block_id} of {printable(self.document)}: {self.status.name.lower()}")
        caption = f"<caption style='text-align:left'><b>{head}</b></caption>"
        return without_surrogates(f"<table class='mathjax_ignore tex2jax_ignore'>{caption}{rows}</table>")


def explain(basis: Basis, cut: Cut, decision: Decision, block_id: int) -> Explanation:
    """Explain one block.

    Raises
    ------
    AnchorMismatch
        If the document has no such block.
    """
    document, scores = basis.document, basis.scores
    block = document.block(block_id)
    at = block.block_id
    ahead = basis.priority > basis.priority[at]
    ahead |= (basis.priority == basis.priority[at]) & (basis.ties < basis.ties[at])
    voice = basis.feedback.get(at)
    return Explanation(
        block=block,
        document=document.name,
        status=Status(int(decision.status[at])),
        reason=reason_of(basis, decision, at),
        parts=MappingProxyType({name: float(part[at]) for name, part in scores.parts.items()}),
        logit=float(scores.logits[at]),
        relevance=float(scores.relevance[at]),
        scale=scores.scale,
        formula=scores.formula,
        rank=int(ahead.sum()) + 1,
        share_read=float(scores.share_read[at]),
        matched=_matched(basis, at),
        feedback=f"{voice.words}: relevance x {voice.factor:g}" if voice else "",
        rules=basis.structure.trace(at),
        weight=float(basis.structure.weights[at]),
        priority=float(basis.priority[at]),
        cut=cut,
        threshold=decision.threshold,
        offset=decision.offset,
        margin=float(decision.margin[at]),
        focus=decision.focus.get(at) if decision.focus else None,
        flips=flips_of(basis, cut, decision, at),
        blocks=len(document),
        section=_section(document, block),
    )


def _matched(basis: Basis, block_id: int) -> tuple[tuple[str, float], ...]:
    """Ask the scorer which terms a block was found by; a scorer need not know."""
    ask = getattr(basis.scorer, "matched", None)
    if not callable(ask):
        return ()
    return tuple(map(_term, ask(basis.document, basis.question, block_id)))


def _term(match: Any) -> tuple[str, float]:
    """A match is a pair, or has ``term``, ``contribution`` and the ``field`` in which the term stands."""
    if isinstance(match, tuple):
        return str(match[0]), float(match[1])
    place = " (context)" if getattr(match, "field", "text") == "context" else ""
    return f"{match.term}{place}", float(match.contribution)


def _section(document: Document, block: Block) -> tuple[str, ...]:
    return tuple(document.texts[heading] for heading in block.section)


def _lines(found: Explanation) -> Iterator[tuple[str, str]]:
    yield "stands", place_of(found.block)
    if found.section:
        yield "section", shortened(" > ".join(found.section), TEXT_CHARS)
    yield "text", shortened(found.block.text, TEXT_CHARS) or "none of its own"
    if found.focus is not None:
        yield "focus", ", ".join(f"characters {start} to {end}" for start, end in found.focus)
    yield "logit", _sum_line(found)
    formula = f" = {found.formula}" if found.formula else ""
    read = f"read: {100 * found.share_read:.0f} % of the text"
    yield "relevance", f"{found.relevance:.4f}, {found.scale.value}{formula}; {read}"
    if found.feedback:
        yield "feedback", found.feedback
    if found.matched:
        shown = ", ".join(f"{printable(term)} {value:.2f}" for term, value in found.matched[:MOST_TERMS])
        yield "matched", shown
    for voice in found.rules:
        yield "rule", voice_line(voice)
    yield "weight", f"{found.weight:.4g}{'' if found.rules else ', for no rule speaks'}"
    yield (
        "priority",
        f"{found.priority:.4f} = {found.relevance:.4f} x {found.weight:.4g}; rank {found.rank:,} of {found.blocks:,}",
    )
    yield from _cut_lines(found)
    yield "decision", f"{'kept' if found.kept else 'skipped'}: {found.reason}"
    for flip in found.flips:
        yield "otherwise", flip.words


def _sum_line(found: Explanation) -> str:
    parts = " ".join(f"{'-' if value < 0 else '+'} {name} {abs(value):.3f}" for name, value in found.parts.items())
    if not parts:
        return f"{found.logit:.3f}"
    exact = f"{sum(round(value, 3) for value in found.parts.values()):.3f}" == f"{found.logit:.3f}"
    return f"{found.logit:.3f} = {parts.removeprefix('+ ')}{'' if exact else ', each rounded'}"


def _cut_lines(found: Explanation) -> Iterator[tuple[str, str]]:
    if found.threshold is None:
        yield "cut", f"{found.cut}; nothing passes it"
        return
    at = found.threshold + found.offset
    if isinstance(found.cut, Threshold):
        sign = "-" if found.offset < 0 else "+"
        yield "cut", f"{at:.4f} = threshold {found.threshold:.4f} {sign} offset {abs(found.offset):.4f}"
    else:
        yield "cut", f"{at:.4f}, the priority of the last block within {found.cut}"
    left, right = compared(found.priority, at)
    if not np.isnan(found.margin):
        yield "margin", f"{found.margin:+.4g} = {left} - {right}"


def voice_line(voice: RuleVoice) -> str:
    """Return what a rule says, in words."""
    said = f"x {voice.weight:g}" + (", pinned" if voice.pin else "")
    reason = f": {printable(voice.reason)}" if voice.reason else ""
    outcome = "won" if voice.won else "changes nothing" if voice.weight == 1 else "a stronger rule won"
    return f"{printable(voice.rule)} {said} ({outcome}){reason}"


def place_of(block: Block) -> str:
    """Return where a block stands, in words: pages, lines or locator, and its box in points."""
    anchor = block.anchor
    pages = anchor.pages
    words = [f"page {anchor.page}" if len(pages) < 2 else f"pages {pages[0]} to {pages[-1]}"]
    if anchor.start_line is not None:
        words.append(
            f"line {anchor.start_line}"
            if anchor.end_line == anchor.start_line
            else f"lines {anchor.start_line} to {anchor.end_line}"
        )
    if anchor.locator:
        words.append(printable(anchor.locator))
    if anchor.box is not None:
        words.append("box " + ", ".join(f"{value:.0f}" for value in anchor.box[1:]) + " points")
    return ", ".join([*words, f"a {block.kind.value.replace('_', ' ')}"])
