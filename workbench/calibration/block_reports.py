"""A block threshold in words and small tables, for a terminal of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..printing import counted, printable

if TYPE_CHECKING:
    from .block_thresholds import BlockThreshold

SEED_STABILITY = "The method's authors report 91.3 +- 0.5 %, accuracy across types."
_WIDTH = 80
_LABEL = 15


def report_of(found: BlockThreshold) -> str:
    """Return the report."""
    lines: list[str] = []
    for label, said in _facts(found):
        lines += textwrap.wrap(
            said, _WIDTH, initial_indent=f"{label:<{_LABEL}}", subsequent_indent=" " * _LABEL, break_long_words=False
        )
    lines += ["", *_curve(found)]
    if len(found.by_type) > 1:
        lines += ["", *_types(found)]
    return "\n".join(lines)


def _facts(found: BlockThreshold) -> Iterator[tuple[str, str]]:
    counts = found.counts
    yield "threshold", f"{found.threshold:.6g}: keep the blocks with at least this score"
    yield "recall floor", f"{100 * found.recall:g} % of a document's evidence"
    if found.promised:
        yield (
            "promise",
            f"on a new document of this kind at least {100 * found.recall:g} % of the evidence is kept in expectation "
            f"(conformal risk control on {counted(found.risk.documents, 'document')})",
        )
    elif found.risk.index is not None:
        yield "NO PROMISE", "it could be had from these documents, at a lower threshold that keeps more"
    else:
        needed = found.risk.documents_needed
        more = f"it would take {counted(needed, 'document')}" if needed else "no number of documents would do"
        yield (
            "NO PROMISE",
            f"with {counted(found.risk.documents, 'document')} the best floor that can be promised is "
            f"{100 * (1 - found.risk.reachable):.1f} %; {more}. The threshold meets the floor on these documents only.",
        )
    yield "recall", f"{found.out_of_sample} out of sample; {found.in_sample} in sample"
    yield "tokens kept", f"{found.kept_out_of_sample} out of sample; {found.kept_in_sample} in sample"
    yield "precision", f"{100 * found.precision:.1f} % of the kept blocks hold evidence, in sample"
    if found.tied_blocks > 1:
        yield "ties", f"{counted(found.tied_blocks, 'block')} score exactly the threshold, and all are kept"
    yield (
        "fitted on",
        f"{counted(counts.questions, 'question')} on {counted(counts.documents, 'document')}, "
        f"{counted(counts.pieces, 'piece')} of evidence, {counted(counts.blocks, 'scored block')}",
    )
    if counts.questions_without_evidence:
        yield "", f"{counted(counts.questions_without_evidence, 'question')} without evidence count in tokens alone"
    if counts.pieces_never_recalled:
        yield "", f"{counted(counts.pieces_never_recalled, 'piece')} of evidence recalled at no threshold"
    for note in found.notes:
        yield "note", note


def _curve(found: BlockThreshold) -> Iterator[str]:
    yield f"{'recall, in sample':>18}{'threshold':>14}{'tokens kept':>14}{'precision':>12}"
    names = ("recall", "threshold", "kept_share", "precision")
    rows = [(*(row[name] for name in names), "") for row in found.curve.to_dict("records")]
    rows = [row for row in rows if row[1] != found.threshold]
    chosen = (
        found.in_sample.value,
        found.threshold,
        found.kept_in_sample.value,
        found.precision,
        "  <- promised" if found.promised else "  <- chosen",
    )
    for recall, threshold, kept, precision, mark in sorted([*rows, chosen], key=lambda row: (-row[1], row[0])):
        yield f"{100 * recall:>16.4g} %{threshold:>14.5g}{100 * kept:>12.1f} %{100 * precision:>10.1f} %{mark}"


def _types(found: BlockThreshold) -> Iterator[str]:
    yield f"{'by type':<16}{'documents':>10}{'threshold':>11}{'recall':>9}{'offset':>9}{'with it':>9}{'kept':>8}"
    for row in found.by_type.to_dict("records"):
        own = "" if np.isnan(row["threshold"]) else f"{row['threshold']:.4g}"
        recalls = [_percent(row["recall"]), _percent(row["recall_with_offset"])]
        yield (
            f"{printable(row['document_type'])[:15]:<16}{row['documents']:>10,}{own:>11}{recalls[0]:>9}"
            f"{row['offset'] or 0.0:>+9.3f}{recalls[1]:>9}{100 * row['kept_share_with_offset']:>6.1f} %"
        )
    measured = found.by_type[found.by_type["documents"] > 0]
    before, after = (float(measured[name].std(ddof=0)) for name in ("recall", "recall_with_offset"))
    yield f"Between types recall differs by +-{100 * before:.1f} points, with offsets by +-{100 * after:.1f}."
    yield SEED_STABILITY


def _percent(value: float) -> str:
    return "" if np.isnan(value) else f"{100 * value:.1f} %"
