"""The seal of an audit: a hash of all that it says, and where there is a key a signature of that."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import InvalidOption

LEAST_KEY_BYTES = 16
"""A shorter key can be guessed."""


def seal_of(facts: Mapping[str, Any], columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return the SHA-256 of facts, columns and rows, in hex: the same whatever file they are in.

    What is hashed is the ASCII JSON ``[facts, columns, rows]`` without spaces, the keys of every object sorted, numbers
    as Python writes them; whole numbers among the facts stand without a fraction.
    """
    said = [_whole(dict(facts)), list(columns), list(rows)]
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def signature_of(seal: str, key: bytes) -> str:
    """Return the HMAC-SHA-256 of a seal, in hex.

    Raises
    ------
    InvalidOption
        For a key that is no bytes, or fewer than 16.
    """
    if not isinstance(key, bytes) or len(key) < LEAST_KEY_BYTES:
        given = f"{len(key)} bytes" if isinstance(key, bytes) else f"of type {type(key).__name__}"
        raise InvalidOption(
            f"The key for the signature is {given}; give at least {LEAST_KEY_BYTES} bytes, such as "
            "secrets.token_bytes(32)."
        )
    return hmac.new(key, seal.encode("ascii"), hashlib.sha256).hexdigest()


def same(left: str, right: str) -> bool:
    """Return whether two seals or signatures are one, in a time that does not tell where they differ."""
    return hmac.compare_digest(left.encode("utf-8", "replace"), right.encode("utf-8", "replace"))


def _whole(value: Any) -> Any:
    """Write 1.0 as 1: other programs that pass facts on do so, and mean the same."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(found) for key, found in value.items()}
    return [_whole(found) for found in value] if isinstance(value, list) else value
