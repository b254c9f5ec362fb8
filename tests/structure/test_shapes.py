"""Features of kind, place and cells, and of the sections that blocks stand in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.structure.drafts import document_of, has
from workbench.documents import Document, open_document
from workbench.documents.blocks import BlockKind
from workbench.structure import features_of


@pytest.mark.parametrize("kind", [kind for kind in BlockKind if kind not in (BlockKind.TABLE, BlockKind.TABLE_ROW)])
def test_every_kind_is_a_feature(kind: BlockKind) -> None:
    other = "caption" if kind is BlockKind.PARAGRAPH else "paragraph"
    assert has(document_of((kind, "x"), (other, "y")), kind.value) == [True, False]


def test_tables_their_rows_and_their_header_rows() -> None:
    document = document_of("x", ("header row", "a\tb"), ("table_row", "c\t1"), ("table_row", "d\te"))
    assert has(document, "table") == [False, True, False, False, False]
    assert has(document, "table_row") == [False, False, True, True, True]
    assert has(document, "table_header") == [False, False, True, False, False]
    assert has(document, "numeric_row") == [False, False, False, True, False]


def test_levels_are_those_of_headings() -> None:
    document = document_of(("heading", "A", 1), ("heading", "B", 2), ("list_item", "c", 2))
    assert has(document, "h1") == [True, False, False]
    assert has(document, "h2") == [False, True, False]


@pytest.mark.parametrize(
    ("row", "numeric"),
    [
        ("Net sales\t32,765\t31,657", True),
        ("备份周期\t24", True),
        ("（1,200）\t１２％\t—", True),
        ("$\t(3.5)\t%", True),
        ("1,200万元\t3亿元", True),
        ("5x\t20 bps", True),
        ("—\tn/a\t不适用", False),
        ("Note 7\tSee below", False),
        ("Segment\tRegion\tNote\t5", False),
        ("text\tmore", False),
        ("H-204\tthe disk is full", False),
    ],
)
def test_a_numeric_row_has_numbers_in_half_of_its_filled_cells(row: str, numeric: bool) -> None:
    assert has(document_of(("table_row", row)), "numeric_row") == [False, numeric]


@pytest.mark.parametrize(
    ("row", "total"),
    [
        ("Total assets\t5", True),
        ("Sub-total\t5", True),
        ("Net income\t5", True),
        ("资产总计\t5", True),
        ("合计\t5", True),
        ("净利润\t5", True),
        ("Totally new\t5", False),
        ("Sales\t5", False),
        ("营业收入\t5", False),
    ],
)
def test_a_total_row_has_a_label_that_adds_up(row: str, total: bool) -> None:
    assert has(document_of(("table_row", row)), "total_row") == [False, total]


def test_first_and_last_page_need_several_pages() -> None:
    document = document_of(pages=[["a", "b"], [], ["c"], ["d"]])
    assert has(document, "first_page") == [True, True, False, False]
    assert has(document, "last_page") == [False, False, False, True]
    assert has(document_of("a", "b"), "first_page") == [False, False]
    assert has(document_of("a", "b"), "last_page") == [False, False]


def test_top_and_bottom_need_pages_with_a_size(sample_dir: Path) -> None:
    assert has(document_of("a"), "page_top") == [False]
    report: Document = open_document(sample_dir / "annual-report.pdf")
    features = features_of(report)
    assert features["page_top"][features["header"]].all()
    assert features["page_bottom"][features["footer"]].all()
    middle = ~features["page_top"] & ~features["page_bottom"]
    assert middle.sum() > len(report) / 2
    assert not (features["page_top"] & features["page_bottom"]).any()


@pytest.mark.parametrize(
    "title", ["Appendix A: Data", "ANNEX II", "Exhibit 99.1", "Schedule A", "附录一", "附件：清单"]
)
def test_an_appendix_reaches_to_the_next_heading_of_its_level(title: str) -> None:
    document = document_of(
        ("heading", "Scope", 1),
        "a",
        ("heading", title, 1),
        "b",
        ("heading", "Part", 2),
        "c",
        ("heading", "End", 1),
        "d",
    )
    assert has(document, "appendix") == [False, False, True, True, True, True, False, False]


@pytest.mark.parametrize("title", ["The appendix is useful", "Scheduled flights", "附则", "Schedule of investments"])
def test_a_title_that_only_mentions_an_appendix_opens_none(title: str) -> None:
    assert has(document_of(("heading", title, 1), "b"), "appendix") == [False, False]


@pytest.mark.parametrize("title", ["References", "7. REFERENCES", "Selected Bibliography", "参考文献", "参考书目："])
def test_references_are_found_by_kind_and_by_section(title: str) -> None:
    document = document_of(("reference", "[1] Smith"), ("heading", title, 1), "b", ("heading", "End", 1), "c")
    assert has(document, "references_section") == [True, True, True, False, False]


@pytest.mark.parametrize("title", ["Reference values", "References to Section 4", "参考"])
def test_a_title_that_only_mentions_references_opens_no_list(title: str) -> None:
    assert has(document_of(("heading", title, 1), "b"), "references_section") == [False, False]


def test_features_are_aligned_with_the_blocks_of_real_documents(sample_dir: Path) -> None:
    document = open_document(sample_dir / "差旅制度.txt")
    features = features_of(document, ["clause_number", "list_marker", "amount", "prohibition"])
    for name in ("clause_number", "amount"):
        assert features[name].shape == (len(document),)
        assert features[name].any()
    assert features["amount"].dtype == np.bool_
