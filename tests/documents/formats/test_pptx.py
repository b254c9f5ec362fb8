"""Presentations: slides in visual order, boxes, tables, charts, notes and what is only counted."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt

from workbench.documents.blocks import BlockKind
from workbench.documents.draft import FinishedDraft
from workbench.documents.formats.pptx import FORMAT
from workbench.documents.pages import PageStatus
from workbench.documents.source import Source
from workbench.errors import DamagedFile, LimitExceeded

from .office_files import blocks, kinds, read, rows, texts_of, warnings

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)


def save(deck: object, path: Path) -> Path:
    deck.save(str(path))  # type: ignore[attr-defined]
    return path


def box(done: FinishedDraft, text: str) -> list[float]:
    """Return the box of the block with this text, of all its pieces."""
    at = done.texts.index(text)
    pieces = done.columns.box[done.columns.first_piece[at] : done.columns.first_piece[at + 1]]
    assert (pieces == pieces[0]).all()
    return [round(float(value), 2) for value in pieces[0]]


def rewritten(path: Path, part: str, old: str, new: str) -> Path:
    """Replace text in one part of a file."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    assert old in members[part].decode()
    members[part] = members[part].decode().replace(old, new).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_slide_is_a_page_with_title_list_and_notes(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Results"
    frame = slide.placeholders[1].text_frame
    frame.text = "Sales rose"
    deeper = frame.add_paragraph()
    deeper.text, deeper.level = "in Europe", 1
    slide.notes_slide.notes_text_frame.text = "Mention the price."
    done = read(FORMAT, save(deck, tmp_path / "a.pptx"))
    assert blocks(done) == [
        ("heading", 1, "Results"),
        ("list_item", 1, "Sales rose"),
        ("list_item", 2, "in Europe"),
        ("paragraph", 0, "Mention the price."),
    ]
    assert done.locators == ["slide 1", "slide 1", "slide 1", "slide 1 notes"]
    page = done.pages[0]
    assert (page.label, page.status, page.width, page.height) == ("Results", PageStatus.TEXT, 720.0, 540.0)


def test_shapes_are_read_from_top_to_bottom_and_left_to_right(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    for text, left, top in (("low", 1, 5), ("right", 5, 2), ("left", 1, 2), ("above title", 1, 0)):
        slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(1)).text_frame.text = text
    slide.shapes.title.text = "Title"
    assert read(FORMAT, save(deck, tmp_path / "a.pptx")).texts == ["Title", "above title", "left", "right", "low"]


def test_blocks_have_the_box_of_their_shape_in_points(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Title"
    slide.shapes.add_textbox(Pt(10), Pt(300), Pt(100), Pt(50)).text_frame.text = "here"
    done = read(FORMAT, save(deck, tmp_path / "a.pptx"))
    assert box(done, "here") == [10.0, 300.0, 110.0, 350.0]
    # The title has no place of its own: it stands where its layout says.
    title = deck.slide_layouts[5].placeholders[0]
    assert box(done, "Title")[:2] == [title.left / 12_700, round(title.top / 12_700, 2)]


def test_shapes_in_groups_are_read_where_they_are_drawn(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    inner = group.shapes.add_group_shape()
    inner.shapes.add_textbox(Pt(100), Pt(100), Pt(100), Pt(50)).text_frame.text = "deep"
    group.left, group.top, group.width, group.height = Pt(200), Pt(200), Pt(50), Pt(25)
    assert box(read(FORMAT, save(deck, tmp_path / "a.pptx")), "deep") == [200.0, 200.0, 250.0, 225.0]


def test_a_table_has_header_cells_and_a_box_a_cell(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    table = slide.shapes.add_table(3, 3, Pt(0), Pt(100), Pt(300), Pt(90)).table
    for row, values in enumerate([["Item", "2023", "2022"], ["Sales", "10", ""], ["All", "", "5"]]):
        for column, value in enumerate(values):
            table.cell(row, column).text = value
    table.cell(1, 1).merge(table.cell(1, 2))
    done = read(FORMAT, save(deck, tmp_path / "a.pptx"))
    assert rows(done) == [
        (True, {0: "Item", 1: "2023", 2: "2022"}, "slide 1 table 1 row 1"),
        (False, {0: "Sales", 1: "10"}, "slide 1 table 1 row 2"),
        (False, {0: "All", 2: "5"}, "slide 1 table 1 row 3"),
    ]
    boxes = np.round(done.columns.box, 1).tolist()
    assert boxes[:4] == [[0, 100, 100, 130], [100, 100, 200, 130], [200, 100, 300, 130], [0, 130, 100, 160]]
    assert boxes[4] == [100, 130, 300, 160]


def test_a_chart_is_a_table_of_its_values(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData()
    data.categories = ["Q1", "Q2"]
    data.add_series("Sales", (1.5, 2))
    data.add_series("Costs", (1, None))
    frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Pt(10), Pt(10), Pt(200), Pt(100), data)
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = "By quarter"
    done = read(FORMAT, save(deck, tmp_path / "a.pptx"))
    assert texts_of(done, BlockKind.CAPTION) == ["By quarter"]
    assert [(header, cells) for header, cells, _ in rows(done)] == [
        (True, {1: "Sales", 2: "Costs"}),
        (False, {0: "Q1", 1: "1.5", 2: "1"}),
        (False, {0: "Q2", 1: "2"}),
    ]
    assert box(done, "By quarter") == [10.0, 10.0, 210.0, 110.0]


def test_footers_are_furniture(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for kind in ("ftr", "sldNum", "dt"):
        shape = slide.shapes.add_textbox(Pt(0), Pt(500), Pt(50), Pt(20))
        shape.text_frame.text = kind
        holder = shape.element.nvSpPr.nvPr.makeelement(
            "{http://schemas.openxmlformats.org/presentationml/2006/main}ph", {"type": kind}
        )
        shape.element.nvSpPr.nvPr.append(holder)
    assert kinds(read(FORMAT, save(deck, tmp_path / "a.pptx"))) == [BlockKind.FOOTER] * 3


def test_paragraphs_without_bullets_are_paragraphs(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    section = deck.slides.add_slide(deck.slide_layouts[2])  # its layout switches bullets off
    section.shapes.title.text, section.placeholders[1].text_frame.text = "Part", "What follows"
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.placeholders[1].text_frame.text = "A subtitle"
    found = blocks(read(FORMAT, save(deck, tmp_path / "a.pptx")))
    assert ("paragraph", 0, "What follows") in found
    assert ("paragraph", 0, "A subtitle") in found


def test_a_title_of_two_lines_is_one_heading(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text_frame.text = "资产\n负债"
    done = read(FORMAT, save(deck, tmp_path / "表.pptx"))
    assert blocks(done) == [("heading", 1, "资产 负债")]
    assert done.pages[0].label == "资产 负债"


def test_a_hidden_slide_is_read_with_a_warning(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    for number in (1, 2):
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = f"Slide {number}"
    deck.slides[1].element.set("show", "0")
    done = read(FORMAT, save(deck, tmp_path / "a.pptx"))
    assert done.texts == ["Slide 1", "Slide 2"]
    assert warnings(done) == {"hidden_slides": "a.pptx has 1 hidden slides, which were read like the others."}
    assert done.warnings[0].pages == (2,)


def test_a_slide_of_pictures_has_no_text_and_an_empty_one_is_blank(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_picture(BytesIO(PIXEL), 0, 0, Pt(10), Pt(10))
    deck.slides.add_slide(deck.slide_layouts[6])
    pages = read(FORMAT, save(deck, tmp_path / "a.pptx")).pages
    assert [(page.label, page.status, page.images) for page in pages] == [
        ("Slide 1", PageStatus.NO_TEXT, 1),
        ("Slide 2", PageStatus.BLANK, 0),
    ]


def test_a_shape_with_a_fallback_is_read_once(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, Pt(9), Pt(9)).text_frame.text = "formula"
    path = save(deck, tmp_path / "a.pptx")
    with zipfile.ZipFile(path) as archive:
        shape = re.search("<p:sp>.*</p:sp>", archive.read("ppt/slides/slide1.xml").decode(), re.S)
    assert shape is not None
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    both = (
        f'<mc:AlternateContent xmlns:mc="{mc}"><mc:Choice Requires="a14">{shape.group()}</mc:Choice>'
        f"<mc:Fallback>{shape.group()}</mc:Fallback></mc:AlternateContent>"
    )
    assert read(FORMAT, rewritten(path, "ppt/slides/slide1.xml", shape.group(), both)).texts == ["formula"]


def test_shows_and_templates_are_read_alike(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Same"
    path = rewritten(
        save(deck, tmp_path / "a.ppsx"), "[Content_Types].xml", "presentation.main+xml", "slideshow.main+xml"
    )
    assert read(FORMAT, path).texts == ["Same"]


def test_too_many_slides_are_an_error_or_a_warning(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    for number in range(3):
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = str(number)
    path = save(deck, tmp_path / "a.pptx")
    with pytest.raises(LimitExceeded, match=r"a\.pptx has 3 slides, more than 2; raise max_pages, or set partial=True"):
        read(FORMAT, path, max_pages=2)
    done = read(FORMAT, path, max_pages=2, partial=True)
    assert (done.texts, len(done.pages)) == (["0", "1"], 2)
    assert warnings(done) == {"truncated": "Only the first 2 of 3 slides of a.pptx were read (max_pages)."}


def test_a_damaged_slide_is_named(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "x"
    path = rewritten(save(deck, tmp_path / "a.pptx"), "ppt/slides/slide1.xml", "</p:sld>", "")
    with pytest.raises(DamagedFile, match=r"a\.pptx has a damaged part 'ppt/slides/slide1\.xml'"):
        read(FORMAT, path)


def test_content_decides_what_a_presentation_is(tmp_path: Path) -> None:
    path = save(pptx.Presentation(), tmp_path / "a.bin")
    assert FORMAT.sniff(Source(path)) > 0.9


def test_a_presentation_without_slides_is_said_to_be_empty(tmp_path: Path) -> None:
    done = read(FORMAT, save(pptx.Presentation(), tmp_path / "a.pptx"))
    assert warnings(done) == {"empty": "a.pptx has no slides; there is nothing to read in it."}
    assert [page.status for page in done.pages] == [PageStatus.BLANK]
