"""What stands outside the body of a Word document: notes, furniture, comments, charts and pictures."""

from __future__ import annotations

from pathlib import Path

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.docx import FORMAT
from workbench.documents.pages import PageStatus

from ..office_files import R, W, blocks, kinds, read, rows, texts_of, warnings, word_file
from .word_markup import paragraph


def test_notes_follow_the_body_and_separators_are_no_notes(tmp_path: Path) -> None:
    notes = f"""<w:footnotes {W}><w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>
    <w:footnote w:id="2">{paragraph("As restated.")}</w:footnote></w:footnotes>"""
    ends = f'<w:endnotes {W}><w:endnote w:id="2">{paragraph("See annex.")}</w:endnote></w:endnotes>'
    path = word_file(
        tmp_path / "a.docx",
        '<w:p><w:r><w:t>Sales</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t> rose.</w:t></w:r></w:p>',
        parts={"footnotes.xml": notes, "endnotes.xml": ends},
        links={"f": ("footnotes", "footnotes.xml"), "e": ("endnotes", "endnotes.xml")},
    )
    done = read(FORMAT, path)
    assert list(zip(kinds(done), done.texts, done.locators, strict=True)) == [
        (BlockKind.PARAGRAPH, "Sales rose.", "paragraph 1"),
        (BlockKind.FOOTNOTE, "As restated.", "footnote 1"),
        (BlockKind.FOOTNOTE, "See annex.", "endnote 1"),
    ]


def test_a_header_that_repeats_over_sections_is_read_once(tmp_path: Path) -> None:
    header = f"<w:hdr {W}>{paragraph('ACME')}</w:hdr>"
    section = '<w:sectPr><w:headerReference r:id="{}"/></w:sectPr>'
    path = word_file(
        tmp_path / "a.docx",
        paragraph("One", section.format("h1")) + paragraph("Two") + section.format("h2"),
        parts={"header1.xml": header, "header2.xml": header},
        links={"h1": ("header", "header1.xml"), "h2": ("header", "header2.xml")},
    )
    assert texts_of(read(FORMAT, path), BlockKind.HEADER) == ["ACME"]


def test_comments_are_counted(tmp_path: Path) -> None:
    comments = f"<w:comments {W}><w:comment>{paragraph('Check!')}</w:comment></w:comments>"
    path = word_file(
        tmp_path / "a.docx",
        paragraph("Text"),
        parts={"comments.xml": comments},
        links={"c": ("comments", "comments.xml")},
    )
    done = read(FORMAT, path)
    assert done.texts == ["Text"]
    assert warnings(done) == {"comments": "a.docx holds 1 comments, which are not part of its text."}


def test_a_document_of_pictures_is_reported_as_without_text(tmp_path: Path) -> None:
    body = f'<w:p><w:r><w:drawing><blip {R} r:embed="x"/></w:drawing></w:r></w:p>'
    page = read(FORMAT, word_file(tmp_path / "a.docx", body)).pages[0]
    assert (page.status, page.images) == (PageStatus.NO_TEXT, 1)


def test_charts_and_diagrams_are_read_after_the_paragraph_that_holds_them(tmp_path: Path) -> None:
    def values(tag: str, *texts: str) -> str:
        points = [f'<pt idx="{at}"><v>{text}</v></pt>' for at, text in enumerate(texts)]
        return f"<{tag}>{''.join(points)}</{tag}>"

    series = f"<ser>{values('tx', 'Sales')}{values('cat', 'Q1', 'Q1')}{values('val', '3', '4')}</ser>"
    diagram = "<data><pt><t><p><r><t>Plan</t></r></p></t></pt><pt><t><p><r><t>Build</t></r></p></t></pt></data>"
    drawing = '<w:r><w:drawing><chart r:id="c"/><relIds r:dm="d"/></w:drawing></w:r>'
    path = word_file(
        tmp_path / "a.docx",
        f"<w:p><w:r><w:t>See:</w:t></w:r>{drawing}</w:p>",
        parts={"chart.xml": f"<chartSpace>{series}</chartSpace>", "diagram.xml": diagram},
        links={"c": ("chart", "chart.xml"), "d": ("diagramData", "diagram.xml")},
    )
    done = read(FORMAT, path)
    assert blocks(done) == [
        ("paragraph", 0, "See:"),
        ("table", 0, ""),
        ("table_row", 0, "Sales"),
        ("table_row", 0, "Q1\t3"),
        ("table_row", 0, "Q1\t4"),
        ("list_item", 1, "Plan"),
        ("list_item", 1, "Build"),
    ]
    assert done.locators[-1] == "diagram after paragraph 1"
    assert rows(done)[0][:2] == (True, {1: "Sales"})
