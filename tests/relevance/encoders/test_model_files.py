"""What a model's folder must hold, what it says of itself, and its fingerprint."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.errors import DamagedModel, InvalidOption, MissingModel
from workbench.relevance.encoders.model_files import ModelFiles, find_model, sha256_of
from workbench.relevance.encoders.transformer import DEFAULT_SHA256

from .conftest import flip_last_byte

Copy = Callable[..., Path]


def test_the_embedded_weights_are_the_published_ones(minilm_dir: Path) -> None:
    assert sha256_of(minilm_dir / "model.safetensors") == DEFAULT_SHA256


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingModel, match=r"There is no model in .*: it has no config.json; name the folder of"):
        ModelFiles.of(tmp_path)


def test_weights_that_could_hold_programs_are_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04")
    with pytest.raises(MissingModel, match=r"has no \*.safetensors; other weights can hold programs"):
        ModelFiles.of(tmp_path)


@pytest.mark.parametrize(("text", "said"), [("{", "is not JSON"), ("[1]", "is no JSON object")])
def test_a_damaged_configuration_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "config.json").write_text(text)
    (tmp_path / "model.safetensors").touch()
    with pytest.raises(DamagedModel, match=rf"config.json {said}.*; fetch the model again"):
        ModelFiles.of(tmp_path)


def test_the_model_says_how_it_pools_and_how_much_it_reads(minilm_dir: Path, tiny_bert: Path) -> None:
    published = ModelFiles.of(minilm_dir)
    assert (published.pooling(), published.max_tokens(), published.positions()) == ("mean", 256, 512)
    silent = ModelFiles.of(tiny_bert)
    assert (silent.pooling(), silent.max_tokens()) == ("mean", 64)


def test_positions_begin_behind_the_padding_in_models_like_roberta(tiny_bert: Path, copy_of: Copy) -> None:
    folder = copy_of(tiny_bert)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(
        json.dumps(config | {"model_type": "xlm-roberta", "pad_token_id": 1, "max_position_embeddings": 514})
    )
    assert ModelFiles.of(folder).max_tokens() == 512


def test_a_pooling_that_is_not_computed_is_refused(tiny_bert: Path, copy_of: Copy) -> None:
    folder = copy_of(tiny_bert)
    (folder / "1_Pooling").mkdir()
    said = {"word_embedding_dimension": 32, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(said))
    assert ModelFiles.of(folder).pooling() == "cls"
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_lasttoken": True}))
    with pytest.raises(InvalidOption, match="pools by lasttoken; give pooling as one of: mean, cls"):
        ModelFiles.of(folder).pooling()


def test_a_layer_behind_the_transformer_is_refused(tiny_bert: Path, copy_of: Copy) -> None:
    folder = copy_of(tiny_bert)
    kinds = ["Transformer", "Pooling", "Dense"]
    modules = [{"type": f"sentence_transformers.models.{kind}"} for kind in kinds]
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(InvalidOption, match="has a layer Dense behind the transformer, which is not computed here"):
        ModelFiles.of(folder).pooling()


def test_a_fingerprint_tells_weights_apart_and_not_names(tiny_bert: Path, copy_of: Copy) -> None:
    before = ModelFiles.of(tiny_bert).fingerprint("mean")
    folder = copy_of(tiny_bert, "another-name")
    assert ModelFiles.of(folder).fingerprint("mean") == before
    assert ModelFiles.of(folder).fingerprint("cls") != before
    flip_last_byte(folder / "model.safetensors")
    assert ModelFiles.of(folder).fingerprint("mean") != before


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json", "config.json"])
def test_a_fingerprint_tells_tokenizers_and_configurations_apart(tiny_bert: Path, copy_of: Copy, name: str) -> None:
    folder = copy_of(tiny_bert)
    (folder / name).write_bytes((folder / name).read_bytes() + b"\n")
    assert ModelFiles.of(folder).fingerprint() != ModelFiles.of(tiny_bert).fingerprint()


def test_a_hash_is_taken_again_when_a_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"abc")
    before = sha256_of(file)
    assert sha256_of(file) == before
    (tmp_path / "new").write_bytes(b"abd")
    (tmp_path / "new").replace(file)
    assert sha256_of(file) != before


def test_a_folder_is_found(tiny_bert: Path) -> None:
    assert find_model(str(tiny_bert), offline=True) == tiny_bert
    assert find_model(tiny_bert, offline=False) == tiny_bert


def test_a_path_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingModel, match=r"There is no model at .*nowhere: it is no folder"):
        find_model(tmp_path / "nowhere", offline=True)
    with pytest.raises(MissingModel, match=r"There is no model at \./a/b/c: it is no folder"):
        find_model("./a/b/c", offline=True)


def test_a_hub_is_not_asked_unless_the_user_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: pytest.fail("the network was used"))
    with pytest.raises(MissingModel, match="no model of that name was fetched from the hub before; give the folder"):
        find_model("no-such/model", offline=True)


def test_what_a_hub_does_not_give_ends_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))

    def no_network(*_: object, **__: object) -> None:
        raise OSError("Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", no_network)
    with pytest.raises(MissingModel, match=r"The model no-such/model could not be fetched from the hub \(.*\); give"):
        find_model("no-such/model", offline=False)


def test_a_model_that_was_fetched_before_is_found_without_network(
    tiny_bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    commit = "0123456789abcdef0123456789abcdef01234567"
    place = tmp_path / "models--some--model"
    shutil.copytree(tiny_bert, place / "snapshots" / commit)
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text(commit)
    assert find_model("some/model", offline=True) == place / "snapshots" / commit
