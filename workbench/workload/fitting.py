"""From a workload to a gate profile: block threshold, weights and gate thresholds, judged where they were not fitted.

Blocks first: for each recall floor, maps and a block threshold. Then the replay of every request with the reader that
was fitted on the *other* documents, so that its outcomes are those of a document that nobody has seen. Then weights and
gate thresholds on these outcomes, for the floor that saves most within the tolerance. The profile holds maps and
thresholds that were fitted on all documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calibration.block_thresholds import BlockCut, BlockThreshold
from ..calibration.calibrate import calibrate, check_options
from ..calibration.choosing import Choice, choose
from ..calibration.folds import folds_of, halves_of
from ..calibration.profiles import profile_of
from ..calibration.result import CalibrationResult
from ..calibration.risk import RiskControl
from ..documents.progress import showing
from ..errors import CalibrationRefused, InvalidOption, Unreachable
from ..gate.intent import Action
from ..gate.profile import GateProfile
from ..gate.signal_options import SignalOptions
from ..printing import counted
from ..reading import SparseReader, TokenShare
from ..reading.describing import description_of
from ..relevance.scores import Scope
from .block_fitting import BlockFit, Floor, fit_blocks, held_out_figures
from .expected import expected_kept
from .replay import collect_block_scores, replay
from .replay.keys import reader_values
from .replay.replaying import intent_for
from .workload import Workload

if TYPE_CHECKING:
    import pandas as pd

    from .replay.block_table import BlockScores
    from .requests import Request

FLOORS = (Floor(0.9), Floor(0.95), Floor(0.975), Floor(0.99))
"""Recall floors that are tried where none is given. One that is given is promised, where documents are enough."""
SHARES = (TokenShare(0.1, 1_000), TokenShare(0.2, 1_000), TokenShare(0.2, 2_000))
"""Shares of the tokens that are tried beside that of the reader: cuts without calibration."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """One way to cut blocks, with the outcomes of every request.

    Attributes
    ----------
    name : str
        "recall 0.95", or "best 20 %, at least 3,000".
    reader : SparseReader
        Fitted on all documents: what the profile exports.
    outcomes : DataFrame
        Each request read by a reader that was fitted without its document.
    blocks : BlockThreshold or None
    """

    name: str
    reader: SparseReader
    outcomes: pd.DataFrame
    blocks: BlockThreshold | None = None


@dataclass(frozen=True, eq=False)
class ProfileFit:
    """A gate profile with everything that it rests on.

    Attributes
    ----------
    profile : GateProfile
    result : CalibrationResult
        Of the candidate that was chosen; its figures out of sample take that choice as given.
    choice : Choice
        Its headline includes the choice.
    outcomes : DataFrame
    blocks : BlockThreshold or None
    """

    profile: GateProfile
    result: CalibrationResult
    choice: Choice
    outcomes: pd.DataFrame
    blocks: BlockThreshold | None

    def report(self) -> str:
        """Return every table, at most 80 columns wide."""
        from .fit_reports import report_of

        return report_of(self)

    def __repr__(self) -> str:
        return f"ProfileFit({self.profile!r}, cut by {self.choice.name})"


def fit_profile(
    workload: Workload,
    reader: SparseReader | None = None,
    *,
    quality_tolerance: float = 0.01,
    recall: float | None = None,
    promise: float | None = None,
    advisory_share: float = 0.5,
    options: SignalOptions | None = None,
    folds: int = 5,
    seed: int = 0,
    name: str = "",
    created_by: str = "",
    processes: int | None = None,
    progress: bool | None = None,
) -> ProfileFit:
    """Calibrate on a workload, the whole way.

    Parameters
    ----------
    workload : Workload
        Requests of the split "test" are not fitted on; they are judged at the end.
    reader : SparseReader, optional
        Its scorer, rules and tokenizer are used, and its token share is one of the candidates.
    quality_tolerance : float
        Largest mean loss of quality over all requests.
    recall : float, optional
        The recall floor of the block threshold; by default the cut is the best of ``FLOORS``, ``SHARES`` and the share
        of the reader.
    promise : float, optional
        Bound on the expected loss on a new document; see ``calibrate``.
    advisory_share : float
        Probability that an advisory request takes the sparse path.
    options : SignalOptions, optional
        Constants of the signals; what the reader is expected to keep is fitted.
    folds, seed : int
    name, created_by : str
        Of the profile.
    processes : int, optional
        For scoring the blocks.
    progress : bool, optional

    Raises
    ------
    InvalidOption, InvalidWorkload, CalibrationRefused, Unreachable
        If nothing can be fitted; the message says why.
    """
    if recall is not None and not 0 < recall < 1:
        raise InvalidOption(f"recall is {recall!r:.40}; give a number between 0 and 1.")
    check_options(quality_tolerance, folds, seed, promise)
    fitting = _Fitting(
        workload=workload,
        reader=reader or SparseReader(),
        options=options or SignalOptions(),
        advisory_share=advisory_share,
        folds=folds,
        seed=seed,
        processes=processes,
        progress=progress,
    )
    candidates, notes = fitting.candidates(recall)
    tables = {found.name: found.outcomes[found.outcomes["split"] == "dev"] for found in candidates}
    choice = choose(tables, quality_tolerance=quality_tolerance, folds=folds, seed=seed)
    chosen = next(found for found in candidates if found.name == choice.name)
    result = calibrate(chosen.outcomes, quality_tolerance=quality_tolerance, folds=folds, seed=seed, promise=promise)
    profile = profile_of(
        result,
        name=name,
        created_by=created_by,
        blocks=chosen.blocks,
        reader=description_of(chosen.reader),
        headline=choice.headline if promise is None else result.out_of_sample,
        notes=notes,
    )
    return ProfileFit(profile, result, choice, chosen.outcomes, chosen.blocks)


@dataclass(frozen=True, eq=False)
class _Fitting:
    """What every candidate is fitted with."""

    workload: Workload
    reader: SparseReader
    options: SignalOptions
    advisory_share: float
    folds: int
    seed: int
    processes: int | None
    progress: bool | None

    @cached_property
    def scores(self) -> BlockScores:
        """The scores of all blocks for the requests of the split "dev" that a first reading can serve.

        What wants all of an artifact is no matter of a threshold, and a follow-up is cut by its focus.
        """
        dev = self.workload.split("dev")
        found = collect_block_scores(dev, self.reader, processes=self.processes, progress=self.progress)
        chosen = {request.id for request in dev if not request.turns and _wants_a_part(request)}
        return replace(found, requests=tuple(one for one in found.requests if one.request in chosen))

    @cached_property
    def held_out(self) -> tuple[frozenset[str], ...]:
        """The documents of each fold, as ``calibrate`` divides them; none where there is one document."""
        documents = sorted(self.workload.split("dev").documents)
        fold = folds_of(documents, self.folds, self.seed)
        return tuple(
            frozenset(name for name, own in zip(documents, fold.tolist(), strict=True) if own == number)
            for number in range(int(fold.max()) + 1)
        )

    @cached_property
    def _fits(self) -> dict[tuple[int | None, bool], BlockFit]:
        return {}

    def fit(self, fold: int | None, *, promise: bool = False) -> BlockFit:
        """Return the maps that are fitted without the documents of a fold, or on all; each is fitted once.

        For a promise they are fitted on one half of the documents, and the threshold on the other.
        """
        if (fold, promise) not in self._fits:
            away = self.held_out[fold] if fold is not None else frozenset()
            documents = sorted(set(self.workload.split("dev").documents) - away)
            halves = halves_of(documents, self.seed).tolist()
            aside = {name for name, half in zip(documents, halves, strict=True) if half} if promise else set()
            self._fits[fold, promise] = fit_blocks(
                self.scores, fitted_on=self.workload.fingerprint, documents=documents, aside=aside
            )
        return self._fits[fold, promise]

    def candidates(self, recall: float | None) -> tuple[list[Candidate], list[str]]:
        """Return every cut that can be fitted, and what must be said of those that cannot.

        Shares of the tokens are candidates where no floor was asked for.
        """
        try:
            notes = list(self.fit(None).notes)
            floors: tuple[Floor, ...] = FLOORS if recall is None else (self.promised_or_met(recall, notes),)
        except CalibrationRefused as error:
            if recall is not None:
                raise
            notes, floors = [f"Cut by token share, for relevance cannot be calibrated: {error}"], ()
        shares = () if recall is not None else tuple(dict.fromkeys((self.reader.share, *SHARES)))
        found = []
        with showing("Replaying", self.progress) as report:
            cuts: tuple[TokenShare | Floor, ...] = (*shares, *floors)
            for rank, cut in enumerate(cuts):
                report(rank, len(cuts))
                try:
                    found.append(self.with_share(cut) if isinstance(cut, TokenShare) else self.with_floor(cut))
                except (CalibrationRefused, Unreachable) as error:
                    if recall is not None:
                        raise
                    notes.append(f"The cut {cut} was not tried: {error}")
        return found, notes

    def promised_or_met(self, recall: float, notes: list[str]) -> Floor:
        """Return a floor with its promise, or without one where the documents are too few, which is noted."""
        promised = Floor(recall, promise=True)
        try:
            cut = self.fit(None, promise=True).cut(promised)
        except CalibrationRefused as error:
            notes.append(f"Recall {recall:g} is not promised, for half of the documents give no maps: {error}")
            return Floor(recall)
        if cut.promised:
            return promised
        aside = counted(cut.risk.documents, "document")
        notes.append(
            f"Recall {recall:g} is not promised: with {aside} set aside, half of all, the best that can be promised is "
            f"{1 - cut.risk.reachable:.3f}; the threshold was fitted on all of them."
        )
        return Floor(recall)

    def with_share(self, share: TokenShare) -> Candidate:
        """Replay with a share of the tokens, which needs no fit."""
        reader = SparseReader(
            scorer=self.reader.scorer,
            rules=self.reader.rules,
            token_share=share.share,
            min_tokens=share.min_tokens,
            tokenizer=self.reader.tokenizer,
            feedback=self.reader.feedback,
        )
        expected = replace(self.options, share=share.share, least_tokens=share.min_tokens)
        name = f"best {100 * share.share:g} %, at least {share.min_tokens:,}"
        return Candidate(name, reader, self.replayed(self.workload, reader, expected))

    def with_floor(self, floor: Floor) -> Candidate:
        """Replay each document with the maps and the threshold of the documents in other folds."""
        whole = self.fit(None, promise=floor.promise)
        cut = whole.cut(floor)
        expected = _with_kept(whole, cut, self.options)
        final = whole.reader(self.reader, cut)
        dev, test = self.workload.split("dev"), self.workload.split("test")
        parts, judged = [], []
        for number, away in enumerate(self.held_out):
            others = self.fit(number, promise=floor.promise)
            found = others.cut(floor)
            judged.append((others, found, [one for one in self.scores.requests if one.document in away]))
            parts.append(self.replayed(dev.of_documents(away), others.reader(self.reader, found), expected))
        if not parts:
            parts.append(self.replayed(dev, final, expected))
        if len(test):
            parts.append(self.replayed(test, final, expected))
        blocks = held_out_figures(whole.threshold(floor), judged)
        if not floor.promise:
            blocks = replace(blocks, risk=self.risk(floor, blocks.risk))
        else:
            note = f"The promise rests on {counted(blocks.risk.documents, 'document')} that no map was fitted on."
            blocks = replace(blocks, notes=(*blocks.notes, note))
        return Candidate(str(floor), final, _in_order(self.workload, parts, final), blocks)

    def risk(self, floor: Floor, otherwise: RiskControl) -> RiskControl:
        """Return what could be promised with half of the documents set aside: maps have seen all of these."""
        try:
            return self.fit(None, promise=True).cut(replace(floor, promise=True)).risk
        except (CalibrationRefused, Unreachable):
            return replace(otherwise, index=None)

    def replayed(self, workload: Workload, reader: SparseReader, options: SignalOptions) -> pd.DataFrame:
        """Replay in this process: what is slow has been remembered."""
        share = self.advisory_share
        return replay(workload, reader, options=options, advisory_share=share, processes=1, progress=False)


def _wants_a_part(request: Request) -> bool:
    intent = intent_for(request)
    return intent.action is Action.READ and intent.scope in (Scope.POINT, Scope.SEVERAL)


def _with_kept(fit: BlockFit, cut: BlockCut, options: SignalOptions) -> SignalOptions:
    """Let the signals expect what the threshold keeps of these documents."""
    table = fit.table
    offset = np.array([cut.offsets.get(kind, 0.0) for kind in table.types])[table.document_type]
    kept = (table.score >= (cut.threshold + offset)[table.row_question]) | table.pinned
    totals = np.bincount(table.row_question, weights=table.tokens, minlength=len(table.questions))
    tokens = np.bincount(table.row_question, weights=table.tokens * kept, minlength=len(table.questions))
    share, least = expected_kept(tokens.tolist(), totals.tolist())
    return replace(options, share=share, least_tokens=least)


def _in_order(workload: Workload, parts: Sequence[pd.DataFrame], reader: SparseReader) -> pd.DataFrame:
    """Join the parts of a replay in the order of the workload; they name the reader that a profile will have."""
    import pandas as pd

    failed = [entry for part in parts for entry in part.attrs["failed"]]
    frame = pd.concat([part.assign() for part in _without_attrs(parts)], ignore_index=True)
    order = {request.id: rank for rank, request in enumerate(workload.requests)}
    frame = frame.sort_values("request", key=lambda ids: ids.map(order)).reset_index(drop=True)
    frame.attrs = {
        **parts[0].attrs,
        "workload": {"name": workload.name, "fingerprint": workload.fingerprint},
        "reader": reader_values(reader),
        "failed": failed,
    }
    return frame


def _without_attrs(parts: Sequence[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Parts that say different things of themselves cannot be joined without a warning."""
    for part in parts:
        bare: Any = part.copy()
        bare.attrs = {}
        yield bare
