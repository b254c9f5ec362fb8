"""The annual report that the project ships, block by block: columns, tables with and without rules, running lines."""

from __future__ import annotations

from pathlib import Path

from .pdf_files import read

OUTLINE = [
    (1, "header", 0, "Norhaven Harbour Authority"),
    (1, "header", 0, "Annual Report 2025"),
    (1, "heading", 1, "Annual Report 2025"),
    (1, "heading", 2, "1 The year in"),
    (1, "paragraph", 0, "The year under review"),
    (1, "paragraph", 0, "Operating income grew more"),
    (1, "paragraph", 0, "Staff numbers fell slightly."),
    (1, "paragraph", 0, "The authority renewed its"),
    (1, "heading", 2, "2 Traffic"),
    (1, "paragraph", 0, "Table 1 shows the"),
    (1, "caption", 0, "Table 1: Goods handled"),
    (1, "table", 0, ""),
    (1, "table_row", 0, "Kind of goods 2024"),
    (1, "table_row", 0, "Grain and feed 1,206"),
    (1, "table_row", 0, "Containers 2,871 2,903 1.1"),
    (1, "table_row", 0, "Timber 614 588 (4.2)"),
    (1, "table_row", 0, "Ores and coal 1,930"),
    (1, "table_row", 0, "Mineral oil products 1,012"),
    (1, "table_row", 0, "Vehicles 233 301 29.2"),
    (1, "table_row", 0, "Ferry traffic 377 392"),
    (1, "table_row", 0, "Other goods 290 412"),
    (1, "heading", 3, "2.1 Berths"),
    (1, "table", 0, ""),
    (1, "table_row", 0, "Berth Use State"),
    (1, "table_row", 0, "1 to 3 Containers;"),
    (1, "table_row", 0, "4 to 7 Grain,"),
    (1, "table_row", 0, "Ferry jetty Vehicles up"),
    (1, "footnote", 0, "1 Tonnes are metric"),
    (1, "footer", 0, "1"),
    (2, "header", 0, "Norhaven Harbour Authority Annual"),
    (2, "heading", 2, "3 Income"),
    (2, "table", 0, ""),
    (2, "table_row", 0, "Millions 2024 2025"),
    (2, "table_row", 0, "Harbour fees 41.2 43.9"),
    (2, "table_row", 0, "Leases of land and"),
    (2, "table_row", 0, "Services to ships 7.4"),
    (2, "table_row", 0, "Electricity (6.1) (11.8)"),
    (2, "table_row", 0, "Dredging (4.0) (6.3)"),
    (2, "table_row", 0, "Wages and salaries (27.5)"),
    (2, "table_row", 0, "Depreciation (13.9) (14.2)"),
    (2, "table_row", 0, "Operating income 15.8 10.5"),
    (2, "heading", 2, "4 Outlook"),
    (2, "paragraph", 0, "For the coming year"),
    (2, "paragraph", 0, "A tender for the"),
    (2, "footer", 0, "2"),
    (3, "header", 0, "Norhaven Harbour Authority Annual"),
    (3, "heading", 2, "5 Board"),
    (3, "paragraph", 0, "The board met nine"),
    (3, "footer", 0, "3"),
]
"""Page, kind, level and first words of each block."""


def test_the_bundled_report_has_exactly_these_blocks(sample_dir: Path) -> None:
    document = read(sample_dir / "annual-report.pdf")
    found = [(block.page, block.kind.value, block.level, " ".join(block.text.split()[:4])) for block in document.blocks]
    assert found == OUTLINE
    assert document.warnings == ()
