"""The PDF format as a whole: recognition, limits, passwords, damage, and one process or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from workbench.documents import open_document
from workbench.documents.formats.pdf import FORMAT, jobs
from workbench.documents.formats.pdf.format import RANGE_PAGES, page_ranges, read_pages
from workbench.documents.options import ReadOptions
from workbench.documents.packing import pack_document
from workbench.documents.pages import PageStatus
from workbench.documents.source import ParseContext, Source
from workbench.errors import DamagedFile, EncryptedFile, LimitExceeded

from .pdf_files import BOLD, PdfFile, assert_sound, prose, raw_pdf, read, stream


def book(path: Path, pages: int) -> Path:
    """Write a book with chapters, running lines, sentences that go on overleaf and tables."""
    pdf = PdfFile(path)
    for number in range(1, pages + 1):
        pdf.text(72, 40, "A book of terms", size=8)
        pdf.text(300, 760, str(number), size=8)
        if number % 3 == 1:
            pdf.text(72, 80, f"Chapter {number} of the terms", size=16, font=BOLD)
        y = pdf.paragraph(72, 110, ("and " if number % 3 == 2 else "") + prose(12, number))
        pdf.grid((72, 240, 440), [y + 10 + 16 * n for n in range(5)], [[f"Row {n}", f"{n},500"] for n in range(4)])
        pdf.text(72, 700, f"Page {number} ends with a sentence that is not finished before the")
        pdf.next_page()
    return pdf.save()


@pytest.mark.parametrize(
    ("name", "data", "sure"),
    [
        ("a.pdf", b"%PDF-1.7\n", 1.0),
        ("a.txt", b"%PDF-1.7\n", 1.0),
        ("a.pdf", b"junk before\n%PDF-1.4\n", 1.0),
        ("a.pdf", b"plain text", 0.0),
        ("a.txt", b"1 0 obj", 0.0),
    ],
)
def test_a_pdf_is_recognised_by_its_header(tmp_path: Path, name: str, data: bytes, sure: float) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert FORMAT.sniff(Source(path)) == sure


def test_a_file_without_header_but_with_objects_is_tried(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"1 0 obj\n<< >>\nendobj\n")
    assert 0 < FORMAT.sniff(Source(path)) < 1


@pytest.mark.parametrize("pages", [1, RANGE_PAGES - 1, RANGE_PAGES, RANGE_PAGES + 1, 5 * RANGE_PAGES])
def test_ranges_hold_every_page_once(pages: int) -> None:
    found = [page for first, last in page_ranges(pages) for page in range(first, last)]
    assert found == list(range(pages))
    assert all(last - first <= RANGE_PAGES for first, last in page_ranges(pages))


def test_several_processes_give_the_same_document_as_one_byte_for_byte(tmp_path: Path) -> None:
    path = book(tmp_path / "a.pdf", 3 * RANGE_PAGES + 5)
    alone = open_document(path, isolate=False, cache=False)
    assert_sound(alone)
    for workers in (1, 2):
        together = open_document(path, workers=workers, cache=False)
        assert pack_document(together) == pack_document(alone)


def test_two_readings_are_equal_byte_for_byte(tmp_path: Path) -> None:
    path = book(tmp_path / "a.pdf", 6)
    assert pack_document(read(path)) == pack_document(read(path))


@pytest.mark.parametrize("isolate", [False, True])
def test_too_many_pages_are_refused_with_the_limit_and_the_way_out(tmp_path: Path, isolate: bool) -> None:
    path = book(tmp_path / "a.pdf", 5)
    with pytest.raises(LimitExceeded) as caught:
        open_document(path, max_pages=3, isolate=isolate, cache=False)
    assert str(caught.value) == (
        "a.pdf has 5 pages, more than max_pages=3; raise max_pages, or set partial=True to read the first ones."
    )
    assert (caught.value.setting, caught.value.limit, caught.value.value) == ("max_pages", 3, 5)


@pytest.mark.parametrize("isolate", [False, True])
def test_partial_reads_the_first_pages_and_says_so(tmp_path: Path, isolate: bool) -> None:
    path = book(tmp_path / "a.pdf", RANGE_PAGES + 3)
    document = open_document(path, max_pages=RANGE_PAGES + 1, partial=True, isolate=isolate, cache=False)
    assert_sound(document)
    assert len(document.pages) == RANGE_PAGES + 1
    (warning,) = document.warnings
    assert (warning.code, str(warning)) == (
        "truncated",
        f"Only the first {RANGE_PAGES + 1} of {RANGE_PAGES + 3} pages were read (max_pages).",
    )


def test_out_of_time_is_an_error_that_names_the_setting(tmp_path: Path) -> None:
    path = book(tmp_path / "a.pdf", 3)
    late = ParseContext(ReadOptions(max_seconds=5), started=-1e9)
    with pytest.raises(LimitExceeded, match=r"a\.pdf took longer than 5 s to read; raise max_seconds") as caught:
        FORMAT.parse(Source(path), late)
    assert (caught.value.setting, caught.value.limit) == ("max_seconds", 5)


def test_out_of_time_with_partial_reads_at_least_one_page(tmp_path: Path) -> None:
    path = book(tmp_path / "a.pdf", 5)
    late = ParseContext(ReadOptions(max_seconds=5, partial=True), started=-1e9)
    found = read_pages(Source(path), late, False, 2, 5, done=2, total=5)
    assert len(found.page_start) == 1
    assert "Page 3 ends" in found.text


@pytest.mark.parametrize("isolate", [False, True])
def test_a_document_that_ran_out_of_time_keeps_what_was_read_and_says_so(tmp_path: Path, isolate: bool) -> None:
    path = book(tmp_path / "a.pdf", 200)
    # No page is read in a nanosecond: every range ends behind its first page.
    document = open_document(path, max_seconds=1e-9, partial=True, isolate=isolate, cache=False)
    assert_sound(document)
    assert [page.status for page in document.pages] == [PageStatus.TEXT]
    assert "Chapter 1 of the terms" in document.texts
    (warning,) = document.warnings
    assert (warning.code, str(warning)) == (
        "out_of_time",
        "Only 1 of 200 pages were read within max_seconds=1e-09.",
    )


def test_pages_behind_a_range_that_ended_early_are_left_out_for_they_would_be_misnumbered(tmp_path: Path) -> None:
    pages = 3 * RANGE_PAGES
    second, end = page_ranges(pages)[1]
    path = book(tmp_path / "a.pdf", pages)
    options = ReadOptions(partial=True)

    def run_jobs(function: str, arguments: Sequence[dict[str, Any]]) -> Iterator[bytes]:
        job = getattr(jobs, function.partition(":")[2])
        for given in arguments:
            is_second = given.get("first") == second
            yield job(given, ParseContext(options, started=-1e9) if is_second else ParseContext(options))

    assert FORMAT.distribute is not None
    draft = FORMAT.distribute(Source(path), ParseContext(options), run_jobs)
    assert end > second + 1
    assert len(draft.pages) == second + 1
    (warning,) = draft.warnings
    assert (warning.code, warning.message) == (
        "out_of_time",
        f"Only {second + 1} of {pages} pages were read within max_seconds=60.",
    )


def test_progress_counts_all_pages_once(tmp_path: Path) -> None:
    path = book(tmp_path / "a.pdf", RANGE_PAGES + 3)
    seen: list[tuple[int, int]] = []
    FORMAT.parse(Source(path), ParseContext(ReadOptions(), lambda done, total: seen.append((done, total))))
    total = RANGE_PAGES + 3
    assert seen == [(done, total) for done in range(1, total + 1)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "a.pdf is encrypted and needs a password; give it as password=… (or --password)."),
        ({"password": "wrong"}, "a.pdf does not open with this password; give it as password=… (or --password)."),
    ],
    ids=["none", "wrong"],
)
@pytest.mark.parametrize("isolate", [False, True])
def test_an_encrypted_file_says_what_it_needs(
    tmp_path: Path, isolate: bool, given: dict[str, Any], message: str
) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", password="geheim")
    pdf.text(72, 100, "Net sales")
    with pytest.raises(EncryptedFile) as caught:
        open_document(pdf.save(), isolate=isolate, **given)
    assert str(caught.value) == message


@pytest.mark.parametrize("isolate", [False, True])
def test_the_password_opens_an_encrypted_file(tmp_path: Path, isolate: bool) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", password="geheim")
    pdf.text(72, 100, "Net sales rose.")
    document = open_document(pdf.save(), isolate=isolate, password="geheim")
    assert document.texts == ("Net sales rose.",)


def test_a_file_that_was_cut_off_is_damaged_or_read_in_part_but_never_a_crash(tmp_path: Path) -> None:
    data = book(tmp_path / "a.pdf", 4).read_bytes()
    for share in (0.2, 0.5, 0.9, 0.99):
        path = tmp_path / "cut.pdf"
        path.write_bytes(data[: int(share * len(data))])
        try:
            document = read(path)
        except DamagedFile as error:
            assert str(error).startswith("cut.pdf is damaged or no PDF")
        else:
            assert document.pages


@pytest.mark.parametrize("isolate", [False, True])
def test_a_damaged_file_is_named_also_from_a_worker(tmp_path: Path, isolate: bool) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7\n" + b"no object follows\n" * 20)
    with pytest.raises(DamagedFile, match=r"^a\.pdf is damaged or no PDF"):
        open_document(path, isolate=isolate)


def test_a_lost_cross_reference_table_is_rebuilt(tmp_path: Path) -> None:
    path = book(tmp_path / "a.pdf", 3)
    whole = read(path)
    path.write_bytes(path.read_bytes().replace(b"\nxref", b"\nyref").replace(b"startxref", b"startyref"))
    assert read(path).texts == whole.texts


def test_a_broken_page_is_unreadable_and_the_others_are_read(tmp_path: Path) -> None:
    page = (
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F 7 0 R >> >> >>"
    )
    path = raw_pdf(
        tmp_path / "a.pdf",
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R 99 0 R 4 0 R] /Count 3 >>",
            page.format(5),
            page.format(6),
            stream("BT /F 12 Tf 72 700 Td (The first page.) Tj ET"),
            stream("BT /F 12 Tf 72 700 Td (The last page.) Tj ET"),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ],
    )
    document = read(path)
    assert [page.status for page in document.pages] == [PageStatus.TEXT, PageStatus.UNREADABLE, PageStatus.TEXT]
    assert document.texts == ("The first page.", "The last page.")
    assert [(warning.code, warning.pages) for warning in document.warnings] == [("unreadable", (2,))]


def test_a_file_without_pages_is_damaged(tmp_path: Path) -> None:
    path = raw_pdf(tmp_path / "a.pdf", ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"])
    with pytest.raises(DamagedFile, match=r"^a\.pdf "):
        read(path)


def test_blank_pages_are_counted_and_warned_of_by_nobody(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 100, prose(3))
    pdf.next_page()
    pdf.next_page()
    pdf.paragraph(72, 100, prose(3))
    document = read(pdf.save())
    assert [page.status for page in document.pages] == [PageStatus.TEXT, PageStatus.BLANK, PageStatus.TEXT]
    assert document.warnings == ()


@pytest.mark.parametrize("pages", [1, 3])
def test_a_file_of_blank_pages_is_warned_of(tmp_path: Path, pages: int) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for _ in range(pages):
        pdf.next_page()
    document = read(pdf.save())
    assert [page.status for page in document.pages] == [PageStatus.BLANK] * pages
    (warning,) = document.warnings
    assert (warning.code, str(warning)) == ("blank", "a.pdf has blank pages only: there is nothing to read.")


def with_attachments(path: Path, *names: str) -> Path:
    """Write a page of text that files are attached to."""
    pdf = PdfFile(path)
    pdf.paragraph(72, 100, prose(3))
    pdf.save()
    document = pypdfium2.PdfDocument(path.read_bytes())
    for name in names:
        document.new_attachment(name).set_data(b"1,234")
    document.save(path)
    document.close()
    return path


@pytest.mark.parametrize(
    ("names", "some"),
    [
        (("sales.csv",), "an attachment not read here (sales.csv)"),
        (("costs.csv", "sales.csv"), "2 attachments not read here (costs.csv, sales.csv)"),
    ],
)
@pytest.mark.parametrize("isolate", [False, True])
def test_files_that_are_attached_are_named(tmp_path: Path, names: tuple[str, ...], some: str, isolate: bool) -> None:
    path = with_attachments(tmp_path / "a.pdf", *names)
    (warning,) = open_document(path, isolate=isolate, cache=False).warnings
    assert (warning.code, str(warning)) == ("attachments", f"a.pdf holds {some}; save and open it by itself.")
