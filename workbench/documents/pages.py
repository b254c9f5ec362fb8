"""Pages of a document, what they hold, and what a reader must know about them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

OUT_OF_TIME = "out_of_time"
"""Code of the warning that a parse ended early because of its time limit: chance, which no cache keeps."""


class PageStatus(StrEnum):
    """What a page offers to a reader. Their order is part of the cache format: append only."""

    TEXT = "text"
    NO_TEXT = "no text layer"
    BLANK = "blank"
    UNREADABLE = "unreadable"


STATUSES: tuple[PageStatus, ...] = tuple(PageStatus)


@dataclass(frozen=True, slots=True)
class Page:
    """A page, sheet, slide or part.

    Attributes
    ----------
    number : int
        1-based rank in the file.
    label : str
        What the document itself calls it ("iv", "Balance sheet", "Slide 3"), or "".
    status : PageStatus
        Only ``text`` pages have content; the others are counted and shown.
    width, height : float
        Visible size in points, as displayed; nan where the format has no page geometry.
    images : int
        Images on a page without text, else 0.
    start_char, end_char : int
        The page's range of the text layer.
    """

    number: int
    label: str
    status: PageStatus
    width: float
    height: float
    images: int
    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class DocumentWarning:
    """Something that a reader of the document must know.

    Attributes
    ----------
    code : str
        Stable name of the kind of warning, for programs.
    message : str
        One sentence for people.
    pages : tuple of int
        1-based pages that it concerns; empty for the whole document.
    """

    code: str
    message: str
    pages: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision made by readable rules: the value, how sure (0-1), and the reasons in words."""

    value: str
    score: float
    reasons: tuple[str, ...] = ()
