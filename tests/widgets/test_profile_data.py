"""What the browser gets of profiles and notes are codes and numbers, for which both languages have words."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.calibration.made import workload
from tests.gate.made_profiles import profile
from workbench.calibration import calibrate
from workbench.calibration.hand_set import SET_BY_HAND
from workbench.gate.constraints import CONSTRAINTS
from workbench.gate.margin_words import routes_case, routes_in_words
from workbench.gate.profile import diff_words
from workbench.structure import Match, Rule, RuleBook, RuleTable
from workbench.widgets.gate_notes import basis_data, note_data
from workbench.widgets.profile_data import difference_data, profile_lines
from workbench.widgets.wording import words_of
from workbench.workspace.judging import MADE_AGAIN, NO_RULE, NOT_AT_HAND

LANGUAGES = ("en", "zh")
CASES = {
    "band": (0.1, 0.3), "no_band": (0.10001, 0.1004), "one": (0.05321, 0.05322),
    "no_force": (0.1, 2.0), "no_native": (-2.0, 0.1), "advisory": (-2.0, 2.0),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_name_every_field_of_a_profile(language: str) -> None:
    words = words_of(["workbench"], language)
    fields = [*diff_words._WORDS, *(f"gate.options.{name}" for name in diff_words._OPTIONS)]
    assert [field for field in fields if f"field.{field}" not in words] == []
    assert {f"field.gate.options.{what}.scope" for what in diff_words._BY_SCOPE} <= words.keys()
    assert {f"constraint.{name}" for name in CONSTRAINTS} <= words.keys()
    assert {f"line.routes.{case}" for case in CASES} <= words.keys()


@pytest.mark.parametrize("case", CASES)
def test_thresholds_are_told_as_the_english_sentence_tells_them(case: str) -> None:
    found, native, force = routes_case(*CASES[case])
    assert found == case
    text = words_of(["workbench"], "en")[f"line.routes.{case}"]
    assert text.format(native=native, force=force) == routes_in_words(*CASES[case])


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_of_where_a_rule_comes_from_have_words(language: str) -> None:
    words = [words_of([section], language) for section in ("workbench", "gate_view")]
    said = {SET_BY_HAND: "by_hand", MADE_AGAIN: "made_again", NOT_AT_HAND: "not_at_hand", NO_RULE: "no_rule"}
    for note, code in said.items():
        assert note_data(note) == {"code": code}
    for code in (*said.values(), "profile", "other_outcomes"):
        assert all(f"note.{code}" in known for known in words)


def test_how_documents_were_held_out_is_a_code() -> None:
    result = calibrate(workload(requests=120, documents=12), quality_tolerance=0.05, progress=False)
    assert basis_data(result.in_sample[0].basis) == {"code": "fitted", "requests": str(len(result.outcomes))}
    assert basis_data(result.out_of_sample[0].basis)["code"] in ("folds", "each")
    assert basis_data("the split test of all") == {"code": "", "text": "the split test of all"}


def test_the_lines_of_a_profile_are_numbers() -> None:
    found = profile()
    lines = {line["line"]: line for line in profile_lines(found)}
    assert lines["margin"]["weights"] == list(found.gate.weights.model_dump().values())
    assert lines["model"]["tokenizer"] == found.models.tokenizer
    assert json.loads(json.dumps(profile_lines(found))) == profile_lines(found)


def test_what_has_become_of_each_rule_is_told() -> None:
    titles = Rule("titles", Match(kinds=("heading",)), 2.0)
    money = Rule("money", Match(keywords=("euro", "元")), 1.5)
    before = RuleBook.of(RuleTable("house", (titles, money)))
    after = RuleBook.of(RuleTable("house", (replace(titles, weight=3.0), replace(money, name="sums"))))
    (change,) = before.changes(after)
    assert [(rule.name, rule.what, rule.before, rule.after) for rule in change.rules] == [
        ("money", "gone", None, None), ("sums", "new", None, None), ("titles", "weight", 2.0, 3.0),
    ]  # fmt: skip
    assert [*before.differences(after)] == [
        "the table for other documents differs in money (gone), sums (new), titles (2 -> 3)"
    ]


def test_a_field_that_one_profile_has_not_got_is_none() -> None:
    found = profile()
    found = found.model_copy(update={"gate": found.gate.model_copy(update={"quality_tolerance": 0.02})})
    other = found.model_copy(update={"gate": found.gate.model_copy(update={"quality_tolerance": None})})
    (difference,) = difference_data(other.diff(found))
    assert (difference["field"], difference["before"]) == ("gate.quality_tolerance", None)
    assert difference["after"] is not None
