"""A reading as what a report says of it: plain data in the report's language, verbatim texts, nothing left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..documents.anchors import JOINT_CELL
from ..documents.blocks import KIND_CODE, KINDS, BlockKind
from ..documents.columns import NONE
from ..gate.margin import Route
from ..reading.rendering import anchor_of, runs_of
from ..reading.selection import Status
from .contents import DocumentFacts, KeptBlock, KeptRun, ReadingContents, SavingFacts, SkippedBlock, SkippedPart
from .said.coverage import coverage_of, is_readable, pages_not_read
from .said.decisions import decision_said, near_ids
from .said.headline import headline_of, quality_of
from .said.names import language_name, type_name
from .said.profile import profile_said
from .said.reasons import Reasons
from .wording import Say, saying

if TYPE_CHECKING:
    from ..documents import Document
    from ..gate.gate import GateDecision
    from ..gate.profile import GateProfile
    from ..reading import Reading
    from .contents import AnswersSaid, PageFacts

_STATUS = {Status.KEPT: "kept", Status.PINNED: "pinned", Status.CONTEXT: "context"}


def reading_contents(
    reading: Reading,
    *,
    key: str = "r1",
    language: str = "en",
    profile: GateProfile | None = None,
    gate: GateDecision | None = None,
    gold: Collection[int] = (),
    pages: Sequence[PageFacts] = (),
    answers: AnswersSaid | None = None,
) -> ReadingContents:
    """Return what a report says of a reading.

    Blocks without text of their own, such as tables, are neither kept nor skipped here: their rows are.

    Parameters
    ----------
    reading : Reading
    key : str
        Prefix of the ids of its elements.
    language : {"en", "zh"}
        Of all sentences; texts of the document are verbatim.
    profile : GateProfile, optional
        The profile that the reader came from.
    gate : GateDecision, optional
        Under the route native the document is read whole, and nothing is saved.
    gold : collection of int
        Ids of the blocks that somebody marked as evidence.
    pages : sequence of PageFacts
    answers : AnswersSaid, optional

    Raises
    ------
    InvalidOption
        For another language.

    Examples
    --------
    >>> from workbench import SparseReader, open_document
    >>> from workbench.resources import datasets_dir
    >>> manual = open_document(datasets_dir() / "dev" / "documents" / "harbor-manual.md")
    >>> reading_contents(SparseReader(scorer=None).read(manual, "Which backup is kept?")).saving.blocks_total
    51
    """
    say, marked = saying("contents", language), frozenset(gold)
    saving, reasons = _saving(reading, gate), Reasons(reading, say)
    return ReadingContents(
        key=key,
        question=reading.question,
        document=_document(reading.document, say, saving),
        headline=headline_of(reading, saving, say, gate=gate),
        quality=quality_of(reading, say, answers=answers, gold=marked, profile=profile, gate=gate),
        saving=saving,
        decision=decision_said(reading, say, profile=profile, gate=gate),
        runs=tuple(_runs(reading, reasons, marked)),
        skipped=tuple(_skipped(reading, reasons, marked, say)),
        pages=tuple(pages),
        profile=None if profile is None else profile_said(profile, say),
        answers=answers,
    )


def _document(document: Document, say: Say, saving: SavingFacts) -> DocumentFacts:
    return DocumentFacts(
        name=document.name,
        format=document.format,
        kind=type_name(document.document_type.value, say),
        language=language_name(document.language.value, say),
        pages=len(document.pages),
        blocks=saving.blocks_total,
        tokens=saving.tokens_total,
        sha256=document.sha256,
        coverage=coverage_of(document, say),
        not_read=pages_not_read(document),
        readable=is_readable(document),
    )


def _saving(reading: Reading, gate: GateDecision | None) -> SavingFacts:
    """Count; what is read whole is rendered whole; where nothing can be read, or nothing is kept, nothing is saved."""
    saving, text = reading.saving, reading.basis.has_text
    kept = reading.decision.kept & text
    total = saving.tokens_total
    native = gate is not None and gate.route is Route.NATIVE
    rendered = total if native or not is_readable(reading.document) else saving.rendered_tokens
    return SavingFacts(
        tokens_total=total,
        tokens_kept=saving.tokens_kept,
        rendered=rendered,
        share_skipped=max(0.0, 1 - rendered / total) if total and (native or kept.any()) else 0.0,
        blocks_kept=int(np.count_nonzero(kept)),
        blocks_total=int(np.count_nonzero(text)),
        pages_touched=len(np.unique(reading.document.columns.home_page[kept])),
        pages_total=len(reading.document.pages),
        tokenizer=saving.tokenizer,
    )


def _runs(reading: Reading, reasons: Reasons, gold: frozenset[int]) -> Iterator[KeptRun]:
    document, decision = reading.document, reading.decision
    columns, texts, focus = document.columns, document.texts, reading.focus or {}
    rows = columns.kind == KIND_CODE[BlockKind.TABLE_ROW]
    for run in runs_of(document, decision):
        blocks = []
        for block in run.blocks:
            ranges = focus.get(block)
            text = texts[block]
            blocks.append(
                KeptBlock(
                    block_id=block,
                    page=run.page,
                    kind=KINDS[columns.kind[block]].value,
                    level=int(columns.level[block]) if columns.kind[block] == KIND_CODE[BlockKind.HEADING] else 0,
                    pieces=(text,) if ranges is None else tuple(text[start:end] for start, end in ranges),
                    status=_STATUS[Status(int(decision.status[block]))],
                    reason=reasons.of(block),
                    relevance=float(reading.scores.relevance[block]),
                    priority=float(reading.priority[block]),
                    tokens=int(decision.costs[block]),
                    table=int(columns.table[block]) if rows[block] else NONE,
                    gold=block in gold,
                    columns=_cell_columns(reading.document, block) if rows[block] and ranges is None else (),
                )
            )
        yield KeptRun(run.page, anchor_of(run), run.gap, tuple(blocks))


def _cell_columns(document: Document, block: int) -> tuple[int, ...]:
    """Return which column each cell of a row stands in: an empty cell leaves no trace in the row's text."""
    columns = document.columns
    pieces = slice(int(columns.first_piece[block]), int(columns.first_piece[block + 1]))
    begins = columns.joint[pieces] == JOINT_CELL
    begins[:1] = True
    return tuple(columns.column[pieces][begins].tolist())


def _skipped(reading: Reading, reasons: Reasons, gold: frozenset[int], say: Say) -> Iterator[SkippedPart]:
    text, near = reading.basis.has_text, frozenset(near_ids(reading))
    priority, tokens = reading.priority, reading.decision.tokens
    for section in reading.skipped:
        ids = [block for block in section.block_ids if text[block]]
        if not ids:
            continue
        blocks = tuple(_skipped_block(reading, reasons, block, near=block in near, gold=block in gold) for block in ids)
        yield SkippedPart(
            titles=_titles(reading, section.titles, ids[0], say),
            pages=(min(block.page for block in blocks), max(block.page for block in blocks)),
            tokens=int(tokens[ids].sum()),
            best=float(priority[ids].max()),
            reason=reasons.of_part(ids),
            blocks=blocks,
        )


def _skipped_block(reading: Reading, reasons: Reasons, block: int, *, near: bool, gold: bool) -> SkippedBlock:
    columns = reading.document.columns
    return SkippedBlock(
        block_id=block,
        page=int(columns.home_page[block]) + 1,
        kind=KINDS[columns.kind[block]].value,
        text=reading.document.texts[block],
        tokens=int(reading.decision.tokens[block]),
        reason=reasons.of(block),
        relevance=float(reading.scores.relevance[block]),
        priority=float(reading.priority[block]),
        near=near,
        gold=gold,
    )


def _titles(reading: Reading, titles: tuple[str, ...], block: int, say: Say) -> tuple[str, ...]:
    columns = reading.document.columns
    if reading.basis.running_line[block]:
        return (say("part.running_lines"),)
    if columns.kind[block] != KIND_CODE[BlockKind.HEADING] and columns.parent[block] == NONE:
        return (say("part.no_section"),)
    return titles
