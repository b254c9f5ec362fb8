"""What must be true of every reading, whatever the document, the scores and the cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.strategies import Case, cases
from workbench.reading.cuts import Cut, Threshold, TokenShare
from workbench.reading.reading import Reading, reading_of
from workbench.reading.selection import Status
from workbench.relevance.scores import Scale

BUDGETS = st.none() | st.integers(1, 400)
FEW = settings(max_examples=60, deadline=None)


def cut_at(case: Case, value: float, *, share: bool) -> Cut:
    """A cut that keeps more, the lower the value."""
    return TokenShare(max(1e-6, 1 - value), 0) if share else Threshold(value, case.scale)


def kept(reading: Reading) -> set[int]:
    """Every block that is not skipped."""
    return set(np.flatnonzero(reading.decision.kept).tolist())


def chosen(reading: Reading) -> set[int]:
    """The blocks kept for their own sake."""
    return set(reading.kept_ids)


@FEW
@given(cases(), st.floats(0, 1), st.booleans(), BUDGETS)
def test_every_block_is_kept_or_skipped_and_tokens_add_up(
    case: Case, value: float, share: bool, budget: int | None
) -> None:
    reading = reading_of(case.basis(), cut_at(case, value, share=share), budget)
    assert sorted([*kept(reading), *reading.skipped.block_ids]) == list(range(len(case.document)))
    assert len(reading.kept_ids) + len(reading.context_ids) == len(kept(reading))
    assert set(reading.pinned_ids) <= chosen(reading)
    assert reading.saving.tokens_kept + reading.skipped.tokens == reading.saving.tokens_total == case.document.tokens


@FEW
@given(cases(), st.floats(0, 1), st.booleans(), BUDGETS)
def test_two_runs_give_the_same_bytes(case: Case, value: float, share: bool, budget: int | None) -> None:
    first, second = (reading_of(case.basis(), cut_at(case, value, share=share), budget) for _ in range(2))
    assert first.kept_text == second.kept_text
    assert first.notes == second.notes
    assert first.audit().to_csv() == second.audit().to_csv()
    assert first.audit().to_json() == second.audit().to_json()


@settings(max_examples=150, deadline=None)
@given(cases(), st.floats(0, 1), st.floats(0, 1), st.booleans(), BUDGETS)
def test_a_stricter_cut_never_keeps_more_with_and_without_a_budget(
    case: Case, one: float, other: float, share: bool, budget: int | None
) -> None:
    loose, strict = (
        reading_of(case.basis(), cut_at(case, value, share=share), budget) for value in sorted((one, other))
    )
    assert kept(strict) <= kept(loose)
    assert chosen(strict) <= chosen(loose)
    assert strict.saving.tokens_kept <= loose.saving.tokens_kept


@FEW
@given(cases(), st.data(), st.floats(0.05, 5))
def test_a_lower_weight_never_raises_the_priority_of_its_block(case: Case, data: st.DataObject, weight: float) -> None:
    if not len(case.document):
        return
    block = data.draw(st.integers(0, len(case.document) - 1))
    basis = case.basis()
    lower = [*case.weights]
    lower[block] = min(weight, case.weights[block])
    changed = Case(case.document, case.relevance, lower, case.pinned, case.scale).basis()
    assert changed.priority[block] <= basis.priority[block]
    others = np.arange(len(basis.priority)) != block
    assert (changed.priority[others] == basis.priority[others]).all()


@settings(max_examples=150, deadline=None)
@given(cases(), st.floats(0, 1), st.booleans(), st.integers(1, 500))
def test_a_budget_is_never_exceeded(case: Case, value: float, share: bool, budget: int) -> None:
    reading = reading_of(case.basis(), cut_at(case, value, share=share), budget)
    assert reading.saving.rendered_tokens <= budget
    assert int(reading.basis.tokenizer.count([reading.kept_text])[0]) <= budget
    without = reading.with_budget(None)
    assert kept(reading) <= kept(without)
    assert (reading.bound == "budget") == (chosen(reading) != chosen(without))


@FEW
@given(cases(), st.floats(0, 1), st.booleans(), BUDGETS)
def test_every_piece_of_the_kept_text_is_verbatim(case: Case, value: float, share: bool, budget: int | None) -> None:
    reading = reading_of(case.basis(), cut_at(case, value, share=share), budget)
    texts = case.document.texts
    rest = reading.kept_text
    for piece, at in zip(reading.pieces, reading.rendering.offsets, strict=True):
        verbatim = texts[piece.block_id][piece.start : piece.end]
        assert verbatim and reading.kept_text[at : at + len(verbatim)] == verbatim
        anchor = case.document.block(piece.block_id).anchor
        assert case.document.text_at(anchor) == verbatim
        rest = rest.replace(verbatim, "", 1)
    shown = [piece.block_id for piece in reading.pieces]
    assert shown == sorted(block for block in kept(reading) if texts[block])
    if reading.kept_text:
        assert reading.kept_text.startswith("[made.txt: ")


@FEW
@given(cases(), st.floats(0, 1), st.booleans(), BUDGETS)
def test_what_a_kept_block_needs_is_kept_with_it(case: Case, value: float, share: bool, budget: int | None) -> None:
    reading = reading_of(case.basis(), cut_at(case, value, share=share), budget)
    needed: set[int] = set()
    for block_id in reading.kept_ids:
        block = case.document.block(block_id)
        needed |= {*block.section, *block.header, *([block.table] if block.table is not None else [])}
    assert needed <= kept(reading)
    assert set(reading.context_ids) == needed - chosen(reading)


@FEW
@given(cases(Scale.CALIBRATED), st.floats(0, 1), st.floats(-0.08, 0.08))
def test_under_a_threshold_a_block_with_text_is_kept_exactly_if_its_margin_is_not_negative(
    case: Case, threshold: float, offset: float
) -> None:
    reading = reading_of(case.basis(offset=offset), Threshold(threshold))
    for block in case.document.blocks:
        own = reading.status[block.block_id] in (Status.KEPT, Status.PINNED)
        passes = reading.margin[block.block_id] >= 0 and bool(block.text)
        assert own == (passes or case.pinned[block.block_id])


@FEW
@given(cases(Scale.UNCALIBRATED, pins=False), st.floats(0.01, 1), st.integers(0, 200))
def test_a_token_share_keeps_the_best_blocks_up_to_it(case: Case, share: float, least: int) -> None:
    reading = reading_of(case.basis(), TokenShare(share, least))
    limit = max(share * case.document.tokens, least)
    own = [block for block in reading.basis.priority.argsort(kind="stable")[::-1] if block in chosen(reading)]
    if not own:
        assert not reading.basis.worth_a_share.any()
        return
    lowest = reading.basis.priority[own].min()
    body = [b.block_id for b in case.document.blocks if b.text and b.kind not in ("header", "footer")]
    evidence = {block for block in body if reading.scores.relevance[block] > 0}
    assert all(block in chosen(reading) for block in evidence if reading.priority[block] > lowest)
    assert chosen(reading) <= evidence or not body
    if chosen(reading) != evidence and body:
        assert reading.saving.tokens_kept >= limit


@pytest.mark.parametrize("share", [True, False])
def test_an_empty_document_has_an_explicit_empty_reading(share: bool) -> None:
    from tests.reading.made import Made

    case = Case(Made().page().document(), [], [], [], Scale.CALIBRATED)
    reading = reading_of(case.basis(), cut_at(case, 0.5, share=share))
    assert reading.is_empty and reading.best_score == 0.0 and len(reading.to_frame()) == 0
    assert reading.notes == ("The document has no text.",)
    assert reading.kept_text == (
        "[made.txt: 0 pages read, 1 blank; 0 of 0 blocks kept; 0 of 0 tokens]\nThe document has no text."
    )
