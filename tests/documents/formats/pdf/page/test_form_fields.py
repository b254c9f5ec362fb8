"""Filled form fields: they are drawn by the viewer and stand in no text of the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.blocks import BlockKind
from workbench.documents.pages import PageStatus

from ..pdf_files import PdfFile, changed, prose, read, shown, texts_of


def form(path: Path, *, text: bool = True) -> PdfFile:
    """Begin a page with text fields, of which one is empty, and a box that is not ticked."""
    pdf = PdfFile(path)
    if text:
        pdf.paragraph(72, 80, prose(3))
    fields = pdf.canvas.acroForm
    for rank, (name, tip, value) in enumerate(
        [("a", "Name of the holder", "Ada Lovelace"), ("b", "", "12 June"), ("c", "Empty", "")]
    ):
        fields.textfield(name=name, tooltip=tip, value=value, x=100, y=600 - 40 * rank, width=200, height=20)
    fields.checkbox(name="box", tooltip="Box", checked=False, x=100, y=400)
    fields.choice(name="country", value="Malta", options=["Chad", "Malta"], x=300, y=400, width=100, height=20)
    return pdf


def test_fields_that_hold_something_are_blocks_and_empty_ones_are_not(tmp_path: Path) -> None:
    document = read(form(tmp_path / "a.pdf").save())
    assert texts_of(document, BlockKind.FORM_FIELD) == [
        "Name of the holder: Ada Lovelace",
        "b: 12 June",
        "country: Malta",
    ]


def test_a_field_has_its_box_and_an_anchor_in_the_text_layer(tmp_path: Path) -> None:
    document = read(form(tmp_path / "a.pdf").save())
    field = next(block for block in document.blocks if block.kind is BlockKind.FORM_FIELD)
    assert field.anchor.box is not None
    assert field.anchor.box[1:] == pytest.approx((100, 172, 300, 192), abs=2)
    assert field.anchor.read(document.text_layer) == field.text


def test_fields_turn_with_the_page(tmp_path: Path) -> None:
    document = read(changed(form(tmp_path / "a.pdf").save(), rotation=180))
    field = next(block for block in document.blocks if "Ada" in block.text)
    assert field.anchor.box is not None
    assert field.anchor.box[1:] == pytest.approx((312, 600, 512, 620), abs=2)


def test_a_page_of_fields_only_is_a_page_with_text(tmp_path: Path) -> None:
    pdf = form(tmp_path / "a.pdf", text=False)
    pdf.next_page()
    document = read(pdf.save())
    assert document.pages[0].status is PageStatus.TEXT
    assert {block.kind for block in document.blocks} == {BlockKind.FORM_FIELD}


def test_fields_stand_behind_the_text_of_their_own_page(tmp_path: Path) -> None:
    pdf = form(tmp_path / "a.pdf")
    pdf.next_page()
    pdf.paragraph(72, 80, prose(3, 4))
    kinds = [kind for kind, _ in shown(read(pdf.save()))]
    assert kinds == ["paragraph", "form_field", "form_field", "form_field", "paragraph"]


def test_a_value_of_several_lines_is_one_line(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(2))
    pdf.canvas.acroForm.textfield(name="note", value="first\nsecond", x=72, y=400, width=200, height=60)
    assert texts_of(read(pdf.save()), BlockKind.FORM_FIELD) == ["note: first second"]


def test_ticked_boxes_and_chosen_buttons_are_fields_and_others_are_not(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(2))
    fields = pdf.canvas.acroForm
    for rank, (name, ticked) in enumerate([("Resident", True), ("Married", False), ("Employed", True)]):
        fields.checkbox(name=name.lower(), tooltip=name, checked=ticked, x=100, y=600 - 40 * rank)
    for rank, value in enumerate(["monthly", "yearly"]):
        chosen = value == "yearly"
        fields.radio(name="pay", tooltip="Payment", value=value, selected=chosen, x=100, y=400 - 40 * rank)
    document = read(pdf.save())
    assert texts_of(document, BlockKind.FORM_FIELD) == ["Resident: [x]", "Employed: [x]", "Payment: [x]"]
    chosen_box = document.blocks[-1].anchor.box
    assert chosen_box is not None
    assert chosen_box.top == pytest.approx(792 - 380, abs=2)
