"""What each voice adds to a logit, and how units pass their voices to blocks."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.made import Made
from workbench.errors import InvalidOption
from workbench.relevance.context import PassageOptions, passages
from workbench.relevance.fusion import FusionOptions, Layout, block_parts, fused_units, standardised
from workbench.relevance.question_parts import question_parts
from workbench.relevance.scores import Scope

NO_TABLES = Layout(np.zeros(4, np.int32), np.zeros(4, np.float32))
COSINE = np.array([0.9, 0.1, 0.2, 0.3], np.float32)
WORDS = np.array([0.0, 5.0, 0.0, 0.0], np.float32)
ALONE = FusionOptions(neighbours=0.0, table_neighbours=0.0, table_page=0.0)


def total(voices: dict[str, np.ndarray]) -> np.ndarray:
    return sum(voices.values(), np.zeros(4, np.float32))


@given(st.lists(st.floats(-1e3, 1e3, width=32), max_size=30))
def test_standardised_values_keep_their_order(values: list[float]) -> None:
    array = np.array(values, np.float32)
    found = standardised(array)
    order = np.argsort(array, kind="stable")
    assert (np.diff(found[order]) >= 0).all()
    assert len(found) == len(array)
    assert abs(float(found.sum())) < 1e-2


def test_equal_values_say_nothing() -> None:
    assert standardised(np.full(3, 0.7, np.float32)).tolist() == [0.0, 0.0, 0.0]


def test_words_weigh_half_of_meaning() -> None:
    voices = fused_units(WORDS, [COSINE], NO_TABLES, ALONE)
    assert voices["semantic"].tolist() == standardised(COSINE).tolist()
    assert voices["lexical"].tolist() == (np.float32(0.5) * standardised(WORDS)).tolist()
    assert int(total(voices).argmax()) == 0


def test_without_meaning_words_count_in_full() -> None:
    voices = fused_units(WORDS, [], NO_TABLES, ALONE)
    assert "semantic" not in voices
    assert voices["lexical"].tolist() == standardised(WORDS).tolist()


def test_the_parts_of_a_question_speak_together() -> None:
    other = np.array([0.1, 0.1, 0.9, 0.1], np.float32)
    voices = fused_units(WORDS, [COSINE, COSINE, other], NO_TABLES, ALONE)
    assert set(voices["question_parts"].argsort(kind="stable")[-2:].tolist()) == {0, 2}
    alone = fused_units(WORDS, [COSINE], NO_TABLES, ALONE)
    assert "question_parts" not in alone


def test_neighbours_lift_what_stands_beside_a_good_unit_and_more_so_for_several_places() -> None:
    options = FusionOptions(table_page=0.0, table_neighbours=0.0)
    point = fused_units(np.zeros(4, np.float32), [COSINE], NO_TABLES, options)["neighbours"]
    several = fused_units(np.zeros(4, np.float32), [COSINE], NO_TABLES, options, Scope.SEVERAL)["neighbours"]
    assert int(point.argmax()) == 1 or int(point.argmax()) == 0
    assert np.allclose(several, point * (0.1 + 0.1) / 0.1)


def test_a_page_speaks_as_one_only_as_far_as_it_is_tables() -> None:
    page = np.array([0, 0, 1, 1], np.int32)
    tables = Layout(page, np.array([1.0, 1.0, 0.0, 0.0], np.float32))
    voices = fused_units(np.zeros(4, np.float32), [COSINE], tables, FusionOptions(neighbours=0.0, table_neighbours=0.0))
    first, second, third, fourth = voices["page_tables"].tolist()
    assert first == second > 0
    assert third == fourth == 0


def test_a_block_has_the_voices_of_its_best_unit_and_they_add_up() -> None:
    long = " ".join(f"Sentence {n} is about something of its own." for n in range(40))
    document = Made().heading("Title").text("Short one.", long).document()
    known = passages(document, PassageOptions(window_words=50))
    cosine = np.linspace(0, 1, len(known.units)).astype(np.float32)
    voices = fused_units(cosine * 0, [cosine], Layout(np.zeros(len(cosine), np.int32), cosine * 0), ALONE)
    parts = block_parts(known, voices, np.zeros(len(known), np.float32))
    last = known.unit[known.first[2] : known.first[3]]
    assert len(last) > 2
    assert parts["semantic"][2] == voices["semantic"][last].max()


def test_a_block_without_a_unit_ranks_with_the_weakest() -> None:
    document = Made().text("Something to read.", "* * *", "Something else.").document()
    known = passages(document)
    voices = {"semantic": np.array([2.0, -1.0], np.float32)}
    assert block_parts(known, voices, np.zeros(3, np.float32))["semantic"].tolist() == [2.0, -1.0, -1.0]


@pytest.mark.parametrize(
    ("option", "value"), [("lexical", -1), ("parts", float("nan")), ("table_page", True), ("own_words", "1")]
)
def test_a_weight_is_a_number_from_0_on(option: str, value: object) -> None:
    message = re.escape(f"{option} is {value!r}; give a number from 0 on.")
    with pytest.raises(InvalidOption, match=message):
        FusionOptions(**{option: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What triggers a backup?", ()),
        ("何时备份？为什么？", ()),
        (
            "What is the FY2018 capital expenditure amount? Give a response by relying on the cash flow statement.",
            (
                "What is the FY2018 capital expenditure amount",
                "Give a response by relying on the cash flow statement.",
            ),
        ),
        ("In 2019, who was the chairman of the board?", ()),
    ],
)
def test_a_question_is_divided_into_sentences_and_long_clauses(question: str, parts: tuple[str, ...]) -> None:
    assert question_parts(question) == parts
