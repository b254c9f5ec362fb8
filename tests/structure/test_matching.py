"""Conditions: all that are given hold, entries are alternatives, and what was found is kept."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from tests.structure.drafts import document_of
from workbench.documents import Document
from workbench.structure import Match
from workbench.structure.facts import facts_of
from workbench.structure.matching import find_matching


@pytest.fixture(scope="module")
def document() -> Document:
    return document_of(
        ("heading", "Part II", 1),
        ("heading", "Item 1A. Risk Factors", 2),
        "Sales may fall if demand falls.",
        ("heading", "Currency", 3),
        "A loss of $ 5 million is possible.",
        ("table_row", "Net sales\t5"),
        ("heading", "Item 2. Properties", 2),
        "违约责任 of the buyer.",
        ("list_item", "two floors", 2),
        language="en",
        document_type="financial",
    )


def found(document: Document, **conditions: Any) -> list[int]:
    result = find_matching(document, Match(**conditions))
    assert result.out_of_time is None
    return [index for index, holds in enumerate(result.found.tolist()) if holds]


@pytest.mark.parametrize(
    ("conditions", "blocks"),
    [
        ({"kinds": "heading"}, [0, 1, 3, 7]),
        ({"kinds": ("table_row", "list_item")}, [6, 9]),
        ({"kinds": "heading", "levels": (1, 3)}, [0, 3]),
        ({"levels": 2}, [1, 7, 9]),
        ({"features": ("amount", "table")}, [4, 5]),
        ({"features": "amount", "kinds": "table_row"}, []),
        ({"keywords": ("sales", "违约责任")}, [2, 6, 8]),
        ({"keywords": "sale"}, []),
        ({"pattern": "^item \\d"}, [1, 7]),
        ({"pattern": ("责任", "floor")}, [8, 9]),
        ({"section": "risk factors"}, [1, 2, 3, 4, 5, 6]),
        ({"section": "Part II", "kinds": "paragraph"}, [2, 4, 8]),
        ({"section": ("currency", "properties"), "features": "heading"}, [3, 7]),
        ({"section_pattern": "Part II > Item 1A.* > Curr"}, [3, 4, 5, 6]),
        ({"section_pattern": "Properties$"}, [7, 8, 9]),
        ({"section_pattern": "^Part II$"}, [0]),
        ({"kinds": "heading", "unless": Match(levels=1)}, [1, 3, 7]),  # type: ignore[arg-type]
        ({"unless": Match(kinds=("heading", "table", "table_row"))}, [2, 4, 8, 9]),
        ({"kinds": "heading", "document_types": ("legal", "financial")}, [0, 1, 3, 7]),
        ({"kinds": "heading", "document_types": "legal"}, []),
        ({"kinds": "heading", "languages": "en"}, [0, 1, 3, 7]),
        ({"kinds": "heading", "languages": "zh"}, []),
    ],
)
def test_conditions_hold_together(document: Document, conditions: dict[str, Any], blocks: list[int]) -> None:
    assert found(document, **conditions) == blocks


def test_a_document_without_headings_has_no_sections() -> None:
    document = document_of("a", "b")
    assert found(document, section="a") == []
    assert found(document, section_pattern=".*") == []


def test_equal_conditions_are_looked_at_once(document: Document) -> None:
    first = find_matching(document, Match(keywords=("sales", "loss"), kinds=("paragraph",)))
    again = find_matching(document, Match(kinds=("paragraph",), keywords=("loss", "sales")))
    assert again is first
    with pytest.raises(ValueError, match="read-only"):
        first.found[0] = True


@pytest.mark.parametrize("field", ["pattern", "section_pattern"])
def test_a_catastrophic_pattern_matches_nothing_and_is_named(field: str) -> None:
    document = document_of(("heading", "a" * 3_000 + "!", 1), "a" * 3_000 + "!", "fine")
    slow = Match(pattern=("(a+)+$",)) if field == "pattern" else Match(section_pattern=("(a+)+$",))
    result = find_matching(document, slow)
    assert result.out_of_time == "(a+)+$"
    assert not result.found.any()
    excluded = find_matching(document, Match(kinds=("paragraph",), unless=slow))
    assert excluded.out_of_time == "(a+)+$"
    assert not excluded.found.any()


def test_a_pattern_is_run_only_where_the_other_conditions_hold() -> None:
    document = document_of("a" * 3_000 + "!", ("heading", "aaa", 1))
    result = find_matching(document, Match(kinds=("heading",), pattern=("(a+)+$",)))
    assert result.out_of_time is None
    assert result.found.tolist() == [False, True]


def test_what_is_known_of_a_document_goes_with_it() -> None:
    document = document_of("a", "b 5")
    find_matching(document, Match(features=("number",)))
    facts = weakref.ref(facts_of(document))
    assert facts() is not None
    del document
    gc.collect()
    assert facts() is None
