"""A checkpoint is a whole model: stock transformers and stock peft load it, and say the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.training.learning.making import questions, quick
from workbench.errors import DamagedModel, TrainingRefused
from workbench.relevance import CrossEncoder, TransformerEncoder
from workbench.relevance.pair_text import pair_texts
from workbench.training.learning import Trained, load_trained, train_classifier
from workbench.training.learning.bases import find_base
from workbench.training.learning.models import classifier_of, encoder_of, merged_weights

QUESTION = "What speed may the motor have?"
TEXT = "In operation the speed of the motor is at most 1,450 turns a minute."

STOCK = """
import sys, torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer
from peft import PeftModel
folder, base, question, text = sys.argv[1:]
tokenizer = AutoTokenizer.from_pretrained(folder)
row = tokenizer(question, text, return_tensors="pt")
merged = AutoModelForSequenceClassification.from_pretrained(folder).eval()
plain = AutoModelForSequenceClassification.from_pretrained(base, num_labels=2).eval()
adapted = PeftModel.from_pretrained(plain, folder + "/adapter").eval()
with torch.no_grad():
    print(merged.config.id2label, *merged(**row).logits[0].tolist(), *adapted(**row).logits[0].tolist(), sep="|")
assert "workbench" not in sys.modules
"""


def test_every_checkpoint_of_a_classifier_is_loaded_by_stock_libraries(trained_classifier: Trained) -> None:
    folder, base = trained_classifier.folder, trained_classifier.base.folder
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", STOCK, str(folder), str(base), QUESTION, TEXT],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()[-1]
    labels, *numbers = said.split("|")
    assert labels == "{0: 'not relevant', 1: 'relevant'}"
    merged, adapted = np.array(numbers, float).reshape(2, 2)
    assert np.abs(merged - adapted).max() < 1e-5
    ours, share = CrossEncoder.open(folder).score(QUESTION, [TEXT])
    assert ours[0] == pytest.approx(merged[1] - merged[0], abs=1e-5)
    assert share.tolist() == [1.0]


def test_the_head_is_in_the_adapter_and_in_the_list_of_what_is_trained(trained_classifier: Trained) -> None:
    from safetensors.torch import load_file

    names = load_file(trained_classifier.adapter / "adapter_model.safetensors").keys()
    assert "base_model.model.classifier.weight" in names and "base_model.model.classifier.bias" in names
    said = json.loads((trained_classifier.adapter / "adapter_config.json").read_text())
    assert {"bert.pooler", "classifier"} <= set(said["modules_to_save"])
    assert not any("classifier" in name or "pooler" in name for name in said["target_modules"])
    assert trained_classifier.parts.head == (
        "bert.pooler.dense.weight",
        "bert.pooler.dense.bias",
        "classifier.weight",
        "classifier.bias",
    )


def test_a_checkpoint_says_what_it_was_made_with(trained_classifier: Trained) -> None:
    said = json.loads((trained_classifier.folder / "training.json").read_text())
    assert said["kind"] == "classifier"
    assert said["base"] == {
        "licence": "apache-2.0",
        "name": "all-MiniLM-L6-v2",
        "sha256": trained_classifier.base.sha256,
    }
    assert said["options"]["rank"] == 4
    assert said["more"]["texts"]["headings"] == 3
    assert said["data"] == trained_classifier.data and len(said["data"]) == 64


def test_a_few_steps_on_written_documents_are_learned_from(
    trained_classifier: Trained, trained_encoder: Trained
) -> None:
    first, last = trained_classifier.history[0], trained_classifier.history[-1]
    assert last.validation_loss < first.validation_loss
    assert trained_classifier.best.average_precision > first.average_precision
    assert trained_encoder.best.validation_loss < trained_encoder.history[0].validation_loss


def test_an_encoder_is_opened_as_one_and_ranks_better(trained_encoder: Trained) -> None:
    opened = TransformerEncoder.open(trained_encoder.folder, backend="torch-fp32")
    plain = TransformerEncoder.open(trained_encoder.base.folder, backend="torch-fp32")
    assert (opened.pooling, opened.max_tokens, opened.prefixes) == (plain.pooling, plain.max_tokens, plain.prefixes)
    assert opened.fingerprint != plain.fingerprint
    question = questions(1)[0]
    texts = list(question.document.texts)
    leads = []
    for encoder in (plain, opened):
        vectors = encoder.encode(texts, kind="passage")
        cosines = vectors @ encoder.encode([question.question], kind="question")[0]
        leads.append(cosines[3] - np.delete(cosines, 3).max())
    assert leads[1] > leads[0]


def test_a_classifier_begins_as_the_encoder_that_it_starts_from(trained_encoder: Trained) -> None:
    base = trained_encoder.base
    for rank in (4, 6):
        options = quick(rank=rank, alpha=8.0)
        model = classifier_of(base, options, trained_encoder.folder)
        merged = merged_weights(model)
        theirs = merged_weights_of(trained_encoder.folder)
        for name, weight in theirs.items():
            if "pooler" not in name:
                assert float((merged[f"bert.{name}"] - weight).abs().max()) < 1e-6, name


def merged_weights_of(folder: Path) -> dict[str, object]:
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


def test_a_smaller_rank_or_another_base_cannot_start_from_it(trained_encoder: Trained, tiny_base: Path) -> None:
    with pytest.raises(TrainingRefused, match=r"has rank 4 and 72 matrices, that of the classifier rank 2 and 72;"):
        classifier_of(trained_encoder.base, quick(rank=2), trained_encoder.folder)
    with pytest.raises(TrainingRefused, match=r"lies over all-MiniLM-L6-v2, not over base\d; train it over the"):
        classifier_of(find_base(tiny_base), quick(), trained_encoder.folder)


def test_a_distilbert_is_a_base_as_well(tiny_distilbert: Path, tmp_path: Path) -> None:
    every = questions()
    found = train_classifier(
        every[:4],
        every[6:],
        base=tiny_distilbert,
        options=quick(epochs=1, validations=1),
        folder=tmp_path,
        progress=False,
    )
    assert [name.partition(".")[0] for name in found.parts.head] == ["pre_classifier"] * 2 + ["classifier"] * 2
    logits, _ = CrossEncoder.open(found.folder).score(every[0].question, pair_texts(every[0].document, [0, 3]))
    assert np.isfinite(logits).all()


def test_merging_leaves_the_model_as_it_is(tiny_base: Path) -> None:
    model = encoder_of(find_base(tiny_base), quick())
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    merged_weights(model)
    assert all(bool((weight == before[name]).all()) for name, weight in model.state_dict().items())


def test_a_folder_without_a_training_is_named(tmp_path: Path) -> None:
    with pytest.raises(DamagedModel, match=r"There is no training in .*: run\.json cannot be read; give the"):
        load_trained(tmp_path)


def test_a_base_that_is_nowhere_is_named(tmp_path: Path) -> None:
    from workbench.errors import MissingModel

    with pytest.raises(MissingModel, match=r"There is no model in .*: it has no config\.json; name the folder"):
        find_base(tmp_path)
    with pytest.raises(MissingModel, match=r"There is no model at .*nowhere: it is no folder\."):
        find_base(tmp_path / "nowhere")


def test_how_a_model_was_computed_in_training_binds_nobody_who_loads_it(
    trained_encoder: Trained, trained_classifier: Trained
) -> None:
    for found in (trained_encoder, trained_classifier):
        for file in (found.folder / "config.json", found.adapter / "adapter_config.json"):
            assert "eager" not in file.read_text(encoding="utf-8")
