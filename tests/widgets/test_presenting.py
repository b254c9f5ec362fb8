"""Presenting, without a browser: what begins and ends it, and the numbers that its counters reckon with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.workspace.made import house_in, words_alone
from workbench.report.prices import shipped_prices
from workbench.widgets import Workbench
from workbench.widgets.presenting_data import prices_data, rendered_data

Benches = Callable[..., Workbench]


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Benches]:
    made: list[Workbench] = []

    def bench(*, house: bool = True, **others: Any) -> Workbench:
        given = house_in(tmp_path / "house") if house else None
        made.append(Workbench(given, **{"reader": words_alone(), "folder": tmp_path / "space", **others}))
        return made[-1]

    yield bench
    for one in made:
        one.close()
        one.bench.jobs.wait_for_all(60)


def test_presenting_begins_and_ends_with_a_call(benches: Benches) -> None:
    bench = benches()
    assert bench.presenting is False
    bench.present()
    assert bench.presenting is True
    bench.stop_presenting()
    assert bench.presenting is False


def test_presenting_is_no_operation_that_the_journal_holds(benches: Benches) -> None:
    bench = benches()
    before = bench.bench.operations
    bench.present()
    assert bench.bench.operations == before
    assert not bench.bench.can_undo


def test_a_bench_can_open_presented(benches: Benches) -> None:
    assert benches(present=True).presenting is True


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prices_are_those_that_reports_assume(benches: Benches, language: str) -> None:
    table = shipped_prices(language)
    prices = benches(language=language).prices
    assert prices == prices_data(language)
    assert [model["name"] for model in prices["models"]] == [price.name for price in table.models]
    assert prices["models"][prices["shown"]]["per_million"] == table.models[table.shown].per_million
    assert (prices["requests_per_day"], prices["days_per_year"]) == (table.requests_per_day, table.days_per_year)


def test_what_the_model_sees_is_that_of_the_reading(benches: Benches) -> None:
    bench = benches()
    bench.open("rent")
    saving = bench.reading.saving
    said = bench.answer_rendered()
    assert said is not None
    assert said["tokenizer"] == saving.tokenizer
    assert (said["kept"], said["total"], said["rendered"]) == (
        saving.tokens_kept,
        saving.tokens_total,
        saving.rendered_tokens,
    )
    assert said["rendered"] > said["kept"]
    assert bench.answers_alone() == [("rendered", {}, said, [])]


def test_without_a_reading_there_is_nothing_that_the_model_sees(benches: Benches) -> None:
    bench = benches(house=False)
    assert rendered_data(None) is None
    assert bench.answers_alone() == [("rendered", {}, None, [])]
