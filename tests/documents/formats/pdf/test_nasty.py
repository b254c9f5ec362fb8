"""PDFs of bug reports: each ends in blocks or in one clear sentence, in a worker, within its limits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.speed import peak_worker_mib
from tests.documents.real_documents import index_of_nasty_files, real_document
from workbench.documents import BlockKind, Document, PageStatus, open_document
from workbench.errors import DamagedFile, EmptyFile, EncryptedFile, WorkbenchError

pytestmark = pytest.mark.data

FOLDER = "nasty_pdfs"
DANGEROUS = ("pdfjs-bomb_giant.pdf", "pdfjs-poppler-85140-0.pdf")
"""An image of 100,000 x 100,000 pixels, and a page of 2,147,483,647 points."""
MEMORY_MIB = 256.0
REFUSED = {
    "plumber-empty.pdf": (
        EmptyFile,
        "plumber-empty.pdf holds no bytes; check whether it was saved or downloaded completely.",
    ),
    "pdfjs-bug1020226.pdf": (
        DamagedFile,
        "pdfjs-bug1020226.pdf is damaged or no PDF (Failed to load document (PDFium: Data format error).); "
        "open it in a viewer and save it again.",
    ),
    "pdfjs-Brotli-Prototype-FileA.pdf": (DamagedFile, "save it again"),
}
"""Files that cannot be read: the error and what it says."""
NO_READABLE_TEXT = {
    "pdfjs-issue5801.pdf": {1},
    "pdfjs-ThuluthFeatures.pdf": {1},
    "pdfjs-TAMReview.pdf": set(range(2, 24)) - {23},
    "pdfjs-Pages-tree-refs.pdf": {2},
    "pdfjs-bug1978317.pdf": {1},
}
"""Pages (1-based) whose glyphs spell nothing that can be read, or that pdfium cannot load."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one file ended."""

    name: str
    document: Document | None
    error: WorkbenchError | None

    def __str__(self) -> str:
        if self.document is None:
            return f"{self.name:52} {type(self.error).__name__}: {self.error}"
        pages = Counter(page.status.value for page in self.document.pages)
        told = " ".join(str(warning) for warning in self.document.warnings)
        what = ", ".join(f"{count} {status}" for status, count in pages.items())
        return f"{self.name:52} {len(self.document):5} blocks; pages: {what}. {told}".rstrip()


@pytest.fixture(scope="module")
def outcomes(data_dir: Path) -> dict[str, Outcome]:
    """Every file of the folder, opened as an analyst would: in a worker, with the default limits."""
    found = {}
    for row in index_of_nasty_files(data_dir):
        name = row["file"]
        try:
            found[name] = Outcome(name, real_document(data_dir, f"{FOLDER}/{name}"), None)
        except WorkbenchError as error:
            found[name] = Outcome(name, None, error)
    return found


@pytest.fixture
def opened(outcomes: dict[str, Outcome]) -> dict[str, Document]:
    """Those that were opened."""
    return {name: outcome.document for name, outcome in outcomes.items() if outcome.document is not None}


def test_every_file_ends_in_blocks_or_in_one_clear_sentence(
    outcomes: dict[str, Outcome], capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        print("\n" + "\n".join(str(outcome) for outcome in outcomes.values()))
    assert len(outcomes) == 57
    for outcome in outcomes.values():
        if outcome.document is None:
            text = str(outcome.error)
            assert text.startswith(outcome.name) and text.endswith(".") and "\n" not in text
        elif not len(outcome.document):
            blank = all(page.status is PageStatus.BLANK for page in outcome.document.pages)
            assert blank or outcome.document.warnings, outcome.name


def test_only_three_files_are_refused_and_each_says_why(outcomes: dict[str, Outcome]) -> None:
    assert {name for name, outcome in outcomes.items() if outcome.error is not None} == set(REFUSED)
    for name, (kind, words) in REFUSED.items():
        error = outcomes[name].error
        assert type(error) is kind
        assert words in str(error)


def test_a_warning_names_exactly_the_pages_that_it_is_about(opened: dict[str, Document]) -> None:
    for document in opened.values():
        for code, status in (("no_text", PageStatus.NO_TEXT), ("unreadable", PageStatus.UNREADABLE)):
            told = [number for warning in document.warnings if warning.code == code for number in warning.pages]
            assert told == [page.number for page in document.pages if page.status is status], document.name


@pytest.mark.parametrize("name", DANGEROUS)
def test_what_no_machine_could_draw_is_read_in_little_memory(name: str, data_dir: Path) -> None:
    path = data_dir / FOLDER / name
    document = open_document(path, cache=False, progress=False, max_memory_mb=MEMORY_MIB)
    assert len(document.pages) == 1
    assert 0 < peak_worker_mib(path) < MEMORY_MIB


def test_a_scan_has_pages_without_text_and_says_so(opened: dict[str, Document]) -> None:
    scan = opened["plumber-issue-203-decimalize.pdf"]
    assert [(page.status, page.images > 0) for page in scan.pages] == [(PageStatus.NO_TEXT, True)] * 3
    assert len(scan) == 0
    assert [str(warning) for warning in scan.warnings] == [
        "3 of 3 pages have no text layer (images only): their content cannot be read or searched."
    ]


def test_text_that_spells_nothing_is_left_out_and_says_so(opened: dict[str, Document]) -> None:
    for name, document in opened.items():
        unreadable = {page.number for page in document.pages if page.status is PageStatus.UNREADABLE}
        assert unreadable == NO_READABLE_TEXT.get(name, set()), name
        shown = {number for block in document.blocks for number in block.anchor.pages}
        assert not shown & unreadable, name
    title = "Overview of the Technology Acceptance Model"
    assert any(block.text.startswith(title) and block.page == 1 for block in opened["pdfjs-TAMReview.pdf"].blocks)


def test_what_lies_outside_the_crop_box_is_in_no_block(opened: dict[str, Document]) -> None:
    book = opened["pdfjs-freeculture.pdf"]
    outside = Counter(book.excluded("outside the visible page").split("\n"))
    assert min(outside["PASS"], outside["PAGES"], outside["2/10/04"]) == 350
    assert not any("14773_0" in block.text or "2/10/04" in block.text for block in book.blocks)
    assert "COPYRIGHT" in book.reading_text().upper()


def test_letters_that_are_drawn_twice_are_read_once(opened: dict[str, Document]) -> None:
    course = opened["plumber-issue-71-duplicate-chars-2.pdf"]
    assert len(course.excluded("drawn twice at the same place").replace("\n", "")) > 800
    assert any(block.text == "Item 265 DÉSORDRES DE L’ÉQUILIBRE ACIDE-BASE" for block in course.blocks)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pypdf-libreoffice-form.pdf", "First Name: Alice"),
        ("pdfjs-prefilled_f1040.pdf", "topmostSubform[0].Page2[0].p2-t124[0]: foobar"),
        ("pdfjs-160F-2019.pdf", "T.TOTREM: 0"),
    ],
)
def test_values_of_filled_forms_are_blocks(opened: dict[str, Document], name: str, value: str) -> None:
    fields = [block.text for block in opened[name].blocks if block.kind is BlockKind.FORM_FIELD]
    assert value in fields


@pytest.mark.parametrize(
    ("name", "begin"), [("plumber-password-example.pdf", "Backup4all"), ("pdfjs-issue6010_2.pdf", "Issue 6010")]
)
def test_the_password_opens_an_encrypted_file(
    opened: dict[str, Document], data_dir: Path, name: str, begin: str
) -> None:
    assert opened[name].blocks[0].text.startswith(begin)
    asks = "; give it as password=… (or --password)."
    with pytest.raises(EncryptedFile) as without:
        open_document(data_dir / FOLDER / name, progress=False)
    assert str(without.value) == f"{name} is encrypted and needs a password{asks}"
    with pytest.raises(EncryptedFile) as wrong:
        open_document(data_dir / FOLDER / name, password="guess", progress=False)
    assert str(wrong.value) == f"{name} does not open with this password{asks}"


@pytest.mark.parametrize("name", ["pdfjs-bug1606566.pdf", "pypdf-unreadablemetadata.pdf"])
def test_a_damaged_file_is_recovered_and_says_so(opened: dict[str, Document], name: str) -> None:
    assert len(opened[name])
    assert [str(warning) for warning in opened[name].warnings] == [
        f"{name} is damaged; its text was recovered, tables and outline were not."
    ]


def test_pages_are_called_what_the_document_calls_them(opened: dict[str, Document]) -> None:
    labels = [page.label for page in opened["pdfjs-labelled_pages.pdf"].pages]
    assert labels[:4] == ["i", "ii", "iii", "iv"]


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("plumber-issue-140-example.pdf", (842, 595)),
        ("plumber-nics-background-checks-2015-11-rotated.pdf", (612, 1008)),
        ("plumber-issue-1054-example.pdf", (595, 842)),
    ],
)
def test_a_turned_page_is_measured_as_it_is_seen(opened: dict[str, Document], name: str, size: tuple[int, int]) -> None:
    (page,) = opened[name].pages
    assert (round(page.width), round(page.height)) == size


def test_bytes_before_the_header_do_no_harm(opened: dict[str, Document]) -> None:
    film = opened["plumber-issue-848.pdf"]
    assert len(film.pages) == 8
    assert film.blocks[0].text.startswith("The movie opens with a news report")
