"""Small PDFs made for one test each, and a reading of them that checks that no text is lost.

Positions are points from the page's top left corner; the height of a text is that of its base line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pypdfium2
from reportlab.lib.pdfencrypt import StandardEncryption  # type: ignore[import-untyped]
from reportlab.lib.utils import simpleSplit  # type: ignore[import-untyped]
from reportlab.pdfbase import pdfmetrics  # type: ignore[import-untyped]
from reportlab.pdfbase.cidfonts import UnicodeCIDFont  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from workbench.documents.blocks import Block, BlockKind
from workbench.documents.document import Document
from workbench.documents.draft import UNPLACED
from workbench.documents.formats.pdf import FORMAT
from workbench.documents.options import ReadOptions
from workbench.documents.parsing import parse_document
from workbench.documents.source import ParseContext, Source

REGULAR, BOLD, ITALIC, MONO, CHINESE = "Times-Roman", "Times-Bold", "Times-Italic", "Courier", "STSong-Light"
LETTER = (612.0, 792.0)

SENTENCES = (
    "The committee met in the spring and agreed on the terms of the loan.",
    "Interest is paid twice a year, at the end of June and of December.",
    "A borrower who fails to pay within thirty days is in default.",
    "The trustee informs all holders of the notes of such an event without delay.",
    "Nothing in this section limits the rights that the holders have under the law.",
    "Fees of the trustee are borne by the issuer and rank before all other claims.",
    "The accounts are drawn up in euro and are audited by an independent firm.",
    "Changes of these terms need the consent of two thirds of the holders.",
)


def prose(sentences: int, first: int = 0) -> str:
    """Return running text of so many sentences."""
    return " ".join(SENTENCES[at % len(SENTENCES)] for at in range(first, first + sentences))


def width_of(text: str, size: float = 10, font: str = REGULAR) -> float:
    """Return the width of a text in points."""
    return float(pdfmetrics.stringWidth(text, font, size))


def wrapped(text: str, width: float, size: float = 10, font: str = REGULAR) -> list[str]:
    """Return a text as lines of at most ``width`` points."""
    return list(simpleSplit(text, font, size, width))


class PdfFile:
    """A PDF under construction; ``save`` writes it."""

    def __init__(self, path: Path, size: tuple[float, float] = LETTER, *, password: str | None = None) -> None:
        self.path = path
        self.size = size
        encryption = StandardEncryption(password, strength=128) if password else None
        self.canvas = Canvas(str(path), pagesize=size, invariant=1, encrypt=encryption)

    def text(self, x: float, y: float, text: str, *, size: float = 10, font: str = REGULAR) -> None:
        """Draw one line."""
        if font == CHINESE and font not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(UnicodeCIDFont(font))
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, self.size[1] - y, text)

    def lines(
        self, x: float, y: float, lines: Sequence[str], *, size: float = 10, font: str = REGULAR, step: float = 12
    ) -> float:
        """Draw lines below each other and return the height of the line after them."""
        for line in lines:
            self.text(x, y, line, size=size, font=font)
            y += step
        return y

    def paragraph(
        self,
        x: float,
        y: float,
        text: str,
        *,
        width: float = 468,
        size: float = 10,
        font: str = REGULAR,
        step: float = 12,
    ) -> float:
        """Draw a text in lines of at most ``width`` and return the height of the line after them."""
        return self.lines(x, y, wrapped(text, width, size, font), size=size, font=font, step=step)

    def row(self, columns: Sequence[float], y: float, cells: Sequence[str], *, font: str = REGULAR) -> None:
        """Draw the cells of a table row."""
        for x, cell in zip(columns, cells, strict=True):
            self.text(x, y, cell, font=font)

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw a line."""
        self.canvas.setLineWidth(0.5)
        self.canvas.line(x0, self.size[1] - y0, x1, self.size[1] - y1)

    def grid(self, columns: Sequence[float], heights: Sequence[float], cells: Sequence[Sequence[str]]) -> None:
        """Draw a ruled table: edges of its columns and rows, and a text in the middle of each cell."""
        for y in heights:
            self.rule(columns[0], y, columns[-1], y)
        for x in columns:
            self.rule(x, heights[0], x, heights[-1])
        for top, bottom, row in zip(heights, heights[1:], cells, strict=False):
            self.row([x + 4 for x in columns[:-1]], (top + bottom) / 2 + 3, row)

    def next_page(self) -> None:
        """End the page."""
        self.canvas.showPage()

    def save(self) -> Path:
        """Write the file and return its path."""
        self.canvas.save()
        return self.path


def changed(
    path: Path,
    *,
    media: tuple[float, float, float, float] | None = None,
    crop: tuple[float, float, float, float] | None = None,
    rotation: int = 0,
) -> Path:
    """Give every page of a file other boxes (left, bottom, right, top) and another rotation in degrees."""
    pdf = pypdfium2.PdfDocument(path)
    target = path.with_stem(path.stem + "-changed")
    for page in pdf:
        if media is not None:
            page.set_mediabox(*media)
        if crop is not None:
            page.set_cropbox(*crop)
        page.set_rotation(rotation)
    pdf.save(target)
    pdf.close()
    return target


def raw_pdf(path: Path, objects: Sequence[str]) -> Path:
    """Write a PDF from the bodies of its objects, numbered from 1; the first is the catalog."""
    data = b"%PDF-1.7\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(data)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    data += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    path.write_bytes(data)
    return path


def stream(content: str, entries: str = "") -> str:
    """Return the body of a stream object."""
    return f"<< /Length {len(content)} {entries}>>\nstream\n{content}\nendstream"


def pdf_that_spells(path: Path, drawn: str, spelt: Mapping[str, str]) -> Path:
    """Write a PDF whose page draws letters of Helvetica that its font's Unicode map spells otherwise."""
    entries = "\n".join(f"<{ord(a):02X}> <{b.encode('utf-16-be').hex()}>" for a, b in spelt.items())
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /x def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <FF> endcodespacerange\n{len(spelt)} beginbfchar\n{entries}\nendbfchar\n"
        "endcmap end end"
    )
    lines = "".join(f"1 0 0 1 72 {700 - 14 * n} Tm ({line}) Tj\n" for n, line in enumerate(drawn.split("\n")))
    return raw_pdf(
        path,
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
            " /Resources << /Font << /F1 5 0 R >> >> >>",
            stream(f"BT /F1 12 Tf\n{lines}ET"),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
            stream(cmap),
        ],
    )


def read(path: Path, **options: Any) -> Document:
    """Read a PDF in this process and check its anchors and that no text is lost."""
    context = ParseContext(ReadOptions(**options))
    document = parse_document(FORMAT, Source(path), context, sha256="ab" * 32)
    assert_sound(document)
    return document


def assert_sound(document: Document) -> None:
    """Check that every ink character is in one block or one named exclusion, and that anchors lead back."""
    layer = document.text_layer
    assert document.excluded(UNPLACED) == ""
    taken = bytearray(len(layer))
    for block in document.blocks:
        assert block.anchor.read(layer) == block.text
        assert len(block.anchor.boxes) == len(block.anchor.pieces) or block.kind is BlockKind.TABLE
        for piece in block.anchor.pieces:
            assert not any(taken[piece.start_char : piece.end_char]), f"{block} shares text with another block"
            taken[piece.start_char : piece.end_char] = b"\x01" * (piece.end_char - piece.start_char)
    for exclusion in document.exclusions:
        assert not any(taken[exclusion.start_char : exclusion.end_char]), f"{exclusion} holds text of a block"


def shown(document: Document) -> list[tuple[str, str]]:
    """Return kind and text of every block but tables, whose rows say it all."""
    return [(block.kind.value, block.text) for block in document.blocks if block.kind is not BlockKind.TABLE]


def texts_of(document: Document, *kinds: BlockKind) -> list[str]:
    """Return the texts of the blocks of some kinds."""
    return [block.text for block in document.blocks if block.kind in kinds]


def block_with(document: Document, text: str) -> Block:
    """Return the one block whose text holds this."""
    (found,) = [block for block in document.blocks if text in block.text]
    return found


def rows_of(document: Document) -> list[list[str]]:
    """Return the cells of every table row, by column; "" where a column is empty."""
    rows = []
    for block in document.blocks:
        if block.kind is BlockKind.TABLE_ROW:
            row = [""] * (1 + max(cell.column for cell in block.cells))
            for cell in block.cells:
                row[cell.column] = cell.text
            rows.append(row)
    return rows
