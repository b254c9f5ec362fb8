"""A manifest says what it said when it was written, or the classifier is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.errors import StaleClassifier
from workbench.relevance.classifier import Classifier, Manifest
from workbench.relevance.classifier.manifest import is_exported
from workbench.relevance.classifier.manifest_checks import seal_of

Edit = Callable[[Path, Callable[[dict[str, Any]], object]], None]


@pytest.mark.parametrize(
    "change",
    [
        {"candidates": 1},
        {"tolerance": 5e-3},
        {"combination": {"weights": {"second_stage": 0.0, "lexical": 0.0}}},
        {"calibration": {"scorer": "x", "fitted_on": "y", "maps": {}}},
        {"training": {"documents": {"train": []}}},
        {"metrics": [{"tokens_95": 0.1}]},
        {"encoder": {"fingerprint": "x"}},
        {"name": "another"},
        {"versions": {"torch": "9"}},
        {"something": "new"},
        {"sha256": None},
    ],
    ids=lambda change: next(iter(change)),
)
def test_any_edit_is_refused(copied: Path, edit: Edit, change: dict[str, Any]) -> None:
    edit(copied / "manifest.json", lambda said: said.update(change))
    with pytest.raises(StaleClassifier, match=r"was changed: it is not as it was written, and its sha256 tells"):
        Manifest.load(copied)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"candidates": -5}, "candidates is -5 and no whole number from 1 on"),
        ({"candidates": True}, "candidates is True and no whole number"),
        ({"max_tokens": "many"}, "max_tokens is 'many' and no whole number"),
        ({"tolerance": 1e9}, r"tolerance is 1e\+09, and canaries are checked to at most 0.01"),
        ({"tolerance": float("nan")}, "tolerance is nan and no number"),
        ({"tolerance": 0}, "tolerance is 0, and canaries"),
        ({"training": [1]}, r"training is \[1\] and no object"),
        ({"training": {"documents": [1]}}, r"the documents of its training are \[1\]"),
        ({"training": {"documents": {"train": "abc"}}}, "documents of train is 'abc' and no list of texts"),
        ({"calibration": "x"}, "calibration is 'x' and no object"),
        ({"encoder": 3}, "encoder is 3 and no object"),
        ({"metrics": {"a": 1}}, "metrics is .* and no list of objects"),
        ({"languages": "en"}, "languages is 'en' and no list of texts"),
        ({"name": 5}, "name is 5 and no text"),
        ({"name": ""}, "name is empty"),
        ({"labels": ["relevant", "not relevant"]}, "its labels are 'relevant', then 'not relevant', and they must be"),
        ({"files": {"../../x": "0"}}, r"it lists '\.\./\.\./x', which leads out of its folder"),
    ],
)
def test_a_value_of_another_kind_is_refused_even_with_its_hash(
    copied: Path, edit: Edit, change: dict[str, Any], reason: str
) -> None:
    def seal(said: dict[str, Any]) -> None:
        said.update(change)
        said["sha256"] = seal_of(said)

    edit(copied / "manifest.json", seal)
    with pytest.raises(StaleClassifier, match=rf"cannot be used \({reason}"):
        Manifest.load(copied)


def test_labels_that_are_swapped_everywhere_are_refused(copied: Path, edit: Edit) -> None:
    edit(copied / "config.json", lambda said: said.update(id2label={"0": "relevant", "1": "not relevant"}))
    edit(copied / "manifest.json", lambda said: said.update(labels=["relevant", "not relevant"]))
    with pytest.raises(StaleClassifier, match=r"its labels are 'relevant', then 'not relevant'"):
        Classifier.open(copied, backend="torch-fp32")


def test_canaries_that_were_changed_are_refused(copied: Path) -> None:
    file = copied / "canaries.json"
    said = json.loads(file.read_bytes())
    said[0]["text"] += " "
    file.write_text(json.dumps(said), encoding="utf-8")
    with pytest.raises(StaleClassifier, match=r"canaries.json of the classifier in .* it was changed"):
        Classifier.open(copied, backend="torch-fp32")


@pytest.mark.parametrize("name", ["amodel.safetensors", "added_tokens.json"])
def test_what_was_not_exported_is_not_read_with_the_rest(copied: Path, name: str) -> None:
    if name.endswith(".safetensors"):
        shutil.copy(copied / "model.safetensors", copied / name)
    else:
        (copied / name).write_text('{"backup": 30521}', encoding="utf-8")
    with pytest.raises(StaleClassifier, match=rf"^{name} in .* is no part of the classifier that was exported"):
        Classifier.open(copied, backend="torch-fp32")
    (copied / name).unlink()
    (copied / "notes.txt").write_text("mine", encoding="utf-8")
    Classifier.open(copied, backend="torch-fp32")


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "my app"}',
        '{"schema_version": 1, "files": {}, "fingerprint": "x"}',
        '{"schema_version": 1, "files": {"model.safetensors": "", "config.json": ""}, "fingerprint": "short"}',
        "[]",
        "{",
    ],
)
def test_a_manifest_of_something_else_makes_no_classifier(folder: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    assert not is_exported(tmp_path)
    assert is_exported(folder)
