"""What tests of labels share."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents import Document
from workbench.training.labels import LabelStore

from .made_labels import document_of


@pytest.fixture(scope="session")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    return document_of(tmp_path_factory.mktemp("labelled"))


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return LabelStore(tmp_path / "labels.sqlite")
