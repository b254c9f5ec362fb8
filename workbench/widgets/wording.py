"""The words that widgets show: one file a section and language, in ``words``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..wording import LANGUAGES, checked_language, section_of

__all__ = ["LANGUAGES", "checked_language", "words_of"]

_FOLDER = Path(__file__).resolve().parent / "words"


def words_of(sections: Iterable[str], language: str) -> dict[str, str]:
    """Return the words of some sections by key; ``{name}`` in one stands for what the widget puts there.

    Examples
    --------
    >>> words_of(["common"], "zh")["close"]
    '关闭'
    """
    checked_language(language)
    return {key: text for section in sections for key, text in section_of(_FOLDER, section, language).items()}
