"""Filled form fields of a page: their values are drawn by the viewer and are in no text layer."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from .geometry import PageGeometry

_MOST_FIELDS = 2_000
_LONGEST = 4_000  # characters of one value


@dataclass(frozen=True, slots=True)
class FormField:
    """A field: "name: value", and its box (x0, top, x1, bottom) in points of the visible page."""

    text: str
    box: tuple[float, float, float, float]


def start_forms(document: Any) -> Any:
    """Prepare the form of an open ``pypdfium2.PdfDocument`` and return its handle, or None where it has none."""
    import pypdfium2

    # pdfium is built without XFA: the fields of such a form cannot be read.
    if document.get_formtype() in (pypdfium2.raw.FORMTYPE_NONE, pypdfium2.raw.FORMTYPE_XFA_FULL):
        return None
    if document.formenv is None:
        document.init_forms()
    return document.formenv.raw if document.formenv is not None else None


def read_form_fields(page: int, form: Any, geometry: PageGeometry) -> list[FormField]:
    """Return the fields of a page that hold something: texts, choices, and ticked boxes.

    Parameters
    ----------
    page : int
        Handle of a loaded page.
    form
        Handle from ``start_forms``.
    """
    import pypdfium2.raw as pdfium

    fields = []
    handle = ctypes.cast(page, pdfium.FPDF_PAGE)
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(handle), _MOST_FIELDS)):
        annotation = pdfium.FPDFPage_GetAnnot(handle, index)
        if not annotation:
            continue
        try:
            if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_WIDGET:
                field = _field(form, annotation, geometry)
                if field is not None:
                    fields.append(field)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    return sorted(fields, key=lambda field: (round(field.box[1] / 6), field.box[0]))


def _field(form: Any, annotation: Any, geometry: PageGeometry) -> FormField | None:
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON):
        value = "[x]" if _appearance(annotation) not in ("", "Off") else ""
    elif kind in (pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX):
        value = _string(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
    else:
        return None
    value = " ".join(value.split())[:_LONGEST]
    if not value:
        return None
    name = _string(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation) or _string(
        pdfium.FPDFAnnot_GetFormFieldName, form, annotation
    )
    rectangle = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(annotation, rectangle)
    corners = np.array([[rectangle.left, rectangle.bottom, rectangle.right, rectangle.top]], np.float32)
    x0, top, x1, bottom = geometry.to_visible(corners)[0].tolist()
    name = " ".join(name.split())
    return FormField(f"{name}: {value}" if name else value, (x0, top, x1, bottom))


def _appearance(annotation: Any) -> str:
    """The state that a check box or radio button shows (/AS, PDF 32000-1, 12.5.5).

    ``FPDFAnnot_IsChecked`` knows it only after the page was shown in a viewer.
    """
    import pypdfium2.raw as pdfium

    size = int(pdfium.FPDFAnnot_GetStringValue(annotation, b"AS", None, 0))
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    pdfium.FPDFAnnot_GetStringValue(annotation, b"AS", buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace")


def _string(ask: Any, form: Any, annotation: Any) -> str:
    size = int(ask(form, annotation, None, 0))
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    ask(form, annotation, buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace")
