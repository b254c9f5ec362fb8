"""What types, languages and figures are called in the report's language; a name of somebody else's stays as it is."""

from __future__ import annotations

from .wording import Say


def type_name(kind: str, say: Say) -> str:
    """Return a document type."""
    return _named(f"type.{kind}", kind, say)


def language_name(language: str, say: Say) -> str:
    """Return the language of a document."""
    return _named(f"language.{language}", language, say)


def figure_name(name: str, say: Say) -> str:
    """Return a figure of a profile."""
    return _named(f"figure.{name}", name, say)


def _named(key: str, name: str, say: Say) -> str:
    try:
        return say(key)
    except KeyError:
        return name
