"""A classifier is exported as a folder that stock libraries load, in a new process, with the same scores."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.training.exporting.made import TEXTS, adapted_model, checkpoint_at, minilm
from workbench.errors import CalibrationRefused, InvalidOption, MissingModel, StaleClassifier
from workbench.relevance.calibrated import Calibration, CalibrationMap, Method
from workbench.relevance.classifier import Classifier, Manifest
from workbench.relevance.combination import Combination
from workbench.training.exporting import ExportReport, add_calibration, export_classifier

STOCK = """
import json, sys
import torch
from peft import PeftModel
from transformers import AutoModelForSequenceClassification, AutoTokenizer

folder, base, most = sys.argv[1:]
merged = AutoModelForSequenceClassification.from_pretrained(folder)
adapted = AutoModelForSequenceClassification.from_pretrained(base, num_labels=2)
adapted = PeftModel.from_pretrained(adapted, folder + "/adapter")
tokenizer = AutoTokenizer.from_pretrained(folder)
found = {"merged": [], "adapter": []}
with torch.inference_mode():
    for one in json.load(open(folder + "/canaries.json", encoding="utf-8")):
        pair = tokenizer([one["question"]], [one["text"]], truncation="only_second", max_length=int(most),
                         return_tensors="pt")
        for kind, model in (("merged", merged), ("adapter", adapted)):
            found[kind].append(model.eval()(**pair).logits[0].tolist())
assert not [name for name in sys.modules if name.startswith("workbench")]
print(json.dumps({**found, "labels": merged.config.id2label}))
"""


def test_stock_libraries_give_the_same_scores_in_a_new_process(exported: tuple[Path, ExportReport]) -> None:
    folder, _ = exported
    done = subprocess.run(
        [sys.executable, "-c", STOCK, str(folder), str(minilm()), "128"],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder.parent,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    said = json.loads(done.stdout.splitlines()[-1])
    canaries = json.loads((folder / "canaries.json").read_bytes())
    for kind in ("merged", "adapter"):
        assert np.abs(np.array(said[kind]) - [one["logits"] for one in canaries]).max() < 1e-5
    assert said["labels"] == {"0": "not relevant", "1": "relevant"}
    classifier = Classifier.open(folder, backend="torch-fp32")
    short = [(one, logits) for one, logits in zip(canaries, said["merged"], strict=True) if one["what"] != "long"]
    ours = [classifier.score(one["question"], [one["text"]])[0][0] for one, _ in short]
    assert np.abs(np.array(ours) - [logits[1] - logits[0] for _, logits in short]).max() < 1e-5


def test_the_canaries_are_of_all_kinds(exported: tuple[Path, ExportReport]) -> None:
    folder, report = exported
    canaries = json.loads((folder / "canaries.json").read_bytes())
    assert len(canaries) == report.canaries >= 5
    assert {"Chinese", "long", "empty text", "without context"} <= {one["what"] for one in canaries}


def test_the_folder_holds_what_a_runtime_needs_and_no_path_of_this_machine(
    exported: tuple[Path, ExportReport], checkpoint: Path
) -> None:
    folder, report = exported
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert names == report.files.keys()
    assert {"model.safetensors", "config.json", "tokenizer.json", "adapter/adapter_model.safetensors"} <= names
    assert {"manifest.json", "canaries.json", "README.md"} <= names
    for name in names:
        data = (folder / name).read_bytes()
        for path in (checkpoint.parent, Path(__file__).parents[3], Path(sys.prefix)):
            assert str(path).encode() not in data, name
    assert json.loads((folder / "adapter/adapter_config.json").read_bytes())["base_model_name_or_path"] == (
        "sentence-transformers/all-MiniLM-L6-v2"
    )


def test_the_manifest_says_what_was_trained_and_measured(exported: tuple[Path, ExportReport]) -> None:
    folder, report = exported
    manifest = Manifest.load(folder)
    assert manifest.fingerprint == report.fingerprint
    assert (manifest.base.name, manifest.base.licence, manifest.languages) == (
        "all-MiniLM-L6-v2",
        "apache-2.0",
        ("en",),
    )
    assert manifest.pair_text.as_dict() == TEXTS
    assert (manifest.training["data"], manifest.training["seed"], manifest.max_tokens) == ("d" * 64, 5, 128)
    assert {"torch", "transformers", "peft"} <= manifest.versions.keys()


def test_the_onnx_files_rank_as_they_say(with_onnx: tuple[Path, ExportReport], tiny_base: Path) -> None:
    folder, report = with_onnx
    assert Manifest.load(folder).agreement["onnx/model.onnx"]["spearman"] >= 0.99
    # The exporter notes where the lines of a model's program stand.
    for path in (Path(__file__).parents[3], Path(sys.prefix), tiny_base.parent):
        assert str(path).encode() not in (folder / "onnx/model.onnx").read_bytes()
    whole, reduced = report.agreement
    assert whole.shipped and whole.largest_difference < 1e-4 and whole.tied == 0.0
    assert reduced.shipped == (reduced.spearman >= 0.99) == (folder / "onnx/model.int8.onnx").is_file()
    texts = ["A backup is started by hand.", "Other words.", "", "备份"]
    one, other = (
        Classifier.open(folder, backend=name).score("What starts a backup?", texts)[0]
        for name in ("onnx", "torch-fp32")
    )
    assert np.abs(one - other).max() < 1e-4


def test_a_changed_onnx_file_is_refused_when_it_is_used(with_onnx: tuple[Path, ExportReport], tmp_path: Path) -> None:
    copy = Path(shutil.copytree(with_onnx[0], tmp_path / "classifier"))
    with (copy / "onnx/model.onnx").open("ab") as stream:
        stream.write(b"x")
    Classifier.open(copy, backend="torch-fp32")
    with pytest.raises(StaleClassifier, match=r"onnx/model.onnx of the classifier in .* it was changed"):
        Classifier.open(copy, backend="onnx").score("What?", ["a"])


def test_the_card_is_one_of_the_hub(exported: tuple[Path, ExportReport]) -> None:
    from huggingface_hub import ModelCard

    card = ModelCard.load(exported[0] / "README.md")
    said = card.data.to_dict()
    assert (said["license"], said["language"], said["library_name"]) == ("apache-2.0", ["en"], "transformers")
    assert said["base_model"] == "sentence-transformers/all-MiniLM-L6-v2"
    assert "0 is *not relevant*, 1 is *relevant*" in card.text
    assert "num_labels=2" in card.text


def test_the_report_says_what_was_written(with_onnx: tuple[Path, ExportReport]) -> None:
    _, report = with_onnx
    assert f"The classifier {report.fingerprint[:12]} is in " in str(report)
    assert "onnx/model.onnx: Spearman 1.00000" in str(report)
    assert json.loads(json.dumps(report.to_dict()))["fingerprint"] == report.fingerprint


def test_an_adapter_alone_is_merged_with_its_base(tiny_base: Path, tiny: Path, tmp_path: Path) -> None:
    alone = checkpoint_at(tmp_path / "alone", base=tiny_base, merged=False)
    report = export_classifier(alone, tmp_path / "out", onnx=False, progress=False)
    one, other = (Classifier.open(place, backend="torch-fp32") for place in (tmp_path / "out", tiny))
    texts = ["A backup is started by hand.", "Other words."]
    assert np.abs(one.score("What?", texts)[0] - other.score("What?", texts)[0]).max() < 1e-5
    assert report.files.keys() == {path.relative_to(tiny).as_posix() for path in tiny.rglob("*") if path.is_file()}


def test_any_cross_encoder_of_two_classes_can_be_exported(tiny_checkpoint: Path, tmp_path: Path) -> None:
    plain = Path(shutil.copytree(tiny_checkpoint, tmp_path / "plain"))
    shutil.rmtree(plain / "adapter")
    (plain / "training.json").unlink()
    export_classifier(plain, tmp_path / "out", onnx=False, languages=["zh", "en"], candidates=20, progress=False)
    opened = Classifier.open(tmp_path / "out", backend="torch-fp32")
    assert (opened.languages, opened.candidates, opened.manifest.base.name) == ({"en", "zh"}, 20, "plain")
    assert not (tmp_path / "out/adapter").exists()


def test_an_encoder_is_exported_beside_it_and_opened(tiny_checkpoint: Path, tiny_base: Path, tmp_path: Path) -> None:
    class Made:
        classifier = tiny_checkpoint
        encoder = tiny_base
        combination = Combination(weights={"lexical": 0.5})

    export_classifier(Made(), tmp_path / "out", onnx=False, languages=["en"], progress=False)
    opened = Classifier.open(tmp_path / "out", backend="torch-fp32")
    encoder = opened.opened_encoder()
    assert encoder is not None and encoder.languages == {"en"}
    assert encoder.fingerprint == opened.manifest.encoder["fingerprint"]
    assert opened.combination == Made.combination
    scorer = opened.scorer()
    assert (scorer.encoder, scorer.second_stage, scorer.combination) == (encoder, opened, Made.combination) or (
        scorer.encoder is not None and scorer.encoder.fingerprint == encoder.fingerprint
    )
    with (tmp_path / "out/encoder/model.safetensors").open("ab") as stream:
        stream.write(b"x")
    with pytest.raises(
        StaleClassifier, match=r"encoder/model.safetensors of the classifier in .* a weight was changed"
    ):
        opened.opened_encoder()


def test_a_head_that_was_not_saved_is_refused(tiny_base: Path, tmp_path: Path) -> None:
    folder = tmp_path / "headless"
    folder.mkdir()
    adapted_model(tiny_base, saves_head=False).save_pretrained(folder)
    with pytest.raises(StaleClassifier, match=r"has no head: of its .* tensors none is a classifier"):
        export_classifier(folder, tmp_path / "out", base=tiny_base, onnx=False, progress=False)
    assert not (tmp_path / "out").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["headless"]


def test_another_base_is_refused(tiny_checkpoint: Path, tiny_base: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    other = Path(shutil.copytree(tiny_base, tmp_path / "base"))
    weights = load_file(other / "model.safetensors")
    weights["embeddings.word_embeddings.weight"][7, 7] += 1e-3
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(
        StaleClassifier, match=r"is not the one that the checkpoint .* was trained from: a weight is ano"
    ):
        export_classifier(tiny_checkpoint, tmp_path / "out", base=other, onnx=False, progress=False)


def test_an_adapter_that_is_not_the_merged_model_is_refused(tiny_checkpoint: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    broken = Path(shutil.copytree(tiny_checkpoint, tmp_path / "broken"))
    file = broken / "adapter/adapter_model.safetensors"
    weights = {name: 0 * values if "lora_B" in name else values for name, values in load_file(file).items()}
    save_file(weights, file, metadata={"format": "pt"})
    with pytest.raises(
        StaleClassifier, match=r"The adapter over tiny-bert is not the merged model: their logits differ"
    ):
        export_classifier(broken, tmp_path / "out", onnx=False, progress=False)


def test_a_classifier_that_tells_nothing_apart_is_refused(tiny_checkpoint: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    dull = Path(shutil.copytree(tiny_checkpoint, tmp_path / "dull"))
    shutil.rmtree(dull / "adapter")
    weights = load_file(dull / "model.safetensors")
    weights["classifier.weight"][:] = 0
    save_file(weights, dull / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(StaleClassifier, match=r"gives all canaries the same logits, so it tells nothing apart"):
        export_classifier(dull, tmp_path / "out", onnx=False, progress=False)


def test_only_a_classifier_is_replaced(tiny: Path, tiny_checkpoint: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(InvalidOption, match=r"holds something that is no classifier, and would be replaced"):
        export_classifier(tiny_checkpoint, mine, onnx=False)
    with pytest.raises(InvalidOption, match=r"is a file; a classifier is a folder"):
        export_classifier(tiny_checkpoint, mine / "thesis.txt", onnx=False)
    place = Path(shutil.copytree(tiny, tmp_path / "classifier"))
    (place / "left over").write_text("", encoding="utf-8")
    export_classifier(tiny_checkpoint, place, onnx=False, progress=False)
    assert not (place / "left over").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["classifier", "mine"]


def test_what_is_no_classifier_is_named(tmp_path: Path, tiny_base: Path) -> None:
    with pytest.raises(MissingModel, match=r"There is no trained classifier in .*: it has neither config.json nor ad"):
        export_classifier(tmp_path, tmp_path / "out", onnx=False)
    with pytest.raises(InvalidOption, match=r"What is to be exported is int; give what fine_tune or train_classifier"):
        export_classifier(3, tmp_path / "out", onnx=False)
    with pytest.raises(StaleClassifier, match=r"has no head: its weights lack classifier.weight"):
        export_classifier(tiny_base, tmp_path / "out", onnx=False)
    encoder = checkpoint_at(tmp_path / "encoder", base=tiny_base, kind="encoder")
    with pytest.raises(
        InvalidOption, match=r"lies an encoder, not a classifier; give the checkpoint of the classifier"
    ):
        export_classifier(encoder, tmp_path / "out", onnx=False)


def test_a_name_of_another_part_is_refused(tiny_checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"The second stage is called 'lexical', as a part of the logit is"):
        export_classifier(tiny_checkpoint, tmp_path / "out", name="lexical", onnx=False, progress=False)


def test_a_calibration_must_be_that_of_the_scorer(copied: Path) -> None:
    scorer = Classifier.open(copied, backend="torch-fp32").scorer()
    straight = CalibrationMap(Method.TEMPERATURE, (), (1.0, 0.0), 100, 10)
    fitted = Calibration(scorer.fingerprint, {"*": straight}, "made")
    assert add_calibration(copied, fitted).fingerprint == Manifest.load(copied).fingerprint
    again = Classifier.open(copied, backend="torch-fp32").calibration()
    assert again is not None and again.scorer == scorer.fingerprint
    with pytest.raises(
        CalibrationRefused, match=r"The calibration was fitted on the scores of eeeeeeeeeeee, and the exp"
    ):
        add_calibration(copied, Calibration("e" * 64, {"*": straight}, "made"))
