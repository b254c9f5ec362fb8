"""Cells of a Jupyter notebook become blocks in order; nothing is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.formats.reading import finished, parsed, shown, sniffed
from workbench.documents.draft import FinishedDraft
from workbench.documents.formats.notebook import FORMAT
from workbench.errors import DamagedFile


def book(*cells: dict[str, Any]) -> str:
    """Spell a notebook of format 4."""
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def read(tmp_path: Path, *cells: dict[str, Any]) -> FinishedDraft:
    return finished(FORMAT, tmp_path / "a.ipynb", book(*cells))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(sources=st.lists(st.tuples(st.sampled_from(["markdown", "code", "raw"]), st.text(max_size=80)), max_size=5))
def test_all_that_was_written_is_in_blocks(tmp_path: Path, sources: list[tuple[str, str]]) -> None:
    read(tmp_path, *({"cell_type": kind, "source": text} for kind, text in sources))


def test_cells_and_outputs_come_in_order_with_their_places(tmp_path: Path) -> None:
    done = read(
        tmp_path,
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "Some *text*.\n", "- item"]},
        {
            "cell_type": "code",
            "source": "x = 1\nprint(x)",
            "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {"output_type": "execute_result", "data": {"text/plain": "42", "text/html": "<b>42</b>"}},
                {"output_type": "display_data", "data": {"text/html": "<p>only html</p>"}},
                {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[0;31mE\x1b[0m: v"]},
            ],
        },
        {"cell_type": "raw", "source": "raw"},
    )
    assert list(zip(done.locators, shown(done), strict=True)) == [
        ("cell 1", ("heading 1", "Title")),
        ("cell 1", ("paragraph", "Some *text*.")),
        ("cell 1", ("list_item 1", "item")),
        ("cell 2", ("code", "x = 1\nprint(x)")),
        ("cell 2 output", ("code", "1")),
        ("cell 2 output", ("code", "42")),
        ("cell 2 output line 1", ("paragraph", "only html")),
        ("cell 2 output", ("code", "E: v")),
        ("cell 3", ("code", "raw")),
    ]
    assert len(done.pages) == 1


def test_images_are_counted(tmp_path: Path) -> None:
    image = {"output_type": "display_data", "data": {"image/png": "iVBOR", "text/plain": "<Figure>"}}
    done = read(tmp_path, {"cell_type": "code", "source": "plot()", "outputs": [image, image]})
    assert [str(w) for w in done.warnings] == ["a.ipynb has 2 images in its cells, which have no text to read."]


def test_notebooks_of_format_3_are_read(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "H"},
        {"cell_type": "code", "input": "x", "outputs": [{"output_type": "pyout", "text": ["1"]}]},
    ]
    done = finished(FORMAT, tmp_path / "a.ipynb", json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}))
    assert shown(done) == [("heading 2", "H"), ("code", "x"), ("code", "1")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"cells": [',
            r"^a\.ipynb is not a valid notebook: in line 1, column \d+ .*; save it again from Jupyter, or rename it",
        ),
        ('{"a": 1}', r"^a\.ipynb is not a notebook: it has no list of cells; give it the suffix \.json"),
        (
            '{"cells": [{"cell_type": "raw", "source": "x"}, null]}',
            r"^a\.ipynb is not a valid notebook: cell 2 of its list is null, not an object; remove it, or give",
        ),
        ("[" * 100_000, r"^a\.ipynb is not a valid notebook: its JSON is nested too deeply\."),
    ],
)
def test_a_file_that_is_no_notebook_is_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(DamagedFile, match=message):
        parsed(FORMAT, tmp_path / "a.ipynb", content)


def test_a_notebook_without_text_is_reported(tmp_path: Path) -> None:
    assert [w.code for w in read(tmp_path).warnings] == ["empty"]


def test_sniffing_finds_notebooks(tmp_path: Path) -> None:
    assert sniffed(FORMAT, tmp_path / "a", book({"cell_type": "code", "source": ""})) > 0.9
    assert sniffed(FORMAT, tmp_path / "a.ipynb", '{"metadata": {') >= 0.2
    assert sniffed(FORMAT, tmp_path / "a.ipynb", "text") == 0
    assert sniffed(FORMAT, tmp_path / "a.json", '{"a": 1}') == 0
