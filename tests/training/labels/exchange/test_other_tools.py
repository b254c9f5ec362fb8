"""Files as Argilla, Label Studio and SQuAD write them, with what they do to offsets and names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.training.labels.made_labels import ASKED, QUESTION, document_of, label_of
from workbench.documents import Document
from workbench.training.labels import ImportReport, LabelSource, read_labels, write_labels

ANN = "06f7d4c0-e048-43d2-ab3f-06f147616ac6"
BOB = "8aaf57d2-cb8e-4673-a7ce-2f684b60adf5"


def imported(rows: Any, tmp_path: Path, **options: Any) -> ImportReport:
    path = tmp_path / "given.json"
    path.write_text(json.dumps(rows), "utf-8")
    return read_labels(path, **options)


def record(document: Document, **responses: Any) -> dict[str, Any]:
    """A record as ``dataset.records.to_json`` of Argilla 2 writes it."""
    return {
        "id": "rec-1",
        "fields": {"question": QUESTION, "text": document.texts[1]},
        "metadata": {},
        "suggestions": {"label": {"value": "evidence", "score": 0.9, "agent": "model"}},
        "responses": responses,
        "vectors": {},
        "_server_id": "e8d07261-fd60-41e3-9a19-83927c71c9b9",
    }


def test_argilla_has_an_answer_a_user(document: Document, tmp_path: Path) -> None:
    row = record(
        document,
        label=[{"value": "relevant", "user_id": ANN}, {"value": "no", "user_id": BOB}],
        note=[{"value": "unclear", "user_id": BOB}],
    )
    found = imported([row], tmp_path, documents=[document])
    assert [(label.annotator, label.value.value, label.note) for label in found.labels] == [
        (ANN, "evidence", ""),
        (BOB, "not relevant", "unclear"),
    ]
    assert {label.block_id for label in found.labels} == {1}
    assert {label.document_name for label in found.labels} == {"report.md"}
    assert [label.id for label in imported([row], tmp_path, documents=document).labels] == [
        label.id for label in found.labels
    ]


def test_spans_of_argillas_page_are_counted_as_javascript_does(document: Document, tmp_path: Path) -> None:
    # "sales" is (6, 11) in code points; the emoji before it is two units of UTF-16.
    marked = [{"label": "evidence", "start": 7, "end": 12}]
    row = record(document, spans=[{"value": marked, "user_id": ANN}])
    (label,) = imported([row], tmp_path, documents=document).labels
    assert label.span_texts == ("sales",)
    assert label.value == "evidence"


def test_spans_that_were_written_here_are_code_points(document: Document, tmp_path: Path) -> None:
    label = label_of(document, 1, spans=[(6, 11)])
    path = tmp_path / "records.json"
    report = write_labels([label], path, format="argilla")
    assert report.notes[0].startswith("1 label with spans in texts with emoji or rare characters: the page of Argilla")
    rows = json.loads(path.read_text())
    rows[0]["_server_id"] = "e8d07261-fd60-41e3-9a19-83927c71c9b9"
    assert imported(rows, tmp_path).labels == (label,)


def test_flat_rows_of_argilla_have_users_and_states(document: Document, tmp_path: Path) -> None:
    row = {
        "id": "4f56e32b",
        "_server_id": "8aaf57d2",
        "question": QUESTION,
        "text": document.texts[2],
        "label.responses": ["irrelevant", "relevant"],
        "label.responses.users": [ANN, BOB],
        "label.responses.status": ["submitted", "draft"],
        "label.suggestion": "relevant",
        "label.suggestion.score": None,
    }
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps(row | {"label.responses": None}) + "\n")
    found = read_labels(path, documents=document)
    assert found.format == "argilla"
    assert [(label.annotator, label.value.value, label.block_id) for label in found.labels] == [
        (ANN, "not relevant", 2)
    ]
    assert [one.reason for one in found.dropped] == [
        "the response is draft, not submitted",
        "nobody has answered it",
    ]


def test_a_record_of_argilla_that_cannot_be_used_is_told(document: Document, tmp_path: Path) -> None:
    rows = [
        record(document, label=[{"value": "purple", "user_id": ANN}]),
        {**record(document, label=[{"value": "yes", "user_id": ANN}]), "fields": {"prompt": "?"}},
        record(document, spans=[{"value": [{"label": "x", "start": 5, "end": 4000}], "user_id": ANN}]),
        "no record",
    ]
    found = imported(rows, tmp_path, documents=document)
    assert found.labels == ()
    reasons = [one.reason for one in found.dropped]
    assert reasons[0].startswith("'purple' is no value of a label; say with values= which of evidence, useful context")
    assert reasons[1] == "it has no field for the question and the text, such as question and text"
    assert reasons[2].startswith("The response has the span (5, 4000) in a text of")
    assert reasons[3] == "it is no record of Argilla"
    assert imported(rows[:1], tmp_path, documents=document, values={"purple": "unsure"}).labels[0].value == "unsure"


def task(document: Document, *annotations: dict[str, Any]) -> dict[str, Any]:
    """A task as Label Studio exports it."""
    return {
        "id": 17,
        "data": {"question": QUESTION, "text": document.texts[1]},
        "annotations": list(annotations),
        "predictions": [],
        "project": 83,
    }


def annotation(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": 1001,
        "completed_by": 10,
        "result": list(results),
        "was_cancelled": False,
        "created_at": "2021-03-09T22:16:08.728353Z",
        "updated_at": "2021-03-10T22:16:08.728353Z",
        **more,
    }


def choice(word: str) -> dict[str, Any]:
    return {"id": "a", "from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": [word]}}


def marked(start: int, end: int, text: str | None = None, label: str = "evidence") -> dict[str, Any]:
    value = {"start": start, "end": end, "labels": [label], **({} if text is None else {"text": text})}
    return {"id": "b", "from_name": "spans", "to_name": "text", "type": "labels", "value": value}


def test_label_studio_says_who_and_when(document: Document, tmp_path: Path) -> None:
    note = {"from_name": "note", "to_name": "text", "type": "textarea", "value": {"text": ["look", "here"]}}
    row = task(
        document,
        annotation(choice("evidence"), marked(6, 11, "sales"), note),
        annotation(choice("Not relevant"), completed_by={"id": 3, "email": "bob@example.org"}),
    )
    first, second = imported([row], tmp_path, documents=document).labels
    assert (first.annotator, first.at, first.note) == ("user 10", "2021-03-10T22:16:08.728+00:00", "look\nhere")
    assert first.span_texts == ("sales",)
    assert (second.annotator, second.value) == ("bob@example.org", "not relevant")


@pytest.mark.parametrize(
    ("start", "end", "text", "expected"),
    [
        (6, 11, "sales", "sales"),
        (7, 12, "sales", "sales"),
        (2, 7, "sales", "sales"),
        (6, 11, None, "sales"),
        (2, 11, "t😀sales", "t 😀 sales"),
        (40, 4000, "nowhere", None),
    ],
    ids=["code points", "utf-16", "shifted", "without text", "white space lost", "not there"],
)
def test_offsets_of_label_studio_are_checked_by_the_text_beside_them(
    start: int, end: int, text: str | None, expected: str | None, document: Document, tmp_path: Path
) -> None:
    found = imported(
        [task(document, annotation(choice("evidence"), marked(start, end, text)))], tmp_path, documents=document
    )
    (label,) = found.labels
    assert label.span_texts == (() if expected is None else (expected,))
    assert [one.reason for one in found.dropped] == ([] if expected else ["a span that does not stand in its text"])


def test_spans_alone_are_evidence_and_skipped_tasks_are_told(document: Document, tmp_path: Path) -> None:
    rows = [
        task(document, annotation(marked(6, 11, "sales", "Answer"))),
        task(document, annotation(choice("evidence"), was_cancelled=True)),
        task(document, annotation()),
        task(document),
        {"data": {"text": "x"}, "annotations": []},
    ]
    found = imported(rows, tmp_path, documents=document)
    assert [label.value.value for label in found.labels] == ["evidence"]
    assert [one.reason for one in found.dropped] == [
        "the task was skipped",
        "no result is a value of a label",
        "nobody has annotated it",
        "its data has no question; name it question",
    ]


def test_what_is_written_for_label_studio_has_the_form_of_its_tasks(document: Document, tmp_path: Path) -> None:
    labels = [label_of(document, 1, spans=[(4, 5)]), label_of(document, 1, annotator="bob@example.org")]
    write_labels(labels, tmp_path / "tasks.json", format="label studio")
    (row,) = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert row["data"]["text"] == document.texts[1]
    first, second = row["annotations"]
    assert {result["type"]: result["value"] for result in first["result"]} == {
        "choices": {"choices": ["evidence"]},
        "labels": {"start": 4, "end": 5, "text": "😀", "labels": ["evidence"]},
        "textarea": {"text": ["ann"]},
    }
    assert "completed_by" not in first, "Label Studio refuses an annotator that it does not know"
    assert second["completed_by"] == {"email": "bob@example.org"}


def squad(context: str, *questions: dict[str, Any], title: str = "report.md") -> dict[str, Any]:
    return {"version": "v2.0", "data": [{"title": title, "paragraphs": [{"context": context, "qas": list(questions)}]}]}


def test_answers_of_squad_are_spans_and_impossible_questions_are_not_relevant(
    document: Document, tmp_path: Path
) -> None:
    text = document.texts[4]
    rows = squad(
        text,
        {"id": "1", "question": ASKED, "answers": [{"text": "部门经理", "answer_start": 5}], "is_impossible": False},
        {
            "id": "2",
            "question": "Who?",
            "answers": [],
            "plausible_answers": [{"text": "总裁", "answer_start": 1}],
            "is_impossible": True,
        },
        {"id": "3", "question": "When?", "answers": [{"text": "never", "answer_start": 0}], "is_impossible": False},
        {"id": "4", "question": "Where?", "answers": [{"text": "海外", "answer_start": 1}]},
    )
    found = imported(rows, tmp_path, documents=document)
    assert [(label.question, label.value.value, label.span_texts) for label in found.labels] == [
        (ASKED, "evidence", ("部门经理",)),
        ("Who?", "not relevant", ()),
        ("Where?", "evidence", ("海外",)),
    ]
    assert {(label.block_id, label.annotator, label.source) for label in found.labels} == {
        (4, "squad", LabelSource.GOLD)
    }
    assert [one.reason for one in found.dropped] == [
        "an answer that does not stand in its context",
        "it has no answer that stands in its context",
    ]


def test_a_passage_of_several_blocks_is_labelled_where_its_spans_stand(tmp_path: Path) -> None:
    document = document_of(tmp_path, "# T\n\nFirst words stand here.\n\nSecond  words 😀 stand there.\n\nThird.\n")
    passage = "First words stand here. Second words 😀 stand there."
    start = passage.index("words 😀")
    answers = [{"text": "words 😀 stand", "answer_start": start}]
    rows = squad(
        passage,
        {"id": "1", "question": "What?", "answers": answers, "is_impossible": False},
        {"id": "2", "question": "No?", "answers": [], "is_impossible": True},
    )
    found = imported(rows, tmp_path, documents=document)
    assert [(label.question, label.block_id, label.span_texts) for label in found.labels] == [
        ("What?", 2, ("words 😀 stand",)),
        ("No?", 1, ()),
        ("No?", 2, ()),
    ]
    assert len({label.id for label in found.labels}) == 3
    table = tmp_path / "passages.csv"
    table.write_text(f"question,value,annotator,quote\nWhat?,evidence,ann,{passage}\n", "utf-8")
    found = read_labels(table, documents=document)
    assert found.dropped[0].reason == ("its text covers several blocks, and no span says which of them is the evidence")


def test_a_text_that_several_documents_have_is_taken_from_the_one_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    one = document_of(tmp_path, "# A\n\nThe same words.\n", "one.md")
    two = document_of(tmp_path / "b", "# B\n\nThe same words.\n", "two.md")
    question = {"id": "1", "question": "What?", "answers": [], "is_impossible": True}
    named = imported(squad("The same words.", question, title="two.md"), tmp_path, documents=[one, two])
    assert [label.document_name for label in named.labels] == ["two.md"]
    unnamed = imported(squad("The same words.", question, title="x"), tmp_path, documents=[one, two])
    assert [label.document_name for label in unnamed.labels] == ["one.md"]
    assert "1 text stands in several documents; the first of them was taken." in unnamed.notes


def test_labels_of_a_changed_document_are_found_again_by_their_words(document: Document, tmp_path: Path) -> None:
    label = label_of(document, 1, spans=[(6, 11)])
    path = tmp_path / "tasks.json"
    write_labels([label], path, format="label studio")
    rows = json.loads(path.read_text("utf-8"))
    rows[0]["data"]["text"] = rows[0]["data"]["text"].replace(" ", "\u00a0", 1)
    assert imported(rows, tmp_path).dropped[0].reason == (
        "its text is not the block's any more, as another program leaves it; give the document with documents="
    )
    (found,) = imported(rows, tmp_path, documents=document).labels
    assert (found.quote, found.span_texts, found.id) == (label.quote, ("sales",), label.id)
