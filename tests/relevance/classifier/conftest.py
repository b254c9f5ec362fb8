"""A small classifier, exported once; and copies of it that a test may spoil."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.training.exporting.made import checkpoint_at, tiny_base_at
from workbench.relevance.classifier import Classifier
from workbench.training.exporting import export_classifier


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers with MiniLM's tokenizer."""
    return tiny_base_at(tmp_path_factory.mktemp("models") / "tiny-bert")


@pytest.fixture(scope="session")
def folder(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classifier over it; do not change it."""
    place = tmp_path_factory.mktemp("exported")
    checkpoint = checkpoint_at(place / "step-000010", base=base)
    export_classifier(checkpoint, place / "classifier", onnx=False, languages=["en"], progress=False)
    return place / "classifier"


@pytest.fixture(scope="session")
def classifier(folder: Path) -> Classifier:
    """It, opened in single precision."""
    return Classifier.open(folder, backend="torch-fp32")


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """A copy of its folder."""
    return Path(shutil.copytree(folder, tmp_path / "classifier"))


@pytest.fixture
def edit() -> Callable[[Path, Callable[[dict[str, Any]], object]], None]:
    """Change a JSON file."""

    def edit(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
        said = json.loads(file.read_bytes())
        change(said)
        file.write_text(json.dumps(said), encoding="utf-8")

    return edit


@pytest.fixture
def signed() -> Callable[[Path], None]:
    """Give a folder the hashes of its files as they are now, as somebody would who means well."""
    from workbench.relevance.classifier.manifest import MANIFEST, Manifest, listed_files

    def sign(folder: Path) -> None:
        said = json.loads((folder / MANIFEST).read_bytes())
        made = Manifest.of({**said, "files": listed_files(folder)})
        (folder / MANIFEST).write_text(made.to_json(), encoding="utf-8")

    return sign
