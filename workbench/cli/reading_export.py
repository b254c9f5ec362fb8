"""A reading for programs: as JSON, as CSV, or as the text that a model would see."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..printing import printable
from .export import utf8_stdout

if TYPE_CHECKING:
    from ..reading import Reading


def reading_facts(reading: Reading, explain: Sequence[int] = ()) -> dict[str, Any]:
    """Return a reading as plain JSON data.

    Returns
    -------
    dict
        facts and seal (as in the audit), saving, kept, pinned, context (block ids), kept_text, explanations, blocks (as
        in the audit).
    """
    audit = json.loads(reading.audit().to_json())
    return {
        "facts": audit["facts"],
        "seal": audit["seal"],
        "saving": asdict(reading.saving),
        "kept": list(reading.kept_ids),
        "pinned": list(reading.pinned_ids),
        "context": list(reading.context_ids),
        "kept_text": reading.kept_text,
        "explanations": [reading.explain(block).to_dict() for block in explain],
        "blocks": audit["blocks"],
    }


def write_json(reading: Reading, explain: Sequence[int] = ()) -> None:
    """Print a reading as one object, a key a line and a block a line."""
    facts = reading_facts(reading, explain)
    blocks = ",\n".join(_json(block) for block in facts.pop("blocks"))
    lines = [f"{_json(name)}: {_json(value)}" for name, value in facts.items()]
    head = ",\n".join([*lines, f'"blocks": [\n{blocks}\n]'])
    utf8_stdout().write(f"{{{head}}}\n")


def write_csv(reading: Reading) -> None:
    """Print the audit: every block with its numbers, safe to open in a spreadsheet."""
    utf8_stdout().write(reading.audit().to_csv())


def write_text(reading: Reading) -> None:
    """Print the kept text: verbatim for a program, without what would steer it on a terminal."""
    text = reading.kept_text
    if sys.stdout.isatty():
        text = "\n".join(map(printable, text.split("\n")))
    utf8_stdout().write(f"{text}\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
