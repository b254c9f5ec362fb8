"""Which table each type of document has, as one value."""

from __future__ import annotations

import json

import pytest

from tests.reading.made import manual
from workbench.errors import InvalidOption, InvalidRules
from workbench.structure import Match, Rule, RuleBook, RuleTable, rule_book_of, rules_for

TABLE = RuleTable("mine", (Rule("titles", Match(features=("h1",)), 2.0),))


def test_the_shipped_book_has_the_table_that_a_document_is_read_with() -> None:
    book = RuleBook.shipped()
    for kind in ("legal", "technical", "general"):
        document = manual(document_type=kind)
        assert book.table_for(document).sha256 == rules_for(document).sha256


def test_a_book_survives_json() -> None:
    book = RuleBook.shipped()
    again = RuleBook.from_dict(json.loads(json.dumps(book.to_dict())))
    assert again.sha256 == book.sha256
    assert all(again.tables[kind] == book.tables[kind] for kind in book.tables)


def test_one_table_serves_every_type() -> None:
    book = rule_book_of(TABLE)
    assert book.table_for(manual(document_type="legal")) is TABLE
    assert rule_book_of(book) is book
    assert rule_book_of("legal").table_for(manual()).name == "legal"


def test_differences_are_named_by_rule() -> None:
    book = RuleBook.of(TABLE)
    assert list(book.differences(RuleBook.of(TABLE.with_weight("titles", 3.0)))) == [
        "the table for other documents differs in titles (2 -> 3)"
    ]
    assert list(book.differences(RuleBook.of(TABLE.without("titles")))) == [
        "the table for other documents differs in titles (gone)"
    ]
    assert list(book.differences(RuleBook({"*": TABLE, "legal": TABLE}))) == [
        "there is now a table for legal documents"
    ]
    assert list(book.differences(RuleBook.of(TABLE))) == []


def test_what_is_no_book_is_refused() -> None:
    with pytest.raises(InvalidRules, match=r"needs a table for '\*'"):
        RuleBook({})
    with pytest.raises(InvalidRules, match=r"^The table for '\*', rule 1, is no rule of this version"):
        RuleBook.from_dict({"*": {"name": "x", "rules": [{"name": "y"}]}})
    with pytest.raises(InvalidRules, match=r"^The table for '\*', rule 1: weight 40"):
        RuleBook.from_dict({"*": {"name": "x", "rules": [{"name": "y", "match": {"features": ["h1"]}, "weight": 40}]}})
    with pytest.raises(InvalidOption, match=r"^rules is of type int"):
        rule_book_of(3)  # type: ignore[arg-type]
