"""Steps, looks and checkpoints: the same whatever interrupts them, and no step beyond the first bad number."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from tests.training.learning.making import hash_of, last_of, questions, quick
from tests.training.made_questions import HandScores
from workbench.errors import TrainingFailed, TrainingRefused
from workbench.relevance import HybridScorer
from workbench.training.learning import Trained, TrainingState, load_trained, train_classifier, train_encoder
from workbench.training.options import TrainingOptions

TRAIN, VALIDATION = slice(0, 6), slice(6, 8)


def trained(folder: Path, base: Path, **settings: object) -> Trained:
    options = settings.pop("options", quick())
    assert isinstance(options, TrainingOptions)
    every = questions()
    return train_classifier(
        every[TRAIN], every[VALIDATION], base=base, options=options, folder=folder, progress=False, **settings
    )  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, tiny_base: Path) -> Trained:
    """A training that nothing interrupted."""
    return trained(tmp_path_factory.mktemp("whole"), tiny_base)


def test_two_trainings_of_one_seed_end_with_the_same_weights(whole: Trained, tiny_base: Path, tmp_path: Path) -> None:
    again = trained(tmp_path, tiny_base)
    assert last_of(again) == last_of(whole)
    assert [look.validation_loss for look in again.history] == [look.validation_loss for look in whole.history]


def test_another_seed_ends_with_others(whole: Trained, tiny_base: Path, tmp_path: Path) -> None:
    assert last_of(trained(tmp_path, tiny_base, options=quick(seed=1))) != last_of(whole)


def test_the_draws_of_others_stay_as_they_were(tiny_base: Path, tmp_path: Path) -> None:
    import torch

    torch.manual_seed(5)
    wanted = torch.rand(3).tolist()
    torch.manual_seed(5)
    trained(tmp_path, tiny_base, options=quick(epochs=1, validations=1))
    assert torch.rand(3).tolist() == wanted


def test_a_history_begins_before_any_step_and_ends_after_the_last(whole: Trained) -> None:
    assert [look.step for look in whole.history] == [0, 2, 4, 6]
    assert whole.history[0].loss is None
    assert whole.stopped == "done"
    assert whole.best == max(whole.history, key=lambda look: (look.average_precision, -look.validation_loss))
    assert whole.to_frame().columns.tolist() == [
        "step",
        "loss",
        "validation_loss",
        "recall",
        "average_precision",
        "seconds",
    ]


def test_only_the_best_and_the_latest_checkpoint_are_kept(whole: Trained) -> None:
    home = whole.folder.parent
    assert {entry.name for entry in home.iterdir()} == {"run.json", whole.folder.name, "step-000006"}
    assert [file for file in home.rglob("*") if file.suffix in {".bin", ".pt", ".pkl", ".pickle"}] == []


def test_a_finished_training_is_not_done_again(whole: Trained, tiny_base: Path) -> None:
    states: list[TrainingState] = []
    assert trained(whole.folder.parent, tiny_base, told=states.append).best == whole.best
    assert states == []
    assert load_trained(whole.folder.parent).history == whole.history


def test_what_is_told_can_be_drawn(tiny_base: Path, tmp_path: Path) -> None:
    states: list[TrainingState] = []
    trained(tmp_path, tiny_base, told=states.append)
    assert states[0].parts.splitlines()[-2].endswith("head")
    assert (states[-1].phase, states[-1].step, states[-1].of, states[-1].seconds_left) == ("classifier", 6, 6, 0.0)
    assert states[-1].best_recall is not None and states[-1].loss is not None
    assert json.loads(json.dumps(states[-1].to_dict()))["computation"] == "cpu, fp32"


@pytest.mark.parametrize("steps", [1, 3])
def test_a_cancelled_training_keeps_the_best_and_goes_on_to_the_same_end(
    whole: Trained, tiny_base: Path, tmp_path: Path, steps: int
) -> None:
    wanted = threading.Event()
    done: list[int] = []

    def watch(state: TrainingState) -> None:
        done.append(state.step)
        if state.step >= steps:
            wanted.set()

    first = trained(tmp_path, tiny_base, told=watch, cancel=wanted)
    assert first.stopped == "cancelled"
    assert (first.folder / "model.safetensors").is_file()
    assert first.history[-1].step < 6
    second = trained(tmp_path, tiny_base, cancel=lambda: False)
    assert second.stopped == "done"
    assert last_of(second) == last_of(whole)
    assert [look.validation_loss for look in second.history] == [look.validation_loss for look in whole.history]
    assert [look.loss for look in second.history] == [look.loss for look in whole.history]


def test_ctrl_c_ends_it_like_a_cancellation(tiny_base: Path, tmp_path: Path) -> None:
    pressed: list[int] = []

    def interrupt(state: TrainingState) -> None:
        if state.step == 2 and not pressed:
            pressed.append(state.step)
            raise KeyboardInterrupt

    first = trained(tmp_path, tiny_base, told=interrupt)
    assert first.stopped == "cancelled"
    assert (first.folder / "adapter" / "adapter_model.safetensors").is_file()


PROGRAM = """
import os, signal, sys
from pathlib import Path
from tests.training.learning.test_loop import trained
def die(state):
    if state.step == 4 and state.recall is not None and state.checkpoint:
        os.kill(os.getpid(), signal.SIGKILL)
trained(Path(sys.argv[1]), Path(sys.argv[2]), told=die)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal here")
def test_a_killed_training_goes_on_to_the_same_end(whole: Trained, tiny_base: Path, tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), str(tiny_base)], env=environment, cwd=root, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    (tmp_path / ".writing-torn").mkdir()  # what a kill in the middle of a checkpoint leaves
    again = trained(tmp_path, tiny_base)
    assert last_of(again) == last_of(whole)
    assert not (tmp_path / ".writing-torn").exists()


def test_a_folder_with_another_training_is_refused_until_it_may_go(tiny_base: Path, tmp_path: Path) -> None:
    trained(tmp_path, tiny_base, options=quick(epochs=1, validations=1))
    other = quick(epochs=1, validations=1, learning_rate=1e-4, rank=2)
    with pytest.raises(
        TrainingRefused,
        match=r"lies another training: options\.learning_rate, options\.rank differ; give another folder, or resume=",
    ):
        trained(tmp_path, tiny_base, options=other)
    assert trained(tmp_path, tiny_base, options=other, resume=False).options["rank"] == 2


def test_documents_of_validation_may_not_be_trained_on(tiny_base: Path, tmp_path: Path) -> None:
    every = questions(3)
    with pytest.raises(TrainingRefused, match=r"1 documents, such as 'valve\.txt', are both trained on and validated"):
        train_classifier(every, every[2:], base=tiny_base, options=quick(), folder=tmp_path)


def damaged(base: Path, folder: Path) -> Path:
    """A copy of a base with one weight that is no number."""
    shutil.copytree(base, folder)
    weights = load_file(folder / "model.safetensors")
    weights["encoder.layer.1.output.dense.weight"][0, 0] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_a_base_with_a_weight_that_is_no_number_is_seen_before_the_first_step(tiny_base: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingFailed) as caught:
        trained(tmp_path / "run", damaged(tiny_base, tmp_path / "base"))
    said = str(caught.value)
    assert said.startswith("A logit of validation before step 1 is nan, computed on cpu, fp32 for question '")
    assert "the base or what the training started from may be damaged" in said
    assert not list((tmp_path / "run").glob("step-*"))


@pytest.mark.parametrize(("precision", "remedy"), [("fp32", ""), ("bf16", ', or precision="fp32"')])
def test_the_first_loss_that_is_no_number_stops_it_and_names_step_rows_and_dtype(
    tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, precision: str, remedy: str
) -> None:
    # A rate that no option allows: the weights leave what a float can hold after the first steps.
    options = quick(precision=precision, clip=1e6, weight_decay=0.0, warm_up=0.0)
    object.__setattr__(options, "learning_rate", 1e30)
    monkeypatch.setattr(TrainingOptions, "__post_init__", lambda _: None)
    with pytest.raises(TrainingFailed) as caught:
        trained(tmp_path, tiny_base, options=options)
    said = str(caught.value)
    found = re.match(r"(The loss of|The gradient of|A logit of validation before) step (\d+) is (nan|inf|-inf), ", said)
    assert found is not None and int(found.group(2)) >= 2
    assert f"computed on cpu, {precision} for question '" in said
    assert "with blocks 3, " in said
    assert f"give a learning_rate below 1e+30{remedy}; the best checkpoint is in {tmp_path / 'step-000000'}." in said
    kept = load_trained(tmp_path)
    assert hash_of(kept.folder) and kept.stopped == "cancelled"


def test_patience_ends_it(tiny_base: Path, tmp_path: Path) -> None:
    # At such a rate no weight changes, so that nothing gets better.
    options = quick(validations=6, patience=2, learning_rate=1e-30)
    every = questions()
    found = train_encoder(
        every[TRAIN], every[VALIDATION], base=tiny_base, options=options, folder=tmp_path, progress=False
    )
    assert found.stopped == "no better"
    assert [look.step for look in found.history] == [0, 1, 2]
    assert found.best == found.history[0]


def test_minutes_decide_the_steps_once(tiny_base: Path, tmp_path: Path) -> None:
    options = quick(minutes=1e-6)
    wanted = threading.Event()

    def watch(state: TrainingState) -> None:
        if state.recall is not None:
            wanted.set()

    first = trained(tmp_path, tiny_base, options=options, told=watch, cancel=wanted)
    assert first.stopped == "cancelled"
    file = tmp_path / "run.json"
    said = json.loads(file.read_bytes())
    assert said["steps"] == 1
    # What a quicker machine, or a quieter one, might have written: it is not measured again.
    file.write_text(json.dumps({**said, "steps": 4}), encoding="utf-8")
    again = trained(tmp_path, tiny_base, options=options)
    assert (again.stopped, again.history[-1].step) == ("done", 4)


def test_no_more_steps_are_done_than_the_epochs_have(tiny_base: Path, tmp_path: Path) -> None:
    assert trained(tmp_path, tiny_base, options=quick(minutes=100.0)).history[-1].step == 6


def test_what_stands_beside_the_classifier_decides_its_first_look(tiny_base: Path, tmp_path: Path) -> None:
    every = questions()
    looks = {}
    for evidence in (9.0, -9.0):
        logits = [evidence if block == 3 else 0.0 for block in range(7)]
        stage = HandScores(**{one.document.name.partition(".")[0]: logits for one in every})
        options = quick(epochs=1, validations=1, beside=100.0)
        looks[evidence] = trained(tmp_path / str(evidence), tiny_base, options=options, scorer=stage).history[0]
        # The scores are remembered: each document was asked its question once.
        assert len(stage.asked) == len(set(stage.asked)) == len(every)
        trained(tmp_path / f"alone {evidence}", tiny_base, options=quick(epochs=1, beside=0.0), scorer=stage)
        assert len(stage.asked) == len(every)
    assert (looks[9.0].recall, looks[9.0].average_precision) == (1.0, 1.0)
    assert (looks[-9.0].recall, looks[-9.0].average_precision) == (0.0, 0.2)


def test_another_first_stage_is_another_training(whole: Trained, tiny_base: Path) -> None:
    with pytest.raises(TrainingRefused, match=r"lies another training: more\.beside differ"):
        trained(whole.folder.parent, tiny_base, scorer=HybridScorer(encoder=None))


def test_a_disk_that_is_full_is_said(tiny_base: Path, tmp_path: Path) -> None:
    def remove(state: TrainingState) -> None:
        if state.checkpoint and not (tmp_path / "run").is_file():
            shutil.rmtree(tmp_path / "run")
            (tmp_path / "run").write_text("in the way")

    with pytest.raises(TrainingFailed, match=r"The checkpoint of step 2 cannot be written to .*; make room, and start"):
        trained(tmp_path / "run", tiny_base, told=remove)


TOGETHER = """
import sys
from pathlib import Path
from tests.training.learning.making import quick
from tests.training.learning.test_loop import trained
trained(Path(sys.argv[1]), Path(sys.argv[2]), options=quick(batch=4, epochs=1))
"""


def test_two_processes_learn_what_one_would(tiny_base: Path, tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    root = Path(__file__).parents[3]
    (tmp_path / "together.py").write_text(TOGETHER)
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
    subprocess.run(
        [*launch, str(tmp_path / "together.py"), str(tmp_path / "two"), str(tiny_base)],
        env={**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"},
        cwd=root,
        check=True,
        capture_output=True,
    )
    alone = trained(tmp_path / "one", tiny_base, options=quick(batch=4, epochs=1))
    both = load_trained(tmp_path / "two")
    assert [look.step for look in both.history] == [look.step for look in alone.history]
    for one, other in zip(both.history, alone.history, strict=True):
        assert one.validation_loss == pytest.approx(other.validation_loss, rel=1e-4)
