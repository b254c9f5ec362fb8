"""An item of a queue as plain values for a browser: its block amid its surroundings, and why it is asked."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..documents.blocks import FURNITURE, Block, BlockKind
from ..documents.sentences import sentence_starts
from ..training.queue.walking import block_in

if TYPE_CHECKING:
    from ..documents import Document
    from ..training.labels import Label
    from ..training.queue import QueueItem, Walk

AROUND_CHARACTERS, AROUND_BLOCKS = 1_600, 14
"""What is shown before a block, and behind it, at most; one neighbour at least."""
LONGEST_NEIGHBOUR = 2_400
"""Characters of a neighbour, from the side that meets the block."""


def card_of(item: QueueItem, document: Document) -> dict[str, Any]:
    """Return what is shown of an item.

    Returns
    -------
    dict
        key (document, question, block_id), name, document_type, pages, question, request, order, reason (code, values),
        scores and scale; changed: whether the document is another one than the item was made of; gone: whether it has
        lost the block. Where it has not, block, page, path (titles above), blocks (id, kind, level, text, page, columns
        of a row's cells, header, cut) and here, the rank of the item's own in them; parts: ranges (code points) of its
        sentences or cells.
    """
    block = block_in(document, item)
    card = {
        "key": list(item.key),
        "name": plain(document.name),
        "document_type": document.document_type.value,
        "pages": len(document.pages),
        "question": plain(item.question),
        "request": plain(item.request or ""),
        "order": item.order.value,
        "reason": {"code": item.reason.code, "values": dict(item.reason.values)},
        "scores": dict(item.scores),
        "scale": item.scale,
        "changed": document.sha256 != item.document,
        "gone": block is None,
    }
    return card if block is None else card | surroundings_of(document, block)


def surroundings_of(document: Document, block_id: int) -> dict[str, Any]:
    """Return a block with what stands before and behind it; see ``card_of``."""
    block = document.block(block_id)
    before = [*_neighbours(document, range(block_id - 1, -1, -1))][::-1]
    behind = [*_neighbours(document, range(block_id + 1, len(document)))]
    shown = [*_missing_headers(document, block, before), *before]
    blocks = [_shown(one, end=True) for one in shown]
    return {
        "block": block_id,
        "page": block.page,
        "path": [plain(document.texts[title]) for title in document.section_of(block_id)],
        "here": len(blocks),
        "blocks": [*blocks, _shown(block), *(_shown(one, end=False) for one in behind)],
        "parts": parts_of(block),
    }


def parts_of(block: Block) -> list[list[int]]:
    """Return the ranges of a block's sentences, of a row its cells; code points of its text, end exclusive."""
    text = block.text
    if block.kind is BlockKind.TABLE_ROW:
        starts, at = [], 0
        for cell in text.split("\t"):
            starts.append((at, at + len(cell)))
            at += len(cell) + 1
    else:
        edges = [0, *sentence_starts(text), len(text)]
        starts = list(itertools.pairwise(edges))
    trimmed = (_trimmed(text, start, end) for start, end in starts)
    return [[start, end] for start, end in trimmed if start < end]


def label_data(label: Label) -> dict[str, Any]:
    """Return what is shown of a label."""
    return {
        "value": label.value.value,
        "spans": [list(span) for span in label.spans],
        "note": plain(label.note),
    }


def visit_data(walk: Walk, labels: Sequence[Label]) -> dict[str, Any] | None:
    """Return what is shown of a block that annotators have labelled, with what each says of it.

    Parameters
    ----------
    walk : Walk
    labels : sequence of Label
        Of one block and question.

    Returns
    -------
    dict or None
        As ``card_of`` has it, and said: annotator, at, and what ``label_data`` has. None if the document of the labels
        is none of the walk.
    """
    item = next((found for label in labels if (found := walk.item_of(label)) is not None), None)
    if item is None:
        return None
    said = [{"annotator": label.annotator, "at": label.at, **label_data(label)} for label in labels]
    return {**card_of(item, walk.document_of(item)), "said": said}


def plain(text: str) -> str:
    """Return a text as JSON can carry it: as many characters, a lone surrogate as a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _neighbours(document: Document, ids: Sequence[int]) -> Iterator[Block]:
    characters = shown = 0
    for number in ids:
        block = document.blocks[number]
        if not block.text.strip() or block.kind in FURNITURE:
            continue
        if shown and (characters + len(block.text) > AROUND_CHARACTERS or shown == AROUND_BLOCKS):
            return
        characters += len(block.text)
        shown += 1
        yield block


def _missing_headers(document: Document, block: Block, before: Sequence[Block]) -> list[Block]:
    """Return the header rows of a row's table that its surroundings do not reach: numbers say nothing without them."""
    seen = {one.block_id for one in before} | {block.block_id}
    return [document.blocks[row] for row in block.header if row not in seen]


def _shown(block: Block, *, end: bool | None = None) -> dict[str, Any]:
    text, cut = block.text, False
    if end is not None and len(text) > LONGEST_NEIGHBOUR:
        text, cut = (text[-LONGEST_NEIGHBOUR:] if end else text[:LONGEST_NEIGHBOUR]), True
    found: dict[str, Any] = {
        "id": block.block_id,
        "kind": block.kind.value,
        "level": block.level,
        "text": plain(text),
        "page": block.page,
    }
    if block.kind is BlockKind.TABLE_ROW and not cut:
        found["columns"] = [cell.column for cell in block.cells]
        found["table"] = -1 if block.table is None else block.table
    if block.is_header:
        found["header"] = True
    if cut:
        found["cut"] = "start" if end else "end"
    return found


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    whole = text[start:end]
    left = len(whole) - len(whole.lstrip())
    return start + left, start + left + len(whole.strip())
