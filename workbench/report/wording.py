"""The words of reports, in English and Chinese."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..wording import checked_language, section_of

FOLDER = Path(__file__).resolve().parent / "words"

Say = Callable[..., str]
"""Gives the words of a key, with ``{name}`` in them filled in; ``n=…`` chooses "key.one" where it is 1."""


def saying(section: str, language: str) -> Say:
    """Return what gives the words of a section.

    Raises
    ------
    InvalidOption
        For another language.
    """
    words = section_of(FOLDER, section, checked_language(language))

    def say(key: str, **values: object) -> str:
        one = f"{key}.one"
        text = words[one if values.get("n") == 1 and one in words else key]
        return text.format(**{name: _shown(value) for name, value in values.items()})

    return say


def _shown(value: object) -> object:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else value
