"""What is known of an artifact before it is read: its size, its shape, its outline, and which words stand in it.

A preview is made without a model. What an agent is shown of it never exceeds ``MOST_TOKENS``, whatever the artifact.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ...documents.blocks import KIND_CODE, BlockKind
from ...documents.surrogates import without_surrogates
from ...documents.tokens import count_tokens
from ...printing import counted
from .outline import headings_of
from .tables import column_names
from .text import MOST_TOKENS, file_names, pages_without_text, preview_text
from .vocabulary import NO_TERMS, covered, vocabulary_of

if TYPE_CHECKING:
    from ...documents import Document

__all__ = ["MOST_TOKENS", "Preview", "preview_of"]

TABLE_SHARE = 0.9
"""Share of tokens in table rows from which on an artifact is a table."""
MOST_PAGES_WITHOUT_TEXT = 0.5
"""Share of pages without text above which blocks can no longer be chosen from an artifact."""
_MOST_FILES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What is known of an artifact before it is read; made by ``preview_of``.

    Attributes
    ----------
    name, format, document_type, language : str
        As the document has them; language is "en", "zh" or "other".
    size_bytes : int
        Of the file or the files of the folder; of the text where there are none.
    tokens : int
        Of all blocks of the artifact: what reading it natively costs.
    pages, pages_without_text : int
        Pages, and those of them that are pictures or cannot be read.
    blocks, headings, tables, table_rows : int
    columns : tuple of str
        Names of the columns of the tables, without repetition, in the order of the artifact; the first 200.
    files : tuple of str
        Names of the files of a collection, in order; empty for a single file.
    is_table : bool
        Whether nearly all tokens stand in table rows: a spreadsheet, a CSV file.
    table_share : float
        Tokens in table rows / tokens, in [0, 1].
    supported : bool
        Whether blocks can be chosen from it at all.
    why_not : str
        Why it is not supported, in one sentence; "" if it is.
    text : str
        What an agent is shown: size, type, outline, samples, schema, inventory.
    preview_tokens : int
        Tokens of ``text``.
    vocabulary : ndarray of uint64, shape (v,)
        Sorted hashes of the terms of the whole text; never shown.
    """

    name: str
    format: str = "text"
    document_type: str = "general"
    language: str = "en"
    size_bytes: int = 0
    tokens: int = 0
    pages: int = 1
    pages_without_text: int = 0
    blocks: int = 0
    headings: int = 0
    tables: int = 0
    table_rows: int = 0
    columns: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    is_table: bool = False
    table_share: float = 0.0
    supported: bool = True
    why_not: str = ""
    text: str = ""
    preview_tokens: int = 0
    vocabulary: npt.NDArray[np.uint64] = field(default_factory=lambda: NO_TERMS, compare=False)

    def coverage(self, terms: Sequence[str]) -> tuple[float, tuple[str, ...]]:
        """Return the share of terms that stand in the artifact, and those that do not.

        Parameters
        ----------
        terms : sequence of str
            As ``workbench.relevance.terms.question_terms`` gives them for the preview's language.

        Returns
        -------
        share : float
            In [0, 1]; 1 for no terms.
        missing : tuple of str
        """
        return covered(self.vocabulary, terms)

    def __repr__(self) -> str:
        counts = [counted(self.pages, "page"), counted(self.tokens, "token"), f"shown in {self.preview_tokens:,}"]
        if self.files:
            counts.insert(0, counted(len(self.files), "file"))
        if not self.supported:
            counts.append("not supported")
        return f"Preview({self.name!r}, {self.format}, {self.document_type}, {', '.join(counts)})"

    def _repr_html_(self) -> str:
        # Without these classes a notebook turns "$5 to $9" into a formula.
        text = html.escape(self.text)
        return without_surrogates(
            f"<div class='mathjax_ignore tex2jax_ignore'><b>{html.escape(repr(self))}</b>"
            f"<pre style='white-space:pre-wrap'>{text}</pre></div>"
        )


_known: WeakKeyDictionary[Document, Preview] = WeakKeyDictionary()


def preview_of(document: Document) -> Preview:
    """Return the preview of a document; kept as long as the document.

    Parameters
    ----------
    document : Document
        A joined one, of format "collection", for a folder or archive.
    """
    preview = _known.get(document)
    if preview is None:
        preview = _known[document] = _preview(document)
    return preview


def _preview(document: Document) -> Preview:
    columns = document.columns
    in_rows = int(columns.tokens[columns.kind == KIND_CODE[BlockKind.TABLE_ROW]].sum())
    share = in_rows / document.tokens if document.tokens else 0.0
    missing = len(pages_without_text(document))
    why_not = _why_not(document, missing)
    size = _size(document)
    text = preview_text(document, size, is_table=share >= TABLE_SHARE)
    counts = np.bincount(columns.kind, minlength=len(KIND_CODE)).tolist()
    return Preview(
        name=document.name,
        format=document.format,
        document_type=document.document_type.value,
        language=document.language.value,
        size_bytes=size,
        tokens=document.tokens,
        pages=len(document.pages),
        pages_without_text=missing,
        blocks=len(columns),
        headings=len(headings_of(document)),
        tables=counts[KIND_CODE[BlockKind.TABLE]],
        table_rows=counts[KIND_CODE[BlockKind.TABLE_ROW]],
        columns=column_names(document),
        files=file_names(document),
        is_table=share >= TABLE_SHARE,
        table_share=share,
        supported=not why_not,
        why_not=why_not,
        text=text,
        preview_tokens=int(count_tokens([text])[0]),
        vocabulary=vocabulary_of(document.texts, document.language.value),
    )


def _why_not(document: Document, missing: int) -> str:
    if not document.tokens:
        return "No text can be read from it, so there are no blocks to choose from."
    if missing > MOST_PAGES_WITHOUT_TEXT * len(document.pages):
        pages = counted(len(document.pages), "page")
        return f"{missing} of its {pages} have no text, so most of it cannot be searched."
    return ""


def _size(document: Document) -> int:
    """Return the bytes on disk; those of the text for what was made in memory or has since gone."""
    path = document.path
    try:
        if path is not None and path.is_file():
            return path.stat().st_size
        if path is not None and path.is_dir():
            return _folder_size(path)
    except OSError:  # gone, or not to be listed: the text is what is left to measure
        pass
    return len(document.text_layer.encode("utf-8", "surrogatepass"))


def _folder_size(folder: Path) -> int:
    sizes = []
    for place, path in enumerate(folder.rglob("*")):
        if place >= _MOST_FILES:
            break
        if path.is_file() and not path.is_symlink():
            sizes.append(path.stat().st_size)
    return sum(sizes)
