"""Keeps an API key out of everything that is written or shown."""

from __future__ import annotations

import re

HIDDEN = "[redacted]"
_BEARER = re.compile(r"(?i)\bbearer\s+[!-~]{4,}")
# Servers echo a key with its middle starred out.
_SHAPED = re.compile(r"\b(?:sk|pk|key)-[\w*.-]{6,}")
_LEAST = 4


class Redactor:
    """Replaces an API key, and what looks like one, in text.

    Parameters
    ----------
    key : str or None

    Examples
    --------
    >>> Redactor("abcd-1234")("Incorrect API key provided: abcd-1234")
    'Incorrect API key provided: [redacted]'
    """

    __slots__ = ("_key",)

    def __init__(self, key: str | None) -> None:
        self._key = key

    def __call__(self, text: str) -> str:
        if self._key and len(self._key) >= _LEAST:
            text = text.replace(self._key, HIDDEN)
        return _SHAPED.sub(HIDDEN, _BEARER.sub(HIDDEN, text))

    def key_only(self, text: str) -> str:
        """Replace the key alone: in an answer, what only looks like a key may be the document's own text."""
        return text.replace(self._key, HIDDEN) if self._key and len(self._key) >= _LEAST else text

    def __repr__(self) -> str:
        return "Redactor()"

    def __reduce__(self) -> tuple[type[Redactor], tuple[None]]:
        return Redactor, (None,)
