"""Each importer handles the defects of its set, and tells them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.workload.importers.made_sets import beir, blank_pdf, squad, write_json, write_lines
from workbench.errors import FileMissing, InvalidWorkload
from workbench.workload import Request, load_workload, resolve_all
from workbench.workload.importers import ImportReport, import_workload


def imported(name: str, source: Path, out: Path, **options: Any) -> tuple[ImportReport, list[Request], dict[str, int]]:
    report = import_workload(name, source, out, progress=False, **options)
    kinds = {defect.kind.split(";")[0]: defect.count for defect in report.defects}
    return report, list(load_workload(out).requests), kinds


def held(out: Path) -> dict[str, list[list[str]]]:
    """The texts of the blocks of the first place of every piece, by request."""
    work = load_workload(out)
    found = {}
    for identity, gold in resolve_all(work, progress=False).items():
        texts = work.open(work.request(identity)).texts
        found[identity] = [[texts[block] for block in piece.places[0]] for piece in gold.pieces]
    return found


def test_squad_mends_wrong_offsets_and_lists_lost_answers(tmp_path: Path) -> None:
    context = "Oxygen is a gas. Priestley found it."
    made = squad(
        ("Oxygen", context, [("Who?", [("Priestley", 3)]), ("What not?", [("a metal", -1), ("a gas", 10)])]),
        ("Oxygen", "氧气支持燃烧。", [("支持什么？", [("爆炸", 4)])]),
    )
    made["data"][0]["paragraphs"][1]["qas"].append(
        {"id": "none", "question": "谁？", "answers": [], "is_impossible": True}
    )
    write_json(tmp_path / "xquad.en.json", made)
    report, requests, kinds = imported("squad", tmp_path / "xquad.en.json", tmp_path / "out")
    assert kinds == {
        "an answer at a wrong offset": 1,
        "an answer that does not stand in its paragraph": 2,
        "a question none of whose answers stands in its paragraph": 1,
    }
    who, what, supports, nobody = requests
    assert (who.evidence[0].quote, who.answer, who.scope) == ("Priestley", "Priestley", "point")
    assert (what.evidence[0].quote, what.answer, what.answers) == ("a gas", "a metal", ("a gas",))
    assert (supports.evidence, supports.answerable, nobody.answerable) == ((), True, False)
    assert held(tmp_path / "out")[who.id] == [[context]]
    assert report.unanswerable == 1


def test_the_segments_of_a_site_are_one_policy_and_equal_questions_one_request(tmp_path: Path) -> None:
    asked = "Do you collect my data?"
    made = squad(
        ("site.com", "We collect names.", [(asked, [("collect names", 3)])]),
        ("site.com", "We also collect cookies.", [(asked, [("cookies", 16)])]),
    )
    for paragraph in made["data"][0]["paragraphs"]:
        paragraph["summary"] = []
    write_json(tmp_path / "dev.json", made)
    _, (request,), kinds = imported("squad", tmp_path / "dev.json", tmp_path / "out")
    assert request.artifact == "artifacts/site.com.txt"
    assert (request.scope, request.answer) == (None, None)
    assert held(tmp_path / "out")[request.id] == [["We collect names."], ["We also collect cookies."]]
    assert kinds == {"the same words asked of several segments of a policy": 1}


def test_a_folder_of_squad_files_is_one_workload_and_other_json_is_told(tmp_path: Path) -> None:
    source = tmp_path / "set"
    write_json(source / "xquad.en.json", squad(("A", "It is red.", [("What?", [("red", 6)])])))
    write_json(source / "xquad.zh.json", squad(("A", "它是红色的。", [("什么颜色？", [("红色", 2)])])))
    write_json(source / "meta.json", {"name": "xquad"})
    report, requests, kinds = imported("squad", source, tmp_path / "out")
    assert {request.id.split("/")[0] for request in requests} == {"xquad.en", "xquad.zh"}
    assert report.documents == 2
    assert kinds == {"a JSON file that is not in the format of SQuAD": 1}


def test_loogle_reads_literals_and_one_text_of_both_tasks_once(tmp_path: Path) -> None:
    text = "Picardo was born in Jerez. He built paradores. He died in Madrid."
    lengthy = [{"Q": "Where?", "A": "J", "type": "computation", "S": ["He built paradores.", "He was never in Rome."]}]
    short = [{"Q": "Born?", "A": "Jerez", "S": "Picardo was born in Jerez."}]
    other = {"title": "Other", "input": "Other text.", "qa_pairs": "none"}
    broken = {"title": "Broken", "input": "Text.", "qa_pairs": "[{'Q': __import__('os')}]"}
    write_lines(
        tmp_path / "set" / "longdep_qa.jsonl", [{"title": "P", "input": text, "qa_pairs": repr(lengthy)}, other]
    )
    write_lines(
        tmp_path / "set" / "shortdep_qa.jsonl", [{"title": "P", "input": text, "qa_pairs": repr(short)}, broken]
    )
    report, requests, kinds = imported("loogle", tmp_path / "set", tmp_path / "out")
    assert [(request.id, request.scope) for request in requests] == [("P/short-0", "point"), ("P/long-0", "aggregate")]
    assert (report.documents, report.unresolved) == (1, 1)
    assert report.lost[0].startswith("P/long-0: 'He was never in Rome.' stands in no block of P.txt")
    assert kinds == {
        "questions written as a Python literal in a text": 2,
        "questions that are no Python literal": 1,
        "a text without questions": 1,
        "a quote that does not stand in its text word for word": 1,
    }


def test_a_context_of_tatqa_gives_rows_and_paragraphs_and_tells_other_facts(tmp_path: Path) -> None:
    question = {
        "uid": "q",
        "question": "What changed?",
        "answer": -7.5,
        "scale": "percent",
        "answer_type": "arithmetic",
        "answer_from": "table-text",
        "facts": ["500", "grew"],
        "mappings": [{"table": [1, 1]}, {"table": [1, 0]}, {"paragraph_2": [6, 9]}, {"table": [7, 0]}],
    }
    context = {
        "table": {"uid": "t", "table": [["", "2019"], ["Sales | net", "500"]]},
        "paragraphs": [{"uid": "b", "order": 2, "text": "Sales grew."}, {"uid": "a", "order": 1, "text": "关于我们。"}],
        "questions": [question, {"uid": "bad", "question": "?", "answer_type": "span", "mappings": [{"table": 3}]}],
    }
    write_json(tmp_path / "tatqa_dataset_test_gold.json", [context, 5])
    _, (request,), kinds = imported("tatqa", tmp_path, tmp_path / "out")
    assert held(tmp_path / "out") == {"q": [["Sales \\| net\t500"], ["Sales grew."]]}
    assert (request.scope, request.answer, request.answers) == ("several", "-7.5%", ("-7.5",))
    assert request.scenario == "structured_analysis"
    assert kinds == {
        "a row that cannot be read": 1,
        "evidence at a cell or range that is not there": 1,
        "a paragraph range that gives another text than the fact": 1,
        "a row without a field that it needs, or with one of another kind": 1,
    }


def conversation(identity: str, label: str, contexts: list[dict[str, str]], *turns: str) -> dict[str, Any]:
    speakers = ["user", "agent"]
    return {
        "conversation_id": identity,
        "task_id": f"{identity}<::>{len(turns)}",
        "Collection": "cloud",
        "answerability": [label],
        "contexts": contexts,
        "input": [{"speaker": speakers[rank % 2], "text": text} for rank, text in enumerate(turns)],
        "targets": [{"speaker": "agent", "text": "They cost nothing in the region."}],
    }


def test_a_conversation_has_its_earlier_questions_as_turns(tmp_path: Path) -> None:
    shared = "Backups are kept for thirty days."
    contexts = [
        {"document_id": "page-0-80", "title": "Backups", "text": f"Backups run nightly. {shared}"},
        {"document_id": "page-40-120", "title": "Backups", "text": f"{shared}\n\nThey cost nothing."},
        {"document_id": "other-0-20", "title": "Regions", "text": "A region has three sites."},
    ]
    rows = [
        conversation("c", "ANSWERABLE", contexts, "What is a backup?", "A copy.", "What does it cost?"),
        conversation("d", "UNDERSPECIFIED", contexts[:1], "And that one?"),
        conversation("e", "UNANSWERABLE", [], "Who founded it?"),
    ]
    write_lines(tmp_path / "reference.jsonl", rows)
    _, requests, kinds = imported("mtrag", tmp_path, tmp_path / "out")
    by_id = {request.id: request for request in requests}
    asked = by_id["c<::>3"]
    assert (asked.question, asked.turns) == ("What does it cost?", ("What is a backup?",))
    assert (asked.scenario, asked.rubric) == (
        "multi_file_audit",
        "A good answer says what this one says: They cost nothing in the region.",
    )
    assert held(tmp_path / "out")["c<::>3"][1:] == [["They cost nothing."], ["A region has three sites."]]
    assert not by_id["d<::>1"].answerable and not by_id["e<::>1"].answerable
    assert (tmp_path / "out" / asked.artifact).read_text("utf-8").count(shared) == 1
    assert kinds == {
        "turns of the agent": 1,
        "a question that the set calls unanswerable or underspecified": 2,
        "passages of a question that is not answerable": 1,
        "a conversation without passages": 1,
        "a passage that repeats the end of the one before": 1,
        "a passage without a word of the answer": 1,
    }


def test_relevant_passages_stand_among_others_of_the_corpus(tmp_path: Path) -> None:
    report, requests, kinds = imported("beir", beir(tmp_path / "set"), tmp_path / "out")
    assert sorted(request.id for request in requests) == ["q1", "q2"]
    assert report.documents == 1
    found = held(tmp_path / "out")
    assert sorted(text for piece in found["q1"] for text in piece) == [
        "Pump 3 delivers 24 litres a minute.",
        "Pump 5 delivers 38 litres a minute.",
    ]
    assert found["q2"] == [["Pump 7 delivers 52 litres a minute."]]
    text = (tmp_path / "out" / requests[0].artifact).read_text("utf-8")
    assert text.count("litres a minute.") == 30
    assert kinds == {
        "judgements of another split": 1,
        "a judgement without two ids and a score": 1,
        "a query without a relevant passage": 2,
        "a judgement on a query that is not there": 1,
        "a judgement on a passage that is not there, or that says nothing": 1,
    }


def test_mteb_rows_are_read_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    write_lines(folder / "corpus.jsonl", [{"id": "甲", "text": "水在一百度沸腾。"}, {"id": "乙", "text": "铁会生锈。"}])
    write_lines(folder / "queries.jsonl", [{"id": 1, "text": "水何时沸腾？"}])
    write_lines(folder / "qrels" / "dev.jsonl", [{"query-id": 1, "corpus-id": "甲", "score": 1}])
    report, (request,), _ = imported("beir", folder, tmp_path / "out")
    assert held(tmp_path / "out") == {"1": [["水在一百度沸腾。"]]}
    assert (request.id, report.ways) == ("1", {"anchor": 1})


def test_a_query_with_many_relevant_passages_keeps_the_best(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set", passages=60)
    judged = [f"q1\tp{rank}\t{1 + (rank == 40)}" for rank in range(50)]
    write_lines(folder / "qrels" / "test.tsv", judged)
    _, (request,), kinds = imported("beir", folder, tmp_path / "out")
    assert len(request.evidence) == 20
    assert request.evidence[0].quote == "Pump 40 delivers 283 litres a minute."
    assert kinds["a query with more than 20 relevant passages"] == 1


def write_table(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def test_rows_of_a_table_with_one_question_are_one_request(tmp_path: Path, sample_dir: Path) -> None:
    shutil.copy(sample_dir / "machines.csv", tmp_path / "machines.csv")
    (tmp_path / "notes.txt").write_text("The store opens at nine.\n\nIt closes at six.\n\n周日休息。\n", "utf-8")
    table = write_table(
        tmp_path / "mine.csv",
        "File;Question;Quote;Page;Answer;Scope;Split;Colour\n"
        "notes.txt;When is it open?;The store opens at nine.;1;nine to six;several;test;red\n"
        'notes.txt;When is it open?;"It closes at six.";1.0;;;;\n'
        "notes.txt;星期几休息？;周日休息;;周日;;;\n"
        "\n"
        "notes.txt;Who owns it?;;;;;;\n"
        "notes.txt;Where?;nine;zero;;;;\n"
        "notes.txt;When is it open?;at six;;six;;dev;\n"
        "missing.pdf;Why?;because;;;;;\n"
        "../mine.csv;Why?;because;;;;;\n"
        "notes.txt;;because;;;;;\n"
        "notes.txt;Too many;because;;;;;;9\n",
    )
    report, requests, kinds = imported("csv", table, tmp_path / "out")
    first, second, third, fourth = sorted(requests, key=lambda request: request.id)
    assert [piece.page for piece in first.evidence] == [1, 1, None]
    assert (first.id, first.scope, first.answer, first.split) == ("notes-001", "several", "nine to six", "test")
    assert (second.question, second.split, second.scenario) == ("星期几休息？", "test", "long_document_qa")
    assert (third.answerable, fourth.evidence[0].page) == (False, None)
    assert report.ways == {"exact": 5}
    assert kinds == {
        "a column that is not known": 1,
        "a row without a field that it needs, or with one of another kind": 2,
        "a row that cannot be read": 1,
        "a row that puts its file in a second split": 1,
        "a row that says another answer, scope, scenario or id than the first of its question": 1,
        "a question without quote and page": 1,
        "a row whose file cannot be used": 2,
    }
    examples = [said for defect in report.defects for said in defect.examples]
    assert "mine.csv, line 11: question is empty" in examples
    assert "mine.csv, line 12: it has 9 cells, and there are 8 columns" in examples


def test_a_table_of_a_spreadsheet_in_chinese_is_read(tmp_path: Path) -> None:
    (tmp_path / "合同.txt").write_text("甲方应在五日内付款。\n\n乙方负责运输。\n", "utf-8")
    table = write_table(tmp_path / "表.csv", "file,question,quote\n合同.txt,何时付款？,五日内付款\n", "utf-8-sig")
    report, (request,), _ = imported("csv", tmp_path, tmp_path / "out")
    assert (request.artifact, report.ways) == ("artifacts/合同.txt", {"exact": 1})
    write_table(table, "datei,frage\na,b\n")
    with pytest.raises(
        InvalidWorkload, match=r"has no column 'file': its first line says datei, frage; name the colum"
    ):
        import_workload("csv", table, tmp_path / "other")
    write_table(tmp_path / "second.csv", "")
    with pytest.raises(
        InvalidWorkload, match=r"second\.csv is empty; write a table with the columns file, question and"
    ):
        import_workload("csv", tmp_path / "second.csv", tmp_path / "other")
    with pytest.raises(FileMissing, match=r"looked for one \*\.csv in it, and there are 2; name the CSV file\.$"):
        import_workload("csv", tmp_path, tmp_path / "other")


def test_a_question_on_a_filing_that_is_not_there_is_listed(tmp_path: Path) -> None:
    source = tmp_path / "set"
    blank_pdf(source / "pdfs" / "A_2020_10K.pdf", 2)
    evidence = [{"evidence_text": "Sales rose", "evidence_page_num": 1, "doc_name": "A_2020_10K"}]
    row = {"financebench_id": "f1", "doc_name": "A_2020_10K", "question": "How?", "evidence": evidence}
    rows = [row, {**row, "financebench_id": "f2", "doc_name": "B"}, {**row, "financebench_id": "f3", "evidence": [{}]}]
    write_lines(source / "questions.jsonl", rows)
    report, requests, kinds = imported("financebench", source, tmp_path / "out")
    assert [(request.id, len(request.evidence)) for request in requests] == [("f1", 1), ("f3", 0)]
    assert requests[0].evidence[0].page == 2
    assert report.lost == ("f1: 'Sales rose' stands in no block of A_2020_10K.pdf that can hold evidence.",)
    assert kinds["a question on a filing that is not there"] == 1
    assert kinds["a page that is counted from 0"] == 1
    assert kinds["evidence from another filing than the question's"] == 1


def test_pages_are_lists_in_a_text_and_what_is_not_answerable_is_imported_so(tmp_path: Path) -> None:
    source = tmp_path / "set"
    blank_pdf(source / "documents" / "a.pdf", 2)
    row = {"doc_id": "a.pdf", "question": "Which?", "answer": "['red', 'blue']", "answer_format": "List",
           "evidence_pages": "[1, 2]", "evidence_sources": "['Chart']"}  # fmt: skip
    rows = [
        row,
        {**row, "answer": "Not answerable", "answer_format": "None", "evidence_pages": "[1]"},
        {**row, "answer": "7", "answer_format": "Int", "evidence_pages": "one"},
        {**row, "doc_id": "../a.pdf"},
    ]
    write_json(source / "samples.json", rows)
    report, requests, kinds = imported("mmlongbench", source, tmp_path / "out")
    assert [
        (request.answer, request.answerable, [piece.page for piece in request.evidence]) for request in requests
    ] == [
        ("red; blue", True, [1, 2]),
        (None, False, []),
        ("7", True, []),
    ]
    assert report.lost[0] == "a/0: There is no block with content at page 1 of a.pdf."
    assert kinds["pages that are no list of pages"] == 1
    assert kinds["pages of a question that is not answerable"] == 1
    assert kinds["a question on a document that is not there"] == 1


def test_a_contract_that_cannot_be_opened_is_told_and_ends_nothing(tmp_path: Path) -> None:
    source = tmp_path / "set"
    path = source / "full_contract_pdf" / "A, Deal [1].PDF"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"%PDF-1.4 nothing more")
    row = {"contract_pdf": "full_contract_pdf/A, Deal [1].PDF", "category": "Term", "question": "How long?",
           "answer": "No", "evidence": []}  # fmt: skip
    quoted = {**row, "category": "Law", "evidence": ["the laws <omitted> of Ohio"], "answer": "Ohio"}
    write_lines(source / "questions.jsonl", [row, quoted, {**row, "contract_pdf": "../../etc/passwd"}])
    report, requests, kinds = imported("cuad", source, tmp_path / "out")
    assert [(request.id, request.answerable, request.answer) for request in requests] == [
        ("A_Deal_1/Term", False, None),
        ("A_Deal_1/Law", True, "Ohio"),
    ]
    assert requests[1].artifact == "artifacts/A_Deal_1.pdf"
    assert report.lost == ("A_Deal_1/Law: its document cannot be opened",)
    assert kinds == {
        "a quote with parts left out (<omitted>)": 1,
        "a file name with characters that not every system takes": 1,
        "a question on a contract that is not there": 1,
        "a document that cannot be opened": 1,
    }
