"""The benchmark of the gate sets what was expected beside what came, question by question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import gate
from benchmarks.evidence_sets import Case
from benchmarks.gate_readings import CLOSURES, GateReader, GateReading
from tests.structure.drafts import document_of
from workbench.reading import SparseReader
from workbench.relevance.scores import Scope

ROW = GateReading(
    set_name="made",
    document="a",
    origin="a",
    scope=Scope.POINT,
    tokens=10_000,
    expected=0.5,
    risk=0.01,
    scope_risk=0.01,
    words_risk=0.0,
    missing=0.0,
    constraint="",
    saved_once=0.6,
    saved=0.4,
    kept=0.2,
    missed=0.0,
    pieces=1,
    anchors=0.05,
    still_open=dict.fromkeys(CLOSURES, (True, False, False)),
)
ENGLISH = [
    "The lease ends in May.",
    *(f"Clause {n} is about the garden and the fence of plot {n}." for n in range(400)),
]
CHINESE = ["租约于五月到期。", *(f"第{n}条说明花园和第{n}号地块的围栏。" for n in range(400))]


def reader() -> GateReader:
    return GateReader(SparseReader(scorer=None, token_share=0.2, min_tokens=0))


def case_of(texts: list[str], question: str, block: int) -> Case:
    language = "en" if texts[0].isascii() else "zh"
    return Case(
        set_name="made",
        case_id=question,
        document_key="d",
        document=document_of(*texts, language=language),
        question=question,
        language=language,
        gold=((block,),),
        also=((),),
        origin="d",
    )


@pytest.mark.parametrize(("texts", "question"), [(ENGLISH, "When does the lease end?"), (CHINESE, "租约何时到期？")])
def test_a_question_is_read_and_what_came_stands_beside_what_was_expected(texts: list[str], question: str) -> None:
    found = reader()(case_of(texts, question, 0))
    assert found.scope is Scope.POINT and found.pieces == 1
    assert found.missed == 0.0 and found.kept < 0.25
    # One reading closes a question about a point, so the whole exchange is that reading.
    assert found.still_open[Scope.POINT] == (False, False, False)
    assert found.saved == found.saved_once and found.saved_once < 1 - found.kept
    assert found.still_open[Scope.WHOLE] == (True, True, True)


def test_evidence_that_is_not_kept_is_missed() -> None:
    assert reader()(case_of(ENGLISH, "When does the lease end?", 399)).missed == 1.0


def test_no_document_gives_more_questions_than_it_may() -> None:
    case = case_of(ENGLISH, "When does the lease end?", 0)
    found = list(reader().of([case, case, replace(case, gold=(), also=()), case], 2))
    assert len(found) == 2


def test_the_area_counts_ties_half() -> None:
    missed = replace(ROW, missed=1.0, risk=0.2)
    assert gate.area([ROW, replace(ROW, risk=0.2), missed], lambda row: row.risk) == 0.75
    assert np.isnan(gate.area([ROW], lambda row: row.risk))


def test_least_squares_find_what_was_put_in() -> None:
    random = np.random.default_rng(0)
    rows = []
    for _ in range(50):
        kept, missing, pieces = random.uniform(0.1, 0.9), random.uniform(0, 1), int(random.integers(1, 4))
        missed = (1 - kept) * ((0.02 if pieces == 1 else 0.1) + 0.5 * missing)
        rows.append(replace(ROW, kept=kept, missing=missing, pieces=pieces, missed=missed))
    assert gate.missed_shares(rows) == pytest.approx([0.02, 0.1, 0.5])


def test_intervals_are_over_documents() -> None:
    rows = [replace(ROW, document=name, missed=missed) for name, missed in (("a", 0.0), ("b", 1.0))]

    def mean(some: gate.Rows) -> float:
        return float(np.mean([row.missed for row in some]))

    found = gate.resampled(rows, mean, resamples=50)
    assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)
    assert np.isnan(gate.resampled(rows[:1], mean).low)


def test_savings_are_told_for_what_may_be_read_sparsely() -> None:
    rows = list(gate.saving_rows({"made": [ROW, replace(ROW, constraint="small_file", saved_once=-3.0)]}))
    assert rows[1] == "| made | 1 | 1 | 50.0 % | 60.0 % | -10.0 | 10.0 |  | 40.0 % | +10.0 |  |"


def test_a_small_file_that_would_have_saved_is_counted_as_wrong() -> None:
    small = replace(ROW, constraint="small_file", saved_once=-0.1)
    useless = replace(small, kept=0.0, saved_once=0.5)
    some = [small, replace(small, saved_once=0.03), useless, ROW, replace(ROW, saved_once=-0.2)]
    rows = list(gate.small_rows({"made": some}))
    assert rows[1] == "| made | 4 | 2 | 1 | 3.0 | 2 | 1 | 20.0 |"


def test_rounds_and_risk_are_told_as_shares() -> None:
    rows = [ROW, replace(ROW, risk=0.3, missed=1.0)]
    assert [row.split(" | ")[2:] for row in gate.round_rows(rows)][1] == ["100.0", "0.0", "0.0 |"]
    assert list(gate.risk_rows(rows))[1:] == [
        "| 0.005 to 0.02 | 1 | 0.010 | 0.0 | 0.0 |",
        "| 0.2 to 1 | 1 | 0.300 | 100.0 | 100.0 |",
    ]


def test_scopes_are_judged_by_what_is_stated() -> None:
    pairs = [("What was total revenue in 2018?", "point"), ("What is the sum of the freight column?", "several")]
    rows = list(gate.scope_rows({"made": pairs}))[1:]
    assert rows == [
        "| made | point | 1 | 1 | 100 | 100 |  |",
        "| made | several | 1 | 0 |  | 0 | 1 aggregate |",
    ]
    assert list(gate.said_rows({"made": ["把这份说明书翻译成英文。"]}))[1].startswith("| made | 1 | ")


def test_times_are_told_beside_that_of_a_question(sample_dir: Path) -> None:
    rows = list(gate.time_rows(sample_dir / "harbor-manual.md", rounds=1))
    assert [row.split(" | ")[0] for row in rows[2:]] == [
        "| preview, made once a document",
        "| the three signals",
        "| a decision, its intent and constraints among it",
        "| a further question read",
    ]
    assert rows[-1].endswith("| 100.0 % |")
