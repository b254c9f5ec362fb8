"""How often "nothing relevant" is said of questions that their document does not answer, and of those that it does.

One number a question says how likely the document holds any evidence at all: its presence. "Nothing relevant" is said
below a threshold. For every threshold there is a share of the answerable questions of which it is said (false alarms)
and a share of the unanswerable ones (caught): the curve. Whatever gives a question a number can be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.baselines import MiniLm, bm25
from benchmarks.evidence_sets import Case
from benchmarks.reading_cuts import mean_percent
from benchmarks.reading_sets import ABSTAINING, UNANSWERABLE, Readings
from benchmarks.retrieval import Estimate, Floats, Rejections, rejections

Presence = Callable[[Case], float]
FALSE_ALARMS = (1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 50.0)
RESAMPLES = 300


@dataclass(frozen=True, slots=True)
class Curve:
    """What one number a question tells about whether it is answerable.

    Attributes
    ----------
    answerable, unanswerable : int
        How many questions there are.
    whole : Rejections
        The curve.
    area : Estimate
        Chance, in percent, that an answerable question has the higher number of two; 50 is a coin.
    caught : dict of float to Estimate
        For a percentage of false alarms, the percentage of the unanswerable questions that is caught.
    """

    answerable: int
    unanswerable: int
    whole: Rejections
    area: Estimate
    caught: dict[float, Estimate]


def curve(
    answerable: Sequence[Case], unanswerable: Sequence[Case], presence: Presence, *, resamples: int = RESAMPLES
) -> Curve:
    """Return the curve of a number, with 95 % intervals over documents."""
    good, bad = (np.array([presence(case) for case in cases], np.float64) for cases in (answerable, unanswerable))
    whole = rejections(good, bad)
    documents = sorted({case.document_key for case in (*answerable, *unanswerable)})
    rank = {key: at for at, key in enumerate(documents)}
    owners = [np.array([rank[case.document_key] for case in cases], np.int64) for cases in (answerable, unanswerable)]
    drawn = list(_drawn(len(documents), owners, [good, bad], resamples))

    def estimate(figure: Callable[[Rejections], float]) -> Estimate:
        if not drawn:
            return Estimate(figure(whole))
        low, high = np.nanpercentile([figure(one) for one in drawn], [2.5, 97.5]).tolist()
        return Estimate(figure(whole), low, high)

    return Curve(
        len(good),
        len(bad),
        whole,
        estimate(lambda found: 100.0 * found.area),
        {share: estimate(lambda found, share=share: found.caught_at(share)) for share in FALSE_ALARMS},  # type: ignore[misc]
    )


def _drawn(
    documents: int, owners: Sequence[np.ndarray], values: Sequence[Floats], resamples: int
) -> Iterator[Rejections]:
    """Yield the curves of documents drawn with replacement, where both kinds of questions are among them."""
    if documents < 2:
        return
    draw = np.random.default_rng(0)
    for _ in range(resamples):
        counts = draw.multinomial(documents, np.full(documents, 1.0 / documents))
        good, bad = (np.repeat(some, counts[owner]) for owner, some in zip(owners, values, strict=True))
        if len(good) and len(bad):
            yield rejections(good, bad)


def numbers(cases: Sequence[Case], readings: Readings) -> dict[str, Presence]:
    """Return what is compared: the best score of each baseline, and what the reading itself goes by, if it can."""
    minilm = MiniLm(cases)
    found: dict[str, Presence] = {
        "best BM25": lambda case: _best(bm25(case)),
        "best cosine of MiniLM": lambda case: _best(minilm(case)),
        "best logit": lambda case: _best(readings.relevance(case)),
    }
    # None of a document without text to embed: nothing is present there.
    if any(readings(case).scores.presence is not None for case in cases):
        found["presence"] = lambda case: float(readings(case).scores.presence or 0.0)
    return found


def _best(scores: Floats) -> float:
    return float(scores.max()) if len(scores) else 0.0


def rows(
    unanswerable_of: Callable[[str], Sequence[Case]], answerable: Mapping[str, Sequence[Case]], readings: Readings
) -> Iterator[str]:
    """Yield a row for each set and number: the curve at some shares of false alarms.

    Parameters
    ----------
    unanswerable_of : callable
        From the name of a set to its questions.
    answerable : mapping of str to sequence of Case
        By set; sets that have no unanswerable questions are left out.
    readings : Readings
    """
    heads = ["set", "number", "answerable", "unanswerable", "area"]
    heads += [f"caught at {share:g} % false alarms" for share in FALSE_ALARMS]
    yield f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}"
    for name in ABSTAINING:
        good = answerable.get(name, ())
        bad = unanswerable_of(name + UNANSWERABLE) if good else ()
        if not good or not bad:
            continue
        for number, presence in numbers([*good, *bad], readings).items():
            found = curve(good, bad, presence)
            cells = [name, number, str(found.answerable), str(found.unanswerable), str(found.area)]
            yield f"| {' | '.join([*cells, *map(str, found.caught.values())])} |"


def said_rows(
    unanswerable_of: Callable[[str], Sequence[Case]], answerable: Mapping[str, Sequence[Case]], readings: Readings
) -> Iterator[str]:
    """Yield a row a set: how often the reader as shipped says "nothing relevant", wrongly and rightly."""
    yield "| set | said of answerable questions (false alarms) | said of unanswerable ones (caught) |"
    yield "| --- | --- | --- |"
    for name, good in answerable.items():
        bad = unanswerable_of(name + UNANSWERABLE) if name in ABSTAINING else ()
        cells = [_said(cases, readings) for cases in (good, bad)]
        yield f"| {name} | {' | '.join(cells)} |"


def _said(cases: Sequence[Case], readings: Readings) -> str:
    said = [((case.set_name, case.origin), float(bool(readings(case).scores.nothing_relevant))) for case in cases]
    return f"{sum(value for _, value in said):.0f} of {len(said):,}: {mean_percent(said)} %" if said else "-"
