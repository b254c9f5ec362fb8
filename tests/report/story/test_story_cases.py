"""Which requests a story shows in full, which lost evidence, and what it says of those that were left alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.report.story.basis import StoryBasis, basis_of
from workbench.report.story.cases import Paths, chosen_cases
from workbench.report.story.contents import StoryContents
from workbench.report.story.making import story_of

from .made_stories import NOWHERE, Made, forcing, made_in, native


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made_in(tmp_path_factory.mktemp("depots"))


def basis(made: Made, profile: Any = None, outcomes: Any = None) -> StoryBasis:
    frame = made.outcomes if outcomes is None else outcomes
    return basis_of(made.workload, profile or made.profile, outcomes=frame, reader=made.reader, progress=False)


@pytest.fixture(scope="module")
def story(made: Made) -> StoryContents:
    return story_of(basis(made), pictures=False, progress=False)


def paths(
    gain: list[float],
    *,
    loss: list[float] | None = None,
    share: list[float] | None = None,
    pieces: list[float] | None = None,
    judged: list[bool] | None = None,
) -> Paths:
    count = len(gain)
    chances = np.array(share if share is not None else [1.0] * count, np.float64)
    losses = np.array(loss if loss is not None else [0.0] * count, np.float64)
    return Paths(
        gain=np.array(gain, np.float64),
        whole=np.full(count, 1000.0),
        loss=losses,
        pieces=np.array(pieces, np.float64) if pieces is not None else (losses > 0).astype(np.float64),
        share=chances,
        forced=chances == 1.0,
        judged=np.array(judged) if judged is not None else np.ones(count, bool),
        evident=np.ones(count, bool),
    )


def test_the_best_saves_most_the_worst_loses_most_and_a_typical_one_is_at_the_median() -> None:
    found = chosen_cases(paths([900, 100, 500, 800, 480], loss=[0.5, 0, 0, 0, 0]))
    assert found == {"worst": 0, "best": 3, "typical": 2}


def test_where_nothing_is_lost_the_worst_saves_least() -> None:
    assert chosen_cases(paths([900, 100, 500])) == {"best": 0, "worst": 1, "typical": 2}


def test_of_equal_losses_the_one_that_is_surer_and_then_the_one_with_more_pieces_is_the_worst() -> None:
    found = chosen_cases(paths([1, 1, 1, 9], loss=[1, 1, 1, 0], share=[0.5, 1, 1, 1], pieces=[9, 1, 3, 0]))
    assert found["worst"] == 2


def test_a_typical_one_loses_no_more_than_most_do_however_ordinary_its_saving() -> None:
    found = chosen_cases(paths([900, 500, 440, 100, 600], loss=[0, 1, 0, 0, 1]))
    assert found == {"worst": 1, "best": 0, "typical": 2}


def test_requests_that_are_native_or_not_judged_are_no_case() -> None:
    found = chosen_cases(paths([900, 800, 700], loss=[0, 1, 0], share=[0, 1, 1], judged=[True, False, True]))
    assert found == {"best": 2}
    assert chosen_cases(paths([900.0], share=[0.0])) == {}


@given(
    st.lists(
        st.tuples(st.integers(-500, 900), st.sampled_from([0.0, 0.25, 1.0]), st.sampled_from([0.0, 0.5, 1.0])),
        min_size=1,
        max_size=12,
    )
)
def test_no_request_is_two_cases_and_the_best_never_loses(rows: list[tuple[int, float, float]]) -> None:
    gain, loss, share = (list(map(float, column)) for column in zip(*rows, strict=True))
    found = chosen_cases(paths(gain, loss=loss, share=share))
    assert len(set(found.values())) == len(found)
    assert all(share[row] > 0 for row in found.values())
    if "best" in found:
        assert loss[found["best"]] == 0
        assert gain[found["best"]] > 0
    if any(one > 0 and chance > 0 for one, chance in zip(loss, share, strict=True)):
        assert loss[found["worst"]] == max(one for one, chance in zip(loss, share, strict=True) if chance > 0)


def test_a_case_says_what_it_saves_and_shows_its_whole_reading_with_the_evidence_marked(
    made: Made, story: StoryContents
) -> None:
    cases = {case.kind: case for case in story.cases}
    assert list(cases) == ["best", "typical", "worst"]
    best, worst = cases["best"], cases["worst"]
    row = made.outcomes.set_index("request").loc[best.request.id]
    assert f"{row['tokens_native']:,.0f} tokens, read sparsely {row['tokens_sparse']:,.0f}" in best.verdict
    assert best.reading.key == "best"
    assert any(block.gold for run in best.reading.runs for block in run.blocks)
    assert worst.request.id == "1-hidden"
    assert sum(block.gold for part in worst.reading.skipped for block in part.blocks) == 2
    assert [piece.kept for piece in worst.pieces] == [False, False]
    assert worst.reading.decision.gate is not None
    assert worst.reading.decision.gate.route == worst.request.route == "force"


def test_every_request_that_lost_evidence_is_listed_with_what_was_lost_and_why(
    made: Made, story: StoryContents
) -> None:
    lost = {found.request.id: found for found in story.lost}
    assert set(lost) == {"0-hidden", "1-hidden"}
    hidden = made.workload.request("1-hidden")
    pieces = lost["1-hidden"].pieces
    assert [piece.quote for piece in pieces] == [evidence.quote for evidence in hidden.evidence]
    document = made.workload.open(hidden)
    for piece in pieces:
        (block,) = piece.missing
        assert document.texts[block.block_id] == piece.quote
        assert block.tokens == document.columns.tokens[block.block_id]
        assert block.why
        assert float(block.priority) < float(block.line)
    assert lost["1-hidden"].words == "2 of 2 pieces of evidence were not seen."
    assert lost["0-hidden"].words == "Its only piece of evidence was not seen."
    assert lost["1-hidden"].tokens == sum(piece.missing[0].tokens for piece in pieces)
    assert lost["1-hidden"].cost.startswith(f"The lost blocks themselves hold {lost['1-hidden'].tokens} tokens. ")


def test_the_greatest_loss_stands_first(story: StoryContents) -> None:
    assert [found.loss for found in story.lost] == sorted((found.loss for found in story.lost), reverse=True)


def test_what_the_gate_left_native_is_not_among_the_lost(made: Made) -> None:
    found = story_of(basis(made, native(made.profile)), pictures=False, progress=False)
    assert found.lost == ()
    alone = {other.request.id: other for group in found.left_alone for other in group.requests}
    assert {"0-hidden", "1-hidden"} <= set(alone)
    assert alone["1-hidden"].words.endswith("It would have lost 100.0\xa0% of the evidence.")


def test_evidence_that_stands_nowhere_is_told_apart_with_the_reason(story: StoryContents) -> None:
    (found,) = story.not_judged
    assert found.id == "1-nowhere"
    assert found.words == "Its evidence stands nowhere in the document (1 of 1): it is in no figure."
    assert NOWHERE[:40] in found.reasons[0]
    assert "1-nowhere" not in {one.request.id for one in story.lost}


def test_a_request_that_could_not_be_replayed_is_told_apart(made: Made) -> None:
    frame = made.outcomes[made.outcomes["request"] != "0-pumps"].reset_index(drop=True)
    frame.attrs = {**made.outcomes.attrs, "failed": [{"request": "0-pumps", "reason": "It met an error."}]}
    found = story_of(basis(made, outcomes=frame), pictures=False, progress=False)
    failed = next(one for one in found.not_judged if one.id == "0-pumps")
    assert (failed.words, failed.reasons) == ("It could not be replayed, and is in no figure.", ("It met an error.",))


def test_an_outcome_that_another_version_made_is_not_hidden_but_said_to_be_old(made: Made) -> None:
    frame = made.outcomes.copy()
    frame.attrs = dict(made.outcomes.attrs)
    at = frame["request"] == "2-pumps"
    frame.loc[at, ["recall_sparse", "quality_sparse"]] = 0.0
    found = story_of(basis(made, outcomes=frame), pictures=False, progress=False)
    old = next(one for one in found.lost if one.request.id == "2-pumps")
    assert old.pieces == ()
    assert old.unshown.startswith("Read again for this report, nothing is lost")
    assert any("come out otherwise than in the outcomes" in note.text for note in found.notes)


def test_an_advisory_request_counts_by_its_chance(made: Made) -> None:
    thresholds = made.profile.gate.thresholds.model_copy(update={"native": -2.0, "force": 1.9})
    gate = made.profile.gate.model_copy(update={"thresholds": thresholds})
    found = story_of(basis(made, made.profile.model_copy(update={"gate": gate})), pictures=False, progress=False)
    assert found.lost[0].chance.endswith("a probability of 50.0\xa0%, that of reading sparsely.")
    said = "Where the agent chooses, a request counts as read sparsely with a probability of 50.0\xa0%."
    assert said in [note.text for note in found.notes]


def test_native_requests_are_told_with_what_sparse_reading_would_have_cost(made: Made, story: StoryContents) -> None:
    rows = made.outcomes.set_index("request")
    (group,) = story.left_alone
    assert story.alone == len(group.requests) == 10
    for other in group.requests:
        row = rows.loc[other.request.id]
        assert (other.tokens_whole, other.tokens_sparse) == (row["tokens_native"], row["tokens_sparse"])
        assert f"would have cost {row['tokens_sparse'] - row['tokens_native']:,.0f} tokens more" in other.words
        assert other.request.why.startswith("The margin ")


def test_a_hard_constraint_is_told_in_words(made: Made) -> None:
    frame = made.outcomes.copy()
    frame.attrs = dict(made.outcomes.attrs)
    frame.loc[frame["request"] == "0-all", "constraint"] = "whole_table"
    found = story_of(basis(made, outcomes=frame), pictures=False, progress=False)
    held = next(group for group in found.left_alone if group.title == "The question is about a whole table")
    assert [other.request.id for other in held.requests] == ["0-all"]
    assert "one row left out makes it wrong" in held.requests[0].request.why


def test_the_gates_own_mistakes_are_told(made: Made) -> None:
    whole = story_of(basis(made, native(made.profile)), pictures=False, progress=False)
    assert len(whole.missed.requests) == 30
    assert whole.missed.words.startswith("30 requests are read whole although sparse reading would have lost none of")
    all_sparse = story_of(basis(made, forcing(made.profile)), pictures=False, progress=False)
    assert len(all_sparse.costlier.requests) == 10
    assert all_sparse.costlier.requests[0].words.endswith("and the whole document was read after all.")
    assert replace(whole, left_alone=()).alone == 0
