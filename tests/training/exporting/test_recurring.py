"""What was learnt of recurring questions travels in the folder of a classifier."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.training.made_contracts import ASKED, contract, learnt
from workbench.errors import InvalidOption, StaleClassifier
from workbench.relevance.classifier import Classifier
from workbench.relevance.combination import Combination
from workbench.relevance.encoders import default_encoder
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.recurring import FILE, RECURRING, RecurringQuestions
from workbench.training.exporting import export_classifier

WEIGHED = Combination(weights={RECURRING: 0.5, "second_stage": 1.0})


@pytest.fixture(scope="module")
def folder(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("exported") / "recurring"
    export_classifier(
        tiny_checkpoint,
        place,
        recurring=learnt(),
        combination=WEIGHED,
        languages=["en"],
        onnx=False,
        progress=False,
    )
    return place


def test_an_opened_classifier_scores_with_it(folder: Path) -> None:
    opened = Classifier.open(folder, backend="torch-fp32")
    assert opened.recurring is not None
    assert opened.recurring.fingerprint == learnt().fingerprint
    document = contract("Riga")[0].document
    found = opened.scorer().score(document, ASKED[0])
    wanted = HybridScorer(default_encoder(), second_stage=opened, combination=WEIGHED, recurring=learnt()).score(
        document, ASKED[0]
    )
    assert np.array_equal(found.logits, wanted.logits)
    assert found.scorer == wanted.scorer
    assert found.parts[RECURRING].any()


def test_the_fingerprint_and_the_facts_tell_of_it(folder: Path, tiny: Path) -> None:
    with_it, without = (Classifier.open(place, backend="torch-fp32") for place in (folder, tiny))
    assert with_it.fingerprint != without.fingerprint
    assert without.recurring is None
    assert ("recurring", "18 questions learnt") in with_it.facts()
    assert ("recurring", "none") in without.facts()
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "`recurring.safetensors`: what was learnt of 18 questions on 6 documents" in card
    assert FILE not in (tiny / "README.md").read_text(encoding="utf-8")


def test_a_file_that_was_changed_lost_or_exchanged_is_refused(folder: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "classifier"))
    data = bytearray((place / FILE).read_bytes())
    data[-1] ^= 1
    (place / FILE).write_bytes(bytes(data))
    with pytest.raises(StaleClassifier, match=rf"^{FILE} of the classifier in .* a weight was changed"):
        Classifier.open(place, backend="torch-fp32")
    (place / FILE).unlink()
    with pytest.raises(StaleClassifier, match=rf"lacks {FILE}; copy the whole folder again\.$"):
        Classifier.open(place, backend="torch-fp32")


def test_what_does_not_fit_is_not_exported(tiny_checkpoint: Path, tmp_path: Path) -> None:
    voice = learnt()
    other = RecurringQuestions(
        networks=voice.networks,
        asked=voice.asked,
        asked_of=voice.asked_of,
        documents=voice.documents,
        encoder="0" * 64,
    )
    with pytest.raises(StaleClassifier, match=r"^What was learnt of recurring questions needs the vectors"):
        export_classifier(tiny_checkpoint, tmp_path / "one", recurring=other, onnx=False, progress=False)
    with pytest.raises(InvalidOption, match=r"^The combination was fitted with recurring questions"):
        export_classifier(tiny_checkpoint, tmp_path / "two", combination=WEIGHED, onnx=False, progress=False)
    assert not list(tmp_path.iterdir())
