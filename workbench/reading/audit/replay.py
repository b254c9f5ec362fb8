"""The decision of an audit made again, by the code that decides a reading, and held against what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import AnchorMismatch, InvalidAudit, InvalidOption, ScaleMismatch
from ..basis import Basis
from ..deciding import decide
from ..decision import Decision
from .columns import cells_of
from .comparing import different_cells, different_facts
from .inputs import UnopenedTokenizer, basis_of, cut_of
from .making import decided_cells, decided_facts
from .table import Audit

if TYPE_CHECKING:
    from ...gate.profile import GateProfile

AGAIN = "decided again"
"""What stands before a value that came out."""


def decided_again(audit: Audit, *, tokenizer: Any = None) -> tuple[Basis, Decision]:
    """Return what an audit was decided from, and the decision; see ``Audit.decided_again``."""
    basis = basis_of(audit, tokenizer)
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
        *(() if profile is None else _by_profile(audit, basis, profile)),
    )


def _by_profile(audit: Audit, basis: Basis, profile: GateProfile | str | Path) -> Iterator[str]:
    """Hold fingerprint and relevances against a profile."""
    from ...gate.profile import GateProfile

    found = profile if isinstance(profile, GateProfile) else GateProfile.load(profile)
    yield from different_facts(audit.facts, {"profile_sha256": found.fingerprint}, words="in this profile")
    maps = found.calibration
    if maps is None or audit.facts["calibration"] != maps.fingerprint:
        return
    kind = basis.document.document_type.value
    chosen = maps.map_for(kind, words_alone=basis.scored.words_alone)
    if chosen is None:
        yield f"calibration: here the profile's, which has no map for {kind} documents"
        return
    mapped = {"scored_relevance": chosen(basis.scored.logits).tolist()}
    yield from different_cells(cells_of(audit.columns, audit.rows), mapped, words="by the map of this profile")
