"""From a decision to its audit: what was given, and what came out of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...documents.blocks import KINDS
from ...documents.columns import NONE
from ...documents.pages import PageStatus
from ...documents.surrogates import without_surrogates
from ..basis import Basis
from ..cuts import Cut, Threshold
from ..deciding import rendered
from ..decision import Decision
from ..reasons import reasons_of
from ..selection import Status
from .columns import FEEDBACK, LAYOUT, PART, column_names, rows_of
from .table import Audit

if TYPE_CHECKING:
    from ...documents import Document
    from ...structure import RuleVoice

Cells = dict[str, Sequence[Any]]


def audit_of(basis: Basis, cut: Cut, decision: Decision, *, budget_tokens: int | None, notes: Sequence[str]) -> Audit:
    """Return the audit of a decision."""
    names = _feature_names(basis)
    cells = {
        **_document_cells(basis.document),
        "features": _features(basis.document, names),
        **_score_cells(basis),
        **decided_cells(basis, decision),
    }
    facts = {
        **_document_facts(basis.document),
        **_question_facts(basis, cut, budget_tokens),
        **decided_facts(basis, cut, decision, budget_tokens),
        **_model_facts(basis),
        **_profile_facts(basis, cut),
        "features": names,
        "parts": sorted(basis.scores.parts),
        "notes": list(map(without_surrogates, notes)),
    }
    columns = column_names(facts["parts"])
    return Audit(MappingProxyType(facts), columns, rows_of(cells, columns))


def decided_cells(basis: Basis, decision: Decision) -> Cells:
    """Return the columns that follow from others: what is computed again when an audit is checked."""
    document, scores = basis.document, basis.scores
    count, kept = len(document), decision.kept
    focus = decision.focus or {}
    feedback = {PART + FEEDBACK: scores.parts[FEEDBACK].tolist()} if basis.feedback else {}
    return {
        "section": _sections(document),
        "tokens": basis.tokens.tolist(),
        "tokens_kept": np.where(kept, decision.costs, 0).tolist(),
        "logit": scores.logits.tolist(),
        **feedback,
        "relevance": scores.relevance.tolist(),
        "scale": [scores.scale.value] * count,
        "weight": basis.structure.weights.tolist(),
        "pinned": basis.structure.pinned.tolist(),
        "rules": ["; ".join(map(_voice, basis.structure.trace(block))) for block in range(count)],
        "priority": basis.priority.tolist(),
        "threshold": [decision.threshold] * count,
        "offset": [decision.offset] * count,
        "margin": [None] * count if decision.threshold is None else decision.margin.tolist(),
        "status": [_STATUSES[code] for code in decision.status.tolist()],
        "kept": kept.tolist(),
        "reason": reasons_of(basis, decision),
        "focus": [_ranges(focus[block]) if block in focus else None for block in range(count)],
    }


def decided_facts(
    basis: Basis, cut: Cut, decision: Decision, budget_tokens: int | None, *, counted: bool = True
) -> dict[str, Any]:
    """Return the facts that follow from others; see ``decided_cells``.

    ``counted``: whether the tokenizer is there to count the kept text.
    """
    text = without_surrogates(rendered(basis, decision, budget_tokens).text)
    return {
        "cut_in_words": str(cut),
        "threshold": decision.threshold,
        "offset": decision.offset,
        "bound": decision.bound.value,
        "blocks": len(basis.document),
        "blocks_passed": decision.passed,
        "blocks_kept": int(decision.kept.sum()),
        "tokens": int(decision.tokens.sum()),
        "tokens_kept": int(decision.costs[decision.kept].sum()),
        "tied_share": basis.scores.tied_share,
        "focus_blocks": None if decision.focus is None else len(decision.focus),
        "feedback_blocks": len(basis.feedback),
        **({"tokens_rendered": int(basis.tokenizer.count([text])[0])} if counted else {}),
        "kept_text_sha256": hashlib.sha256(text.encode()).hexdigest(),
    }


def _document_facts(document: Document) -> dict[str, Any]:
    from ... import __version__

    pages: dict[str, Any] = {"count": len(document.pages)}
    for status in PageStatus:
        if status is not PageStatus.TEXT:
            pages[status.value] = [page.number for page in document.pages if page.status is status]
    return {
        "layout": LAYOUT,
        "workbench": __version__,
        "document": without_surrogates(document.name),
        "document_sha256": document.sha256,
        "document_type": document.document_type.value,
        "language": document.language.value,
        "pages": pages,
    }


def _question_facts(basis: Basis, cut: Cut, budget_tokens: int | None) -> dict[str, Any]:
    scores = basis.scored
    return {
        "question": without_surrogates(basis.question),
        "scope": None if basis.scope is None else basis.scope.value,
        "scale": scores.scale.value,
        "presence": None if scores.presence is None else float(scores.presence),
        "nothing_relevant": None if scores.nothing_relevant is None else bool(scores.nothing_relevant),
        "words_alone": scores.words_alone,
        "cut": cut_as_data(cut),
        "type_offset": basis.offset,
        "budget_tokens": budget_tokens,
    }


def cut_as_data(cut: Cut) -> dict[str, Any]:
    """Return a cut as the fact of that name."""
    if isinstance(cut, Threshold):
        return {"kind": "threshold", "value": cut.value, "scale": cut.scale.value}
    return {"kind": "token share", "share": cut.share, "min_tokens": cut.min_tokens}


def _model_facts(basis: Basis) -> dict[str, Any]:
    structure = basis.structure
    # A scorer that remembers stands before the one that has the models.
    scorer = getattr(basis.scorer, "scorer", basis.scorer)
    spoken = [rule for rule in structure.rules if structure.spoken_for(rule.name).any()]
    return {
        "scorer": basis.scored.scorer,
        "encoder": _model(getattr(scorer, "encoder", None)),
        "classifier": _model(getattr(scorer, "second_stage", None)),
        "calibration": basis.scored.calibration,
        "rules": structure.table,
        "rules_sha256": structure.sha256,
        "rules_spoken": [
            {"name": rule.name, "weight": rule.weight, "pin": rule.pin, "reason": without_surrogates(rule.reason)}
            for rule in spoken
        ],
        "tokenizer": basis.tokenizer.name,
    }


def _model(model: Any) -> dict[str, str] | None:
    return None if model is None else {"name": str(model.name), "fingerprint": str(model.fingerprint)}


def _profile_facts(basis: Basis, cut: Cut) -> dict[str, Any]:
    used = basis.profile
    return {
        "profile": None if used is None else without_surrogates(used.name),
        "profile_sha256": None if used is None else used.fingerprint,
        "profile_departures": [] if used is None else list(used.departures(basis, cut)),
    }


def _document_cells(document: Document) -> Cells:
    columns, blocks = document.columns, document.blocks
    anchors = [block.anchor for block in blocks]
    return {
        "block_id": range(len(columns)),
        "page": (columns.home_page.astype(int) + 1).tolist(),
        "kind": [KINDS[code].value for code in columns.kind.tolist()],
        "text": list(map(without_surrogates, document.texts)),
        "start_char": [anchor.start_char for anchor in anchors],
        "end_char": [anchor.end_char for anchor in anchors],
        **{
            name: [None if found == NONE else found for found in getattr(columns, name).tolist()]
            for name in ("parent", "table", "continues")
        },
        "is_header": (columns.is_header != 0).tolist(),
    }


def _sections(document: Document) -> list[str]:
    paths: dict[int, str] = {NONE: ""}
    texts = document.texts
    # The headings above a heading stand before it, so their path is known when it comes.
    for heading in np.unique(document.columns.parent).tolist():
        if heading != NONE:
            above = paths[int(document.columns.parent[heading])]
            title = without_surrogates(texts[heading])
            paths[heading] = f"{above} > {title}" if above else title
    return [paths[parent] for parent in document.columns.parent.tolist()]


def _feature_names(basis: Basis) -> list[str]:
    """Features that are looked at: those that need no parse, and those that an enabled rule asks for."""
    from ...structure import FEATURES

    asked = {name for rule in basis.structure.rules if rule.enabled for name in rule.match.names}
    return [name for name, feature in FEATURES.items() if not feature.needs_parse or name in asked]


def _features(document: Document, names: Sequence[str]) -> list[str]:
    from ...structure import features_of

    features = features_of(document, names)
    found: list[list[str]] = [[] for _ in range(len(document))]
    for name in names:
        for block in np.flatnonzero(features[name]).tolist():
            found[block].append(name)
    return [" ".join(of_block) for of_block in found]


def _score_cells(basis: Basis) -> Cells:
    scored, voices = basis.scored, basis.feedback
    return {
        "scored_logit": scored.logits.tolist(),
        "scored_relevance": scored.relevance.tolist(),
        "feedback": [voices[block].factor if block in voices else 1.0 for block in range(len(scored))],
        "share_read": scored.share_read.tolist(),
        **{PART + name: values.tolist() for name, values in scored.parts.items()},
    }


def _voice(voice: RuleVoice) -> str:
    won, pin = "*" if voice.won else "", " pin" if voice.pin else ""
    return f"{voice.rule} x {voice.weight:g}{pin}{won}"


def _ranges(ranges: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{start}-{end}" for start, end in ranges)


_STATUSES: Mapping[int, str] = {int(status): status.name.lower() for status in Status}
