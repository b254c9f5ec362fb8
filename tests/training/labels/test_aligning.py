"""Characters are the truth: what becomes of a span that cuts a token is chosen, and said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import InvalidLabels, InvalidOption
from workbench.training.labels import aligned_spans

TEXT = "An offer by Graematter Inc."


def texts(text: str, spans: list[tuple[int, int]], mode: str) -> list[str]:
    return [text[span.start_char : span.end_char] for span in aligned_spans(text, spans, mode).spans]


@pytest.mark.parametrize(
    ("mode", "expected"), [("strict", []), ("contract", ["Graematter"]), ("expand", ["Graematter Inc."])]
)
def test_a_span_that_cuts_a_token_is_dropped_shrinks_or_grows(mode: str, expected: list[str]) -> None:
    assert texts(TEXT, [(12, 26)], mode) == expected


def test_every_moved_or_dropped_span_is_reported() -> None:
    found = aligned_spans(TEXT, [(0, 2), (4, 8), (12, 26)], "contract")
    assert found.moved == (((12, 26), (12, 22)),)
    assert found.dropped == (((4, 8), "no whole token stands in it"),)
    assert found.report().splitlines() == [
        "3 spans: 1 moved, 1 dropped",
        "moved    12-26 'Graematter Inc' to 12-22 'Graematter'",
        "dropped  4-8 'ffer': no whole token stands in it",
    ]
    assert aligned_spans(TEXT, [(12, 26)], "strict").dropped[0][1] == "it cuts a token"
    assert aligned_spans("a  b", [(1, 3)]).dropped == (((1, 3), "it holds white space alone"),)


def test_an_unknown_mode_raises_with_the_list() -> None:
    with pytest.raises(InvalidOption) as refused:
        aligned_spans(TEXT, [(0, 2)], "widen")
    assert str(refused.value) == "'widen' is no way to align spans; give one of strict, contract, expand."


def test_a_span_outside_the_text_is_refused() -> None:
    with pytest.raises(InvalidLabels, match=r"The text has the span \(0, 99\) in a text of 27 characters"):
        aligned_spans(TEXT, [(0, 99)])


def test_chinese_emoji_and_combining_marks_are_tokens() -> None:
    text = "国内差旅 😀 cafe\u0301 x"
    assert texts(text, [(1, 3)], "strict") == ["内差"]
    assert texts(text, [(5, 6)], "strict") == ["😀"]
    assert texts(text, [(7, 11)], "expand") == ["cafe\u0301"]
    assert texts(text, [(7, 11)], "strict") == []


def test_the_tokens_of_a_tokenizer_are_used_as_they_are() -> None:
    tokens = [(0, 0), (0, 4), (4, 8), (9, 12), (0, 0)]
    found = aligned_spans("unfolded map", [(2, 12)], "contract", tokens=tokens)
    (span,) = found.spans
    assert (span.start_char, span.end_char, span.start_token, span.end_token) == (4, 12, 2, 4)
    assert span.is_moved
    assert span.given == (2, 12)


@given(text=st.text(alphabet="ab 😀é国\n", min_size=1, max_size=30), data=st.data())
def test_grown_spans_hold_what_was_given_and_shrunk_ones_stay_inside(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    wanted = text[start:end]
    grown, shrunk = aligned_spans(text, [(start, end)], "expand"), aligned_spans(text, [(start, end)], "contract")
    assert len(grown.spans) + len(grown.dropped) == 1
    for span in grown.spans:
        assert wanted.strip() in text[span.start_char : span.end_char]
    for span in shrunk.spans:
        assert start <= span.start_char < span.end_char <= end
    if aligned_spans(text, [(start, end)], "strict").spans:
        assert wanted.strip() == text[grown.spans[0].start_char : grown.spans[0].end_char]
