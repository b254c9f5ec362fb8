"""Type and measures of the PDFs."""

from __future__ import annotations

from dataclasses import dataclass

from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont

CHINESE = "STSong-Light"
RULE = colors.HexColor("#555555")
SHADE = colors.HexColor("#e8ecf0")


@dataclass(frozen=True, slots=True)
class Faces:
    """Names of the fonts of a document."""

    text: str
    bold: str
    italic: str
    mono: str


LATIN = Faces("Times-Roman", "Times-Bold", "Times-Italic", "Courier")
HAN = Faces(CHINESE, CHINESE, CHINESE, CHINESE)


def faces(chinese: bool) -> Faces:
    """Return the fonts for a language; the Chinese one is registered when first asked for."""
    if not chinese:
        return LATIN
    if CHINESE not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))
    return HAN


def styles(chinese: bool, narrow: bool) -> dict[str, ParagraphStyle]:
    """Return the paragraph styles by name; ``narrow`` is for two columns."""
    face = faces(chinese)
    size = 9.2 if narrow else 10.4
    wrap = "CJK" if chinese else None
    base = ParagraphStyle(
        "text", fontName=face.text, fontSize=size, leading=size * (1.5 if chinese else 1.26), spaceAfter=size * 0.55,
        wordWrap=wrap, alignment=0 if chinese else TA_JUSTIFY, firstLineIndent=2 * size if chinese else 0,
    )  # fmt: skip
    found = {"text": base}
    for level, (factor, before) in enumerate(((1.75, 16), (1.38, 12), (1.16, 9), (1.04, 7)), start=1):
        big = size * (factor if not narrow else 1 + (factor - 1) * 0.7)
        found[f"h{level}"] = ParagraphStyle(
            f"h{level}", parent=base, fontName=face.bold, fontSize=big, leading=big * 1.25, spaceBefore=before,
            spaceAfter=big * 0.4, keepWithNext=1, alignment=0, firstLineIndent=0,
        )  # fmt: skip
    small = size * 0.86
    flat = {"alignment": 0, "firstLineIndent": 0}
    found["cell"] = ParagraphStyle("cell", parent=base, fontSize=small, leading=small * 1.2, spaceAfter=0, **flat)
    found["head"] = ParagraphStyle("head", parent=found["cell"], fontName=face.bold)
    found["caption"] = ParagraphStyle(
        "caption",
        parent=base,
        fontName=face.italic,
        fontSize=small,
        spaceBefore=5,
        spaceAfter=3,
        keepWithNext=1,
        **flat,
    )
    found["item"] = ParagraphStyle("item", parent=base, spaceAfter=size * 0.25, **flat)
    found["code"] = ParagraphStyle("code", parent=base, fontName=face.mono, fontSize=small, leading=small * 1.2, **flat)
    found["note"] = ParagraphStyle("note", parent=base, fontSize=size * 0.76, leading=size * 0.92, spaceAfter=1, **flat)
    found["cover"] = ParagraphStyle(
        "cover", parent=base, fontName=face.bold, fontSize=26 if not narrow else 17, leading=33 if not narrow else 22,
        spaceAfter=12, alignment=TA_CENTER if narrow else 0, firstLineIndent=0,
    )  # fmt: skip
    found["by"] = ParagraphStyle(
        "by", parent=base, fontSize=size * 1.1, alignment=TA_CENTER if narrow else 0, firstLineIndent=0
    )
    return found
