"""How a reading was decided, in the words of a report: line, scale, rules, gate and profile."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable

import pytest

from tests.reading.made import manual
from tests.report import made
from workbench.calibration.profiles import BLOCK_LOSS, GATE_LOSS
from workbench.documents import DocumentWarning
from workbench.gate import GateProfile
from workbench.gate.constraints import CONSTRAINTS, Constraint
from workbench.gate.gate import GateDecision
from workbench.reading import Reading, SparseReader, TokenShare
from workbench.relevance.calibrated import Calibration, CalibrationMap, Method
from workbench.relevance.hybrid import HybridScorer
from workbench.report.contents import DecisionSaid
from workbench.report.said.decisions import decision_said
from workbench.report.said.gate import gate_said
from workbench.report.said.profile import profile_said
from workbench.report.wording import saying

EN, ZH = saying("contents", "en"), saying("contents", "zh")
MAP = CalibrationMap(Method.TEMPERATURE, (), (1.0, 0.0), 900, 90, documents=9)


def decided(reading: Reading, **others: object) -> DecisionSaid:
    return decision_said(reading, EN, **others)  # type: ignore[arg-type]


def fitted(**changes: object) -> tuple[Reading, GateProfile]:
    """Return a reading by a threshold, and the profile that it was fitted with."""
    maps = Calibration(HybridScorer(encoder=None).fingerprint, {"*": MAP}, "dev")
    block = {
        "cut": {"kind": "threshold", "value": 0.65, "recall_floor": 0.95},
        "offsets": {"technical": -0.05},
        "calibration": json.loads(maps.to_json()),
    }
    models = {"scorer": maps.scorer, "encoder": None, "tokenizer": "o200k_base"}
    profile = made.profile(block=block, models=models, **changes)
    reading = SparseReader.from_profile(profile).read(made.bundled(made.MANUAL), "Which backup is kept for a year?")
    return reading, profile


def test_a_share_says_its_tokens_and_that_it_promises_nothing() -> None:
    said = decided(made.reading_of())

    assert said.cut.startswith(
        "The blocks that match the question best are kept until they hold 10\u00a0% of the document's tokens, that is "
        "3,488 tokens of 34,889. The last block kept so comes to 0.058"
    )
    assert said.cut.endswith(
        "This is a plain share: no profile stands behind it, and nobody has measured what it misses."
    )
    assert "it is not a probability" in said.scale


def test_a_share_smaller_than_the_least_says_what_is_kept_in_any_case() -> None:
    said = decided(made.reading_of(share=0.01, min_tokens=1_000))

    assert "until they hold 1,000 tokens of 34,889: that much is kept in any case, even where 1\u00a0%" in said.cut


def test_a_document_below_the_least_says_that_it_is_kept_whole() -> None:
    said = decided(made.reading_of(made.MANUAL, "Which backup is kept for a year?", min_tokens=3_000))

    assert said.cut.startswith("The document has 1,182 tokens, no more than are kept in any case")


def test_a_share_of_a_profile_is_told_from_one_by_hand() -> None:
    profile = made.profile()

    own = decided(made.reading_of(share=0.2, min_tokens=3_000), profile=profile)
    other = decided(made.reading_of(), profile=profile)

    assert "The share is that of the profile “made”; a share promises nothing" in own.cut
    assert "The cut was set by hand; the profile “made” has another one." in other.cut


def test_a_fitted_threshold_says_its_offset_and_what_it_was_fitted_for() -> None:
    reading, profile = fitted()

    said = decided(reading, profile=profile)

    assert said.cut.startswith(
        "A block is kept when its match with the question, weighed by the rules, reaches the line of 0.60. "
        "That is 0.65 and \u22120.05 for technical documents."
    )
    assert "fitted with the profile “made”, so that 95\u00a0% of the evidence is kept. Nothing is promised" in said.cut
    assert said.scale == (
        "The match is a probability, from 0 to 1, that the block holds evidence for the question; it was fitted on 900 "
        "blocks of 9 documents."
    )


def test_a_scale_is_not_said_to_be_fitted_on_what_another_profile_was() -> None:
    reading = made.calibrated_reading(0.9)

    _, profile = fitted()

    assert decided(reading, profile=profile).scale.endswith("it was fitted for this kind of document.")


def test_a_promise_of_the_line_is_said_beside_it() -> None:
    promise = {"what": BLOCK_LOSS, "alpha": 0.05, "kept": True, "reachable": 0.03, "documents": 40}
    reading, profile = fitted(promises=[promise])

    assert decided(reading, profile=profile).cut.endswith(
        "Promised of new documents of this kind: on average at most 5.0\u00a0% of the evidence is missed by the line "
        "(from 40 documents)."
    )


def test_a_budget_says_whether_it_ended_the_keeping() -> None:
    reading = made.calibrated_reading(0.9)

    assert "may have 900 tokens at most. That was enough for all of it." in decided(reading.with_budget(900)).cut
    tight = reading.with_budget(60)
    left_out = len(tight.decision.refused)
    assert left_out > 1
    assert f"It left out {left_out} blocks that would have been kept." in decided(tight).cut
    assert decided(tight).near.startswith("A larger budget would keep first: ")


def test_under_a_budget_the_share_is_told_as_what_would_have_been() -> None:
    said = decided(made.reading_of().with_budget(400)).cut.replace("\u00a0", " ")

    assert said.startswith(
        "Without the budget, the blocks that match the question best would be kept until they hold 10 % of the "
        "document's tokens, that is 3,488 tokens of 34,889. The last block kept so would come to 0.058. "
    )
    assert "The text that the model sees may have 400 tokens at most. It left out " in said
    least = decided(made.reading_of(share=0.01, min_tokens=1_000).with_budget(400)).cut
    assert least.startswith("Without the budget, the blocks that match the question best would be kept until they hold")
    whole = decided(made.reading_of(made.AGREEMENT, made.PAYMENT, min_tokens=100_000).with_budget(400)).cut
    assert "so without the budget the whole of it might be kept." in whole
    faint = made.words_alone(share=0.2).read(made.bundled("claim-file.pdf"), "What is the warranty period?")
    assert "They would be the first " in decided(faint.with_budget(400)).cut


def test_in_a_follow_up_the_rules_are_said_not_to_have_decided() -> None:
    reading = made.reading_of(made.AGREEMENT, made.PAYMENT)
    kept = int(reading.kept_ids[0])
    focused = decided(reading.with_focus({kept: ((0, 8),)}))

    assert decided(reading).follow_up is False
    assert focused.follow_up is True
    assert focused.rules == ()


def test_rules_that_spoke_are_told_with_what_they_do_and_to_how_many() -> None:
    reading = made.reading_of(made.AGREEMENT, made.PAYMENT)

    said = {rule.name: rule for rule in decided(reading).rules}

    assert said["force-majeure"].words == "Always keeps. Gives 5 times the weight."
    assert said["force-majeure"].reason.startswith("A clause that suspends")
    assert (said["force-majeure"].blocks, said["force-majeure"].kept) == (4, 4)
    assert said["header-footer"].words == "Gives a tenth of the weight."
    # It speaks of many blocks, and changes nothing.
    assert reading.structure.spoken_for("action-verb").any()
    assert "action-verb" not in said
    assert all(rule.blocks > 0 and rule.kept <= rule.blocks for rule in said.values())


def test_what_a_looser_cut_keeps_first_is_told_with_its_place() -> None:
    reading = made.reading_of()

    near = decided(reading).near

    best = reading.skipped.top(1)[0]
    page = int(reading.document.columns.home_page[best]) + 1
    assert near.startswith(
        "A slightly looser cut would keep first: “Tarn & Vale Penrith United Kingdom 100 production”"
    )
    assert f"(table row, page {page}, 0.058)" in near
    assert near.count("“") == 3


def test_the_reason_of_a_rule_is_marked_with_its_own_language() -> None:
    from workbench.structure import Match, Rule, RuleTable

    told = {
        "quotes": "A clause that suspends duties (不可抗力) must stay.",
        "chinese": "备份（backup）的时间必须保留。",
    }
    rules = tuple(Rule(name, Match(keywords=("backup", "Backup")), 2.0, reason=why) for name, why in told.items())
    found = decided(made.calibrated_reading(0.9, rules=RuleTable("house", rules))).rules

    assert {rule.name: rule.reason_language for rule in found} == {"quotes": "en", "chinese": "zh"}


def test_a_figure_below_nothing_has_the_sign_that_stands_elsewhere() -> None:
    figure = {"name": "quality change", "value": -0.023, "low": -0.042, "high": 0.001, "level": 0.95}
    figure |= {"unit": "quality", "sample": "out of sample"}

    (found,) = profile_said(made.profile(figures=[figure]), EN).figures

    assert (found.value, found.interval) == (
        "\u22122.3\u00a0%",
        "\u22124.2\u00a0% to 0.1\u00a0%, 95\u00a0% interval",
    )


HAN = re.compile("[\u4e00-\u9fff]")


def test_what_must_be_known_of_the_cut_is_told_in_the_language_of_the_report() -> None:
    reading = made.reading_of()
    assert reading.notes[0].startswith("The scores are uncalibrated, so the cut is a share of the tokens: ")

    english, chinese = decided(reading), decision_said(reading, ZH)

    assert english.told[0] == (
        "The scores are uncalibrated, so the cut is a share of the tokens, not a line that means the same in every "
        "document."
    )
    assert len(chinese.told) == len(english.told)
    assert all(HAN.search(note) for note in chinese.told)
    assert not set(reading.notes[:1]) & set(english.notes)


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (lambda: made.reading_of(made.AGREEMENT, made.PAYMENT).with_budget(60), "which rules always keep"),
        (lambda: made.calibrated_reading(0.9, budget_tokens=60), "left out 8 blocks that reach the line"),
        (
            lambda: made.reading_of(made.MANUAL, "Which backup is kept for a year?", min_tokens=3_000),
            "The scores are uncalibrated",
        ),
        (lambda: made.words_alone().read(made.scanned(), "What is it?"), "need OCR (text recognition) first (1-2)"),
    ],
)
def test_every_note_that_can_be_told_is_told_once(reading: Callable[[], Reading], words: str) -> None:
    found = decided(reading())

    assert sum(words in note for note in found.told) == 1
    assert not any("budget" in note and "passed the cut" in note for note in found.notes)


def test_the_words_of_others_are_kept_as_they_are() -> None:
    document = manual()
    document.warnings = (DocumentWarning("odd", "Something odd was found."),)
    reading = SparseReader(scorer=None).read(document, "When does a backup start?")

    for say in (EN, ZH):
        assert decision_said(reading, say).notes[-1] == "Something odd was found."


# --- the gate ---


def test_a_forced_route_says_its_margin_and_what_would_change_it() -> None:
    said = gate_said(made.gated(made.reading_of()), EN)

    assert said.route == "force"
    assert said.summary == (
        "The gate has it read in part (sparsely): the margin in favour of that is +0.36, and +0.20 is enough."
    )
    assert said.sentences[0] == "It would be left to the agent if avoidable exposure were below 0.47; it is 0.79."
    assert said.sentences[-1] == "No change of a single signal would have it read whole."
    assert [letter for letter, *_ in said.signals] == ["s", "c", "r"]
    assert said.margin == pytest.approx(
        sum(sign * value * weight for sign, (_, _, value, weight) in zip((1, -1, -1), said.signals, strict=True))
    )


@pytest.mark.parametrize(
    ("native", "force", "route", "words"),
    [
        (
            0.9,
            0.95,
            "native",
            "The gate has it read whole: too little of it could be left out. The margin in favour of reading in part",
        ),
        (0.1, 0.9, "advisory", "The gate leaves the choice to the agent that asks: the margin in favour of"),
    ],
)
def test_the_other_routes_say_theirs(native: float, force: float, route: str, words: str) -> None:
    said = gate_said(made.gated(made.reading_of(), native=native, force=force), EN)

    assert said.route == route
    assert said.summary.startswith(words)


def test_every_flip_of_a_decision_is_told_with_the_numbers_of_its_explanation() -> None:
    decision = made.gated(made.reading_of(), native=0.1, force=0.9)
    possible = [flip for flip in decision.explain().flips if flip.possible]

    for say in (EN, ZH):
        told = " ".join(gate_said(decision, say).sentences)
        assert possible
        for flip in possible:
            value = flip.words.split(";")[0].split()[-1]
            assert value in told


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_every_constraint_has_words_in_both_languages(name: str) -> None:
    decision = made.gated(made.reading_of(made.MANUAL, made.DEPTH))
    assert decision.constraint is not None
    held: GateDecision = dataclasses.replace(decision, constraint=Constraint(name, "…", (1_182.0, 2_062.0, 3_103.0)))

    english, chinese = gate_said(held, EN), gate_said(held, ZH)

    assert english.summary.startswith("The gate has it read whole: ")
    assert chinese.summary.startswith("门控决定阅读全文：")
    assert english.margin is None
    assert english.sentences == ()


def test_a_small_file_says_what_both_ways_cost() -> None:
    said = gate_said(made.gated(made.reading_of(made.MANUAL, made.DEPTH)), ZH)

    assert said.summary == (
        "门控决定阅读全文：文档很短：连同附带开销，阅读全文为 2,062 个词元，而最省的部分阅读也要 3,103 个。"
    )


# --- the profile ---


def test_a_profile_says_who_made_it_on_what_and_its_figures_out_of_sample_first() -> None:
    profile = made.shipped_profile()

    said = profile_said(profile, EN)

    assert said.name == "dev"
    assert said.made.startswith("Made on 2026-11-30 by the SparseRead Workbench authors.")
    assert said.basis == "The workload “dev”: 594 requests about 32 documents (dev)."
    assert said.promise == "Nothing is promised of new documents; the figures say what was measured."
    assert said.fingerprint == profile.fingerprint
    assert [figure.sample for figure in said.figures] == ["out of sample"] * 9 + ["in sample"] * 9
    first, figure = said.figures[0], profile.figures[0]
    level, low, high = (f"{100 * (value or 0):.1f}\u00a0%" for value in (figure.value, figure.low, figure.high))
    assert (first.name, first.value, first.interval) == (
        "tokens saved",
        level,
        f"{low} to {high}, 95\u00a0% interval",
    )


def test_a_figure_of_the_split_test_is_called_so() -> None:
    figure = {"name": "token reduction, split test", "value": 0.5, "unit": "share", "sample": "out of sample"}

    said = profile_said(made.profile(figures=[figure]), ZH)

    assert (said.figures[0].name, said.figures[0].sample, said.figures[0].interval) == (
        "节省的词元",
        "测试划分，样本外",
        "",
    )


def test_a_promise_that_does_not_hold_says_what_these_documents_carry() -> None:
    promise = {"what": GATE_LOSS, "alpha": 0.02, "kept": False, "reachable": 0.111, "documents": 8}

    said = profile_said(made.profile(promises=[promise]), EN)

    assert said.promise == (
        "A quality loss of at most 2.0\u00a0% under the gate is not promised of new documents: 8 documents carry no "
        "bound under 11.1\u00a0%."
    )


def test_a_figure_that_nobody_has_named_keeps_its_name() -> None:
    figure = {"name": "hops", "value": 2.5, "sample": "in sample"}

    assert profile_said(made.profile(figures=[figure]), ZH).figures[0].name == "hops"


def test_a_share_of_all_is_not_called_small() -> None:
    reading = SparseReader(scorer=None).read(manual(), "When does a backup start?", token_share=TokenShare(1.0, 0))

    assert "until they hold 100\u00a0% of the document's tokens" in decided(reading).cut
