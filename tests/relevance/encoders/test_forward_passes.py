"""The forward pass that is written down equals that of transformers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from workbench.errors import DamagedModel, MissingModel
from workbench.relevance.encoders.backends import spearman
from workbench.relevance.encoders.batches import padded, run
from workbench.relevance.encoders.bert import BertForward, is_plain_bert
from workbench.relevance.encoders.model_files import ModelFiles
from workbench.relevance.encoders.self_test_texts import PASSAGES, QUESTIONS
from workbench.relevance.encoders.transformers_model import TransformersForward
from workbench.relevance.encoders.word_pieces import WordPieces

TEXTS = [*PASSAGES[:12], "backup", "什么会触发备份?", "pump " * 700]
Copy = Callable[[Path], Path]


def vectors_of(forward: Any, windows: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.float32]:
    found = run(forward, windows)
    vectors = np.zeros((len(windows), found[0][1].shape[1]), np.float32)
    for batch, part in found:
        vectors[batch] = part
    return vectors


def windows_of(folder: Path, texts: list[str], max_tokens: int) -> list[npt.NDArray[np.int64]]:
    return WordPieces.of(ModelFiles.of(folder), max_tokens=max_tokens).windows(texts).pieces


def forward_of(kind: type, folder: Path, dtype: str = "float32", pooling: str = "mean") -> Any:
    import torch

    return kind(ModelFiles.of(folder), pooling=pooling, dtype=getattr(torch, dtype), device="cpu", budget=1024)


def test_the_written_pass_equals_the_reference_to_five_digits(minilm_dir: Path) -> None:
    windows = windows_of(minilm_dir, TEXTS, 512)
    ours = vectors_of(forward_of(BertForward, minilm_dir), windows)
    theirs = vectors_of(forward_of(TransformersForward, minilm_dir), windows)
    assert np.abs(ours - theirs).max() < 1e-5
    assert np.linalg.norm(ours, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_the_first_piece_is_pooled_alike(tiny_bert: Path) -> None:
    windows = windows_of(tiny_bert, TEXTS, 64)
    ours = vectors_of(forward_of(BertForward, tiny_bert, pooling="cls"), windows)
    theirs = vectors_of(forward_of(TransformersForward, tiny_bert, pooling="cls"), windows)
    assert np.abs(ours - theirs).max() < 1e-5
    assert np.abs(ours - vectors_of(forward_of(BertForward, tiny_bert), windows)).max() > 0.01


@pytest.mark.parametrize("kind", [BertForward, TransformersForward])
def test_half_precision_ranks_as_single_does(minilm_dir: Path, kind: type) -> None:
    passages, questions = (windows_of(minilm_dir, list(texts), 256) for texts in (PASSAGES, QUESTIONS))
    single = forward_of(BertForward, minilm_dir)
    asked, reference = vectors_of(single, questions), vectors_of(single, passages)
    half = vectors_of(forward_of(kind, minilm_dir, "bfloat16"), passages)
    assert half.dtype == np.float32
    assert spearman((reference @ asked.T).ravel(), (half @ asked.T).ravel()) > 0.999


def test_a_vector_hardly_depends_on_what_else_is_in_the_batch(minilm_dir: Path) -> None:
    forward = forward_of(BertForward, minilm_dir)
    short, long = windows_of(minilm_dir, ["backup", PASSAGES[-1]], 256)
    together = forward(padded([long, short]), np.array([len(long), len(short)]))
    alone = forward(padded([short]), np.array([len(short)]))
    assert np.abs(together[1] - alone[0]).max() < 1e-6


@pytest.mark.parametrize(
    "change",
    [
        {"model_type": "roberta"},
        {"hidden_act": "relu"},
        {"position_embedding_type": "relative_key"},
        {"is_decoder": True},
    ],
)
def test_a_variation_of_bert_is_left_to_transformers(tiny_bert: Path, copy_of: Copy, change: dict[str, Any]) -> None:
    assert is_plain_bert(ModelFiles.of(tiny_bert))
    folder = copy_of(tiny_bert)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | change))
    assert not is_plain_bert(ModelFiles.of(folder))


def test_weights_of_another_model_are_named(tiny_bert: Path, copy_of: Copy) -> None:
    folder = copy_of(tiny_bert)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}))
    with pytest.raises(DamagedModel, match=r"is no BERT: its weights lack encoder.layer.2.attention.self.query.weight"):
        forward_of(BertForward, folder)
    with pytest.raises(DamagedModel, match=r"The weights in .* lack encoder.layer.2.* and \d+ more; fetch it again"):
        forward_of(TransformersForward, folder)


@pytest.mark.parametrize("kind", [BertForward, TransformersForward])
def test_weights_that_end_early_are_named(tiny_bert: Path, copy_of: Copy, kind: type) -> None:
    folder = copy_of(tiny_bert)
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(DamagedModel, match=r"cannot be (read|loaded) \(.*\); fetch (the model|it) again"):
        forward_of(kind, folder)


def test_a_model_that_transformers_does_not_know_is_named(tiny_bert: Path, copy_of: Copy) -> None:
    folder = copy_of(tiny_bert)
    (folder / "config.json").write_text('{"model_type": "no-such-thing", "hidden_size": 32}')
    with pytest.raises(
        MissingModel, match=r"is none that transformers can load here \(.*\); choose an encoder such as"
    ):
        forward_of(TransformersForward, folder)


def test_loading_prints_nothing(tiny_bert: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from transformers.utils import logging as messages

    before = messages.get_verbosity(), messages.is_progress_bar_enabled()
    forward_of(TransformersForward, tiny_bert)
    assert capfd.readouterr() == ("", "")
    assert (messages.get_verbosity(), messages.is_progress_bar_enabled()) == before
    assert "transformers" in sys.modules
