"""What an export refuses, and what it takes from a checkpoint beside the weights."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.training.exporting.made import checkpoint_at
from workbench.errors import InvalidOption, StaleClassifier
from workbench.relevance.classifier import Classifier, Manifest
from workbench.relevance.encoders.model_files import sha256_of
from workbench.training.exporting import export_classifier
from workbench.training.exporting.folder import check_target
from workbench.training.exporting.sources import source_of


def copy_of(checkpoint: Path, place: Path, file: str, change: Callable[[dict[str, Any]], object]) -> Path:
    """A copy of a checkpoint, of which a JSON file is another one."""
    copied = Path(shutil.copytree(checkpoint, place))
    said = json.loads((copied / file).read_bytes())
    change(said)
    (copied / file).write_text(json.dumps(said), encoding="utf-8")
    return copied


@pytest.mark.parametrize(
    "labels",
    [
        {"id2label": {"0": "relevant", "1": "not relevant"}, "label2id": {"relevant": 0, "not relevant": 1}},
        {"id2label": {"0": "LABEL_0", "1": "LABEL_1"}, "label2id": {"relevant": 0, "not relevant": 1}},
        {"id2label": {"0": "not relevant", "1": "relevant"}, "label2id": {"relevant": 0, "not relevant": 1}},
        {"id2label": {"0": "LABEL_1", "1": "LABEL_0"}, "label2id": {}},
        {"id2label": {"0": "相关", "1": "不相关"}, "label2id": {}},
    ],
)
def test_labels_in_another_order_are_refused(tiny_checkpoint: Path, tmp_path: Path, labels: dict[str, Any]) -> None:
    swapped = copy_of(tiny_checkpoint, tmp_path / "swapped", "config.json", lambda said: said.update(labels))
    with pytest.raises(
        StaleClassifier,
        match=r"^The labels of the checkpoint .* are '.*', then '.*', and its logits are read as 'not relevant', t",
    ):
        export_classifier(swapped, tmp_path / "out", onnx=False, progress=False)
    assert not (tmp_path / "out").exists()


def test_a_base_with_swapped_labels_is_refused_under_an_adapter_alone(
    tiny_base: Path, tmp_path: Path, tiny_checkpoint: Path
) -> None:
    labels = {"id2label": {"0": "relevant", "1": "not relevant"}}
    base = copy_of(tiny_base, tmp_path / "base", "config.json", lambda said: said.update(labels))
    alone = Path(shutil.copytree(tiny_checkpoint / "adapter", tmp_path / "alone"))
    with pytest.raises(StaleClassifier, match=r"^The labels of the base base are 'relevant', then 'not relevant'"):
        export_classifier(alone, tmp_path / "out", base=base, onnx=False, progress=False)


def test_a_folder_with_the_manifest_of_something_else_is_left_alone(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "my app", "files": {}}', encoding="utf-8")
    (tmp_path / "index.html").write_text("years of work", encoding="utf-8")
    with pytest.raises(InvalidOption, match=r"holds something that is no classifier, and would be replaced"):
        check_target(tmp_path)
    check_target(tiny)


def test_windows_that_hold_no_question_are_refused_at_once(tiny_checkpoint: Path, tmp_path: Path) -> None:
    short = copy_of(
        tiny_checkpoint, tmp_path / "short", "training.json", lambda said: said["options"].update(max_tokens=24)
    )
    with pytest.raises(
        InvalidOption,
        match=r"^The classifier was trained with max_tokens=24, and half of such a window does not hold a plain "
        r"question; train it again with at least \d\d, better 128\.$",
    ):
        export_classifier(short, tmp_path / "out", onnx=False, progress=False)


def test_no_hub_is_asked_for_a_base_that_a_file_names(
    tiny_checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    asked: list[bool] = []
    ask = huggingface_hub.snapshot_download

    def snapshot_download(name: str, **others: Any) -> Any:
        asked.append(others["local_files_only"])
        return ask(name, **{**others, "local_files_only": True})

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    named = copy_of(
        tiny_checkpoint, tmp_path / "named", "training.json", lambda said: said["base"].update(name="nobody/has-this")
    )
    assert any("The base was not looked at" in note for note in source_of(named).notes)
    assert asked == [True]


def test_the_documents_of_the_training_are_those_that_the_checkpoint_names(
    tiny_checkpoint: Path, tmp_path: Path
) -> None:
    documents = {"train": ["b" * 64, "a" * 64], "validation": ["c" * 64]}
    named = copy_of(tiny_checkpoint, tmp_path / "named", "training.json", lambda said: said.update(documents=documents))
    report = export_classifier(named, tmp_path / "out", onnx=False, progress=False)
    manifest = Manifest.load(tmp_path / "out")
    assert manifest.knows_documents
    assert manifest.seen_documents == {"a" * 64, "b" * 64, "c" * 64}
    assert not any("does not say on which documents" in note for note in report.notes)


def test_where_it_does_not_say_that_is_noted_and_a_person_can_say(tiny_checkpoint: Path, tiny: Path) -> None:
    source = source_of(tiny_checkpoint)
    assert "documents" not in source.training
    assert any("does not say on which documents it was trained" in note for note in source.notes)
    assert not Manifest.load(tiny).knows_documents
    assert "does not say on which documents it was trained" in (tiny / "README.md").read_text("utf-8")
    said = source_of(tiny_checkpoint, trained_on=["f" * 64])
    assert said.training["documents"]["train"] == ["f" * 64]
    assert not any("does not say on which documents" in note for note in said.notes)


def test_the_encoder_that_it_was_started_from_comes_with_it(
    tiny_checkpoint: Path, tiny_base: Path, tmp_path: Path
) -> None:
    encoder = tmp_path / "encoder" / "step-000020"
    shutil.copytree(tiny_base, encoder)
    shutil.copytree(tiny_checkpoint / "adapter", encoder / "adapter")
    (tmp_path / "encoder" / "run.json").write_text('{"best": "step-000020"}', encoding="utf-8")
    started = sha256_of(encoder / "adapter" / "adapter_model.safetensors")
    (tmp_path / "classifier").mkdir()
    checkpoint = copy_of(
        tiny_checkpoint,
        tmp_path / "classifier" / "step-000010",
        "training.json",
        lambda said: said["more"].update(start_from=started),
    )
    export_classifier(checkpoint, tmp_path / "out", onnx=False, progress=False)
    assert Classifier.open(tmp_path / "out", backend="torch-fp32").encoder == tmp_path / "out" / "encoder"
    shutil.rmtree(tmp_path / "encoder")
    source = source_of(checkpoint)
    assert source.encoder is None
    assert any("was started from an encoder that was trained, and that one is not beside it" in n for n in source.notes)


def test_a_checkpoint_of_an_adapter_alone_says_its_documents_as_well(tiny_base: Path, tmp_path: Path) -> None:
    alone = checkpoint_at(tmp_path / "alone", base=tiny_base, merged=False)
    assert any("does not say on which documents" in note for note in source_of(alone).notes)
