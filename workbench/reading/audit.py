"""A reading as a table that an auditor can keep: every block, every number, and what they were made with."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..documents.blocks import KINDS
from ..documents.surrogates import without_surrogates
from ..printing import spreadsheet_safe
from .basis import Basis
from .cuts import Cut
from .decision import Decision
from .reasons import reasons_of
from .selection import Status

if TYPE_CHECKING:
    import pandas as pd

    from ..structure import RuleVoice

LAYOUT = 1
"""Version of the names and meanings below."""
FINGERPRINTS = ("document_sha256", "scorer", "calibration", "rules_sha256", "tokenizer", "workbench")
"""Facts that stand in every row of the CSV, so that the file tells by itself what it was made with."""

_FIRST = ("block_id", "page", "kind", "section", "text", "start_char", "end_char", "tokens", "tokens_kept", "logit")
_LAST = (
    *("share_read", "relevance", "scale", "feedback", "weight", "rules"),
    *("priority", "threshold", "offset", "margin", "status", "kept", "reason", "focus"),
)


@dataclass(frozen=True)
class Audit:
    """Every block of a reading with all its numbers.

    Attributes
    ----------
    facts : mapping
        What holds for the whole reading: document, question, cut, budget, bound, counts, notes, fingerprints.
    columns : tuple of str
        block_id, page (1-based), kind, section (titles joined by " > "), text, start_char, end_char (text layer),
        tokens, tokens_kept, logit, one ``part_…`` for each part of the logit, share_read (0-1), relevance (0-1), scale,
        feedback (factor, 1 without), weight, rules (those that spoke, "*" behind those that won), priority, threshold,
        offset, margin, status, kept, reason, focus (ranges of the block's text).
    rows : tuple of tuple
        One a block, in the order of the document; None where there is no value.
    """

    facts: Mapping[str, Any]
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return the table as CSV that is safe to open in a spreadsheet, and write it to ``path`` if one is given.

        A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers. The
        fingerprints stand at the end of every row. A file is UTF-8 with the mark that spreadsheets know it by.
        """
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*self.columns, *FINGERPRINTS])
        last = [_cell(self.facts[name]) for name in FINGERPRINTS]
        writer.writerows([*map(_cell, row), *last] for row in self.rows)
        return _written(stream.getvalue(), path, "utf-8-sig")

    def to_json(self, path: str | Path | None = None) -> str:
        """Return facts and blocks as one JSON object, a block a line, and write it to ``path`` if one is given."""
        lines = [
            json.dumps(dict(zip(self.columns, map(_plain, row), strict=True)), ensure_ascii=False, allow_nan=False)
            for row in self.rows
        ]
        facts = json.dumps(dict(self.facts), ensure_ascii=False, allow_nan=False)
        blocks = ",\n".join(lines)
        return _written(f'{{"facts": {without_surrogates(facts)},\n"blocks": [\n{blocks}\n]}}\n', path, "utf-8")

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a DataFrame with ``columns``; the facts are in its ``attrs``."""
        import pandas as pd

        frame = pd.DataFrame([tuple(map(_plain, row)) for row in self.rows], columns=pd.Index(self.columns))
        frame.attrs.update(self.facts)
        return frame

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Audit({self.facts['document']!r}, {len(self.rows):,} blocks, {len(self.columns)} columns)"


def audit_of(basis: Basis, cut: Cut, decision: Decision, *, budget_tokens: int | None, notes: Sequence[str]) -> Audit:
    """Return the audit of a decision."""
    parts = sorted(basis.scores.parts)
    columns = (*_FIRST, *(f"part_{name}" for name in parts), *_LAST)
    facts = _facts(basis, cut, decision, budget_tokens, notes)
    return Audit(MappingProxyType(facts), columns, tuple(_rows(basis, decision, parts)))


def _facts(
    basis: Basis, cut: Cut, decision: Decision, budget_tokens: int | None, notes: Sequence[str]
) -> dict[str, Any]:
    from .. import __version__

    document = basis.document
    return {
        "layout": LAYOUT,
        "document": without_surrogates(document.name),
        "document_sha256": document.sha256,
        "document_type": document.document_type.value,
        "question": without_surrogates(basis.question),
        "scope": None if basis.scope is None else basis.scope.value,
        "scale": basis.scores.scale.value,
        "tied_share": basis.scores.tied_share,
        "presence": basis.scores.presence,
        "nothing_relevant": basis.scores.nothing_relevant,
        "cut": str(cut),
        "threshold": decision.threshold,
        "offset": decision.offset,
        "bound": decision.bound.value,
        "budget_tokens": budget_tokens,
        "blocks": len(document),
        "blocks_kept": int(decision.kept.sum()),
        "tokens": int(decision.tokens.sum()),
        "tokens_kept": int(decision.costs[decision.kept].sum()),
        "scorer": basis.scores.scorer,
        "calibration": basis.scores.calibration,
        "rules": basis.structure.table,
        "rules_sha256": basis.structure.sha256,
        "tokenizer": basis.tokenizer.name,
        "workbench": __version__,
        "notes": [without_surrogates(note) for note in notes],
    }


def _rows(basis: Basis, decision: Decision, parts: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    document, scores = basis.document, basis.scores
    titles: dict[tuple[int, ...], str] = {}
    numbers = zip(
        decision.tokens.tolist(),
        decision.costs.tolist(),
        scores.logits.tolist(),
        zip(*(scores.parts[name].tolist() for name in parts), strict=True) if parts else [()] * len(document),
        scores.share_read.tolist(),
        scores.relevance.tolist(),
        basis.structure.weights.tolist(),
        basis.priority.tolist(),
        decision.margin.tolist(),
        decision.status.tolist(),
        reasons_of(basis, decision),
        strict=True,
    )
    for block, values in zip(document.blocks, numbers, strict=True):
        tokens, cost, logit, part, share, relevance, weight, priority, margin, status, reason = values
        if block.section not in titles:
            titles[block.section] = " > ".join(document.texts[heading] for heading in block.section)
        voice = basis.feedback.get(block.block_id)
        focus = decision.focus.get(block.block_id) if decision.focus else None
        yield (
            block.block_id,
            block.page,
            KINDS[int(document.columns.kind[block.block_id])].value,
            titles[block.section],
            block.text,
            block.anchor.start_char,
            block.anchor.end_char,
            tokens,
            0 if status == Status.SKIPPED else cost,
            logit,
            *part,
            share,
            relevance,
            scores.scale.value,
            voice.factor if voice else 1.0,
            weight,
            "; ".join(map(_voice, basis.structure.trace(block.block_id))),
            priority,
            decision.threshold,
            decision.offset,
            margin,
            Status(status).name.lower(),
            status != Status.SKIPPED,
            reason,
            " ".join(f"{start}-{end}" for start, end in focus) if focus else None,
        )


def _voice(voice: RuleVoice) -> str:
    won, pin = "*" if voice.won else "", " pin" if voice.pin else ""
    return f"{voice.rule} x {voice.weight:g}{pin}{won}"


def _cell(value: Any) -> Any:
    value = _plain(value)
    return spreadsheet_safe(value) if isinstance(value, str) else "" if value is None else value


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    return None if isinstance(value, float) and math.isnan(value) else value


def _written(text: str, path: str | Path | None, encoding: str) -> str:
    if path is not None:
        with Path(path).open("w", encoding=encoding, newline="") as stream:
            stream.write(text)
    return text
