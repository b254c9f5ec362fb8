"""Word documents: kinds, tables, notes, furniture, what is not read, and damaged files."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import docx
import pytest
from docx.enum.text import WD_BREAK
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.docx import FORMAT
from workbench.documents.pages import PageStatus
from workbench.documents.source import Source
from workbench.errors import DamagedFile, LimitExceeded

from .office_files import (
    R,
    W,
    blocks,
    content_types,
    kinds,
    read,
    relations,
    rows,
    texts_of,
    warnings,
    word_file,
    write_zip,
)

TEXT_BOX = """
<w:p><w:r><w:t>Anchor.</w:t></w:r><w:r><mc:AlternateContent>
<mc:Choice Requires="wps"><w:drawing><txbxContent><w:p><w:r><w:t>Boxed note</w:t></w:r></w:p></txbxContent></w:drawing>
</mc:Choice><mc:Fallback><w:pict><txbxContent><w:p><w:r><w:t>Boxed note</w:t></w:r></w:p></txbxContent></w:pict>
</mc:Fallback></mc:AlternateContent></w:r></w:p><w:p><w:r><w:t>Next.</w:t></w:r></w:p>
"""


def paragraph(text: str, properties: str = "") -> str:
    return f'<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def styles_part(*styles: str) -> str:
    return f"<w:styles {W}>{''.join(styles)}</w:styles>"


def style(style_id: str, name: str, more: str = "") -> str:
    return f'<w:style w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{name}"/>{more}</w:style>'


def styled(text: str, style_id: str) -> str:
    return paragraph(text, f'<w:pStyle w:val="{style_id}"/>')


def with_styles(path: Path, body: str, *styles: str) -> Path:
    return word_file(path, body, parts={"styles.xml": styles_part(*styles)}, links={"st": ("styles", "styles.xml")})


@pytest.fixture
def report(tmp_path: Path) -> Path:
    document = docx.Document()
    document.add_heading("Annual report", 0)
    document.add_heading("Results", 1)
    document.add_paragraph("Net sales rose by 3 %. ").add_run("Costs fell.")
    document.add_heading("Outlook", 2)
    document.add_paragraph("First", style="List Bullet")
    document.add_paragraph("Second", style="List Bullet 2")
    table = document.add_table(rows=3, cols=3)
    for row, values in zip(
        table.rows, [["Item", "2023", "2022"], ["Sales", "10", "9"], ["Costs", "4", "5"]], strict=True
    ):
        for place, value in zip(row.cells, values, strict=True):
            place.text = value
    document.add_paragraph("Table 1: Figures", style="Caption")
    section = document.sections[0]
    section.header.paragraphs[0].text = "ACME Corp"
    section.footer.paragraphs[0].text = "Page 1"
    path = tmp_path / "report.docx"
    document.save(str(path))
    return path


def test_a_report_becomes_typed_blocks_in_order(report: Path) -> None:
    assert [block for block in blocks(read(FORMAT, report)) if block[0] != "table_row"] == [
        ("header", 0, "ACME Corp"),
        ("heading", 1, "Annual report"),
        ("heading", 1, "Results"),
        ("paragraph", 0, "Net sales rose by 3 %. Costs fell."),
        ("heading", 2, "Outlook"),
        ("list_item", 1, "First"),
        ("list_item", 2, "Second"),
        ("table", 0, ""),
        ("caption", 0, "Table 1: Figures"),
        ("footer", 0, "Page 1"),
    ]


def test_a_table_has_a_header_and_places(report: Path) -> None:
    assert rows(read(FORMAT, report)) == [
        (True, {0: "Item", 1: "2023", 2: "2022"}, "table 1 row 1"),
        (False, {0: "Sales", 1: "10", 2: "9"}, "table 1 row 2"),
        (False, {0: "Costs", 1: "4", 2: "5"}, "table 1 row 3"),
    ]


def test_paragraphs_are_counted_as_word_libraries_count_them(report: Path) -> None:
    done = read(FORMAT, report)
    listed = docx.Document(str(report)).paragraphs
    for text, kind, place in zip(done.texts, kinds(done), done.locators, strict=True):
        if kind in (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CAPTION):
            assert place.startswith("paragraph ")
            assert listed[int(place.split()[1]) - 1].text.strip() == text


def test_sections_follow_the_headings(report: Path) -> None:
    done = read(FORMAT, report)
    first = done.texts.index("First")
    outlook = int(done.columns.parent[first])
    assert done.texts[outlook] == "Outlook"
    assert done.texts[int(done.columns.parent[outlook])] == "Results"


def test_a_chinese_document_keeps_its_text_and_kinds(tmp_path: Path) -> None:
    path = with_styles(
        tmp_path / "合同.docx",
        styled("采购合同", "a3")
        + styled("第一章 总则", "1")
        + paragraph("甲方应于三十日内付款。乙方应当交货。")
        + styled("附表", "af"),
        style("a3", "标题"),
        style("1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
        style("af", "题注"),
    )
    assert blocks(read(FORMAT, path)) == [
        ("heading", 1, "采购合同"),
        ("heading", 1, "第一章 总则"),
        ("paragraph", 0, "甲方应于三十日内付款。乙方应当交货。"),
        ("caption", 0, "附表"),
    ]


@pytest.mark.parametrize("name", ["heading 3", "Heading 3", "标题 3", "Überschrift 3", "Titre 3", "見出し 3"])
def test_headings_are_known_by_name_in_many_languages(tmp_path: Path, name: str) -> None:
    path = with_styles(tmp_path / "a.docx", styled("Scope", "x"), style("x", name))
    assert blocks(read(FORMAT, path)) == [("heading", 3, "Scope")]


def test_a_custom_style_is_a_heading_by_its_outline_level_or_by_what_it_is_based_on(tmp_path: Path) -> None:
    path = with_styles(
        tmp_path / "a.docx",
        styled("One", "clause") + styled("Two", "mine") + styled("Body after all", "off"),
        style("clause", "Clause", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
        style("mine", "Mine", '<w:basedOn w:val="h4"/>'),
        style("h4", "heading 4"),
        style("off", "Off", '<w:basedOn w:val="h4"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
    )
    assert blocks(read(FORMAT, path)) == [
        ("heading", 2, "One"),
        ("heading", 4, "Two"),
        ("paragraph", 0, "Body after all"),
    ]


def test_styles_based_on_each_other_do_not_hang(tmp_path: Path) -> None:
    path = with_styles(
        tmp_path / "a.docx",
        styled("Text", "a"),
        style("a", "A", '<w:basedOn w:val="b"/>'),
        style("b", "B", '<w:basedOn w:val="a"/>'),
    )
    assert blocks(read(FORMAT, path)) == [("paragraph", 0, "Text")]


def test_a_long_numbered_clause_in_a_heading_style_is_a_paragraph(tmp_path: Path) -> None:
    clause = "The supplier shall deliver the goods on time. " * 8
    path = with_styles(tmp_path / "a.docx", styled(clause, "h"), style("h", "heading 2"))
    assert kinds(read(FORMAT, path)) == [BlockKind.PARAGRAPH]


def test_contents_code_and_references_are_told_by_style(tmp_path: Path) -> None:
    path = with_styles(
        tmp_path / "a.docx",
        styled("Contents", "th")
        + styled("1 Scope\t3", "t1")
        + styled("def f():", "c")
        + styled("    return 1", "c")
        + paragraph("Then.")
        + styled("g()", "c")
        + styled("Knuth 1997", "bib"),
        style("th", "TOC Heading", '<w:basedOn w:val="h"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
        style("h", "heading 1"),
        style("t1", "toc 1"),
        style("c", "Source Code"),
        style("bib", "Bibliography"),
    )
    assert blocks(read(FORMAT, path)) == [
        ("heading", 1, "Contents"),
        ("toc_entry", 0, "1 Scope\t3"),
        ("code", 0, "def f():\n    return 1"),
        ("paragraph", 0, "Then."),
        ("code", 0, "g()"),
        ("reference", 0, "Knuth 1997"),
    ]


def test_numbering_makes_list_items_and_zero_switches_it_off(tmp_path: Path) -> None:
    def numbered(text: str, level: int, number: int = 1) -> str:
        return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')

    path = word_file(tmp_path / "a.docx", numbered("One", 0) + numbered("Deep", 2) + numbered("Not", 0, 0))
    assert blocks(read(FORMAT, path)) == [("list_item", 1, "One"), ("list_item", 3, "Deep"), ("paragraph", 0, "Not")]


def test_merged_cells_are_read_once_and_advance_the_column(tmp_path: Path) -> None:
    body = f"""<w:tbl>
    <w:tr><w:trPr><w:tblHeader/></w:trPr>{cell("Region")}{cell("Sales", '<w:gridSpan w:val="2"/>')}{cell("Note")}</w:tr>
    <w:tr>{cell("North", '<w:vMerge w:val="restart"/>')}{cell("Q1")}{cell("7")}{cell("a")}</w:tr>
    <w:tr>{cell("", "<w:vMerge/>")}{cell("Q2")}{cell("8")}{cell("b")}</w:tr>
    <w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>{cell("Q3")}{cell("9")}{cell("c")}</w:tr></w:tbl>"""
    assert rows(read(FORMAT, word_file(tmp_path / "a.docx", body))) == [
        (True, {0: "Region", 1: "Sales", 3: "Note"}, "table 1 row 1"),
        (False, {0: "North", 1: "Q1", 2: "7", 3: "a"}, "table 1 row 2"),
        (False, {1: "Q2", 2: "8", 3: "b"}, "table 1 row 3"),
        (False, {1: "Q3", 2: "9", 3: "c"}, "table 1 row 4"),
    ]


def test_text_behind_a_merged_cell_is_excluded(tmp_path: Path) -> None:
    body = f"""<w:tbl><w:tr>{cell("A", '<w:vMerge w:val="restart"/>')}{cell("1")}</w:tr>
    <w:tr>{cell("ghost", "<w:vMerge/>")}{cell("2")}</w:tr></w:tbl>"""
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    assert [(done.text_layer[e.start_char : e.end_char], e.reason) for e in done.exclusions] == [
        ("ghost", "hidden behind a merged cell")
    ]


def test_a_first_row_in_bold_names_the_columns_of_a_table_of_words(tmp_path: Path) -> None:
    def bold(text: str) -> str:
        return f"<w:tc><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p></w:tc>"

    body = f"<w:tbl><w:tr>{bold('Term')}{bold('Meaning')}</w:tr><w:tr>{cell('Buyer')}{cell('the party')}</w:tr></w:tbl>"
    assert [header for header, _, _ in rows(read(FORMAT, word_file(tmp_path / "a.docx", body)))] == [True, False]


def test_a_table_of_words_without_any_sign_has_no_header(tmp_path: Path) -> None:
    body = f"<w:tbl><w:tr>{cell('Seller')}{cell('a')}</w:tr><w:tr>{cell('Buyer')}{cell('b')}</w:tr></w:tbl>"
    assert [header for header, _, _ in rows(read(FORMAT, word_file(tmp_path / "a.docx", body)))] == [False, False]


def test_a_nested_table_follows_the_outer_one(tmp_path: Path) -> None:
    inner = f"<w:tbl><w:tr>{cell('in 1')}{cell('in 2')}</w:tr></w:tbl>"
    body = f"<w:tbl><w:tr><w:tc>{paragraph('out')}{inner}</w:tc>{cell('right')}</w:tr></w:tbl>" + paragraph("After.")
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    assert rows(done) == [
        (False, {0: "out", 1: "right"}, "table 1 row 1"),
        (False, {0: "in 1", 1: "in 2"}, "table 2 row 1"),
    ]
    assert done.texts[-1] == "After."


def test_a_table_of_one_cell_is_read_as_its_content(tmp_path: Path) -> None:
    body = f"<w:tbl><w:tr><w:tc>{paragraph('Framed.')}{paragraph('Twice.')}</w:tc></w:tr></w:tbl>"
    assert kinds(read(FORMAT, word_file(tmp_path / "a.docx", body))) == [BlockKind.PARAGRAPH] * 2


def test_paragraphs_of_a_cell_are_joined_by_a_space(tmp_path: Path) -> None:
    body = f"<w:tbl><w:tr><w:tc>{paragraph('a')}{paragraph('b')}</w:tc>{cell('c')}</w:tr></w:tbl>"
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    assert done.texts[1] == "a b\tc"


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


def test_inserted_text_is_read_and_deleted_text_is_not(tmp_path: Path) -> None:
    body = """<w:p><w:r><w:t>Pay </w:t></w:r><w:del><w:r><w:delText>10</w:delText></w:r></w:del>
    <w:ins><w:r><w:t>20</w:t></w:r></w:ins><w:hyperlink><w:r><w:t> EUR</w:t></w:r></w:hyperlink></w:p>"""
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    assert done.texts == ["Pay 20 EUR"]
    assert [warning.message for warning in done.warnings] == [
        "a.docx holds 1 tracked deletions, which were not read.",
        "a.docx holds 1 tracked insertions, which were read as text.",
    ]


def test_tabs_and_breaks_are_text(tmp_path: Path) -> None:
    document = docx.Document()
    run = document.add_paragraph().add_run("a\tb")
    run.add_break(WD_BREAK.LINE)
    run.add_text("c")
    path = tmp_path / "a.docx"
    document.save(str(path))
    assert read(FORMAT, path).texts == ["a\tb\nc"]


def test_a_text_box_is_read_once_after_its_paragraph(tmp_path: Path) -> None:
    done = read(FORMAT, word_file(tmp_path / "a.docx", TEXT_BOX))
    assert list(zip(done.texts, done.locators, strict=True)) == [
        ("Anchor.", "paragraph 1"),
        ("Boxed note", "text box 1"),
        ("Next.", "paragraph 2"),
    ]


def test_form_controls_are_form_fields_and_other_controls_are_their_content(tmp_path: Path) -> None:
    def control(kind: str, inner: str) -> str:
        return f"<w:sdt><w:sdtPr>{kind}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"

    run = "<w:r><w:t>{}</w:t></w:r>"
    prompt = control("<w:text/><w:showingPlcHdr/>", run.format("Click here"))
    body = (
        "<w:p>"
        + run.format("Name:")
        + control("<w:text/>", run.format("Ada"))
        + "</w:p>"
        + control("<w:dropDownList/>", paragraph("Option B"))
        + control("<w:docPartObj/>", paragraph("Plain content"))
        + "<w:p>"
        + run.format("City:")
        + prompt
        + "</w:p>"
    )
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    assert blocks(done) == [
        ("form_field", 0, "Name:Ada"),
        ("form_field", 0, "Option B"),
        ("paragraph", 0, "Plain content"),
        ("form_field", 0, "City:"),
    ]
    assert [exclusion.reason for exclusion in done.exclusions] == ["prompt of an empty form field"]


def test_an_old_check_box_is_shown_by_its_sign(tmp_path: Path) -> None:
    def box(state: str) -> str:
        return f"""<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>{state}</w:checkBox></w:ffData>
        </w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>
        <w:r><w:t> agreed</w:t></w:r></w:p>"""

    done = read(FORMAT, word_file(tmp_path / "a.docx", box("<w:checked/>") + box('<w:default w:val="0"/>')))
    assert blocks(done) == [("form_field", 0, "☒ agreed"), ("form_field", 0, "☐ agreed")]


def test_field_instructions_are_no_text_but_results_are(tmp_path: Path) -> None:
    body = """<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>
    <w:r><w:t>not shown</w:t></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r>
    <w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>"""
    assert read(FORMAT, word_file(tmp_path / "a.docx", body)).texts == ["7"]


def test_hidden_text_and_phonetic_guides_are_excluded_by_name(tmp_path: Path) -> None:
    body = """<w:p><w:r><w:t>Seen</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:ruby>
    <w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>"""
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    assert done.texts == ["Seen漢"]
    assert {done.text_layer[e.start_char : e.end_char]: e.reason for e in done.exclusions} == {
        "secret": "hidden text",
        "kan": "phonetic guide",
    }
    assert warnings(done)["hidden_text"] == "a.docx holds 1 passages of hidden text, which are excluded."


def test_a_fraction_keeps_its_bar(tmp_path: Path) -> None:
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    body = f"""<w:p><w:r><w:t>x = </w:t></w:r><m:oMath {math}><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num>
    <m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>"""
    assert read(FORMAT, word_file(tmp_path / "a.docx", body)).texts == ["x = 1/2"]


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


def test_an_empty_document_is_blank(tmp_path: Path) -> None:
    done = read(FORMAT, word_file(tmp_path / "a.docx", "<w:p/>"))
    assert done.texts == []
    assert done.pages[0].status is PageStatus.BLANK


def test_macro_enabled_and_strict_documents_are_read_alike(tmp_path: Path) -> None:
    macro = "application/vnd.ms-word.document.macroEnabled.main+xml"
    path = word_file(tmp_path / "a.docm", paragraph("Same"), main_type=macro)
    assert read(FORMAT, path).texts == ["Same"]
    strict = tmp_path / "strict.docx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(strict, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            text = text.replace(
                "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                "http://purl.oclc.org/ooxml/wordprocessingml/main",
            )
            new.writestr(name, text)
    assert read(FORMAT, strict).texts == ["Same"]


def test_more_blocks_than_allowed_stop_the_reading_early(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx", paragraph("x") * 500)
    assert len(read(FORMAT, path, max_blocks=10).texts) == 11


def test_time_that_is_up_is_an_error_or_a_warning(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx", paragraph("x") * 50)
    with pytest.raises(LimitExceeded, match=r"a\.docx took longer than 1e-09 s to read; raise max_seconds"):
        read(FORMAT, path, max_seconds=1e-9)
    done = read(FORMAT, path, max_seconds=1e-9, partial=True)
    assert warnings(done) == {
        "out_of_time": "Reading a.docx ended after 0 paragraphs, because its 1e-09 s were up (max_seconds)."
    }


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx", "<w:p>")
    with pytest.raises(DamagedFile, match=r"a\.docx has a damaged part 'word/document\.xml' \(.+\); get a fresh copy"):
        read(FORMAT, path)


def test_a_lost_main_part_is_named(tmp_path: Path) -> None:
    members = {"[Content_Types].xml": content_types({}), "_rels/.rels": relations({}), "word/x.xml": "<a/>"}
    with pytest.raises(DamagedFile, match=r"a\.docx has no main document part; get a fresh copy of it\."):
        read(FORMAT, write_zip(tmp_path / "a.docx", members))


def test_absurd_spans_do_not_widen_the_table(tmp_path: Path) -> None:
    body = f"""<w:tbl><w:tr>{cell("a", '<w:gridSpan w:val="999999999"/>')}{cell("b")}</w:tr>
    <w:tr>{cell("c")}{cell("d")}</w:tr></w:tbl>"""
    found = rows(read(FORMAT, word_file(tmp_path / "a.docx", body)))
    assert found[0][1] == {0: "a b"}


def test_content_decides_what_a_word_file_is(report: Path, tmp_path: Path) -> None:
    assert FORMAT.sniff(Source(report, "report.bin")) > 0.9
    other = tmp_path / "a.docx"
    other.write_bytes(b"plain text")
    assert FORMAT.sniff(Source(other)) == 0.0


WORDS = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co")), max_size=40)
PARTS = st.one_of(WORDS.map(lambda text: [text]), st.lists(WORDS, min_size=2, max_size=3))
"""One text is a paragraph, several are the cells of a table."""


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PARTS, max_size=6))
def test_no_text_is_lost_or_changed(tmp_path: Path, parts: list[list[str]]) -> None:
    body = ""
    for texts in parts:
        made = [escape(text) for text in texts]
        body += f"<w:tbl><w:tr>{''.join(map(cell, made))}</w:tr></w:tbl>" if len(made) > 1 else paragraph(made[0])
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    expected = "".join("".join(texts) for texts in parts)
    assert "".join("".join(done.texts).split()) == "".join(expected.split())


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
