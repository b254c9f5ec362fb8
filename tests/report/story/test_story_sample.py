"""Where a story says that its figures hold: nothing is called new to a profile that may know it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from workbench.gate import GateProfile
from workbench.report.story.basis import StoryBasis, basis_of
from workbench.report.story.contents import StoryContents
from workbench.report.story.figures import figures_said
from workbench.report.story.headline import told_beside
from workbench.report.story.making import story_of
from workbench.report.story.page import rendered_story
from workbench.report.story.sample import Origin, sample_of
from workbench.report.wording import saying
from workbench.resources import datasets_dir
from workbench.workload import load_workload
from workbench.workload.replay import load_outcomes

from .made_stories import Made, made_in


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made_in(tmp_path_factory.mktemp("depots"))


def told(made: Made, profile: GateProfile, **options: Any) -> StoryContents:
    basis = basis_of(made.workload, profile, outcomes=made.outcomes, reader=made.reader, progress=False)
    return story_of(basis, pictures=False, progress=False, **options)


def fitted_on(profile: GateProfile, *, name: str) -> GateProfile:
    return profile.model_copy(
        update={"workload": profile.workload.model_copy(update={"name": name, "fingerprint": "f" * 64})}
    )


def board_pack(folder: Path, *, changed: bool = False) -> StoryBasis:
    """Return the basis of a workload of the pump manual alone, with the profile that was fitted on it and others."""
    dev = datasets_dir() / "dev"
    (folder / "artifacts").mkdir(parents=True)
    manual = folder / "artifacts" / "pump-manual.pdf"
    shutil.copy(dev / "artifacts" / "pump-manual.pdf", manual)
    if changed:
        manual.write_bytes(manual.read_bytes() + b"\n")
    lines = (dev / "workload.jsonl").read_text("utf-8").splitlines()
    kept = [line for line in lines if json.loads(line).get("artifact") == "artifacts/pump-manual.pdf"]
    (folder / "workload.jsonl").write_text("\n".join(kept) + "\n", "utf-8")
    workload, whole = load_workload(folder), load_outcomes(dev / "outcomes.parquet")
    frame = whole[whole["artifact"] == "artifacts/pump-manual.pdf"].reset_index(drop=True)
    frame.attrs = {**whole.attrs, "workload": {"name": workload.name, "fingerprint": workload.fingerprint}}
    return basis_of(workload, GateProfile.load(dev / "gate.json"), outcomes=frame, progress=False)


def test_documents_of_the_fit_are_in_sample_under_whatever_name_the_workload_has(tmp_path: Path) -> None:
    basis = board_pack(tmp_path / "board-pack")
    assert (basis.workload.name, len(basis.outcomes), basis.sample.origin) == ("board-pack", 20, Origin.OTHER)
    (found,) = figures_said(basis, saying("story", "en"))
    assert (found.sample, found.sample_words) == ("in sample", "in sample")
    assert "that the profile dev was fitted on: the same bytes are in the workload “dev”" in found.basis


def test_a_changed_copy_of_a_document_of_the_fit_is_not_called_out_of_sample(tmp_path: Path) -> None:
    (found,) = figures_said(board_pack(tmp_path / "board-pack", changed=True), saying("story", "en"))
    assert (found.sample, found.sample_words) == ("another workload", "another workload than fitted on")
    assert "byte for byte; a changed copy of one would not be noticed" in found.basis


@pytest.mark.parametrize(
    ("language", "never"), [("en", ("new to it", "out of sample")), ("zh", ("都是新的", "样本外"))]
)
def test_of_another_workload_nobody_says_that_its_documents_are_new(
    made: Made, language: str, never: tuple[str, ...]
) -> None:
    found = told(made, fitted_on(made.profile, name="elsewhere"), language=language)
    assert [figures.sample for figures in found.figures] == ["another workload"]
    page = rendered_story(found).split('class="case-band')[0].split("</style>")[1]
    assert found.figures[0].basis in page.replace("&#39;", "'")
    # The readings of the cases carry the profile's own figures, which are of its own workload.
    assert not any(words in page for words in never)
    if language == "en":
        assert "requests about a document of that fit would be in sample" in found.figures[0].basis
        assert found.shipped.sample_words == "another workload than fitted on"


def test_the_split_test_of_another_state_of_the_workload_is_not_out_of_sample_either(tmp_path: Path) -> None:
    made = made_in(tmp_path / "split", documents=6, paragraphs=90, test=2)
    found = told(made, fitted_on(made.profile, name=made.workload.name))
    assert [figures.sample for figures in found.figures] == ["in sample"]


def test_what_the_models_were_trained_on_is_in_sample_whatever_the_rule_was_fitted_on(made: Made) -> None:
    workload = made.workload
    seen = workload.artifacts.sha256("depot-2.txt")
    reader = SimpleNamespace(scorer=SimpleNamespace(second_stage=None, recurring=SimpleNamespace(documents=[seen])))
    basis = basis_of(workload, made.profile, outcomes=made.outcomes, reader=made.reader, progress=False)
    profile = fitted_on(made.profile, name="elsewhere")
    found = sample_of(workload, workload.fingerprint, profile, cast(Any, reader), basis.outcomes)
    on = [str(name).startswith("2-") for name in basis.outcomes.request]
    assert found.trained.any()
    assert not found.fitted.any()
    assert found.inside[on].all()


def test_one_document_has_no_interval_and_the_story_says_why(tmp_path: Path) -> None:
    basis = board_pack(tmp_path / "board-pack")
    (found,) = figures_said(basis, saying("story", "en"))
    assert found.saved.interval == "no interval"
    assert "20 requests about 1 document " in found.basis
    said = list(told_beside([found], saying("story", "en")))
    assert "There is no interval: all of it is about one document, and intervals tell how documents differ." in said


def test_what_belongs_to_the_rule_that_ships_is_labelled_and_apart_from_the_figures_of_the_folds(made: Made) -> None:
    story = told(made, made.profile)
    folds, shipped = story.figures
    assert (folds.is_shipped, shipped.is_shipped) == (False, True)
    assert story.headline.startswith("On 42 requests about 5 documents, rules fitted like this gate but without")
    assert story.shipped == shipped
    assert story.shipped.sample_words == "in sample"
    routes = {route.route: route.share.value for route in shipped.routes}
    assert story.told_shipped[1] == (
        f"It reads {routes['force']} of the requests sparsely, leaves {routes['native']} to be read whole, and lets "
        f"the agent choose for {routes['advisory']}."
    )
    page = rendered_story(story)
    bar = page[page.index('class="routes"') :].split("</div>")[0]
    assert all(f"flex-grow:{route.share.level:.4f}" in bar for route in shipped.routes if route.share.level)
    for part in ("cases", "lost", "alone", "wrong"):
        section = page[page.index(f'id="workload-{part}"') :].split("</section>")[0]
        assert section.count("by the rule that ships: in sample") == 1, part


def test_lists_over_both_splits_say_that_they_are_in_sample_in_part(tmp_path: Path) -> None:
    made = made_in(tmp_path / "split", documents=6, paragraphs=90, test=2)
    story = told(made, made.profile)
    assert story.shipped.sample_words == "in sample in part"
    assert story.shipped.requests == story.figures[0].requests + story.figures[2].requests
