"""A reading as people and programs see it: frame, representation, saving, focus."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.reading.made import CHINESE, Made, manual
from tests.reading.strategies import basis_of
from workbench.documents.sentences import sentence_starts
from workbench.errors import AnchorMismatch, InvalidOption
from workbench.reading.cuts import Threshold, TokenShare
from workbench.reading.reading import Reading, reading_of
from workbench.relevance.scores import Scale

RISING = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


def reading() -> Reading:
    return reading_of(basis_of(manual(), RISING, weights=[1.0] * 9 + [0.5]), Threshold(0.65))


def test_the_frame_has_the_columns_of_the_design() -> None:
    frame = reading().to_frame()
    assert list(frame.columns) == [
        "block_id",
        "page",
        "kind",
        "text",
        "tokens",
        "relevance",
        "weight",
        "priority",
        "margin",
        "kept",
        "reason",
    ]
    assert frame["kept"].tolist() == [True] + [False] * 6 + [True, True, False]
    assert frame["kept"].dtype == bool and frame["tokens"].dtype == np.int64
    assert (frame["priority"] == frame["relevance"] * frame["weight"]).all()
    assert (frame["margin"] == frame["priority"] - 0.65).all()
    assert frame["reason"].tolist()[6:] == [
        "priority 0.60 is under the cut 0.65",
        "priority 0.70 is not under the cut 0.65",
        "priority 0.80 is not under the cut 0.65",
        "priority 0.45 is under the cut 0.65",
    ]
    assert frame["reason"][0] == "context of a kept block"


def test_it_says_in_a_line_what_was_kept() -> None:
    assert repr(reading()) == (
        "Reading('manual.txt', 'What?', 3 of 10 blocks kept, 85 % of the tokens skipped, bound: threshold)"
    )
    assert bool(reading_of(basis_of(Made().page().document(), []), TokenShare()))


def test_html_is_escaped_and_no_formula() -> None:
    document = Made(name="<i>$5</i>.txt").text("x").document()
    found = reading_of(basis_of(document, [0.9]), Threshold(0.65))._repr_html_()
    assert found.startswith("<table class='mathjax_ignore tex2jax_ignore'>")
    assert "&lt;i&gt;$5&lt;/i&gt;.txt" in found and "<i>" not in found


def test_a_reading_cannot_be_changed() -> None:
    found = reading()
    for array in (found.priority, found.margin, found.status, found.scores.relevance, found.structure.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        found.budget_tokens = 5  # type: ignore[misc]


def test_the_saving_counts_context_and_names_the_tokenizer() -> None:
    saving = reading().saving
    assert (saving.tokens_kept, saving.tokens_total, saving.tokens_skipped) == (10, 67, 57)
    assert saving.share_skipped == pytest.approx(57 / 67) and saving.tokenizer == "o200k_base"
    assert str(saving) == (f"10 of 67 tokens kept, 85 % skipped; {saving.rendered_tokens} as rendered (o200k_base)")
    assert " as rendered of a budget of 200 (" in str(reading().with_budget(200).saving)


@pytest.mark.parametrize(("chapters", "language"), [(None, "en"), (CHINESE, "zh")])
def test_a_focus_keeps_some_sentences_and_the_headings_above_them(
    chapters: dict[str, tuple[str, ...]], language: str
) -> None:
    text = (
        "备份每天一次。报警立即响起。滤网每周清洗。"
        if chapters
        else "Backups run daily. Alarms sound at once. Filters last."
    )
    document = Made(language=language).heading("Title").heading("Chapter", 2).text(text, "Other.").document()
    starts = [0, *sentence_starts(text), len(text)]
    first, second, third = ((low, high) for low, high in pairwise(starts))
    whole = reading_of(basis_of(document, [0.0, 0.0, 0.9, 0.9], pinned=(3,)), Threshold(0.65))
    found = whole.with_focus({2: (first, third)})
    assert found.bound == "focus" and found.kept_ids == (2,) and found.context_ids == (0, 1)
    assert found.focus == {2: (first, third)} and whole.focus is None
    kept = text[slice(*first)], text[slice(*third)]
    assert found.kept_text.endswith(f"[p1 #0-2]\nTitle\n\nChapter\n\n{kept[0]} … {kept[1]}")
    assert [text[piece.start : piece.end] for piece in found.pieces[2:]] == list(kept)
    adjacent = whole.with_focus({2: (first, second)})
    assert adjacent.kept_text.endswith(text[: second[1]])
    assert found.saving.tokens_kept < whole.saving.tokens_kept and found.saving.tokens_total == document.tokens
    frame = found.to_frame()
    assert frame["text"][2] == f"{kept[0]} … {kept[1]}" and frame["kept"].tolist() == [True, True, True, False]
    assert frame["reason"].tolist()[2:] == ["in focus: 2 ranges of its text", "outside the focus"]
    explained = found.explain(2)
    assert explained.focus == (first, third) and explained.flips == ()
    assert dict(explained.lines)["focus"] == f"characters 0 to {first[1]}, characters {third[0]} to {third[1]}"
    row = found.audit().to_frame().iloc[2]
    assert row["focus"] == f"0-{first[1]} {third[0]}-{third[1]}" and row["tokens_kept"] < row["tokens"]
    assert "1 skipped outside the focus" in found.kept_text.splitlines()[0]
    assert found.with_focus(None).kept_ids == whole.kept_ids


def test_a_focus_obeys_a_budget() -> None:
    document = Made().heading("Title").text("One two three. Four five six. " * 5, "Seven eight nine. Ten.").document()
    whole = reading_of(basis_of(document, [0.0, 0.9, 0.8]), Threshold(0.65))
    focus = {1: ((0, 14), (15, 29)), 2: ((0, 17),)}
    for budget in range(20, 120, 5):
        found = whole.with_focus(focus).with_budget(budget)
        assert found.saving.rendered_tokens <= budget
        assert found.bound == ("focus" if set(found.kept_ids) == {1, 2} else "budget")
    assert whole.with_focus(focus).with_budget(120).kept_ids == (1, 2)


def test_a_focus_may_hold_the_rows_of_a_table() -> None:
    document = Made().heading("Sales").table(["Item", "2023"], ["Timber", "5"], ["Coal", "7"]).document()
    whole = reading_of(basis_of(document, [0.9] * 5), Threshold(0.65))
    found = whole.with_focus({3: ((0, 8),)})
    assert found.kept_text.endswith("[p1 #0-3]\nSales\n\nItem\t2023\nTimber\t5")


@pytest.mark.parametrize("ranges", [(), ((3, 3),), ((5, 2),), ((0, 5), (4, 6)), ((0, 999),), ((-1, 4),)])
def test_ranges_that_are_none_of_the_text_are_refused(ranges: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(InvalidOption) as caught:
        reading().with_focus({2: ranges})
    assert str(caught.value) == (
        f"The focus on block 2 has the ranges {list(ranges)!r}; give rising ranges that do not overlap, from 0 to 63."
    )
    with pytest.raises(AnchorMismatch):
        reading().with_focus({10: ((0, 1),)})


def test_an_empty_focus_keeps_nothing() -> None:
    found = reading().with_focus({})
    assert found.is_empty and found.bound == "focus" and "10 skipped outside the focus" in found.kept_text


def test_best_score_and_ids_are_plain_numbers() -> None:
    found = reading_of(basis_of(manual(), RISING, pinned=(2,), scale=Scale.UNCALIBRATED), TokenShare(0.2, 0))
    assert found.best_score == 0.9 and found.pinned_ids == (2,)
    assert all(type(block) is int for block in (*found.kept_ids, *found.context_ids))
