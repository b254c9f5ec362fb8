"""The annotator inside the bench: it asks by what is tuned now, once somebody looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workspace.made import house_in, words_alone
from workbench.widgets.annotator import Annotator
from workbench.widgets.bench_children import Children
from workbench.workspace import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(house_in(tmp_path / "house"), reader=words_alone(), folder=tmp_path / "space", annotator="Anna")
    yield made
    made.close()


def annotator_in(bench: Bench) -> tuple[Children, Annotator]:
    children = Children(bench, {"language": "en", "channel": "c", "workspace": "w"})
    bench.watch(children.follow)
    children.need(["annotate"])
    found = children.made["annotate"]
    assert isinstance(found, Annotator)
    found.wait(30)
    return children, found


def test_another_cut_makes_the_queue_anew_once_somebody_looks(bench: Bench) -> None:
    _, annotator = annotator_in(bench)
    made, before = annotator.queue_sequence, cuts(annotator)
    annotator.answer_news()
    assert annotator.queue_sequence == made, "nothing has changed"
    bench.set_share(0.9)
    assert annotator.queue_sequence == made, "nobody looks"
    annotator.answer_news()
    annotator.wait(30)
    assert annotator.queue_sequence > made
    assert (annotator.fault, annotator.building) == ("", {})
    assert cuts(annotator) != before


def cuts(annotator: Annotator) -> set[float]:
    return {item.scores["threshold"] for item in annotator.queue}


def test_what_is_opened_or_pinned_leaves_the_queue_as_it_is(bench: Bench) -> None:
    _, annotator = annotator_in(bench)
    made = annotator.queue_sequence
    bench.open("rent")
    rank, item = next((rank, item) for rank, item in enumerate(annotator.queue) if item.request == "rent")
    bench.label(item.block_id, "evidence")
    annotator.answer_news()
    assert annotator.queue_sequence == made
    assert annotator.labelled == {str(rank): {"value": "evidence", "spans": [], "note": ""}}
