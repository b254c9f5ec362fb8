"""What scorers are worth on documents that they have not seen, side by side, with intervals over documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...documents.progress import showing
from ...errors import InvalidOption, TrainingRefused
from ...printing import counted, shortened
from .judging import EDGES, Judged, judged, ranked_by
from .ranking import Draws, Estimate, Floats, Ints, Things, mean_of, needed_for, recalled_at
from .reports import html_of, report_of

if TYPE_CHECKING:
    import pandas as pd

    from ...reading import SparseReader
    from ...relevance.scores import Scorer
    from ..question import Question

SHARES = (5.0, 10.0, 20.0)
RECALLS = (0.95, 0.99)
DRAWS = 1_000
ALL = "all"
GROUPS = ("set", "document type", "language")
"""What figures are given by, beside all questions together."""
_OF_GROUP = {"set": "set_name", "document type": "document_type", "language": "language"}
_QUOTED = 200


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What scorers are worth, question by question.

    Attributes
    ----------
    names : tuple of str
        Of the scorers; the last is the one whose mistakes are shown.
    questions : tuple of Question
        Those with evidence.
    judged : mapping of str to tuple of Judged
        By scorer, one a question.
    things : Things
        What is recalled.
    seed, draws : int
        Of the intervals.
    notes : tuple of str
    """

    names: tuple[str, ...]
    questions: tuple[Question, ...]
    judged: Mapping[str, tuple[Judged, ...]]
    things: Things
    seed: int = 0
    draws: int = DRAWS
    notes: tuple[str, ...] = ()

    @property
    def documents(self) -> int:
        """How many documents the questions are about."""
        return len({one.document_key for one in self.questions})

    def to_frame(self) -> pd.DataFrame:
        """Return the figures.

        Returns
        -------
        DataFrame
            One row a scorer and group, all questions first. Columns by ("all", "set", "document type", "language"),
            group, scorer, questions, documents, things; then in percent, each with ``_low`` and ``_high``, the ends of
            its 95 % interval over documents (nan from one document): average_precision, recall_5, recall_10, recall_20
            (with so many percent of the tokens), tokens_95, tokens_99 (needed for so much recall); then for a reader
            recall, dropped (of the blocks without evidence), accuracy (blocks kept and skipped as they should be),
            tokens_kept; then calibration_error (points, nan where nothing is calibrated).
        """
        return self._frame.copy()

    @cached_property
    def _frame(self) -> pd.DataFrame:
        import pandas as pd

        rows = []
        for by, group, members in self._groups():
            keys = sorted({self.questions[rank].document_key for rank in members})
            place = {key: at for at, key in enumerate(keys)}
            document = np.array([place[self.questions[rank].document_key] for rank in members], np.int64)
            draws = Draws(len(keys), self.seed, self.draws)
            for name in self.names:
                found = [self.judged[name][rank] for rank in members]
                counts = {"questions": len(members), "documents": len(keys)}
                rows.append({"by": by, "group": group, "scorer": name, **counts, **_figures(found, document, draws)})
        return pd.DataFrame(rows)

    def figure(self, scorer: str, name: str, *, by: str = ALL, group: str = ALL) -> Estimate:
        """Return one figure with its interval.

        Raises
        ------
        InvalidOption
            If there is no such scorer, group or figure.
        """
        frame = self._frame
        rows = frame[(frame["scorer"] == scorer) & (frame["by"] == by) & (frame["group"] == group)]
        if not len(rows) or name not in frame:
            raise InvalidOption(
                f"There is no figure {name!r} of {scorer!r} for {by} {group!r}; the scorers are "
                f"{', '.join(self.names)}, and to_frame() has all figures."
            )
        row = rows.iloc[0]
        return Estimate(float(row[name]), float(row.get(f"{name}_low", np.nan)), float(row.get(f"{name}_high", np.nan)))

    def compared(self, scorer: str, against: str, *, recall: float = 0.95) -> pd.DataFrame:
        """Return by how much one scorer needs fewer tokens than another, document by document drawn together.

        Returns
        -------
        DataFrame
            One row a group: by, group, questions, documents, scorer, against (percent of the tokens that each needs),
            difference (scorer - against, in points), difference_low, difference_high.
        """
        import pandas as pd

        rows = []
        for by, group, members in self._groups():
            needs = [[self.judged[name][rank].needed for rank in members] for name in (scorer, against)]
            keys = [self.questions[rank].document_key for rank in members]
            document = np.repeat(_ranks(keys), [len(found) for found in needs[0]])
            one, other = (np.concatenate(found) for found in needs)

            def difference(weights: Floats, one: Floats = one, other: Floats = other) -> Floats:
                return needed_for(one, recall, weights) - needed_for(other, recall, weights)

            documents = len(set(keys))
            found = Draws(documents, self.seed, self.draws).estimate(difference, document)
            all_alike = np.ones((1, len(one)))
            values = [float(needed_for(share, recall, all_alike)[0]) for share in (one, other)]
            rows.append((by, group, len(members), documents, *values, found.value, found.low, found.high))
        names = ["by", "group", "questions", "documents", "scorer", "against"]
        return pd.DataFrame(rows, columns=[*names, "difference", "difference_low", "difference_high"])

    @property
    def mistakes(self) -> pd.DataFrame:
        """The mistakes of the last scorer; see ``mistakes_of``."""
        return self.mistakes_of(self.names[-1])

    def mistakes_of(self, scorer: str) -> pd.DataFrame:
        """Return evidence that is missed, and the best blocks that are kept without holding any.

        A reader has a cut of its own. A scorer is cut where 95 % of the evidence of the question's set is recalled.

        Returns
        -------
        DataFrame
            Columns question (id), text (of the question), set, document_type, document, block, kind ("missed", "kept"),
            score, share (percent of the tokens that must be kept to keep it), quote (beginning of the block). Missed
            ones first, by question in their order.
        """
        import pandas as pd

        cuts = self._cuts(scorer)
        rows: list[tuple[Any, ...]] = []
        for kind in ("missed", "kept"):
            for question, found in zip(self.questions, self.judged[scorer], strict=True):
                for block, score, share in _mistaken(found, kind, cuts.get(question.set_name, 100.0)):
                    facts = (question.set_name, question.document_type, question.document_key)
                    quote = shortened(question.document.texts[block], _QUOTED)
                    rows.append((question.id, question.question, *facts, block, kind, score, share, quote))
        names = ["question", "text", "set", "document_type", "document", "block", "kind", "score", "share", "quote"]
        return pd.DataFrame(rows, columns=names)

    def reliability(self, scorer: str) -> pd.DataFrame:
        """Return what calibrated probabilities come to.

        Returns
        -------
        DataFrame
            One row a bin with blocks: low, high (its ends), blocks, probability (mean), evidence (share of the blocks).
            Empty where nothing is calibrated.
        """
        import pandas as pd

        bins = _sum_of_bins(self.judged[scorer])
        rows = []
        if bins is not None:
            for at in np.flatnonzero(bins[0]).tolist():
                blocks, sums, hits = bins[:, at].tolist()
                rows.append((EDGES[at], EDGES[at + 1], int(blocks), sums / blocks, hits / blocks))
        return pd.DataFrame(rows, columns=["low", "high", "blocks", "probability", "evidence"])

    def report(self) -> str:
        """Return the figures as text of 100 columns."""
        return report_of(self)

    def _groups(self) -> list[tuple[str, str, list[int]]]:
        """Return the groups with their questions; a kind of group with a single one is left out."""
        found: list[tuple[str, str, list[int]]] = [(ALL, ALL, list(range(len(self.questions))))]
        for by in GROUPS:
            members: dict[str, list[int]] = {}
            for rank, one in enumerate(self.questions):
                members.setdefault(getattr(one, _OF_GROUP[by]) or "not said", []).append(rank)
            found += [(by, group, members[group]) for group in sorted(members)] if len(members) > 1 else []
        return found

    def _cuts(self, scorer: str) -> dict[str, float]:
        by_set: dict[str, list[Floats]] = {}
        for question, found in zip(self.questions, self.judged[scorer], strict=True):
            by_set.setdefault(question.set_name, []).append(found.needed)
        joined = {name: np.concatenate(found) for name, found in by_set.items()}
        return {name: float(needed_for(share, 0.95, np.ones((1, len(share))))[0]) for name, share in joined.items()}

    def __repr__(self) -> str:
        about = f"{counted(len(self.questions), 'question')} on {counted(self.documents, 'document')}"
        return f"Evaluation({', '.join(self.names)}; {about})"

    def _repr_html_(self) -> str:
        return html_of(self)


def evaluate_classifier(
    questions: Iterable[Question],
    scorers: Mapping[str, Scorer | SparseReader],
    *,
    things: Things | str = Things.PIECES,
    seed: int = 0,
    draws: int = DRAWS,
    progress: bool | None = None,
) -> Evaluation:
    """Judge scorers on questions with evidence, on documents that none of them was trained on.

    Parameters
    ----------
    questions : iterable of Question
        Those without evidence are in no figure.
    scorers : mapping of str to Scorer or SparseReader
        By the name that the figures get; the one in question last. A reader is ranked by its priorities, and has its
        cut judged as well.
    things : Things or its name
        What is recalled: "pieces" of evidence by any of their blocks, "questions", or "halves" of pieces.
    seed, draws : int
        Of the intervals; 0 draws for none.
    progress : bool, optional
        Whether progress is shown; None where somebody looks.

    Raises
    ------
    InvalidOption
        If there is no scorer, or ``things`` is none of the three.
    TrainingRefused
        If no question has evidence.
    """
    if not scorers:
        raise InvalidOption("There is no scorer to evaluate; give at least one by its name.")
    if things not in set(Things):
        raise InvalidOption(f"things is {things!r:.40}; choose from {', '.join(repr(str(one)) for one in Things)}.")
    wanted = tuple(one for one in questions if one.pieces)
    if not wanted:
        raise TrainingRefused("No question has evidence in its document, so nothing can be evaluated; add some.")
    kind = Things(things)
    found: dict[str, list[Judged]] = {name: [] for name in scorers}
    alone: dict[str, int] = dict.fromkeys(scorers, 0)
    with showing("Evaluating", progress) as report:
        for rank, question in enumerate(wanted):
            report(rank, len(wanted))
            for name, scorer in scorers.items():
                ranked = ranked_by(scorer, question)
                alone[name] += ranked.words_alone
                found[name].append(judged(question, ranked, kind))
    notes = tuple(
        f"{name} had no model for the language of {counted(count, 'question')}, which it ranked by words alone."
        for name, count in alone.items()
        if count
    )
    return Evaluation(
        tuple(scorers), wanted, {name: tuple(some) for name, some in found.items()}, kind, seed, draws, notes
    )


def _figures(found: Sequence[Judged], document: Ints, draws: Draws) -> dict[str, float]:
    """Return the figures of one scorer on one group; ``document`` is the rank of each question's document."""
    share = np.concatenate([one.needed for one in found])
    of_thing = np.repeat(document, [len(one.needed) for one in found])
    precision = np.array([one.average_precision for one in found])
    row: dict[str, float] = {"things": len(share)}
    row |= _with_ends("average_precision", draws.estimate(partial(mean_of, precision), document))
    for percent in SHARES:
        row |= _with_ends(f"recall_{percent:.0f}", draws.estimate(partial(recalled_at, share, percent), of_thing))
    for recall in RECALLS:
        row |= _with_ends(f"tokens_{100 * recall:.0f}", draws.estimate(partial(needed_for, share, recall), of_thing))
    return {**row, **_of_reader(found, document, of_thing, draws), "calibration_error": _calibration_error(found)}


def _of_reader(found: Sequence[Judged], document: Ints, of_thing: Ints, draws: Draws) -> dict[str, float]:
    """Return what the cut of a reader does; nan for a scorer."""
    cut = found[0].recalled is not None
    hits = [np.zeros(len(one.needed)) if one.recalled is None else 100.0 * one.recalled for one in found]
    recalled = np.concatenate(hits) if cut else np.full(len(of_thing), np.nan)
    row = _with_ends("recall", draws.estimate(partial(mean_of, recalled), of_thing))
    dropped, other = np.array([one.dropped for one in found]), np.array([one.irrelevant for one in found])
    right, blocks = np.array([one.right for one in found]), np.array([one.blocks for one in found])
    for name, part, whole in (("dropped", dropped, other), ("accuracy", right, blocks)):
        row |= _with_ends(name, draws.estimate(partial(_share, part, whole if cut else 0 * whole), document))
    kept = np.array([one.kept_share for one in found])
    return row | _with_ends("tokens_kept", draws.estimate(partial(mean_of, kept), document))


def _share(part: Ints, whole: Ints, weights: Floats) -> Floats:
    total = weights @ whole.astype(np.float64)
    found = np.full(len(weights), np.nan)
    np.divide(100.0 * (weights @ part.astype(np.float64)), total, out=found, where=total > 0)
    return found


def _calibration_error(found: Sequence[Judged]) -> float:
    """Return the mean distance between probability and share of evidence, over blocks, in points."""
    bins = _sum_of_bins(found)
    if bins is None:
        return float("nan")
    return float(100.0 * np.abs(bins[1] - bins[2]).sum() / bins[0].sum())


def _sum_of_bins(found: Sequence[Judged]) -> Floats | None:
    some = [one.bins for one in found if one.bins is not None]
    return np.sum(some, axis=0) if some else None


def _mistaken(found: Judged, kind: str, cut: float) -> list[tuple[int, float, float]]:
    if kind == "kept":
        return [one for one in found.wrong if found.recalled is not None or one[2] <= cut]
    missed = ~found.recalled if found.recalled is not None else found.needed > cut
    named = zip(found.block[missed].tolist(), found.scores[missed].tolist(), found.needed[missed].tolist(), strict=True)
    return list(dict.fromkeys(named))


def _with_ends(name: str, found: Estimate) -> dict[str, float]:
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def _ranks(keys: Sequence[str]) -> Ints:
    place = {key: at for at, key in enumerate(sorted(set(keys)))}
    return np.array([place[key] for key in keys], np.int64)
