"""Questions of the sets become cases whose gold blocks say what the set says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.evidence_sets import SETS, Case, load
from benchmarks.evidence_sets.cases import Places, halves, wanted
from benchmarks.evidence_sets.manuscripts import Manuscript
from workbench.documents import BlockKind, Document
from workbench.workload.importers.manuscripts import in_hash_order, pools
from workbench.workload.importers.mmlongbench import answers_of
from workbench.workload.places import blocks_at, exact_places, joined_places, page_places, quote_places, similar_places
from workbench.workload.wording import best_for, content_words, holding_half

KEYS = [f"document {rank}" for rank in range(9)]


@pytest.fixture(scope="module", autouse=True)
def bench_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep the tests out of the user's cache."""
    folder = tmp_path_factory.mktemp("bench")
    patch = pytest.MonkeyPatch()
    patch.setenv("SPARSEREAD_BENCH_CACHE", str(folder))
    return folder


def document_of(*paragraphs: str, suffix: str = ".txt") -> Document:
    manuscript = Manuscript()
    for paragraph in paragraphs:
        manuscript.paragraph(paragraph)
    return manuscript.open("made", paragraphs[0][:40], suffix)


def texts(case: Case) -> list[list[str]]:
    """The texts of the gold blocks, a list a piece of evidence."""
    return [[case.document.texts[block] for block in item] for item in case.gold]


def write(path: Path, rows: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.suffix == ".jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) if lines else json.dumps(rows), encoding="utf-8")


# Halves and pools


def test_halves_are_equal_and_do_not_depend_on_the_order_of_the_keys() -> None:
    sides = halves(KEYS)
    assert sides == halves(reversed(KEYS))
    assert sorted(sides.values()) == ["choose"] * 5 + ["report"] * 4


def test_a_limit_takes_whole_documents_of_one_half_in_an_order_that_stays() -> None:
    sides = halves(KEYS)
    three = wanted(sides, "choose", 3)
    assert three == wanted(sides, "choose", 5)[:3]
    assert {sides[key] for key in three} == {"choose"}
    assert wanted(sides, "all", None) == in_hash_order(KEYS)


def test_pools_hold_every_key_once_and_are_of_about_one_size() -> None:
    found = pools(KEYS, 4)
    assert [len(pool) for pool in found] == [5, 4]
    assert sorted(key for pool in found for key in pool) == KEYS
    assert pools(["a"], 10) == [["a"]]


def test_pieces_at_the_same_places_are_one_and_those_without_a_place_are_listed() -> None:
    places = Places.of([("one", [(1, 2), (5,)]), ("same", [(1, 2), (5,)]), ("lost", []), ("other", [(3,)])])
    assert places == Places(((1, 2), (3,)), (((5,),), ()), ("lost",))


# Texts that become documents


def test_a_range_of_a_manuscript_leads_to_the_blocks_that_it_touches() -> None:
    manuscript = Manuscript()
    manuscript.paragraph("# 标题 Title")
    first, _ = manuscript.paragraph("Net sales rose. 利润下降了。")
    table = manuscript.table([["", "2019"], ["Sales | net", "5"], ["Profit", "7"]])
    document = manuscript.open("made", "a table")
    assert [document.texts[block] for block in blocks_at(document, first + 4, first + 6)] == [
        "Net sales rose. 利润下降了。"
    ]
    rows = [document.block(blocks_at(document, *row)[0]) for row in table]
    assert [row.kind for row in rows] == [BlockKind.TABLE_ROW] * 3
    assert rows[2].text.split("\t") == ["Profit", "7"]
    assert blocks_at(document, first - 1, first) == ()


def test_the_same_key_with_another_text_is_another_document() -> None:
    one, other = Manuscript(), Manuscript()
    one.paragraph("Net sales rose.")
    other.paragraph("Net sales fell.")
    assert one.open("made", "key").texts != other.open("made", "key").texts


# From quotes to blocks


def test_a_quote_has_a_place_wherever_it_stands() -> None:
    document = document_of("Term: five years.", "Nothing here.", "The term is  five\nyears from now.", "期限为五年。")
    assert quote_places(document, "five years") == [(0,), (2,)]
    assert quote_places(document, "期限为五年") == [(3,)]
    assert quote_places(document, "six years") == []


def test_a_quote_that_ends_within_a_word_is_found_if_no_other_is() -> None:
    document = document_of("The committee discontinued it.", "It continued.")
    assert exact_places(document, "continued") == [(1,)]
    assert exact_places(document, "scontinued it") == [(0,)]


def test_a_quote_with_parts_left_out_has_the_blocks_of_its_parts() -> None:
    document = document_of(
        "The supplier shall deliver goods.", "Prices follow the annex.", "Payment is due in thirty days."
    )
    quote = "The supplier shall deliver goods. <omitted> Payment is due in thirty days."
    assert quote_places(document, quote) == [(0, 2)]
    assert joined_places(document, "The supplier shall deliver goods. " + "Words that stand nowhere at all. " * 3) == []


def test_a_paraphrased_quote_has_the_fewest_blocks_that_hold_half_of_it() -> None:
    document = document_of(
        "Malatya Erhaç Airport was closed after the earthquake.", "Schools were closed as well, many for weeks."
    )
    quote = "Malatya Erha? Airport was closed after the earthquake,[131] they said"
    assert quote_places(document, quote) == []
    assert quote_places(document, quote, paraphrased=True) == [(0,)]
    assert similar_places(document, "Nothing of this was ever written in that report") == []


def test_evidence_in_another_order_has_the_blocks_whose_letters_stand_in_it() -> None:
    document = document_of("Sales grew to 500 million.", "Costs fell to 300 million.", "The weather was fine.")
    assert page_places(document, "Costs fell to 300 million. Sales grew to 500 million.", 1) == [(0, 1)]
    assert page_places(document, "Nothing of the kind, whatever the page says about it.", 1) == []


def test_blocks_that_say_what_an_answer_says_are_those_with_its_words() -> None:
    document = document_of("The phone number is 555 0199.", "Call the office.", "Our phone is new.")
    assert content_words("The Phone of the office") == {"phone", "office"}
    assert holding_half(document, [0, 1, 2], "phone number 555 0199") == [0]
    assert best_for(document, [0, 1, 2], "phone number 555 0199") == [(0,)]
    assert best_for(document, [1, 2], "zebra") == [(1,), (2,)]


@pytest.mark.parametrize(
    ("kind", "answer", "expected"),
    [
        ("Str", "M.A.", ["M.A."]),
        ("List", "['a', 'b']", ["a", "b"]),
        ("List", "a, b", ["a, b"]),
        ("Int", "7", []),
    ],
)
def test_only_texts_are_answers_that_a_block_can_hold(kind: str, answer: str, expected: list[str]) -> None:
    assert answers_of({"answer_format": kind, "answer": answer}) == expected


# Sets, made small


def squad(*contexts: tuple[str, str, Sequence[tuple[str, str, int]]]) -> dict[str, Any]:
    """Make a file in the format of SQuAD: a paragraph for each (title, context, (question, answer, offset))."""
    articles: dict[str, list[dict[str, Any]]] = {}
    for title, context, asked in contexts:
        pairs = [
            {"id": f"{context}-{rank}", "question": question, "answers": [{"text": answer, "answer_start": at}]}
            for rank, (question, answer, at) in enumerate(asked)
        ]
        articles.setdefault(title, []).append({"context": context, "qas": pairs})
    return {"data": [{"title": title, "paragraphs": paragraphs} for title, paragraphs in articles.items()]}


def test_answers_are_found_by_their_offset_and_wrong_offsets_mended(tmp_path: Path) -> None:
    contexts = [
        (
            "Oxygen",
            "Oxygen is a gas. Priestley found it.",
            [("Who found it?", "Priestley", 17), ("What is it?", "gas", 3)],
        ),
        ("Oxygen", "It burns.", [("What does it not do?", "freezes", 0)]),
    ]
    write(tmp_path / "xquad" / "xquad.en.json", squad(*contexts))
    found, mended, lost = load("xquad", data=tmp_path)
    assert texts(found) == texts(mended) == [["Oxygen is a gas. Priestley found it."]]
    assert (lost.gold, lost.unresolved, lost.scope) == ((), ("freezes",), "point")
    assert {case.document.texts[0] for case in (found, lost)} == {"Oxygen"}


def test_pooled_articles_are_one_document_and_in_the_half_of_their_articles(tmp_path: Path) -> None:
    contexts = [(f"氧{rank}", f"氧气是第{rank}种气体。", [("是什么？", f"第{rank}种", 3)]) for rank in range(30)]
    write(tmp_path / "xquad" / "xquad.zh.json", squad(*contexts))
    pooled = load("xquad_zh_pooled", data=tmp_path)
    alone = load("xquad_zh", data=tmp_path)
    assert len({case.document_key for case in pooled}) == 2
    assert len({case.document_key for case in alone}) == 30
    assert {case.origin: case.half for case in pooled} == {case.origin: case.half for case in alone}
    assert all(case.language == "zh" and texts(case)[0][0].startswith("氧气是第") for case in pooled)


def test_the_same_question_on_several_segments_of_a_policy_is_one_with_several_pieces(tmp_path: Path) -> None:
    asked = "Do you collect my data?"
    contexts = [
        ("site.com", "We collect names.", [(asked, "collect names", 3)]),
        ("site.com", "We also collect cookies.", [(asked, "cookies", 16)]),
    ]
    write(tmp_path / "policyqa" / "dev.json", squad(*contexts))
    (case,) = load("policyqa", data=tmp_path)
    assert texts(case) == [["We collect names."], ["We also collect cookies."]]


def test_a_context_with_its_table_gives_the_rows_and_paragraphs_of_the_facts(tmp_path: Path) -> None:
    question = {
        "uid": "q",
        "question": "What changed?",
        "answer_type": "arithmetic",
        "answer_from": "table-text",
        "mappings": [{"table": [1, 1]}, {"table": [1, 0]}, {"paragraph_2": [0, 5]}],
    }
    context = {
        "table": {"uid": "t", "table": [["", "2019"], ["Sales", "500"]]},
        "paragraphs": [{"uid": "b", "order": 2, "text": "Sales grew."}, {"uid": "a", "order": 1, "text": "About us."}],
        "questions": [question],
    }
    write(tmp_path / "tatqa" / "tatqa_dataset_test_gold.json", [context])
    (case,) = load("tatqa", data=tmp_path)
    assert texts(case) == [["Sales\t500"], ["Sales grew."]]
    assert (case.scope, case.origin, case.label) == ("several", "t", "arithmetic, table-text")


def test_quotes_of_one_text_are_pieces_of_evidence_and_what_is_not_found_is_listed(tmp_path: Path) -> None:
    text = "Picardo was born in Jerez. He built paradores. He died in Madrid."
    pairs = [
        {"Q": "Where?", "A": "J", "type": "computation", "S": ["He built paradores.", "He never was in Rome at all."]}
    ]
    row = {"title": "Picardo", "input": text, "qa_pairs": repr(pairs)}
    write(tmp_path / "loogle" / "longdep_qa.jsonl", [row])
    write(tmp_path / "loogle" / "shortdep_qa.jsonl", [{**row, "qa_pairs": "[]"}])
    (case,) = load("loogle_long", data=tmp_path)
    assert texts(case) == [[text]]
    assert (case.unresolved, case.scope) == (("He never was in Rome at all.",), "aggregate")
    assert load("loogle_short", data=tmp_path) == []


def test_a_conversation_has_its_earlier_turns_and_repeated_text_stands_once(tmp_path: Path) -> None:
    shared = "Backups are kept for thirty days in the region."
    contexts = [
        {"document_id": "page-0-80", "title": "Backups", "text": f"Backups run nightly. {shared}"},
        {"document_id": "page-40-120", "title": "Backups", "text": f"{shared}\n\nThey cost nothing."},
    ]
    turns = [("user", "What is a backup?"), ("agent", "A copy."), ("user", "What does it cost?")]
    row = {
        "conversation_id": "c",
        "task_id": "c<::>2",
        "Collection": "cloud",
        "answerability": ["ANSWERABLE"],
        "contexts": contexts,
        "input": [{"speaker": speaker, "text": text} for speaker, text in turns],
        "targets": [{"speaker": "agent", "text": "They cost nothing."}],
    }
    silent = {**row, "conversation_id": "d", "task_id": "d<::>1", "answerability": ["UNANSWERABLE"]}
    write(tmp_path / "mtrag_un" / "reference.jsonl", [row, silent])
    (case,) = load("mtrag", data=tmp_path)
    assert case.document.text_layer.count(shared) == 1
    assert case.question == "What does it cost?"
    assert [turn.text for turn in case.turns] == ["What is a backup?", "A copy."]
    assert ["They cost nothing."] in texts(case)
    (other,) = load("mtrag_unanswerable", data=tmp_path)
    assert (other.answerable, other.gold, other.label) == (False, (), "UNANSWERABLE")


def test_an_unknown_set_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"^hotpot is no evaluation set; choose from loogle_short, loogle_long, "):
        load("hotpot")


# The real sets


LOST = {"loogle_short": 1, "loogle_long": 1, "mmlongbench": 16}
"""Pieces of evidence that are not found; none in the other sets."""
LIMITS = {"cuad": 3, "cuad_unanswerable": 3, "mmlongbench": 3, "mmlongbench_unanswerable": 3}
"""Documents of the sets that take long to read."""


@pytest.mark.data
@pytest.mark.parametrize("name", [name for name in SETS if name not in ("financebench", "xquad_zh")])
def test_evidence_of_the_real_sets_is_found_but_for_what_is_counted(name: str, data_dir: Path) -> None:
    limit = LIMITS.get(name)
    cases = load(name, data=data_dir, limit=limit)
    assert sum(len(case.unresolved) for case in cases) == LOST.get(name, 0)
    assert len({(case.document_key, case.case_id) for case in cases}) == len(cases)
    for case in cases:
        count = len(case.document)
        assert all(0 <= block < count for block in case.gold_blocks)
        assert len(case.gold) == len(case.also)
        assert case.answerable or not case.gold
    if limit is not None:
        return
    parts = [load(name, data=data_dir, half=half) for half in ("choose", "report")]
    assert sum(map(len, parts)) == len(cases)
    assert {case.document_key for case in parts[0]}.isdisjoint(case.document_key for case in parts[1])


@pytest.mark.data
def test_evidence_of_filings_is_on_its_page(data_dir: Path) -> None:
    cases = load("financebench", data=data_dir, limit=2)
    assert cases and not any(case.unresolved for case in cases)
    rows = (data_dir / "financebench" / "questions.jsonl").read_text("utf-8").splitlines()
    pages = {
        row["financebench_id"]: {int(item["evidence_page_num"]) + 1 for item in row["evidence"]}
        for row in map(json.loads, rows)
    }
    for case in cases:
        assert {case.document.block(block).page for block in case.gold_blocks} <= pages[case.case_id]


@pytest.mark.data
def test_a_text_is_in_the_same_half_of_both_its_sets(data_dir: Path) -> None:
    for one, other in (("loogle_short", "loogle_long"), ("xquad", "xquad_pooled"), ("xquad_pooled", "xquad_zh_pooled")):
        first = {case.origin: case.half for case in load(one, data=data_dir)}
        second = {case.origin: case.half for case in load(other, data=data_dir)}
        assert first.keys() & second.keys()
        assert all(first[key] == second[key] for key in first.keys() & second.keys())
