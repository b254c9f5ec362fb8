"""What users of other PDF readers complain about, one test for each complaint."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from workbench.documents.blocks import BlockKind
from workbench.documents.document import Document
from workbench.documents.pages import PageStatus

from .pdf_files import (
    BOLD,
    CHINESE,
    SENTENCES,
    PdfFile,
    block_with,
    changed,
    pdf_that_spells,
    prose,
    read,
    rows_of,
    shown,
    texts_of,
    width_of,
)

FURNITURE = (BlockKind.HEADER, BlockKind.FOOTER)


def three_pages_with_a_sentence_that_goes_on(path: Path) -> Document:
    """Pages with a running head and a page number; one sentence begins on page 1 and ends on page 2."""
    pdf = PdfFile(path)
    for number in (1, 2, 3):
        pdf.text(72, 40, "Annual report of the fund", size=8)
        if number == 2:
            pdf.paragraph(72, 80, "report is published in March of each year. " + prose(5, 1))
        else:
            pdf.paragraph(72, 80, prose(6, number))
        if number == 1:
            pdf.text(72, 700, "After a long debate in its last meeting this year the committee agreed that the annual")
        pdf.text(280, 760, f"Page {number} of 3", size=8)
        pdf.next_page()
    return read(pdf.save())


def test_a_footer_does_not_land_inside_a_sentence_that_goes_on_overleaf(tmp_path: Path) -> None:
    document = three_pages_with_a_sentence_that_goes_on(tmp_path / "a.pdf")
    sentence = block_with(document, "the committee agreed that the annual report is published in March of each year.")
    assert sentence.kind is BlockKind.PARAGRAPH
    assert sentence.anchor.pages == (1, 2)
    assert {box.page for box in sentence.anchor.boxes} == {1, 2}


def test_a_paragraph_that_is_cut_overleaf_leaves_the_pages_in_order(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in (1, 2, 3):
        pdf.text(72, 40, "Annual report of the fund", size=8)
        begin = "report is published in March of each year. " if number == 2 else ""
        y = pdf.paragraph(72, 80, begin + prose(5, number))
        if number == 1:
            pdf.paragraph(72, y + 24, f"{prose(4, 2)} After a long debate the committee agreed that the annual")
        else:
            pdf.paragraph(72, y + 24, f"The next paragraph of page {number} follows. {prose(3)}")
        pdf.text(280, 760, f"Page {number} of 3", size=8)
        pdf.next_page()
    document = read(pdf.save(), max_block_chars=160)
    pages = [block.page for block in document.blocks]
    assert pages == sorted(pages)
    place = {block.text: rank for rank, block in enumerate(document.blocks)}
    footer, following = place["Page 1 of 3"], block_with(document, "next paragraph of page 2").block_id
    sentence = block_with(document, "the committee agreed that the annual report is published in March of each year.")
    rest = [block for block in document.blocks if block.page == 2 and block.block_id < following]
    assert (sentence.page, sentence.anchor.pages, sentence.block_id < footer) == (1, (1, 2), True)
    assert " ".join(block.text for block in rest if block.kind is BlockKind.PARAGRAPH) == prose(5, 2)


def test_running_lines_are_kept_as_blocks_but_not_in_the_reading_text(tmp_path: Path) -> None:
    document = three_pages_with_a_sentence_that_goes_on(tmp_path / "a.pdf")
    assert texts_of(document, BlockKind.HEADER) == ["Annual report of the fund"] * 3
    assert texts_of(document, BlockKind.FOOTER) == ["Page 1 of 3", "Page 2 of 3", "Page 3 of 3"]
    assert "Annual report of the fund" not in document.reading_text()
    assert "of 3" not in document.reading_text()


def test_a_document_of_one_page_loses_neither_its_title_nor_its_last_table_row(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 14, "Balance sheet of the fund", size=18, font=BOLD)
    rows = [["Item", "2023", "2022"], *[[f"Asset number {n}", f"{n},100", f"{n},050"] for n in range(1, 43)]]
    for rank, cells in enumerate(rows):
        pdf.row((72, 300, 400), 40 + 17.6 * rank, cells)
    document = read(pdf.save())
    assert shown(document)[0] == ("heading", "Balance sheet of the fund")
    assert rows_of(document)[-1] == ["Asset number 42", "42,100", "42,050"]
    assert not texts_of(document, *FURNITURE)


def test_what_stands_at_the_edge_of_one_page_only_is_not_taken_for_furniture(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for number, topic in enumerate(["Alpha", "Beta", "Gamma", "Delta", "Epsilon"]):
        pdf.text(72, 20, f"{topic} is the topic here", size=14, font=BOLD)
        pdf.paragraph(72, 60, prose(8, number))
        pdf.text(72, 780, SENTENCES[number])
        pdf.next_page()
    document = read(pdf.save())
    assert not texts_of(document, *FURNITURE)


def test_small_type_keeps_its_spaces(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    x = 72.0
    for word in ["We", "provide", "improved", "regret", "bounds", "for", "all", "of", "the", "games"]:
        pdf.text(x, 100, word, size=5)
        x += width_of(word, 5) + 1.2
    assert read(pdf.save()).texts == ("We provide improved regret bounds for all of the games",)


def test_a_page_of_absurdly_long_words_is_unreadable(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank in range(16):
        pdf.text(72, 80 + 14 * rank, "".join(SENTENCES[rank % 8].split())[:60])
    document = read(pdf.save())
    assert document.pages[0].status is PageStatus.UNREADABLE
    assert [warning.code for warning in document.warnings] == ["unreadable"]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_box_is_where_the_word_is_seen_though_the_origin_of_the_page_is_elsewhere(
    tmp_path: Path, rotation: int
) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", (200, 400))
    pdf.canvas.translate(-100, -200)
    pdf.text(100, 100, "Landmark", size=12)
    path = changed(pdf.save(), media=(-100, -200, 100, 200), rotation=rotation)
    # The base line begins at (0, 100) of user space: at 100 points from the left and top of what is seen.
    x0, x1, top, bottom = 100, 100 + width_of("Landmark", 12), 100 - 12, 100 + 4
    seen = {
        0: (x0, top, x1, bottom),
        90: (400 - bottom, x0, 400 - top, x1),
        180: (200 - x1, 400 - bottom, 200 - x0, 400 - top),
        270: (top, 200 - x1, bottom, 200 - x0),
    }[rotation]
    document = read(path)
    box = document.blocks[0].anchor.box
    assert box is not None
    assert box[1:] == pytest.approx(seen, abs=3)
    assert (document.pages[0].width, document.pages[0].height) == ((200, 400) if rotation % 180 == 0 else (400, 200))


def test_a_part_of_a_long_paragraph_has_the_box_of_its_own_lines(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    end = pdf.paragraph(72, 100, prose(24))
    document = read(pdf.save(), max_block_chars=150)
    blocks = list(document.blocks)
    assert len(blocks) > 8
    for block in blocks:
        box = block.anchor.box
        assert box is not None
        assert box.bottom - box.top < 3.5 * 12
        # Each line has a rectangle of its own, which is as high as a line.
        assert all(line.bottom - line.top < 14 for line in block.anchor.boxes)
    tops = [block.anchor.boxes[0].top for block in blocks]
    assert tops == sorted(tops)
    assert tops[-1] > end - 3.5 * 12


def test_the_parts_of_a_sentence_on_one_line_do_not_share_a_box(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 100, "The first sentence of this line is here for a test. And the second one follows it closely.")
    first, second = read(pdf.save(), max_block_chars=64).blocks
    assert first.anchor.boxes[0].x1 <= second.anchor.boxes[0].x0


def test_the_parts_of_a_chinese_line_do_not_share_a_box_though_it_is_one_word(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 100, "公司的收入在本年度增长了百分之三，主要来自海外市场。" * 3, size=6, font=CHINESE)
    blocks = list(read(pdf.save(), max_block_chars=64).blocks)
    assert len(blocks) > 1
    for block, following in pairwise(blocks):
        box, next_box = block.anchor.boxes[0], following.anchor.boxes[0]
        assert box.x1 == pytest.approx(next_box.x0, abs=0.1)
        assert box.x1 - box.x0 == pytest.approx(6 * len(block.text), abs=1)


def test_a_merged_block_keeps_the_boxes_of_all_its_pages(tmp_path: Path) -> None:
    document = three_pages_with_a_sentence_that_goes_on(tmp_path / "a.pdf")
    block = block_with(document, "the committee agreed that the annual")
    assert len(block.anchor.boxes) == len(block.anchor.pieces)
    first, second = block.anchor.boxes[0], block.anchor.boxes[1]
    assert (first.page, second.page) == (1, 2)
    assert first.top > 680
    assert second.top < 80


def test_a_heading_longer_than_a_block_is_kept(tmp_path: Path) -> None:
    title = "A study of the terms under which notes of the issuer are paid back before their time to all holders"
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 80, title, size=18, font=BOLD, step=21)
    pdf.paragraph(72, y + 20, prose(6))
    document = read(pdf.save(), max_block_chars=64)
    assert " ".join(texts_of(document, BlockKind.HEADING)) == title


def test_a_file_of_headings_only_has_blocks(tmp_path: Path) -> None:
    titles = ["Terms of the notes", "Rights of the holders", "Duties of the trustee"]
    pdf = PdfFile(tmp_path / "a.pdf")
    for title in titles:
        pdf.text(72, 200, title, size=20, font=BOLD)
        pdf.next_page()
    assert list(read(pdf.save()).texts) == titles


def table_over_two_pages(path: Path, *, header_again: bool) -> Document:
    """A ruled table of 50 rows that goes on overleaf."""
    pdf = PdfFile(path)
    columns = (72, 240, 340, 440)
    rows = [[f"Asset class {n}", f"{n},100", f"{n},050"] for n in range(1, 51)]
    pdf.paragraph(72, 60, prose(4))
    heights = [120 + 20 * n for n in range(33)]
    pdf.grid(columns, heights, [["Class", "Opening value", "Closing value"], *rows[:31]])
    pdf.next_page()
    rest = ([["Class", "Opening value", "Closing value"]] if header_again else []) + rows[31:]
    pdf.grid(columns, [60 + 20 * n for n in range(len(rest) + 1)], rest)
    pdf.paragraph(72, 600, prose(4, 3))
    return read(pdf.save())


@pytest.mark.parametrize("header_again", [False, True])
def test_a_table_over_two_pages_is_flagged_and_its_header_named_by_reference(
    tmp_path: Path, header_again: bool
) -> None:
    document = table_over_two_pages(tmp_path / "a.pdf", header_again=header_again)
    first, second = (block for block in document.blocks if block.kind is BlockKind.TABLE)
    assert (first.continues, second.continues) == (None, first.block_id)
    assert (first.page, second.page) == (1, 2)
    last = document.rows_of(second.block_id)[-1]
    header = [document.block(row) for row in last.header]
    assert [cell.text for row in header for cell in row.cells] == ["Class", "Opening value", "Closing value"]
    assert [cell.column for row in header for cell in row.cells] == [cell.column for cell in last.cells]


@pytest.mark.parametrize("header_again", [False, True])
def test_no_row_of_a_table_over_two_pages_is_lost_or_taken_for_a_header(tmp_path: Path, header_again: bool) -> None:
    document = table_over_two_pages(tmp_path / "a.pdf", header_again=header_again)
    rows = [block for block in document.blocks if block.kind is BlockKind.TABLE_ROW]
    body = [[cell.text for cell in row.cells] for row in rows if not row.is_header]
    assert body == [[f"Asset class {n}", f"{n},100", f"{n},050"] for n in range(1, 51)]
    assert sum(row.is_header for row in rows) == 1 + header_again


def shifted(text: str) -> str:
    """Move each letter three places on, as a font without a Unicode map does."""
    return "".join(chr(ord(letter) + 3) if letter != " " else " " for letter in text)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "".join(f"(cid:{ord(letter)})" for letter in text[:14]),
        shifted,
    ],
    ids=["cid codes", "shifted letters"],
)
def test_a_page_of_garbage_is_unreadable_and_not_passed_on_as_text(tmp_path: Path, spoil: object) -> None:
    assert callable(spoil)
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(4))
    pdf.next_page()
    for rank, sentence in enumerate(SENTENCES):
        pdf.text(36, 80 + 14 * rank, spoil(sentence), size=8)
    document = read(pdf.save())
    assert [page.status for page in document.pages] == [PageStatus.TEXT, PageStatus.UNREADABLE]
    assert {block.page for block in document.blocks} == {1}
    (warning,) = document.warnings
    assert (warning.code, warning.pages) == ("unreadable", (2,))
    assert warning.message == "Page 2 has a text layer that spells no readable text: it is left out."
    assert "text of an unreadable page" in {exclusion.reason for exclusion in document.exclusions}


def test_a_page_of_control_characters_is_unreadable(tmp_path: Path) -> None:
    drawn = "\n".join(SENTENCES)
    letters = {letter: chr(1 + ord(letter) % 8) for letter in set(drawn) if letter.isalpha()}
    document = read(pdf_that_spells(tmp_path / "a.pdf", drawn, letters))
    assert document.pages[0].status is PageStatus.UNREADABLE
    assert len(document.blocks) == 0


MEASURE = """
import json, sys
from pathlib import Path
import psutil
from workbench.documents.formats.pdf import jobs
from workbench.documents.formats.pdf.format import page_ranges
from workbench.documents.options import ReadOptions
from workbench.documents.source import ParseContext

process, peak = psutil.Process(), 0

def report(done, total):
    global peak
    peak = max(peak, process.memory_info().rss)

path = Path(sys.argv[1])
place = {"path": str(path), "name": path.name}
context = ParseContext(ReadOptions(), report)
pages = json.loads(jobs.facts(place, context))["pages"]
for first, last in page_ranges(pages):
    jobs.pages({**place, "native": False, "first": first, "last": last}, context)
    report(last, pages)
print(json.dumps([pages, peak]))
"""


def peak_of_a_worker(path: Path, project: Path) -> tuple[int, float]:
    """Return the pages and the largest resident size in MiB of a process that reads them as a worker does."""
    answer = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], cwd=project, capture_output=True, text=True, check=True
    )
    pages, peak = json.loads(answer.stdout)
    return pages, peak / 2**20


def test_memory_of_a_worker_does_not_climb_with_the_pages(tmp_path: Path, project_dir: Path) -> None:
    peaks = []
    for pages in (40, 160):
        pdf = PdfFile(tmp_path / f"{pages}.pdf")
        for number in range(pages):
            pdf.text(72, 60, f"Chapter {number}", size=16, font=BOLD)
            y = pdf.paragraph(72, 90, prose(30, number))
            pdf.grid((72, 240, 440), [y + 16 * n for n in range(9)], [[f"Row {n}", f"{n},500"] for n in range(8)])
            pdf.next_page()
        found, peak = peak_of_a_worker(pdf.save(), project_dir)
        assert found == pages
        peaks.append(peak)
    # pdfplumber keeps over 2 MiB a page: 120 more pages would be 240.
    assert peaks[1] - peaks[0] < 10
