"""Text in lines of a given width: Latin words stay whole, Chinese lines are full, nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from workbench.cli.wrapping import NEVER_FIRST, fitted, wrapped

MIXED = st.text(alphabet="ab 卷的使用率，。（）%…12$", max_size=200)


def bare(text: str) -> str:
    return "".join(text.split())


@given(MIXED, st.integers(min_value=2, max_value=60))
@example(" 11", 2)
def test_no_line_is_too_wide_and_no_character_is_lost(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert max(map(cell_len, lines), default=0) <= width
    assert bare("".join(lines)) == bare(text)
    assert all(line == line.rstrip() and line for line in lines)


@given(MIXED, st.integers(min_value=2, max_value=30), st.integers(min_value=1, max_value=3))
def test_of_too_many_lines_the_first_are_given_and_the_end_is_marked(text: str, width: int, most: int) -> None:
    whole, some = wrapped(text, width), wrapped(text, width, most=most)
    assert len(some) == min(len(whole), most)
    if len(whole) > most:
        assert some[:-1] == whole[: most - 1]
        assert some[-1].endswith("…")
        assert cell_len(some[-1]) <= width


def test_words_are_not_cut_and_chinese_lines_are_full() -> None:
    assert wrapped("A volume that is full", 10) == ["A volume", "that is", "full"]
    assert wrapped("H-204 卷的使用率超过百分之八十五。", 16) == ["H-204 卷的使用率", "超过百分之八十", "五。"]


@pytest.mark.parametrize(
    "text", ["国内差旅由所在小组负责人审批，未经审批不得预订。" * 3, "使用率（见第二章）超过八十五。" * 4]
)
def test_no_line_begins_with_a_closing_mark(text: str) -> None:
    for width in range(6, 40):
        assert [line for line in wrapped(text, width) if line[0] in NEVER_FIRST or line[-1] == "（"] == []


def test_a_number_stays_with_its_percent_sign() -> None:
    assert wrapped("skipped 86 % of it", 10) == ["skipped", "86 % of it"]


def test_what_is_wider_than_a_line_is_cut() -> None:
    assert wrapped("x" * 10, 4) == ["xxxx", "xxxx", "xx"]


@pytest.mark.parametrize(
    ("text", "shown"), [("short", "short"), ("too long a text", "too lo…"), ("卷的使用率", "卷的使…")]
)
def test_a_text_is_fitted_into_cells(text: str, shown: str) -> None:
    assert fitted(text, 7) == shown
