"""The ways to cut blocks that a profile chooses from, each with outcomes of documents that it was not fitted on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calibration.block_thresholds import BlockCut, BlockThreshold
from ..calibration.folds import folds_of, halves_of
from ..calibration.risk import RiskControl
from ..documents.progress import showing
from ..errors import CalibrationRefused, Unreachable
from ..gate.intent import Action
from ..gate.signal_options import SignalOptions
from ..printing import counted
from ..reading import SparseReader, TokenShare
from ..reading.altered import altered
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
class Candidates:
    """What every candidate is fitted with, and the candidates."""

    workload: Workload
    reader: SparseReader
    options: SignalOptions
    advisory_share: float
    folds: int
    seed: int
    processes: int | None
    progress: bool | None
    unpromised: str = ""
    """Why nothing can be promised; "" where something might be."""
    whole: Workload | None = None
    """The workload by which the fit is known, where documents were left out of it."""

    @cached_property
    def fingerprint(self) -> str:
        """Of the workload by which the fit is known: whoever judges it there must see that it was fitted there."""
        return (self.whole or self.workload).fingerprint

    @cached_property
    def scores(self) -> BlockScores:
        """The scores of all blocks for the requests of the split "dev" that a first reading can serve.

        What wants all of an artifact is no matter of a threshold, and a follow-up is cut by its focus.
        """
        dev = self.workload.split("dev")
        found = collect_block_scores(dev, self.reader, processes=self.processes, progress=self.progress)
        chosen = {request.id for request in dev if not request.turns and _wants_a_part(request)}
        return replace(found, requests=tuple(one for one in found.requests if one.request in chosen))

    @property
    def documents(self) -> int:
        """How many documents there are to fit on."""
        return len(self.workload.split("dev").documents)

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
                self.scores, fitted_on=self.fingerprint, documents=documents, aside=aside
            )
        return self._fits[fold, promise]

    def all(self, recall: float | None) -> tuple[list[Candidate], list[str]]:
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
        if floors:
            with showing("Fitting maps", self.progress) as report:
                for number in range(len(self.held_out)):
                    report(number, len(self.held_out))
                    self.fit(number)
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
        if self.unpromised:
            return Floor(recall)
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
        uncalibrated = {"threshold": None, "offsets": None, "calibration": None}
        reader = altered(self.reader, token_share=share.share, min_tokens=share.min_tokens, **uncalibrated)
        expected = replace(self.options, share=share.share, least_tokens=share.min_tokens)
        name = f"best {100 * share.share:g} %, at least {share.min_tokens:,}"
        return Candidate(name, reader, self._named(self.replayed(self.workload, reader, expected)))

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
        if not floor.promise and not self.unpromised:
            risk = self.risk(floor, blocks.risk)
            note = f"For a promise half of the documents are set aside: {risk.documents:,} of {self.documents:,}."
            blocks = replace(blocks, risk=risk, notes=(*blocks.notes, note))
        elif floor.promise:
            note = f"The promise rests on {counted(blocks.risk.documents, 'document')} that no map was fitted on."
            blocks = replace(blocks, notes=(*blocks.notes, note))
        return Candidate(str(floor), final, self._named(_in_order(self.workload, parts, final)), blocks)

    def risk(self, floor: Floor, otherwise: RiskControl) -> RiskControl:
        """Return what could be promised with half of the documents set aside: maps have seen all of these."""
        try:
            return self.fit(None, promise=True).cut(replace(floor, promise=True)).risk
        except (CalibrationRefused, Unreachable):
            return replace(otherwise, index=None)

    def _named(self, outcomes: pd.DataFrame) -> pd.DataFrame:
        """Let outcomes name the workload that the fit is known by."""
        outcomes.attrs["workload"] = {"name": self.workload.name, "fingerprint": self.fingerprint}
        return outcomes

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
