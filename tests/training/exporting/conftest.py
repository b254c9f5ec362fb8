"""A classifier as a training leaves it: the packaged MiniLM, a drawn head, and an adapter with small drawn weights."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.training.exporting.made import checkpoint_at, tiny_base_at
from workbench.training.exporting import ExportReport, export_classifier


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint over the packaged MiniLM."""
    return checkpoint_at(tmp_path_factory.mktemp("training") / "step-000010")


@pytest.fixture(scope="session")
def exported(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ExportReport]:
    """The folder that is exported from it, without ONNX, and the report."""
    place = tmp_path_factory.mktemp("exported") / "classifier"
    return place, export_classifier(checkpoint, place, onnx=False, progress=False)


@pytest.fixture(scope="session")
def with_onnx(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ExportReport]:
    """A small classifier with ONNX, and the report."""
    for package in ("onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(package)
    place = tmp_path_factory.mktemp("exported") / "with-onnx"
    return place, export_classifier(tiny_checkpoint, place, onnx=True, languages=["en"], progress=False)


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
