"""What the reading reaches on public sets, against BM25 alone, MiniLM alone and chunks of 512 characters, in one run.

``python -m benchmarks.reading`` prints, for each half of the documents that ``--half`` names:

1. the smallest share of the tokens, one for all questions of a set, with which 95 % and 99 % of the evidence is
   recalled, and the recall at 20 % of the tokens; by relevance alone and by priority (relevance x structure weight, the
   table of the document's type), each with its 95 % interval over documents;
2. the reading as it is without calibration, and with one that was fitted on the half "choose";
3. how often "nothing relevant" is said, rightly and wrongly.

Every constant was chosen on the half "choose"; "report" is the other one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from benchmarks import answerability, reading_cuts
from benchmarks.baselines import METHODS
from benchmarks.evidence_sets import Case, Half, data_folder, load
from benchmarks.reading_sets import AIMS, JUDGED, SEED_SKIPPED, SHORT, Aim, Readings
from benchmarks.retrieval import Estimate, Figures, Needs, figures, needed_for, needs
from workbench.relevance.scores import Scope

RECALL, SHARE = 0.95, 20.0
RESAMPLES = 1_000
RELEVANCE, PRIORITY = "relevance alone", "relevance x weight"
OURS = (RELEVANCE, PRIORITY)
QUICK = ("loogle_short", "xquad_pooled", "covidqa")
QUICK_DOCUMENTS = 3
PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- reading: begin -->", "<!-- reading: end -->"


@dataclass(frozen=True, slots=True)
class Judged:
    """What every way of ranking reaches for one aim.

    Attributes
    ----------
    aim : Aim
    figures : dict of str to Figures
        By way, the baselines first.
    best : str
        The baseline that needs the fewest tokens for 95 %.
    against : dict of str to Estimate
        For each way of ours, how many points more of the tokens than the best baseline it needs; below 0 is fewer.
    """

    aim: Aim
    figures: dict[str, Figures]
    best: str
    against: dict[str, Estimate]

    def needed(self, way: str) -> float:
        """Percent of the tokens for 95 % recall."""
        return self.figures[way].needed[RECALL].value

    @property
    def bound(self) -> float:
        """What ours must not need more than."""
        return self.needed(self.best) if self.aim.most is None else self.aim.most

    @property
    def met(self) -> str:
        """Whether the priority reaches the aim, to a tenth of a percent: "yes", "no", or "equal" to a baseline."""
        over = round(self.needed(PRIORITY) - self.bound, 1)
        if self.aim.most is None and over == 0:
            return "equal"
        return "yes" if over <= 0 else "no"


def judged(aim: Aim, cases: Sequence[Case], readings: Readings, *, resamples: int = RESAMPLES) -> Judged:
    """Rank the blocks of every question in each way."""
    found = {name: method(cases, aim.notion) for name, method in METHODS.items()}
    found[RELEVANCE] = needs(cases, readings.relevance, aim.notion)
    found[PRIORITY] = needs(cases, readings.priority, aim.notion)
    best = best_of({name: found[name] for name in METHODS})
    return Judged(
        aim,
        {name: figures(way, resamples=resamples) for name, way in found.items()},
        best,
        {name: difference(found[name], found[best], resamples=resamples) for name in OURS},
    )


def best_of(ways: Mapping[str, Needs]) -> str:
    """Return the way that needs the fewest tokens for 95 %, the first of equal ones."""
    return min(ways, key=lambda name: float(needed_for(ways[name].share, RECALL)[0]))


def difference(one: Needs, other: Needs, *, resamples: int = RESAMPLES, seed: int = 0) -> Estimate:
    """Return how many points more of the tokens one ranking needs for 95 % than another, on the same documents.

    Both are judged on the same draws of documents, so that a hard document does not blur the difference.
    """
    value = float(needed_for(one.share, RECALL)[0] - needed_for(other.share, RECALL)[0])
    count = int(one.origin.max()) + 1 if len(one.origin) else 0
    if count < 2 or resamples < 1:
        return Estimate(value)
    draws = np.random.default_rng(seed).multinomial(count, np.full(count, 1.0 / count), size=resamples)
    drawn = [needed_for(way.share, RECALL, draws[:, way.origin]) for way in (one, other)]
    low, high = np.nanpercentile(drawn[0] - drawn[1], [2.5, 97.5]).tolist()
    return Estimate(value, low, high)


# Tables ------------------------------------------------------------------------------------------


def table(heads: Sequence[str]) -> str:
    """Return the head of a Markdown table."""
    return f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}"


def needed_rows(found: Iterable[Judged]) -> Iterator[str]:
    """Yield the tokens for 95 % recall, against the aims."""
    yield table(
        ["set", "recalled is", "questions", "pieces", *METHODS, *OURS, "against the best of the three", "aim", "met"]
    )
    for one in found:
        first = one.figures[PRIORITY]
        aim = f"under {one.best}" if one.aim.most is None else f"{one.aim.most:g}"
        cells = [one.aim.name, one.aim.notion.value, f"{first.questions:,}", f"{first.things:,}"]
        cells += [str(way.needed[RECALL]) for way in one.figures.values()]
        against = one.against[PRIORITY]
        interval = "" if np.isnan(against.low) else f" [{against.low:+.1f}, {against.high:+.1f}]"
        cells += [f"{against.value:+.1f}{interval}", aim, one.met]
        yield f"| {' | '.join(cells)} |"


def more_rows(found: Iterable[Judged]) -> Iterator[str]:
    """Yield the tokens for 99 % recall, and the recall at 20 % of the tokens."""
    ways = (*METHODS, *OURS)
    yield table(["set", "recalled is", *(f"99 %: {way}" for way in ways), *(f"R@20: {way}" for way in ways)])
    for one in found:
        cells = [one.aim.name, one.aim.notion.value]
        cells += [str(way.needed[0.99]) for way in one.figures.values()]
        cells += [str(way.recalled[SHARE]) for way in one.figures.values()]
        yield f"| {' | '.join(cells)} |"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Percent of the tokens that is skipped at 95 % recall, over sets: the mean, and the most with its set."""

    mean: float
    most: float
    where: str

    @classmethod
    def of(cls, by_set: Mapping[str, float]) -> Skipped:
        """Summarise what is skipped on each set.

        Examples
        --------
        >>> Skipped.of({"a": 60.0, "b": 90.0})
        Skipped(mean=75.0, most=90.0, where='b')
        """
        where = max(by_set, key=lambda name: by_set[name])
        return cls(float(np.mean(list(by_set.values()))), by_set[where], where)

    def __str__(self) -> str:
        return f"{self.mean:.1f} ({self.most:.1f}, {self.where})"


def skipped_rows(found: Sequence[Judged]) -> Iterator[str]:
    """Yield the mean share of tokens skipped over all sets at 95 % recall, and its maximum, next to the seed's."""
    main = [one for one in found if one.aim.main]
    longer = [one for one in main if one.aim.set_name not in SHORT]
    if not longer:
        return
    yield table(["tokens skipped at 95 % recall: mean over sets (most)", *METHODS, *OURS, "seed"])
    seed = "{:.0f} ({:.0f})".format(*SEED_SKIPPED)
    for words, some in ((f"all {len(main)} sets", main), (f"the {len(longer)} of longer documents", longer)):
        cells = [
            str(Skipped.of({one.aim.set_name: 100.0 - one.needed(way) for one in some})) for way in (*METHODS, *OURS)
        ]
        yield f"| {' | '.join([words, *cells, seed])} |"


# The run -----------------------------------------------------------------------------------------


@dataclass
class Ground:
    """The questions of every set, and their readings."""

    cases: dict[str, list[Case]]
    plain: Readings = field(default_factory=Readings)
    scoped: dict[Scope, Readings] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Iterable[str], data: Path, limit: int | None) -> Ground:
        """Load sets: the questions with evidence that stands somewhere in their document."""
        return cls({
            name: [case for case in load(name, data=data, limit=limit) if case.answerable and case.gold]
            for name in names
        })  # fmt: skip

    def readings(self, scope: Scope | None) -> Readings:
        """Return the readings of questions of which a scope is told."""
        if scope is None:
            return self.plain
        return self.scoped.setdefault(scope, Readings(self.plain.reader, scope))

    def half(self, name: str, half: Half) -> list[Case]:
        """Return the questions of one half of a set."""
        return [case for case in self.cases[name] if half in ("all", case.half)]

    def judged(self, half: Half) -> list[Judged]:
        """Judge every aim for a half; what is told goes to standard error set by set."""
        found = []
        for aim in AIMS:
            if aim.set_name not in self.cases or not (cases := self.half(aim.set_name, half)):
                continue
            started = time.perf_counter()
            found.append(judged(aim, cases, self.readings(aim.scope)))
            said = f"{aim.name}, {aim.notion.value}, {half}: {len(cases)} questions"
            print(f"{said} in {time.perf_counter() - started:.0f} s", file=sys.stderr)
        return found


def report(ground: Ground, halves: Sequence[Half], data: Path, limit: int | None) -> Iterator[str]:
    """Yield the lines of all tables."""
    for half in halves:
        found = ground.judged(half)
        for title, rows in (
            ("tokens for 95 % of the evidence", needed_rows),
            ("tokens for 99 % of the evidence, and evidence at 20 % of the tokens", more_rows),
            ("tokens skipped", skipped_rows),
        ):
            if found:
                yield f'\n#### Half "{half}": {title}\n'
                yield from rows(found)
    for half in halves:
        yield f'\n#### Half "{half}": the reading as it is, without calibration\n'
        yield from reading_cuts.plain_rows({name: ground.half(name, half) for name in ground.cases}, ground.plain)
    yield '\n#### Calibrated on the half "choose", judged on both\n'
    yield from reading_cuts.calibrated_rows(ground.cases, ground.plain)
    for half in halves:
        yield f'\n#### Half "{half}": questions that the document does not answer\n'
        cases = {name: ground.half(name, half) for name in ground.cases}
        unanswerable = lru_cache(partial(load, data=data, half=half, limit=limit))
        yield from answerability.rows(unanswerable, cases, ground.plain)
        yield ""
        yield from answerability.said_rows(unanswerable, cases, ground.plain)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the evaluation data")
    parser.add_argument("--sets", nargs="+", choices=JUDGED, help="all by default")
    parser.add_argument("--half", nargs="+", choices=["choose", "report", "all"], default=["report", "all"])
    parser.add_argument("--limit", type=int, help="most documents of a set")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_DOCUMENTS} documents each of {', '.join(QUICK)}")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/benchmarks.md as well")
    options = parser.parse_args()
    names = options.sets or (QUICK if options.quick else JUDGED)
    limit = options.limit or (QUICK_DOCUMENTS if options.quick else None)
    lines = []
    for line in report(Ground.of(names, options.data, limit), options.half, options.data, limit):
        lines.append(line)
        print(line, flush=True)
    if options.write:
        PAGE.write_text(replaced(PAGE.read_text("utf-8"), "\n".join(lines)), "utf-8")


def replaced(page: str, tables: str) -> str:
    """Return a page with other tables between its two marks."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{tables}\n\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    main()
