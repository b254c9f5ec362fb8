"""A fitted profile in words and tables: what was chosen, then blocks, then the gate."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..calibration.figures import shown

if TYPE_CHECKING:
    from .fitting import ProfileFit

_WIDTH = 80


def report_of(fit: ProfileFit) -> str:
    """Return the report."""
    parts = [line for note in fit.notes for line in (*textwrap.wrap(note, _WIDTH), "")]
    parts += ["THE CUT OF BLOCKS", *_choice(fit)]
    if fit.blocks is not None:
        parts += ["", fit.blocks.report()]
    parts += ["", "THE GATE", fit.result.report()]
    return "\n".join(parts)


def _choice(fit: ProfileFit) -> Iterator[str]:
    frame = fit.choice.to_frame()
    yield f"{'cut':<29}{'token reduction':>16}{'quality loss':>14}{'folds':>7}"
    for row in frame.to_dict("records"):
        mark = "  <-" if row["chosen"] else ""
        saved, lost = shown(row["token_reduction"], "share"), shown(row["quality_loss"], "quality")
        yield f"{row['candidate']:<29}{saved:>16}{lost:>14}{row['folds']:>7}{mark}"
    where = "out of sample" if fit.choice.headline else "in sample"
    yield f"Each with weights and thresholds of its own, {where}; folds that chose it."
    if fit.choice.headline:
        level = {figure.name: figure.text() for figure in fit.choice.headline}
        said = (
            f"Out of sample, with the cut chosen anew in each fold: {level['token reduction']} of the tokens saved, "
            f"quality loss {level['quality loss']}."
        )
        yield from textwrap.wrap(said, _WIDTH)
