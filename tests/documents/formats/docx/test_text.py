"""The text of a Word paragraph: what a reader of the finished document sees, and what is excluded by name."""

from __future__ import annotations

from pathlib import Path

import docx
from docx.enum.text import WD_BREAK

from workbench.documents.formats.docx import FORMAT

from ..office_files import blocks, read, warnings, word_file
from .word_markup import paragraph

TEXT_BOX = """
<w:p><w:r><w:t>Anchor.</w:t></w:r><w:r><mc:AlternateContent>
<mc:Choice Requires="wps"><w:drawing><txbxContent><w:p><w:r><w:t>Boxed note</w:t></w:r></w:p></txbxContent></w:drawing>
</mc:Choice><mc:Fallback><w:pict><txbxContent><w:p><w:r><w:t>Boxed note</w:t></w:r></w:p></txbxContent></w:pict>
</mc:Fallback></mc:AlternateContent></w:r></w:p><w:p><w:r><w:t>Next.</w:t></w:r></w:p>
"""


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
