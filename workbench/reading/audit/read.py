"""What a file of an audit holds, before any of it is believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_BYTES = 512 << 20
"""A larger file is no audit."""


class Broken(Exception):
    """Why a file is no audit: the end of a sentence that begins with its name."""


@dataclass(frozen=True)
class Read:
    """The parts of a file.

    Attributes
    ----------
    facts : Any
    columns : tuple of str or None
        In the order of the file; None where a document without blocks has none.
    cells : mapping of str to sequence
        The values of each column.
    seal, signature : Any
    """

    facts: Any
    columns: tuple[str, ...] | None
    cells: Mapping[str, Sequence[Any]]
    seal: Any
    signature: Any
