"""The pictures of pages that a report holds: each once, all of them within a number of bytes."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...documents import Document
from ...documents.joining import files_of
from ...documents.options import ReadOptions
from ...documents.page_pictures import MEDIA_TYPE, has_picture, page_pictures
from ...documents.progress import showing
from ...errors import InvalidOption, WorkbenchError
from ...reading import Reading
from .places import PagePlaces
from .sizes import fitting

BUDGET_BYTES = 2_700_000
"""Of all pictures in the file; texts, reasons and marks of a filing of 160 pages are 2.2 MB: below 5 MB together."""

_URI = f"data:{MEDIA_TYPE};base64,"
_Page = tuple[str, int]
"""A document's hash, and the page (1-based)."""


@dataclass(frozen=True)
class _Shown:
    """What became of a page: the key of its picture, or the reason why it has none ("" where there was no room)."""

    key: str = ""
    reason: str = ""


@dataclass
class _Wanted:
    """A document, the pages on which any of its readings keeps something, and its number in the report."""

    document: Document
    number: int
    kept: set[int] = field(default_factory=set)


class Pictures:
    """Draws the pages of readings and keeps the pictures, each once.

    A page that some reading keeps something of is drawn larger than one that all of them skip. Readings that are given
    here share the budget page by page; one that ``add`` brings later gets what is left.

    Parameters
    ----------
    readings : sequence of Reading, optional
        All that the report is about: readings of one document share its pictures.
    budget_bytes : int
        Most bytes of all pictures as they stand in the file.
    parts : int
        Into how many equal parts the budget goes, where readings come one by one: ``add`` uses one at most.
    options : ReadOptions, optional
        Password of the files, and limits for drawing.
    progress : bool, optional
        Whether to show progress; by default in terminals and notebooks.

    Attributes
    ----------
    found : dict of str to str
        Key -> data URI.

    Raises
    ------
    InvalidOption
        If the budget or the number of parts is no whole number, of at least 0 and of at least 1.
    """

    def __init__(
        self,
        readings: Sequence[Reading] = (),
        *,
        budget_bytes: int = BUDGET_BYTES,
        parts: int = 1,
        options: ReadOptions | None = None,
        progress: bool | None = None,
    ) -> None:
        for name, value, least in (("budget_bytes", budget_bytes, 0), ("parts", parts, 1)):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InvalidOption(f"{name} is {value!r:.40}; give a whole number of at least {least}.")
        self.found: dict[str, str] = {}
        self._left = budget_bytes
        self._part = budget_bytes // parts
        self._options, self._progress = options, progress
        self._shown: dict[_Page, _Shown] = {}
        self._numbers: dict[str, int] = {}
        self._keys: dict[str, str] = {}
        self.drawing = True
        """Whether pages are drawn at all."""
        if readings:
            self._part = budget_bytes
            self.add(readings)
            self._part = budget_bytes // parts

    @classmethod
    def none(cls) -> Pictures:
        """Return what draws nothing."""
        made = cls()
        made.drawing = False
        return made

    def add(self, readings: Iterable[Reading]) -> None:
        """Draw the documents of readings, but for those that are drawn already."""
        wanted: dict[str, _Wanted] = {}
        for reading in readings:
            document = reading.document
            if document.sha256 in self._numbers or not self.drawing:
                continue
            entry = wanted.setdefault(document.sha256, _Wanted(document, len(self._numbers) + len(wanted) + 1))
            entry.kept |= PagePlaces(document).touched(reading.decision.kept)
        if wanted:
            self._numbers |= {sha256: entry.number for sha256, entry in wanted.items()}
            self._draw(wanted)

    def of(self, document: Document, page: int) -> str:
        """Return the key of a page's picture, or "" where it has none."""
        return self._shown.get((document.sha256, page), _Shown()).key

    def missing(self, document: Document, page: int) -> str | None:
        """Return why a page that could have a picture has none: a sentence, or "" for want of room; else None."""
        shown = self._shown.get((document.sha256, page))
        return None if shown is None or shown.key else shown.reason

    def _draw(self, wanted: Mapping[str, _Wanted]) -> None:
        kept: list[_Page] = []
        skipped: list[_Page] = []
        for sha256, entry in wanted.items():
            for number in range(1, len(entry.document.pages) + 1):
                if has_picture(entry.document, number):
                    (kept if number in entry.kept else skipped).append((sha256, number))
        drawing = _Drawing(wanted, self._options, self._progress)
        widths = fitting(kept, skipped, min(self._left, self._part), drawing)
        for page in sorted([*kept, *skipped], key=lambda page: (wanted[page[0]].number, page[1])):
            if page in widths:
                self._shown[page] = _Shown(self._keep(page, drawing.made[page, widths[page]]))
            else:
                self._shown[page] = _Shown(reason=drawing.missing.get(page, ""))

    def _keep(self, page: _Page, uri: str) -> str:
        """Keep a picture and return its key; equal ones, such as white slides, are one."""
        if uri not in self._keys:
            self._keys[uri] = f"d{self._numbers[page[0]]}p{page[1]}"
            self.found[self._keys[uri]] = uri
            self._left -= len(uri)
        return self._keys[uri]


class _Drawing:
    """Draws pages of several documents, and remembers the pictures, and the reasons where there are none."""

    def __init__(self, wanted: Mapping[str, _Wanted], options: ReadOptions | None, progress: bool | None) -> None:
        self._documents = {sha256: entry.document for sha256, entry in wanted.items()}
        self._options, self._progress = options, progress
        self.made: dict[tuple[_Page, int], str] = {}
        self.missing: dict[_Page, str] = {}

    def __call__(self, widths: Mapping[_Page, int]) -> dict[_Page, int]:
        """Draw pages, and return how long their data URIs are; a page that failed once is not tried again."""
        taken: dict[_Page, int] = {}
        for sha256, document in self._documents.items():
            for file in files_of(document):
                pages = range(file.first_page, file.first_page + file.pages)
                own = {
                    page: widths[sha256, page]
                    for page in pages
                    if (sha256, page) in widths and (sha256, page) not in self.missing
                }
                if own:
                    taken |= self._draw_file(sha256, document, own)
        return taken

    def _draw_file(self, sha256: str, document: Document, widths: Mapping[int, int]) -> dict[_Page, int]:
        """Draw pages of one file: where it is gone or changed, the other files of a folder have their pictures."""
        taken = {}
        try:
            with showing("Drawing pages", self._progress) as report:
                drawn = page_pictures(document, widths, options=self._options, report=report)
        except WorkbenchError as error:
            self.missing |= {(sha256, page): str(error) for page in widths}
            return {}
        for page, picture in drawn.found.items():
            uri = _URI + base64.b64encode(picture.data).decode("ascii")
            self.made[(sha256, page), widths[page]] = uri
            taken[sha256, page] = len(uri)
        self.missing |= {(sha256, page): reason for page, reason in drawn.missing.items()}
        return taken
