"""Calls into pdfium: opening a file, and a bound table of the functions that read a page.

The functions are bound through ``ctypes.PyDLL``: releasing the interpreter lock costs more than most of these
calls take. Handles are plain integers. pdfium is not thread-safe, so one process reads one page at a time.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from .....errors import DamagedFile, EncryptedFile, ParserFailed
from ....source import Source

Handle = int

_VOID, _INT, _UINT, _ULONG, _SIZE = (
    ctypes.c_void_p,
    ctypes.c_int,
    ctypes.c_uint,
    ctypes.c_ulong,
    ctypes.c_size_t,
)
_FLOAT, _NOTHING = ctypes.c_float, None

_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "FPDF_LoadPage": (_VOID, (_VOID, _INT)),
    "FPDF_ClosePage": (_NOTHING, (_VOID,)),
    "FPDF_GetPageWidthF": (_FLOAT, (_VOID,)),
    "FPDF_GetPageHeightF": (_FLOAT, (_VOID,)),
    "FPDF_GetPageBoundingBox": (_INT, (_VOID, _VOID)),
    "FPDF_GetPageLabel": (_ULONG, (_VOID, _INT, _VOID, _ULONG)),
    "FPDFPage_GetRotation": (_INT, (_VOID,)),
    "FPDFPage_CountObjects": (_INT, (_VOID,)),
    "FPDFPage_GetObject": (_VOID, (_VOID, _INT)),
    "FPDFPageObj_GetType": (_INT, (_VOID,)),
    "FPDFPageObj_GetBounds": (_INT, (_VOID, _VOID, _VOID, _VOID, _VOID)),
    "FPDFPageObj_GetMatrix": (_INT, (_VOID, _VOID)),
    "FPDFFormObj_CountObjects": (_INT, (_VOID,)),
    "FPDFFormObj_GetObject": (_VOID, (_VOID, _ULONG)),
    "FPDFPath_GetDrawMode": (_INT, (_VOID, _VOID, _VOID)),
    "FPDFText_LoadPage": (_VOID, (_VOID,)),
    "FPDFText_ClosePage": (_NOTHING, (_VOID,)),
    "FPDFText_CountChars": (_INT, (_VOID,)),
    "FPDFText_GetText": (_INT, (_VOID, _INT, _INT, _VOID)),
    "FPDFText_GetUnicode": (_UINT, (_VOID, _INT)),
    "FPDFText_IsGenerated": (_INT, (_VOID, _INT)),
    "FPDFText_GetLooseCharBox": (_INT, (_VOID, _INT, _VOID)),
    "FPDFText_GetCharBox": (_INT, (_VOID, _INT, _VOID, _VOID, _VOID, _VOID)),
    "FPDFText_GetMatrix": (_INT, (_VOID, _INT, _VOID)),
    "FPDFText_GetTextObject": (_VOID, (_VOID, _INT)),
    "FPDFTextObj_GetFont": (_VOID, (_VOID,)),
    "FPDFTextObj_GetFontSize": (_INT, (_VOID, _VOID)),
    "FPDFFont_GetBaseFontName": (_SIZE, (_VOID, _VOID, _SIZE)),
    "FPDFFont_GetFontData": (_INT, (_VOID, _VOID, _SIZE, _VOID)),
}

OBJECT_PATH, OBJECT_IMAGE, OBJECT_FORM = 2, 3, 5


@lru_cache(maxsize=1)
def calls() -> Any:
    """Return an object whose attributes are the bound functions of ``_SIGNATURES``."""
    from pypdfium2_raw import bindings

    # pypdfium2 has no public name for the library that it loaded; loading a second copy would crash.
    loaded = bindings._libs["pdfium"]
    library = ctypes.PyDLL(loaded._name, handle=loaded._handle)
    table = type("PdfiumCalls", (), {"__slots__": tuple(_SIGNATURES)})()
    for name, (result, arguments) in _SIGNATURES.items():
        function = library[name]
        function.restype, function.argtypes = result, list(arguments)
        setattr(table, name, function)
    return table


def run_calls(results: Iterable[object]) -> None:
    """Exhaust a ``map`` of calls at C speed; what they find is in the arrays that they were given."""
    deque(results, maxlen=0)


@contextmanager
def open_pdf(source: Source, password: str | None) -> Iterator[Any]:
    """Open a PDF as a ``pypdfium2.PdfDocument`` and close it afterwards.

    Raises
    ------
    EncryptedFile
        If it needs a password that was not given, or another one.
    DamagedFile
        If pdfium cannot read it at all.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(source.path, password=password)
    except pypdfium2.PdfiumError as error:
        raise _explained(error, source, password) from error
    try:
        yield document
    finally:
        document.close()


def _explained(error: Exception, source: Source, password: str | None) -> Exception:
    if "password" in str(error).lower():
        problem = "is encrypted and needs a password" if password is None else "does not open with this password"
        return EncryptedFile(f"{source.name} {problem}; give it as password=… (or --password).")
    if "security" in str(error).lower():
        return EncryptedFile(f"{source.name} is encrypted by a scheme that cannot be read; save a copy without it.")
    if b"/BrotliDecode" in source.data:
        return DamagedFile(
            f"{source.name} uses a feature of PDF that cannot be read; save it again as PDF 1.7 or older."
        )
    return DamagedFile(f"{source.name} is damaged or no PDF ({error}); open it in a viewer and save it again.")


def document_handle(document: Any) -> Handle:
    """Return the raw handle of a ``pypdfium2.PdfDocument``."""
    return int(ctypes.cast(document.raw, ctypes.c_void_p).value or 0)


@contextmanager
def open_page(document: Any, index: int) -> Iterator[tuple[Handle, Handle]]:
    """Load page ``index`` (0-based) and its text; yield both handles and free them afterwards.

    Raises
    ------
    ParserFailed
        If pdfium cannot load the page.
    """
    pdfium = calls()
    page = pdfium.FPDF_LoadPage(document_handle(document), index)
    if not page:
        raise ParserFailed(f"page {index + 1} cannot be loaded")
    try:
        text = pdfium.FPDFText_LoadPage(page)
        if not text:
            raise ParserFailed(f"the text of page {index + 1} cannot be loaded")
        try:
            yield page, text
        finally:
            pdfium.FPDFText_ClosePage(text)
    finally:
        pdfium.FPDF_ClosePage(page)
