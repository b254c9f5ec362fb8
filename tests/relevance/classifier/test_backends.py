"""The backends rank as single precision does, and their logits are no ties."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.training.exporting.made import checkpoint_at, tiny_base_at
from workbench.relevance.classifier import Classifier
from workbench.relevance.classifier.backends import LEAST_AGREEMENT, candidates, load, self_test
from workbench.relevance.classifier.forwards import run_pairs
from workbench.relevance.classifier.opening import relevance_of, tied_share
from workbench.relevance.classifier.pair_pieces import PairPieces
from workbench.relevance.classifier.transformers_pairs import TransformersPairs
from workbench.relevance.encoders.backends import choose_backend, spearman
from workbench.relevance.encoders.model_files import ModelFiles
from workbench.relevance.encoders.self_test_texts import PASSAGES, QUESTIONS
from workbench.training.exporting import export_classifier

TEXTS = [*PASSAGES, "", "设备的备份每天两次。", "word " * 300]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_packed_pass_is_that_of_transformers(folder: Path, dtype: str) -> None:
    import torch

    files = ModelFiles.of(folder)
    windows = PairPieces.of(files, max_tokens=128).windows(QUESTIONS[0], TEXTS)
    wanted = run_pairs(
        TransformersPairs(files, dtype=torch.float32, device="cpu", budget=512), windows.pieces, windows.kinds
    )
    found = run_pairs(load("torch-fp32" if dtype == "float32" else "torch-bf16", files), windows.pieces, windows.kinds)
    assert np.abs(found - wanted).max() < (1e-4 if dtype == "float32" else 0.5)
    assert spearman(found[:, 1] - found[:, 0], wanted[:, 1] - wanted[:, 0]) > LEAST_AGREEMENT


def test_half_precision_leaves_no_ties(folder: Path) -> None:
    import torch

    files = ModelFiles.of(folder)
    windows = PairPieces.of(files, max_tokens=128).windows(QUESTIONS[1], PASSAGES)
    forwards = [
        load("torch-bf16", files),
        TransformersPairs(files, dtype=torch.bfloat16, device="cpu", budget=512),
    ]
    for forward in forwards:
        logits = run_pairs(forward, windows.pieces, windows.kinds)
        assert logits.dtype == np.float32
        assert tied_share(logits[:, 1] - logits[:, 0]) == 0.0


def test_the_sigmoid_tells_good_pairs_apart() -> None:
    values = relevance_of(np.array([17.0, 18.0, 19.0, -800.0], np.float32))
    assert values.dtype == np.float64
    assert values[0] < values[1] < values[2] < 1.0
    assert values[3] == 0.0


def test_a_distilbert_is_computed_by_transformers(tmp_path: Path) -> None:
    base = tiny_base_at(tmp_path / "tiny-distilbert", kind="distilbert")
    export_classifier(checkpoint_at(tmp_path / "step", base=base), tmp_path / "out", onnx=False, progress=False)
    classifier = Classifier.open(tmp_path / "out", backend="torch-bf16", base=base)
    assert isinstance(classifier._forward("torch-bf16"), TransformersPairs)
    exact = Classifier.open(tmp_path / "out", backend="torch-fp32")
    one, other = (each.score(QUESTIONS[2], PASSAGES)[0] for each in (classifier, exact))
    assert spearman(one, other) > LEAST_AGREEMENT
    assert tied_share(one) == 0.0


def test_the_self_test_tries_each_and_chooses_one_that_agrees(folder: Path) -> None:
    files = ModelFiles.of(folder)
    pieces = PairPieces.of(files, max_tokens=128)
    trials = self_test(("torch-fp32", "torch-bf16"), lambda name: load(name, files), pieces)
    assert [trial.backend for trial in trials] == ["torch-fp32", "torch-bf16"]
    assert trials[0].agreement == 1.0
    assert choose_backend(trials, LEAST_AGREEMENT).agreement >= LEAST_AGREEMENT
    assert candidates(folder)[0] == "torch-fp32" and "onnx" not in candidates(folder)


def test_the_choice_is_remembered(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "workbench"):
        first = Classifier.open(folder)
        chosen = first.computation
        said = [record.message for record in caplog.records if record.message.startswith("Pairs are scored with")]
        assert len(said) <= 1
        caplog.clear()
        assert Classifier.open(folder).computation == chosen
        assert not [record for record in caplog.records if record.message.startswith("Pairs are scored")]
    assert np.isfinite(first.score("What?", ["a", "b"])[0]).all()
