"""How long a question takes: on a document never embedded before, on one that is known, and after an edited weight.

``python -m benchmarks.reading_speed`` asks the filing of 160 pages that the aims name, and one of 3,015 blocks, in
processes of their own and with a cache folder of their own. Whether the folder knows the blocks of the document, the
backend of the machine and the vectors of the document is said in every row. The time of processors (all threads) is
told beside that on the wall, because the machine may have other work.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
FILING = "3M_2018_10K.pdf"
MANY_BLOCKS = "BOEING_2018_10K.pdf"
WARM_UP = ROOT / "datasets" / "dev" / "documents" / "harbor-manual.md"
QUESTIONS = 30
WEIGHTS = 50
"""Edited weights that are timed."""
KNOWN = {"machine new": (".blocks",), "machine known": (".blocks", ".backend")}
"""What the cache folder is left with before a first question."""

_CHILD = "import sys; from benchmarks.reading_speed import {name}; {name}(*sys.argv[1:])"
Taken = tuple[float, float]
"""Seconds on the wall, and of processors."""


# In the processes that are measured --------------------------------------------------------------


def parse(*files: str) -> None:
    """Open documents, so that their blocks are in the cache."""
    from workbench.documents import open_document

    for file in files:
        open_document(file, progress=False)


def ask(file: str, questions: str, spawned: str, warm_up: str = "") -> None:
    """Ask a document the first question and then the others, and print what each took as JSON."""
    from workbench.documents import open_document
    from workbench.reading import SparseReader

    reader = SparseReader()
    if warm_up:
        reader.read(open_document(warm_up, progress=False), "What is this about?", progress=False)
    asked = json.loads(questions)
    began = time.perf_counter() if warm_up else time.perf_counter() - (time.time() - float(spawned))
    worked = time.process_time() if warm_up else 0.0
    document = open_document(file, progress=False)
    reading = reader.read(document, asked[0], progress=False)
    first = (time.perf_counter() - began, time.process_time() - worked)
    told = {
        "first": first,
        "next": [_taken(lambda text=text: reader.read(document, text, progress=False)) for text in asked[1:]],  # type: ignore[misc]
        "blocks": len(document),
        "tokens": document.tokens,
        "pages": len(document.pages),
        "kept": reading.saving.tokens_kept,
        "peak MiB": _peak_mib(),
    }
    print(json.dumps(told))


def look_again(file: str, questions: str) -> None:
    """Time the parts of a question on a known document, and decisions that need no scoring; print JSON."""
    from workbench.documents import open_document
    from workbench.reading import SparseReader
    from workbench.relevance.encoders import default_encoder
    from workbench.structure import match_rules, rules_for

    reader, document, asked = SparseReader(), open_document(file, progress=False), json.loads(questions)
    reading = reader.read(document, asked[0], progress=False)
    table = rules_for(document)
    matches = match_rules(document, table)
    names = [rule.name for rule in table.rules if rule.enabled]
    edited = [table.with_weight(names[rank % len(names)], 0.5 + 0.01 * rank) for rank in range(WEIGHTS)]
    shares = [0.05 + 0.01 * rank for rank in range(WEIGHTS)]
    encoder = default_encoder()
    told = {
        "read": [_taken(lambda text=text: reader.read(document, text, progress=False)) for text in asked[1:]],  # type: ignore[misc]
        "embed": [_taken(lambda text=text: encoder.encode([text], kind="question")) for text in asked[1:]],  # type: ignore[misc]
        "weigh": [_taken(lambda table=table: matches.weigh(table)) for table in edited],  # type: ignore[misc]
        "decide": [_taken(lambda table=table: reading.with_rules(table)) for table in edited],  # type: ignore[misc]
        "cut": [_taken(lambda share=share: reading.with_token_share(share)) for share in shares],  # type: ignore[misc]
        "blocks": len(document),
        "peak MiB": _peak_mib(),
    }
    print(json.dumps(told))


def _taken(job: Callable[[], object]) -> Taken:
    began, worked = time.perf_counter(), time.process_time()
    job()
    return time.perf_counter() - began, time.process_time() - worked


def _peak_mib() -> float:
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


# In the process that measures --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what was timed, at most how many seconds are aimed at, and what was taken each time."""

    what: str
    aim: float | None
    taken: tuple[Taken, ...]
    quantile: float = 0.5

    def __str__(self) -> str:
        wall, cpu = ([pair[at] for pair in self.taken] for at in (0, 1))
        found = quantile(wall, self.quantile)
        met = "" if self.aim is None else "yes" if found <= self.aim else "no"
        aim = "" if self.aim is None else seconds(self.aim)
        spread = f"{seconds(min(wall))} to {seconds(max(wall))}"
        return (
            f"| {self.what} | {aim} | {seconds(found)} | {met} | {spread} | {seconds(quantile(cpu, self.quantile))} |"
        )


HEADER = "| what | aim | on the wall | met | from, to | processors |\n| --- | --- | --- | --- | --- | --- |"


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lies.

    Examples
    --------
    >>> quantile([1.0, 2.0, 3.0], 0.5)
    2.0
    """
    return float(np.quantile(np.asarray(values, np.float64), share))


def seconds(value: float) -> str:
    """Return seconds in words.

    Examples
    --------
    >>> seconds(7.258), seconds(0.0123), seconds(0.15)
    ('7.3 s', '12.3 ms', '150 ms')
    """
    if value >= 1:
        return f"{value:.3g} s" if value < 10 and value == round(value) else f"{value:.1f} s"
    return f"{1_000 * value:.3g} ms"


@contextmanager
def cache_folder() -> Iterator[tuple[Path, Mapping[str, str]]]:
    """An empty cache folder, and an environment that names it."""
    from workbench.caching import ENVIRONMENT

    with tempfile.TemporaryDirectory(prefix="workbench-benchmark-") as folder:
        yield Path(folder), os.environ | {ENVIRONMENT: folder, "PYTHONPATH": str(ROOT)}


def forget(folder: Path, known: Sequence[str]) -> None:
    """Remove from a cache folder what is not of the suffixes that are known."""
    for entry in folder.rglob("*"):
        if entry.is_file() and entry.suffix not in known:
            entry.unlink()


def run(name: str, *arguments: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Call a function of this module in a process of its own; return what it printed, if anything.

    Raises
    ------
    RuntimeError
        If it fails.
    """
    command = [sys.executable, "-c", _CHILD.format(name=name), *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{name} of {arguments[0]} failed: {done.stderr.strip().splitlines()[-1:]}")
    found: dict[str, Any] = json.loads(done.stdout) if done.stdout.strip() else {}
    return found


def measured(filing: Path, many: Path, questions: Sequence[str], rounds: int) -> Iterator[str]:
    """Yield the lines of the table."""
    asked = json.dumps(list(questions))
    told: dict[str, list[dict[str, Any]]] = {}
    with cache_folder() as (folder, environment):
        run("parse", str(filing), str(many), str(WARM_UP), environment=environment)
        for _ in range(rounds):
            for state, known in KNOWN.items():
                forget(folder, known)
                found = run("ask", str(filing), asked, str(time.time()), environment=environment)
                told.setdefault(state, []).append(found)
            told.setdefault("embedded", []).append(
                run("ask", str(filing), asked, str(time.time()), environment=environment)
            )
            forget(folder, KNOWN["machine known"])
            found = run("ask", str(filing), asked, str(time.time()), str(WARM_UP), environment=environment)
            told.setdefault("warm", []).append(found)
        run("look_again", str(many), asked, environment=environment)
        again = [run("look_again", str(many), asked, environment=environment) for _ in range(rounds)]
    load = f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    yield f"{_described(told['warm'][0], filing)}; {load}"
    yield f"\n{HEADER}"
    yield from map(str, _rows(told, again))
    peaks = ", ".join(f"{median(one['peak MiB'] for one in found):.0f} MiB {state}" for state, found in told.items())
    peaks += f"; {median(one['peak MiB'] for one in again):.0f} MiB {many.name}, embedded"
    yield f"\nPeak memory of the process, median: {peaks}"


def _rows(told: Mapping[str, list[dict[str, Any]]], again: Sequence[dict[str, Any]]) -> Iterator[Row]:
    def first(state: str) -> tuple[Taken, ...]:
        return tuple((wall, cpu) for wall, cpu in (one["first"] for one in told[state]))

    def every(part: str) -> tuple[Taken, ...]:
        return tuple((wall, cpu) for one in again for wall, cpu in one[part])

    later = tuple((wall, cpu) for found in told.values() for one in found for wall, cpu in one["next"])
    size = f"{again[0]['blocks']:,} blocks"
    yield Row("first question, process started for it, blocks never embedded", 8.0, first("machine known"))
    yield Row("the same, with the self-test of backends, once a machine", None, first("machine new"))
    yield Row("first question, process that has read another document, blocks never embedded", 8.0, first("warm"))
    yield Row("first question, process started for it, blocks embedded before", None, first("embedded"))
    yield Row("next question", 0.150, later)
    yield Row("next question, 95th percentile", 0.150, later, 0.95)
    yield Row(f"question on {size}: embedded, fused, cut", 0.050, every("read"))
    yield Row(f"question on {size}, 95th percentile", 0.050, every("read"), 0.95)
    yield Row("of which the embedding of the question", None, every("embed"))
    yield Row(f"weights of {size} after an edited weight", 0.005, every("weigh"))
    yield Row(f"weights of {size} after an edited weight, 95th percentile", 0.005, every("weigh"), 0.95)
    yield Row(f"and decided again, {size}", None, every("decide"))
    yield Row(f"decided again with another share of the tokens, {size}", None, every("cut"))


def _described(one: Mapping[str, Any], filing: Path) -> str:
    return f"{filing.name}: {one['pages']} pages, {one['blocks']:,} blocks, {one['tokens']:,} tokens"


def main() -> None:
    """Print the table."""
    from benchmarks.evidence_sets import data_folder

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the evaluation data")
    parser.add_argument("--rounds", type=int, default=3, help="times that every first question is asked")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="questions asked of a document")
    options = parser.parse_args()
    folder = options.data / "financebench"
    rows = map(json.loads, (folder / "questions.jsonl").read_text("utf-8").splitlines())
    questions = list(dict.fromkeys(row["question"] for row in rows))[: options.questions]
    for line in measured(folder / "pdfs" / FILING, folder / "pdfs" / MANY_BLOCKS, questions, options.rounds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
