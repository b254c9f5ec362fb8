"""What a classifier reads of a block: the headings above it, what names its columns, and the block."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents import Document, open_document
from workbench.errors import InvalidOption
from workbench.relevance.pair_text import PairTextOptions, pair_contexts, pair_texts, shortened_words
from workbench.relevance.units import word_count

GUIDE = """# Operation

## Backups

A backup runs at night.

| Site | Copies |
|---|---|
| Leeds | 3 |
"""
HANDBUCH = """# 运行手册

## 数据的备份与恢复

每天夜间备份一次。
"""


def opened(text: str, folder: Path) -> Document:
    (folder / "guide.md").write_text(text, encoding="utf-8")
    return open_document(folder / "guide.md", cache=False)


def by_text(document: Document, options: PairTextOptions | None = None) -> dict[str, str]:
    return dict(zip(document.texts, pair_texts(document, range(len(document.texts)), options), strict=True))


def test_a_block_comes_under_its_headings_and_a_row_under_its_header(tmp_path: Path) -> None:
    found = by_text(opened(GUIDE, tmp_path))
    assert found["A backup runs at night."] == "Operation > Backups\nA backup runs at night."
    assert found["Leeds\t3"] == "Operation > Backups > Site Copies\nLeeds\t3"
    assert found["Operation"] == "Operation"
    assert found["Backups"] == "Operation\nBackups"


def test_chinese_headings_are_cut_by_characters(tmp_path: Path) -> None:
    options = PairTextOptions(heading_words=4)
    found = by_text(opened(HANDBUCH, tmp_path), options)
    assert found["每天夜间备份一次。"] == "运行手册 > 数据的备…\n每天夜间备份一次。"


def test_what_is_nearest_stays_where_there_is_no_room(tmp_path: Path) -> None:
    document = opened(GUIDE, tmp_path)
    assert by_text(document, PairTextOptions(context_words=1))["A backup runs at night."].startswith("Backups\n")
    assert by_text(document, PairTextOptions(context_words=0))["Leeds\t3"] == "Leeds\t3"
    assert by_text(document, PairTextOptions(header_words=0))["Leeds\t3"] == "Operation > Backups\nLeeds\t3"
    assert by_text(document, PairTextOptions(headings=1))["Leeds\t3"] == "Backups > Site Copies\nLeeds\t3"


def test_the_order_is_the_one_that_is_asked_for(tmp_path: Path) -> None:
    document = opened(GUIDE, tmp_path)
    assert pair_texts(document, [2, 0, 2]) == [pair_texts(document, [block])[0] for block in (2, 0, 2)]
    assert pair_texts(document, []) == []


def test_contexts_are_made_once_and_go_with_their_document(tmp_path: Path) -> None:
    document = opened(GUIDE, tmp_path)
    assert pair_contexts(document) is pair_contexts(document, PairTextOptions())
    gone = weakref.ref(document)
    del document
    gc.collect()
    assert gone() is None


@given(st.text("a 的b备 \n", max_size=40), st.integers(0, 12))
def test_a_cut_text_has_at_most_so_many_words(text: str, limit: int) -> None:
    cut = shortened_words(text, limit)
    assert word_count(cut.removesuffix("…")) <= limit
    assert "".join(text.split()).startswith("".join(cut.removesuffix("…").split()))


@pytest.mark.parametrize(
    ("name", "value", "least"), [("headings", -1, 0), ("heading_words", 0, 1), ("context_words", 2.5, 0)]
)
def test_a_value_out_of_range_is_refused(name: str, value: object, least: int) -> None:
    with pytest.raises(InvalidOption, match=f"{name} is {value!r}; give a whole number from {least} on"):
        PairTextOptions(**{name: value})  # type: ignore[arg-type]


def test_options_come_back_from_a_manifest_and_unknown_ones_are_named() -> None:
    options = PairTextOptions(headings=1)
    assert PairTextOptions.of(options.as_dict()) == options
    assert options.key() != PairTextOptions().key()
    with pytest.raises(InvalidOption, match="The pair text has no option 'colour'; it has: headings, heading_words"):
        PairTextOptions.of({"colour": 1})
