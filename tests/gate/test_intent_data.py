"""How the rules speak on the questions of public sets, where the set itself tells what a question is about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.gate.intent import intent_of

pytestmark = pytest.mark.data


def scopes(questions: list[str]) -> dict[str, float]:
    """Share of each scope."""
    found = [intent_of(question).scope.value for question in questions]
    return {scope: found.count(scope) / len(found) for scope in ("point", "several", "aggregate", "whole")}


@pytest.mark.parametrize(
    "name", ["xquad/xquad.en.json", "xquad/xquad.zh.json", "drcd/DRCD_dev.json", "policyqa/dev.json"]
)
def test_questions_that_one_paragraph_answers_are_points(data_dir: Path, name: str) -> None:
    articles = json.loads((data_dir / name).read_text(encoding="utf-8"))["data"]
    asked = [entry["question"] for article in articles for part in article["paragraphs"] for entry in part["qas"]]
    share = scopes(asked[:900])
    assert share["point"] > 0.96
    assert share["aggregate"] + share["whole"] < 0.025


def test_what_is_counted_or_worked_out_in_a_table_is_no_point(data_dir: Path) -> None:
    kinds: dict[str, list[str]] = {}
    for context in json.loads((data_dir / "tatqa" / "tatqa_dataset_test_gold.json").read_text(encoding="utf-8")):
        for entry in context["questions"]:
            kinds.setdefault(entry["answer_type"], []).append(entry["question"])
    assert scopes(kinds["count"])["aggregate"] > 0.75
    assert scopes(kinds["arithmetic"])["point"] < 0.25
    assert scopes(kinds["span"])["point"] > 0.75
