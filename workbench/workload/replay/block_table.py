"""The scores of every block for every request, with the gold evidence: what a block threshold is fitted on.

They come from the scores that a replay remembers, so that only one of the two has to wait for a model.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...documents.progress import showing
from ...errors import InvalidWorkload, WorkbenchError
from ...printing import counted, printable, shortened
from ...reading import SparseReader
from ..gold import Gold, resolve
from ..requests import Request
from ..workload import Workload
from .options import checked_processes, chosen_processes
from .replaying import Replayer, Task, intent_for
from .replays import checked_input
from .running import by_document, run
from .scores import RememberingScorer

if TYPE_CHECKING:
    import pandas as pd

    from ...documents import Document

_log = logging.getLogger("workbench")
_LOOKED_AT = 8
"""So many documents tell whether the scores of a workload are remembered."""


@dataclass(frozen=True, eq=False)
class RequestScores:
    """What one request gives to a fit, for the n blocks of its document.

    Attributes
    ----------
    request, document, document_type, split : str
        Id of the request, key and type of its document, and what the request is for.
    logits : ndarray of float32, shape (n,)
        What blocks are ranked by.
    weights : ndarray of float64, shape (n,)
        Structure weights.
    pinned : ndarray of bool, shape (n,)
        Blocks that a rule keeps whatever their priority.
    tokens : ndarray of int64, shape (n,)
        By the reader's tokenizer.
    eligible : ndarray of bool, shape (n,)
        Blocks with text, which a threshold can keep.
    gold : Gold
    words_alone : bool
        Whether the scorer had to do without its semantic model: no map for its scores fits these.
    presence : float or None
        How present evidence is in the document as a whole.
    nothing_relevant : bool or None
        Whether the scorer finds that the document holds no evidence at all.
    """

    request: str
    document: str
    document_type: str
    split: str
    logits: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float64]
    pinned: npt.NDArray[np.bool_]
    tokens: npt.NDArray[np.int64]
    eligible: npt.NDArray[np.bool_]
    gold: Gold
    words_alone: bool = False
    presence: float | None = None
    nothing_relevant: bool | None = None

    @property
    def labels(self) -> npt.NDArray[np.bool_]:
        """Which blocks stand in a place of a piece of evidence, shape (n,)."""
        found = np.zeros(len(self.logits), bool)
        for piece in self.gold.pieces:
            for place in piece.places:
                found[list(place)] = True
        return found

    def needed(self, priority: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return the highest threshold on a priority at which each piece of evidence is still recalled.

        Parameters
        ----------
        priority : ndarray, shape (n,)
            What the threshold cuts: the logits, or what a map and the weights make of them.

        Returns
        -------
        ndarray of float64, shape (pieces,)
            +inf where pinned blocks recall a piece, -inf where no threshold does.
        """
        kept = np.where(self.eligible, np.asarray(priority, np.float64), -np.inf)
        return self.gold.needed(np.where(self.pinned, np.inf, kept), self.tokens)

    def __len__(self) -> int:
        return len(self.logits)


@dataclass(frozen=True, eq=False)
class BlockScores:
    """The scores of a workload's blocks, request by request, in the order of the workload.

    Attributes
    ----------
    requests : tuple of RequestScores
    scorer : str
        Fingerprint of what gave the logits.
    failed : tuple of (str, str)
        Id of each request that could not be scored, and why.
    """

    requests: tuple[RequestScores, ...]
    scorer: str
    failed: tuple[tuple[str, str], ...] = ()

    def to_frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the scores of all blocks, and the score that finds each piece of evidence.

        Returns
        -------
        scores : DataFrame
            One row a request and block: question (id of the request), document, document_type, block, score (the
            logit, as float64), weight, pinned, tokens, label (whether it stands in a place of a piece of evidence).
        evidence : DataFrame
            One row a piece that was found: question, document, document_type, piece (from 0), score: the highest
            threshold on the logit at which the piece is still recalled; infinite as ``RequestScores.needed`` says.
        """
        import pandas as pd

        sizes = [len(found) for found in self.requests]
        scores = {
            **_facts(self.requests, sizes),
            "block": np.concatenate([np.arange(size) for size in sizes]) if sizes else np.zeros(0, np.int64),
            "score": _joined([found.logits.astype(np.float64) for found in self.requests], np.float64),
            "weight": _joined([found.weights for found in self.requests], np.float64),
            "pinned": _joined([found.pinned for found in self.requests], np.bool_),
            "tokens": _joined([found.tokens for found in self.requests], np.int64),
            "label": _joined([found.labels for found in self.requests], np.bool_),
        }
        needed = [found.needed(found.logits) for found in self.requests]
        counts = [len(found) for found in needed]
        evidence = {
            **_facts(self.requests, counts),
            "piece": np.concatenate([np.arange(count) for count in counts]) if counts else np.zeros(0, np.int64),
            "score": _joined(needed, np.float64),
        }
        return pd.DataFrame(scores), pd.DataFrame(evidence)

    def __len__(self) -> int:
        return len(self.requests)

    def __repr__(self) -> str:
        blocks = sum(map(len, self.requests))
        return f"BlockScores({counted(len(self), 'request')}, {counted(blocks, 'block')})"


def block_scores(
    workload: Workload,
    reader: SparseReader | None = None,
    *,
    processes: int | None = None,
    cache: bool = True,
    progress: bool | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the scores of every block for every request, and the score that finds each piece of evidence.

    Parameters, errors and what is done with a request that fails are those of ``collect_block_scores``; the two tables
    are those of ``BlockScores.to_frames``.
    """
    return collect_block_scores(workload, reader, processes=processes, cache=cache, progress=progress).to_frames()


def collect_block_scores(
    workload: Workload,
    reader: SparseReader | None = None,
    *,
    processes: int | None = None,
    cache: bool = True,
    progress: bool | None = None,
) -> BlockScores:
    """Return the scores of every block for every request, as arrays.

    Parameters
    ----------
    workload : Workload
    reader : SparseReader, optional
        Whose scorer and rules are asked; one with the embedded model by default.
    processes : int, optional
        How many processes score, as for ``replay``.
    cache : bool
        Whether scores are remembered on disk, and those that are there used.
    progress : bool, optional
        Whether progress is shown; by default in terminals and notebooks.

    Returns
    -------
    BlockScores
        A request that could not be scored is left out, and named in ``failed`` and in a warning.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range.
    InvalidWorkload
        If there is no request, or none could be scored.
    """
    reader, options = checked_input(workload, reader, None)
    asked = checked_processes(processes)
    replayer = Replayer(workload, reader, options, cache=cache)
    groups = by_document(Task(index, request, None) for index, request in enumerate(workload.requests))
    found: dict[int, RequestScores | str] = {}
    with showing(f"Scoring {printable(workload.name)}", progress) as report:
        total, scored = len(workload.requests), 0
        left = groups
        if cache:
            left = [group for group in groups if not _is_remembered(replayer, group)]
        count = chosen_processes(asked, len(left)) if cache else 1
        if count > 1:
            total += sum(map(len, left))
            done = run(replayer, left, what="scores", processes=count, tick=lambda: report(scored, total))
            with closing(done):
                for _ in done:
                    scored += 1
                    report(scored, total)
        for group in groups:
            for task, one in _collected(replayer, group):
                found[task.index] = one
                report(scored + len(found), total)
    return _told(workload, reader, [found[index] for index in range(len(workload.requests))])


def are_scores_remembered(workload: Workload, reader: SparseReader | None = None) -> bool:
    """Whether ``collect_block_scores`` would hardly need a model: a few documents from all over the workload tell.

    Parameters
    ----------
    workload : Workload
    reader : SparseReader, optional

    Raises
    ------
    InvalidOption, InvalidWorkload
        As ``collect_block_scores``.
    """
    reader, options = checked_input(workload, reader, None)
    scorer = reader.scorer.scorer if isinstance(reader.scorer, RememberingScorer) else reader.scorer
    # Words alone are counted in seconds.
    if getattr(scorer, "encoder", scorer) is None:
        return True
    replayer = Replayer(workload, reader, options, cache=True)
    groups = by_document(Task(index, request, None) for index, request in enumerate(workload.requests))
    chosen = np.unique(np.linspace(0, len(groups) - 1, _LOOKED_AT).round().astype(int)).tolist()
    return all(_is_remembered(replayer, groups[place]) for place in chosen)


def _is_remembered(replayer: Replayer, group: Sequence[Task]) -> bool:
    """Whether no model is needed for the requests on one document; an artifact that cannot be opened needs none."""
    scorer = replayer.reader.scorer
    assert isinstance(scorer, RememberingScorer)
    try:
        document = replayer.workload.open(group[0].request, progress=False)
        intents = [intent_for(task.request) for task in group]
    except WorkbenchError:
        return True
    return all(scorer.remembers(document, intent.question, intent.scope) for intent in intents)


def _collected(replayer: Replayer, group: Sequence[Task]) -> Iterator[tuple[Task, RequestScores | str]]:
    """Give the scores for the requests on one document, or why there are none."""
    document: Document | None = None
    for task in group:
        try:
            document = document or replayer.workload.open(task.request, progress=False)
            yield task, _scores_of(replayer.reader, document, task.request)
        except WorkbenchError as error:
            yield task, str(error)


def _scores_of(reader: SparseReader, document: Document, request: Request) -> RequestScores:
    intent = intent_for(request)
    basis = reader.basis(document, intent.question, scope=intent.scope, progress=False)
    return RequestScores(
        request=request.id,
        document=request.document_key,
        document_type=document.document_type.value,
        split=request.split,
        logits=basis.scored.logits,
        weights=np.asarray(basis.structure.weights, np.float64),
        pinned=np.asarray(basis.structure.pinned, np.bool_),
        tokens=basis.tokens,
        eligible=basis.has_text,
        gold=resolve(request, document),
        words_alone=basis.scored.words_alone,
        presence=basis.scored.presence,
        nothing_relevant=basis.scored.nothing_relevant,
    )


def _told(workload: Workload, reader: SparseReader, found: Sequence[RequestScores | str]) -> BlockScores:
    failed = tuple(
        (request.id, one) for request, one in zip(workload.requests, found, strict=True) if isinstance(one, str)
    )
    scored = tuple(one for one in found if isinstance(one, RequestScores))
    if failed:
        name, why = failed[0]
        count = counted(len(failed), "request")
        said = f"{count} of {workload.name!r} could not be scored ({name}: {shortened(why, 200)})"
        if not scored:
            raise InvalidWorkload(f"All {said}; mend them and score again.")
        _log.warning("%s.", said)
    return BlockScores(scored, reader.scorer.fingerprint, failed)


def _facts(requests: Sequence[RequestScores], sizes: Sequence[int]) -> dict[str, pd.Categorical]:
    """Return the columns that say the same for all rows of a request; as categories, for there are millions of rows."""
    import pandas as pd

    names = {"question": "request", "document": "document", "document_type": "document_type"}
    columns = {}
    for column, field in names.items():
        values = [getattr(found, field) for found in requests]
        known = list(dict.fromkeys(values))
        place = {value: code for code, value in enumerate(known)}
        codes = np.repeat(np.array([place[value] for value in values], np.int64), np.array(sizes, np.int64))
        columns[column] = pd.Categorical.from_codes(codes, categories=pd.Index(known, dtype="str"))
    return columns


def _joined(arrays: Sequence[npt.NDArray[Any]], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    return np.concatenate([np.asarray(array, dtype) for array in arrays]) if arrays else np.zeros(0, dtype)
