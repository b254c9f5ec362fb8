"""What several commands are run on."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def manual(sample_dir: Path) -> Path:
    return sample_dir / "harbor-manual.md"


@pytest.fixture
def profile(project_dir: Path) -> Path:
    return project_dir / "datasets" / "dev" / "gate.json"
