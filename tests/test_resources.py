"""Where rules and bundled documents are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import resources
from workbench.errors import FileMissing


def test_in_a_checkout_they_are_those_at_the_top(project_dir: Path) -> None:
    assert resources.checkout_dir() == project_dir
    assert resources.rules_dir() == project_dir / "rules"
    assert resources.datasets_dir() == project_dir / "datasets"


def test_a_damaged_installation_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "workbench")
    monkeypatch.setattr(resources, "_INSTALLED", tmp_path / "workbench" / "data")
    with pytest.raises(FileMissing, match=r"The folder rules of the workbench is not at .*rules; install sparseread-w"):
        resources.rules_dir()
