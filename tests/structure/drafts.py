"""Documents made block by block, so that a test says exactly what stands where."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from workbench.documents import Document
from workbench.documents.blocks import BlockKind
from workbench.documents.draft import Draft
from workbench.documents.pages import Verdict
from workbench.structure import features_of

Made = str | tuple[BlockKind | str, str] | tuple[BlockKind | str, str, int]


def document_of(
    *made: Made, language: str = "en", document_type: str = "general", pages: Sequence[Sequence[Made]] = ()
) -> Document:
    """Make a document of paragraphs, or of (kind, text) and (kind, text, level).

    A row is a text with a tab between cells; ("header row", text) names the columns. Rows in a row are one table.
    """
    draft = Draft()
    for page in pages or (made,):
        draft.begin_page()
        _add(draft, page)
    done = draft.finish(max_block_chars=1_000_000)
    return Document(
        sha256="0" * 64,
        name="made.txt",
        format="text",
        text_layer=done.text_layer,
        columns=done.columns,
        pages=done.pages,
        exclusions=done.exclusions,
        document_type=Verdict(document_type, 1.0),
        language=Verdict(language, 1.0),
        tokenizer="none",
    )


def _add(draft: Draft, made: Sequence[Made]) -> None:
    table = -1
    for block in made:
        kind, text, level = (*block, 0, 0)[:3] if isinstance(block, tuple) else (BlockKind.PARAGRAPH, block, 0)
        if kind in (BlockKind.TABLE_ROW, "header row"):
            table = draft.begin_table() if table < 0 else table
            cells = [draft.write(cell) for cell in str(text).split("\t")]
            draft.add_row(table, cells, is_header=kind == "header row")
        else:
            table = -1
            draft.add(BlockKind(kind), draft.write(str(text)), level=int(level) or int(kind == BlockKind.HEADING))
        draft.write("\n")


def has(document: Document, feature: str) -> list[bool]:
    """Which blocks have a feature."""
    found: npt.NDArray[np.bool_] = features_of(document, progress=False)[feature]
    return [bool(holds) for holds in found]
