"""A journal that is folded again adds up to the same work, whatever has happened to files and kernels meanwhile."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.errors import InvalidOption, InvalidRules
from workbench.reading import SparseReader
from workbench.structure import RuleTable, load_rules
from workbench.structure.rule_books import RuleBook
from workbench.workload import Workload, load_workload
from workbench.workspace import Bench, Journal, Operation
from workbench.workspace.journal import line_of

from .made import TABLE, made_outcomes, words_alone

Benches = Callable[..., Bench]

RULE = {"name": "sums", "match": {"keywords": ["euro", "元"]}, "weight": 1.2, "reason": "Sums."}


def test_a_profile_that_is_exported_beside_the_workload_changes_nothing_of_what_was_done(
    depots: Workload, tmp_path: Path
) -> None:
    source = tmp_path / "workload"
    assert depots.folder is not None
    shutil.copytree(depots.folder, source)
    bench = Bench(load_workload(source), reader=words_alone(min_tokens=200), folder=tmp_path / "space")
    bench.duplicate_rule("titles")
    bench.undo()
    bench.redo()
    bench.add_rule(RULE)
    bench.set_share(0.25)
    bench.replay()
    bench.calibrate()
    bench.export_profile(source / "gate.json", name="own", by="ana")
    bench.close()
    again = Bench(load_workload(source), folder=tmp_path / "space")
    again.wait(60)
    assert again.rule_table.names == ("titles", "titles-2", "money", "old", "sums")
    assert again.state.tuned == bench.state.tuned
    assert again.notes == ()
    assert any("The rules for other documents and the block cut were tuned by hand" in note
               for note in again.profile_now().notes)  # fmt: skip
    again.undo()
    again.undo()
    assert again.state.tuned.origin == "none"
    again.undo()
    assert again.rule_table.names == ("titles", "titles-2", "money", "old")
    again.close()


def test_other_rules_of_the_reader_do_not_take_the_place_of_those_that_the_work_began_with(
    benches: Benches,
) -> None:
    bench = benches()
    bench.set_budget(1_500)
    bench.edit_rule("money", weight=1.2)
    bench.undo()
    bench.close()
    other = SparseReader(scorer=None, rules=RuleTable("house", TABLE.rules[:1]), token_share=0.3, min_tokens=200)
    again = benches(reader=other)
    assert (again.budget, again.rule_table.names) == (1_500, TABLE.names)
    assert again.notes == (
        "The work in this folder began with other rules, offsets or weights of the gate than the reader and its "
        "profile have now, and goes on with those; give another folder to begin with these.",
    )


def test_where_nothing_was_tuned_the_rules_of_the_reader_are_taken(benches: Benches) -> None:
    bench = benches()
    bench.show("tune")
    bench.close()
    other = SparseReader(scorer=None, rules=RuleTable("house", TABLE.rules[:1]), token_share=0.3, min_tokens=200)
    again = benches(reader=other)
    assert (again.rule_table.names, again.notes) == (("titles",), ())


def test_a_table_that_extends_another_one_does_so_after_a_restart(benches: Benches) -> None:
    reader = SparseReader(scorer=None, rules=RuleBook.shipped(), min_tokens=200)
    bench = benches(reader=reader)
    bench.set_budget(900)
    bench.close()
    again = benches(reader=reader)
    assert {key: table.extends for key, table in again.rule_book.tables.items()} == {
        key: table.extends for key, table in reader.rule_book.tables.items()
    }
    assert again.state.tuned.tables == bench.state.tuned.tables
    assert again.rule_book.tables["legal"] == load_rules("legal")


def test_a_step_that_cannot_be_done_again_leaves_undo_and_redo_in_pairs(benches: Benches, tmp_path: Path) -> None:
    lines = [
        Operation("set_budget", {"tokens": 1_500}),
        Operation("edit_rules", {"table": "*", "edit": {"do": "set", "rule": "gone", "field": "weight", "value": 2}}),
        Operation("undo"),
    ]
    (tmp_path / "space").mkdir()
    (tmp_path / "space" / "journal.jsonl").write_bytes(b"".join(line_of(one) + b"\n" for one in lines))
    bench = benches()
    assert bench.budget == 1_500
    assert len(bench.notes) == 1
    assert "has no rule 'gone'" in bench.notes[0]


@pytest.mark.parametrize(
    "values",
    [
        {"table": ["x"], "edit": {}},
        {"table": "*", "edit": {"do": ["set"]}},
        {"table": "*", "edit": {"do": "set", "rule": "titles", "field": ["weight"], "value": 1}},
    ],
)
def test_a_line_with_values_of_another_type_is_a_note_and_the_bench_opens(
    benches: Benches, tmp_path: Path, values: dict[str, object]
) -> None:
    lines = [Operation("set_budget", {"tokens": 700}), Operation("edit_rules", values)]
    (tmp_path / "space").mkdir()
    (tmp_path / "space" / "journal.jsonl").write_bytes(b"".join(line_of(one) + b"\n" for one in lines))
    bench = benches()
    assert bench.budget == 700
    assert len(bench.notes) == 1
    assert " could not be done again and is left out: " in bench.notes[0]


def test_a_job_that_ended_with_its_kernel_is_told(benches: Benches, tmp_path: Path) -> None:
    (tmp_path / "space").mkdir()
    at = "2026-11-30T12:05:00.000+00:00"
    lines = [Operation(kind, id=kind, at=at) for kind in ("calibrate", "replay")]
    (tmp_path / "space" / "journal.jsonl").write_bytes(b"".join(line_of(one) + b"\n" for one in lines))
    bench = benches(outcomes=made_outcomes())
    assert bench.notes == (
        "The job calibrate of 2026-11-30 12:05 came to no end: its kernel ended first, or works on it still; begin it "
        "again where nothing runs.",
        "The job replay of 2026-11-30 12:05 came to no end: its kernel ended first, or works on it still; begin it "
        "again where nothing runs.",
    )


def test_a_job_that_was_done_or_failed_or_was_cancelled_is_not_told_of_again(benches: Benches, tmp_path: Path) -> None:
    bench = benches(outcomes=made_outcomes())
    bench.calibrate()
    bench.close()
    again = benches(outcomes=made_outcomes())
    again.wait()
    assert again.notes == ()
    failing = benches(outcomes=made_outcomes().assign(split="test"), folder=tmp_path / "other")
    failing.calibrate(wait=False)
    failing.wait()
    failing.close()
    assert not any("came to no end" in note for note in benches(folder=tmp_path / "other").notes)


def test_a_calibration_begun_behind_a_replay_fits_the_new_outcomes(
    benches: Benches, replayed: Path, tmp_path: Path
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches()
    bench.set_share(0.05)
    before = bench.outcomes
    bench.replay(wait=False)
    bench.calibrate(wait=False)
    bench.wait(60)
    assert bench.outcomes is not before
    judged = bench.judged
    assert judged is not None
    assert judged.out_of_sample
    assert bench.outcomes is not None
    assert judged.outcomes.tokens_sparse.tolist() == bench.outcomes["tokens_sparse"].tolist()
    rule = bench.gate_rule
    bench.calibrate()
    assert bench.gate_rule == rule


def test_a_calibration_to_which_an_undo_leads_has_its_figures_also_after_a_restart(benches: Benches) -> None:
    outcomes = made_outcomes()
    bench = benches(outcomes=outcomes)
    found = bench.calibrate()
    bench.set_gate(-0.5, 0.5)
    bench.close()
    again = benches(outcomes=outcomes)
    again.undo()
    again.wait(60)
    assert again.judged is not None
    assert [str(one) for one in again.judged.figures] == [str(one) for one in found.figures]  # type: ignore[union-attr]
    assert again.notes == ()


def test_after_another_tolerance_and_back_the_figures_of_the_calibration_are_there(benches: Benches) -> None:
    outcomes = made_outcomes()
    bench = benches(outcomes=outcomes)
    found = bench.calibrate()
    bench.set_tolerance(0.3)
    assert bench.judged is not found
    bench.undo()
    assert bench.judged is found
    bench.redo()
    bench.close()
    again = benches(outcomes=outcomes)
    again.wait(60)
    assert again.notes == ()
    again.undo()
    assert again.judged is not None
    assert again.judged.out_of_sample


def test_one_call_that_changes_several_fields_of_a_rule_is_one_step(benches: Benches) -> None:
    bench = benches()
    bench.edit_rule("money", name="sums", weight=1.9, reason="其他", pin=True)
    assert bench.operations == 1
    assert bench.calls == ("bench.edit_rule('money', weight=1.9, reason='其他', pin=True, name='sums')",)
    rule = bench.rule_table.rule("sums")
    assert (rule.weight, rule.reason, rule.pin) == (1.9, "其他", True)
    bench.undo()
    assert bench.rule_table == TABLE


def test_a_file_that_cannot_be_written_down_is_not_written(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.edit_rule("money", weight=1.9)
    bench._journal.close()
    (tmp_path / "space" / "journal.jsonl").unlink()
    (tmp_path / "space" / "journal.jsonl").mkdir()
    with pytest.raises(Exception, match=r"^The journal .* cannot be written"):
        bench.save_rules(tmp_path / "house.yaml")
    assert not (tmp_path / "house.yaml").exists()


def test_a_file_that_cannot_be_written_leaves_the_rules_unsaved(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.edit_rule("money", weight=1.9)
    (tmp_path / "own.yaml").mkdir()
    with pytest.raises(InvalidRules, match=r"own\.yaml"):
        bench.save_rules(tmp_path / "own.yaml")
    assert (bench.saved_table, bench.operations) == (TABLE, 2)
    bench.close()
    assert benches().saved_table == TABLE


def test_saved_rules_are_those_of_the_last_file_that_was_written(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    assert (bench.saved_table, bench.rules_path) == (TABLE, "house.yaml")
    bench.edit_rule("money", weight=1.9)
    assert bench.saved_table == TABLE
    bench.save_rules(tmp_path / "own.yaml")
    assert (bench.saved_table, bench.rules_path) == (bench.rule_table, str(tmp_path / "own.yaml"))
    bench.edit_rule("money", weight=2.5)
    bench.close()
    again = benches()
    assert again.saved_table.rule("money").weight == 1.9
    assert again.rule_table.rule("money").weight == 2.5


def test_what_is_saved_is_what_was_shown(benches: Benches, tmp_path: Path) -> None:
    bench = benches(reader=SparseReader(scorer=None, rules=RuleBook.shipped(), min_tokens=200))
    bench.edit_rule(bench.rule_table.names[0], weight=1.9)
    shown = bench.prepared_rules(tmp_path / "own.yaml")
    bench.edit_rule(bench.rule_table.names[0], weight=2.1)
    with pytest.raises(InvalidRules, match=r"^Saving to own\.yaml would not write what was shown; look at the diff"):
        bench.save_rules(tmp_path / "own.yaml", fingerprint=shown.fingerprint)
    assert not (tmp_path / "own.yaml").exists()
    bench.undo()
    bench.save_rules(tmp_path / "own.yaml", fingerprint=shown.fingerprint)
    assert (tmp_path / "own.yaml").read_text("utf-8") == shown.text


def test_filters_of_no_column_are_refused(benches: Benches) -> None:
    bench = benches()
    with pytest.raises(InvalidOption, match=r"^There is no filter 'colour'; choose from text, route"):
        bench.filter(colour=3)
    with pytest.raises(InvalidOption, match=r"^route is 'bogus'; choose from native, advisory, force"):
        bench.filter(route="bogus")
    with pytest.raises(InvalidOption, match=r"^wrong is 'yes'; give True or False\.$"):
        bench.filter(wrong="yes")
    bench.filter(route="force", text="键", wrong=True, order="regret")
    assert dict(bench.state.filters) == {"route": "force", "text": "键", "wrong": True, "order": "regret"}


def test_a_second_bench_in_a_folder_takes_the_place_of_the_first(benches: Benches) -> None:
    first = benches(outcomes=made_outcomes())
    first.set_budget(700)
    heard: list[frozenset[str]] = []
    first.watch(heard.append)
    first.calibrate(wait=False)
    second = benches(outcomes=made_outcomes())
    second.wait(60)
    first.wait(60)
    assert second.budget == 700
    assert frozenset({"closed"}) in heard
    with pytest.raises(InvalidOption, match=r"^This bench gave way to a newer one in the same folder; use that one\.$"):
        first.set_budget(800)
    second.set_budget(900)
    assert not any("Another kernel" in note for note in second.notes)
    second.close()
    assert benches().budget == 900


def test_the_first_line_of_a_journal_says_what_the_work_began_with(benches: Benches) -> None:
    bench = benches()
    bench.show("tune")
    bench.set_budget(700)
    bench.set_budget(800)
    lines = [json.loads(line) for line in (bench.folder / "journal.jsonl").read_text("ascii").splitlines()]
    assert ["began" in line for line in lines] == [False, True, False, False]
    assert bench.operations == 3
    found = Journal(bench.folder / "journal.jsonl").load()
    assert len(found.operations) == 3
    assert found.began is not None
    assert sorted(found.began) == ["offsets", "origin", "request", "rule", "tables", "tolerance"]
    assert found.began["request"] == "0-pumps"
