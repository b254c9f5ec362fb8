"""Joined documents are one document: nothing is lost, every anchor leads back, and each file keeps its own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.formats.pdf.pdf_files import PdfFile
from workbench.documents import BlockKind, Document, DocumentWarning, PageStatus, join_documents, open_document
from workbench.documents.blocks import FURNITURE
from workbench.documents.joining import MAX_TITLE_CHARS, files_of
from workbench.documents.packing import pack_document, unpack_document
from workbench.documents.tokens import count_tokens

MARKDOWN = """# Lease

Rent is due in May.

## Deposit

| Unit | Rent |
| --- | --- |
| A1 | 500 |

###### Small print

- first
- second
"""
CSV = "id,amount\n1,20\n2,40\n"
CHINESE = "差旅制度\n\n第一条 住宿标准为每晚五百元。\n"
LOG = "2024-01-02 ERROR disk full\n2024-01-03 INFO disk cleared\n"
FILES = {"lease.md": MARKDOWN, "b/amounts.csv": CSV, "制度.txt": CHINESE, "app.log": LOG}


def opened(folder: Path, name: str, content: str) -> Document:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="")
    document = open_document(path, isolate=False, cache=False)
    document.name = name
    return document


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Document]:
    """Files of many formats: with boxes and without, with tables, lines, locators and two languages."""
    folder = tmp_path_factory.mktemp("parts")
    found = [opened(folder, name, content) for name, content in FILES.items()]
    pdf = PdfFile(folder / "two pages.pdf")
    pdf.text(72, 72, "Annual report", size=20)
    pdf.text(72, 120, "Net sales rose to 12 million.")
    pdf.canvas.showPage()
    pdf.canvas.showPage()
    pdf.text(72, 120, "Costs fell to 7 million.")
    pdf.canvas.save()
    return [*found[:2], open_document(pdf.path, isolate=False, cache=False), *found[2:]]


def assert_holds(joined: Document, parts: Sequence[Document]) -> None:
    """Check what must be true of every document, and that the blocks are those of the parts."""
    layer, columns, pages = joined.text_layer, joined.columns, joined.pages
    claims = np.zeros(len(layer), np.int32)
    for start, end in zip(columns.start.tolist(), columns.end.tolist(), strict=True):
        claims[start:end] += 1
    for start, end, _ in joined.exclusions:
        claims[start:end] += 1
    assert claims.max(initial=1) == 1
    assert not layer or all(layer[at].isspace() for at in np.flatnonzero(claims == 0).tolist())
    starts = [page.start_char for page in pages]
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    assert [0, *(page.end_char for page in pages)] == [*starts, len(layer)]
    assert (np.diff(columns.home_page) >= -1).all()
    assert len(joined.locators) == len(joined)
    for block in joined.blocks:
        anchor = block.anchor
        assert anchor.read(layer) == block.text == joined.text_at(anchor)
        assert pages[block.page - 1].status in (PageStatus.TEXT, PageStatus.NO_TEXT)
        above = [joined.blocks[rank] for rank in block.section]
        levels = [heading.level for heading in above] + ([block.level] if block.kind is BlockKind.HEADING else [])
        assert all(heading.kind is BlockKind.HEADING and heading.block_id < block.block_id for heading in above)
        assert levels == sorted(set(levels)) and all(1 <= level <= 6 for level in levels)
        assert not (block.kind in FURNITURE and block.section)
        if block.table is not None:
            assert joined.blocks[block.table].kind is BlockKind.TABLE and block.table < block.block_id
            assert all(joined.blocks[rank].is_header for rank in block.header)
        if anchor.pieces:
            assert block.page == anchor.pages[0]
    assert columns.tokens.tolist() == count_tokens(joined.texts).tolist()
    frame = joined.to_frame()
    assert int(frame["tokens"].sum()) == joined.tokens
    for file, part in zip(files_of(joined), parts, strict=True):
        own = slice(file.first_block + 1, file.first_block + file.blocks)
        assert joined.texts[own] == part.texts
        assert columns.kind[own].tolist() == part.columns.kind.tolist()
        assert columns.tokens[own].sum() == part.tokens == file.tokens
        assert (columns.home_page[own] - part.columns.home_page).tolist() == [file.first_page - 1] * len(part)
        assert layer[file.first_own_char :].startswith(part.text_layer)


def test_a_joined_document_is_a_document_with_every_block_of_its_parts(parts: list[Document]) -> None:
    joined = join_documents(parts, name="set.zip")
    assert_holds(joined, parts)
    assert (joined.format, joined.name, len(joined.files)) == ("collection", "set.zip", 5)
    assert repr(joined).startswith("Document('set.zip', collection, 7 pages, ")


def test_each_file_stands_under_its_name_and_its_headings_one_level_deeper(parts: list[Document]) -> None:
    joined = join_documents(parts, name="set")
    found = [(b.level, b.text) for b in joined.blocks if b.kind is BlockKind.HEADING]
    assert found[:4] == [(1, "lease.md"), (2, "Lease"), (3, "Deposit"), (6, "Small print")]
    assert (1, "two pages.pdf") in found
    deposit = next(b for b in joined.blocks if b.text == "second")
    assert [joined.texts[rank] for rank in deposit.section] == ["lease.md", "Lease", "Deposit", "Small print"]
    assert found.count((1, "制度.txt")) == 1


def test_tables_keep_their_rows_headers_and_column_names(parts: list[Document]) -> None:
    joined = join_documents(parts, name="set")
    row = next(b for b in joined.blocks if b.text == "2\t40")
    assert [joined.texts[header] for header in row.header] == ["id\tamount"]
    assert joined.column_names(row.block_id) == {0: "id", 1: "amount"}
    assert row.table is not None and [b.text for b in joined.rows_of(row.table)] == ["id\tamount", "1\t20", "2\t40"]


def test_boxes_stay_where_they_were_and_files_without_pages_have_none(parts: list[Document]) -> None:
    joined = join_documents(parts, name="set")
    pdf = next(rank for rank, part in enumerate(parts) if part.format == "pdf")
    file = joined.files[pdf]
    own, whole = parts[pdf].blocks[1].anchor, joined.blocks[file.first_block + 2].anchor
    assert [tuple(box)[1:] for box in whole.boxes] == [tuple(box)[1:] for box in own.boxes] != []
    assert [box.page for box in whole.boxes] == [box.page + file.first_page - 1 for box in own.boxes]
    assert joined.blocks[file.first_block].anchor.boxes == ()
    assert joined.blocks[joined.files[0].first_block + 1].anchor.boxes == ()
    assert not len(join_documents([parts[0]], name="set").columns.box)


def test_pages_and_blocks_say_which_file_they_are_of(parts: list[Document]) -> None:
    joined = join_documents(parts, name="set")
    labels = [page.label for page in joined.pages]
    assert labels == [
        "lease.md",
        "b/amounts.csv",
        "two pages.pdf, page 1",
        "two pages.pdf, page 2",
        "two pages.pdf, page 3",
        "制度.txt",
        "app.log",
    ]
    assert joined.pages[3].status is PageStatus.BLANK
    frame = joined.to_frame().set_index("text")
    assert frame.loc["Rent is due in May.", "locator"] == "lease.md, line 3"
    assert frame.loc["Costs fell to 7 million.", "locator"] == "two pages.pdf"
    assert str(frame.loc["2\t40", "locator"]).startswith("b/amounts.csv, ")
    assert frame.loc["app.log", "locator"] == "app.log"


def test_warnings_name_their_file_and_point_to_its_pages_in_the_whole(parts: list[Document]) -> None:
    scan = next(part for part in parts if part.format == "pdf")
    assert [warning.pages for warning in scan.warnings] in ([], [(2,)])
    before = scan.warnings
    scan.warnings = (DocumentWarning("odd", "A page is odd.", (3,)), DocumentWarning("x", "two pages.pdf is odd."))
    joined = join_documents(parts, name="set")
    scan.warnings = before
    assert [(str(w), w.pages) for w in joined.warnings if w.code in ("odd", "x")] == [
        ("two pages.pdf: A page is odd.", (5,)),
        ("two pages.pdf is odd.", ()),
    ]


def test_no_files_make_an_empty_document_and_one_file_stands_under_its_name(parts: list[Document]) -> None:
    empty = join_documents([], name="nothing")
    assert_holds(empty, [])
    assert (len(empty), empty.tokens, len(empty.pages), empty.text_layer) == (0, 0, 1, "")
    assert empty.to_frame().empty
    one = join_documents(parts[:1], name="one")
    assert_holds(one, parts[:1])
    assert (len(one), one.language.value) == (len(parts[0]) + 1, "en")


def test_a_file_without_a_block_is_a_heading_alone(tmp_path: Path, parts: list[Document]) -> None:
    blank = opened(tmp_path, "blank.txt", " \n \n")
    assert len(blank) == 0
    joined = join_documents([blank, parts[0], blank], name="set")
    assert_holds(joined, [blank, parts[0], blank])
    assert [joined.texts[file.first_block] for file in joined.files] == ["blank.txt", "lease.md", "blank.txt"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("a\nb\x1b[31m.txt", "a b\ufffd[31m.txt"),
        ("caf\udce9.txt", "caf\ufffd.txt"),
        (" \n", "File 1"),
        ("# not markup | <b>.md", "# not markup | <b>.md"),
        ("x" * 5_000 + "/报告.pdf", "…" + "x" * (MAX_TITLE_CHARS - 8) + "/报告.pdf"),
    ],
)
def test_hostile_names_become_one_harmless_line(parts: list[Document], name: str, title: str) -> None:
    part = parts[0]
    before, part.name = part.name, name
    try:
        joined = join_documents([part], name="set")
        assert_holds(joined, [part])
        assert joined.texts[0] == title
        assert joined.files[0].name == name
        assert joined._repr_html_() and joined.to_frame()["locator"].str.len().min() > 0
    finally:
        part.name = before


def test_three_hundred_files_are_joined(parts: list[Document]) -> None:
    many = [parts[rank % len(parts)] for rank in range(300)]
    joined = join_documents(many, name="many")
    assert_holds(joined, many)
    assert len(joined.pages) == 60 * 7


def test_equal_parts_give_equal_bytes_and_another_order_another_document(parts: list[Document]) -> None:
    one, two = (join_documents(parts, name="set") for _ in range(2))
    assert pack_document(one) == pack_document(two)
    assert join_documents(parts[::-1], name="set").sha256 != one.sha256
    assert join_documents(parts, name="other name").sha256 == one.sha256
    again = unpack_document(pack_document(one))
    assert (again.texts, again.locators, again.warnings) == (one.texts, one.locators, one.warnings)


def test_joined_documents_can_be_joined_again(parts: list[Document]) -> None:
    inner = [join_documents(parts[:3], name="inner.zip"), parts[3]]
    assert_holds(join_documents(inner, name="outer"), inner)


def test_a_single_document_is_its_own_only_file(parts: list[Document]) -> None:
    (file,) = files_of(parts[2])
    assert (file.name, file.first_page, file.pages, file.first_block) == ("two pages.pdf", 1, 3, 0)


LINES = st.sampled_from(
    ["# One", "###### Deep", "Text. 文本。", "- item", "| a | b |", "|---|---|", "", "> said", "```"]
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(LINES, max_size=8), max_size=4))
def test_any_files_make_a_document(tmp_path: Path, files: list[list[str]]) -> None:
    parts = [opened(tmp_path, f"{rank}.md", "\n".join([*lines, "end"])) for rank, lines in enumerate(files)]
    assert_holds(join_documents(parts, name="set"), parts)
