"""One thing that an analyst did: what is written down before it is shown."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ..errors import InvalidOption


@dataclass(frozen=True, slots=True)
class Operation:
    """An action with its values.

    Attributes
    ----------
    kind : str
        What was done, "set_cut" or "edit_rules" and so on.
    values : mapping
        Plain values that JSON can hold.
    id : str
        Its identity: an operation that arrives twice is done once.
    at : str
        When, ISO 8601 in UTC.

    Examples
    --------
    >>> Operation("set_budget", {"tokens": 2000}, id="a", at="2026-11-30T12:00:00+00:00").to_dict()["kind"]
    'set_budget'
    """

    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"id": self.id, "at": self.at, "kind": self.kind, "values": dict(self.values)}

    @classmethod
    def from_dict(cls, data: Any) -> Operation:
        """Return the operation of ``to_dict``, or of a browser, which need not say when.

        Raises
        ------
        InvalidOption
            If it has no kind or id, or its values are no mapping.
        """
        if not isinstance(data, Mapping) or not isinstance(data.get("values", {}), Mapping):
            raise InvalidOption(f"An operation is {data!r:.80}; it needs kind, id and values.")
        kind, name = data.get("kind"), data.get("id")
        if not isinstance(kind, str) or not kind or not isinstance(name, str) or not name:
            raise InvalidOption(f"An operation has the kind {kind!r:.40} and the id {name!r:.40}; both must be texts.")
        at = data.get("at")
        times = {"at": at} if isinstance(at, str) and at else {}
        return cls(kind, dict(data.get("values", {})), id=name, **times)
