"""What a font says of its text: its name, and whether it is bold or italic."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any

from .pdfium import Handle, calls

_BOLD = re.compile(
    r"bold|black|heavy|semibold|demi|medium$|-B\d|\bBd\b|,B|-Bd|CMBX|SFBX|-Medi\b|HelveticaNeue-?Md", re.I
)
_ITALIC = re.compile(r"ital|obli|CMTI|SFTI|-It\b|Slanted", re.I)
_ANONYMOUS = re.compile(r"^(?:[A-Z]{6}\+)?(?:[A-Z]{0,3}\d*|font\d*|T\d+_\d+)?$", re.I)
_HEAD_TABLE, _MAC_STYLE_OFFSET, _DATA_LIMIT = b"head", 44, 4_000_000


@dataclass(frozen=True, slots=True)
class Font:
    """A font of a page."""

    name: str
    bold: bool
    italic: bool


class FontReader:
    """Reads the fonts of one document; ids count the distinct fonts seen so far."""

    def __init__(self) -> None:
        self.fonts: list[Font] = []
        self._ids: dict[str, int] = {}
        self._buffer = ctypes.create_string_buffer(256)

    def font_id(self, font: Handle | None) -> int:
        """Return the id of a font handle, or -1 for none.

        The handle itself is no key: pdfium frees fonts with their page and reuses the address.
        """
        if not font:
            return -1
        address = ctypes.addressof(self._buffer)
        length = int(calls().FPDFFont_GetBaseFontName(font, address, 256))
        name = self._buffer.raw[: max(0, min(length, 256) - 1)].decode("utf-8", "replace")
        key = name if not _ANONYMOUS.match(name) else f"{name}@{font}"
        if key not in self._ids:
            self._add(key, _described(name, font))
        return self._ids[key]

    def named(self, name: str) -> int:
        """Return the id of a font of which only the name is known."""
        if name not in self._ids:
            self._add(name, Font(name, bool(_BOLD.search(name)), bool(_ITALIC.search(name))))
        return self._ids[name]

    def _add(self, key: str, font: Font) -> None:
        self._ids[key] = len(self.fonts)
        self.fonts.append(font)


def _described(name: str, font: Handle) -> Font:
    bold, italic = bool(_BOLD.search(name)), bool(_ITALIC.search(name))
    if not bold and not italic and _ANONYMOUS.match(name):
        style = _mac_style(font)
        bold, italic = bool(style & 1), bool(style & 2)
    return Font(name, bold, italic)


def _mac_style(font: Handle) -> int:
    """``macStyle`` of an embedded TrueType font: bit 0 bold, bit 1 italic (OpenType specification, table head)."""
    size = ctypes.c_size_t(0)
    pdfium: Any = calls()
    if not pdfium.FPDFFont_GetFontData(font, None, 0, ctypes.addressof(size)) or not 12 < size.value < _DATA_LIMIT:
        return 0
    data = ctypes.create_string_buffer(size.value)
    if not pdfium.FPDFFont_GetFontData(font, ctypes.addressof(data), size.value, ctypes.addressof(size)):
        return 0
    raw = data.raw
    tables = int.from_bytes(raw[4:6], "big")
    for entry in range(12, min(12 + 16 * tables, len(raw) - 16), 16):
        if raw[entry : entry + 4] == _HEAD_TABLE:
            at = int.from_bytes(raw[entry + 8 : entry + 12], "big") + _MAC_STYLE_OFFSET
            return int.from_bytes(raw[at : at + 2], "big")
    return 0
