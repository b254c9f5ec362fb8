"""Headings and running lines of PDFs against what a person marked."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from benchmarks.documents import labels_of
from benchmarks.fidelity import Counts, FurnitureScores, HeadingScores, furniture_scores, heading_scores
from tests.documents.real_documents import real_document

pytestmark = pytest.mark.data

# A little below what is measured; raise them when the parser gets better. F1 over all headings of a set, or the share
# of its lines and pages. The parser is tuned against the first two sets of each kind, never against the held-out one.
HEADING_FLOORS = {
    "headings": {"detected": 0.92, "level": 0.76, "nested": 0.83},
    "headings_more": {"detected": 0.88, "level": 0.61, "nested": 0.80},
    "headings_heldout": {"detected": 0.87, "level": 0.33, "nested": 0.74},
}
FURNITURE_FLOORS = {
    "furniture": {"found": 0.94, "on_side": 0.90, "body": 0.97, "hidden": 0.95, "pages": 0.90},
    "furniture_more": {"found": 0.91, "on_side": 0.91, "body": 0.96, "hidden": 0.80, "pages": 0.81},
    "furniture_heldout": {"found": 0.86, "on_side": 0.86, "body": 0.97, "hidden": 0.0, "pages": 0.86},
}
LABELLED = {
    "headings": (14, 336),
    "headings_more": (19, 154),
    "headings_heldout": (12, 98),
    "furniture": (75, 117),
    "furniture_more": (101, 144),
    "furniture_heldout": (72, 103),
}
"""How many documents (of headings) or pages (of lines), and how many headings or lines, each set has."""


@lru_cache(maxsize=3)
def scores_of_headings(data: Path, name: str) -> dict[str, HeadingScores]:
    """Return the scores of a set by document."""
    return {
        Path(label["path"]).name: heading_scores(real_document(data, label["path"]), label) for label in labels_of(name)
    }


@lru_cache(maxsize=3)
def scores_of_lines(data: Path, name: str) -> dict[str, FurnitureScores]:
    """Return the scores of a set by page."""
    return {
        f"{Path(label['path']).name}, page {label['page']}": furniture_scores(real_document(data, label["path"]), label)
        for label in labels_of(name)
    }


def told(place: str, counts: Counts) -> str:
    """Say what a document or page has; the labels themselves are not quoted, because some are held out."""
    return f"{place}: {counts.hits} right, {counts.said} said, {counts.gold} labelled"


@pytest.mark.parametrize(
    ("name", "measure", "floor"),
    [(name, measure, floor) for name, floors in HEADING_FLOORS.items() for measure, floor in floors.items()],
)
def test_headings_are_those_that_a_person_marked(data_dir: Path, name: str, measure: str, floor: float) -> None:
    scores = {place: getattr(found, measure) for place, found in scores_of_headings(data_dir, name).items()}
    total = sum(scores.values(), Counts())
    worst = sorted(scores, key=lambda place: scores[place].f1)[:5]
    assert total.f1 >= floor, "; ".join(told(place, scores[place]) for place in worst)


@pytest.mark.parametrize(
    ("name", "measure", "floor"),
    [(name, measure, floor) for name, floors in FURNITURE_FLOORS.items() for measure, floor in floors.items()],
)
def test_running_lines_are_those_that_a_person_marked(data_dir: Path, name: str, measure: str, floor: float) -> None:
    scores = {place: getattr(found, measure) for place, found in scores_of_lines(data_dir, name).items()}
    total = sum(scores.values(), Counts())
    wrong = [told(place, counts) for place, counts in scores.items() if counts.hits < counts.gold]
    assert total.recall >= floor, "; ".join(wrong)


@pytest.mark.parametrize("name", LABELLED)
def test_every_label_of_a_set_is_compared(data_dir: Path, name: str) -> None:
    if name in HEADING_FLOORS:
        places, counts = len(labels_of(name)), [found.detected for found in scores_of_headings(data_dir, name).values()]
    else:
        places, counts = len(labels_of(name)), [found.found for found in scores_of_lines(data_dir, name).values()]
    assert (places, sum(found.gold for found in counts)) == LABELLED[name]


def test_no_document_of_the_held_out_labels_was_tuned_against() -> None:
    held_out = {label["path"] for name in LABELLED if name.endswith("_heldout") for label in labels_of(name)}
    tuned = {label["path"] for name in LABELLED if not name.endswith("_heldout") for label in labels_of(name)}
    assert not held_out & tuned


def test_the_figures_are_printed(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = []
    for name, floors in HEADING_FLOORS.items():
        headings = sum(scores_of_headings(data_dir, name).values(), HeadingScores())
        figures = [f"{measure} F1 {getattr(headings, measure).f1:.3f} (floor {floors[measure]})" for measure in floors]
        rows.append(f"{name:18} {', '.join(figures)}")
    for name, floors in FURNITURE_FLOORS.items():
        lines = sum(scores_of_lines(data_dir, name).values(), FurnitureScores())
        figures = [f"{measure} {getattr(lines, measure).recall:.3f} (floor {floors[measure]})" for measure in floors]
        rows.append(f"{name:18} {', '.join(figures)}")
    with capsys.disabled():
        print("\n" + "\n".join(rows))
