"""A second stage is a cross-encoder or a rule of one's own, and long blocks are read to their end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.errors import DamagedModel, InvalidOption, MissingModel
from workbench.relevance import cross_encoder
from workbench.relevance.cross_encoder import CrossEncoder
from workbench.relevance.second_stage import HandWritten

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "what", "triggers", "a", "backup", "fire", "filler", "备", "份"]


def made(folder: Path, labels: int = 1) -> Path:
    """A small classifier with random weights, as transformers saves one."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(7)
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=128,
        num_labels=labels,
        initializer_range=1.0,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("models") / "small")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> CrossEncoder:
    return CrossEncoder.open(folder)


def test_scores_do_not_depend_on_the_company(encoder: CrossEncoder) -> None:
    texts = ["backup fire", "fire " * 90, "a", "备份", "filler backup a fire"]
    together, _ = encoder.score("what triggers a backup", texts)
    alone = np.concatenate([encoder.score("what triggers a backup", [text])[0] for text in texts])
    assert np.abs(together - alone).max() < 1e-4
    assert len(set(np.round(together, 4).tolist())) == len(texts)


def test_a_long_block_scores_as_its_best_window(encoder: CrossEncoder) -> None:
    question = "what triggers a backup"
    long = "filler " * 400 + "fire " * 20
    logits, share = encoder.score(question, [long])
    assert share.tolist() == [1.0]
    assert encoder.score(question, ["filler " * 400])[0] != logits


def test_what_was_not_read_shows_in_the_share(encoder: CrossEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_encoder, "MAX_WINDOWS", 1)
    _, share = encoder.score("what triggers a backup", ["fire", "fire " * 400])
    assert share[0] == 1.0
    assert 0.1 < share[1] < 0.5


@pytest.mark.parametrize("words", [50, 62, 64, 90, 120, 125, 130, 2_000])
@pytest.mark.parametrize("word", ["what ", "备"])
def test_a_long_question_leaves_half_of_each_window_to_the_block(encoder: CrossEncoder, words: int, word: str) -> None:
    logits, share = encoder.score(word * words, ["fire", "filler " * 400 + "fire"])
    assert np.isfinite(logits).all()
    assert share.tolist() == [1.0, 1.0]


def test_a_question_that_fits_is_read_whole(encoder: CrossEncoder) -> None:
    one, other = (encoder.score("what " * 60 + last, ["backup"])[0] for last in ("fire", "a"))
    assert one != other


def test_lone_surrogates_are_read_as_the_replacement_character(encoder: CrossEncoder) -> None:
    logits, share = encoder.score("what \ud800 triggers", ["\udce9 fire", "\ud83d\ude00 a backup"])
    assert share.tolist() == [1.0, 1.0]
    assert logits.tolist() == encoder.score("what \ufffd triggers", ["\ufffd fire", "😀 a backup"])[0].tolist()


def test_no_texts_give_no_scores(encoder: CrossEncoder) -> None:
    logits, share = encoder.score("what", [])
    assert (logits.shape, share.shape) == ((0,), (0,))


def test_the_fingerprint_is_that_of_the_weights(encoder: CrossEncoder, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    other = made(tmp_path / "other")
    assert CrossEncoder.open(other).fingerprint == encoder.fingerprint
    weights = load_file(other / "model.safetensors")
    weights["classifier.bias"] = weights["classifier.bias"] + 1
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    assert CrossEncoder.open(other).fingerprint != encoder.fingerprint


def test_two_classes_are_one_logit(tmp_path: Path) -> None:
    logits, _ = CrossEncoder.open(made(tmp_path / "two", labels=2)).score("what", ["a", "fire"])
    assert logits.shape == (2,)


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingModel, match=r"There is no model at .*nowhere: a folder with config.json"):
        CrossEncoder.open(tmp_path / "nowhere")


def test_a_damaged_or_unfit_model_is_named(tmp_path: Path) -> None:
    broken = made(tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(DamagedModel, match=r"The model at .*broken cannot be loaded"):
        CrossEncoder.open(broken)
    with pytest.raises(DamagedModel, match=r"has 5 classes; a relevance classifier has one logit, or two"):
        CrossEncoder.open(made(tmp_path / "five", labels=5))


def test_a_hand_written_rule_is_known_by_name_and_version() -> None:
    def rule(_: str, text: str) -> float:
        return float("备份" in text)

    stage = HandWritten(rule, name="says backup", version="1")
    logits, share = stage.score("何时备份？", ["每天备份。", "其他。"])
    assert (logits.tolist(), share.tolist()) == ([1.0, 0.0], [1.0, 1.0])
    assert stage.fingerprint != HandWritten(rule, name="says backup", version="2").fingerprint


def test_a_rule_that_returns_no_number_is_refused() -> None:
    stage = HandWritten(lambda *_: float("nan"), name="odd", version="1")
    with pytest.raises(InvalidOption, match="The rule 'odd' returned \\[nan\\]; it must return finite numbers"):
        stage.score("what", ["a"])
