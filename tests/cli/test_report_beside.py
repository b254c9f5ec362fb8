"""What ``workbench report`` shows side by side: another rule table, another profile, two questions; gates included."""

from __future__ import annotations

import json
import re
from pathlib import Path

import workbench as wb
from tests.cli.reading_runs import QUESTION
from tests.cli.report_runs import FEW, OTHER, run, written
from tests.report.made import AGREEMENT, PAYMENT


def figures(page: str) -> dict[str, list[str]]:
    """The table of figures of the comparison: name -> left, right, difference."""
    part = page[page.index('id="c1-figures"') : page.index('id="c1-losses"')]
    rows = re.findall(r"<th scope=\"row\">(.*?)</th>(.*?)</tr>", part, flags=re.DOTALL)
    return {name: re.findall(r"<td[^>]*>(.*?)</td>", cells) for name, cells in rows}


def test_another_rule_table_stands_beside(manual: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    written(run(manual, QUESTION, *FEW, "--against-rules", "legal", "-o", out), out)
    page = out.read_text("utf-8")
    assert 'id="c1"' in page
    assert "Rules technical" in page
    assert "Rules legal" in page
    assert 'id="r2-b0"' not in page


def test_another_profile_stands_beside(manual: Path, profile: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "report.html", tmp_path / "other.json"
    values = json.loads(profile.read_text("utf-8"))
    values["name"] = "frugal"
    other.write_text(json.dumps(values), "utf-8")
    written(run(manual, QUESTION, "--profile", profile, "--against-profile", other, "--no-pages", "-o", out), out)
    assert "Profile frugal" in out.read_text("utf-8")


def test_two_questions_that_are_read_whole_save_nothing_side_by_side(
    manual: Path, profile: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    written(run(manual, QUESTION, OTHER, "--profile", profile, "--no-pages", "-o", out), out)
    total = wb.open_document(manual).columns.tokens.sum()
    told = figures(out.read_text("utf-8"))
    assert told["tokens that the model reads"] == [f"{total:,} of {total:,}"] * 2 + ["0"]
    assert told["the gate says"][:2] == ["read it whole"] * 2
    assert told["saved a year"][:2] == ["USD 0"] * 2


def test_rules_beside_change_nothing_of_what_the_gate_says(manual: Path, profile: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    arguments = ("--profile", profile, "--against-rules", "legal", "--no-pages", "-o", out)
    written(run(manual, QUESTION, *arguments), out)
    assert figures(out.read_text("utf-8"))["the gate says"][:2] == ["read it whole"] * 2


def test_a_profile_beside_has_a_gate_of_its_own(profile: Path, project_dir: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "report.html", tmp_path / "other.json"
    file = project_dir / "datasets" / "dev" / "artifacts" / AGREEMENT
    values = json.loads(profile.read_text("utf-8"))
    values["name"] = "whole"
    values["gate"]["thresholds"] = {"native": 0.98, "force": 0.99}
    other.write_text(json.dumps(values), "utf-8")
    written(run(file, PAYMENT, "--profile", profile, "--against-profile", other, "--no-pages", "-o", out), out)
    document = wb.open_document(file)
    own, against = (wb.ReadGate.from_profile(path).decide(document, PAYMENT).route.value for path in (profile, other))
    assert own != against == "native"
    told = figures(out.read_text("utf-8"))
    assert told["the gate says"][0] != told["the gate says"][1] == "read it whole"
    assert told["saved a year"][0] != told["saved a year"][1] == "USD 0"
