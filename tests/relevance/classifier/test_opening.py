"""A classifier is opened only as it was exported, and every other one is refused by name."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.errors import InvalidOption, MissingModel, StaleClassifier
from workbench.relevance.classifier import Classifier, Manifest
from workbench.relevance.second_stage import TAKEN_NAMES

Edit = Callable[[Path, Callable[[dict[str, Any]], object]], None]
Sign = Callable[[Path], None]


def change_weights(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    from safetensors.numpy import load_file, save_file

    weights = load_file(file)
    change(weights)
    save_file(weights, file, metadata={"format": "pt"})


def test_it_has_what_a_scorer_asks_of_a_second_stage(classifier: Classifier) -> None:
    assert classifier.name == "classifier" and classifier.name not in TAKEN_NAMES
    assert classifier.reads_context and classifier.candidates == 50
    assert classifier.pair_text.headings == 2
    assert classifier.languages == {"en"}
    assert (classifier.combination, classifier.encoder, classifier.opened_encoder()) == (None, None, None)


def test_equal_texts_get_equal_logits_in_any_company(classifier: Classifier) -> None:
    texts = ["Backups\nA backup runs daily.", "备份每天运行。", "", "long " * 400, "Backups\nA backup runs daily."]
    together, share = classifier.score("When does a backup run?", texts)
    assert together.dtype == np.float32
    assert together[0] == together[4]
    alone = np.concatenate([classifier.score("When does a backup run?", [text])[0] for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    assert share.tolist() == [1.0] * 5


def test_a_long_block_counts_as_its_best_window(classifier: Classifier) -> None:
    filler, end = "filler " * 300, "a backup is started by hand"
    question = "What starts a backup?"
    logits, _ = classifier.score(question, [filler + end, filler])
    assert logits[0] >= logits[1] - 1e-4
    shorter, share = classifier.score(question, ["word " * 5_000])
    assert np.isfinite(shorter).all()
    assert 0.1 < share[0] < 0.6


def test_a_question_longer_than_a_window_leaves_half_of_it_to_the_block(classifier: Classifier) -> None:
    logits, share = classifier.score("what is it " * 300, ["a", "b " * 200])
    assert np.isfinite(logits).all() and share.tolist() == [1.0, 1.0]


def test_no_texts_give_no_logits(classifier: Classifier) -> None:
    logits, share = classifier.score("What?", [])
    assert (logits.shape, share.shape) == ((0,), (0,))


def test_lone_surrogates_are_read_as_the_replacement_character(classifier: Classifier) -> None:
    one, other = (classifier.score(f"what {sign}", [f"{sign} fire"])[0] for sign in ("\ud800", "\ufffd"))
    assert one.tolist() == other.tolist()


def test_it_arrives_in_another_process_as_it_left(classifier: Classifier) -> None:
    again = pickle.loads(pickle.dumps(classifier))
    assert again.fingerprint == classifier.fingerprint
    assert again.score("What?", ["a b"])[0].tolist() == classifier.score("What?", ["a b"])[0].tolist()


def test_the_fingerprint_says_nothing_of_the_place(classifier: Classifier, copied: Path) -> None:
    assert Classifier.open(copied, backend="torch-fp32").fingerprint == classifier.fingerprint


def test_a_folder_without_a_classifier_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingModel, match=r"There is no classifier at .*: it has no manifest.json; give the folder"):
        Classifier.open(tmp_path)


def test_one_changed_weight_is_refused(copied: Path) -> None:
    def nudge(weights: dict[str, Any]) -> None:
        weights["bert.encoder.layer.0.output.dense.weight"][3, 5] += 1e-3

    change_weights(copied / "model.safetensors", nudge)
    with pytest.raises(StaleClassifier, match=r"model.safetensors of the classifier in .* a weight was changed"):
        Classifier.open(copied)


def test_a_missing_head_is_refused(copied: Path, signed: Sign) -> None:
    def behead(weights: dict[str, Any]) -> None:
        del weights["classifier.weight"], weights["classifier.bias"]

    change_weights(copied / "model.safetensors", behead)
    signed(copied)
    with pytest.raises(StaleClassifier, match=r"has no head: its weights lack classifier.weight"):
        Classifier.open(copied)


def test_a_missing_pooler_is_refused(copied: Path, signed: Sign) -> None:
    change_weights(copied / "model.safetensors", lambda weights: weights.pop("bert.pooler.dense.weight"))
    signed(copied)
    with pytest.raises(StaleClassifier, match=r"has no head: its weights lack pooler.dense.weight"):
        Classifier.open(copied)


def test_a_swapped_label_order_is_refused(copied: Path, edit: Edit, signed: Sign) -> None:
    edit(copied / "config.json", lambda said: said.update(id2label={"0": "relevant", "1": "not relevant"}))
    signed(copied)
    with pytest.raises(
        StaleClassifier, match=r"are 'relevant', then 'not relevant', and it was exported with 'not rel"
    ):
        Classifier.open(copied)


def test_swapped_rows_of_the_head_are_told_by_the_canaries(copied: Path, signed: Sign) -> None:
    def swap(weights: dict[str, Any]) -> None:
        for name in ("classifier.weight", "classifier.bias"):
            weights[name] = weights[name][::-1].copy()

    change_weights(copied / "model.safetensors", swap)
    signed(copied)
    with pytest.raises(StaleClassifier, match=r"The two logits of the classifier in .* are swapped"):
        Classifier.open(copied)


def test_weights_that_were_loaded_without_effect_are_told_by_the_canaries(
    copied: Path, base: Path, signed: Sign
) -> None:
    from safetensors.numpy import load_file

    plain = load_file(base / "model.safetensors")

    def undo(weights: dict[str, Any]) -> None:
        weights.update({f"bert.{name}": values for name, values in plain.items()})

    change_weights(copied / "model.safetensors", undo)
    signed(copied)
    with pytest.raises(
        StaleClassifier, match=r"does not compute what it was exported with: the canary '.*' has the lo"
    ):
        Classifier.open(copied)


@pytest.mark.parametrize("name", ["tokenizer.json", "config.json", "model.safetensors"])
def test_a_lost_file_is_named(copied: Path, name: str) -> None:
    (copied / name).unlink()
    with pytest.raises((StaleClassifier, MissingModel), match=rf"{Path(name).stem}|safetensors"):
        Classifier.open(copied)


def test_lost_canaries_and_too_few_are_refused(copied: Path) -> None:
    (copied / "canaries.json").write_text("[]", encoding="utf-8")
    with pytest.raises(StaleClassifier, match=r"holds 0 canaries; at least 5 are needed: export again"):
        Classifier.open(copied)
    (copied / "canaries.json").unlink()
    with pytest.raises(StaleClassifier, match=r"lacks canaries.json, so nothing tells whether"):
        Classifier.open(copied)


@pytest.mark.parametrize(
    ("version", "remedy"), [(2, "install a newer workbench"), (0, "export it again"), ("one", "export it again")]
)
def test_another_schema_is_refused(copied: Path, edit: Edit, version: object, remedy: str) -> None:
    edit(copied / "manifest.json", lambda said: said.update(schema_version=version))
    with pytest.raises(StaleClassifier, match=f"has a manifest of version {version!r}, .*; {remedy}"):
        Classifier.open(copied)


def test_a_manifest_that_was_changed_by_hand_is_refused(copied: Path, edit: Edit) -> None:
    edit(copied / "manifest.json", lambda said: said.update(max_tokens=64))
    with pytest.raises(StaleClassifier, match=r"The manifest of the classifier in .* was changed: its fingerprint is"):
        Classifier.open(copied)
    edit(copied / "manifest.json", lambda said: said.pop("pair_text"))
    with pytest.raises(StaleClassifier, match=r"cannot be used \('pair_text' is missing\); export it again"):
        Classifier.open(copied)
    (copied / "manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(StaleClassifier, match=r"manifest.json is no JSON"):
        Classifier.open(copied)


def test_the_base_is_checked_where_it_is_given(folder: Path, base: Path, tmp_path: Path) -> None:
    Classifier.open(folder, backend="torch-fp32", base=base)
    other = Path(shutil.copytree(base, tmp_path / "base"))

    def nudge(weights: dict[str, Any]) -> None:
        weights["encoder.layer.1.output.dense.weight"][0, 0] += 1e-3

    change_weights(other / "model.safetensors", nudge)
    with pytest.raises(StaleClassifier, match=r"The base in .* is not the tiny-bert .*: a weight is another one"):
        Classifier.open(folder, backend="torch-fp32", base=other)


def test_an_adapter_without_its_head_is_refused(copied: Path, base: Path) -> None:
    def behead(weights: dict[str, Any]) -> None:
        for name in [name for name in weights if ".classifier." in name]:
            del weights[name]

    change_weights(copied / "adapter" / "adapter_model.safetensors", behead)
    with pytest.raises(StaleClassifier, match=r"The adapter in .* has no head: of its .* tensors none is a classifier"):
        Classifier.open(copied, backend="torch-fp32", base=base)


def test_an_adapter_without_effect_is_refused(copied: Path, base: Path, signed: Sign) -> None:
    def undo(weights: dict[str, Any]) -> None:
        for name, values in weights.items():
            if "lora_B" in name:
                values[:] = 0

    change_weights(copied / "adapter" / "adapter_model.safetensors", undo)
    signed(copied)
    with pytest.raises(StaleClassifier, match=r"does not compute what it was exported with"):
        Classifier.open(copied, backend="torch-fp32", base=base)


def test_a_backend_that_is_unknown_or_not_in_the_folder_is_refused(folder: Path) -> None:
    with pytest.raises(
        InvalidOption, match=r"backend is 'abacus'; it is one of: auto, torch-fp32, torch-bf16, openvin"
    ):
        Classifier.open(folder, backend="abacus")
    with pytest.raises(InvalidOption, match=r"was exported without onnx/model.int8.onnx; 'auto' takes what there is"):
        Classifier.open(folder, backend="onnx-int8")


def test_a_manifest_comes_back_as_it_was_written(folder: Path) -> None:
    found = Manifest.load(folder)
    assert Manifest.of(found.as_dict()).to_json() == found.to_json() == (folder / "manifest.json").read_text("utf-8")
    assert pickle.loads(pickle.dumps(found)).fingerprint == found.fingerprint


def test_it_says_what_it_is_and_escapes_it(classifier: Classifier) -> None:
    assert "windows of 128 word pieces" in str(classifier)
    assert repr(classifier).startswith("Classifier('classifier', over tiny-bert, ")
    assert classifier._repr_html_().startswith("<table>")
