"""The decision of an audit made again, by the code that decides a reading, and held against what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import AnchorMismatch, InvalidAudit, InvalidOption, ScaleMismatch
from ..basis import Basis
from ..deciding import decide
from ..decision import Decision
from .against_profile import against_profile
from .columns import cells_of
from .comparing import different_cells, different_facts
from .inputs import UnopenedTokenizer, basis_of, cut_of
from .making import decided_cells, decided_facts
from .table import Audit

if TYPE_CHECKING:
    from ...gate.profile import GateProfile

AGAIN = "decided again"
"""What stands before a value that came out."""
SINGLE = 1e-5
"""How far sums of a few parts may differ that are added in single precision, of the parts' size."""


def decided_again(audit: Audit, *, tokenizer: Any = None) -> tuple[Basis, Decision]:
    """Return what an audit was decided from, and the decision; see ``Audit.decided_again``."""
    basis = basis_of(audit, tokenizer, recount=True)
    cut, budget, focus = cut_of(audit)
    try:
        return basis, decide(basis, cut, budget_tokens=budget, focus=focus)
    except (AnchorMismatch, InvalidOption, ScaleMismatch) as error:
        raise InvalidAudit(
            f"The audit of {audit.facts['document']!r:.80} cannot be decided again ({error!s:.200}); it was not made "
            "by a reading."
        ) from error


def check(audit: Audit, *, tokenizer: Any = None, profile: GateProfile | str | Path | None = None) -> tuple[str, ...]:
    """Return each value that comes out otherwise than it is stored; see ``Audit.check``."""
    basis, decision = decided_again(audit, tokenizer=tokenizer)
    cut, budget, _ = cut_of(audit)
    stored = cells_of(audit.columns, audit.rows)
    counted = not isinstance(basis.tokenizer, UnopenedTokenizer)
    facts = decided_facts(basis, cut, decision, budget, counted=counted)
    return (
        *different_facts(audit.facts, facts, words=AGAIN),
        *different_cells(stored, decided_cells(basis, decision), words=AGAIN),
        *_sums(basis),
        *(() if profile is None else against_profile(audit, basis, profile)),
    )


def _sums(basis: Basis) -> Iterator[str]:
    """Hold the scorer's logits against the sums of their parts, as far as single precision goes."""
    scored = basis.scored
    if not scored.parts:
        return
    parts = np.array(list(scored.parts.values()), np.float64)
    sums, room = parts.sum(axis=0), SINGLE * (1.0 + np.abs(parts).sum(axis=0))
    for block in np.flatnonzero(np.abs(sums - scored.logits) > room).tolist():
        yield f"block {block}, scored_logit: here {scored.logits[block]:g}, its parts add up to {sums[block]:g}"
