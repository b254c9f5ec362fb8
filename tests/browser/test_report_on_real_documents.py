"""Reports on ten real documents of ten kinds: opened at three sizes and printed; nothing breaks, nothing is hidden."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from workbench.documents import open_document
from workbench.documents.options import ReadOptions
from workbench.reading import Reading, SparseReader
from workbench.report import Report, report_on

from . import jupyter
from .test_report import SIZES, opened

pytestmark = [pytest.mark.browser, pytest.mark.data]

MOST_BYTES = 5_000_000
"""Of a report that is sent as an attachment."""
FILING, SCAN, GARBLED = "filing", "scan", "garbled"


class Real(NamedTuple):
    """A document of the shared data: its file, or what makes it, a question of its set, and how it is read."""

    file: str | Callable[[Path], str]
    question: str
    language: str = "en"
    password: str | None = None


def _privacy_policy(data: Path) -> str:
    sites = json.loads((data / "policyqa" / "dev.json").read_text("utf-8"))["data"]
    return _paragraphs(next(site for site in sites if site["title"] == "walmart.com"))


def _article(data: Path) -> str:
    articles = json.loads((data / "drcd" / "DRCD_dev.json").read_text("utf-8"))["data"]
    found = next(article for article in articles if article["title"] == "拜占庭帝國")
    return f"{found['title']}\n\n{_paragraphs(found)}"


def _paragraphs(article: dict[str, Any]) -> str:
    return "\n\n".join(paragraph["context"] for paragraph in article["paragraphs"])


REAL = {
    FILING: Real(
        "financebench/pdfs/3M_2018_10K.pdf",
        "What is the FY2018 capital expenditure amount (in USD millions) for 3M? Give a response to the question by "
        "relying on the details shown in the cash flow statement.",
    ),
    "earnings release": Real(
        "financebench/pdfs/AMCOR_2023Q4_EARNINGS.pdf", "What Was AMCOR's Adjusted Non GAAP EBITDA for FY 2023"
    ),
    "contract": Real(
        "cuad/full_contract_pdf/CreditcardscomInc_20070810_S-1_EX-10.33_362297_EX-10.33_Affiliate Agreement.pdf",
        "Which state/country's law governs the interpretation of the contract?",
    ),
    SCAN: Real(
        "mmlongbench/documents/3276a5b991c49cf5f9a4af0f7d6fce67.pdf", "Which officer verify and signed the complaint?"
    ),
    GARBLED: Real(
        "mmlongbench/documents/afe620b9beac86c1027b96d31d396407.pdf",
        "Where are the two plants of GODFREY PHILLIPS INDIA LIMITED located?",
    ),
    "paper": Real(
        "mmlongbench/documents/tacl_a_00660.pdf",
        "Does Section 3.3 cite more papers than Section 3.1? Directly answer 'yes' or 'no'.",
    ),
    "brochure": Real(
        "mmlongbench/documents/GPL-Graduate-Studies-Professional-Learning-Brochure-Jul-2021.pdf",
        "Which program has the longest time period among all the leadership programmes?",
    ),
    "article in Chinese": Real(_article, "東羅馬在誰在位時期徹底打敗了保加利亞人?", language="zh"),
    "privacy policy": Real(_privacy_policy, "What are the ways you are going to collect my data?"),
    "encrypted": Real("nasty_pdfs/plumber-password-example.pdf", "What is the document about?", password="test"),
}


class Made(NamedTuple):
    reading: Reading
    report: Report


@pytest.fixture(scope="module")
def made(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Made]:
    """Make the report on one of the documents, once."""

    @cache
    def made_of(name: str) -> Made:
        real = REAL[name]
        if callable(real.file):
            path = tmp_path_factory.mktemp("texts") / f"{name}.txt"
            path.write_text(real.file(data_dir), encoding="utf-8")
        else:
            path = data_dir / real.file
        options = ReadOptions(password=real.password)
        reading = SparseReader(scorer=None).read(open_document(path, options=options), real.question)
        return Made(reading, report_on(reading, language=real.language, options=options))

    return made_of


def first_screen(page: Page) -> str:
    """Return the texts that can be read without scrolling."""
    return str(
        page.evaluate(
            """() => [...document.querySelectorAll("main p, main h2, main h3, main dt, main dd, main span")]
                .map((e) => [e.textContent, e.getBoundingClientRect()])
                .filter(([, box]) => box.height && box.bottom < innerHeight)
                .map(([text]) => text).join("\\n")"""
        )
    )


@pytest.mark.parametrize("name", REAL)
def test_it_opens_at_three_sizes_without_a_fault_and_nothing_runs_over(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, pictures: Path, made: Callable[[str], Made], name: str
) -> None:
    reading, report = made(name)
    for size, scheme in zip(SIZES, ("light", "dark", "light"), strict=True):
        viewport: Any = {"width": size[0], "height": size[1]}
        with opened(browser, tmp_path, report.html, guard=guard, viewport=viewport, color_scheme=scheme) as page:
            page.screenshot(path=pictures / f"{name}-{size[0]}.png")
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            if size == SIZES[0]:
                said = first_screen(page)
                assert reading.question in said
                assert all(text in said for text in page.locator(".head .said p").all_text_contents())
                assert all(text in said for text in page.locator(".numbers dd").all_text_contents())
            if page.locator(".thumb").count():
                page.locator(".thumb").first.click()
                assert page.locator("dialog .sheet").bounding_box() is not None
                page.keyboard.press("Escape")
            page.keyboard.press("/")
            page.keyboard.type("e")
    assert guard.faults == []


@pytest.mark.parametrize("name", [FILING, "earnings release", "article in Chinese", SCAN])
def test_print_has_the_text_of_every_kept_block(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, made: Callable[[str], Made], name: str
) -> None:
    reading, report = made(name)
    with opened(browser, tmp_path, report.html, guard=guard) as page:
        page.emulate_media(media="print")
        shown = page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll("#r1-kept [data-status]")]
                .filter((e) => e.getClientRects().length)
                .map((e) => [e.id, [...e.querySelectorAll(".document-text")].map((t) => t.innerText).join("\\t")]))"""
        )
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
    kept = np.flatnonzero(reading.decision.kept & reading.basis.has_text).tolist()
    assert {block: "".join(text.split()) for block, text in shown.items()} == {
        f"r1-b{block}": "".join(reading.document.texts[block].split()) for block in kept
    }
    assert guard.faults == []


def test_a_filing_of_160_pages_is_small_enough_to_mail(made: Callable[[str], Made]) -> None:
    reading, report = made(FILING)

    assert len(reading.document.pages) == 160
    assert report.html.count('<a class="thumb') == 160
    assert 500_000 < len(report.html.encode()) < MOST_BYTES


def test_cells_of_one_column_stand_under_each_other_also_where_a_row_has_none_before_them(
    browser: Browser, tmp_path: Path, made: Callable[[str], Made]
) -> None:
    reading, report = made("earnings release")
    with opened(browser, tmp_path, report.html) as page:
        tables: list[dict[str, list[int]]] = page.evaluate(
            """() => [...document.querySelectorAll("#r1-kept .rows table")].map((table) => Object.fromEntries(
                [...table.rows].map((row) => [row.id.slice("r1-b".length),
                    [...row.cells].filter((cell) => cell.querySelector(".document-text")).map((cell) => cell.cellIndex)]
            )))"""
        )
    skips = 0
    for rows in tables:
        places: dict[int, set[int]] = {}
        for block, shown in rows.items():
            columns = [cell.column for cell in reading.document.blocks[int(block)].cells]
            skips += shown != list(range(len(shown)))
            for column, place in zip(columns, shown, strict=True):
                places.setdefault(column, set()).add(place)
        assert all(len(found) == 1 for found in places.values())
    assert skips


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_scan_says_on_the_first_screen_that_it_needs_ocr_and_saves_nothing(
    browser: Browser, tmp_path: Path, made: Callable[[str], Made], size: tuple[int, int]
) -> None:
    _, report = made(SCAN)
    viewport: Any = {"width": size[0], "height": size[1]}
    with opened(browser, tmp_path, report.html, viewport=viewport) as page:
        said = first_screen(page)
        assert page.locator("[data-year]").inner_text() == "0"
        assert page.locator(".strip").count() == 0
    assert "16 pages: 0 could be read, 16 without text, which need OCR (text recognition) first (1-16)." in said
    assert "The document needs OCR (text recognition) before anything can be kept or skipped" in said
    assert "0\nof 16 pages could be read" in said


def test_pages_with_a_garbled_text_are_named_at_the_head(
    browser: Browser, tmp_path: Path, made: Callable[[str], Made]
) -> None:
    _, report = made(GARBLED)
    with opened(browser, tmp_path, report.html) as page:
        assert page.locator(".head .unread").inner_text() == (
            "20 pages: 13 could be read, 7 with a text that spells no readable words, which need OCR (text "
            "recognition) first (1-7)."
        )
        assert page.locator(".thumb.unread").count() == 7
        assert page.locator(".thumb.unread .not-read").first.inner_text() == "not read: no readable text"
