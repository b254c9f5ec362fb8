"""A request is checked when it is made, and every mistake of it is told at once."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from workbench.errors import InvalidWorkload
from workbench.gate.intent import Action
from workbench.relevance.scores import Scope
from workbench.workload import SCENARIOS, CharRange, Evidence, Request
from workbench.workload.requests import RequestProblems, request_of

LINE: dict[str, Any] = {
    "id": "手册-007",
    "artifact": "artifacts/泵手册.pdf",
    "question": "泵多久润滑一次？",
    "scope": "several",
    "action": "read",
    "evidence": [
        {"quote": "每 500 小时润滑一次", "page": 12, "file": "a.pdf"},
        {"quote": "", "anchor": {"start_char": 3, "end_char": 9}},
    ],
    "answer": "500 小时",
    "answers": ["每 500 小时"],
    "answerable": True,
    "scenario": "pdf_report_qa",
    "split": "test",
    "turns": ["What pump is it?"],
    "label": "near miss",
    "rubric": "Names the interval.",
    "near_miss": "300 小时",
}


def made(**changed: Any) -> Request:
    return Request(**({"id": "a", "artifact": "a.txt", "question": "When?"} | changed))


def test_a_line_of_the_file_is_a_request_and_back() -> None:
    request = request_of(LINE)
    assert (request.scope, request.action, request.split) == (Scope.SEVERAL, Action.READ, "test")
    assert request.evidence[0] == Evidence(quote="每 500 小时润滑一次", page=12, file="a.pdf")
    assert request.evidence[1].anchor == CharRange(3, 9)
    assert request_of(request.to_dict()) == request
    assert repr(request) == "Request('手册-007', 'artifacts/泵手册.pdf', '泵多久润滑一次？')"
    assert pickle.loads(pickle.dumps(request)) == request
    assert len({request, request_of(LINE)}) == 1


def test_what_is_not_said_is_as_by_default() -> None:
    nothing = dict.fromkeys(["scope", "action", "answer", "split", "scenario", "turns", "answers", "evidence", "label"])
    request = request_of({"id": "a", "artifact": "a.txt", "question": "When?", **nothing})
    assert request == made()
    assert (request.split, request.scenario, request.evidence) == ("dev", SCENARIOS[0], ())
    assert made().to_dict() == {
        "id": "a",
        "artifact": "a.txt",
        "question": "When?",
        "scenario": "long_document_qa",
        "split": "dev",
    }


def test_lists_become_tuples_so_that_nobody_changes_them() -> None:
    evidence = [Evidence(quote="in May")]
    request = made(evidence=evidence, turns=["Who?"], answers=["May"])
    evidence.clear()
    assert (request.evidence, request.turns, request.answers) == ((Evidence(quote="in May"),), ("Who?",), ("May",))


@pytest.mark.parametrize("artifact", ["a/b.txt", "./a/b.txt", "a//b.txt", "a/./b.txt", "a/b.txt/"])
def test_a_document_has_one_key_however_its_path_is_spelled(artifact: str) -> None:
    assert made(artifact=artifact).document_key == "a/b.txt"


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("id", "", "id: it is empty; give a text"),
        ("id", 7, "id: it is a number; write a text in quotes"),
        ("id", "x" * 201, "id: it has 201 characters; at most 200 can be"),
        ("id", "a\nb", "id: 'a\\nb' holds characters that cannot be shown; use letters, digits and signs"),
        ("question", " \n", "question: it is empty; give a text"),
        ("question", "x" * 10_001, "question: it has 10,001 characters; at most 10,000 can be"),
        ("scope", "pont", "scope: there is no scope 'pont'; the nearest is 'point'"),
        ("scope", 3, "scope: it is a number; write one of point, several, aggregate, whole"),
        ("action", "browse", "action: there is no action 'browse'; there are read, copy, edit, execute"),
        ("scenario", "native-fit", "scenario: there is no scenario 'native-fit'; the nearest is 'native_fit'"),
        ("split", "train", "split: there is no split 'train'; there are dev, test"),
        ("answerable", "no", "answerable: it is a text; write true or false"),
        ("answer", 12, "answer: it is a number; write a text in quotes"),
        ("answers", "May", "answers: it is a text; write a list of texts, or []"),
        ("answers", ["May", 5], "answers: of entry 2, it is a number; write a text in quotes"),
        ("turns", [""], "turns: of entry 1, it is empty; give a text"),
        ("label", 1, "label: it is a number; write a text in quotes"),
        ("rubric", "", "rubric: it is empty; give a text"),
        ("near_miss", ["x"], "near_miss: it is a list; write a text in quotes"),
        ("evidence", "in May", "evidence: it is a text; write a list of objects, or []"),
        ("artifact", "../a.txt", "artifact: '../a.txt' cannot be used (its path leads out of the folder with '..');"),
        ("artifact", "/etc/passwd", "artifact: '/etc/passwd' cannot be used (its path is absolute);"),
        ("artifact", "C:a.txt", "artifact: 'C:a.txt' cannot be used (its path names a drive);"),
        ("artifact", "a\\b.txt", "artifact: 'a\\\\b.txt' has a backslash; write paths with /"),
        ("artifact", "./", "artifact: './' cannot be used (it names the folder itself);"),
        ("artifact", "a\0b", "(its name holds a zero byte)"),
    ],
)
def test_each_field_is_checked_and_the_remedy_told(field: str, value: Any, told: str) -> None:
    with pytest.raises(InvalidWorkload) as caught:
        request_of(LINE | {field: value})
    assert told in str(caught.value)
    assert len(caught.value.problems) == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("piece", "told"),
    [
        ("in May", """evidence 1: it is a text; write an object, as in {"quote": "…"}"""),
        ({}, "evidence 1, quote: there is none; copy the words from the artifact, or give the page or anchor that"),
        ({"quote": " "}, "evidence 1, quote: there is none"),
        ({"quote": 5}, "evidence 1, quote: it is a number; write a text in quotes"),
        ({"quote": "x", "page": 0}, "evidence 1, page: it is 0; pages are whole numbers from 1"),
        ({"quote": "x", "page": True}, "evidence 1, page: it is true or false; pages are whole numbers from 1"),
        ({"quote": "x", "page": "3"}, "evidence 1, page: it is a text; pages are whole numbers from 1"),
        ({"quote": "x", "pgae": 3}, "evidence 1, pgae: there is no such field; the nearest is 'page'"),
        ({"quote": "x", "file": ""}, "evidence 1, file: it is empty; give a text"),
        ({"quote": "x", "anchor": [1, 2]}, 'evidence 1, anchor: it is a list; write {"start_char": 0, "end_char": 9}'),
        ({"quote": "x", "anchor": {"start_char": 5}}, "evidence 1, anchor, end_char: it is missing"),
        (
            {"quote": "x", "anchor": {"start_char": 5, "end_char": 5}},
            "evidence 1, anchor: start_char and end_char are whole numbers from 0, and end_char is the greater one",
        ),
    ],
)
def test_each_piece_of_evidence_is_checked(piece: Any, told: str) -> None:
    with pytest.raises(InvalidWorkload) as caught:
        request_of(LINE | {"evidence": [piece]})
    assert told in str(caught.value)
    assert len(caught.value.problems) == 1  # type: ignore[attr-defined]


def test_an_unanswerable_request_has_no_evidence() -> None:
    with pytest.raises(InvalidWorkload, match="evidence: it has pieces, but answerable is false; take out one of"):
        made(answerable=False, evidence=[Evidence(quote="in May")])
    assert made(answerable=False, answer="It does not say.").evidence == ()


def test_every_mistake_of_a_request_is_told_at_once() -> None:
    with pytest.raises(RequestProblems) as caught:
        request_of({"id": "q1", "questoin": "When?", "artifact": "/x", "scope": "all", "evidence": [{}, 5]})
    assert [field for field, _ in caught.value.problems] == [
        "questoin",
        "question",
        "evidence 1, quote",
        "evidence 2",
        "artifact",
        "scope",
    ]
    assert str(caught.value).startswith("Request 'q1': questoin: there is no such field; the nearest is 'question'; ")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.problems) == (str(caught.value), caught.value.problems)
