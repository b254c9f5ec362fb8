"""Which outcomes a story accepts: those of every request, and what it does where a file is gone."""

from __future__ import annotations

import logging
import re
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from workbench.errors import InvalidOutcomes
from workbench.report.story.basis import StoryBasis, basis_of
from workbench.report.story.making import story_of
from workbench.report.story.page import rendered_story
from workbench.workload import load_workload
from workbench.workload.replay import save_outcomes

from .made_stories import Made, made_in


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made_in(tmp_path_factory.mktemp("depots"))


def changed(made: Made, **attrs: Any) -> pd.DataFrame:
    frame = made.outcomes.copy()
    frame.attrs = {**made.outcomes.attrs, **attrs}
    return frame


def basis(made: Made, frame: pd.DataFrame) -> StoryBasis:
    return basis_of(made.workload, made.profile, outcomes=frame, reader=made.reader, progress=False)


def test_outcomes_that_leave_requests_out_are_refused_by_the_name_of_one(made: Made) -> None:
    whole = changed(made)
    frame = whole[~whole["request"].str.contains("hidden")].reset_index(drop=True)
    frame.attrs = whole.attrs
    said = "The outcomes leave out 2 of the 43 requests of the workload 'depots1', first '0-hidden'"
    with pytest.raises(InvalidOutcomes, match=re.escape(said.replace("depots1", made.workload.name))):
        basis(made, frame)


def test_outcomes_with_a_request_that_the_workload_has_not_are_refused_by_its_name(made: Made) -> None:
    ghost = changed(made)
    ghost.loc[len(ghost)] = ghost.iloc[0]
    ghost.loc[len(ghost) - 1, "request"] = "ghost"
    with pytest.raises(InvalidOutcomes, match=r"hold 1 request that the workload '\w+' has not, first 'ghost'"):
        basis(made, ghost)
    failed = changed(made, failed=[{"request": "phantom", "reason": "It met an error."}])
    with pytest.raises(InvalidOutcomes, match="has not, first 'phantom'"):
        basis(made, failed)


def test_a_request_cannot_both_have_an_outcome_and_have_none(made: Made) -> None:
    frame = changed(made, failed=[{"request": "0-pumps", "reason": "It met an error."}])
    with pytest.raises(InvalidOutcomes, match="have the request '0-pumps' twice, as a row and as one that could not"):
        basis(made, frame)


@pytest.mark.parametrize(
    ("column", "value"), [("split", "test"), ("document", "depot-4.txt"), ("scenario", "native_fit"), ("turn", 2)]
)
def test_outcomes_that_tell_a_request_otherwise_than_the_workload_are_refused(
    made: Made, column: str, value: Any
) -> None:
    frame = changed(made)
    # A document is in one split, or the table is refused for that.
    frame.loc[frame["document"] == "depot-0.txt", column] = value
    said = rf"say {value!r} where the request '0-[a-z]+' of the workload says .* \({column}\)"
    with pytest.raises(InvalidOutcomes, match=said):
        basis(made, frame)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_why_outcomes_beside_the_workload_are_not_used_is_logged_and_noted(
    made: Made, tmp_path: Path, caplog: pytest.LogCaptureFixture, language: str
) -> None:
    assert made.workload.folder is not None
    folder = Path(shutil.copytree(made.workload.folder, tmp_path / made.workload.name))
    stale = changed(made)
    stale.attrs["workload"] = {"name": "other", "fingerprint": "0" * 64}
    save_outcomes(stale, folder / "outcomes.parquet")
    with caplog.at_level(logging.WARNING, "workbench"):
        found = basis_of(load_workload(folder), made.profile, reader=made.reader, progress=False)
    assert "outcomes.parquet is not used" in caplog.text
    assert "The outcomes are of the workload 'other' (000000000000)" in caplog.text
    story = story_of(found, language=language, pictures=False, progress=False)
    told, reason = story.notes[-2:]
    assert "outcomes.parquet" in told.text
    assert not told.is_verbatim
    assert reason.is_verbatim
    assert reason.text.startswith("The outcomes are of the workload 'other'")
    page = rendered_story(story)
    marked = '<li dir="auto" lang="en">The outcomes are' if language == "zh" else '<li dir="auto">The outcomes are'
    assert marked in page
    assert page.count("此处的英文是工作台的原文，逐字引用。") == (language == "zh")


def test_outcomes_beside_the_workload_that_cannot_be_read_are_not_used_either(made: Made, tmp_path: Path) -> None:
    assert made.workload.folder is not None
    folder = Path(shutil.copytree(made.workload.folder, tmp_path / made.workload.name))
    (folder / "outcomes.parquet").write_bytes(b"no table")
    found = basis_of(load_workload(folder), made.profile, reader=made.reader, progress=False)
    assert "outcomes.parquet is no table of outcomes" in found.unused


def test_a_file_that_is_gone_is_listed_and_the_figures_stand(made: Made, tmp_path: Path) -> None:
    assert made.workload.folder is not None
    folder = Path(shutil.copytree(made.workload.folder, tmp_path / made.workload.name))
    workload = load_workload(folder)
    (folder / "depot-1.txt").unlink()
    found = basis_of(workload, made.profile, outcomes=made.outcomes, reader=made.reader, progress=False)
    whole = story_of(basis(made, made.outcomes), pictures=False, progress=False)
    story = story_of(found, pictures=False, progress=False)
    assert (story.headline, story.figures, story.scenarios) == (whole.headline, whole.figures, whole.scenarios)
    assert [lost.request.id for lost in story.lost] == ["1-hidden", "0-hidden"]
    first, second = story.lost
    assert first.pieces == ()
    assert first.unshown == "Its document could not be read again, so what was lost cannot be shown."
    assert first.words == "It loses all of its evidence."
    assert second.pieces
    gone = {one.id: one for one in story.not_read}
    assert {"1-hidden", "1-nowhere"} <= set(gone)
    assert "depot-1.txt" in gone["1-hidden"].reasons[0]
    assert "worst" not in {case.kind for case in story.cases}
    assert (
        "The worst case is the request 1-hidden; its document could not be read again, so it cannot be shown. No other "
        "stands in for it."
    ) in story.cases_missing
    assert any("A file of the workload is gone" in note.text for note in story.notes)
    assert "Could not be read again" in rendered_story(story)


def test_outcomes_of_another_name_are_refused_where_a_file_is_gone(made: Made, tmp_path: Path) -> None:
    assert made.workload.folder is not None
    folder = Path(shutil.copytree(made.workload.folder, tmp_path / "elsewhere"))
    workload = load_workload(folder)
    (folder / "depot-1.txt").unlink()
    with pytest.raises(InvalidOutcomes, match=r"not of 'elsewhere' \(unknown\)"):
        basis_of(workload, made.profile, outcomes=made.outcomes, reader=made.reader, progress=False)
