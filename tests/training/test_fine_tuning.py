"""Questions in, a classifier out that was judged on documents it has not seen."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.training.learning.making import questions, quick
from tests.training.made_questions import asked, pages
from workbench.errors import TrainingFailed, TrainingRefused
from workbench.relevance.classifier import Classifier
from workbench.training.fine_tuning import FineTuned, FineTuningOptions, fine_tune
from workbench.training.learning import TrainingState
from workbench.training.mining import MiningOptions

OPTIONS = FineTuningOptions(
    classifier=quick(epochs=1, validations=1, learning_rate=1e-3),
    encoder=quick(epochs=1, validations=1, learning_rate=1e-3),
    mining=MiningOptions(per_positive=2),
    validation=0.25,
    test=0.25,
    candidates=4,
)


@pytest.fixture(scope="module")
def told() -> list[TrainingState]:
    return []


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, told: list[TrainingState]) -> FineTuned:
    folder = tmp_path_factory.mktemp("fine-tuning")
    return fine_tune(questions(), options=OPTIONS, folder=folder, progress=False, told=told.append)


def test_every_phase_is_told_of_in_order(made: FineTuned, told: list[TrainingState]) -> None:
    phases = list(dict.fromkeys(state.phase for state in told))
    assert phases == ["mining", "encoder", "classifier", "combination", "evaluation", "done"]
    assert made.stopped == "done"


def test_what_is_judged_was_neither_trained_on_nor_chosen_by(made: FineTuned) -> None:
    assert made.evaluation is not None
    judged = {question.document_key for question in made.evaluation.questions}
    seen = {one.document_key for one in (*made.split.train, *made.split.validation)}
    assert len(judged) == 2 and not judged & seen
    assert not {question.id for question in made.evaluation.questions} & set(made.mined.negatives)
    frame = made.evaluation.to_frame()
    assert set(frame.scorer) == {"untrained", "trained"}
    assert "On 2 documents never seen, 95 % of the evidence takes" in str(made)


def test_the_classifier_that_is_exported_scores_as_the_one_that_was_judged(made: FineTuned, tmp_path: Path) -> None:
    made.export(tmp_path / "classifier", onnx=False)
    opened = Classifier.open(tmp_path / "classifier")
    assert opened.candidates == 4
    assert opened.combination == made.combination is not None
    question = made.split.test[0]
    first = opened.scorer().score(question.document, question.question, progress=False)
    second = made.scorer().score(question.document, question.question, progress=False)
    assert first.logits.tolist() == second.logits.tolist()


def test_what_is_there_is_not_made_again(made: FineTuned) -> None:
    states: list[TrainingState] = []
    again = fine_tune(questions(), options=OPTIONS, folder=made.folder, progress=False, told=states.append)
    assert again.classifier.best == made.classifier.best
    assert "classifier" not in {state.phase for state in states}
    assert str(again) == str(made)


@pytest.mark.parametrize(("phase", "said"), [("mining", "while hard negatives"), ("encoder", "best encoder")])
def test_a_cancellation_before_there_is_a_classifier_says_so(tmp_path: Path, phase: str, said: str) -> None:
    wanted = threading.Event()

    def watch(state: TrainingState) -> None:
        if state.phase == phase:
            wanted.set()

    with pytest.raises(TrainingFailed, match=said):
        fine_tune(questions(), options=OPTIONS, folder=tmp_path, progress=False, told=watch, cancel=wanted)


def test_what_recurs_is_learnt_and_goes_with_the_classifier(made: FineTuned, tmp_path: Path) -> None:
    assert made.recurring is None  # no question of these is asked twice
    every = []
    for one in questions():
        every += [one, asked(one.document, "What is cleaned with a dry cloth?", 4)]
    options = replace(OPTIONS, encoder=None, combine=False)
    found = fine_tune(every, options=options, folder=tmp_path / "training", progress=False)
    assert found.recurring is not None
    assert set(found.recurring.documents) <= {one.document.sha256 for one in found.split.train}
    found.export(tmp_path / "classifier", onnx=False)
    opened = Classifier.open(tmp_path / "classifier")
    assert opened.recurring is not None and opened.recurring.fingerprint == found.recurring.fingerprint
    question = found.split.test[0]
    scores = opened.scorer().score(question.document, question.question, progress=False)
    assert "recurring" in scores.parts


def test_what_the_base_cannot_read_is_said(tmp_path: Path) -> None:
    chinese = [
        asked(
            pages(f"{name}的备份每晚两点进行。", "机房已上锁。", "磁带每年购买。", language="zh", name=f"{name}.txt"),
            "何时？",
            0,
        )
        for name in ("甲", "乙", "丙", "丁", "戊", "己", "庚", "辛")
    ]
    with pytest.raises(TrainingRefused, match=r"in a language that the base cannot read"):
        fine_tune(chinese, options=replace(OPTIONS, encoder=None), folder=tmp_path, progress=False)


def test_questions_on_too_few_documents_are_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(TrainingRefused, match="document"):
        fine_tune(questions(1), options=OPTIONS, folder=tmp_path, progress=False)
    assert not list(tmp_path.iterdir())
