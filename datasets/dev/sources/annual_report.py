"""Makes ``../documents/annual-report.pdf``: three pages with what makes a PDF hard to read.

Two columns, running lines, three levels of headings, a table with few rules, a ruled one, a footnote, a caption, and a
sentence that continues on the next page. Run it with reportlab installed: ``python annual_report.py``.
"""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

OUT = Path(__file__).resolve().parents[1] / "documents" / "annual-report.pdf"
WIDTH, HEIGHT = A4
LEFT, RIGHT, TOP, BOTTOM = 56.0, WIDTH - 56.0, HEIGHT - 84.0, 84.0
GUTTER = 24.0
COLUMN = (RIGHT - LEFT - GUTTER) / 2
BODY, LEAD = 9.5, 12.5

SUMMARY = (
    "The year under review was the first in which the harbour handled more than nine million tonnes. Traffic rose by "
    "6.4 %, and two thirds of the growth came from the new grain terminal, which opened in March and reached "
    "its planned "
    "throughput in September.",
    "Operating income grew more slowly than traffic, because the price of electricity doubled in the first "
    "quarter and "
    "because the dredging of the eastern channel was brought forward. The board proposes an unchanged "
    "dividend of 0.42 "
    "per share.",
    "Staff numbers fell slightly. Fourteen employees retired, and eleven posts were filled. The accident rate "
    "was the "
    "lowest since records began; no accident led to an absence of more than thirty days.",
    "The authority renewed its insurance of quay walls and cranes for three years. The policy now also covers damage "
    "by flooding up to a water level of 4.20 m above datum, but it excludes the ferry jetty until its piles "
    "have been replaced.",
)
OUTLOOK = (
    "For the coming year the board expects traffic between 9.1 and 9.6 million tonnes. The forecast assumes that the "
    "western lock remains open in winter; if it has to be closed for repair, about 0.3 million tonnes would "
    "be diverted to "
    "neighbouring harbours.",
    "Capital expenditure of 31 million is planned, of which 18 million is for the shore power supply of "
    "berths 4 to 7. "
    "The supply is required by law from 2028, and ships that connect to it will pay a reduced harbour fee.",
    "A tender for the replacement of the ferry jetty will be published in May. Until the new jetty is in service, "
    "vehicles of more than twelve tonnes are turned away, and a diver inspects the piles after each storm of "
    "force nine or "
    "more. The cost of the inspections is charged to the reserve for maintenance, which the supervisory board "
    "increased to "
    "2.6 million at its meeting in November, and which will be",
    "reviewed again once the tenders have been received and compared with the estimate of the engineers.",
)
TRAFFIC = (
    ("Grain and feed", "1,206", "1,544", "28.0 %"),
    ("Containers", "2,871", "2,903", "1.1 %"),
    ("Timber", "614", "588", "(4.2) %"),
    ("Ores and coal", "1,930", "1,874", "(2.9) %"),
    ("Mineral oil products", "1,012", "1,067", "5.4 %"),
    ("Vehicles", "233", "301", "29.2 %"),
    ("Ferry traffic", "377", "392", "4.0 %"),
    ("Other goods", "290", "412", "42.1 %"),
)
INCOME = (
    ("Harbour fees", "41.2", "43.9"),
    ("Leases of land and quays", "18.7", "19.3"),
    ("Services to ships", "7.4", "7.7"),
    ("Electricity", "(6.1)", "(11.8)"),
    ("Dredging", "(4.0)", "(6.3)"),
    ("Wages and salaries", "(27.5)", "(28.1)"),
    ("Depreciation", "(13.9)", "(14.2)"),
    ("Operating income", "15.8", "10.5"),
)


def wrapped(text: str, width: float, font: str = "Times-Roman", size: float = BODY) -> list[str]:
    """Break a text into lines of at most ``width`` points."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and stringWidth(longer, font, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def running_lines(canvas: Canvas, page: int) -> None:
    """Header, rule and page number."""
    canvas.setFont("Helvetica", 8)
    canvas.drawString(LEFT, HEIGHT - 50, "Norhaven Harbour Authority")
    canvas.drawRightString(RIGHT, HEIGHT - 50, "Annual Report 2025")
    canvas.setLineWidth(0.5)
    canvas.line(LEFT, HEIGHT - 56, RIGHT, HEIGHT - 56)
    canvas.drawCentredString(WIDTH / 2, 46, f"{page}")


def heading(canvas: Canvas, text: str, y: float, *, x: float = LEFT, size: float = 13.0) -> float:
    """Write a heading and return the height below it."""
    canvas.setFont("Helvetica-Bold", size)
    canvas.drawString(x, y, text)
    return y - size - 5


def paragraphs(canvas: Canvas, texts: tuple[str, ...], x: float, y: float, width: float) -> float:
    """Write paragraphs and return the height below them."""
    canvas.setFont("Times-Roman", BODY)
    for text in texts:
        for line in wrapped(text, width):
            canvas.drawString(x, y, line)
            y -= LEAD
        y -= 5
    return y


def open_table(canvas: Canvas, head: tuple[str, ...], rows: tuple[tuple[str, ...], ...], y: float) -> float:
    """A table with rules above and below only, as in most reports."""
    edges = [LEFT, *(RIGHT - 90 * rank for rank in range(len(head) - 2, -1, -1))]
    canvas.setFont("Helvetica-Bold", 8.5)
    canvas.line(LEFT, y + 11, RIGHT, y + 11)
    for rank, text in enumerate(head):
        canvas.drawString(edges[0], y, text) if rank == 0 else canvas.drawRightString(edges[rank], y, text)
    canvas.line(LEFT, y - 4, RIGHT, y - 4)
    y -= 16
    canvas.setFont("Helvetica", 8.5)
    for row in rows:
        for rank, text in enumerate(row):
            canvas.drawString(edges[0], y, text) if rank == 0 else canvas.drawRightString(edges[rank], y, text)
        y -= 13
    canvas.line(LEFT, y + 9, RIGHT, y + 9)
    return y - 6


def ruled_table(canvas: Canvas, rows: tuple[tuple[str, ...], ...], y: float) -> float:
    """A table drawn as a grid, with text in its cells."""
    edges = (LEFT, LEFT + 90, LEFT + 300, RIGHT)
    canvas.setFont("Helvetica", 8.5)
    top = y + 12
    for row in rows:
        lines = [wrapped(text, edges[rank + 1] - edges[rank] - 10, "Helvetica", 8.5) for rank, text in enumerate(row)]
        for rank, cell in enumerate(lines):
            for number, line in enumerate(cell):
                canvas.drawString(edges[rank] + 5, y - 11 * number, line)
        height = 11 * max(map(len, lines)) + 6
        canvas.line(LEFT, y + 12, RIGHT, y + 12)
        y -= height
    canvas.line(LEFT, y + 12, RIGHT, y + 12)
    for edge in edges:
        canvas.line(edge, top, edge, y + 12)
    return y - 8


def main() -> None:
    """Write the three pages."""
    canvas = Canvas(str(OUT), pagesize=A4, invariant=1)
    canvas.setTitle("Annual Report 2025")
    running_lines(canvas, 1)
    y = heading(canvas, "Annual Report 2025", TOP - 6, size=24)
    y = heading(canvas, "1  The year in brief", y - 14)
    below = paragraphs(canvas, SUMMARY[:2], LEFT, y, COLUMN)
    paragraphs(canvas, SUMMARY[2:], LEFT + COLUMN + GUTTER, y, COLUMN)
    y = heading(canvas, "2  Traffic", below - 22)
    y = paragraphs(
        canvas, ("Table 1 shows the goods handled, in thousand tonnes, by kind of goods.",), LEFT, y, RIGHT - LEFT
    )
    canvas.setFont("Helvetica-Oblique", 8.5)
    canvas.drawString(LEFT, y - 2, "Table 1: Goods handled (thousand tonnes)")
    y = open_table(canvas, ("Kind of goods", "2024", "2025", "Change"), TRAFFIC, y - 22)
    y = heading(canvas, "2.1  Berths", y - 14, size=11)
    ruled_table(
        canvas,
        (
            ("Berth", "Use", "State"),
            ("1 to 3", "Containers; two cranes of 60 t", "In service"),
            ("4 to 7", "Grain, feed and timber", "Shore power from 2027, as required by law from 2028"),
            ("Ferry jetty", "Vehicles up to 12 t", "Piles to be replaced; inspected after each storm"),
        ),
        y - 8,
    )
    canvas.line(LEFT, 92, LEFT + 110, 92)
    canvas.setFont("Times-Roman", 7.5)
    canvas.drawString(LEFT, 82, "1 Tonnes are metric tonnes of 1,000 kg; the weight of containers is included.")
    canvas.showPage()
    running_lines(canvas, 2)
    y = heading(canvas, "3  Income", TOP - 6)
    y = open_table(canvas, ("Millions", "2024", "2025"), INCOME, y - 14)
    y = heading(canvas, "4  Outlook", y - 18)
    paragraphs(canvas, OUTLOOK[:3], LEFT, y, RIGHT - LEFT)
    canvas.showPage()
    running_lines(canvas, 3)
    y = paragraphs(canvas, OUTLOOK[3:], LEFT, TOP - 6, RIGHT - LEFT)
    y = heading(canvas, "5  Board", y - 14)
    paragraphs(
        canvas, ("The board met nine times. All members attended at least seven meetings.",), LEFT, y, RIGHT - LEFT
    )
    canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    main()
