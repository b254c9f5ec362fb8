"""``workbench train`` and ``workbench export``: from a workload to a classifier in a folder."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import TrainingFailed
from ..printing import counted, printable

if TYPE_CHECKING:
    from ..training.exporting import ExportReport
    from ..training.fine_tuning import FineTuned, FineTuningOptions
    from ..training.questions import Questions

CANCELLED = 130
_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("workload", type=_PATH)
@click.option("-o", "--output", type=_PATH, required=True, metavar="FOLDER", help="Where the classifier goes.")
@click.option("--labels", type=_PATH, metavar="SQLITE", help="Labels of persons, which win over gold [none].")
@click.option("--base", metavar="NAME", help="Folder or hub name of the model to train further [all-MiniLM-L6-v2].")
@click.option("--epochs", type=click.IntRange(1), metavar="N", help="How often every question is shown.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), metavar="M", help="Time for the training itself.")
@click.option("--encoder/--no-encoder", default=True, help="Train the encoder of the first stage as well [yes].")
@click.option("--recurring/--no-recurring", default=True, help="Learn what many documents are asked as well [yes].")
@click.option("--candidates", type=click.IntRange(1), metavar="N", help="Blocks that it looks at for a question.")
@click.option("--validation", type=float, default=0.2, metavar="S", help="Share of the documents to choose by [0.2].")
@click.option("--test", type=float, default=0.2, metavar="S", help="Share of the documents to judge on [0.2].")
@click.option("--seed", type=click.IntRange(0), default=0, metavar="N", help="Decides the split and the draws [0].")
@click.option("--device", metavar="NAME", help="cpu, cuda or mps [the first that there is].")
@click.option("--folder", type=_PATH, metavar="FOLDER", help="Where the checkpoints go [OUTPUT with .training].")
@click.option("--resume/--no-resume", default=True, help="Go on with a training that lies there [yes].")
@click.option("--onnx/--no-onnx", default=None, help="Write ONNX as well [if its packages are installed].")
@click.option("--dry-run", is_flag=True, help="Show the data and what would be trained, and stop.")
@click.option("--progress/--no-progress", default=None, help="Show progress [in a terminal].")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def train(workload: Path, output: Path, dry_run: bool, as_json: bool, **others: Any) -> None:
    """Train a relevance classifier on WORKLOAD, judge and write it.

    WORKLOAD is a folder with a workload.jsonl, such as datasets/dev. Documents are kept apart: some to train on, some
    to choose by, some to judge on. Ctrl-C ends the training and keeps the best checkpoint; the same command goes on.
    With --minutes as many steps are done as a short trial says, though no more than --epochs has.

    Exit codes: 0 written, 1 nothing can be trained, 2 the command was not understood, 130 ended early.
    """
    import json

    from ..training.exporting.folder import check_target
    from ..training.fine_tuning import fine_tune

    if workload.suffix in (".sqlite", ".db"):
        raise click.UsageError(
            f"{workload.name} holds labels, which say nothing of where their documents are; give the workload, and "
            f"the labels with --labels {workload.name}."
        )
    check_target(output.absolute())
    options = _options(others)
    questions = _questions(workload, others["labels"], others["progress"])
    if dry_run:
        _show_plan(questions, options, others["base"], as_json)
        return
    place = others["folder"] or output.with_name(f"{output.name}.training")
    with _cancelled_by_interrupt() as cancel:
        try:
            made = fine_tune(
                questions,
                base=others["base"],
                options=options,
                folder=place,
                progress=others["progress"],
                resume=others["resume"],
                told=_Teller(),
                cancel=cancel,
            )
        except TrainingFailed as error:
            if not cancel.is_set():
                raise
            click.echo(f"ended early: {printable(str(error))}", err=True)
            click.get_current_context().exit(CANCELLED)
    if made.stopped == "cancelled":
        _say_cancelled(made, output)
        return
    report = made.export(output, onnx=others["onnx"], progress=others["progress"])
    if as_json:
        click.echo(json.dumps(_values(made, report), indent=1))
    else:
        click.echo(str(made))
        if made.evaluation is not None:
            click.echo(f"\n{made.evaluation.report()}\n")
        click.echo(str(report))


@click.command("export")
@click.argument("checkpoint", type=_PATH)
@click.option("-o", "--output", type=_PATH, required=True, metavar="FOLDER", help="Where the classifier goes.")
@click.option("--base", metavar="NAME", help="The model that an adapter lies over [what the checkpoint says].")
@click.option("--candidates", type=click.IntRange(1), metavar="N", help="Blocks that it looks at for a question.")
@click.option("--language", "languages", multiple=True, metavar="CODE", help="A language that it reads; repeatable.")
@click.option("--name", default="classifier", metavar="NAME", help="What its part of a logit is called [classifier].")
@click.option("--onnx/--no-onnx", default=None, help="Write ONNX as well [if its packages are installed].")
@click.option("--progress/--no-progress", default=None, help="Show progress [in a terminal].")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def export(checkpoint: Path, output: Path, as_json: bool, **others: Any) -> None:
    """Write the classifier of CHECKPOINT as a folder to load.

    CHECKPOINT is the folder of a training, of one of its checkpoints, or of any cross-encoder with two classes. It
    comes without a combination, for that is fitted by workbench train.

    Exit codes: 0 written, 1 it cannot be exported, 2 the command was not understood.
    """
    import json

    from ..relevance.second_stage import CANDIDATES
    from ..training.exporting import export_classifier

    report = export_classifier(
        checkpoint,
        output,
        base=others["base"],
        candidates=others["candidates"] or CANDIDATES,
        languages=others["languages"] or None,
        name=others["name"],
        onnx=others["onnx"],
        progress=others["progress"],
    )
    click.echo(json.dumps(report.to_dict(), indent=1) if as_json else str(report))


def _options(others: dict[str, Any]) -> FineTuningOptions:
    from ..training.fine_tuning import FineTuningOptions
    from ..training.options import TrainingOptions

    chosen: dict[str, Any] = {"seed": others["seed"]}
    chosen |= {name: others[name] for name in ("epochs", "device") if others[name] is not None}
    more: dict[str, Any] = {} if others["candidates"] is None else {"candidates": others["candidates"]}
    if not others["recurring"]:
        more["recurring"] = None
    found = FineTuningOptions(
        classifier=TrainingOptions(**chosen),
        encoder=TrainingOptions.for_encoder(**chosen) if others["encoder"] else None,
        validation=others["validation"],
        test=others["test"],
        seed=others["seed"],
        **more,
    )
    return found if others["minutes"] is None else found.within(others["minutes"])


def _questions(workload: Path, labels: Path | None, progress: bool | None) -> Questions:
    from ..errors import FileMissing
    from ..training.labels import LabelStore
    from ..training.questions import questions_of, with_labels
    from ..workload import load_workload

    if labels is not None and not labels.is_file():
        raise FileMissing(f"There are no labels at {labels}; give the SQLite file of a label store.")
    found = questions_of(load_workload(workload), progress=progress)
    return found if labels is None else with_labels(found, LabelStore(labels))


def _show_plan(questions: Questions, options: FineTuningOptions, base: str | None, as_json: bool) -> None:
    """Print what would be trained on, and which parts of the model."""
    import json

    from ..training.learning.bases import find_base
    from ..training.learning.models import classifier_of
    from ..training.learning.trainable import trainable_parts
    from ..training.splitting import split_questions

    split = split_questions(questions, validation=options.validation, test=options.test, seed=options.seed)
    model = find_base(base)
    parts = trainable_parts(classifier_of(model, options.classifier))
    sizes = {
        name: {"questions": len(split.part(name)), "documents": len(split.part(name).documents)}
        for name in ("train", "validation", "test")
    }
    if as_json:
        said = {"base": {"name": model.name, "sha256": model.sha256, "licence": model.licence}}
        click.echo(json.dumps({**said, "split": sizes, "parts": parts.to_dict()}, indent=1))
        return
    for name, size in sizes.items():
        click.echo(f"{name:<10} {counted(size['questions'], 'question')} on {counted(size['documents'], 'document')}")
    click.echo(f"left out   {counted(len(questions.left_out), 'question')}\n")
    click.echo(f"base       {printable(model.name)} ({model.licence or 'licence not known'})\n\n{parts}")


def _say_cancelled(made: FineTuned, output: Path) -> None:
    folder = made.classifier.folder
    click.echo(
        f"ended early: the best checkpoint is in {printable(str(folder))}; run the same command to go on, or write it "
        f"with: workbench export {printable(str(folder))} -o {printable(str(output))}",
        err=True,
    )
    click.get_current_context().exit(CANCELLED)


def _values(made: FineTuned, report: ExportReport) -> dict[str, Any]:
    import json

    figures: Any = None
    if made.evaluation is not None:
        figures = json.loads(made.evaluation.to_frame().to_json(orient="records"))
    return {**report.to_dict(), "stopped": made.stopped, "figures": figures, "notes": list(made.notes)}


class _Teller:
    """Prints the table of what is trained before it begins, once a phase."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def __call__(self, state: Any) -> None:
        if state.parts and state.phase not in self._told:
            self._told.add(state.phase)
            click.echo(f"{state.phase} ({state.computation})\n{state.parts}\n", err=True)


@contextmanager
def _cancelled_by_interrupt() -> Iterator[threading.Event]:
    """Give an event that the first Ctrl-C sets; the second one ends the command at once."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    before = signal.getsignal(signal.SIGINT)

    def interrupted(number: int, frame: Any) -> None:
        del number, frame
        if event.is_set():
            raise KeyboardInterrupt
        event.set()
        click.echo("\nending after this step; press Ctrl-C again to leave at once", err=True)

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)
