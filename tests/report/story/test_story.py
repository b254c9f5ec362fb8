"""The story of a workload: where its figures hold, what it refuses, and what its page says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.calibration.hand_set import judged
from workbench.errors import InvalidOption, InvalidOutcomes, StaleProfile
from workbench.gate import GateProfile
from workbench.reading import SparseReader
from workbench.report.story.basis import basis_of, rule_of_profile
from workbench.report.story.contents import GroupSaid, NoteSaid, NumberSaid, StoryContents
from workbench.report.story.figures import figures_said, scale_of
from workbench.report.story.making import report_on_workload, story_of
from workbench.report.story.page import rendered_story
from workbench.report.wording import FOLDER, saying
from workbench.resources import datasets_dir
from workbench.wording import section_of
from workbench.workload import load_workload
from workbench.workload.replay import load_outcomes, save_outcomes

from .made_stories import Made, forcing, made_in, native


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made_in(tmp_path_factory.mktemp("depots"))


@pytest.fixture(scope="module")
def story(made: Made) -> StoryContents:
    return told(made, made.profile)


def told(made: Made, profile: GateProfile, **options: Any) -> StoryContents:
    basis = basis_of(made.workload, profile, outcomes=made.outcomes, reader=made.reader, progress=False)
    return story_of(basis, pictures=False, progress=False, **options)


def renamed(profile: GateProfile, *, name: str, fingerprint: str) -> GateProfile:
    fitted_on = profile.workload.model_copy(update={"name": name, "fingerprint": fingerprint})
    return profile.model_copy(update={"workload": fitted_on})


def test_on_the_workload_it_was_fitted_on_the_profiles_own_figures_out_of_sample_lead(
    made: Made, story: StoryContents
) -> None:
    own = {figure.name: figure for figure in made.profile.figures if figure.sample == "out of sample"}
    first, second = story.figures
    assert (first.sample, second.sample) == ("out of sample", "in sample")
    assert (first.saved.level, first.saved.low) == (own["token reduction"].value, own["token reduction"].low)
    assert first.lost.level == own["quality loss"].value
    assert first.saved.value in story.headline
    assert first.saved.interval in story.headline


def test_the_figures_in_sample_beneath_are_those_of_a_rule_judged_on_these_outcomes(
    made: Made, story: StoryContents
) -> None:
    rule = rule_of_profile(made.profile)
    expected = judged(made.outcomes, rule.weights, rule.thresholds)
    (inside,) = [found for found in story.figures if found.sample == "in sample"]
    saved, lost = expected.figure("token reduction"), expected.figure("quality loss")
    assert (inside.saved.level, inside.saved.low, inside.saved.high) == (saved.level, saved.low, saved.high)
    assert (inside.lost.level, inside.lost.low, inside.lost.high) == (lost.level, lost.low, lost.high)


def test_a_profile_of_an_earlier_state_of_the_workload_is_in_sample_to_be_safe(made: Made) -> None:
    found = told(made, renamed(made.profile, name=made.workload.name, fingerprint="f" * 64))
    assert [figures.sample for figures in found.figures] == ["in sample"]
    assert "another state of the workload" in found.figures[0].basis
    assert any("All figures are in sample" in sentence for sentence in found.told)


def test_a_profile_without_figures_says_that_nothing_is_out_of_sample(made: Made) -> None:
    found = told(made, forcing(made.profile))
    assert [figures.sample for figures in found.figures] == ["in sample"]
    assert any("All figures are in sample" in sentence for sentence in found.told)


def test_requests_of_the_split_test_lead_and_are_out_of_sample(tmp_path: Path) -> None:
    made = made_in(tmp_path / "split", documents=6, paragraphs=90, test=2)
    found = told(made, made.profile)
    assert [figures.sample for figures in found.figures] == ["out of sample", "out of sample", "in sample"]
    assert (found.figures[0].documents, found.figures[2].documents) == (2, 4)
    assert "split “test”" in found.figures[0].basis
    assert sum(group.requests for group in found.scenarios) == found.figures[0].requests


def test_a_gate_that_reads_everything_whole_says_that_nothing_is_saved_and_shows_no_case(made: Made) -> None:
    found = told(made, native(made.profile))
    assert found.headline == "This gate reads everything whole (43 requests): nothing is saved, and nothing is lost."
    assert (found.cases, found.lost) == ((), ())
    assert found.cases_missing == ("No request is read sparsely, so there is no case to show.",)
    assert found.missed.requests


def test_scenarios_add_up_to_the_whole_and_the_most_saved_stands_first(story: StoryContents) -> None:
    for groups in (story.scenarios, story.types):
        assert sum(group.requests for group in groups) == 42  # one of 43 is not judged
        assert [group.saved.level for group in groups] == sorted((g.saved.level for g in groups), reverse=True)
        assert all(group.forced + group.advisory + group.native == group.requests for group in groups)
    inside = story.figures[-1].saved.level
    whole, read = (sum(getattr(group, name) for group in story.scenarios) for name in ("tokens_whole", "tokens_read"))
    assert 1 - read / whole == pytest.approx(inside, abs=1e-4)


def test_outcomes_beside_the_workload_are_used_and_others_are_not(made: Made) -> None:
    folder = made.workload.folder
    assert folder is not None
    there = made.outcomes.copy()
    there.attrs = dict(made.outcomes.attrs)
    there["seconds_native"] = 123.0
    file = save_outcomes(there, folder / "outcomes.parquet")
    try:
        basis = basis_of(load_workload(folder), made.profile, reader=made.reader, progress=False)
        assert (basis.frame["seconds_native"] == 123.0).all()
        there.attrs["workload"] = {"name": "other", "fingerprint": "0" * 64}
        save_outcomes(there, file)
        basis = basis_of(load_workload(folder), made.profile, reader=made.reader, progress=False)
        assert (basis.frame["seconds_native"] != 123.0).all()
    finally:
        file.unlink()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"workload": {"name": "other", "fingerprint": "0" * 64}}, "of the workload 'other' (000000000000), not of"),
        ({"reader": {"rules": "0" * 64}}, "made by a reader with another rule table than the profile's"),
        ({"reader": {"scorer": "0" * 64, "tokenizer": "other"}}, "another model, another tokenizer than the profile's"),
        ({"options": {"anchors": 0.5}}, "gate signals that were made with other constants than the profile's"),
        ({"workload": None}, "do not say which workload and which reader they were made of"),
    ],
)  # fmt: skip
def test_outcomes_of_something_else_are_refused_by_name(made: Made, changes: dict[str, Any], said: str) -> None:
    frame = made.outcomes.copy()
    frame.attrs = dict(made.outcomes.attrs)
    for name, found in changes.items():
        frame.attrs[name] = {**frame.attrs[name], **found} if name in ("reader", "options") else found
    with pytest.raises(InvalidOutcomes, match=re.escape(said)):
        basis_of(made.workload, made.profile, outcomes=frame, reader=made.reader, progress=False)


def test_outcomes_without_what_a_replay_gives_are_refused_by_column(made: Made) -> None:
    frame = made.outcomes.drop(columns=["recall_sparse", "rounds"])
    with pytest.raises(InvalidOutcomes, match="no column rounds, recall_sparse, which a replay gives"):
        basis_of(made.workload, made.profile, outcomes=frame, reader=made.reader, progress=False)


def test_a_reader_that_is_not_the_profiles_is_refused_by_name(made: Made) -> None:
    other = SparseReader(scorer=None, token_share=0.5, min_tokens=60)
    with pytest.raises(StaleProfile, match="not that of the profile 'depots': it has another token share"):
        basis_of(made.workload, made.profile, outcomes=made.outcomes, reader=other)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"language": "fr"}, "language is 'fr'; choose from en, zh."),
        ({"title": "  "}, "title is '  '; give a text, or None for the name of the workload."),
        ({"prices": 2.0}, "prices is of type float; give a PriceTable, or None."),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(made: Made, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption, match=re.escape(said)):
        report_on_workload(made.workload, made.profile, **options)


def test_equal_input_gives_an_equal_report_byte_for_byte(made: Made) -> None:
    made_of = {"outcomes": made.outcomes, "reader": made.reader, "pictures": False, "progress": False}
    first, second = (report_on_workload(made.workload, made.profile, **made_of) for _ in range(2))
    assert first.html == second.html
    assert first.title == f"What reading less did to the workload {made.workload.name}"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_says_everything_without_a_script(made: Made, language: str) -> None:
    story = told(made, made.profile, language=language)
    page = re.sub(r"<script.*?</script>", "", rendered_story(story), flags=re.DOTALL)
    plain = page.replace("&#39;", "'").replace("&#34;", '"')
    assert story.headline in plain
    for lost in story.lost:
        assert lost.request.id in plain
        assert all(piece.quote in plain for piece in lost.pieces)
    for group in (*story.left_alone, story.missed, story.costlier):
        assert group.words in plain
        assert all(f"<bdi>{other.request.id}</bdi>" in page for other in group.requests)
    for case in story.cases:
        assert f'id="{case.kind}"' in page
        assert f'href="#{case.kind}"' in page


def test_no_text_of_a_request_is_taken_for_markup_or_for_a_template(story: StoryContents) -> None:
    hostile = "<img src=x onerror=alert(1)>\u202e{{7*7}}{% raw %}"
    lost = replace(story.lost[0], request=replace(story.lost[0].request, id=hostile, question=hostile))
    group = replace(story.scenarios[0], name=hostile)
    note = NoteSaid(hostile, is_verbatim=True)
    page = rendered_story(replace(story, title=hostile, lost=(lost,), scenarios=(group,), notes=(note,)))
    assert "<img src=x" not in page
    verbatim = "&lt;img src=x onerror=alert(1)&gt;\u202e{{7*7}}{% raw %}"
    # Title and heading with its tooltip, id and question, name in chart, its label and table, and the note.
    assert page.count(verbatim) == page.count("img src=x onerror") == page.count("{{7*7}}") == 9


def test_both_languages_have_the_same_words_with_the_same_values() -> None:
    english, chinese = (section_of(FOLDER, "story", language) for language in ("en", "zh"))
    assert list(english) == list(chinese)
    for key, text in english.items():
        assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", chinese[key])) or key.endswith(".one"), (
            key
        )


def test_every_word_is_used() -> None:
    folder = FOLDER.parent
    sources = [*folder.glob("story/*.py"), *folder.glob("templates/*story*.html")]
    text = "\n".join(source.read_text("utf-8") for source in sources)
    stems = set(re.findall(r'["\']([\w.-]+?)\.?(?:["\']|\{)', text))
    for key in section_of(FOLDER, "story", "en"):
        parts = key.removesuffix(".one").split(".")
        assert any(".".join(parts[:length]) in stems for length in range(1, len(parts) + 1)), key


numbers = st.floats(-3, 1, allow_nan=False)


@given(st.lists(st.tuples(numbers, numbers, numbers), max_size=8))
def test_the_axis_holds_zero_and_every_saving(levels: list[tuple[float, float, float]]) -> None:
    scale = scale_of([group_of(*sorted(level)) for level in levels])
    assert 0.0 in scale.ticks
    assert len(scale.ticks) <= 7
    assert scale.low == scale.ticks[0] <= 0 < scale.ticks[-1] == scale.high
    assert 0 <= scale.at(0.0) <= 100
    for low, middle, high in map(sorted, levels):
        assert scale.at(low) <= scale.at(middle) <= scale.at(high)
        assert high <= scale.high + 1e-9


def group_of(low: float, level: float, high: float) -> GroupSaid:
    saved = NumberSaid(level, low, high, "", "")
    return GroupSaid("a", "a", 1, 2, 1, 1, saved, saved, None, 1, 0, 0)


def test_the_shipped_workload_is_told_with_the_figures_of_its_profile() -> None:
    dev = datasets_dir() / "dev"
    profile = GateProfile.load(dev / "gate.json")
    outcomes = load_outcomes(dev / "outcomes.parquet")
    assert json.loads(json.dumps(outcomes.attrs))["workload"]["fingerprint"] == profile.workload.fingerprint
    basis = basis_of(dev, profile, outcomes=outcomes, progress=False)
    assert basis.is_fitted
    assert basis.inside.all()
    known = {figure.name: figure for figure in profile.figures if figure.sample == "in sample"}
    inside = figures_said(basis, saying("story", "en"))[-1]
    assert inside.saved.level == pytest.approx(known["token reduction"].value)
    assert (inside.saved.low, inside.saved.high) == pytest.approx(
        (known["token reduction"].low, known["token reduction"].high)
    )
