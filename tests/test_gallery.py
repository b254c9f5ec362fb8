"""The gallery shows what its index says: every report is there, loads nothing, and has the numbers that are told."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from lxml import html

import workbench as wb

DOCS = Path(__file__).resolve().parents[1] / "docs"
GALLERY = DOCS / "gallery"
INDEX = (DOCS / "gallery.md").read_text(encoding="utf-8")
REPORTS = sorted(path.name for path in GALLERY.glob("*.html"))
MOST_BYTES = 600_000
MOST_PICTURE_BYTES = 400_000


@pytest.fixture(scope="module")
def build() -> Iterator[ModuleType]:
    """The script that builds the gallery."""
    spec = importlib.util.spec_from_file_location("gallery_build", GALLERY / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def row_of(name: str) -> str:
    """The row of the index that tells of a report."""
    (row,) = [line for line in INDEX.splitlines() if f"(gallery/{name})" in line]
    return row


def page_of(name: str) -> html.HtmlElement:
    return html.document_fromstring((GALLERY / name).read_text(encoding="utf-8"))


def test_the_reports_are_those_that_the_script_builds(build: ModuleType) -> None:
    assert sorted(f"{shown.name}.html" for shown in build.SHOWN) == REPORTS
    assert len(REPORTS) == 6


def test_the_index_names_every_report_and_no_other() -> None:
    assert sorted(re.findall(r"\(gallery/([^)]+\.html)\)", INDEX)) == REPORTS


def test_the_index_is_what_the_script_writes(build: ModuleType) -> None:
    assert build.with_rows(INDEX) == INDEX


def test_a_report_has_its_question_and_its_document(build: ModuleType) -> None:
    workload = wb.load_workload(build.DEV)
    for shown in build.SHOWN:
        request, page = workload.request(shown.request), page_of(f"{shown.name}.html")
        document = Path(request.artifact)
        assert page.get_element_by_id("r1-question").text_content() == request.question
        assert page.find_class("head")[0].find_class("name")[0].text_content() == document.name
        assert (
            hashlib.sha256((build.DEV / document).read_bytes()).hexdigest()
            in page.get_element_by_id("foot").text_content()
        )
        assert request.question in row_of(f"{shown.name}.html")
        assert page.get("lang") == shown.language


@pytest.mark.parametrize("name", REPORTS)
def test_the_numbers_of_the_index_are_those_of_the_report(name: str) -> None:
    source, row = (GALLERY / name).read_text(encoding="utf-8"), row_of(name)
    (money,) = re.findall(r"<section [^>]*data-money[^>]*>", source)
    whole, read = (int(re.findall(rf'data-{what}="(\d+)"', money)[0]) for what in ("whole", "kept"))
    skipped = len(page_of(name).xpath("//*[@id='r1-skipped']//details//li[@value]"))
    assert f"{whole:,}" in row
    assert re.search(rf"\b{skipped:,} skipped", row)
    if whole == read:
        assert "Nothing is saved" in row
        assert 'class="warning native"' in source
    else:
        assert f"{read:,} tokens are read instead of {whole:,}: {round(100 * (1 - read / whole))} % saved" in row


def test_one_request_is_left_alone_and_one_report_is_side_by_side() -> None:
    sources = [(GALLERY / name).read_text(encoding="utf-8") for name in REPORTS]
    assert sum('class="warning native"' in source for source in sources) == 1
    assert sum('class="comparison" id="c1"' in source for source in sources) == 1


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_may_load_nothing_and_names_no_address(name: str) -> None:
    page = page_of(name)
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")
    targets = page.xpath("//@src | //@href | //@srcset | //@action | //@data | //@poster | //@formaction")
    assert targets
    assert [target[:80] for target in targets if not target.startswith(("#", "data:image/"))] == []
    styles = "".join(page.xpath("//style/text() | //@style"))
    assert "@import" not in styles
    assert [found for found in re.findall(r"url\(\s*['\"]?([^)]{1,40})", styles) if not found.startswith("#")] == []


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_of_the_profile_that_ships(name: str, build: ModuleType) -> None:
    profile = wb.GateProfile.load(build.PROFILE)
    assert profile.fingerprint in page_of(name).get_element_by_id("foot").text_content()


def test_the_gallery_is_small() -> None:
    assert [name for name in REPORTS if (GALLERY / name).stat().st_size > MOST_BYTES] == []
    assert sum(path.stat().st_size for path in (DOCS / "images").glob("report-*.png")) < MOST_PICTURE_BYTES


def test_no_report_says_when_it_was_made() -> None:
    feet = [page_of(name).get_element_by_id("foot").text_content() for name in REPORTS]
    assert [re.findall(r"\d{4}-\d{2}-\d{2}", foot) for foot in feet] == [[]] * len(REPORTS)
