"""An audit as JSON: facts, seal, and an object a block."""

from __future__ import annotations

import json
from typing import Any

from .read import Broken, Read
from .table import Audit


def json_text(audit: Audit) -> str:
    """Return an audit as one JSON object, a block a line."""
    blocks = ",\n".join(_json(dict(zip(audit.columns, row, strict=True))) for row in audit.rows)
    head: dict[str, Any] = {"facts": dict(audit.facts), "seal": audit.seal}
    if audit.signature is not None:
        head["signature"] = audit.signature
    lines = "\n".join(f'"{name}": {_json(value)},' for name, value in head.items())
    return f'{{{lines}\n"blocks": [\n{blocks}\n]}}\n'


def read_json(data: bytes) -> Read:
    """Return what a JSON file holds; keys beside facts, seal, signature and blocks are not looked at.

    Raises
    ------
    Broken
        If it is no JSON, or does not hold these.
    """
    try:
        found = parsed(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Broken(f"it cannot be read as JSON ({error!s:.80})") from error
    if not isinstance(found, dict) or not {"facts", "seal", "blocks"} <= found.keys():
        raise Broken("it has no facts, seal and blocks")
    blocks = found["blocks"]
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise Broken("its blocks are no list of objects")
    columns = tuple(blocks[0]) if blocks else None
    for number, block in enumerate(blocks):
        if block.keys() != blocks[0].keys():
            raise Broken(f"block {number} has other keys than block 0")
    cells = {name: [block[name] for block in blocks] for name in columns or ()}
    return Read(found["facts"], columns, cells, found["seal"], found.get("signature"))


def parsed(text: str) -> Any:
    """Return what a JSON text says.

    Raises
    ------
    ValueError, RecursionError
        If it is none, or too deep; "NaN" and "Infinity" are no numbers.
    """
    return json.loads(text, parse_constant=_refused)


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no number")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
