"""``workbench threshold``: the cut for a recall floor, from the scores of any retriever or reranker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..calibration.block_thresholds import BlockThreshold


@click.command()
@click.argument("scores", type=click.Path(path_type=Path))
@click.option("--recall", type=float, default=0.95, metavar="SHARE", help="Share of the evidence to keep [0.95].")
@click.option(
    "--evidence",
    type=click.Path(path_type=Path),
    help="Table of pieces of evidence (question, document, piece, score) instead of one piece a labelled block.",
)
@click.option("--folds", type=click.IntRange(2), default=10, metavar="N", help="Groups of documents held out [10].")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def threshold(scores: Path, recall: float, evidence: Path | None, folds: int, as_json: bool) -> None:
    """Print the threshold that keeps a share of the evidence.

    It is the highest that does, with what can be promised of it.

    SCORES is a CSV, Parquet or JSON lines file with one row a block and question: question, document, block, score
    (any scale, higher is better) and label (1 if the block holds evidence, else 0); document_type, tokens and pinned
    are used where they are there.

    Exit codes: 0 found, 1 no threshold reaches the floor or the table is refused, 2 the command was not understood.
    """
    from ..calibration.block_thresholds import fit_threshold
    from ..calibration.score_tables import load_scores

    others = None if evidence is None else load_scores(evidence)
    found = fit_threshold(load_scores(scores), recall=recall, evidence=others, folds=folds)
    click.echo(json.dumps(_as_dict(found), indent=1) if as_json else found.report())


def _as_dict(found: BlockThreshold) -> dict[str, Any]:
    import math
    from dataclasses import asdict

    values = {
        "threshold": found.threshold,
        "recall_floor": found.recall,
        "promised": found.promised,
        "risk": asdict(found.risk),
        "recall": {"out_of_sample": asdict(found.out_of_sample), "in_sample": asdict(found.in_sample)},
        "tokens_kept": {"out_of_sample": found.kept_out_of_sample.value, "in_sample": found.kept_in_sample.value},
        "precision": found.precision,
        "tied_blocks": found.tied_blocks,
        "counts": asdict(found.counts),
        "offsets": found.offsets,
        "curve": found.curve.to_dict("records"),
        "by_type": found.by_type.to_dict("records"),
        "notes": list(found.notes),
    }

    def plain(value: Any) -> Any:
        """JSON has no nan."""
        if isinstance(value, dict):
            return {key: plain(child) for key, child in value.items()}
        if isinstance(value, list):
            return [plain(child) for child in value]
        return None if isinstance(value, float) and not math.isfinite(value) else value

    found_values: dict[str, Any] = plain(values)
    return found_values
