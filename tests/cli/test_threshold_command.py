"""``workbench threshold`` on tables from anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from tests.calibration.test_block_thresholds import drawn
from workbench.cli import cli


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    drawn(25, seed=4).to_csv(path, index=False)
    return path


def test_a_table_of_scores_gets_a_threshold_with_its_promise(scores: Path) -> None:
    result = CliRunner().invoke(cli, ["threshold", str(scores), "--recall", "0.9"])
    assert result.exit_code == 0
    assert result.output.startswith("threshold      0.")
    assert "promise        on a new document of this kind at least 90 % of the evidence" in result.output
    assert "<- promised" in result.output


def test_json_says_the_same(scores: Path) -> None:
    result = CliRunner().invoke(cli, ["threshold", str(scores), "--recall", "0.9", "--json"])
    found = json.loads(result.output)
    assert found["promised"] is True
    assert found["counts"]["documents"] == 25
    assert found["by_type"][0]["threshold"] <= 1


def test_a_floor_that_no_threshold_reaches_is_said_plainly(scores: Path, tmp_path: Path) -> None:
    evidence = tmp_path / "evidence.csv"
    rows = [(f"q{q}", f"general-4-{d}", 0, float("-inf") if q == 0 else 0.1) for d in range(25) for q in range(3)]
    pd.DataFrame(rows, columns=["question", "document", "piece", "score"]).to_csv(evidence, index=False)
    result = CliRunner().invoke(cli, ["threshold", str(scores), "--evidence", str(evidence)])
    assert result.exit_code == 1
    assert result.output.startswith(
        "error: No threshold recalls 0.95 of the evidence: 25 pieces of 75 are recalled at none"
    )


def test_mistakes_end_in_one_line_and_their_exit_code(tmp_path: Path, scores: Path) -> None:
    missing = CliRunner().invoke(cli, ["threshold", str(tmp_path / "none.csv")])
    assert (missing.exit_code, missing.output.count("\n")) == (1, 1)
    outside = CliRunner().invoke(cli, ["threshold", str(scores), "--recall", "1.5"])
    assert (outside.exit_code, outside.output) == (2, "error: recall is 1.5; give a number between 0 and 1.\n")
