"""The vectors of a document's blocks: computed once, kept on disk, compared with a question in a millisecond."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from ..caching import key_of
from ..documents.progress import showing
from ..errors import InvalidOption
from .encoders import Encoder, WindowVectors
from .vector_files import halved, load_vectors, store_vectors

if TYPE_CHECKING:
    from ..documents import Document

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

LAYOUT = 1
"""Raised whenever equal units would get other vectors than before; part of the key."""

_log = logging.getLogger("workbench")


class Units(Protocol):
    """The u texts that are embedded for the n blocks of a document; ``Passages`` are such.

    Block i is read by the units ``unit[first[i]:first[i + 1]]``, and ``own`` says which share of the block's text
    each of them holds.
    """

    @property
    def units(self) -> Sequence[str]:
        """The texts to embed."""

    @property
    def first(self) -> npt.NDArray[np.int32]:
        """Shape (n + 1,)."""

    @property
    def unit(self) -> npt.NDArray[np.int32]:
        """Shape (m,)."""

    @property
    def own(self) -> Floats:
        """Shape (m,)."""


@dataclass(frozen=True, eq=False)
class BlockEmbeddings:
    """The vectors by which the n blocks of a document are read.

    Attributes
    ----------
    vectors : ndarray of float16, shape (w, d)
        One row of length 1 a window of a unit; mapped from the cache, or in memory.
    first : ndarray of int64, shape (n + 1,)
        Block i is read by the rows ``row[first[i]:first[i + 1]]``; none for a block without a unit.
    row : ndarray of int64, shape (r,)
    share_read : ndarray of float32, shape (n,)
        Share of each block's text that its vectors stand for, in [0, 1]; 0 for a block without a unit.
    encoder : str
        Fingerprint of the encoder.
    computation : str
        How it was computed on this machine.
    notes : tuple of str
        What a reader of the scores must know, a sentence each.
    """

    vectors: npt.NDArray[np.float16]
    first: Ints
    row: Ints
    share_read: Floats
    encoder: str
    computation: str
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.vectors, self.first, self.row, self.share_read):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.share_read)

    def similarity(self, question_vector: npt.NDArray[np.floating]) -> Floats:
        """Return for each block the best cosine of its vectors with that of a question.

        Parameters
        ----------
        question_vector : ndarray of float32, shape (d,)
            Of length 1, as ``encode`` gives it.

        Returns
        -------
        ndarray of float32, shape (n,)
            In [-1, 1]; nan for a block that no vector stands for.

        Raises
        ------
        InvalidOption
            If the vector has another shape than these.
        """
        wanted = (self.vectors.shape[1],)
        if np.shape(question_vector) != wanted:
            raise InvalidOption(
                f"question_vector has the shape {np.shape(question_vector)}, and the blocks were embedded in "
                f"{wanted[0]} dimensions; encode the question with the encoder of the blocks."
            )
        best = np.full(len(self), np.nan, np.float32)
        if len(self.row):
            cosines = self._single @ np.asarray(question_vector, np.float32)
            best[self._embedded] = np.maximum.reduceat(cosines[self.row], self.first[:-1][self._embedded])
        return best

    @cached_property
    def _single(self) -> Floats:
        """The vectors in single precision: to widen them costs more than the product."""
        return self.vectors.astype(np.float32)

    @cached_property
    def _embedded(self) -> npt.NDArray[np.bool_]:
        return np.diff(self.first) > 0

    def __repr__(self) -> str:
        return f"BlockEmbeddings({len(self)} blocks, {len(self.vectors)} vectors, {self.computation})"


def embed_document(
    document: Document, encoder: Encoder, passages: Units, *, progress: bool | None = None, cache: bool = True
) -> BlockEmbeddings:
    """Return the vectors of a document's blocks, from memory, from the cache, or computed and stored there.

    They are rounded to half precision before any use, so that a first run and a later one give equal scores.

    Parameters
    ----------
    document : Document
    encoder : Encoder
    passages : Units
        What is embedded; ``passages(document)`` makes it.
    progress : bool, optional
        Whether progress is shown; None where somebody looks.
    cache : bool
        Whether the cache on disk is used.

    Raises
    ------
    MissingModel, DamagedModel
        If the encoder cannot be loaded.
    """
    key = _key(encoder, passages.units)
    readers = hashlib.sha256(b"".join(a.tobytes() for a in (passages.first, passages.unit, passages.own))).hexdigest()
    known = _in_memory.setdefault(document, {})
    # One at a time: each uses every core, and what another thread has begun for this document need not be done twice.
    with _embedding:
        if (key, readers) not in known:
            found = load_vectors(key) if cache else None
            if found is None:
                found = _computed(document, encoder, passages.units, progress)
                if cache:
                    store_vectors(key, found)
            known[key, readers] = _of_blocks(found, encoder, passages)
        return known[key, readers]


_in_memory: weakref.WeakKeyDictionary[Document, dict[tuple[str, str], BlockEmbeddings]] = weakref.WeakKeyDictionary()
_embedding = threading.Lock()


def _computed(document: Document, encoder: Encoder, units: Sequence[str], progress: bool | None) -> WindowVectors:
    computation = encoder.computation  # the self-test is not part of the document's time
    started = time.perf_counter()
    with showing(f"Embedding {document.name}", progress) as report:
        found = encoder.encode_windows(units, kind="passage", report=report)
    _log.info(
        "%s: %d units embedded with %s (%s) in %.1f s.",
        document.name,
        len(units),
        encoder.name,
        computation,
        time.perf_counter() - started,
    )
    return halved(found)


def _key(encoder: Encoder, units: Sequence[str]) -> str:
    """Return the key of everything that decides the vectors; the texts say more than the document's hash."""
    digest = hashlib.sha256()
    for unit in units:
        data = unit.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return key_of("vectors", LAYOUT, digest.hexdigest(), encoder.fingerprint, encoder.computation)


def _of_blocks(found: WindowVectors, encoder: Encoder, passages: Units) -> BlockEmbeddings:
    """Chain block to units and unit to windows, so that a block leads to its rows."""
    unit = np.asarray(passages.unit, np.int64)
    rows_of_unit = np.diff(found.first)
    counts = rows_of_unit[unit]
    ends = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    row = np.arange(ends[-1], dtype=np.int64) - np.repeat(ends[:-1] - found.first[:-1][unit], counts)
    blocks = len(passages.first) - 1
    block_of = np.repeat(np.arange(blocks), np.diff(passages.first))
    share = np.bincount(block_of, passages.own * found.share_read[unit], blocks)
    cut = found.share_read < 1.0
    notes = (
        (
            f"{int(cut.sum())} of {len(found)} units are too long to be read to their end; "
            f"of the longest, {found.share_read.min():.0%} was read.",
        )
        if cut.any()
        else ()
    )
    return BlockEmbeddings(
        vectors=found.vectors.view(),
        first=ends[passages.first],
        row=row,
        share_read=np.minimum(share, 1.0).astype(np.float32),
        encoder=encoder.fingerprint,
        computation=encoder.computation,
        notes=notes,
    )
