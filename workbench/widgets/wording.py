"""The words that widgets show, in English and Chinese: one file a section and language, in ``words``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ..errors import InvalidOption

LANGUAGES = ("en", "zh")
_FOLDER = Path(__file__).resolve().parent / "words"


def checked_language(language: str) -> str:
    """Return the language, or refuse one without words.

    Raises
    ------
    InvalidOption
    """
    if language not in LANGUAGES:
        raise InvalidOption(f"language is {language!r:.40}; choose from {', '.join(LANGUAGES)}.")
    return language


def words_of(sections: Iterable[str], language: str) -> dict[str, str]:
    """Return the words of some sections by key; ``{name}`` in one stands for what the widget puts there.

    Examples
    --------
    >>> words_of(["common"], "zh")["close"]
    '关闭'
    """
    checked_language(language)
    return {key: text for section in sections for key, text in _section(section, language).items()}


@cache
def _section(section: str, language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((_FOLDER / f"{section}.{language}.json").read_text(encoding="utf-8"))
    return found
