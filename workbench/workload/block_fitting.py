"""Maps to probabilities and a block threshold, from the scores of a workload's blocks on chosen documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..calibration.block_thresholds import BlockCut, BlockThreshold, Estimate, cut_of, estimate_of, fit_table
from ..calibration.score_tables import ScoreTable
from ..errors import CalibrationRefused
from ..relevance.calibrated import ANY_TYPE, WORDS_ALONE, Calibration, CalibrationMap, fit_best_map

if TYPE_CHECKING:
    from ..reading import SparseReader
    from .replay.block_table import BlockScores, RequestScores

LEAST_DOCUMENTS = 5
"""Documents with evidence that a document type needs for a map of its own."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Floor:
    """A recall floor, and whether it is to be promised of new documents.

    Examples
    --------
    >>> print(Floor(0.95)), print(Floor(0.9, promise=True))
    recall 0.95
    recall 0.9, promised
    (None, None)
    """

    recall: float
    promise: bool = False

    def __str__(self) -> str:
        return f"recall {self.recall:g}{', promised' if self.promise else ''}"


@dataclass(frozen=True, eq=False)
class BlockFit:
    """Maps that were fitted on some documents, and the requests on which a threshold is.

    Attributes
    ----------
    calibration : Calibration
    requests : tuple of RequestScores
        On which a threshold is fitted: those of the maps, or, for a promise, those that no map has seen.
    notes : tuple of str
        Which maps could not be fitted, and why.
    """

    calibration: Calibration
    requests: tuple[RequestScores, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def table(self) -> ScoreTable:
        """The priorities of all blocks that have a map, as a table that a threshold is fitted on."""
        return table_of(self.requests, self.calibration)

    def cut(self, floor: Floor) -> BlockCut:
        """Return the threshold for a recall floor, and the offsets of document types."""
        return cut_of(self.table, floor.recall, promise=floor.promise)

    def threshold(self, floor: Floor) -> BlockThreshold:
        """Return the threshold with everything that is known of it."""
        return fit_table(self.table, recall=floor.recall, promise=floor.promise)

    def reader(self, reader: SparseReader, cut: BlockCut) -> SparseReader:
        """Return a reader that scores and weighs as ``reader`` does, with these maps and this cut."""
        from ..reading.altered import altered

        return altered(
            reader,
            threshold=min(1.0, max(0.0, cut.threshold)),
            offsets=dict(cut.offsets),
            calibration=self.calibration,
        )


def fit_blocks(
    scores: BlockScores, *, fitted_on: str, documents: Collection[str] | None = None, aside: Collection[str] = ()
) -> BlockFit:
    """Fit the maps of a scorer on the requests about some documents.

    One map serves all document types; a type with evidence in enough documents has its own. Scores that were made by
    words alone have maps of their own. A map is a line, or rising steps where the data carries them.

    Parameters
    ----------
    scores : BlockScores
    fitted_on : str
        Fingerprint of the workload.
    documents : collection of str, optional
        Keys of the documents to fit on; all by default.
    aside : collection of str
        Those of them on which the threshold is fitted and no map is: a promise needs scores that were not made with
        the documents that it rests on. By default both are fitted on all.

    Raises
    ------
    CalibrationRefused
        If no map at all can be fitted; the message says why.
    """
    known = tuple(found for found in scores.requests if documents is None or found.document in documents)
    chosen = tuple(found for found in known if found.document not in aside)
    maps: dict[str, CalibrationMap] = {}
    refused: dict[str, str] = {}
    for words_alone in (False, True):
        some = [found for found in chosen if found.words_alone is words_alone and len(found.gold)]
        prefix = WORDS_ALONE if words_alone else ""
        for kind, members in _groups(some):
            try:
                maps[prefix + kind] = _map_of(members)
            except CalibrationRefused as error:
                refused[prefix + kind] = str(error)
    if not maps:
        why = next(iter(refused.values()), "no request has evidence that stands in its document")
        raise CalibrationRefused(f"No map from scores to probabilities can be fitted: {why}")
    notes = tuple(f"No map for {'any type' if kind == ANY_TYPE else kind}: {why}" for kind, why in refused.items())
    judged = tuple(found for found in known if found.document in aside) if aside else chosen
    return BlockFit(Calibration(scores.scorer, maps, fitted_on), judged, notes)


def _groups(requests: Sequence[RequestScores]) -> Iterator[tuple[str, list[RequestScores]]]:
    """Yield all requests for any type, and those of each type with enough documents."""
    if requests:
        yield ANY_TYPE, list(requests)
    kinds = sorted({found.document_type for found in requests})
    for kind in kinds if len(kinds) > 1 else ():
        members = [found for found in requests if found.document_type == kind]
        if len({found.document for found in members}) >= LEAST_DOCUMENTS:
            yield kind, members


def _map_of(requests: Sequence[RequestScores]) -> CalibrationMap:
    logits = np.concatenate([found.logits[found.eligible] for found in requests]).astype(np.float64)
    labels = np.concatenate([found.labels[found.eligible] for found in requests])
    documents = sorted({found.document for found in requests})
    ranks = [documents.index(found.document) for found in requests]
    of_block = np.repeat(ranks, [int(found.eligible.sum()) for found in requests])
    return fit_best_map(logits, labels, of_block, questions=len(requests))


def table_of(requests: Iterable[RequestScores], calibration: Calibration) -> ScoreTable:
    """Return the priorities of the blocks of requests as a table of scores.

    Priorities above 1 count as 1, which every threshold keeps as well. Requests whose scores have no map are left out:
    a reader cuts them by a share of the tokens. What a threshold can never keep is in no row.
    """
    mapped = []
    for found in requests:
        priority = _priority(found, calibration)
        if priority is not None:
            mapped.append((found, priority))
    if not mapped:
        raise CalibrationRefused("No request has scores that a map was fitted for.")
    documents = sorted({found.document for found, _ in mapped})
    types = sorted({found.document_type for found, _ in mapped})
    rows = [found.eligible | found.pinned for found, _ in mapped]
    needed = [found.needed(priority) for found, priority in mapped]
    ranks = range(len(mapped))
    return ScoreTable(
        score=np.concatenate([priority[row] for (_, priority), row in zip(mapped, rows, strict=True)]),
        label=np.concatenate([found.labels[row] for (found, _), row in zip(mapped, rows, strict=True)]),
        pinned=np.concatenate([found.pinned[row] for (found, _), row in zip(mapped, rows, strict=True)]),
        tokens=np.concatenate([found.tokens[row] for (found, _), row in zip(mapped, rows, strict=True)]),
        row_question=np.repeat(ranks, [int(row.sum()) for row in rows]).astype(np.int64),
        needed=np.concatenate(needed),
        piece_question=np.repeat(ranks, [len(found) for found in needed]).astype(np.int64),
        document=np.array([documents.index(found.document) for found, _ in mapped], np.int64),
        document_type=np.array([types.index(found.document_type) for found, _ in mapped], np.int64),
        questions=tuple(found.request for found, _ in mapped),
        documents=tuple(documents),
        types=tuple(types),
    )


def held_out_figures(
    found: BlockThreshold, judged: Sequence[tuple[BlockFit, BlockCut, Sequence[RequestScores]]]
) -> BlockThreshold:
    """Return a threshold with figures out of sample in which neither maps nor threshold have seen the document.

    Parameters
    ----------
    found : BlockThreshold
    judged : sequence of (BlockFit, BlockCut, sequence of RequestScores)
        For each fold, what was fitted without it, and the requests of it.
    """
    recalls: dict[str, list[float]] = {}
    kept = total = 0
    for fit, cut, requests in judged:
        for one in requests:
            priority = _priority(one, fit.calibration)
            if priority is None:
                continue
            at = cut.threshold + cut.offsets.get(one.document_type, 0.0)
            over = (one.eligible & (priority >= at)) | one.pinned
            kept, total = kept + int(one.tokens[over].sum()), total + int(one.tokens.sum())
            if len(one.gold):
                recalls.setdefault(one.document, []).append(float((one.needed(priority) >= at).mean()))
    if not recalls:
        return found
    of_documents = np.array([np.mean(recalls[name]) for name in sorted(recalls)])
    share = Estimate(kept / total if total else float("nan"))
    return replace(found, out_of_sample=estimate_of(of_documents), kept_out_of_sample=share)


def _priority(found: RequestScores, calibration: Calibration) -> Floats | None:
    """Return the priorities of the blocks of a request, at most 1, or None if no map is fitted for its scores."""
    line = calibration.map_for(found.document_type, words_alone=found.words_alone)
    return None if line is None else np.minimum(1.0, line(found.logits) * found.weights)
