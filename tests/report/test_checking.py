"""What an option of a report never is, is refused in one sentence, before any work."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from workbench.errors import InvalidOption
from workbench.reading import Reading


@pytest.fixture(scope="module")
def reading(project_dir: Path) -> Reading:
    document = wb.open_document(project_dir / "datasets" / "dev" / "documents" / "harbor-manual.md")
    return wb.SparseReader(scorer=None, min_tokens=200).read(document, "Which backup is kept for a year?")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"gates": ["x"]}, "gates holds 'x'; give a GateDecision or None for each reading."),
        ({"gates": iter([None])}, "give a list with a GateDecision or None for each reading."),
        ({"gates": "x"}, "gates is 'x'; give a list with a GateDecision or None for each reading."),
        ({"gates": None}, "gates is None; give a list with a GateDecision or None for each reading."),
        ({"answers": ["x"]}, "answers holds 'x'; give an AnswersSaid or None for each reading."),
        ({"answers": 4}, "answers is 4; give a list with an AnswersSaid or None for each reading."),
        ({"title": b"report"}, "title is b'report'; give a text, or None for the name of the document."),
        ({"profile": 3}, "profile is 3; give a GateProfile, its file, or None."),
        ({"pictures": "no"}, "pictures is 'no'; give True or False."),
        ({"picture_bytes": -1}, "picture_bytes is -1; give a whole number of at least 0."),
        ({"picture_bytes": 1e6}, "picture_bytes is 1000000.0; give a whole number of at least 0."),
        ({"picture_bytes": True, "pictures": False}, "picture_bytes is True; give a whole number of at least 0."),
        ({"comparison": "yes"}, "comparison is 'yes'; give True, False or what compared returns."),
        ({"made_on": "2024-01-01"}, "made_on is '2024-01-01'; give a datetime.date, or None."),
        ({"options": 3}, "options is 3; give ReadOptions, or None."),
        ({"progress": "yes"}, "progress is 'yes'; give True, False or None."),
        ({"language": ["en"]}, "language is ['en']; choose from en, zh."),
    ],
)
def test_a_value_of_another_type_is_refused_in_a_sentence(reading: Reading, option: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption, match=f"{re.escape(said)}$"):
        wb.report_on(reading, **option)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (5, "readings is 5; give a Reading, or a list of them."),
        ("ab", "A report is made of readings, not of str; give what SparseReader.read returns."),
        ([], "A report needs a reading; give one, or several."),
    ],
)
def test_what_is_no_reading_is_refused_in_a_sentence(given: Any, said: str) -> None:
    with pytest.raises(InvalidOption, match=f"^{re.escape(said)}$"):
        wb.report_on(given)


def test_readings_may_come_one_by_one_and_a_moment_is_a_day(reading: Reading) -> None:
    one = wb.report_on(iter([reading]), made_on=datetime(2024, 2, 29, 12, tzinfo=UTC))  # type: ignore[arg-type]
    assert "2024-02-29" in one.html


@pytest.mark.parametrize("steering", ["\u202e", "\u2066", "\0", "\x1b"])
def test_a_title_steers_nothing(reading: Reading, steering: str) -> None:
    made = wb.report_on(reading, title=f"Tide {steering}tables\nof May")
    assert made.title == "Tide \ufffdtables of May"
    assert "<title>Tide \ufffdtables of May</title>" in made.html
    assert steering not in made.html


def test_the_name_of_a_file_steers_no_title(tmp_path: Path) -> None:
    file = tmp_path / "bill\u202efdp.md"
    file.write_text("# Bill\n\nThe berth costs 400 a day.\n", "utf-8")
    reading = wb.SparseReader(scorer=None).read(wb.open_document(file), "What does the berth cost?")
    assert "\u202e" not in wb.report_on(reading).title
