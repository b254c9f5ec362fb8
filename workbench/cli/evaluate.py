"""``workbench evaluate``: what a classifier is worth on a workload, beside the reader that was not trained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printing import counted

if TYPE_CHECKING:
    from ..relevance.classifier import Classifier
    from ..training.questions import Questions

UNTRAINED, TRAINED, WITH_CUT = "untrained", "trained", "trained, with its cut"
_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("classifier", type=_PATH)
@click.argument("workload", type=_PATH)
@click.option("--split", type=click.Choice(["dev", "test"]), help="Only the requests of one split [both].")
@click.option("--base", metavar="NAME", help="Also check the adapter over this model.")
@click.option("--alone", is_flag=True, help="Without the reader that was not trained.")
@click.option("--mistakes", type=_PATH, metavar="CSV", help="Write the mistakes: evidence missed, blocks kept.")
@click.option("--seed", type=click.IntRange(0), default=0, metavar="N", help="Of the intervals [0].")
@click.option("--progress/--no-progress", default=None, help="Show progress [in a terminal].")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def evaluate(classifier: Path, workload: Path, as_json: bool, **others: Any) -> None:
    """Judge an exported CLASSIFIER on the questions of WORKLOAD.

    Files, head, labels and canaries of the classifier are checked first. Documents that it was trained on are named:
    figures on them say little.

    Exit codes: 0 done, 1 the classifier or the workload cannot be used, 2 the command was not understood.
    """
    import json

    from ..reading import SparseReader
    from ..relevance.classifier import Classifier
    from ..training.evaluating import evaluate_classifier
    from ..training.questions import questions_of
    from ..workload import load_workload

    found = Classifier.open(classifier, base=others["base"])
    questions = questions_of(load_workload(workload), split=others["split"], progress=others["progress"])
    scorers: dict[str, Any] = {} if others["alone"] else {UNTRAINED: SparseReader().scorer}
    reader = SparseReader(classifier=found)
    scorers[TRAINED] = reader.scorer
    if reader.calibration is not None:
        scorers[WITH_CUT] = reader
    evaluation = evaluate_classifier(questions, scorers, seed=others["seed"], progress=others["progress"])
    seen = seen_of(found, questions)
    if others["mistakes"] is not None:
        write_mistakes(evaluation.mistakes_of(TRAINED), others["mistakes"])
    if as_json:
        figures = json.loads(evaluation.to_frame().to_json(orient="records"))
        said = {"classifier": found.fingerprint, "computation": found.computation, "figures": figures}
        known = found.manifest.knows_documents
        click.echo(json.dumps({**said, "seen_documents": seen, "knows_documents": known}, indent=1))
        return
    click.echo(str(found))
    click.echo(f"\n{evaluation.report()}")
    if seen:
        of = counted(len(questions.documents), "document")
        partly = "" if len(seen) == len(questions.documents) else "partly "
        click.echo(f"\nOf {of}, {len(seen):,} were trained on or chosen by: these figures are {partly}in sample.")
    if not found.manifest.knows_documents:
        click.echo(
            "\nIt is not known on which documents the classifier was trained: these figures may be in sample. Train it "
            "again, or export it with trained_on."
        )


def seen_of(classifier: Classifier, questions: Questions) -> list[str]:
    """Return the keys of the documents that a classifier was trained on or chosen by."""
    known = classifier.manifest.seen_documents
    return sorted(key for key, document in questions.documents.items() if document.sha256 in known)


def write_mistakes(mistakes: Any, path: Path) -> None:
    """Write a table of mistakes as CSV that no spreadsheet takes for formulas."""
    from ..errors import InvalidOption
    from ..printing import spreadsheet_safe
    from ..structure.atomic import write_text

    if path.suffix != ".csv":
        raise InvalidOption(f"The mistakes {path.name} must end in .csv.")
    texts = mistakes.select_dtypes(include=["object", "string"]).columns
    safe = mistakes.assign(**{name: [spreadsheet_safe(str(value)) for value in mistakes[name]] for name in texts})
    write_text(path, safe.to_csv(index=False), error=InvalidOption)
