"""Words that people see, in English and Chinese: JSON files, one a section and language."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from .errors import InvalidOption

LANGUAGES = ("en", "zh")


def checked_language(language: str) -> str:
    """Return the language, or refuse one without words.

    Raises
    ------
    InvalidOption
    """
    if language not in LANGUAGES:
        raise InvalidOption(f"language is {language!r:.40}; choose from {', '.join(LANGUAGES)}.")
    return language


@cache
def section_of(folder: Path, section: str, language: str) -> dict[str, str]:
    """Return the words of one section by key, from ``folder/section.language.json``."""
    found: dict[str, str] = json.loads((folder / f"{section}.{language}.json").read_text(encoding="utf-8"))
    return found
