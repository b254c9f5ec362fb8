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
    found = parsed(decoded(data))
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


def decoded(data: bytes) -> str:
    """Return the text of a file.

    Raises
    ------
    Broken
        If it is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Broken(f"it is no text in UTF-8 (its byte {error.start:,} is not)") from error


def parsed(text: str, what: str = "it") -> Any:
    """Return what a JSON text says.

    Raises
    ------
    Broken
        If it is none, or too deep; "NaN" and "Infinity" are no numbers.
    """
    try:
        return json.loads(text, parse_constant=_refused)
    except (json.JSONDecodeError, _NoNumber) as error:
        reason = f"{error!s:.80}"
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError:  # Python reads whole numbers of some thousand digits and no more
        reason = "a number in it has too many digits"
    raise Broken(f"{what} cannot be read as JSON ({reason})")


class _NoNumber(ValueError):
    """A word that some programs write where there is no number."""


def _refused(constant: str) -> Any:
    raise _NoNumber(f"{constant} is no number")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
