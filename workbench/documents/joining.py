"""Several documents as one: what is asked of a folder or archive is asked of all its files at once."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ..errors import LimitExceeded
from ..printing import printable
from .blocks import FURNITURE, KIND_CODE, BlockKind
from .columns import NONE, BlockColumns
from .document import Document
from .document_types import document_type_of
from .exclusions import Exclusions
from .languages import language_of
from .pages import DocumentWarning, Page, PageStatus
from .tokens import TOKENIZER, count_tokens

FORMAT = "collection"
DEEPEST = 6
MAX_CHARS = 2**31 - 1
"""Characters whose positions a document can hold."""
MAX_TITLE_CHARS = 200
"""Longest heading that is made of a file's name; of a longer one the end is shown."""

_HEADING = KIND_CODE[BlockKind.HEADING]
_FURNITURE = [KIND_CODE[kind] for kind in FURNITURE]
_ADDED_TO = {PageStatus.BLANK: PageStatus.TEXT, PageStatus.UNREADABLE: PageStatus.NO_TEXT}
"""What becomes of a page when the heading with the file's name is written to it."""


@dataclass(frozen=True, slots=True)
class JoinedFile:
    """One file of a joined document.

    Attributes
    ----------
    name, sha256, format : str
    tokens : int
        Of its own blocks, without the heading with its name.
    first_page, pages : int
        1-based rank of its first page in the joined document, and how many it has there.
    first_block, blocks : int
        Id of the first block, which is the heading with its name, and how many there are with it.
    first_char, first_own_char : int
        Where its part of the text layer begins: the heading, and the file's own text layer.
    """

    name: str
    sha256: str
    format: str
    tokens: int
    first_page: int
    pages: int
    first_block: int
    blocks: int
    first_char: int
    first_own_char: int


class JoinedDocument(Document):
    """The files of a folder or archive as one document; made by ``join_documents``.

    Attributes
    ----------
    files : tuple of JoinedFile
        In the order of the document.
    """

    files: tuple[JoinedFile, ...] = ()


def join_documents(documents: Sequence[Document], *, name: str, path: Path | None = None) -> JoinedDocument:
    """Join documents, one after the other in the order given.

    Parameters
    ----------
    documents : sequence of Document
        None is right: then the joined document has no block.
    name : str
        What to call them together.
    path : pathlib.Path, optional
        The folder or archive.

    Returns
    -------
    JoinedDocument
        Each file stands under a heading of level 1 with its name; its own headings are one level deeper, at most 6.
        Pages are numbered on; their labels, and the locators of the blocks, begin with the file's name. Its identity
        is the SHA-256 of the files' names and identities.

    Raises
    ------
    LimitExceeded
        If they have more than ``MAX_CHARS`` characters together.

    Examples
    --------
    >>> join_documents([], name="empty.zip")
    Document('empty.zip', collection, 1 page, 0 blocks, 0 tokens)
    """
    titles = [_title(document.name, number) for number, document in enumerate(documents, start=1)]
    layer, heads = _layer(documents, titles)
    files = _files(documents, heads)
    columns = _columns(documents, titles, files)
    texts = [text for document, title in zip(documents, titles, strict=True) for text in (title, *document.texts)]
    language = language_of(texts)
    identity = json.dumps([[document.name, document.sha256] for document in documents])
    joined = JoinedDocument(
        sha256=hashlib.sha256(identity.encode("ascii")).hexdigest(),
        name=name,
        path=path,
        format=FORMAT,
        text_layer=layer,
        columns=columns,
        pages=_pages(documents, files, len(layer)),
        exclusions=_exclusions(documents, files),
        warnings=_warnings(documents, files),
        document_type=document_type_of(texts, columns.kind, name=name, language=language.value),
        language=language,
        tokenizer=TOKENIZER,
        locators=[locator for document in documents for locator in _locators(document)],
    )
    joined.files = files
    return joined


def files_of(document: Document) -> tuple[JoinedFile, ...]:
    """Return the files that a document is made of: itself, if it is not joined."""
    if isinstance(document, JoinedDocument):
        return document.files
    return (
        JoinedFile(
            name=document.name,
            sha256=document.sha256,
            format=document.format,
            tokens=document.tokens,
            first_page=1,
            pages=len(document.pages),
            first_block=0,
            blocks=len(document),
            first_char=0,
            first_own_char=0,
        ),
    )


def _title(name: str, number: int) -> str:
    """Return a file's name as a heading: on one line, without what steers a terminal, and not empty."""
    shown = printable(name)
    if len(shown) > MAX_TITLE_CHARS:
        shown = "…" + shown[1 - MAX_TITLE_CHARS :].lstrip()
    return shown or f"File {number}"


def _layer(documents: Sequence[Document], titles: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return the text layer and, for each file, where its heading and its own text layer begin."""
    parts: list[str] = []
    heads = []
    at = 0
    for document, title in zip(documents, titles, strict=True):
        head = f"{title}\n\n"
        heads.append((at, at + len(head)))
        parts += (head, document.text_layer, "\n\n")
        at += len(head) + len(document.text_layer) + 2
        if at > MAX_CHARS:
            raise LimitExceeded(
                f"The files of a collection have more than {MAX_CHARS:,} characters together up to {document.name}; "
                "lower max_file_mb, or join fewer of them.",
                setting="max_file_mb",
                limit=MAX_CHARS,
                value=at,
            )
    return "".join(parts), heads


def _files(documents: Sequence[Document], heads: Sequence[tuple[int, int]]) -> tuple[JoinedFile, ...]:
    files = []
    page, block = 1, 0
    for document, (first_char, first_own_char) in zip(documents, heads, strict=True):
        files.append(
            JoinedFile(
                name=document.name,
                sha256=document.sha256,
                format=document.format,
                tokens=document.tokens,
                first_page=page,
                pages=max(1, len(document.pages)),
                first_block=block,
                blocks=len(document) + 1,
                first_char=first_char,
                first_own_char=first_own_char,
            )
        )
        page += files[-1].pages
        block += files[-1].blocks
    return tuple(files)


def _columns(documents: Sequence[Document], titles: Sequence[str], files: Sequence[JoinedFile]) -> BlockColumns:
    tokens = count_tokens(titles)
    boxed = any(len(document.columns.box) for document in documents)
    parts = [
        _part(document.columns, file, len(title), int(count), boxed)
        for document, file, title, count in zip(documents, files, titles, tokens, strict=True)
    ]
    joined = {
        name: np.concatenate([np.asarray(part[name], dtype) for part in parts] or [np.zeros(0, dtype)])
        for name, dtype in _DTYPES.items()
    }
    kind, level = joined["kind"], joined["level"]
    counts = joined.pop("pieces")
    return BlockColumns(
        **cast("dict[str, Any]", joined),
        parent=_parents(kind, level),
        first_piece=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        box=np.concatenate([part["box"] for part in parts]).astype(np.float32)
        if boxed
        else np.zeros((0, 4), np.float32),
    )


_DTYPES: dict[str, Any] = {
    "kind": np.uint8,
    "level": np.uint8,
    "table": np.int32,
    "continues": np.int32,
    "is_header": np.uint8,
    "tokens": np.int32,
    "pieces": np.int32,
    "start": np.int32,
    "end": np.int32,
    "joint": np.uint8,
    "column": np.int16,
    "home_page": np.int32,
}
"""The columns that are joined end to end; "pieces" counts those of each block."""


def _part(columns: BlockColumns, file: JoinedFile, title: int, tokens: int, boxed: bool) -> dict[str, Any]:
    """Return the columns of one file, its heading first, in the numbers of the joined document."""
    blocks, chars = file.first_block + 1, file.first_own_char
    level = np.where(columns.kind == _HEADING, np.minimum(columns.level.astype(np.int32) + 1, DEEPEST), columns.level)
    box = columns.box if len(columns.box) else np.full((len(columns.start), 4), np.nan, np.float32)
    return {
        "kind": np.append(_HEADING, columns.kind),
        "level": np.append(1, level),
        "table": np.append(NONE, _shifted(columns.table, blocks)),
        "continues": np.append(NONE, _shifted(columns.continues, blocks)),
        "is_header": np.append(0, columns.is_header),
        "tokens": np.append(tokens, columns.tokens),
        "pieces": np.append(1, np.diff(columns.first_piece)),
        "start": np.append(file.first_char, columns.start.astype(np.int64) + chars),
        "end": np.append(file.first_char + title, columns.end.astype(np.int64) + chars),
        "joint": np.append(0, columns.joint),
        "column": np.append(-1, columns.column),
        "home_page": np.append(0, columns.home_page) + file.first_page - 1,
        "box": np.concatenate([np.full((1, 4), np.nan, np.float32), box]) if boxed else None,
    }


def _shifted(ids: npt.NDArray[np.int32], by: int) -> npt.NDArray[np.int64]:
    return np.where(ids == NONE, NONE, ids.astype(np.int64) + by)


def _parents(kind: npt.NDArray[np.uint8], level: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """Return the nearest heading above each block; a heading's is the nearest one of a smaller level."""
    headings = np.flatnonzero(kind == _HEADING)
    # The last heading before each block, as a rank among the headings.
    last = np.cumsum(kind == _HEADING) - 1 - (kind == _HEADING)
    parents = np.full(len(kind), NONE, np.int32)
    below = (last >= 0) & ~np.isin(kind, _FURNITURE)
    parents[below] = headings[last[below]]
    above: list[tuple[int, int]] = []
    for heading, depth in zip(headings.tolist(), level[headings].tolist(), strict=True):
        while above and above[-1][0] >= depth:
            above.pop()
        parents[heading] = above[-1][1] if above else NONE
        above.append((depth, heading))
    return parents


def _pages(documents: Sequence[Document], files: Sequence[JoinedFile], length: int) -> list[Page]:
    ends = [file.first_char for file in files[1:]] + [length]
    pages = [
        page
        for document, file, end in zip(documents, files, ends, strict=True)
        for page in _pages_of(document, file, end)
    ] if files else []  # fmt: skip
    return pages or [Page(1, "", PageStatus.BLANK, np.nan, np.nan, 0, 0, length)]


def _pages_of(document: Document, file: JoinedFile, end: int) -> Iterator[Page]:
    """Give the pages of one file: the first begins with the heading, the last ends where the next file begins."""
    own = document.pages or (Page(1, "", PageStatus.BLANK, np.nan, np.nan, 0, 0, len(document.text_layer)),)
    for rank, page in enumerate(own):
        first, last = rank == 0, rank == len(own) - 1
        part = page.label or (f"page {page.number}" if len(own) > 1 else "")
        yield replace(
            page,
            number=file.first_page + rank,
            label=_within(document.name, part),
            status=_ADDED_TO.get(page.status, page.status) if first else page.status,
            start_char=file.first_char if first else page.start_char + file.first_own_char,
            end_char=end if last else page.end_char + file.first_own_char,
        )


def _exclusions(documents: Sequence[Document], files: Sequence[JoinedFile]) -> Exclusions:
    codes: dict[str, int] = {}
    starts, ends, kinds = [], [], []
    for document, file in zip(documents, files, strict=True):
        own = document.exclusions
        starts.append(own.start.astype(np.int64) + file.first_own_char)
        ends.append(own.end.astype(np.int64) + file.first_own_char)
        renamed = np.array([codes.setdefault(reason, len(codes)) for reason in own.reasons], np.uint8)
        kinds.append(renamed[own.code] if len(own) else np.zeros(0, np.uint8))
    if not starts:
        return Exclusions.of(())
    return Exclusions(
        np.concatenate(starts).astype(np.int32), np.concatenate(ends).astype(np.int32), np.concatenate(kinds), [*codes]
    )


def _warnings(documents: Sequence[Document], files: Sequence[JoinedFile]) -> list[DocumentWarning]:
    return [
        DocumentWarning(
            warning.code,
            warning.message if document.name in warning.message else f"{document.name}: {warning.message}",
            tuple(page + file.first_page - 1 for page in warning.pages),
        )
        for document, file in zip(documents, files, strict=True)
        for warning in document.warnings
    ]


def _locators(document: Document) -> Iterator[str]:
    """Give the locators of a file's heading and blocks: its name, and where in the file, if it says so."""
    yield document.name
    if document.locators:
        for locator in document.locators:
            yield _within(document.name, locator)
    elif document.line_based:
        yield from _line_locators(document)
    else:
        for _ in range(len(document)):
            yield document.name


def _line_locators(document: Document) -> Iterator[str]:
    """Give the lines of each block, which only a text layer that is the file itself can number."""
    columns, starts = document.columns, document.line_starts
    first_piece = columns.first_piece
    for block in range(len(document)):
        low, high = int(first_piece[block]), int(first_piece[block + 1])
        if low == high:
            yield document.name
            continue
        start, end = int(columns.start[low:high].min()), int(columns.end[low:high].max())
        first, last = bisect_right(starts, start), bisect_right(starts, max(start, end - 1))
        yield _within(document.name, f"line {first}" if first == last else f"lines {first} to {last}")


def _within(name: str, part: str) -> str:
    return f"{name}, {part}" if part else name
