"""The benchmark of the bench: what it is made on, and how a line reads; that it runs, a browser test says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import bench
from benchmarks.bench_documents import many_outcomes, write_document, write_workload
from benchmarks.bench_page import Times, Wire
from workbench.calibration import checked_outcomes
from workbench.documents import open_document
from workbench.workload import resolve


@pytest.mark.parametrize("blocks", [1, 20, 21, 300])
def test_a_made_document_has_as_many_blocks_as_wanted_and_equal_bytes_each_time(blocks: int, tmp_path: Path) -> None:
    made = write_document(tmp_path / "a.md", blocks)
    again = write_document(tmp_path / "b.md", blocks)
    assert made.read_bytes() == again.read_bytes()
    assert len(open_document(made)) == blocks


def test_a_made_workload_has_a_request_a_size_whose_evidence_is_there(tmp_path: Path) -> None:
    workload = write_workload(tmp_path, (60, 120))
    assert [request.id for request in workload] == ["60", "120"]
    assert all(not resolve(request, workload.open(request)).unresolved for request in workload)


def test_made_outcomes_are_those_that_a_calibration_takes() -> None:
    table = many_outcomes(700)
    assert table["request"].is_unique
    assert len(checked_outcomes(table)) == 700
    assert table.equals(many_outcomes(700))
    assert table[["s", "c", "r"]].to_numpy().min() >= 0
    assert table[["s", "c", "r"]].to_numpy().max() <= 1


def test_a_line_says_what_was_aimed_at_and_whether_it_was_met() -> None:
    times = Times([10.0, 12.0, 40.0])
    assert str(bench.row("a move", 20.0, times)) == "| a move | 20 ms | 12.0 ms | 37.2 ms | 3 | yes |"
    assert str(bench.row("a move", 11.0, times)).endswith("| no |")
    assert str(bench.row("an empty frame", float("inf"), times)) == "| an empty frame |  | 12.0 ms | 37.2 ms | 3 |  |"
    assert (
        str(bench.Row("bytes", 50_000, 17_000, 0, 1, "bytes")) == "| bytes | 50,000 bytes | 17,000 bytes |  | 1 | yes |"
    )


def test_bytes_are_counted_while_somebody_listens_and_text_as_utf_8() -> None:
    wire = Wire()
    wire._add("sent", "before")
    with wire.counting():
        wire._add("sent", "块")
        wire._add("received", b"1234")
        wire._add("received", b'{"msg_type": "comm_msg"}')
    wire._add("sent", "after")
    assert (wire.sent, wire.received, wire.total, wire.spoken) == (3, 28, 31, 24)
