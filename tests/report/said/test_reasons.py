"""Why a block was kept or skipped, in sentences for people who open no notebook."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.reading.made import ByHand, Made, manual, weights_of
from tests.report import made
from workbench.reading import Feedback, Reading, SparseReader
from workbench.reading.reading import reading_of
from workbench.reading.selection import Reason
from workbench.relevance.scores import Scale
from workbench.report.said.reasons import Reasons
from workbench.report.wording import FOLDER, saying
from workbench.wording import section_of

KEEPING = (Reason.OVER_CUT, Reason.IN_FOCUS, Reason.PINNED, Reason.CONTEXT)


def reasons(reading: Reading, language: str = "en") -> Reasons:
    return Reasons(reading, saying("contents", language))


def weighed(relevance: list[float], weights: dict[int, float], pins: tuple[int, ...] = (), **options: Any) -> Reading:
    """Return a reading of the short manual with weights and pins by hand; rules are named after their weight."""
    reading = made.calibrated_reading(*relevance, **options)
    count = len(reading.document)
    factors = [weights.get(block, 1.0) for block in range(count)]
    structure = weights_of(reading.document, factors, [block in pins for block in range(count)])
    return reading_of(reading.basis.weighed(structure), reading.cut, reading.budget_tokens)


def test_a_block_below_the_line_says_how_far() -> None:
    said = reasons(weighed([0.9, 0.9, 0.9, 0.12, 0.1], {}, threshold=0.31))

    assert said.of(3) == "Its match with the question, 0.12, is below the line of 0.31."
    assert said.of(2) == "Its match with the question, 0.90, reaches the line of 0.31."


def test_two_numbers_that_differ_never_look_equal() -> None:
    said = reasons(weighed([0.1, 0.1, 0.5, 0.500001, 0.1, 0.49999, 0.1], {}, threshold=0.5))

    assert said.of(5) == "Its match with the question, 0.49999, is below the line of 0.50000."
    assert said.of(2) == "Its match with the question, 0.50, reaches the line of 0.50."
    assert said.of(3) == "Its match with the question, 0.500001, reaches the line of 0.500000."


def test_a_rule_that_turned_the_decision_is_named_with_what_it_did() -> None:
    said = reasons(weighed([0.1, 0.1, 0.8, 0.3, 0.1], {2: 0.5, 3: 2.0}, threshold=0.5))

    assert said.of(2) == (
        "Its match with the question, 0.80, would reach the line of 0.50, but the rule “x0.5” gives it half the "
        "weight, which leaves 0.40."
    )
    assert said.of(3) == (
        "Its match with the question, 0.30, would be below the line of 0.50, but the rule “x2” gives it twice the "
        "weight, which makes 0.60."
    )


def test_a_match_that_lies_on_the_line_reaches_it_until_a_rule_lowers_it() -> None:
    said = reasons(weighed([0.1, 0.1, 0.5, 0.1], {2: 0.5}, threshold=0.5))

    assert said.of(2) == (
        "Its match with the question, 0.50, would reach the line of 0.50, but the rule “x0.5” gives it half the "
        "weight, which leaves 0.25."
    )


def test_in_an_order_a_match_that_lies_on_the_line_is_not_said_to_have_been_turned() -> None:
    reading = SparseReader(scorer=ByHand([0.9, 0.001, *[0.0001] * 8], Scale.UNCALIBRATED), min_tokens=0).read(
        manual(), "When does a backup start?", token_share=0.2
    )
    last = reading.kept_ids[-1]
    assert reading.decision.threshold == reading.scores.relevance[last] < 0.005

    assert reasons(reading).of(last).endswith("within the share of the tokens.")


def test_a_rule_that_did_not_turn_it_is_told_as_such() -> None:
    said = reasons(weighed([0.1, 0.1, 0.2, 0.2, 0.9, 0.9], {2: 0.1, 3: 1.2, 4: 0.7, 5: 1.2}, threshold=0.5))

    assert said.of(2).endswith("is below the line of 0.50, even before the rule “x0.1” gives it a tenth of the weight.")
    assert said.of(3) == (
        "Its match with the question, 0.20, stays below the line of 0.50, although the rule “x1.2” gives it 1.2 times "
        "the weight, which makes 0.24."
    )
    assert "reaches the line of 0.50, although the rule “x0.7” gives it 70\u00a0% of the weight" in said.of(4)
    assert said.of(5) == "Its match with the question, 0.90, reaches the line of 0.50."


def test_a_pinned_block_names_the_rule() -> None:
    said = reasons(weighed([0.1], {}, pins=(5,), threshold=0.5))

    assert said.of(5) == "The rule “by-hand” always keeps it, whatever its match with the question."


def test_a_heading_says_which_block_needs_it() -> None:
    said = reasons(weighed([0.1, 0.1, 0.1, 0.9, 0.1], {}, threshold=0.5))

    assert said.of(1) == "It is the heading above the block #3, which is kept."
    assert said.of(0) == "It is the heading above the block #3, which is kept."


def test_a_table_header_says_which_row_needs_it() -> None:
    document = Made().table(["part", "price"], ["valve", "9"], ["pump", "90"]).document()
    reader = SparseReader(scorer=ByHand([0.1, 0.1, 0.1, 0.9]))
    reading = reader.read(document, "What does a pump cost?", threshold=0.5)

    assert reasons(reading).of(1) == "It is the table header that the row #3, which is kept, needs."


def test_a_budget_says_what_was_needed_and_what_was_left() -> None:
    reading = weighed([0.1, 0.1, 0.9, 0.8, 0.1], {}, pins=(9,), threshold=0.5, budget_tokens=60)
    said = reasons(reading)

    refused = reading.decision.refused
    assert refused
    for block, (needed, left) in refused.items():
        pinned = reading.decision.reason[block] == Reason.PINNED_NO_ROOM
        begin = "The rule “by-hand” would always keep it" if pinned else "It comes to "
        assert said.of(block).startswith(begin)
        assert said.of(block).endswith(f"but it needs {needed} tokens, and the budget had {left} left.")


def test_under_a_share_that_spends_on_faint_matches_the_order_is_told() -> None:
    document = manual()
    reader = SparseReader(
        scorer=ByHand([0.9, *[0.001 - 0.0001 * step for step in range(9)]], Scale.UNCALIBRATED), min_tokens=0
    )
    reading = reader.read(document, "When does a backup start?", token_share=0.4)
    said = reasons(reading)

    last = reading.decision.passed
    skipped = reading.skipped.top(1)[0]
    assert said.of(skipped) == (
        f"By its match with the question, as the rules weigh it, it is number {last + 1} of the 10 ranked blocks; the "
        f"share of the tokens was used up with number {last}."
    )
    assert said.of(0).endswith("it is number 1 of the 10 ranked blocks, within the share of the tokens.")


def test_a_section_says_its_most_frequent_reason_and_how_far_its_best_block_is() -> None:
    said = reasons(weighed([0.9, 0.1, 0.45, 0.2, 0.9], {}, threshold=0.5))

    assert said.of_part([1, 2, 3]) == (
        "All of its 3 blocks are below the line of 0.50: the best comes to 0.45, which is 0.05 short of it."
    )
    assert said.of_part([3]) == (
        "Its only block is below the line of 0.50: it comes to 0.20, which is 0.30 short of it."
    )
    assert said.of_part([2, 3]).startswith("Both of its 2 blocks are below the line")


def test_a_section_that_rules_lowered_says_so() -> None:
    said = reasons(weighed([0.1, 0.8, 0.9, 0.2, 0.1], {1: 0.5, 2: 0.5}, threshold=0.5))

    assert said.of_part([1, 2, 3]).endswith("2 of them would come in if rules, above all “x0.5”, did not lower them.")


def test_a_section_on_one_of_many_pages_says_where_its_best_block_stands() -> None:
    reading = made.reading_of()
    part = next(section for section in reading.skipped if section.titles[-1] == "Contents")
    ids = [block for block in part.block_ids if reading.basis.has_text[block]]

    best = max(ids, key=lambda block: reading.priority[block])
    page = int(reading.document.columns.home_page[best]) + 1
    assert f"the best, on page {page}, comes to" in reasons(reading).of_part(ids)


def test_what_was_marked_as_of_no_use_says_so() -> None:
    document, feedback = manual(), Feedback()
    reader = SparseReader(scorer=ByHand([0.6] * 10), feedback=feedback)
    reading = reader.read(document, "When does a backup start?", threshold=0.5)
    feedback.no_use(document, reading.question, [2])

    again = reader.read(document, "When does a backup start?", threshold=0.5)

    assert reasons(again).of(2).endswith("as of no use, which lowered its match.")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("reason", [reason for reason in Reason if reason not in KEEPING])
def test_every_reason_to_skip_has_words_for_a_section(reason: Reason, language: str) -> None:
    assert f"part.{reason.name.lower()}" in section_of(FOLDER, "contents", language)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_sentence(reason: Reason, language: str) -> None:
    reading = weighed([0.9, 0.1], {}, pins=(4,), threshold=0.5)
    codes = np.full(len(reading), int(reason), np.uint8)
    refused = dict.fromkeys(range(len(reading)), (40, 3))
    decision = replace(
        reading.decision, reason=codes, refused=refused, focus={4: ((0, 3),)} if "FOCUS" in reason.name else None
    )

    said = reasons(replace(reading, decision=decision), language)

    assert said.of(4)[-1] in ".。"
    assert "{" not in said.of(4)
