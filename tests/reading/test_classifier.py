"""A reader with a trained classifier, and a profile that names one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.gate.made_profiles import profile
from tests.relevance.encoders.conftest import flip_last_byte
from tests.training.exporting.made import checkpoint_at, tiny_base_at
from tests.training.made_contracts import learnt
from workbench.documents import Document, open_document
from workbench.errors import InvalidOption, MissingModel, StaleClassifier, StaleProfile
from workbench.reading import SparseReader
from workbench.reading.describing import description_of
from workbench.relevance.calibrated import Calibration, CalibrationMap, Method
from workbench.relevance.classifier import Classifier
from workbench.relevance.combination import Combination
from workbench.relevance.encoders import default_encoder
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.scores import Scale
from workbench.training.exporting import add_calibration, export_classifier

QUESTION = "What happens to a volume that is nearly full?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small classifier with a combination; its encoder is the packaged one."""
    place = tmp_path_factory.mktemp("made")
    base = tiny_base_at(place / "tiny-bert")
    checkpoint = checkpoint_at(place / "step-000010", base=base)
    fitted = Combination(weights={"lexical": 0.5, "second_stage": 0.25})
    export_classifier(
        checkpoint, place / "classifier", combination=fitted, languages=["en"], onnx=False, progress=False
    )
    return place / "classifier"


@pytest.fixture(scope="module")
def classifier(folder: Path) -> Classifier:
    return Classifier.open(folder, backend="torch-fp32")


@pytest.fixture(scope="module")
def manual(sample_dir: Path) -> Document:
    return open_document(sample_dir / "harbor-manual.md")


def saved(classifier: Classifier, place: Path) -> Path:
    """A profile of a reader with the classifier."""
    reader = SparseReader(classifier=classifier)
    found = description_of(reader)
    return profile(models=found["models"], rules=found["rules"], block=found["block"]).save(place)


def test_its_part_is_in_the_logit_and_in_the_explanation(classifier: Classifier, manual: Document) -> None:
    reading = SparseReader(classifier=classifier).read(manual, QUESTION, progress=False)
    parts = reading.scores.parts
    assert "classifier" in parts
    assert reading.scores.logits == pytest.approx(sum(parts.values()), abs=1e-5)
    assert "classifier" in str(reading.explain(int(reading.scores.logits.argmax())))


def test_its_folder_is_as_good_as_itself(folder: Path, classifier: Classifier) -> None:
    reader = SparseReader(classifier=folder)
    assert reader.scorer.fingerprint == SparseReader(classifier=classifier).scorer.fingerprint
    assert isinstance(reader.scorer, HybridScorer)
    assert reader.scorer.combination == classifier.combination


def test_it_has_no_other_scorer_beside_it(folder: Path) -> None:
    with pytest.raises(InvalidOption, match=r"A classifier comes with a scorer of its own; leave scorer out"):
        SparseReader(classifier=folder, scorer=None)
    with pytest.raises(InvalidOption, match=r"classifier is of type int; give the folder that export_classifier wrote"):
        SparseReader(classifier=3)  # type: ignore[arg-type]
    with pytest.raises(MissingModel, match=r"There is no classifier at nowhere: it has no manifest\.json"):
        SparseReader(classifier="nowhere")


def test_its_calibration_makes_probabilities(folder: Path, manual: Document, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "classifier"))
    fingerprint = Classifier.open(copy, backend="torch-fp32").scorer().fingerprint
    add_calibration(
        copy, Calibration(fingerprint, {"*": CalibrationMap(Method.TEMPERATURE, (), (1.0, -2.0), 99, 9)}, "x")
    )
    opened = Classifier.open(copy, backend="torch-fp32")
    reading = SparseReader(classifier=opened).read(manual, QUESTION, progress=False)
    assert reading.scores.scale is Scale.CALIBRATED


def test_a_chinese_document_is_not_judged_by_a_classifier_that_reads_english(
    classifier: Classifier, sample_dir: Path
) -> None:
    document = open_document(sample_dir / "差旅制度.txt")
    reading = SparseReader(classifier=classifier).read(document, "出差住宿的标准是多少？", progress=False)
    assert "classifier" not in reading.scores.parts
    assert any("classifier does not read the language" in note for note in reading.notes)


def test_a_profile_finds_its_classifier_beside_it(classifier: Classifier, folder: Path, tmp_path: Path) -> None:
    gate = saved(classifier, tmp_path / "gate.json")
    shutil.copytree(folder, tmp_path / "models" / "of-this-year")
    reader = SparseReader.from_profile(gate)
    assert isinstance(reader.scorer, HybridScorer)
    stage = reader.scorer.second_stage
    assert isinstance(stage, Classifier) and stage.path == tmp_path / "models" / "of-this-year"
    assert str(folder) not in gate.read_text(encoding="utf-8")


def test_a_moved_classifier_is_asked_for_and_can_be_given(
    classifier: Classifier, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gate = saved(classifier, tmp_path / "gate.json")
    with pytest.raises(
        MissingModel,
        match=rf"The profile needs the classifier classifier \({classifier.fingerprint[:12]}\), and it is n",
    ):
        SparseReader.from_profile(gate)
    reader = SparseReader.from_profile(gate, classifier=folder)
    assert reader.scorer.fingerprint == SparseReader(classifier=classifier).scorer.fingerprint
    with pytest.raises(InvalidOption, match=r"give classifier or scorer, not both"):
        SparseReader.from_profile(gate, classifier=folder, scorer=HybridScorer(encoder=None))


def test_another_classifier_or_a_changed_one_is_refused(
    classifier: Classifier, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gate = saved(classifier, tmp_path / "gate.json")
    base = tiny_base_at(tmp_path / "other-base")
    checkpoint = checkpoint_at(tmp_path / "step", base=base)
    other = tmp_path / "classifier"
    export_classifier(checkpoint, other, languages=["en"], name="classifier", onnx=False, progress=False, candidates=9)
    with pytest.raises(StaleProfile, match=r"does not fit this reader: the scores are made otherwise"):
        SparseReader.from_profile(gate, classifier=other)
    shutil.rmtree(other)
    shutil.copytree(folder, other)
    flip_last_byte(other / "model.safetensors")
    with pytest.raises(StaleClassifier, match=r"model\.safetensors of the classifier in .* a weight was changed"):
        SparseReader.from_profile(gate)


def test_of_two_copies_the_one_with_the_combination_of_the_profile_is_found(
    classifier: Classifier, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gate = saved(classifier, tmp_path / "gate.json")
    twin = tmp_path / "a_training" / "opened"
    export_classifier(folder.parent / "step-000010", twin, languages=["en"], onnx=False, progress=False)
    with pytest.raises(StaleProfile, match=r"does not fit this reader: the scores are made otherwise"):
        SparseReader.from_profile(gate)
    shutil.copytree(folder, tmp_path / "z_final")
    for _ in range(2):
        reader = SparseReader.from_profile(gate)
        assert isinstance(reader.scorer, HybridScorer) and isinstance(reader.scorer.second_stage, Classifier)
        assert reader.scorer.second_stage.path == tmp_path / "z_final"
        # Nor does a copy that was spoiled stand in the way.
        flip_last_byte(twin / "model.safetensors")


@pytest.mark.parametrize("weights", [{"recurring": 0.5, "second_stage": 1.0}, {"lexical": 0.5}])
def test_a_profile_has_what_was_learnt_of_recurring_questions(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weights: dict[str, float]
) -> None:
    monkeypatch.chdir(tmp_path)
    export_classifier(
        folder.parent / "step-000010",
        tmp_path / "classifier",
        recurring=learnt(),
        combination=Combination(weights=weights),
        languages=["en"],
        onnx=False,
        progress=False,
    )
    opened = Classifier.open(tmp_path / "classifier", backend="torch-fp32")
    gate = saved(opened, tmp_path / "gate.json")
    for others in ({}, {"classifier": opened}):
        scorer = SparseReader.from_profile(gate, **others).scorer
        assert isinstance(scorer, HybridScorer) and scorer.recurring is not None
        assert scorer.fingerprint == opened.scorer().fingerprint


def test_a_profile_of_a_scorer_made_by_hand_with_the_classifier_is_opened_as_well(
    classifier: Classifier, folder: Path, tmp_path: Path
) -> None:
    plain = HybridScorer(default_encoder(), second_stage=classifier)
    found = description_of(SparseReader(scorer=plain))
    gate = profile(models=found["models"], rules=found["rules"], block=found["block"]).save(tmp_path / "gate.json")
    shutil.copytree(folder, tmp_path / "classifier")
    assert SparseReader.from_profile(gate).scorer.fingerprint == plain.fingerprint
