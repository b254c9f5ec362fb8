"""What the signals of the gate say of real outcomes: savings, misses, rounds, small files, scopes, and their own time.

Run it with ``python -m benchmarks.gate``. Questions of the public sets are read by the reader as it is shipped, without
calibration; at most ``MOST`` a document, so that one document does not speak for a set. Signals and constraints are
those of ``SignalOptions()``. Its numbers were set after a look at questions of both halves, so the half "report" is no
blind test of them. What the rules say of a question is also compared with what sets and the bundled workload state.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

from benchmarks.evidence_sets import Half, data_folder, load
from benchmarks.gate_readings import CLOSURES, GateReader, GateReading
from benchmarks.reading import table
from benchmarks.retrieval import Estimate
from workbench.documents import open_document
from workbench.gate import GateThresholds, GateWeights, ReadGate, intent_of, preview_of
from workbench.gate.risk import WIDE
from workbench.gate.signals import signals
from workbench.reading import SparseReader
from workbench.relevance.scores import Scope
from workbench.workload import load_workload

Floats = npt.NDArray[np.float64]
Rows = Sequence[GateReading]

SETS = (
    "loogle_short",
    "loogle_long",
    "financebench",
    "xquad_pooled",
    "xquad_zh_pooled",
    "cuad",
    "policyqa",
    "covidqa",
    "tatqa",
    "mmlongbench",
    "mtrag",
    "cmrc_pooled",
    "drcd_pooled",
)
MOST = 15
QUICK = ("covidqa", "tatqa")
NEARLY_ALL = 0.95
"""Readings that keep more say nothing of what is missed."""
RISK_EDGES = (0.0, 0.005, 0.02, 0.05, 0.1, 0.2, 1.0)
LARGEST = "PEPSICO_2022_10K.pdf"
QUESTION = "What was net revenue in 2022, and how did it compare with capital expenditure of the segments?"
FURTHER = "What were the capital expenditures of the segment in North America?"
WORKLOAD = Path(__file__).resolve().parents[1] / "datasets" / "dev"
RESAMPLES = 500
_ROUNDS = ("first", "second", "third")


def resampled(rows: Rows, figure: Callable[[Rows], float], *, resamples: int = RESAMPLES, seed: int = 0) -> Estimate:
    """Return a figure with its 95 % interval by draws of documents; a figure of one document has none."""
    value = figure(rows)
    documents: dict[tuple[str, str], list[GateReading]] = {}
    for row in rows:
        documents.setdefault((row.set_name, row.document), []).append(row)
    groups = list(documents.values())
    if len(groups) < 2 or resamples < 1:
        return Estimate(value)
    random = np.random.default_rng(seed)
    drawn = [
        figure([row for place in random.integers(0, len(groups), len(groups)) for row in groups[place]])
        for _ in range(resamples)
    ]
    low, high = np.nanpercentile(drawn, [2.5, 97.5]).tolist() if not np.isnan(drawn).all() else (np.nan, np.nan)
    return Estimate(value, low, high)


def _and_all(by_set: Mapping[str, Rows]) -> Iterator[tuple[str, Rows]]:
    yield from by_set.items()
    yield "all", [row for rows in by_set.values() for row in rows]


# Savings -----------------------------------------------------------------------------------------


def correlation(one: Iterable[float], other: Iterable[float]) -> float:
    """Return the correlation of two columns; nan where one of them does not vary.

    Examples
    --------
    >>> correlation([0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    1.0
    """
    first, second = np.fromiter(one, float), np.fromiter(other, float)
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return float("nan")
    return float(np.round(np.corrcoef(first, second)[0, 1], 12))


def saving_rows(by_set: Mapping[str, Rows]) -> Iterator[str]:
    """Yield the expected saving against that of one reading and of the whole exchange, for questions read sparsely."""
    heads = ["set", "questions", "documents", "expected", "one reading", "bias", "mean error", "correlation"]
    yield table([*heads, "whole exchange", "bias", "correlation"])
    free = {name: [row for row in rows if not row.constraint] for name, rows in by_set.items()}
    every = [row for rows in free.values() for row in rows]
    parts = {
        "all, of scope point or several": [row for row in every if row.scope not in WIDE],
        "all, of scope aggregate or whole": [row for row in every if row.scope in WIDE],
    }
    for name, rows in (*_and_all(free), *parts.items()):
        if not rows:
            continue
        expected, once, whole = (
            np.array([getattr(row, column) for row in rows]) for column in ("expected", "saved_once", "saved")
        )
        cells = [name, f"{len(rows):,}", str(len({(row.set_name, row.document) for row in rows}))]
        cells += [_percent(expected.mean()), _percent(once.mean()), _points((expected - once).mean())]
        cells += [f"{100 * np.abs(expected - once).mean():.1f}", _ratio(correlation(expected, once))]
        cells += [_percent(whole.mean()), _points((expected - whole).mean()), _ratio(correlation(expected, whole))]
        yield f"| {' | '.join(cells)} |"


# Misses ------------------------------------------------------------------------------------------


def area(rows: Rows, score: Callable[[GateReading], float]) -> float:
    """Return the chance that a reading which misses evidence has the higher score of two; nan without both kinds."""
    values = np.array([score(row) for row in rows])
    missed = np.array([row.missed > 0 for row in rows], bool)
    if missed.all() or not missed.any():
        return float("nan")
    bad, good = values[missed], np.sort(values[~missed])
    below = (np.searchsorted(good, bad) + np.searchsorted(good, bad, side="right")) / 2
    return float(below.mean() / len(good))


def judged_for_misses(rows: Rows) -> Rows:
    """Return the readings that left something out."""
    return [row for row in rows if row.kept < NEARLY_ALL]


def risk_rows(rows: Rows) -> Iterator[str]:
    """Yield the miss rate by bins of r."""
    yield table(["r", "questions", "mean r", "evidence missed, %", "questions with a miss, %"])
    for low, high in pairwise(RISK_EDGES):
        some = [row for row in rows if low <= row.risk < high or row.risk == high == 1.0]
        if some:
            missed = [resampled(some, lambda found: 100 * float(np.mean([row.missed for row in found])))]
            missed.append(resampled(some, lambda found: 100 * float(np.mean([row.missed > 0 for row in found]))))
            cells = [f"{low:g} to {high:g}", f"{len(some):,}", f"{np.mean([row.risk for row in some]):.3f}"]
            yield f"| {' | '.join([*cells, *map(str, missed)])} |"


def area_rows(by_set: Mapping[str, Rows]) -> Iterator[str]:
    """Yield how well r and its terms tell readings that miss evidence from those that do not."""
    scores: dict[str, Callable[[GateReading], float]] = {
        "r": lambda row: row.risk,
        "scope term": lambda row: row.scope_risk,
        "missing terms": lambda row: row.words_risk,
        "left out": lambda row: 1.0 - row.kept,
    }
    yield table(["set", "questions", "with a miss, %", *(f"area, {name}" for name in scores)])
    for name, rows in _and_all(by_set):
        some = judged_for_misses(rows)
        if not some:
            continue
        cells = [name, f"{len(some):,}", f"{100 * np.mean([row.missed > 0 for row in some]):.1f}"]
        areas = [resampled(some, lambda found, by=by: 100 * area(found, by)) for by in scores.values()]  # type: ignore[misc]
        yield f"| {' | '.join([*cells, *('' if np.isnan(found.value) else str(found) for found in areas)])} |"


def missed_rows(rows: Rows) -> Iterator[str]:
    """Yield the least-squares shares of what is needed that is missed, for each part that is left out."""
    names = ("one piece", "several pieces", "missing terms")
    yield table(["what is missed, for each part of the artifact that is left out", "share"])
    for place, name in enumerate(names):
        found = resampled(rows, lambda some, place=place: 100 * float(missed_shares(some)[place]))  # type: ignore[misc]
        yield f"| {name} | {found} % |"


def missed_shares(rows: Rows) -> Floats:
    """Return the least squares of missed = left out x (a [one piece] + b [several] + c x missing terms)."""
    left_out = np.array([1.0 - row.kept for row in rows])
    several = np.array([row.pieces > 1 for row in rows])
    missing = np.array([row.missing for row in rows])
    causes = np.column_stack([left_out * ~several, left_out * several, left_out * missing])
    return np.asarray(np.linalg.lstsq(causes, np.array([row.missed for row in rows]), rcond=None)[0])


def missing_term_rows(rows: Rows) -> Iterator[str]:
    """Yield the miss rate by the share of a question's terms that stand nowhere."""
    yield table(["terms of the question that stand nowhere", "questions", "evidence missed, %"])
    edges = (0.0, 1e-9, 0.1, 0.2, 0.3, 0.5, 1.01)
    names = ("none", "up to 10 %", "10 to 20 %", "20 to 30 %", "30 to 50 %", "half and more")
    for name, low, high in zip(names, edges[:-1], edges[1:], strict=True):
        some = [row for row in rows if low <= row.missing < high]
        if some:
            missed = resampled(some, lambda found: 100 * float(np.mean([row.missed for row in found])))
            yield f"| {name} | {len(some):,} | {missed} |"


# Rounds, anchors, small files ----------------------------------------------------------------------


def round_rows(rows: Rows) -> Iterator[str]:
    """Yield the share of requests that go on after each round, were they of one scope or another."""
    yield table(["a question of scope", "questions", *(f"open after the {name} round, %" for name in _ROUNDS)])
    for scope in CLOSURES:
        name = "point or several" if scope is Scope.POINT else scope.value
        shares = [
            resampled(rows, lambda some, s=scope, t=turn: 100 * float(np.mean([row.still_open[s][t] for row in some])))  # type: ignore[misc]
            for turn in range(len(_ROUNDS))
        ]
        yield f"| {name} | {len(rows):,} | {' | '.join(map(str, shares))} |"


def anchor_rows(by_set: Mapping[str, Rows]) -> Iterator[str]:
    """Yield the tokens of anchors and coverage line, for each token of kept text."""
    yield table(["set", "readings", "median, %", "tenth, %", "ninetieth, %"])
    for name, rows in _and_all(by_set):
        if some := judged_for_misses(rows):
            found = [100 * float(part) for part in np.quantile([row.anchors for row in some], [0.5, 0.1, 0.9])]
            yield f"| {name} | {len(some):,} | {' | '.join(f'{part:.1f}' for part in found)} |"


def small_rows(by_set: Mapping[str, Rows]) -> Iterator[str]:
    """Yield whether what is held for a small file is one: where even one reading costs more than reading it all.

    A reading that keeps nothing is in no row: it costs little and is of no use.
    """
    heads = ["set", "questions", "small by the gate", "of them one reading would have saved", "the most it saved, %"]
    yield table([*heads, "not small", "of them one reading cost more", "the most it cost, %"])
    for name, found in _and_all(by_set):
        if not (rows := [row for row in found if row.kept]):
            continue
        small = [row.saved_once for row in rows if row.is_small]
        others = [row.saved_once for row in rows if not row.is_small]
        wrong, dear = [value for value in small if value > 0], [-value for value in others if value < 0]
        cells = [name, f"{len(rows):,}", f"{len(small):,}", f"{len(wrong):,}", f"{100 * max(wrong, default=0.0):.1f}"]
        cells += [f"{len(others):,}", f"{len(dear):,}", f"{100 * max(dear, default=0.0):.1f}"]
        yield f"| {' | '.join(cells)} |"


# Scopes ------------------------------------------------------------------------------------------


def scope_rows(stated: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[str]:
    """Yield precision and recall of the scope that the rules give; pairs are (question, scope as it is stated)."""
    yield table(["source", "scope", "stated", "said", "precision, %", "recall, %", "instead of it was said"])
    for source, pairs in stated.items():
        said = [(scope, intent_of(question).scope.value) for question, scope in pairs]
        for scope in (one.value for one in Scope):
            own = [found for told, found in said if told == scope]
            claimed = [told for told, found in said if found == scope]
            if not own:
                continue
            right = own.count(scope)
            others = [f"{own.count(name)} {name}" for name in (one.value for one in Scope) if name != scope]
            cells = [source, scope, str(len(own)), str(len(claimed)), _share(right, len(claimed))]
            cells += [_share(right, len(own)), ", ".join(text for text in others if not text.startswith("0 "))]
            yield f"| {' | '.join(cells)} |"


def said_rows(questions: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield what is said of questions whose scope nobody states."""
    yield table(["source", "questions without a stated scope", *(f"said {scope.value}, %" for scope in Scope)])
    for source, some in questions.items():
        said = [intent_of(question).scope for question in some]
        if said:
            shares = [f"{100 * said.count(scope) / len(said):.1f}" for scope in Scope]
            yield f"| {source} | {len(said):,} | {' | '.join(shares)} |"


# Times -------------------------------------------------------------------------------------------


def time_rows(filing: Path, *, rounds: int = 5) -> Iterator[str]:
    """Yield how long preview, signals and decision take on a filing, and a reading of it for comparison."""
    gate = ReadGate(GateWeights(0.5, 0.3, 0.2), GateThresholds(0.0, 0.3))
    previews, decisions, found, readings = [], [], [], []
    reader = SparseReader()
    for _ in range(rounds):
        document = open_document(filing, progress=False)
        previews.append(_seconds(partial(preview_of, document)))
        preview, intent = preview_of(document), intent_of(QUESTION)
        signals(preview, intent)
        found.append(_seconds(partial(signals, preview, intent), 200))
        decisions.append(_seconds(partial(gate.decide, preview, QUESTION), 200))
        reader.read(document, QUESTION, progress=False)
        readings.append(_seconds(partial(reader.read, document, FURTHER, progress=False)))
    yield f"{filing.name}: {document.tokens:,} tokens, {document.columns.parent.size:,} blocks.\n"
    yield table(["what", "median", "best", "of a further question read, median"])
    named = {
        "preview, made once a document": previews,
        "the three signals": found,
        "a decision, its intent and constraints among it": decisions,
        "a further question read": readings,
    }
    for name, taken in named.items():
        share = f"{100 * median(taken) / median(readings):,.1f} %"
        yield f"| {name} | {1e3 * median(taken):.3g} ms | {1e3 * min(taken):.3g} ms | {share} |"


def _seconds(job: Callable[[], object], times: int = 1) -> float:
    started = time.perf_counter()
    for _ in range(times):
        job()
    return (time.perf_counter() - started) / times


# The run -----------------------------------------------------------------------------------------


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _ratio(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.2f}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}" if whole else ""


def read(
    names: Sequence[str], data: Path, half: Half, limit: int | None
) -> tuple[dict[str, list[GateReading]], dict[str, list[tuple[str, str]]]]:
    """Return the readings of each set, and its questions with the scope that it states, where it states any."""
    reader = GateReader()
    by_set: dict[str, list[GateReading]] = {}
    stated: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        started = time.perf_counter()
        cases = load(name, data=data, half=half, limit=limit)
        by_set[name] = list(reader.of(cases, MOST))
        if pairs := list(dict.fromkeys((case.question, case.scope) for case in cases if case.scope)):
            stated[name] = [(question, str(scope)) for question, scope in pairs]
        said = f"{name}: {len(by_set[name])} questions in {time.perf_counter() - started:.0f} s"
        print(said, file=sys.stderr, flush=True)
    return by_set, stated


def _sections(by_set: Mapping[str, Rows]) -> Iterator[tuple[str, Iterator[str]]]:
    every = [row for rows in by_set.values() for row in rows]
    judged = judged_for_misses(every)
    yield "Expected saving against the real one, as shares of the artifact's tokens", saving_rows(by_set)
    yield "Evidence missed by the first reading, by r", risk_rows(judged)
    yield "Does r tell which readings miss evidence", area_rows(by_set)
    yield "What is missed", missed_rows(judged)
    yield "Evidence missed, by missing terms", missing_term_rows(judged)
    yield "Who goes on reading", round_rows(judged)
    yield "Anchors", anchor_rows(by_set)
    yield "Small files", small_rows(by_set)


def _scopes(stated: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[tuple[str, Iterator[str]]]:
    workload = load_workload(WORKLOAD)
    bundled = {"datasets/dev": [(one.question, one.scope.value) for one in workload if one.scope]}
    yield "Scope by the rules, against the scope that is stated", scope_rows({**bundled, **stated})
    silent = {"datasets/dev": [one.question for one in workload if not one.scope]}
    yield "Scope by the rules, where none is stated", said_rows(silent)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the evaluation data")
    parser.add_argument("--sets", nargs="+", choices=SETS, help="all by default")
    parser.add_argument("--half", choices=["choose", "report", "all"], default="report")
    parser.add_argument("--limit", type=int, help="most documents of a set")
    parser.add_argument("--quick", action="store_true", help=f"three documents each of {', '.join(QUICK)}")
    options = parser.parse_args()
    names = options.sets or (QUICK if options.quick else SETS)
    by_set, stated = read(names, options.data, options.half, options.limit or (3 if options.quick else None))
    for title, rows in (*_sections(by_set), *_scopes(stated)):
        print(f"\n#### {title}\n")
        print("\n".join(rows), flush=True)
    print("\n#### Time of a decision\n")
    print("\n".join(time_rows(options.data / "financebench" / "pdfs" / LARGEST)), flush=True)


if __name__ == "__main__":
    main()
