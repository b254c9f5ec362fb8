"""The benchmark of the bench runs from end to end; times are not asserted, bytes are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser


def test_it_measures_every_action_and_no_move_of_the_slider_crosses_the_wire(
    chromium: str, project_dir: Path, tmp_path: Path
) -> None:
    figures = tmp_path / "figures.json"
    command = [sys.executable, "-m", "benchmarks.bench", "--quick", "--moves", "2", "--sizes", "200", "400"]
    done = subprocess.run(
        [*command, "--json", str(figures)],
        cwd=project_dir,
        env=os.environ | {"SPARSEREAD_CHROMIUM": chromium},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    rows = {row["action"]: row for row in json.loads(figures.read_text(encoding="utf-8"))}
    assert [action for action in rows if "empty frame" not in action] == [
        "cut slider to painted document, 200 blocks",
        "bytes for one move of the slider, 200 blocks",
        "the same while the kernel is busy, 200 blocks",
        "bytes for a move that is confirmed, 200 blocks",
        "cut slider, a jump of 23 % of the tokens, 200 blocks",
        "cut slider to painted document, 400 blocks",
        "bytes for one move of the slider, 400 blocks",
        "the same while the kernel is busy, 400 blocks",
        "bytes for a move that is confirmed, 400 blocks",
        "cut slider, a jump of 23 % of the tokens, 400 blocks",
        "key press to painted selection",
        "key press to the acknowledged line of the journal",
        "weight of a rule to painted document, kernel included, 200 blocks",
        "gate weight to repainted points and totals, 5,000 requests",
    ]
    assert all(row["median"] > 0 for row in rows.values() if row["unit"] == "ms")
    assert rows["bytes for one move of the slider, 400 blocks"]["median"] == 0
    assert 0 < rows["bytes for a move that is confirmed, 400 blocks"]["median"] < 50_000
    assert len(done.stdout.splitlines()) == len(rows) + 2
