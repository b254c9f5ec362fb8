"""What every import has in common: where it writes, what it refuses, and what it reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.workload.importers.made_sets import squad, write_json, write_lines
from workbench.errors import FileMissing, InvalidOption, InvalidWorkload
from workbench.workload import load_workload, resolve_all
from workbench.workload.importers import IMPORTERS, ImportReport, import_workload
from workbench.workload.importers.defects import SHOWN, Defects
from workbench.workload.importers.drafting import WorkloadDraft
from workbench.workload.importers.manuscripts import Manuscript, in_hash_order, pools

OXYGEN = ("Oxygen", "Oxygen is a gas. Priestley found it.", [("Who found it?", [("Priestley", 17)])])
WATER = ("水", "水在一百度沸腾，在零度结冰。", [("水在多少度沸腾？", [("一百度", 2)])])


def silent(done: int, total: int) -> None:
    """Show nothing."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_json(tmp_path / "set" / "made.json", squad(OXYGEN, WATER))


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_import_is_a_workload_that_loads_and_resolves(source: Path, tmp_path: Path) -> None:
    report = import_workload("squad", source, tmp_path / "out")
    work = load_workload(tmp_path / "out")
    assert work.name == "squad"
    assert work.description.startswith("Imported from the format of SQuAD")
    assert {request.question for request in work} == {"Who found it?", "水在多少度沸腾？"}
    found = resolve_all(work, progress=False)
    assert all(len(gold) == 1 and not gold.unresolved for gold in found.values())
    assert (report.requests, report.documents, report.evidence, report.ways) == (2, 1, 2, {"anchor": 2})
    assert report.resolved_share == 1.0


def test_two_imports_are_equal_byte_for_byte(source: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        import_workload("squad", source, tmp_path / name)
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


def test_a_folder_with_a_workload_is_replaced_only_by_force(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    import_workload("squad", source, out)
    (out / "notes.txt").write_text("mine")
    with pytest.raises(InvalidOption) as refused:
        import_workload("squad", source, out)
    assert str(refused.value) == (
        f"{out} holds workload.jsonl and artifacts already; choose another folder, or replace it with force=True."
    )
    write_json(source, squad(WATER))
    assert import_workload("squad", source, out, force=True).requests == 1
    assert (out / "notes.txt").read_text() == "mine"
    assert len(load_workload(out)) == 1


def test_a_forced_import_that_finds_no_source_leaves_what_is_there(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    import_workload("squad", source, out)
    before = tree(out)
    with pytest.raises(FileMissing, match=r"^There is no file or folder .*nowhere; give a JSON file in the format of"):
        import_workload("squad", tmp_path / "nowhere", out, force=True)
    assert tree(out) == before


def test_a_file_is_no_folder_to_write_to(source: Path) -> None:
    with pytest.raises(InvalidOption, match=r"made\.json is a file; give a folder to write the workload to\.$"):
        import_workload("squad", source, source)


def test_an_unknown_importer_is_refused_with_the_nearest(source: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"^There is no importer 'financebenhc'; the nearest is 'financebench'\.$"):
        import_workload("financebenhc", source, tmp_path / "out")
    with pytest.raises(InvalidOption, match=r"^limit is 0; give a number of documents from 1\.$"):
        import_workload("squad", source, tmp_path / "out", limit=0)


@pytest.mark.parametrize("name", [name for name in IMPORTERS if name not in ("squad", "csv")])
def test_another_set_is_refused_with_the_files_that_were_looked_for(name: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    with pytest.raises(FileMissing, match=r"^There is no folder .*empty; for .* give the folder that holds "):
        import_workload(name, empty, tmp_path / "out")
    empty.mkdir()
    with pytest.raises(FileMissing) as refused:
        import_workload(name, empty, tmp_path / "out")
    message = str(refused.value)
    assert message.startswith(f"{empty} is not ")
    assert all(
        word.rstrip("/") in message for word in IMPORTERS[name].looks_for.split() if "." in word and "*" not in word
    )
    assert not (tmp_path / "out").exists()


def test_a_set_without_a_usable_row_is_refused_with_its_defects(tmp_path: Path) -> None:
    source = write_json(tmp_path / "made.json", squad(("Oxygen", "It burns.", [("", [("burns", 3)])])))
    with pytest.raises(
        InvalidWorkload, match=r"^No request could be made of .*made\.json \(1 x a row that makes no req"
    ):
        import_workload("squad", source, tmp_path / "out")


def test_without_a_check_nothing_is_said_about_the_evidence(source: Path, tmp_path: Path) -> None:
    report = import_workload("squad", source, tmp_path / "out", check=False)
    assert report.resolved_share != report.resolved_share
    assert "evidence   was not looked for in the documents" in report.report()
    assert (
        repr(report) == "ImportReport('squad', 2 requests on 1 document, evidence not looked for, 0 kinds of defects)"
    )


def test_a_limit_takes_whole_documents_and_the_same_ones_each_time(tmp_path: Path) -> None:
    rows = [
        {"title": f"site{rank}.com", "paragraphs": [{"context": f"We keep {rank} names.", "summary": [], "qas": [
            {"id": f"q{rank}", "question": "How many?", "answers": [{"text": f"{rank} names", "answer_start": 8}]}
        ]}]} for rank in range(6)
    ]  # fmt: skip
    source = write_json(tmp_path / "dev.json", {"data": rows})
    three = import_workload("squad", source, tmp_path / "three", limit=3)
    assert (three.requests, three.documents) == (3, 3)
    import_workload("squad", source, tmp_path / "all")
    wanted = [request.id for request in load_workload(tmp_path / "all")][:3]
    assert [request.id for request in load_workload(tmp_path / "three")] == wanted
    assert load_workload(tmp_path / "three").description.endswith(", 3 documents")


def test_a_report_tells_figures_defects_and_examples() -> None:
    defects = Defects()
    for rank in range(7):
        defects.add("a wrong page; mended", f"row {rank}: <b>第{rank}页</b>")
    report = ImportReport(
        name="made",
        folder=Path("out"),
        requests=3,
        unanswerable=1,
        documents=1,
        evidence=4,
        ways={"exact": 3},
        unresolved=1,
        lost=("q1: it stands nowhere.",),
        defects=tuple(defects),
    )
    assert report.report().splitlines()[:6] == [
        "made: 3 requests on 1 document, 1 of them not answerable, 4 pieces of evidence",
        "evidence   3 of 4 found (75.0 %): exact 3",
        "not found  1 piece; kept in the workload, in no figure",
        "             q1: it stands nowhere.",
        "defects    1 kind",
        "        7  a wrong page; mended",
    ]
    frame = report.to_frame()
    assert list(frame.columns) == ["part", "what", "count", "examples"]
    assert frame.iloc[-1].tolist()[:3] == ["defect", "a wrong page; mended", 7]
    assert len(report.defects[0].examples) == SHOWN
    assert "&lt;b&gt;第0页" in report._repr_html_()
    assert json.dumps(report.to_dict())


def test_names_of_artifacts_are_safe_and_never_taken_twice(tmp_path: Path) -> None:
    draft = WorkloadDraft(tmp_path, Defects(), silent)
    assert draft.text("A b/c: 水?", "x") == "artifacts/A_b_c_水.md"
    assert draft.text("a B/C: 水?", "y") == "artifacts/a_B_C_水-2.md"
    assert draft.text("...", "z", "") == "artifacts/artifact"
    assert len(draft.text("水" * 300, "w").encode()) < 255


def test_requests_with_one_id_get_numbers_and_are_reported(tmp_path: Path) -> None:
    defects = Defects()
    draft = WorkloadDraft(tmp_path, defects, silent)
    for identity in ("q", "q", "i" * 500, "a\tb"):
        assert draft.ask("row", identity=identity, artifact="a.txt", question="Why?")
    assert not draft.ask("row 5", identity="x", artifact="../a.txt", question=" ")
    assert [request.id for request in draft.requests][:2] == ["q", "q#2"]
    assert len(draft.requests[2].id) <= 200
    assert draft.requests[3].id == "a_b"
    kinds = {defect.kind: defect for defect in defects}
    assert kinds["an id that is taken; a number was added"].examples == ("row: q",)
    (said,) = kinds["a row that makes no request; left out"].examples
    assert said.startswith(
        "row 5: artifact: '../a.txt' cannot be used (its path leads out of the folder with '..'); name"
    )


def test_lines_that_are_no_rows_are_listed_with_their_numbers(tmp_path: Path) -> None:
    pairs = repr([{"Q": "Where?", "A": "Jerez", "S": "Picardo was born in Jerez."}])
    good = {"title": "Picardo", "input": "Picardo was born in Jerez. He died in Madrid.", "qa_pairs": pairs}
    rows = ["{broken", "[1]", {"title": "No text"}, good]
    write_lines(tmp_path / "set" / "shortdep_qa.jsonl", rows)
    report = import_workload("loogle", tmp_path / "set", tmp_path / "out")
    assert report.requests == 1
    examples = [said for defect in report.defects for said in defect.examples]
    assert "shortdep_qa.jsonl, line 2: it is no object" in examples
    assert "shortdep_qa.jsonl, line 3: input is missing" in examples
    assert any(said.startswith("shortdep_qa.jsonl, line 1: it is no JSON (") for said in examples)


def test_pools_and_manuscripts_keep_every_part() -> None:
    keys = [f"document {rank}" for rank in range(9)]
    found = pools(keys, 4)
    assert [len(pool) for pool in found] == [5, 4]
    assert [key for pool in found for key in pool] == in_hash_order(keys)
    manuscript = Manuscript()
    low, high = manuscript.paragraph("利润下降了。")
    rows = manuscript.table([["", "2019"], ["Sales | net", "5"]])
    assert manuscript.text[low:high] == "利润下降了。"
    assert manuscript.text[slice(*rows[1])] == "| Sales \\| net | 5 |"
