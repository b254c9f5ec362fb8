"""A classifier as a training leaves it: the packaged MiniLM, a drawn head, and an adapter with small drawn weights."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.training.exporting.making import checkpoint_at, tiny_base_at
from workbench.training.exporting import ExportReport, export_classifier


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint over the packaged MiniLM."""
    return checkpoint_at(tmp_path_factory.mktemp("training") / "step-000010")


@pytest.fixture(scope="session")
def exported(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ExportReport]:
    """The folder that is exported from it, with ONNX, and the report."""
    place = tmp_path_factory.mktemp("exported") / "classifier"
    return place, export_classifier(checkpoint, place, onnx=True, progress=False)


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers with MiniLM's tokenizer."""
    return tiny_base_at(tmp_path_factory.mktemp("models") / "tiny-bert")


@pytest.fixture(scope="session")
def tiny_checkpoint(tiny_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint over it."""
    return checkpoint_at(tmp_path_factory.mktemp("training") / "step-000010", base=tiny_base)


@pytest.fixture(scope="session")
def tiny(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is exported from it, without ONNX; do not change it."""
    place = tmp_path_factory.mktemp("exported") / "tiny"
    export_classifier(tiny_checkpoint, place, onnx=False, progress=False)
    return place


@pytest.fixture
def copied(tiny: Path, tmp_path: Path) -> Path:
    """A copy of that folder, which a test may spoil."""
    return Path(shutil.copytree(tiny, tmp_path / "classifier"))


Change = Callable[[dict[str, object]], object]


@pytest.fixture
def edited() -> Callable[[Path, Change], None]:
    """Change a JSON file."""

    def edit(file: Path, change: Change) -> None:
        said = json.loads(file.read_bytes())
        change(said)
        file.write_text(json.dumps(said), encoding="utf-8")

    return edit
