"""Spans become ranges of words, and none of them moves or vanishes without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.training.labels.made_labels import ASKED, label_of
from workbench.documents import Document
from workbench.errors import InvalidOption
from workbench.training.labels import read_labels, write_labels


def test_evidence_is_written_as_ranges_of_words_and_what_moved_or_had_none_is_told(
    document: Document, tmp_path: Path
) -> None:
    text = document.texts[1]
    sales = text.index("sales")
    labels = [
        label_of(document, 1, spans=[(sales, sales + 3), (3, 4)], id="cut"),
        label_of(document, 4, question=ASKED, spans=[(5, 9)], id="zh"),
        label_of(document, 2, "hard negative", id="none"),
        label_of(document, 3, id="whole"),
        label_of(document, 3, "unsure", "bob", id="unsure"),
        label_of(document, 3, "evidence", "cy", spans=[(7, 8)], id="white"),
    ]
    path = tmp_path / "tokens.jsonl"
    report = write_labels(labels, path, format="token-spans")
    cut, zh, none = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    (span,) = cut["spans"]
    assert (span["start"], span["end"], text[span["start"] : span["end"]]) == (sales, sales + 5, "sales")
    tokens = cut["tokens"][span["token_start"] : span["token_end"] + 1]
    assert [token["text"] for token in tokens] == ["sales"]
    assert all(text[token["start"] : token["end"]] == token["text"] for token in cut["tokens"])
    assert [[zh["text"][one["start"] : one["end"]] for one in zh["spans"]], none["spans"]] == [["部门经理"], []]
    assert report.notes == (
        f"Label cut: the span {sales}-{sales + 3} 'sal' cut a word and is now {sales}-{sales + 5} 'sales'.",
    )
    assert [(one.where, one.reason) for one in report.dropped] == [
        ("label cut, 3-4 ' '", "it holds white space alone"),
        ("label whole", "it does not say which words are the evidence"),
        ("label unsure", "a tagger learns from evidence and from blocks without any, no other values"),
        ("label white, 7-8 ' '", "it holds white space alone"),
    ]
    assert report.written == 3


def test_it_is_written_and_never_read(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "tokens.jsonl"
    write_labels([label_of(document, 1, spans=[(0, 3)])], path, format="token spans")
    with pytest.raises(InvalidOption, match=r"^'token spans' is no format of labels; give one of jsonl, csv, argilla,"):
        read_labels(path, format="token spans")
    with pytest.raises(InvalidOption, match=r"give one of jsonl, csv, argilla, label studio, squad, token spans\.$"):
        write_labels([], path, format="conll")
