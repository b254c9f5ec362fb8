from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.made import Made
from tests.reading.strategies import Case, basis_of, cases
from workbench import open_document
from workbench.errors import InvalidOption
from workbench.gate import ReadGate
from workbench.gate.profile import GateProfile
from workbench.reading import Reading, SparseReader, TokenShare
from workbench.reading.altered import altered_reading
from workbench.reading.cuts import Threshold
from workbench.reading.reading import reading_of
from workbench.relevance.scores import Scale
from workbench.report.comparison.comparing import ChangedBlock, ComparisonContents, SectionBeside, SharedRun, compared
from workbench.report.prices import Price, PriceTable, amount
from workbench.resources import datasets_dir
from workbench.structure import load_rules
from workbench.wording import section_of

ARTIFACTS = datasets_dir() / "dev" / "artifacts"
PROFILE = datasets_dir() / "dev" / "gate.json"
NOTICE = "How long is the notice period when the customer terminates for convenience?"
CAP = "What is the liability cap, and what is excluded from it?"
FEW = TokenShare(0.1, 500)
WORDS = Path(__file__).resolve().parents[3] / "workbench" / "report" / "words"


@pytest.fixture(scope="module")
def notice() -> Reading:
    document = open_document(ARTIFACTS / "master-services-agreement.docx")
    return SparseReader(scorer=None).read(document, NOTICE, token_share=FEW)


@pytest.fixture(scope="module")
def cap(notice: Reading) -> Reading:
    return SparseReader(scorer=None).read(notice.document, CAP, token_share=FEW)


def changed(contents: ComparisonContents) -> list[ChangedBlock]:
    rows = [row for part in contents.sections if isinstance(part, SectionBeside) for row in part.rows]
    return [row for row in rows if isinstance(row, ChangedBlock)]


def every_block(contents: ComparisonContents) -> list[int]:
    found: list[int] = []
    for part in contents.sections:
        if isinstance(part, SharedRun):
            found += part.block_ids
            continue
        found += part.hidden
        for row in part.rows:
            found += row.block_ids if isinstance(row, SharedRun) else (row.block_id,)
    return sorted(found)


def kept(reading: Reading) -> set[int]:
    """Blocks with text that are kept: a table is neither kept nor skipped, its rows are."""
    return {block for block in (*reading.kept_ids, *reading.context_ids) if reading.document.texts[block]}


def two(left: Reading, right: Reading, **options: object) -> ComparisonContents:
    return compared(left, right, **{"names": ("A", "B"), "what": "rules", **options})  # type: ignore[arg-type]


def test_two_questions_say_what_each_of_them_keeps_alone(notice: Reading, cap: Reading) -> None:
    found = two(notice, cap, what="questions", names=("notice", "cap"))
    assert found.title == "Two questions on one document"
    assert [(change.name, change.left, change.right) for change in found.changes] == [("the question", NOTICE, CAP)]
    only_left, only_right = kept(notice) - kept(cap), kept(cap) - kept(notice)
    assert only_left and only_right
    assert (found.counts.only_left, found.counts.only_right) == (len(only_left), len(only_right))
    more = cap.saving.rendered_tokens - notice.saving.rendered_tokens
    assert found.verdict == (
        f"“cap” reads {abs(more):,} {'more' if more > 0 else 'fewer'} tokens than “notice”: it drops {len(only_left)} "
        f"blocks and adds {len(only_right)} blocks; nobody marked evidence, so a reader must judge them."
    )


def test_each_changed_block_says_why_one_side_keeps_it_and_the_other_does_not(notice: Reading, cap: Reading) -> None:
    for block in changed(two(notice, cap)):
        keeper, other = (notice, cap) if block.keeper == "left" else (cap, notice)
        assert block.block_id in kept(keeper) - kept(other)
        assert block.text == notice.document.texts[block.block_id]
        assert block.anchor == f"[p{block.page} #{block.block_id}]"
        assert all(reason.strip() for reason in block.reasons)
        assert block.reasons[0] != block.reasons[1]


def test_every_block_of_the_document_is_accounted_for_once(notice: Reading, cap: Reading) -> None:
    assert every_block(two(notice, cap)) == list(range(len(notice)))


def test_what_is_not_shown_of_a_section_is_counted_and_named() -> None:
    made = Made().page().heading("Prices")
    document = made.text(*(f"Price {rank} is {rank} euro." for rank in range(60))).document()
    none = reading_of(basis_of(document, [0.0] + [0.0] * 60), Threshold(0.5))
    every = reading_of(basis_of(document, [0.0] + [0.9] * 60), Threshold(0.5))
    (section,) = two(none, every).sections
    assert isinstance(section, SectionBeside)
    assert len(section.rows) == 24
    assert len(section.hidden) == 61 - 24
    assert section.more.startswith("And 37 more blocks here that change: 37 blocks only in “B” (")
    # The heading is only context, so it comes after what needs it.
    assert section.more.endswith(" tokens): #0, #25-60.")


def test_evidence_that_one_side_loses_comes_first_and_stands_in_the_verdict(notice: Reading, cap: Reading) -> None:
    lost = sorted(kept(notice) - kept(cap))[:7]
    missed = next(
        block for block, text in enumerate(notice.document.texts) if text and block not in kept(notice) | kept(cap)
    )
    found = two(notice, cap, gold=[*lost, missed])
    assert found.verdict.endswith("; 7 of the dropped blocks are marked as evidence.")
    assert found.evidence == (
        "8 blocks are marked as evidence: both keep 0, only “A” keeps 7, only “B” keeps 0, both skip 1."
    )
    left, right = found.losses
    assert [block.gold for block in right.blocks] == [(True, True)] * 7
    assert right.sentence == "“B” loses 7 blocks of marked evidence that “A” keeps."
    assert left.sentence.endswith("none of them is marked as evidence for it.")


def test_without_marked_evidence_the_report_says_so_and_shows_the_most_relevant_first(
    notice: Reading, cap: Reading
) -> None:
    found = two(notice, cap)
    assert found.evidence.startswith("Nobody marked evidence, so nothing here proves a loss")
    for loss, keeper in zip(found.losses, (cap, notice), strict=True):
        relevance = [block.relevance for block in loss.blocks]
        assert relevance == sorted(relevance, reverse=True)
        own = keeper.kept_ids if keeper is cap else notice.kept_ids
        best = max(set(own) - kept(notice if keeper is cap else cap), key=lambda block: keeper.scores.relevance[block])
        assert relevance[0] == keeper.scores.relevance[best]


def test_rules_are_told_with_their_factors_and_how_many_blocks_they_touch(notice: Reading) -> None:
    table = notice.with_rules(load_rules("legal"))
    lighter = load_rules("legal").with_weight("notice-period", 0.2).without("definitions")
    found = two(table, notice.with_rules(lighter), names=("as shipped", "lighter"))
    rules = {change.name: change for change in found.changes}
    assert (rules["rule “notice-period”"].left, rules["rule “notice-period”"].right) == ("× 1.2", "× 0.2")
    assert (rules["rule “definitions”"].left, rules["rule “definitions”"].right) == ("× 1.2", "no such rule")
    spoken = int(table.structure.spoken_for("notice-period").sum())
    assert rules["rule “notice-period”"].effect.startswith(f"It speaks about {spoken} blocks here; decided otherwise: ")
    assert not rules["rule “notice-period”"].quiet


def test_two_equal_readings_say_that_nothing_differs(notice: Reading) -> None:
    found = two(notice, notice)
    assert found.changes == ()
    assert found.nothing == "Nothing differs between the two: question, rules, cut and model are the same."
    assert found.verdict.startswith("Nothing was changed, so both keep the same ")
    assert (found.likeness, found.counts.only_left, found.counts.only_right) == (1.0, 0, 0)
    assert {row.difference for row in found.figures[1:]} == {"0", "0 points"}


def test_a_change_without_effect_is_said_to_have_none(notice: Reading) -> None:
    found = two(notice, notice.with_budget(1_000_000), names=("free", "budget"))
    assert [(change.name, change.left, change.right) for change in found.changes] == [
        ("the budget", "none", "1,000,000 tokens")
    ]
    assert found.verdict.startswith("“budget” keeps exactly what “free” keeps: ")


def test_profiles_tell_what_decides_the_route_beside_what_decides_the_blocks(notice: Reading) -> None:
    profile = GateProfile.load(PROFILE)
    weights = profile.gate.weights.model_copy(update={"exposure": 0.1, "cost": 0.7, "risk": 0.2})
    other = profile.model_copy(update={"gate": profile.gate.model_copy(update={"weights": weights})})
    found = two(notice, notice, what="profiles", profiles=(profile, other))
    assert [change.name for change in found.changes] == [
        "the weight of exposure, ws", "the weight of cost, wc", "the weight of risk, wr",
    ]  # fmt: skip
    assert {change.effect for change in found.changes} == {
        "It decides whether a request is read sparsely, not which blocks are kept."
    }
    assert next((change.left, change.right) for change in found.changes) == (
        f"{profile.gate.weights.exposure:.4g}",
        "0.1",
    )


def test_a_gate_that_reads_the_document_whole_leaves_nothing_to_save() -> None:
    document = open_document(datasets_dir() / "dev" / "documents" / "harbor-manual.md")
    reading = SparseReader(scorer=None).read(document, "What triggers a backup?", token_share=FEW)
    gate = ReadGate.from_profile(PROFILE).decide(document, reading.question)
    assert gate.route.value == "native"
    found = two(reading, reading, gates=(gate, None))
    figures = {row.name: row for row in found.figures}
    assert (figures["the gate says"].left, figures["the gate says"].right) == ("read it whole", "not asked")
    assert (figures["share skipped"].left, figures["saved a year"].left) == ("0\u00a0%", "USD 0")
    assert found.notes[0].startswith("The gate says that for “A” this document is read whole: then nothing is saved")


def test_money_is_reckoned_with_what_the_model_reads(notice: Reading, cap: Reading) -> None:
    prices = PriceTable((Price("ours", 2.0),), currency="EUR", requests_per_day=10, days_per_year=100)
    found = two(notice, cap, prices=prices)
    (money,) = (row for row in found.figures if row.name == "saved a year")
    saved = [(side.saving.tokens_total - side.saving.rendered_tokens) * 2 / 1000 for side in (notice, cap)]
    assert (money.left, money.right) == tuple(f"EUR {value:.2f}" for value in saved)
    sign = "+" if saved[1] > saved[0] else "−"
    assert money.difference == f"{sign}EUR {amount(abs(saved[1] - saved[0]))}"
    assert "with ours at EUR 2.00 per million input tokens, 10 requests a day and 100 days a year" in found.assumption


def test_long_names_that_begin_alike_are_told_apart_by_their_ends(notice: Reading) -> None:
    found = two(notice, notice, names=("profile " * 9 + "(left)", "profile " * 9 + "(right)"))
    left, right = (side.name for side in found.sides)
    assert left.endswith("(left)") and right.endswith("(right)")
    assert left.startswith("…") and len(left) == len(right) == 48


def test_readings_of_different_documents_are_refused_by_name(notice: Reading) -> None:
    other = open_document(ARTIFACTS / "security-policy.docx")
    reading = SparseReader(scorer=None).read(other, NOTICE)
    with pytest.raises(InvalidOption) as caught:
        two(notice, reading)
    assert str(caught.value) == (
        f"The two readings are of different documents, master-services-agreement.docx "
        f"({notice.document.sha256[:12]}) and security-policy.docx ({other.sha256[:12]}); compare two readings of one "
        "document."
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ("one", "one")}, "names are 'one' and 'one'; give two different names"),
        ({"names": ("", "one")}, "names are '' and 'one'; give two different names"),
        ({"what": "models"}, "what is 'models'; choose from questions, profiles, rules, settings."),
        ({"gold": [99_999]}, "gold names block 99999, and master-services-agreement.docx has 950 blocks, from 0 on"),
        ({"language": "fr"}, "language is 'fr'; choose from en, zh."),
    ],
)
def test_an_option_outside_its_range_is_refused(notice: Reading, options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        two(notice, notice, **options)
    assert str(caught.value).startswith(message)


def test_both_languages_have_the_same_words() -> None:
    english, chinese = (section_of(WORDS, "comparison", language) for language in ("en", "zh"))
    assert english.keys() == chinese.keys()


def test_chinese_says_it_in_chinese() -> None:
    document = open_document(ARTIFACTS / "设备采购合同.docx")
    reader = SparseReader(scorer=None)
    left, right = (reader.read(document, asked, token_share=FEW) for asked in ("违约金是多少？", "质保期多长？"))
    found = two(left, right, what="questions", language="zh", names=("违约金", "质保期"))
    assert found.title == "同一文档，两个问题"
    assert found.verdict.startswith("“质保期”比“违约金”")
    assert found.verdict.endswith("没有人标注证据，须由读者判断。")


def made_readings(case: Case, line: float, other: float, relevance: list[float]) -> tuple[Reading, Reading]:
    left, right = case.basis(), replace(case, relevance=relevance).basis()
    return reading_of(left, Threshold(line, case.scale)), reading_of(right, Threshold(other, case.scale))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Reading, Reading]:
    case = draw(cases())
    count = len(case.document)
    relevance = draw(st.lists(st.floats(0, 1), min_size=count, max_size=count))
    return made_readings(case, draw(st.floats(0, 1)), draw(st.floats(0, 1)), relevance)


@given(pairs())
def test_what_both_keep_and_what_one_keeps_alone_are_what_it_keeps(readings: tuple[Reading, Reading]) -> None:
    left, right = readings
    found = two(left, right)
    only: dict[str, set[int]] = {"left": set(), "right": set()}
    for block in changed(found):
        only[block.keeper].add(block.block_id)
    for part in found.sections:
        for block_id in part.hidden if isinstance(part, SectionBeside) else ():
            only["left" if block_id in kept(left) else "right"].add(block_id)
    both = kept(left) & kept(right)
    assert only["left"] | both == kept(left)
    assert only["right"] | both == kept(right)
    assert (len(both), len(only["left"])) == (found.counts.both, found.counts.only_left)
    assert found.counts.tokens_both + found.counts.tokens_only_left == left.saving.tokens_kept
    assert every_block(found) == list(range(len(left)))
    assert found.nothing != "Nothing differs between the two: question, rules, cut and model are the same." or (
        left.kept_text == right.kept_text
    )


@given(pairs())
def test_swapping_the_sides_mirrors_the_comparison(readings: tuple[Reading, Reading]) -> None:
    left, right = readings
    found, mirrored = two(left, right), two(right, left)
    assert found.likeness == mirrored.likeness
    assert (found.counts.only_left, found.counts.tokens_only_left) == (
        mirrored.counts.only_right, mirrored.counts.tokens_only_right,
    )  # fmt: skip
    assert [row.left for row in found.figures] == [row.right for row in mirrored.figures]
    assert [(block.block_id, block.keeper) for block in changed(found)] == [
        (block.block_id, {"left": "right", "right": "left"}[block.keeper]) for block in changed(mirrored)
    ]
    assert [block.reasons for block in changed(found)] == [block.reasons[::-1] for block in changed(mirrored)]


def test_an_altered_reading_keeps_question_budget_and_cut_and_changes_the_rules(notice: Reading) -> None:
    other = altered_reading(notice.with_budget(900), rules="default")
    assert (other.question, other.budget_tokens, other.cut) == (NOTICE, 900, notice.cut)
    assert other.structure.table == "default"
    same = altered_reading(notice, rules=load_rules("legal"))
    assert same.structure.sha256 == notice.with_rules(load_rules("legal")).structure.sha256


def test_an_altered_reading_is_decided_by_the_profile_as_its_own_reader_would(notice: Reading) -> None:
    other = altered_reading(notice, profile=PROFILE)
    alone = SparseReader.from_profile(PROFILE).read(notice.document, NOTICE)
    assert kept(other) == kept(alone)
    assert other.scores.scorer == GateProfile.load(PROFILE).models.scorer


def test_an_altered_reading_needs_something_to_alter(notice: Reading) -> None:
    with pytest.raises(InvalidOption) as caught:
        altered_reading(notice)
    assert str(caught.value) == "Nothing was given to decide otherwise by; give rules, a profile, or both."


def test_an_uncalibrated_threshold_says_that_it_is_one() -> None:
    document = Made().page().text("One.", "Two.").document()
    basis = basis_of(document, [0.2, 0.8], scale=Scale.UNCALIBRATED)
    low, high = (reading_of(basis, Threshold(at, Scale.UNCALIBRATED)) for at in (0.1, 0.655))
    (change,) = two(low, high).changes
    assert (change.name, change.left, change.right) == (
        "the cut", "threshold 0.1 on uncalibrated scores", "threshold 0.655 on uncalibrated scores",
    )  # fmt: skip
