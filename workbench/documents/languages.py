"""Which language a document is written in."""

from __future__ import annotations

from collections.abc import Sequence

from .pages import Verdict


def language_of(texts: Sequence[str]) -> Verdict:
    """Decide between "en", "zh" and "other" from the blocks' texts."""
    raise NotImplementedError
