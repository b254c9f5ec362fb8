"""Models and trainings that several tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.learning.making import questions, quick, tiny_base_at
from workbench.training.learning import Trained, train_classifier, train_encoder


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two small layers with drawn weights, and MiniLM's tokenizer."""
    return tiny_base_at(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="session")
def tiny_distilbert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_base_at(tmp_path_factory.mktemp("distilbert"), kind="distilbert")


@pytest.fixture(scope="session")
def trained_encoder(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """An adapter of the packaged model after a few steps."""
    return train_encoder(
        questions(6),
        questions(2, first=6),
        options=quick(learning_rate=1e-3, epochs=1, validations=1),
        folder=tmp_path_factory.mktemp("encoder"),
        progress=False,
    )


@pytest.fixture(scope="session")
def trained_classifier(tmp_path_factory: pytest.TempPathFactory, trained_encoder: Trained) -> Trained:
    """A classifier over the packaged model that started from that encoder."""
    return train_classifier(
        questions(6),
        questions(2, first=6),
        start_from=trained_encoder.folder,
        options=quick(learning_rate=1e-3, epochs=2, validations=1),
        folder=tmp_path_factory.mktemp("classifier"),
        progress=False,
    )
