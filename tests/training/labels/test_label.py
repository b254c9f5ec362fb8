"""A label holds what was said, by whom, when, on which text, and what was shown at that moment."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from workbench.documents import Document
from workbench.errors import AnchorMismatch, InvalidLabels
from workbench.training.labels import VALUES, Label, LabelSource, LabelValue

from .made_labels import ASKED, QUESTION, document_of, label_of


def test_a_label_of_a_reading_has_the_scores_that_were_shown(document: Document) -> None:
    reading = wb.SparseReader(scorer=None).read(document, QUESTION)
    label = Label.of(reading, None, 1, "evidence", annotator="ann", reason="nearest to threshold")
    assert label.question == QUESTION
    assert (label.quote, label.document, label.page) == (document.texts[1], document.sha256, 1)
    assert label.scores["relevance"] == pytest.approx(reading.scores.relevance[1])
    assert label.scores["priority"] == pytest.approx(reading.priority[1])
    assert set(label.scores) >= {"relevance", "logit", "weight", "priority"}
    assert all(np.isfinite(list(label.scores.values())))
    assert label.scorer == reading.scores.scorer
    assert (label.value, label.source) == (LabelValue.EVIDENCE, LabelSource.PERSON)
    assert label.at.endswith("+00:00")


def test_a_reading_of_another_question_is_refused(document: Document) -> None:
    reading = wb.SparseReader(scorer=None).read(document, QUESTION)
    with pytest.raises(InvalidLabels, match=r"'Who approves\?' and the reading for 'What rose\?'; give the"):
        Label.of(reading, "Who approves?", 1, "evidence", annotator="ann")


def test_a_label_is_made_of_nothing_else_than_readings_and_documents() -> None:
    with pytest.raises(InvalidLabels, match="made of a reading or a document, not of a str"):
        Label.of("report.md", QUESTION, 1, "evidence", annotator="ann")  # type: ignore[arg-type]


def test_an_unknown_value_or_source_raises_with_the_list(document: Document) -> None:
    with pytest.raises(InvalidLabels) as refused:
        label_of(document, value="relevant")
    assert str(refused.value) == (
        "'relevant' is no value of a label; give one of evidence, useful context, not relevant, hard negative, unsure."
    )
    with pytest.raises(InvalidLabels, match="'me' is no source of a label; give one of person, gold, mined, feedback"):
        label_of(document, source="me")


def test_a_block_that_is_not_there_and_one_without_text_are_refused(tmp_path: Path) -> None:
    document = document_of(tmp_path, "# T\n\n| a | b |\n| - | - |\n| 1 | 2 |\n")
    table = next(block for block in document.blocks if block.kind == "table")
    with pytest.raises(InvalidLabels, match=rf"Block {table.block_id} of report.md \(table\) has no text of its own"):
        label_of(document, table.block_id)
    with pytest.raises(AnchorMismatch, match=r"report.md has no block 99; its blocks are 0 to"):
        label_of(document, 99)


def test_spans_are_code_points_of_the_block(document: Document) -> None:
    label = label_of(document, 1, spans=[(29, 34), (4, 5), (6, 11)])
    assert label.spans == ((4, 5), (6, 11), (29, 34))
    assert label.span_texts == ("😀", "sales", "cafe\u0301")
    chinese = label_of(document, 4, question=ASKED, spans=[(5, 9)])
    assert chinese.span_texts == ("部门经理",)


def test_double_spaces_and_line_ends_stay_as_the_document_spells_them(tmp_path: Path) -> None:
    text = "def  f(x):\r\n\treturn  x  + 1\r\n"
    document = document_of(tmp_path, text, "code.py")
    for block in document.blocks:
        label = label_of(document, block.block_id, spans=[(0, len(block.text))])
        assert label.quote == block.text == label.span_texts[0]
        assert document.text_layer[label.start_char : label.end_char] == label.quote
    code = label_of(document, 0, spans=[(12, 27)])
    assert (code.quote[10:12], code.span_texts) == ("\r\n", ("\treturn  x  + 1",))
    plain = document_of(tmp_path, "Berlin,  Germany.\r\n\r\nNext.\r\n", "cities.txt")
    label = label_of(plain, 0, spans=[(0, 15)])
    assert (label.quote, label.span_texts) == ("Berlin,  Germany.", ("Berlin,  German",))
    assert plain.text_layer[label.start_char : label.end_char] == label.quote


@pytest.mark.parametrize("span", [(3, 3), (-1, 2), (0, 10_000), (5, 2)])
def test_a_span_outside_the_block_is_refused(document: Document, span: tuple[int, int]) -> None:
    with pytest.raises(InvalidLabels, match=r"has the span \(-?\d+, \d+\) in a text of \d+ characters; give 0 <= st"):
        label_of(document, spans=[span])
    with pytest.raises(InvalidLabels, match=r"has the span 'ab'; give two whole numbers"):
        label_of(document, spans=["ab"])  # type: ignore[list-item]


def test_a_quote_must_be_what_its_hash_says(document: Document) -> None:
    label = label_of(document)
    with pytest.raises(InvalidLabels, match="has a quote that is not the text its hash was made of; mend it"):
        replace(label, quote=label.quote + " ")
    assert replace(label, quote=label.quote + " ", block_sha256="").block_sha256 != label.block_sha256


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("annotator", " ", "has no annotator"),
        ("question", "", "has no question that can be asked"),
        ("block_id", True, "has the block id True, which is no whole number"),
        ("note", 5, "has a note that is no text"),
        ("annotator", "a\nb", "has an annotator with characters that cannot be printed"),
        ("scores", {"relevance": "high"}, "has a score that is no number"),
        ("at", "yesterday", "'yesterday' is no time; give it as ISO 8601"),
    ],
)
def test_a_field_with_a_value_of_no_label_is_named(document: Document, field: str, value: object, message: str) -> None:
    with pytest.raises(InvalidLabels, match=message):
        replace(label_of(document), **{field: value})  # type: ignore[arg-type]


def test_a_score_that_is_not_finite_is_left_out(document: Document) -> None:
    assert label_of(document, scores={"margin": float("nan"), "relevance": 0.5}).scores == {"relevance": 0.5}


def test_a_label_travels(document: Document) -> None:
    label = label_of(document, spans=[(4, 5)], scores={"relevance": 0.25}, note="see\nbelow", request="r1")
    assert Label.from_dict(json.loads(json.dumps(label.to_dict()))) == label
    assert pickle.loads(pickle.dumps(label)) == label == copy.deepcopy(label)
    assert len({label, copy.deepcopy(label)}) == 1
    assert Label.from_dict({**label.to_dict(), "a field of next year": 1}) == label


def test_a_mapping_that_is_no_label_is_told(document: Document) -> None:
    plain = label_of(document).to_dict()
    del plain["quote"], plain["at"]
    with pytest.raises(InvalidLabels, match=r"The label .* has no quote, at; add what is missing"):
        Label.from_dict(plain)
    with pytest.raises(InvalidLabels, match="A label is 3; it must be a mapping"):
        Label.from_dict(3)


@given(text=st.text(min_size=1).filter(str.strip), data=st.data())
def test_any_text_comes_back_with_its_spans(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    label = Label(
        document="a" * 64,
        document_name="x",
        question="?",
        block_id=0,
        quote=text,
        value=data.draw(st.sampled_from(VALUES)),
        annotator="ann",
        spans=((start, end),),
    )
    assert label.span_texts == (text[start:end],)
    assert Label.from_dict(label.to_dict()) == label
