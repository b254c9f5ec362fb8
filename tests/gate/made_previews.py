"""Previews with chosen numbers, and the vocabulary of a text."""

from __future__ import annotations

from typing import Any

from workbench.gate.preview import Preview
from workbench.gate.preview.vocabulary import vocabulary_of

MANUAL = "The pump is serviced every 500 hours. The seal of the pump is replaced once a year by the operator."
HANDBOOK = "水泵每500小时保养一次。水泵的密封件由操作员每年更换一次。"


def made(tokens: int = 40_000, *, text: str = MANUAL, language: str = "en", **chosen: Any) -> Preview:
    """A preview of an artifact with so many tokens and the words of a text."""
    values: dict[str, Any] = {"name": "manual.pdf", "pages": 40, "preview_tokens": 800, **chosen}
    vocabulary = vocabulary_of([text], language)
    return Preview(tokens=tokens, language=language, vocabulary=vocabulary, **values)
