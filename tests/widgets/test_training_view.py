"""A training view without a browser: what it tells of a training, how one is begun and ended, and its mistakes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.learning.making import questions, quick, tiny_base_at
from tests.workspace.made import house_in, words_alone
from workbench.documents import Document
from workbench.errors import InvalidOption, TrainingFailed
from workbench.relevance import HybridScorer
from workbench.training.evaluating import evaluate_classifier
from workbench.training.fine_tuning import FineTuned, FineTuningOptions, fine_tune
from workbench.training.labels import LabelStore
from workbench.training.learning.states import TrainingState
from workbench.training.mining import MiningOptions
from workbench.training.options import TrainingOptions
from workbench.training.questions import Questions, questions_of
from workbench.widgets.training_data import MOST_POINTS, PHASES, TrainingLog, parts_data
from workbench.widgets.training_results import figures_data, mistakes_of, result_data
from workbench.widgets.training_view import TrainingView
from workbench.workload import Workload

from .clicks import click
from .trained import procedure, states

WORDS = Path(__file__).resolve().parents[2] / "workbench" / "widgets" / "words"
PATIENCE = 30


@pytest.fixture
def house(tmp_path: Path) -> Workload:
    return house_in(tmp_path / "house")


@pytest.fixture(scope="module")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_base_at(tmp_path_factory.mktemp("base") / "tiny")


@pytest.fixture
def views(house: Workload, tmp_path: Path) -> Iterator[Callable[..., TrainingView]]:
    made: list[TrainingView] = []

    def view(**others: object) -> TrainingView:
        given = {"folder": tmp_path / "training", "reader": words_alone(), "train": procedure(), **others}
        made.append(TrainingView(house, **given))  # type: ignore[arg-type]
        return made[-1]

    yield view
    for one in made:
        one.close()
        one.wait(PATIENCE)


def test_curves_and_phases_follow_what_is_told() -> None:
    log = TrainingLog(100.0)
    assert [phase["status"] for phase in log.run("ready")["phases"]] == ["waiting"] * len(PHASES)
    for second, state in enumerate(states(), start=101):
        log.take(state, float(second))
        if state.phase == "classifier" and state.step == 20:
            run, curves = log.run("running"), log.curves()
    assert (run["phase"], run["step"], run["of"], run["left"]) == ("classifier", 20, 40, 20.0)
    assert run["computation"] == "cpu, bf16"
    assert [phase["status"] for phase in run["phases"]] == ["done", "done", "done", "running", "waiting", "waiting"]
    assert [phase["seconds"] for phase in run["phases"]] == [1.0, 3.0, 41.0, 20.0, None, None]
    assert curves["classifier"]["loss"][-1][0] == 20
    assert [step for step, _ in curves["classifier"]["recall"]] == [0, 10, 20]
    assert curves["classifier"]["best"] == pytest.approx(0.79)
    assert [phase["status"] for phase in log.run("done")["phases"]] == ["done"] * len(PHASES)
    assert json.loads(json.dumps([run, curves])) == [run, curves]


def test_a_phase_that_never_came_was_left_out() -> None:
    log = TrainingLog(0.0)
    for second, phase in enumerate(("data", "mining", "classifier", "evaluation")):
        log.take(TrainingState(phase=phase), float(second))
    assert [phase["status"] for phase in log.run("running")["phases"]] == [
        "done", "done", "skipped", "done", "skipped", "running",
    ]  # fmt: skip


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=1200).map(sorted))
def test_a_curve_keeps_its_ends_and_its_order_however_long_it_gets(steps: list[int]) -> None:
    log = TrainingLog()
    for step in steps:
        log.take(TrainingState(phase="encoder", step=step, of=5000, loss=step / 7), 0.0)
    points = log.curves()["encoder"]["loss"]
    assert len(points) <= MOST_POINTS
    assert points[0] == [steps[0], steps[0] / 7]
    assert points[-1] == [steps[-1], steps[-1] / 7]
    assert [step for step, _ in points] == sorted({step for step, _ in points})


def test_what_is_trained_is_shown_before_the_start_with_the_head() -> None:
    options = {"encoder": TrainingOptions.for_encoder(), "classifier": TrainingOptions()}
    found = parts_data(None, options)
    encoder, classifier = found["models"]
    assert (found["base"], encoder["kind"], classifier["kind"]) == ("all-MiniLM-L6-v2", "encoder", "classifier")
    assert [part["name"] for part in classifier["parts"] if part["is_head"]][-2:] == [
        "classifier.weight", "classifier.bias",
    ]  # fmt: skip
    assert not any(part["is_head"] for part in encoder["parts"])
    assert classifier["trained"] == sum(part["numbers"] for part in classifier["parts"])
    assert json.loads(json.dumps(found)) == found


def test_a_training_is_started_watched_and_judged(views: Callable[..., TrainingView]) -> None:
    view = views()
    assert (view.run["status"], view.found, view.result) == ("ready", None, {})
    (reply,) = click(view, "start")
    assert "error" not in reply
    assert view.wait(PATIENCE) is not None
    assert (view.run["status"], view.is_running) == ("done", False)
    assert sorted(view.curves) == ["classifier", "encoder"]
    assert view.result["questions"] == 4
    assert view.result["documents"] == 2
    assert view.result["notes"] == ["Two documents are few."]
    first = view.result["figures"][0]
    assert (first["name"], first["better"]) == ("tokens_95", "lower")
    assert [scorer["trained"] for scorer in first["rows"][0]["scorers"]] == [False, True]
    assert json.loads(json.dumps(view.result)) == view.result


def test_one_training_at_a_time_and_it_is_cancelled_at_a_step(views: Callable[..., TrainingView]) -> None:
    view = views(train=procedure(go_on=threading.Event()))
    view.start()
    with pytest.raises(InvalidOption, match=r"^A training runs here already; wait for it, or cancel it first\.$"):
        view.start()
    view.cancel()
    assert view.run["status"] in ("cancelling", "cancelled")
    view.wait(PATIENCE)
    assert (view.run["status"], view.result) == ("cancelled", {})
    view.cancel()
    assert view.run["status"] == "cancelled"
    view.start()
    assert view.run["status"] == "running"


@pytest.mark.parametrize(
    ("phase", "note"),
    [
        (
            "mining",
            "The training was cancelled while hard negatives were mined, so nothing is trained; start it again.",
        ),
        ("combination", "Cancelled before the combination was fitted and judged."),
        ("evaluation", "Cancelled before it was judged on the documents of the test."),
    ],
)
def test_every_phase_tells_its_steps_and_ends_when_it_is_cancelled(
    tmp_path: Path, tiny_base: Path, phase: str, note: str
) -> None:
    heard: list[TrainingState] = []

    def train(source: Questions, *, told: Callable[[TrainingState], None], **others: Any) -> FineTuned:
        def hear(state: TrainingState) -> None:
            told(state)
            heard.append(state)
            if state.phase == phase and state.of:
                view.cancel()

        return fine_tune(source, told=hear, scorer=HybridScorer(encoder=None), **others)

    options = FineTuningOptions(
        classifier=quick(epochs=1, validations=1),
        encoder=None,
        recurring=None,
        mining=MiningOptions(per_positive=2),
        validation=0.25,
        test=0.25,
        candidates=4,
    )
    view = TrainingView(
        Questions(tuple(questions())), folder=tmp_path / "training", base=tiny_base, options=options, train=train
    )
    view.start()
    view.wait(4 * PATIENCE)
    assert (view.run["status"], view.run["note"], view.fault, view.result) == ("cancelled", note, "", {})
    # It ended at the first step that it told of: nothing came after.
    assert [state.phase for state in heard if state.of][-1] == phase
    assert sum(state.phase == phase and state.of > 0 for state in heard) == 1
    view.close()


def test_a_training_is_cancelled_while_its_documents_are_opened(
    views: Callable[..., TrainingView], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    opening = Workload.open

    def watched(self: Workload, key: str, **others: Any) -> Document:
        opened.append(key)
        view.cancel()
        return opening(self, key, **others)

    monkeypatch.setattr(Workload, "open", watched)
    trained: list[Any] = []
    view = views(train=lambda source, **_: trained.append(source))
    view.start()
    view.wait(PATIENCE)
    assert (view.run["status"], view.run["phase"], view.fault) == ("cancelled", "data", "")
    assert view.run["note"] == "The training was cancelled before anything was trained; start it again."
    assert (len(opened), trained) == (1, [])


def test_documents_are_opened_once_for_what_is_shown_and_what_is_trained(views: Callable[..., TrainingView]) -> None:
    given: list[Any] = []
    view = views(train=lambda source, **_: given.append(source))
    assert view._data()["questions"] == 4
    for _ in range(2):
        view.start()
        view.wait(PATIENCE)
    assert given[0] is given[1]
    assert [one.id for one in given[0]] == [one.id for one in questions_of(view._source, progress=False)]


def test_what_there_is_after_an_early_end_is_no_fault(views: Callable[..., TrainingView]) -> None:
    go_on = threading.Event()
    view = views(train=procedure(go_on=go_on, fault=TrainingFailed("The best encoder so far is in training/encoder.")))
    view.start()
    view.cancel()
    view.wait(PATIENCE)
    assert (view.run["status"], view.fault) == ("cancelled", "")


def test_what_breaks_off_is_told_in_its_words(views: Callable[..., TrainingView]) -> None:
    go_on = threading.Event()
    go_on.set()
    fault = TrainingFailed("The loss is nan at step 20, in bf16, of the questions rent and key; lower the rate.")
    view = views(train=procedure(go_on=go_on, fault=fault))
    view.start()
    view.wait(PATIENCE)
    assert view.run["status"] == "failed"
    assert view.fault == str(fault)
    assert view.details == ""
    assert view.found is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_mistake_opens_its_document_at_its_block(views: Callable[..., TrainingView], language: str) -> None:
    view = views(language=language)
    view.start()
    view.wait(PATIENCE)
    rank = next(rank for rank, one in enumerate(view.result["mistakes"]) if one["document"] == "住房.md")
    (reply,) = click(view, "open", mistake=rank)
    assert "error" not in reply
    document = view.children["document"]
    mistake = view.result["mistakes"][rank]
    assert document.reading.document.name == "住房.md"
    assert (document.reading.question, document.selected) == (mistake["question"], mistake["block"])
    assert document.language == language
    view.act("open", mistake=0)
    assert view.children["document"] is document
    assert document.reading.document.name == "house.md"
    with pytest.raises(InvalidOption, match=r"^There is no mistake 99; there are \d+\.$"):
        view.act("open", mistake=99)


def test_the_same_mistakes_are_browsed_that_the_evaluation_names(house: Workload) -> None:
    questions = questions_of(house, progress=False).questions
    evaluation = evaluate_classifier(questions, {"trained": words_alone(share=0.3)}, draws=0, progress=False)
    mistakes = mistakes_of(evaluation)
    told = evaluation.mistakes
    assert [(one.question.id, one.block, one.kind) for one in mistakes] == list(
        zip(told["question"], told["block"], told["kind"], strict=True)
    )
    shown = result_data(evaluation, mistakes)["mistakes"]
    assert all(one["text"] and one["page"] == 1 for one in shown)
    figures = {figure["name"]: figure for figure in figures_data(evaluation)}
    level = figures["recall_20"]["rows"][0]["scorers"][0]
    assert level["level"] == pytest.approx(evaluation.figure("trained", "recall_20").value)
    assert level["low"] is None
    assert "calibration_error" not in figures


def test_labels_of_people_are_counted_and_passed_on(views: Callable[..., TrainingView], tmp_path: Path) -> None:
    store = LabelStore(tmp_path / "labels.sqlite")
    given: dict[str, object] = {}

    def train(_source: Questions, **options: object) -> None:
        given.update(options)
        raise TrainingFailed("Not now.")

    view = views(labels=store, train=train)
    assert view._data() == {"questions": 4, "documents": 2, "labels": 0}
    view.start()
    view.wait(PATIENCE)
    assert given["labels"] is store
    assert given["folder"] == tmp_path / "training"


def test_a_mistake_can_be_labelled_where_it_is_read(views: Callable[..., TrainingView], tmp_path: Path) -> None:
    view = views(labels=tmp_path / "labels.sqlite", annotator="Anna")
    view.start()
    view.wait(PATIENCE)
    view.act("open", mistake=0)
    document, block = view.children["document"], view.result["mistakes"][0]["block"]
    click(document, "label", block=block, value="hard negative")
    assert [(one["block"], one["value"], one["annotator"]) for one in document.labelled] == [
        (block, "hard negative", "Anna"),
    ]  # fmt: skip
    assert view._data()["labels"] == 1


def test_what_is_no_workload_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"^A training needs a workload or questions, not int; give one, such as"):
        TrainingView(3, folder=tmp_path)  # type: ignore[arg-type]


def test_words_are_there_in_both_languages() -> None:
    words = [json.loads((WORDS / f"training_view.{language}.json").read_text("utf-8")) for language in ("en", "zh")]
    assert words[0].keys() == words[1].keys()
    for name in ("tokens_95", "tokens_99", "recall_5", "recall_10", "recall_20", "average_precision", "dropped"):
        assert f"train.figure.{name}" in words[0]
    for phase in (*PHASES, "done"):
        assert f"train.phase.{phase}" in words[1]
