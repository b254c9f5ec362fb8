"""The bench beside another gate profile: what differs, what both yield, and which requests and blocks change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..calibration.figures import Figure
from ..calibration.hand_set import judged
from ..calibration.outcomes import checked_outcomes
from ..calibration.rules import Rule
from ..errors import WorkbenchError
from ..gate.margin import ROUTES
from ..printing import counted
from ..reading import Reading, SparseReader, Status
from .beginning import rule_in
from .opened import Opened

if TYPE_CHECKING:
    import pandas as pd

    from ..calibration.result import CalibrationResult
    from ..gate.profile import GateProfile
    from ..gate.profile.diff import ProfileDiff
    from ..reading.selection import Codes


@dataclass(frozen=True, eq=False)
class BlockChange:
    """A block of the document at hand that one of the two keeps otherwise than the other."""

    block: int
    here: Status
    there: Status


@dataclass(frozen=True, eq=False)
class Comparison:
    """The bench beside a profile; "here" is the bench, "there" the profile.

    Attributes
    ----------
    path : pathlib.Path
    profile : GateProfile
        There.
    diff : ProfileDiff
        From there to here.
    here, there : tuple of Figure
        Both rules on the same outcomes, in sample; empty without outcomes.
    routes : DataFrame
        One row a request whose route differs: request, document, question ("" where unknown), route_here, route_there,
        margin_here, margin_there, saved_if_forced (tokens), loss_if_forced.
    blocks : tuple of BlockChange
        Of the document at hand.
    kept_here, kept_there : int
        Tokens of the document at hand that are kept.
    status_there : ndarray of uint8, shape (n,), or None
        Of the blocks at hand; None where the profile cannot read the document here.
    notes : tuple of str
        What could not be compared, and why, a sentence each.
    """

    path: Path
    profile: GateProfile
    diff: ProfileDiff
    here: tuple[Figure, ...]
    there: tuple[Figure, ...]
    routes: pd.DataFrame
    blocks: tuple[BlockChange, ...]
    kept_here: int
    kept_there: int
    status_there: Codes | None
    notes: tuple[str, ...]

    def figures(self) -> pd.DataFrame:
        """Return both rules side by side.

        Returns
        -------
        DataFrame
            One row a figure: figure, unit, here, here_low, here_high, there, there_low, there_high, split.
        """
        import pandas as pd

        rows = [
            (mine.name, mine.unit, mine.level, mine.low, mine.high, other.level, other.low, other.high, mine.split)
            for mine, other in zip(self.here, self.there, strict=True)
        ]
        names = ["figure", "unit", "here", "here_low", "here_high", "there", "there_low", "there_high", "split"]
        return pd.DataFrame(rows, columns=names)

    def __repr__(self) -> str:
        return (
            f"Comparison(with {self.profile.name!r}: {counted(len(self.diff), 'difference')}, "
            f"{counted(len(self.routes), 'other route')}, {counted(len(self.blocks), 'block')} kept otherwise)"
        )


def compared(
    path: Path,
    profile: GateProfile,
    own: GateProfile,
    outcomes: pd.DataFrame | None,
    mine: CalibrationResult | None,
    rule: Rule,
    opened: Opened | None,
    reading: Reading | None,
    reader: SparseReader,
) -> Comparison:
    """Compare the bench with a profile.

    Parameters
    ----------
    path, profile
        There.
    own : GateProfile
        What the bench would export.
    outcomes : DataFrame or None
    mine : CalibrationResult or None
        Of the bench's rule, on the outcomes, by hand.
    rule : Rule
        Here.
    opened, reading
        At hand.
    reader : SparseReader
        Here.
    """
    notes: list[str] = []
    here: tuple[Figure, ...] = ()
    there: tuple[Figure, ...] = ()
    other = rule_in(profile)
    if outcomes is not None and mine is not None:
        here = mine.in_sample
        there = judged(outcomes, other.weights, other.thresholds, tolerance=mine.quality_tolerance).in_sample
        source = outcomes.attrs.get("options") or {}
        if profile.gate.options and source and profile.gate.options != source:
            notes.append(
                "The profile's thresholds were fitted on signals with other constants than those of the outcomes, so "
                "its routes here are not quite those that it would take."
            )
    status, kept_there = _read_there(profile, opened, reading, reader, notes)
    kept_here = 0 if reading is None else reading.saving.tokens_kept
    return Comparison(
        path=path,
        profile=profile,
        diff=profile.diff(own),
        here=here,
        there=there,
        routes=_other_routes(outcomes, rule, other),
        blocks=_changes(reading, status),
        kept_here=kept_here,
        kept_there=kept_there,
        status_there=status,
        notes=tuple(notes),
    )


def _read_there(
    profile: GateProfile, opened: Opened | None, reading: Reading | None, reader: SparseReader, notes: list[str]
) -> tuple[Codes | None, int]:
    if opened is None or reading is None:
        return None, 0
    try:
        other = SparseReader.from_profile(profile, scorer=reader.scorer)
        found = other.read(
            opened.document, opened.question, budget_tokens=reading.budget_tokens, scope=reading.scope, progress=False
        )
    except WorkbenchError as error:
        notes.append(f"The profile cannot read the document here, so no blocks are compared: {error}")
        return None, 0
    if opened.focus is not None:
        found = found.with_focus(opened.focus)
    return found.status, found.saving.tokens_kept


def _changes(reading: Reading | None, status: Codes | None) -> tuple[BlockChange, ...]:
    if reading is None or status is None:
        return ()
    other = np.flatnonzero(reading.status != status).tolist()
    return tuple(BlockChange(block, Status(int(reading.status[block])), Status(int(status[block]))) for block in other)


def _other_routes(outcomes: pd.DataFrame | None, here: Rule, there: Rule) -> pd.DataFrame:
    import pandas as pd

    names = ["request", "document", "route_here", "route_there", "margin_here", "margin_there"]
    names += ["saved_if_forced", "loss_if_forced"]
    if outcomes is None:
        return pd.DataFrame({name: [] for name in names})
    found = checked_outcomes(outcomes)
    margins = [rule.margins(found) for rule in (here, there)]
    codes = [rule.routes(found, margin) for rule, margin in zip((here, there), margins, strict=True)]
    differs: npt.NDArray[np.bool_] = codes[0] != codes[1]
    words = np.array([route.value for route in ROUTES], object)
    documents = np.array(found.document.names, object)[found.document.codes]
    columns: tuple[npt.NDArray[Any], ...] = (
        found.request, documents, words[codes[0]], words[codes[1]], *margins, found.gain, found.loss,
    )  # fmt: skip
    return pd.DataFrame({name: column[differs] for name, column in zip(names, columns, strict=True)})
