"""What a format has room for comes back as it was: values, spans, people, times, scores."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.labels.made_labels import ASKED, label_of
from workbench.documents import Document
from workbench.errors import EmptyFile, FileMissing, InvalidLabels, InvalidOption
from workbench.training.labels import VALUES, Label, LabelStore, read_labels, take_in, write_labels
from workbench.training.labels.exchange import FORMATS

SUFFIX = {"jsonl": ".jsonl", "csv": ".csv", "argilla": ".json", "label studio": ".json", "squad": ".json"}


@pytest.fixture
def labels(document: Document) -> list[Label]:
    scores = {"relevance": 0.25, "logit": -1.5, "threshold": 0.3}
    return [
        label_of(document, 1, spans=[(4, 5), (29, 34)], note='=HYPERLINK("x")\nsee', scores=scores, scorer="abc"),
        label_of(document, 2, "hard negative", "bob@example.org", reason="mined", source="mined"),
        label_of(document, 3, "not relevant", "Ärger, Ann", spans=[(8, 12)], request="r-1"),
        label_of(document, 4, "evidence", "'quoted", question=ASKED, note="'=1", spans=[(5, 9)]),
        label_of(document, 5, "evidence"),
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_labels_come_back_as_they_were(form: str, labels: list[Label], tmp_path: Path) -> None:
    path = tmp_path / f"labels{SUFFIX[form]}"
    report = write_labels(labels, path, format=form)
    assert (report.written, report.dropped) == (len(labels), ())
    found = read_labels(path)
    assert (found.format, found.dropped) == (form, ())
    assert sorted(found.labels, key=lambda label: label.block_id) == labels
    assert not [name for name in tmp_path.iterdir() if name != path]


@pytest.mark.parametrize("form", ["jsonl", "csv", "argilla", "label studio"])
def test_all_values_and_several_annotators_of_a_block_have_room(form: str, document: Document, tmp_path: Path) -> None:
    labels = [label_of(document, 1, value, f"person {rank}") for rank, value in enumerate(VALUES)]
    path = tmp_path / f"labels{SUFFIX[form]}"
    write_labels(labels, path, format=form)
    assert sorted(read_labels(path).labels, key=lambda label: label.annotator) == labels


def test_squad_tells_what_it_has_no_room_for(document: Document, tmp_path: Path) -> None:
    labels = [
        label_of(document, 1, "evidence"),
        label_of(document, 1, "not relevant", "bob"),
        label_of(document, 2, "unsure"),
        label_of(document, 3, "hard negative"),
    ]
    report = write_labels(labels, tmp_path / "set.json", format="squad")
    assert report.written == 1
    assert [one.reason for one in report.dropped] == [
        "the format knows answers and questions without one, no other values",
        "annotators differ on the block; resolve it first",
        "annotators differ on the block; resolve it first",
    ]
    assert "left out 2: annotators differ on the block; resolve it first (label " in report.report()
    given = json.loads((tmp_path / "set.json").read_text())
    (question,) = given["data"][0]["paragraphs"][0]["qas"]
    assert (given["version"], question["is_impossible"], question["answers"]) == ("v2.0", True, [])


@settings(max_examples=25)
@given(
    text=st.text(st.characters(exclude_categories=()), min_size=1, max_size=40).filter(str.strip),
    note=st.text(max_size=10),
    data=st.data(),
    form=st.sampled_from(["jsonl", "csv", "argilla", "label studio"]),
)
def test_any_text_comes_back(
    text: str, note: str, data: st.DataObject, form: str, document: Document, tmp_path_factory: pytest.TempPathFactory
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    label = replace(label_of(document), quote=text, block_sha256="", spans=((start, end),), note=note)
    path = tmp_path_factory.mktemp("any") / f"labels{SUFFIX[form]}"
    report = write_labels([label], path, format=form)
    found = read_labels(path, format=form).labels
    lone = any("\ud800" <= letter <= "\udfff" for letter in text + note)
    if not lone:
        assert found == (label,)
    assert report.written == 1 or (lone and report.dropped)


def test_no_cell_of_a_csv_is_taken_for_a_formula(labels: list[Label], tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    write_labels([*labels, replace(labels[0], id="x", question="@SUM(A1)", annotator="+ann")], path)
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf"), "spreadsheets know UTF-8 by this mark"
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert len(rows) == 6
    numbers = {"logit", "margin"}
    for row in rows:
        assert [name for name, cell in row.items() if name not in numbers and cell[:1] in ("=", "+", "-", "@")] == []
    assert rows[5]["question"] == "'@SUM(A1)"
    assert [label.question for label in read_labels(path).labels][5] == "@SUM(A1)"


def test_a_label_that_was_edited_in_a_spreadsheet_is_another_label(document: Document, tmp_path: Path) -> None:
    label = label_of(document)
    path = tmp_path / "labels.csv"
    write_labels([label], path)
    path.write_text(path.read_text("utf-8-sig").replace("evidence", "unsure", 1), "utf-8")
    found = read_labels(path)
    (edited,) = found.labels
    assert (edited.value, edited.quote) == ("unsure", label.quote)
    assert edited.id != label.id
    assert edited.id == read_labels(path).labels[0].id, "reading it twice gives the same label"
    assert found.notes[0] == "1 label differs from what was written; it counts as a new one."


def test_a_plain_table_with_semicolons_needs_its_documents(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(
        f"question;value;annotator;quote\nWhat rose?;yes;ann;{document.texts[1]}\nX?;red;ann;nowhere at all\n"
    )
    found = read_labels(path)
    assert [one.reason for one in found.dropped] == [
        "the file does not say which block it is of; give its document with documents=",
        "'red' is no value of a label; say with values= which of evidence, useful context, not relevant, hard "
        "negative, unsure it stands for",
    ]
    found = read_labels(path, documents=document, values={"red": "not relevant"})
    assert [(label.block_id, label.value, label.page) for label in found.labels] == [(1, "evidence", 1)]
    assert found.dropped[0].reason == "its text stands in none of the documents that were given"
    assert found.notes == ("1 label had no time; the file's was taken.",)


def test_a_quote_that_is_part_of_a_block_is_a_span_of_it(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("question,value,annotator,quote\nWhat?,yes,ann,sales ROSE by 3 %\nWhat?,no,ann,sales rose by 3 %\n")
    found = read_labels(path, documents=document)
    assert [(label.block_id, label.span_texts) for label in found.labels] == [(1, ("sales rose by 3",))]
    assert found.dropped[0].reason == (
        "its text is only a part of a block, and what is said of the part is not said of the block"
    )


def test_a_table_without_its_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("question,answer\na,b\n")
    with pytest.raises(InvalidLabels, match=r"mine\.csv has no column value, annotator, quote; name the columns"):
        read_labels(path)


def test_a_format_that_is_none_raises_with_the_list(document: Document, tmp_path: Path) -> None:
    names = "jsonl, csv, argilla, label studio, squad"
    with pytest.raises(InvalidOption, match=f"'prodigy' is no format of labels; give one of {names}"):
        write_labels([], tmp_path / "x.jsonl", format="prodigy")
    with pytest.raises(InvalidOption, match=f"The name x.json tells no format; give format=, one of {names}"):
        write_labels([], tmp_path / "x.json")
    (tmp_path / "x.txt").write_text("[1, 2]")
    with pytest.raises(InvalidLabels, match=f"x.txt is in none of the formats of labels, {names}; give a file in one"):
        read_labels(tmp_path / "x.txt")
    write_labels([label_of(document)], tmp_path / "y.json", format="Label-Studio")
    assert read_labels(tmp_path / "y.json", format="label_studio").format == "label studio"


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_of_another_format_is_refused_or_told_line_by_line(form: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a": [1, {"b": null}]}')
    if form == "jsonl":
        assert read_labels(path, format=form).dropped[0].reason == "it has no question, value, annotator, quote"
        return
    with pytest.raises(InvalidLabels, match=r"x\.json (holds no|is not in the format|has no column)"):
        read_labels(path, format=form)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, document: Document) -> None:
    with pytest.raises(FileMissing, match="cannot be read"):
        read_labels(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text(" \n")
    with pytest.raises(EmptyFile, match=r"empty\.jsonl is empty; give a file with labels"):
        read_labels(tmp_path / "empty.jsonl")
    (tmp_path / "latin.csv").write_bytes("question;Größe".encode("latin-1"))
    with pytest.raises(InvalidLabels, match=r"latin\.csv is not UTF-8 \(byte \d+\); save it as UTF-8"):
        read_labels(tmp_path / "latin.csv")
    with pytest.raises(FileMissing, match="give a file in a folder that exists and may be written to"):
        write_labels([label_of(document)], tmp_path / "no" / "x.jsonl")


def test_a_torn_line_costs_that_line(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    write_labels([label_of(document, 1), label_of(document, 2)], path)
    path.write_text(path.read_text() + '{"question": "Wh')
    found = read_labels(path)
    assert len(found.labels) == 2
    assert (found.dropped[0].where, found.dropped[0].reason) == ("line 3", "the line is no JSON")


def test_only_what_is_new_goes_into_a_store(document: Document, store: LabelStore) -> None:
    old = label_of(document, 1, at="2026-01-01T00:00:00Z")
    now = label_of(document, 1, "unsure", at="2026-05-01T00:00:00Z")
    store.add(now)
    changed = replace(now, value=VALUES[2])
    new = label_of(document, 2)
    taken = take_in(store, [old, now, changed, new])
    assert (taken.added, taken.known, taken.differing, taken.older) == ((new,), 1, (changed,), (old,))
    assert taken.report().splitlines() == [
        "added      1 label",
        "known      1 label in the store already",
        "left out   1 label with the id of another one in the store; take the id away, or give a new one",
        "left out   1 label older than what the annotator said since",
    ]
    assert {label.value.value for label in store.labels()} == {"unsure", "evidence"}
