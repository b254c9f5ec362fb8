"""What a story counts and weighs: judged or not, with evidence or without, by the chance of being read sparsely."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from workbench.gate import GateProfile
from workbench.report.story.basis import StoryBasis, basis_of
from workbench.report.story.contents import NumberSaid, StoryContents
from workbench.report.story.figures import figures_said
from workbench.report.story.headline import headline_said
from workbench.report.story.making import story_of
from workbench.report.story.paths import Retaken, pieces_said, retaken
from workbench.report.wording import saying
from workbench.resources import datasets_dir
from workbench.workload import load_workload
from workbench.workload.gold import Gold

from .made_stories import Made, forcing, made_in, native

SAY = saying("story", "en")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made_in(tmp_path_factory.mktemp("depots"))


def frame_of(made: Made) -> pd.DataFrame:
    frame = made.outcomes.copy()
    frame.attrs = dict(made.outcomes.attrs)
    return frame


def without_evidence(made: Made) -> pd.DataFrame:
    """Return outcomes on which a loss cannot be seen."""
    frame = frame_of(made)
    frame[["evidence", "evidence_unresolved"]] = 0
    frame[["recall_native", "recall_sparse"]] = np.nan
    frame[["quality_native", "quality_sparse"]] = 1.0
    return frame


def basis(made: Made, profile: GateProfile, frame: pd.DataFrame | None = None) -> StoryBasis:
    found = made.outcomes if frame is None else frame
    return basis_of(made.workload, profile, outcomes=found, reader=made.reader, progress=False)


def told(made: Made, profile: GateProfile, frame: pd.DataFrame | None = None) -> StoryContents:
    return story_of(basis(made, profile, frame), pictures=False, progress=False)


def advising(profile: GateProfile) -> GateProfile:
    """Return a profile under which the agent chooses wherever no constraint holds."""
    thresholds = profile.gate.thresholds.model_copy(update={"native": -2.0, "force": 1.9})
    gate = profile.gate.model_copy(update={"thresholds": thresholds})
    return profile.model_copy(update={"gate": gate, "figures": ()})


def silent(done: int, total: int) -> None:
    """Take no notice of progress."""


def all_retaken(found: StoryBasis) -> Iterator[Retaken]:
    for one in retaken(found, found.workload.requests, silent):
        assert isinstance(one, Retaken)
        yield one


def test_nothing_is_read_whole_for_sure_while_a_request_that_is_not_judged_is_read_sparsely(made: Made) -> None:
    frame = frame_of(made)
    frame.loc[frame["request"] != "1-nowhere", "constraint"] = "small_file"
    story = told(made, forcing(made.profile), frame)
    assert "everything whole" not in story.headline
    assert "1 request is not judged: nobody can say what it loses. It is listed below." in story.told_shipped
    frame["constraint"] = "small_file"
    assert "everything whole (43 requests)" in told(made, forcing(made.profile), frame).headline


def test_losses_are_counted_of_the_judged_requests_with_evidence(made: Made) -> None:
    story = told(made, made.profile)
    # 43 requests: one whose evidence stands nowhere, and five that have none.
    assert story.evident == 37
    assert story.told_shipped[0].startswith("2 of the 37 judged requests with evidence lose some of it; ")
    assert "5 requests have no evidence to find; they count as losing nothing." in story.told_loss
    assert story.lost_words == story.told_shipped[0]
    spared = told(made, native(made.profile))
    assert spared.told_shipped[0] == "None of the 37 judged requests with evidence loses any of it."


def test_without_any_evidence_a_loss_was_not_measured_and_no_case_is_praised_for_losing_nothing(made: Made) -> None:
    story = told(made, made.profile, without_evidence(made))
    assert story.headline.endswith("; what they lose was not measured, for no request has evidence.")
    for lost in (*(found.lost for found in story.figures), *(group.lost for group in story.scenarios)):
        assert (lost.value, lost.interval, lost.is_measured) == ("not measured", "no request has evidence", False)
    assert story.told_shipped[0] == "No judged request has evidence, so a loss was not measured."
    assert [case.kind for case in story.cases] == ["best", "typical", "worst"]
    assert all("not measured" in case.why_chosen for case in story.cases)
    assert all("nothing says whether it lost something" in case.verdict for case in story.cases)


def test_what_gates_leave_whole_tells_those_apart_of_which_nothing_says_what_they_lose(made: Made) -> None:
    frame = frame_of(made)
    none = frame["request"].str.endswith("-none")
    frame.loc[none, "tokens_sparse"] = frame.loc[none, "tokens_native"] - 100
    missed = told(made, native(made.profile), frame).missed
    assert len(missed.requests) == 35
    assert missed.words.startswith("30 requests are read whole although sparse reading would have lost none of their")
    assert "5 requests without evidence would have saved 500 tokens (" in missed.words
    bare = [one for one in missed.requests if one.request.id.endswith("-none")]
    assert all(one.words.endswith("nothing says whether it would have lost something.") for one in bare)


def test_a_gate_that_costs_more_says_how_much_without_a_minus() -> None:
    costs = NumberSaid(-0.25, -0.5, -0.125, "-25.0\xa0%", "[-50.0\xa0%,\xa0-12.5\xa0%]")
    measured: Any = type(
        "Shares", (), {"share": np.ones(1), "frame": pd.DataFrame({"quality_kind": ["evidence recall"]})}
    )
    figures: Any = type(
        "Found",
        (),
        {"is_shipped": True, "saved": costs, "lost": replace(costs, level=0.0), "requests": 1, "documents": 1},
    )
    said = headline_said(measured, figures, SAY)
    assert said.startswith(
        "On 1 request about 1 document, this gate takes 25.0\xa0% [12.5\xa0%,\xa050.0\xa0%] more tokens"
    )


def test_what_costs_more_is_weighed_by_the_chance_that_it_is_read_sparsely(made: Made) -> None:
    forced, advised = (told(made, profile(made.profile)).costlier for profile in (forcing, advising))
    rows = made.outcomes[made.outcomes["tokens_sparse"] > made.outcomes["tokens_native"]]
    more = float((rows["tokens_sparse"] - rows["tokens_native"]).sum())
    assert (
        forced.words == f"10 requests cost {more:,.0f} tokens more, read sparsely, than the whole document would have."
    )
    assert f"10 requests cost {round(more / 2):,} tokens more" in advised.words


def test_evidence_that_is_seen_counts_by_the_path_that_is_taken(made: Made) -> None:
    def recall(profile: GateProfile) -> float:
        group = next(one for one in told(made, profile).scenarios if one.label == "pdf_report_qa")
        assert group.recall is not None
        return group.recall

    # Both requests of this scenario that are judged lose all on the sparse path, and nothing on the native one.
    assert (recall(forcing(made.profile)), recall(native(made.profile))) == (0.0, 1.0)
    assert recall(advising(made.profile)) == 0.5


def test_tokens_of_the_headline_are_what_is_read_after_the_saving(made: Made) -> None:
    story = told(made, made.profile)
    judged = made.outcomes[made.outcomes["request"] != "1-nowhere"]
    whole = float(judged["tokens_native"].mean())
    assert story.tokens_whole == round(whole)
    assert story.tokens_read == round(whole * (1 - story.figures[0].saved.level)) < story.tokens_whole


def test_other_tokens_alone_make_an_outcome_an_old_one(made: Made) -> None:
    frame = frame_of(made)
    frame.loc[frame["request"] == "1-hidden", "tokens_sparse"] += 1
    story = told(made, made.profile, frame)
    assert any("1 come out otherwise than in the outcomes" in note.text for note in story.notes)
    (worst,) = [case for case in story.cases if case.kind == "worst"]
    assert worst.note.startswith("Read again for this report, the request comes out otherwise than in the outcomes")


def test_of_a_lost_piece_the_place_is_told_that_costs_least_to_keep(made: Made) -> None:
    found = next(one for one in all_retaken(basis(made, made.profile)) if one.request.id == "1-hidden")
    unseen = np.flatnonzero(~found.path.seen)
    dear, cheap = (int(unseen[place(found.tokens[unseen])]) for place in (np.argmax, np.argmin))
    assert found.tokens[dear] > found.tokens[cheap]
    piece = replace(found.gold.pieces[0], places=((dear,), (cheap,)))
    gold = Gold("1-hidden", (piece,), (), found.gold.tokens)
    (said,) = pieces_said(replace(found, gold=gold), saying("contents", "en"))
    assert [lost.block_id for lost in said.missing] == [cheap]


def test_the_blocks_down_to_the_lowest_that_was_lost_hold_more_than_these_alone(made: Made) -> None:
    basis_found = basis(made, made.profile)
    found = next(one for one in all_retaken(basis_found) if one.request.id == "1-hidden")
    lost = next(one for one in told(made, made.profile).lost if one.request.id == "1-hidden")
    blocks = [missing.block_id for piece in lost.pieces for missing in piece.missing]
    lowest = min(found.reading.priority[block] for block in blocks)
    down = sum(
        int(found.tokens[block])
        for block in range(len(found.tokens))
        if not found.path.seen[block] and found.reading.priority[block] >= lowest
    )
    assert lost.tokens_down == down > lost.tokens
    assert f"the unseen blocks down to there hold {down:,} tokens" in lost.cost


def test_the_reading_of_a_request_in_rounds_is_as_wide_as_its_last_round() -> None:
    dev = datasets_dir() / "dev"
    workload = load_workload(dev)
    found = basis_of(workload, GateProfile.load(dev / "gate.json"), progress=False)
    row = found.frame.set_index("request").loc["research-report-05"]
    assert (int(row["rounds"]), bool(row["fell_back"])) == (2, False)
    (one,) = retaken(found, [workload.request("research-report-05")], silent)
    assert isinstance(one, Retaken)
    assert one.path.rounds == 2
    assert one.is_all_shown
    assert int(one.tokens[one.reading.decision.kept].sum()) == int(row["tokens_kept"])


def test_figures_of_the_folds_do_not_lead_where_the_rule_that_ships_reads_everything_whole(made: Made) -> None:
    kept = native(made.profile).model_copy(update={"figures": made.profile.figures})
    assert [found.is_shipped for found in figures_said(basis(made, kept), SAY)] == [True, False]
