"""The bench without a screen: what is at hand follows from what was done, and everything done is kept."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.errors import AnchorMismatch, InvalidOption, InvalidRules
from workbench.gate import intent_of
from workbench.reading import Session, SparseReader, Threshold, TokenShare
from workbench.relevance.scores import Scale
from workbench.workload import Workload
from workbench.workspace import Bench, Journal, Operation
from workbench.workspace.journal import line_of

from .made import TABLE, house_in, words_alone

Benches = Callable[..., Bench]


@pytest.fixture
def house(tmp_path: Path) -> Workload:
    return house_in(tmp_path / "house")


@pytest.fixture
def benches(house: Workload, tmp_path: Path) -> Iterator[Benches]:
    """Make benches in one folder: the second is what a kernel sees after a restart."""
    made: list[Bench] = []

    def bench(workload: Workload | None = house, reader: SparseReader | None = None) -> Bench:
        made.append(Bench(workload, reader=reader or words_alone(), folder=tmp_path / "space"))
        return made[-1]

    yield bench
    for one in made:
        one.close()


def alike(mine: Bench, other: Bench) -> None:
    assert mine.state == other.state
    assert mine.reading is not None
    assert other.reading is not None
    assert (mine.question, mine.gold) == (other.question, other.gold)
    for name in ("status", "priority", "margin"):
        np.testing.assert_array_equal(getattr(mine.reading, name), getattr(other.reading, name))
    assert mine.reading.kept_text == other.reading.kept_text


def test_it_begins_with_the_first_request_as_its_reader_reads_it(benches: Benches, house: Workload) -> None:
    bench = benches()
    assert bench.request is not None
    assert (bench.request.id, bench.question) == ("rent", "How much is the rent a month?")
    assert bench.document is not None
    assert [bench.document.texts[block] for block in bench.gold] == [
        "The rent is 900 euro a month and due on the third."
    ]
    alone = words_alone().read(house.open("house.md"), bench.question or "", scope="point")
    assert bench.reading is not None
    assert bench.reading.kept_text == alone.kept_text
    assert (bench.operations, bench.saved_at, bench.calls) == (0, "", ())
    assert not (bench.folder / "journal.jsonl").exists()


def test_a_cut_a_budget_and_a_rule_decide_again_and_are_shown_as_calls(benches: Benches) -> None:
    bench = benches()
    bench.set_threshold(0.4)
    assert bench.reading is not None
    assert bench.reading.cut == Threshold(0.4, Scale.UNCALIBRATED)
    bench.set_share(0.5)
    bench.set_budget(300)
    bench.edit_rule("money", weight=3, pin=True)
    assert (bench.reading.cut, bench.reading.budget_tokens) == (TokenShare(0.5, 0), 300)
    assert (bench.rule_key, bench.rule_table.rule("money").weight) == ("*", 3.0)
    assert len(bench.reading.pinned_ids) > 0
    assert bench.calls == (
        "bench.set_threshold(0.4)",
        "bench.set_share(0.5)",
        "bench.set_budget(300)",
        "bench.edit_rule('money', weight=3, pin=True)",
    )
    assert bench.reader.rule_book.tables["*"].rule("money").pin
    assert TABLE.rule("money").weight == 1.5


def test_requests_are_opened_in_both_languages_with_their_evidence(benches: Benches) -> None:
    bench = benches()
    bench.open("钥匙", show="tune")
    assert (bench.question, bench.state.tab) == ("遗失钥匙赔偿多少？", "tune")
    assert bench.document is not None
    assert "赔偿45元" in bench.document.texts[bench.gold[0]]
    bench.open("pets")
    assert bench.gold == ()


def test_a_question_of_ones_own_is_about_the_document_at_hand_or_another(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.ask("Who plays music?")
    assert (bench.request, bench.question, bench.gold) == (None, "Who plays music?", ())
    assert bench.document is not None
    assert bench.document.name == "house.md"
    bench.ask("谁弹琴？", "住房.md")
    assert bench.document.name == "住房.md"
    (tmp_path / "own.txt").write_text("The piano stands in the hall.", "utf-8")
    bench.ask("Where is the piano?", tmp_path / "own.txt")
    assert bench.document.name == "own.txt"
    assert bench.reading is not None
    assert "piano" in bench.reading.kept_text


def test_a_follow_up_keeps_what_the_dialogue_is_about(benches: Benches) -> None:
    bench = benches()
    bench.open("spare")
    assert bench.document is not None
    assert bench.reading is not None
    assert bench.opened is not None
    session, reader = Session("a reader", "of the test"), words_alone()
    for question in ("How many keys has a tenant?", "Who keeps a spare one?"):
        scope = intent_of(question).scope
        alone = reader.read(bench.document, question, session=session, scope=scope)
    assert bench.opened.turns == 1
    assert bench.reading.focus == alone.focus
    np.testing.assert_array_equal(bench.reading.status, alone.status)


def test_a_bench_without_a_workload_reads_files(benches: Benches, house: Workload) -> None:
    bench = benches(None)
    assert (bench.document, bench.reading, bench.decision) == (None, None, None)
    bench.set_share(0.4)
    assert house.folder is not None
    bench.ask("How much is the rent?", house.folder / "house.md")
    assert bench.reading is not None
    assert bench.reading.cut == TokenShare(0.4, 0)
    with pytest.raises(InvalidOption, match=r"^This bench has no workload; make one with Bench\(load_workload\("):
        bench.replay()
    with pytest.raises(InvalidOption, match="no request to open; ask about a file instead"):
        bench.open("rent")


def test_a_restart_brings_everything_back(benches: Benches) -> None:
    bench = benches()
    bench.open("租金")
    bench.set_share(0.6)
    bench.edit_rule("titles", weight=0.5, reason="标题无用")
    bench.duplicate_rule("money")
    bench.move_rule("old", "titles")
    bench.remove_rule("money")
    bench.add_rule({"name": "lists", "match": {"kinds": ["list_item"]}, "weight": 1.2, "reason": "Lists."})
    bench.set_offset("legal", 0.03)
    bench.set_budget(500)
    bench.set_weights(3, 2, 1)
    bench.set_gate(-0.2, 0.1)
    bench.pin(1)
    bench.filter(route="force")
    bench.undo()
    bench.close()
    again = benches()
    alike(again, bench)
    assert again.operations == bench.operations
    assert again.rule_table.names == bench.rule_table.names
    assert again.state.pinned == 1
    again.redo()
    assert again.gate_rule.thresholds.force == 0.1


def test_an_operation_that_arrives_twice_is_done_once_also_after_a_restart(benches: Benches) -> None:
    bench = benches()
    operation = Operation("edit_rules", {"table": "*", "edit": {"do": "duplicate", "rule": "old"}})
    bench.take(operation)
    bench.take(operation)
    assert len(bench.rule_table) == 4
    bench.close()
    again = benches()
    again.take(operation)
    assert (len(again.rule_table), again.operations) == (4, 1)


def test_what_cannot_be_done_changes_nothing_and_is_not_written(benches: Benches, house: Workload) -> None:
    bench = benches()
    bench.set_share(0.4)
    before, reading = bench.state, bench.reading
    heard: list[frozenset[str]] = []
    bench.watch(heard.append)
    assert house.folder is not None
    (house.folder / "住房.md").unlink()
    with pytest.raises(Exception, match=r"no file or folder '住房\.md'"):
        bench.open("租金")
    with pytest.raises(InvalidOption, match=r"has no request 'rents'; the nearest is 'rent'"):
        bench.open("rents")
    with pytest.raises(InvalidRules, match="weight"):
        bench.edit_rule("titles", pin=True, weight=77)
    with pytest.raises(AnchorMismatch, match="999"):
        bench.pin(999)
    with pytest.raises(InvalidOption, match="no job 'tea'"):
        bench.cancel("tea")
    with pytest.raises(InvalidOption, match="There are no outcomes yet"):
        bench.calibrate()
    assert (bench.state, bench.reading, bench.operations, heard) == (before, reading, 1, [])
    assert len(Journal(bench.folder / "journal.jsonl").load().operations) == 1


def test_who_watches_is_told_what_changed_and_no_more(benches: Benches) -> None:
    bench = benches()
    heard: list[frozenset[str]] = []
    remove = bench.watch(heard.append)
    bench.set_share(0.4)
    bench.edit_rule("titles", weight=4)
    bench.set_gate(-0.1, 0.1)
    bench.open("key")
    bench.open("租金")
    bench.show("gate")
    remove()
    remove()
    bench.show("read")
    assert heard == [
        {"state", "saved", "reading"},
        {"state", "saved", "reading", "rules"},
        {"state", "saved", "gate"},
        {"state", "saved", "reading"},
        {"state", "saved", "reading", "document", "rules", "effects"},
        {"state", "saved"},
    ]


def test_one_who_watches_and_fails_keeps_nobody_else_from_hearing(
    benches: Benches, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPARSEREAD_STRICT", raising=False)
    bench = benches()
    heard: list[frozenset[str]] = []

    def fails(_names: frozenset[str]) -> None:
        raise ZeroDivisionError("a widget is gone")

    bench.watch(fails)
    bench.watch(heard.append)
    with caplog.at_level(logging.ERROR, "workbench"):
        bench.set_share(0.4)
    assert len(heard) == 1
    assert "What watches the bench failed" in caplog.text
    monkeypatch.setenv("SPARSEREAD_STRICT", "1")
    with pytest.raises(ZeroDivisionError):
        bench.set_share(0.5)
    assert bench.operations == 2


def test_what_the_journal_says_and_cannot_be_done_again_is_told_and_the_rest_is_done(
    benches: Benches, house: Workload
) -> None:
    bench = benches()
    edit = {"do": "set", "rule": "gone", "field": "weight", "value": 0.3}
    Journal(bench.folder / "journal.jsonl").append(line_of(Operation("edit_rules", {"table": "*", "edit": edit})))
    bench.set_share(0.4)
    bench.open("租金")
    bench.close()
    assert house.folder is not None
    (house.folder / "住房.md").unlink()
    again = benches(house)
    assert again.state.tuned.cut == bench.state.tuned.cut
    assert (again.document, again.reading) == (None, None)
    assert re.fullmatch(
        r"bench\.edit_rule\('gone', weight=0\.3, table='\*'\) of 20[-\d]+ [\d:]+ could not be done again and is left "
        r"out: .*has no rule 'gone'.*",
        again.notes[0],
    )
    assert again.notes[1].startswith(
        "What was open cannot be opened again, so open another request: There is no file or folder '住房.md'"
    )
    again.open("rent")
    assert again.reading is not None


def test_two_kernels_in_one_workspace_lose_nothing_and_hear_of_each_other(benches: Benches) -> None:
    two = benches()
    edit = {"do": "set", "rule": "titles", "field": "weight", "value": 4}
    Journal(two.folder / "journal.jsonl").append(line_of(Operation("edit_rules", {"table": "*", "edit": edit})))
    two.set_share(0.7)
    assert two.notes == (
        "Another kernel works in this workspace, and an operation was written there since; run the cell again to go on "
        "from there.",
    )
    three = benches()
    assert three.notes == ()
    assert three.rule_table.rule("titles").weight == 4.0
    assert three.state.tuned.cut == two.state.tuned.cut


KERNEL = """
import sys
from tests.workspace.made import house_in, words_alone
from workbench.workload import load_workload
from workbench.workspace import Bench, Operation

bench = Bench(load_workload(sys.argv[1]), reader=words_alone(), folder=sys.argv[2])
for number in range(1_000_000):
    edit = {"do": "set", "rule": "titles", "field": "weight", "value": 0.1 + number % 40 / 10}
    operation = Operation("edit_rules", {"table": "*", "edit": edit}, id=f"edit-{number}")
    bench.take(operation)
    print(operation.id, flush=True)
"""


def test_a_kernel_killed_in_the_middle_of_edits_loses_none_that_was_acknowledged(
    benches: Benches, house: Workload, tmp_path: Path, project_dir: Path
) -> None:
    command = [sys.executable, "-c", KERNEL, str(house.folder), str(tmp_path / "space")]
    kernel = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=project_dir)
    assert kernel.stdout is not None
    acknowledged = [kernel.stdout.readline().strip() for _ in range(40)]
    os.kill(kernel.pid, signal.SIGKILL)
    acknowledged += kernel.stdout.read().split("\n")[:-1]
    kernel.wait()
    assert len(acknowledged) >= 40
    bench = benches()
    assert bench.notes == ()
    ids = [one.id for one in Journal(bench.folder / "journal.jsonl").load().operations]
    assert ids[: len(acknowledged)] == acknowledged
    last = int(ids[-1].removeprefix("edit-"))
    assert bench.rule_table.rule("titles").weight == pytest.approx(0.1 + last % 40 / 10)
    bench.undo()
    assert bench.operations == len(ids) + 1


def test_many_threads_may_act_at_once(benches: Benches) -> None:
    bench = benches()

    def acts(rule: str) -> None:
        for number in range(20):
            bench.edit_rule(rule, weight=1 + number / 10)

    threads = [threading.Thread(target=acts, args=(name,)) for name in TABLE.names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [rule.weight for rule in bench.rule_table.rules] == [2.9, 2.9, 2.9]
    assert bench.operations == 60
    alike(benches(), bench)


CUTS = st.one_of(
    st.floats(0, 1).map(lambda value: ("threshold", value)), st.floats(0.01, 1).map(lambda value: ("share", value))
)
EDITS = st.tuples(st.sampled_from(TABLE.names), st.floats(0.05, 5), st.booleans(), st.booleans())


@given(
    st.lists(st.one_of(CUTS, EDITS, st.integers(1, 200), st.just("undo")), max_size=6),
    st.sampled_from(["rent", "key", "租金", "钥匙"]),
)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_reading_at_hand_is_always_that_of_the_reader_as_it_is_tuned(
    house: Workload, tmp_path_factory: pytest.TempPathFactory, acts: list[object], request_id: str
) -> None:
    bench = Bench(house, reader=words_alone(), folder=tmp_path_factory.mktemp("space"))
    bench.open(request_id)
    for act in acts:
        if act == "undo":
            if bench.state.undoable:
                bench.undo()
        elif isinstance(act, int):
            bench.set_budget(act)
        elif isinstance(act, tuple) and len(act) == 2:
            bench.take(Operation("set_cut", {"kind": act[0], "value": act[1]}))
        elif isinstance(act, tuple):
            bench.edit_rule(act[0], weight=act[1], pin=act[2], enabled=act[3])
    bench.close()
    reading = bench.reading
    assert reading is not None
    fresh = bench.reader.read(reading.document, reading.question, budget_tokens=bench.budget, scope=reading.scope)
    np.testing.assert_array_equal(reading.status, fresh.status)
    np.testing.assert_array_equal(reading.priority, fresh.priority)
    assert (reading.kept_text, reading.notes) == (fresh.kept_text, fresh.notes)
    again = Bench(house, reader=words_alone(), folder=bench.folder)
    alike(again, bench)
    again.close()
