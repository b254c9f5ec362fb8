"""``workbench gate``: one decision, explained."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.gate.made_profiles import profile
from workbench.calibration.hand_set import SET_BY_HAND
from workbench.cli import cli


@pytest.fixture
def saved(tmp_path: Path) -> str:
    return str(profile(name="mine").save(tmp_path / "gate.json"))


def long_file(folder: Path) -> Path:
    lines = [
        f"Paragraph {row} tells how the northern harbour was dredged in the year {1800 + row}." for row in range(900)
    ]
    path = folder / "harbour.txt"
    path.write_text("\n\n".join(lines), "utf-8")
    return path


def test_a_route_is_printed_with_its_signals_and_what_would_change_it(tmp_path: Path, saved: str) -> None:
    question = "When was the northern harbour dredged?"
    result = CliRunner().invoke(
        cli, ["gate", str(long_file(tmp_path)), question, "--profile", saved], env={"COLUMNS": "90"}
    )
    assert result.exit_code == 0
    said = " ".join(result.output.split())
    assert "decision Force: the margin" in said
    assert "s, avoidable exposure" in said
    assert "Advisory if avoidable exposure (s) were below" in said
    assert "profile mine, calibrated on dev" in said
    assert max(map(len, result.output.splitlines())) <= 90


def test_a_profile_whose_rule_was_set_by_hand_is_not_called_calibrated(tmp_path: Path) -> None:
    by_hand = profile(name="mine", notes=(SET_BY_HAND,)).save(tmp_path / "hand.json")
    for question in ("When was the northern harbour dredged?", "北港是什么时候疏浚的？"):
        result = CliRunner().invoke(
            cli, ["gate", str(long_file(tmp_path)), question, "--profile", str(by_hand)], env={"COLUMNS": "90"}
        )
        said = " ".join(result.output.split())
        assert "profile mine, set by hand on dev" in said
        assert "calibrated on" not in said


def test_a_hard_constraint_is_named(tmp_path: Path, saved: str) -> None:
    small = tmp_path / "note.md"
    small.write_text("The key is under the mat.", "utf-8")
    result = CliRunner().invoke(cli, ["gate", str(small), "Where is the key?", "--profile", saved])
    assert "Native" in result.output
    assert "small_file" in " ".join(result.output.split())


def test_a_folder_and_an_archive_are_artifacts_as_well(tmp_path: Path, saved: str) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    long_file(folder)
    archive = tmp_path / "logs.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(folder / "harbour.txt", "harbour.txt")
    for artifact in (folder, archive):
        result = CliRunner().invoke(cli, ["gate", str(artifact), "When was it dredged?", "--profile", saved, "--json"])
        assert json.loads(result.output)["route"] in ("force", "advisory")


def test_the_preview_is_what_an_agent_would_see(tmp_path: Path, saved: str) -> None:
    path = tmp_path / "steer.txt"
    path.write_text("\x1b[31mred\x1b[0m words. " * 900, "utf-8")
    result = CliRunner().invoke(cli, ["gate", str(path), "What is red?", "--profile", saved, "--preview"])
    assert "steer.txt" in result.output
    assert "\x1b" not in result.output


def test_json_holds_the_decision_and_its_explanation(tmp_path: Path, saved: str) -> None:
    result = CliRunner().invoke(cli, ["gate", str(long_file(tmp_path)), "When?", "--profile", saved, "--json"])
    found = json.loads(result.output)
    assert found["scope"] == "point"
    assert set(found["signals"]) >= {"s", "c", "r"}
    assert found["explanation"]["flips"]


def test_the_scope_can_be_said(tmp_path: Path, saved: str) -> None:
    command = ["gate", str(long_file(tmp_path)), "When?", "--profile", saved, "--json", "--scope"]
    assert json.loads(CliRunner().invoke(cli, [*command, "whole"]).output)["route"] == "native"
    wrong = CliRunner().invoke(cli, [*command, "some"])
    assert wrong.exit_code == 2
    assert wrong.output.startswith("error: ")


def test_what_cannot_be_read_ends_in_one_line(tmp_path: Path, saved: str) -> None:
    for command in (
        ["gate", str(tmp_path / "none.pdf"), "When?", "--profile", saved],
        ["gate", str(long_file(tmp_path)), "When?", "--profile", str(tmp_path / "none.json")],
    ):
        result = CliRunner().invoke(cli, command)
        assert (result.exit_code, result.output.count("\n")) == (1, 1)
        assert result.output.startswith("error: There is no ") or "none.pdf" in result.output
