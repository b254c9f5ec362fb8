"""An explanation is the whole calculation, and what it says would turn the decision turns it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.reading.made import CHINESE, ByHand, Made, SharedWords, manual, scores_of
from tests.reading.strategies import Case, basis_of, cases
from workbench.documents import open_document
from workbench.errors import AnchorMismatch
from workbench.reading.basis import Basis
from workbench.reading.cuts import Threshold, TokenShare
from workbench.reading.flips import Flip, highest_threshold, least_factor
from workbench.reading.reader import SparseReader
from workbench.reading.reading import Reading, reading_of
from workbench.reading.reasons import compared
from workbench.reading.selection import Status
from workbench.relevance.scores import Scale
from workbench.structure import Match, Rule, RuleTable

TABLE = RuleTable(
    "test",
    (
        Rule("headings", Match(kinds=("heading",)), 3.0, reason="Titles say what follows."),
        Rule("numbers", Match(keywords=("minutes",)), 2.0, reason="Times matter here."),
        Rule("alarms", Match(keywords=("alarm",)), 1.5, reason="Alarms matter less."),
        Rule("water", Match(keywords=("water",)), pin=True, reason="Safety first."),
    ),
)


def test_the_calculation_stands_line_by_line() -> None:
    document = manual(document_type="legal")
    reader = SparseReader(scorer=SharedWords(Scale.CALIBRATED), rules=TABLE, offsets={"legal": 0.05})
    reading = reader.read(document, "Who answers every alarm in the night shift?", threshold=0.9)
    assert str(reading.explain(6)) == "\n".join(
        [
            "Block 6 of manual.txt: kept",
            "  stands      page 1, a paragraph",
            "  section     The plant > Alarms",
            "  text        The night shift answers every alarm within 5 minutes.",
            "  logit       1.000 = by hand 1.000",
            "  relevance   1.0000, calibrated; read: 100 % of the text",
            "  matched     answers 0.20, every 0.20, alarm 0.20, night 0.20, shift 0.20",
            "  rule        numbers x 2 (won): Times matter here.",
            "  rule        alarms x 1.5 (a stronger rule won): Alarms matter less.",
            "  weight      2",
            "  priority    2.0000 = 1.0000 x 2; rank 1 of 10",
            "  cut         0.9500 = threshold 0.9000 + offset 0.0500",
            "  margin      +1.05 = 2.00 - 0.95",
            "  decision    kept: priority 2.00 is not under the cut 0.95",
            "  otherwise   a relevance under 0.475 would skip it",
            "  otherwise   a weight under 0.95 would skip it",
            "  otherwise   no threshold up to 1 would skip it",
        ]
    )


def test_parts_whose_rounded_values_do_not_add_up_are_said_to_be_rounded() -> None:
    parts = {"words": np.array([0.1004], np.float32), "meaning": np.array([0.1004], np.float32)}
    scores = replace(scores_of([0.5]), logits=sum(parts.values(), np.zeros(1, np.float32)), parts=parts)
    document = Made().text("A pump.").document()
    reader = SparseReader(scorer=ByHand([0.5]), rules=RuleTable("none"))
    found = reading_of(reader.basis(document, "Which pump?", scores=scores), Threshold(0.5)).explain(0)
    assert dict(found.lines)["logit"] == "0.201 = words 0.100 + meaning 0.100, each rounded"


def test_a_skipped_block_tells_what_would_keep_it() -> None:
    reading = reading_of(basis_of(manual(), [0.5] * 10), Threshold(0.65))
    found = reading.explain(9)
    assert found.status is Status.SKIPPED and not found.kept
    assert [flip.words for flip in found.flips] == [
        "a relevance of 0.65 would keep it",
        "a weight of 1.3 would keep it",
        "a threshold of 0.5 would keep it",
    ]
    assert ("weight", "1, for no rule speaks") in found.lines


def test_a_block_without_relevance_cannot_be_weighed_into_the_text() -> None:
    reading = reading_of(basis_of(manual(), [0.0] * 9 + [1.0]), Threshold(0.65))
    assert [flip.words for flip in reading.explain(2).flips] == [
        "a relevance of 0.65 would keep it",
        "no weight from 0.05 to 5 would keep it",
        "a threshold of 0 would keep it",
    ]


def test_pins_and_context_are_explained_as_such() -> None:
    reading = reading_of(basis_of(manual(), [0.1] * 10, pinned=(9,)), Threshold(0.65))
    pinned, context = reading.explain(9), reading.explain(7)
    assert pinned.reason == "pinned by rule 'by-hand'"
    assert ("rule", "by-hand x 1, pinned (won): Somebody wants it.") in pinned.lines
    assert [flip.words for flip in pinned.flips] == ["without the pin it would be skipped by its priority"]
    assert context.reason == "context of a kept block" and context.kept
    assert context.flips[0].words == "it is skipped once none of the blocks that need it is kept"
    kept = reading_of(basis_of(manual(), [0.9] * 10, pinned=(9,)), Threshold(0.65))
    assert [flip.words for flip in kept.explain(9).flips] == ["without the pin it would be kept by its priority"]
    assert kept.explain(7).flips[0].words == "a relevance under 0.65 would leave it as context"


def test_without_room_the_explanation_tells_what_was_needed_and_what_was_left() -> None:
    reading = reading_of(basis_of(manual(), [0.0] * 8 + [0.9, 0.8]), Threshold(0.65), 75)
    assert reading.kept_ids == (8,)
    found = reading.explain(9)
    needed, left = reading.decision.refused[9]
    assert needed > left
    assert found.reason == f"passes the cut 0.65, but needs {needed} tokens and the budget has {left} left"
    assert [flip.quantity for flip in found.flips] == ["budget"]
    assert "and the budget must have room for it" in [flip.words for flip in reading.explain(2).flips]


def test_ties_at_the_end_of_a_share_are_said() -> None:
    document = Made().text(*["Same words again."] * 6).document()
    reading = reading_of(basis_of(document, [0.5] * 6, scale=Scale.UNCALIBRATED), TokenShare(0.5, 0))
    assert reading.kept_ids == (0, 1, 2)
    assert reading.notes[1] == (
        "3 skipped blocks have the same priority as the last one kept; "
        "those that stand first in the document were kept."
    )
    assert reading.explain(3).reason == "priority 0.50 is that of the last block kept, which stands earlier"


def test_a_share_turns_where_the_explanation_says() -> None:
    reading = reading_of(
        basis_of(manual(), np.linspace(0.1, 1, 10).tolist(), scale=Scale.UNCALIBRATED), TokenShare(0.2, 0)
    )
    words = [flip.words for flip in reading.explain(2).flips]
    assert words[2].startswith("a token share over ") and words[2].endswith(" % would keep it")
    share = next(flip.value for flip in reading.explain(2).flips if flip.quantity == "token share")
    assert share is not None
    assert 2 not in reading.with_token_share(TokenShare(share, 0)).kept_ids
    assert 2 in reading.with_token_share(TokenShare(share + 0.001, 0)).kept_ids


def test_html_is_escaped_and_no_formula() -> None:
    document = Made(name="<b>.txt").heading("$5 to $9").text("<script>alert(1)</script>").document()
    found = reading_of(basis_of(document, [0.0, 0.9]), Threshold(0.65)).explain(1)._repr_html_()
    assert found.startswith("<table class='mathjax_ignore tex2jax_ignore'>")
    assert "<script>" not in found and "&lt;script&gt;" in found and "<b>.txt" not in found


def test_it_can_be_had_as_plain_data() -> None:
    found = json.loads(json.dumps(reading_of(basis_of(manual(), [0.5] * 10), Threshold(0.65)).explain(9).to_dict()))
    assert (found["block_id"], found["status"]) == (9, "skipped")
    assert found["lines"][0] == ["stands", "page 1, a paragraph"]
    assert found["flips"][0] == {"quantity": "relevance", "value": 0.65, "words": "a relevance of 0.65 would keep it"}


def test_text_cannot_steer_the_terminal() -> None:
    document = Made().heading("A\x1b[2J").text("x\x1b[31my\u202e").document()
    found = str(reading_of(basis_of(document, [0.0, 0.9]), Threshold(0.65)).explain(1))
    assert "\x1b" not in found and "\u202e" not in found


def test_chinese_is_explained_alike() -> None:
    reader = SparseReader(scorer=SharedWords(), rules=TABLE, min_tokens=10)
    reading = reader.read(manual(CHINESE, language="zh"), "系统何时开始备份？")
    found = reading.explain(2)
    assert found.kept and found.section == ("工厂手册", "备份")
    assert [term for term, _ in found.matched] == ["系统", "开始", "始备", "备份"]
    assert "当负载低于20%" in str(found)


def test_an_unknown_block_is_answered_with_those_that_exist() -> None:
    reading = reading_of(basis_of(manual(), [0.5] * 10), Threshold(0.65))
    with pytest.raises(AnchorMismatch, match=r"^manual\.txt has no block 10; its blocks are 0 to 9\.$"):
        reading.explain(10)


def test_lines_and_boxes_are_named(sample_dir: Path) -> None:
    policy = open_document(sample_dir / "travel-policy.txt")
    reading = reading_of(basis_of(policy, [0.9] * len(policy)), Threshold(0.65))
    assert dict(reading.explain(3).lines)["stands"].startswith("page 1, line")
    report = open_document(sample_dir / "annual-report.pdf")
    reading = reading_of(basis_of(report, [0.9] * len(report)), Threshold(0.65))
    assert " points, a " in dict(reading.explain(3).lines)["stands"]


def test_numbers_that_differ_are_never_shown_as_equal() -> None:
    assert compared(0.6499999, 0.65) == ("0.6499999", "0.6500000")
    assert compared(math.nextafter(0.65, 0), 0.65)[0] != compared(math.nextafter(0.65, 0), 0.65)[1]


def changed(case: Case, block: int, quantity: str, value: float) -> Basis:
    relevance, weights = [*case.relevance], [*case.weights]
    (relevance if quantity == "relevance" else weights)[block] = value
    basis = case.basis()
    weighed = replace(basis.structure, weights=np.array(weights))
    # The logit stays: between equal priorities it decides, and what is said is said of the relevance alone.
    return replace(basis, scored=replace(basis.scored, relevance=np.array(relevance)), structure=weighed)


def by_score(reading: Reading, block: int) -> bool:
    return bool(reading.status[block] == Status.KEPT)


@settings(max_examples=120, deadline=None)
@given(cases(pins=False), st.data(), st.floats(0, 1), st.booleans())
def test_what_is_said_to_turn_a_decision_turns_it_and_a_hair_less_does_not(
    case: Case, data: st.DataObject, value: float, share: bool
) -> None:
    if not len(case.document):
        return
    block = data.draw(st.integers(0, len(case.document) - 1))
    cut = TokenShare(max(value, 0.01), 0) if share else Threshold(value, case.scale)
    reading = reading_of(case.basis(), cut)
    kept = by_score(reading, block)
    for flip in reading.explain(block).flips:
        if flip.quantity in ("relevance", "weight") and flip.value is not None:
            at = reading_of(changed(case, block, flip.quantity, flip.value), cut)
            under = reading_of(changed(case, block, flip.quantity, math.nextafter(flip.value, -1)), cut)
            assert by_score(at, block) and (flip.value == 0 or not by_score(under, block)), flip
        elif flip.quantity == "threshold" and flip.value is not None and 0 <= flip.value <= 1:
            assert by_score(reading.with_threshold(Threshold(flip.value, case.scale)), block), flip
            if flip.value < 1:
                over = Threshold(math.nextafter(flip.value, 2), case.scale)
                assert not by_score(reading.with_threshold(over), block), flip
        elif flip.value is None and flip.quantity in ("relevance", "weight"):
            extreme = unturned(flip, kept=kept)
            assert by_score(reading_of(changed(case, block, flip.quantity, extreme), cut), block) == kept, flip


def unturned(flip: Flip, *, kept: bool) -> float:
    """The number that would turn the decision if any did."""
    least, most = {"relevance": (0.0, 1.0), "weight": (0.05, 5.0)}[flip.quantity]
    return least if kept else most


@pytest.mark.parametrize("fixed", [0.05, 1.0, 5.0, 5e-324, 1e-310])
@pytest.mark.parametrize("at", [5e-324, 1e-310, 0.65])
def test_a_turn_next_to_zero_is_found_at_once_and_to_the_last_bit(at: float, fixed: float) -> None:
    found = least_factor((at, True), fixed)
    assert found is None or (found * fixed >= at and math.nextafter(found, 0.0) * fixed < at)


@given(st.floats(0, 5), st.floats(-0.08, 0.08))
@example(0.05, 0.05)
@example(0.0, 0.0)
@example(5e-324, -0.08)
def test_the_highest_threshold_that_a_priority_passes_is_found_to_the_last_bit(priority: float, offset: float) -> None:
    found = highest_threshold(priority, offset)
    assert found + offset <= priority < math.nextafter(found, math.inf) + offset
