"""One lone surrogate, which only a damaged file spells, does not cost the document."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from workbench.cli import cli
from workbench.documents import Document, open_document
from workbench.documents.surrogates import without_surrogates
from workbench.documents.tokens import count_tokens

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    path = tmp_path / "a.ipynb"
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Terms \ud800 of it\n", "Interest is due."]},
        {"cell_type": "code", "metadata": {}, "source": "x = 1", "outputs": [], "execution_count": None},
    ]
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(whole), encoding="ascii")
    return path


@pytest.fixture
def document(notebook: Path) -> Document:
    return open_document(notebook, isolate=False, cache=False)


@given(ANY_TEXT)
def test_what_is_left_is_unicode_and_good_text_is_left_alone(text: str) -> None:
    kept = without_surrogates(text)
    kept.encode()
    assert (kept == text) is not any("\ud800" <= character <= "\udfff" for character in text)


def test_tokens_of_a_lone_surrogate_are_those_of_the_replacement_character() -> None:
    counts = count_tokens(["\ud800", "a \udcff b", "plain"]).tolist()
    assert counts == count_tokens(["\ufffd", "a \ufffd b", "plain"]).tolist()


@given(st.lists(ANY_TEXT))
def test_every_text_has_tokens(texts: list[str]) -> None:
    assert [bool(count) for count in count_tokens(texts).tolist()] == [bool(text) for text in texts]


def test_the_text_stays_as_it_is_spelt(document: Document) -> None:
    heading = document.blocks[0]
    assert heading.text == "Terms \ud800 of it"
    assert document.text_at(heading.anchor) == heading.text


def test_the_table_and_what_a_notebook_shows_can_be_sent_and_saved(document: Document, tmp_path: Path) -> None:
    frame = document.to_frame()
    assert frame["text"][0] == "Terms \ufffd of it"
    assert frame["section"][1] == "Terms \ufffd of it"
    frame.to_csv(tmp_path / "a.csv", encoding="utf-8")
    frame.to_parquet(tmp_path / "a.parquet")
    document._repr_html_().encode()


def test_json_keeps_it_and_csv_replaces_it(notebook: Path) -> None:
    told = json.loads(CliRunner().invoke(cli, ["blocks", str(notebook), "--json"]).stdout)
    assert told["blocks"][0]["text"] == "Terms \ud800 of it"
    rows = list(csv.DictReader(io.StringIO(CliRunner().invoke(cli, ["blocks", str(notebook), "--csv"]).stdout)))
    assert rows[0]["text"] == "Terms \ufffd of it"
    assert "Terms \ufffd of it" in CliRunner().invoke(cli, ["blocks", str(notebook)]).stdout
