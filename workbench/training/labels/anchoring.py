"""Labels on the blocks of a document as it is today: in place, moved with their quote, or orphans with a reason.

A document is the same while its bytes are. One of the same name with other bytes is taken for a changed version: there
a label follows its quote, and only to a block that says the same, never to one that merely looks alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...documents.quotes import fold, quote_index
from ...printing import counted
from .label import Label
from .positions import span_in
from .values import LabelSource, LabelValue, text_sha256

if TYPE_CHECKING:
    from ...documents import Document
    from .values import Span, Spans

BELIEVED = (LabelSource.MINED, LabelSource.GOLD, LabelSource.FEEDBACK, LabelSource.PERSON)
"""Sources of labels, from the one that is believed least: a person is right whatever came later."""
MOST_GROWN = 1.25
"""A block with more letters than this for each of the quote's is another block: it may hold evidence of its own."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A label that stands on another block, or on a block of another version, than when it was made.

    Attributes
    ----------
    old, new : Label
        The same label, with the same id, on its old and on its new block.
    lost_spans : tuple of (int, int)
        Spans of ``old`` that do not stand in the new block.
    """

    old: Label
    new: Label
    lost_spans: Spans = ()


@dataclass(frozen=True, slots=True)
class Orphan:
    """A label that has no block in this document any more."""

    label: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Anchored:
    """Labels on a document.

    Attributes
    ----------
    at : mapping of int to tuple of Label
        Block id -> its labels, in the order of their times. Of an annotator's labels for a question only one: the
        latest of the source that is believed most, so that a person's is not lost to what was mined later.
    moved : tuple of Moved
    orphans : tuple of Orphan
    elsewhere : int
        Labels of other documents, which were left out.
    changed : bool
        Whether some were made on another version of the document.
    """

    at: Mapping[int, tuple[Label, ...]]
    moved: tuple[Moved, ...]
    orphans: tuple[Orphan, ...]
    elsewhere: int = 0
    changed: bool = False

    @property
    def labels(self) -> tuple[Label, ...]:
        """All labels that stand on a block, in the order of the blocks."""
        return tuple(label for block in sorted(self.at) for label in self.at[block])

    def report(self) -> str:
        """Return what became of the labels, a line each kind, orphans with their reasons."""
        lines = [f"{counted(len(self.labels), 'label')} in place, {len(self.moved):,} of them moved with their quote."]
        lost = sum(len(move.lost_spans) for move in self.moved)
        if lost:
            lines.append(f"{counted(lost, 'span')} of moved labels no longer stand in their block.")
        lines += [f"Block {orphan.label.block_id} ({orphan.label.value}): {orphan.reason}" for orphan in self.orphans]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Anchored({len(self.labels)} labels, {len(self.moved)} moved, {len(self.orphans)} orphans)"


def anchored(labels: Iterable[Label], document: Document) -> Anchored:
    """Return which labels stand on which blocks of a document.

    Parameters
    ----------
    labels : iterable of Label
        Of any documents; those of others are left out and counted.
    document : Document

    Returns
    -------
    Anchored
    """
    today = _Today(document)
    found: list[Label] = []
    moved: list[Moved] = []
    orphans: list[Orphan] = []
    elsewhere, changed = 0, False
    for label in labels:
        same = label.document == document.sha256
        if not same and label.document_name != document.name:
            elsewhere += 1
            continue
        changed = changed or not same
        if same and today.says(label.block_id, label):
            found.append(label)
            continue
        outcome = today.home_of(label)
        if isinstance(outcome, Orphan):
            orphans.append(outcome)
        else:
            moved.append(outcome)
            found.append(outcome.new)
    return Anchored(_by_block(found), tuple(moved), tuple(orphans), elsewhere, changed)


def _by_block(labels: list[Label]) -> dict[int, tuple[Label, ...]]:
    standing: dict[tuple[int, str, str], Label] = {}
    for label in sorted(labels, key=lambda label: (BELIEVED.index(label.source), label.at)):
        standing[label.block_id, label.question, label.annotator] = label
    found: dict[int, list[Label]] = {}
    for label in sorted(standing.values(), key=lambda label: label.at):
        found.setdefault(label.block_id, []).append(label)
    return {block: tuple(found[block]) for block in sorted(found)}


class _Today:
    """The blocks that a document has now, by what they say."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._by_hash: dict[str, list[int]] | None = None

    def says(self, block_id: int, label: Label) -> bool:
        """Whether a block says what the label was put on."""
        texts = self._document.texts
        return block_id < len(texts) and texts[block_id] == label.quote

    def home_of(self, label: Label) -> Moved | Orphan:
        """Return where a label stands now."""
        alike = self._blocks_of(label.block_sha256)
        if alike:
            # The same words may stand in several blocks: the one nearest to where the label was.
            block = min(alike, key=lambda block: (abs(block - label.block_id), block))
            return self._moved(label, block)
        return self._by_quote(label)

    def _by_quote(self, label: Label) -> Moved | Orphan:
        matches = quote_index(self._document).find(label.quote)
        if not matches:
            return Orphan(label, f"its text no longer stands in {self._document.name}; label the block anew")
        single = sorted({match.blocks[0] for match in matches if len(match.blocks) == 1})
        if not single:
            blocks = matches[0].blocks
            return Orphan(
                label, f"its text is now in {counted(len(blocks), 'block')}, {_listed(blocks)}; label them anew"
            )
        block = min(single, key=lambda block: (abs(block - label.block_id), block))
        letters, before = len(fold(self._document.texts[block])), len(fold(label.quote))
        if letters > MOST_GROWN * before and label.value is not LabelValue.EVIDENCE:
            return Orphan(label, f"its text is now a part of block {block}, which says more; label it anew")
        return self._moved(label, block)

    def _moved(self, label: Label, block_id: int) -> Moved:
        document = self._document
        block = document.block(block_id)
        spans: list[Span] = []
        lost: list[Span] = []
        for start, end in label.spans:
            found = span_in(document, block_id, label.quote, (start, end))
            spans.extend([found] if found is not None else [])
            lost.extend([(start, end)] if found is None else [])
        new = replace(
            label,
            document=document.sha256,
            document_name=document.name,
            block_id=block_id,
            quote=block.text,
            block_sha256="",
            start_char=block.anchor.start_char,
            end_char=block.anchor.end_char,
            page=block.page,
            spans=tuple(spans),
        )
        return Moved(label, new, tuple(lost))

    def _blocks_of(self, sha256: str) -> list[int]:
        if self._by_hash is None:
            self._by_hash = {}
            for block, text in enumerate(self._document.texts):
                self._by_hash.setdefault(text_sha256(text), []).append(block)
        return self._by_hash.get(sha256, [])


def _listed(blocks: Iterable[int]) -> str:
    ids = list(blocks)
    shown = ", ".join(map(str, ids[:3]))
    return shown if len(ids) <= 3 else f"{shown} and {len(ids) - 3} more"
