"""Gold evidence: where each piece stands in the document, and whether what was kept recalls it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..documents import Document
from ..documents.joining import JoinedFile, files_of
from ..documents.progress import showing
from ..documents.quotes import fold
from ..documents.surrogates import without_surrogates
from ..errors import InvalidOption
from ..printing import counted, shortened
from .places import (
    Place,
    blocks_at,
    exact_places,
    held_places,
    joined_places,
    page_block_places,
    row_places,
    similar_places,
)
from .requests import CharRange, Evidence, Request

if TYPE_CHECKING:
    import pandas as pd

    from .workload import Workload

Numbers = npt.NDArray[np.float64]


class Way(StrEnum):
    """How a piece of evidence was resolved; ``places`` says what each way forgives."""

    ANCHOR = "anchor"
    EXACT = "exact"
    PAGE = "page"
    JOINED = "joined"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True)
class GoldPiece:
    """A piece of evidence with its places, any one of which will do."""

    evidence: Evidence
    way: Way
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A piece of evidence that has no place, and why, in one sentence."""

    evidence: Evidence
    reason: str


class _Flat(NamedTuple):
    """All places of all pieces end to end: the block of each entry, its place, and the piece of each place."""

    block: npt.NDArray[np.int64]
    place: npt.NDArray[np.int64]
    piece: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Gold:
    """The evidence of one request in its document; made by ``resolve``.

    Attributes
    ----------
    request_id : str
    pieces : tuple of GoldPiece
        In the order of the request.
    unresolved : tuple of Unresolved
        What has no place; it is in no figure.
    tokens : ndarray of int32, shape (blocks,)
        Of the document's blocks.
    """

    request_id: str
    pieces: tuple[GoldPiece, ...]
    unresolved: tuple[Unresolved, ...]
    tokens: npt.NDArray[np.int32] = field(repr=False)

    @property
    def blocks(self) -> Place:
        """Every block of the first place of every piece, in reading order."""
        return tuple(sorted({block for piece in self.pieces for block in piece.places[0]}))

    def recalled(self, kept: npt.NDArray[np.bool_], tokens: npt.NDArray[Any] | None = None) -> npt.NDArray[np.bool_]:
        """Return which pieces the kept blocks recall: they hold at least half of the tokens of one of its places.

        Parameters
        ----------
        kept : ndarray of bool, shape (blocks,)
        tokens : ndarray, shape (blocks,), optional
            Of each block, where they are counted otherwise than in the document.

        Returns
        -------
        ndarray of bool, shape (pieces,)

        Raises
        ------
        InvalidOption
            If an array has not one entry for each block.
        """
        flat, weights = self._flat, self._weights(tokens)
        mask = self._per_block("kept", kept).astype(np.bool_)
        total = np.bincount(flat.place, weights[flat.block], minlength=len(flat.piece))
        held = np.bincount(flat.place, weights[flat.block] * mask[flat.block], minlength=len(flat.piece))
        found = np.zeros(len(self.pieces), np.bool_)
        found[flat.piece[2 * held >= total]] = True
        return found

    def recall(self, kept: npt.NDArray[np.bool_], tokens: npt.NDArray[Any] | None = None) -> float:
        """Return the share of pieces that the kept blocks recall, in [0, 1]; nan where there is no piece."""
        found = self.recalled(kept, tokens)
        return float(found.mean()) if len(found) else float("nan")

    def needed(self, scores: npt.NDArray[Any], tokens: npt.NDArray[Any] | None = None) -> Numbers:
        """Return the highest threshold at which each piece is still recalled.

        Parameters
        ----------
        scores : ndarray, shape (blocks,)
            A block is kept where its score is at least the threshold. A pinned block has +inf; one that is never kept
            has -inf or nan.
        tokens : ndarray, shape (blocks,), optional
            As in ``recalled``.

        Returns
        -------
        ndarray of float64, shape (pieces,)
            -inf where no threshold recalls the piece, +inf where every one does.

        Raises
        ------
        InvalidOption
            If an array has not one entry for each block.
        """
        flat, weights = self._flat, self._weights(tokens)
        values = self._per_block("scores", scores).astype(np.float64)[flat.block]
        values = np.where(np.isnan(values), -np.inf, values)
        order = np.lexsort((-values, flat.place))
        place, values, weight = flat.place[order], values[order], weights[flat.block][order]
        total = np.bincount(place, weight, minlength=len(flat.piece))
        summed = np.cumsum(weight)
        before = np.concatenate([[0.0], summed])[np.searchsorted(place, place)]
        enough = 2 * (summed - before) >= total[place]
        by_place = np.where(total > 0, -np.inf, np.inf)
        np.maximum.at(by_place, place[enough], values[enough])
        by_piece = np.full(len(self.pieces), -np.inf)
        np.maximum.at(by_piece, flat.piece, by_place)
        return by_piece

    def to_frame(self) -> pd.DataFrame:
        """Return one row a piece of evidence, first those with a place.

        Returns
        -------
        DataFrame
            Columns request, quote, page and file (as the request gives them), way ("" without a place), places (how
            many), blocks (ids of the first place), reason (why there is none).
        """
        import pandas as pd

        rows: list[tuple[Any, ...]] = [
            (piece.evidence, piece.way.value, len(piece.places), list(piece.places[0]), "") for piece in self.pieces
        ]
        rows += [(lost.evidence, "", 0, [], lost.reason) for lost in self.unresolved]
        return pd.DataFrame(
            {
                "request": [without_surrogates(self.request_id)] * len(rows),
                "quote": [without_surrogates(row[0].quote) for row in rows],
                "page": pd.array([row[0].page for row in rows], dtype="Int64"),
                "file": [without_surrogates(row[0].file or "") for row in rows],
                "way": [row[1] for row in rows],
                "places": [row[2] for row in rows],
                "blocks": [row[3] for row in rows],
                "reason": [without_surrogates(row[4]) for row in rows],
            }
        )

    def __len__(self) -> int:
        return len(self.pieces)

    def __repr__(self) -> str:
        lost = f", {len(self.unresolved):,} unresolved" if self.unresolved else ""
        return f"Gold({self.request_id!r}, {counted(len(self.pieces), 'piece')}{lost})"

    @cached_property
    def _flat(self) -> _Flat:
        places = [(rank, place) for rank, piece in enumerate(self.pieces) for place in piece.places]
        return _Flat(
            np.array([block for _, place in places for block in place], np.int64),
            np.repeat(np.arange(len(places)), [len(place) for _, place in places]).astype(np.int64),
            np.array([rank for rank, _ in places], np.int64),
        )

    def _weights(self, tokens: npt.NDArray[Any] | None) -> Numbers:
        return (
            self.tokens.astype(np.float64) if tokens is None else self._per_block("tokens", tokens).astype(np.float64)
        )

    def _per_block(self, name: str, given: npt.NDArray[Any]) -> npt.NDArray[Any]:
        found = np.asarray(given)
        if found.shape != self.tokens.shape:
            raise InvalidOption(
                f"{name} has the shape {found.shape}, but the document of request {self.request_id!r} has "
                f"{counted(len(self.tokens), 'block')}; give one entry for each."
            )
        return found


def resolve(request: Request, document: Document) -> Gold:
    """Return where the evidence of a request stands in its document.

    Parameters
    ----------
    request : Request
    document : Document
        As ``open_artifact`` reads the request's artifact.

    Returns
    -------
    Gold
        With what does not resolve listed, each piece with its reason.
    """
    answers = [answer for answer in (request.answer, *request.answers) if answer]
    pieces, unresolved = [], []
    for evidence in request.evidence:
        found = _resolved(document, evidence, answers)
        if isinstance(found, GoldPiece):
            pieces.append(found)
        else:
            unresolved.append(Unresolved(evidence, found))
    return Gold(request.id, tuple(pieces), tuple(unresolved), document.columns.tokens)


def resolve_all(workload: Workload, *, progress: bool | None = None) -> dict[str, Gold]:
    """Return the gold of every request of a workload, by its id and in its order; each document is opened once.

    Raises
    ------
    WorkbenchError
        If an artifact cannot be opened.
    """
    found: dict[str, Gold] = {}
    by_document: dict[str, list[Request]] = {key: [] for key in workload.documents}
    for request in workload.requests:
        by_document[request.document_key].append(request)
    with showing(f"Finding the evidence of {workload.name}", progress) as report:
        for rank, (key, requests) in enumerate(by_document.items()):
            report(rank, len(by_document))
            document = workload.open(key, progress=False)
            found |= {request.id: resolve(request, document) for request in requests}
    return {request.id: found[request.id] for request in workload.requests}


def _resolved(document: Document, evidence: Evidence, answers: Sequence[str]) -> GoldPiece | str:
    """Return a piece with its places, or why it has none."""
    files = _files_named(document, evidence.file)
    if evidence.file is not None and not files:
        return f"{document.name} has no file {shortened(str(evidence.file), 80)!r}, or several of that name."
    pages = _pages(document, evidence, files)
    if isinstance(pages, str):
        return pages
    offset = files[0].first_own_char if evidence.file is not None else 0
    if evidence.anchor is not None and (place := _at_anchor(document, evidence.anchor, evidence.quote, offset)):
        return GoldPiece(evidence, Way.ANCHOR, (place,))
    for way, places in _ways(document, evidence, pages, answers):
        if places:
            return GoldPiece(evidence, way, tuple(dict.fromkeys(places)))
    return _why_not(document, evidence, pages)


def _files_named(document: Document, name: str | None) -> tuple[JoinedFile, ...]:
    """Return the file of a name, or of the only path that ends in it; every file where none is named."""
    files = files_of(document)
    if name is None:
        return files
    exact = tuple(file for file in files if file.name == name)
    ending = tuple(file for file in files if file.name.endswith(f"/{name}"))
    return exact[:1] or (ending if len(ending) == 1 else ())


def _pages(document: Document, evidence: Evidence, files: Sequence[JoinedFile]) -> list[int] | str | None:
    """Return the 1-based pages to look on, None for all, or what is wrong with the page that was given."""
    if evidence.file is None:
        first, count, name = 1, len(document.pages), document.name
    else:
        first, count, name = files[0].first_page, files[0].pages, files[0].name
    if evidence.page is None:
        return None if evidence.file is None else list(range(first, first + count))
    if evidence.page > count:
        return f"{name} has no page {evidence.page}; it has {counted(count, 'page')}."
    return [first + evidence.page - 1]


def _at_anchor(document: Document, anchor: CharRange, quote: str, offset: int) -> Place:
    """Return the blocks at an anchor, unless it holds other words than the quote: then it is of another version."""
    start, end = offset + anchor.start_char, offset + anchor.end_char
    held, said = fold(document.text_layer[start:end]), fold(quote)
    if said and not (held and (said in held or held in said)):
        return ()
    return blocks_at(document, start, end)


def _ways(
    document: Document, evidence: Evidence, pages: list[int] | None, answers: Sequence[str]
) -> Iterator[tuple[Way, list[Place]]]:
    """Give the ways to a quote, the strictest first."""
    quote = evidence.quote
    alone = pages[0] if pages and evidence.page is not None else None
    if not fold(quote):
        if alone is not None and not quote.strip() and evidence.anchor is None:
            # A number may be counted or computed, so that its digits say nothing.
            texts = [answer for answer in answers if any(map(str.isalpha, answer))]
            yield Way.PAGE, page_block_places(document, alone, texts)
        return
    plain = pages is not None and quote.isascii()
    whole = exact_places(document, quote, pages=pages)
    if "|" in quote:
        # Read on, a row is followed by the next: a run over two of them is the last resort for cells of one.
        yield Way.EXACT, [place for place in whole if len(place) == 1]
        yield Way.EXACT, row_places(document, quote, pages=pages)
    yield Way.EXACT, whole
    if plain:
        # What was copied out of a PDF has often lost all that is outside ASCII.
        yield Way.EXACT, exact_places(document, quote, pages=pages, ascii_only=True)
    if alone is not None:
        yield Way.PAGE, held_places(document, quote, alone, ascii_only=plain)
    yield Way.JOINED, joined_places(document, quote, pages=pages, ascii_only=plain, rows=True)
    among = None if pages is None else np.flatnonzero(np.isin(document.columns.home_page + 1, pages)).tolist()
    yield Way.SIMILAR, similar_places(document, quote, among=among)


def _why_not(document: Document, evidence: Evidence, pages: list[int] | None) -> str:
    if not evidence.quote.strip():
        what = f"page {evidence.page}" if evidence.anchor is None else "the anchor"
        return f"There is no block with content at {what} of {evidence.file or document.name}."
    said = shortened(evidence.quote, 60)
    if not fold(evidence.quote):
        return f"{said!r} has no letter or digit to look for."
    if pages is not None and (elsewhere := exact_places(document, evidence.quote)):
        found = sorted({int(document.columns.home_page[block]) + 1 for place in elsewhere for block in place})
        return f"{said!r} stands on {_named_pages(document, found)}, not where the evidence says."
    return f"{said!r} stands in no block of {document.name} that can hold evidence."


def _named_pages(document: Document, pages: Sequence[int]) -> str:
    shown = [document.pages[page - 1].label or f"page {page}" for page in pages[:3]]
    return ", ".join(shown) + (f" and {len(pages) - 3:,} more" if len(pages) > 3 else "")
