"""What the docs say of gate and calibration is what the program does: names, columns, numbers of documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_docs import section_of
from workbench.calibration.outcomes import REQUIRED
from workbench.calibration.risk import documents_needed
from workbench.calibration.score_tables import OPTIONAL
from workbench.calibration.score_tables import REQUIRED as SCORE_COLUMNS
from workbench.gate import CONSTRAINTS, Preview, intent_of
from workbench.gate.signals import signals
from workbench.workload import SCENARIOS


def page(project_dir: Path, name: str) -> str:
    return (project_dir / name).read_text(encoding="utf-8")


def rows_of(text: str) -> list[list[str]]:
    """The cells of the rows of a Markdown table, without its header."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_constraints_are_told_in_the_order_in_which_they_are_asked(project_dir: Path) -> None:
    rows = rows_of(section_of(page(project_dir, "docs/gate.md"), "Hard constraints"))
    assert [name.strip("`") for name, _ in rows] == list(CONSTRAINTS)


def test_the_terms_of_the_risk_are_all_explained(project_dir: Path) -> None:
    rows = rows_of(section_of(page(project_dir, "docs/gate.md"), "The three signals"))
    found = signals(Preview(name="a", tokens=9_000, preview_tokens=300), intent_of("When is the pump serviced?"))
    assert [row[0] for row in rows] == [term.name for term in found.r.terms]


def test_the_signals_in_the_docs_are_those_that_the_decision_shows(project_dir: Path) -> None:
    shown = section_of(page(project_dir, "docs/gate.md"), "One decision")
    found = signals(Preview(name="a", tokens=9_000, preview_tokens=300), intent_of("When is the pump serviced?"))
    labels = [label for label, _ in found.lines]
    assert [label for label in labels if not re.search(rf"^{re.escape(label)}  ", shown, re.MULTILINE)] == []


def test_the_documents_that_a_promise_costs_are_those_that_it_takes(project_dir: Path) -> None:
    rows = rows_of(section_of(page(project_dir, "docs/calibration.md"), "The promise"))
    assert len(rows) == 5
    for alpha, without_loss, with_loss in rows:
        level = float(alpha)
        wanted = (documents_needed(level), documents_needed(level, mean_loss=level / 2))
        assert (int(without_loss), int(with_loss)) == wanted


@pytest.mark.parametrize("name", ["docs/calibration.md", "docs/cli.md"])
def test_the_columns_of_outcomes_that_are_needed_are_named(name: str, project_dir: Path) -> None:
    listed = ", ".join(f"`{column}`" for column in REQUIRED[:-1]) + f" and `{REQUIRED[-1]}`"
    assert listed in " ".join(page(project_dir, name).split())


def test_the_columns_of_a_table_of_scores_are_named(project_dir: Path) -> None:
    assert f"\n{','.join(SCORE_COLUMNS)}\n" in page(project_dir, "docs/calibration.md")
    section = section_of(page(project_dir, "docs/cli.md"), "workbench threshold")
    assert [column for column in (*SCORE_COLUMNS, *OPTIONAL) if f"`{column}`" not in section] == []


def test_the_scenarios_of_the_bundled_workload_are_told(project_dir: Path) -> None:
    rows = rows_of(section_of(page(project_dir, "datasets/dev/README.md"), "The requests"))
    assert [name.strip("`") for name, _ in rows] == list(SCENARIOS)


def test_every_artifact_of_the_bundled_workload_is_in_its_table(project_dir: Path) -> None:
    from workbench.workload import load_workload

    rows = rows_of(section_of(page(project_dir, "datasets/dev/README.md"), "The documents").split("\n\nThe rows")[0])
    work = load_workload(project_dir / "datasets" / "dev")
    assert [row[0].strip("`") for row in rows] == list(work.documents)
    assert [int(row[-1]) for row in rows] == [len(work.of_documents([key])) for key in work.documents]
