"""What types, languages, pages and figures are called in the report's language; names of others stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...documents.joining import FORMAT as JOINED
from ...documents.joining import files_of
from ..wording import Say

if TYPE_CHECKING:
    from ...documents import Document

_PLACES = {"pdf": "page", "docx": "page", "pptx": "slide", "xlsx": "sheet"}


def type_name(kind: str, say: Say) -> str:
    """Return a document type."""
    return _named(f"type.{kind}", kind, say)


def language_name(language: str, say: Say) -> str:
    """Return the language of a document."""
    return _named(f"language.{language}", language, say)


def figure_name(name: str, say: Say) -> str:
    """Return a figure of a profile."""
    return _named(f"figure.{name}", name, say)


def kinds_of_pages(document: Document) -> list[str]:
    """Return for each page whether it is a page, a slide, a sheet, a file, a part, or the whole document."""
    kinds = ["page"] * len(document.pages)
    for file in files_of(document):
        rest = "part" if file.pages > 1 else "file" if document.format == JOINED else "whole"
        kind = _PLACES.get(file.format, rest)
        kinds[file.first_page - 1 : file.first_page - 1 + file.pages] = [kind] * file.pages
    return kinds


def unit_of(document: Document) -> str:
    """Return what the pages of a document are called together: pages, where they are not all of one other kind."""
    kinds = set(kinds_of_pages(document)) - {"whole"}
    return kinds.pop() if len(kinds) == 1 else "page"


def _named(key: str, name: str, say: Say) -> str:
    try:
        return say(key)
    except KeyError:
        return name
