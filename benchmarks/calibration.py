"""How long a calibration takes, how well it searches, and whether its promises hold.

Run it with ``python -m benchmarks.calibration``. Outcomes are made (``made_outcomes``): sizes and seeds are told, and
everything but the times is the same on every machine. Parts: ``scale`` times ``calibrate`` on 10,000 and on a million
outcomes; ``rivals`` compares the search of weights and thresholds with Optuna's TPE and with random weights, each
given 100 times the processor time that ours took on the same problem; ``promises`` calibrates on many draws of
documents and judges each on all others. For ``rivals`` Optuna must be installed; the project does not need it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.made_outcomes import made_outcomes
from benchmarks.reading import table
from benchmarks.risk_coverage import ALPHA, BlockPopulation, Coverage, GatePopulation, covered
from benchmarks.rival_searches import RANDOM, RIVALS, Found, optuna_or_refuse, ours
from workbench.calibration import calibrate, checked_outcomes
from workbench.calibration.thresholds import problem_of

TOLERANCE = 0.01
SIZES = (10_000, 1_000_000)
AIMS = {10_000: 2.0, 1_000_000: 60.0}
"""Seconds on the wall, on two cores."""
RIVAL_SEEDS = {500: 20, 5_000: 6}
"""Problems of each size: a hundred times our time is much time."""
RANDOM_SEEDS = {500: 5, 5_000: 3}
"""Of which random weights search the first."""
MINUTES = 25.0
TIMES = 100.0
"""How many times our processor time a rival has."""
ROUNDING = 1e-9
"""Token reductions that differ by no more are equal."""
DOCUMENTS = (10, 20, 50, 100, 200)
DRAWS = 500
PARTS = ("scale", "rivals", "promises")


# Scale -------------------------------------------------------------------------------------------


def scale_rows(sizes: Sequence[int] = SIZES) -> Iterator[str]:
    """Yield how long a calibration with its five folds, figures and frontier takes, and its report."""
    yield table(["outcomes", "documents", "calibrate", "processors", "report", "aim", "met"])
    calibrate(made_outcomes(200))
    for size in sizes:
        frame = made_outcomes(size)
        wall, processor = time.perf_counter(), time.process_time()
        result = calibrate(frame, quality_tolerance=TOLERANCE)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        told = time.perf_counter()
        result.report()
        told = time.perf_counter() - told
        aim = AIMS.get(size)
        met = "" if aim is None else "yes" if wall + told <= aim else "no"
        cells = [f"{size:,}", f"{frame['document'].nunique():,}", f"{wall:.1f} s", f"{processor:.1f} s"]
        yield f"| {' | '.join([*cells, f'{told:.1f} s', '' if aim is None else f'{aim:g} s', met])} |"


# Rivals ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Duel:
    """What ours and each rival found on one problem."""

    size: int
    seed: int
    ours: Found
    rivals: dict[str, Found]

    def ahead(self, rival: str) -> float:
        """Return how much more of the tokens ours saves, below 0 where it saves less."""
        return self.ours.reduction - self.rivals[rival].reduction


def duels(seeds: Mapping[int, int], *, times: float = TIMES, minutes: float = MINUTES) -> Iterator[Duel]:
    """Let every rival search the same problems, seed by seed, and begin no problem after so many minutes.

    What is told goes to standard error.
    """
    started = time.perf_counter()
    for seed, size in ((seed, size) for seed in range(max(seeds.values())) for size in seeds if seed < seeds[size]):
        if time.perf_counter() - started > 60 * minutes:
            return
        problem = problem_of(checked_outcomes(made_outcomes(size, seed)))
        # The time of a first call would count what is loaded once; what is found is the same.
        ours(problem, TOLERANCE)
        own = ours(problem, TOLERANCE)
        rivals = {name: search for name, search in RIVALS.items() if name != RANDOM or seed < RANDOM_SEEDS.get(size, 1)}
        found = {name: search(problem, TOLERANCE, times * own.seconds, seed) for name, search in rivals.items()}
        duel = Duel(size, seed, own, found)
        told = ", ".join(f"{name} {100 * duel.ahead(name):+.4f}" for name in found)
        print(f"{size:,} requests, seed {seed}: ours {100 * own.reduction:.3f} %; ahead of {told}", file=sys.stderr)
        yield duel


def rival_rows(found: Sequence[Duel]) -> Iterator[str]:
    """Yield a row a size and rival: how often ours saves more, as much and less, and by how much."""
    heads = ["requests", "rival", "problems", "our search", "rival's time", "rival tried"]
    yield table([*heads, "ours better", "equal", "rival better", "mean ahead", "most ahead", "most behind"])
    for size in sorted({duel.size for duel in found}):
        for name in RIVALS:
            some = [duel for duel in found if duel.size == size and name in duel.rivals]
            if not some:
                continue
            ahead = [duel.ahead(name) for duel in some]
            better, worse = (sum(sign * value > ROUNDING for value in ahead) for sign in (1, -1))
            own = sum(duel.ours.seconds for duel in some) / len(some)
            seconds = sum(duel.rivals[name].seconds for duel in some) / len(some)
            tried = sum(duel.rivals[name].tried for duel in some) / len(some)
            cells = [f"{size:,}", name, str(len(some)), f"{1e3 * own:.0f} ms", f"{seconds / own:.0f} times"]
            cells += [f"{tried:,.0f}", str(better), str(len(some) - better - worse), str(worse)]
            cells += [f"{100 * value:.3f}" for value in (sum(ahead) / len(ahead), max(ahead), max(0.0, -min(ahead)))]
            yield f"| {' | '.join(cells)} |"


# Promises ----------------------------------------------------------------------------------------


def promise_rows(documents: Sequence[int] = DOCUMENTS, draws: int = DRAWS) -> Iterator[str]:
    """Yield what so many documents can promise, and what it comes to on documents that were not seen."""
    heads = ["what is calibrated", "documents", "smallest alpha in reach", "draws with a promise"]
    yield table([*heads, "mean loss, all draws", f"draws above {ALPHA:g}", "tokens saved"])
    gate, blocks = GatePopulation(), BlockPopulation()
    for name, population in (("gate", gate), ("block threshold", blocks)):
        for count in documents:
            yield _promise_row(f"{name}, promise {ALPHA:g}", covered(population, count, draws))
    # The same documents without a promise: a gate is then fitted on all of them.
    plain, unpromised = GatePopulation(promised=False), BlockPopulation(promised=False)
    for name, other in (("gate", plain), ("block threshold", unpromised)):
        for count in (documents[0], documents[-1]):
            yield _promise_row(f"{name}, fitted to {ALPHA:g} without a promise", covered(other, count, draws))


def _promise_row(name: str, found: Coverage) -> str:
    promised = "without" not in name
    cells = [name, str(found.documents), f"{found.reachable:.3f}" if promised else ""]
    cells += [f"{100 * found.kept:.0f} %" if promised else "", f"{found.loss:.4f}"]
    return f"| {' | '.join([*cells, f'{100 * found.above:.1f} %', f'{100 * found.saved:.1f} %'])} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--minutes", type=float, default=MINUTES, help="after which the rivals begin no problem")
    parser.add_argument("--draws", type=int, default=DRAWS, help="draws of documents for the promises")
    parser.add_argument("--quick", action="store_true", help="10,000 outcomes, two seeds of 500 requests, 50 draws")
    options = parser.parse_args()
    if "rivals" in options.parts:
        optuna_or_refuse()
    quick = options.quick
    if "scale" in options.parts:
        print("\n#### Time of a calibration\n")
        print("\n".join(scale_rows(SIZES[:1] if quick else SIZES)), flush=True)
    if "rivals" in options.parts:
        found = list(duels({500: 2} if quick else RIVAL_SEEDS, minutes=options.minutes))
        print("\n#### The search against others with 100 times its time\n")
        print("\n".join(rival_rows(found)), flush=True)
    if "promises" in options.parts:
        print("\n#### What documents can promise, and whether it holds\n")
        print("\n".join(promise_rows(draws=50 if quick else options.draws)), flush=True)


if __name__ == "__main__":
    main()
