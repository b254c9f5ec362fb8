"""Small pictures of many pages, drawn in jobs of many pages each: what fails costs its own page, never the rest."""

from __future__ import annotations

import io
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..errors import AnchorMismatch, InvalidOption, LimitExceeded, ParserFailed
from .document import Document
from .joining import JoinedFile, files_of
from .opening import file_sha256
from .options import ReadOptions
from .page_images import path_of, picture_size
from .source import ParseContext, Report
from .workers.pool import cores
from .workers.render import unpacked
from .workers.sandbox import JobRunner

MEDIA_TYPE = "image/webp"
JOB_PAGES = 12
"""Pages of one job: enough that opening the file does not count, few enough that two workers end together."""
MOST_FAULTS = 5
"""Pages of one file that may crash or hold up the renderer before the others are left alone."""

_JOB = "workbench.documents.workers.render:pictures"

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PagePicture:
    """The picture of a page: a whole WebP file, and its width and height in pixels."""

    data: bytes
    width: int
    height: int

    def __repr__(self) -> str:
        return f"PagePicture({self.width} x {self.height}, {len(self.data):,} bytes)"


@dataclass(frozen=True, slots=True)
class PagePictures:
    """What came of drawing pages.

    Attributes
    ----------
    found : dict of int to PagePicture
        By page (1-based).
    missing : dict of int to str
        For each page that could not be drawn, the reason in one sentence.
    """

    found: dict[int, PagePicture] = field(default_factory=dict)
    missing: dict[int, str] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        """Of all pictures together."""
        return sum(len(picture.data) for picture in self.found.values())

    def __repr__(self) -> str:
        return f"PagePictures({len(self.found):,} pages, {self.bytes:,} bytes, {len(self.missing):,} missing)"


def page_pictures(
    document: Document,
    widths: Mapping[int, int],
    *,
    options: ReadOptions | None = None,
    report: Report | None = None,
) -> PagePictures:
    """Draw pages as they are displayed, each at its own width; see ``page_image`` for one of them in full.

    Parameters
    ----------
    document : Document
        A page without geometry (of a text, of a spreadsheet) has no picture and is not missing; a slide is white.
    widths : mapping of int to int
        Page (1-based) -> width of its picture in pixels; a page that would be too large is drawn smaller.
    options : ReadOptions, optional
        Password, and limits: ``max_memory_mb``, and ``max_seconds`` in which some page must be finished.
    report : callable, optional
        ``report(done, total)`` in pages; what it raises ends the drawing.

    Returns
    -------
    PagePictures
        The same document and widths give the same bytes.

    Raises
    ------
    InvalidOption
        If a width is no whole number above 0.
    AnchorMismatch
        If the document has no such page, or its file is another one by now.
    FileMissing
        If the file is not there any more, or was opened inside an archive.
    EncryptedFile, DamagedFile
        If the file cannot be opened.
    """
    sizes = _sizes(document, widths)
    made = PagePictures()
    tell = report or _tell_nobody
    for file in files_of(document):
        own = {page: size for page, size in sizes.items() if file.first_page <= page < file.first_page + file.pages}
        if not own:
            continue
        if file.format == "pdf":
            _FileDrawing(document, file, options or ReadOptions(), made, (len(sizes), tell)).draw(own)
        else:
            made.found.update((page, PagePicture(_white(size), *size)) for page, size in own.items())
        tell(len(made.found) + len(made.missing), len(sizes))
    return made


def has_picture(document: Document, page: int) -> bool:
    """Whether a page (1-based) has a geometry to be drawn in."""
    place = document.pages[page - 1]
    return 0 < place.width < math.inf and 0 < place.height < math.inf


def _sizes(document: Document, widths: Mapping[int, int]) -> dict[int, Size]:
    sizes = {}
    for page in sorted(widths):
        width = widths[page]
        if not 1 <= page <= len(document.pages):
            raise AnchorMismatch(f"{document.name} has no page {page}; its pages are 1 to {len(document.pages)}.")
        if isinstance(width, bool) or not isinstance(width, int) or width < 1:
            raise InvalidOption(f"The width of page {page} is {width!r:.40}; give a whole number of pixels above 0.")
        if has_picture(document, page):
            place = document.pages[page - 1]
            sizes[page] = picture_size(place, width / place.width)
    return sizes


class _FileDrawing:
    """Draws pages of one file: many a job; where a job fails, page by page until the one at fault is known."""

    def __init__(
        self,
        document: Document,
        file: JoinedFile,
        options: ReadOptions,
        made: PagePictures,
        progress: tuple[int, Report],
    ) -> None:
        self._file = file
        self._path: Path = path_of(document, file)
        if file_sha256(self._path) != file.sha256:
            raise AnchorMismatch(f"{file.name} has changed since it was opened; open it again to draw its pages.")
        self._options = options
        self._made = made
        self._total, self._report = progress

    def draw(self, sizes: Mapping[int, Size]) -> None:
        """Draw all pages, or say of each why not."""
        waiting, faults = dict(sizes), 0
        while waiting and self._attempt(waiting, JOB_PAGES, self._options) is not None:
            suspects = dict(list(waiting.items())[: JOB_PAGES * (self._options.workers or cores())])
            known = set(suspects)
            error = self._attempt(suspects, 1, replace(self._options, workers=1))
            for page in known - set(suspects):
                del waiting[page]
            if error is None:
                continue
            fault = next(iter(suspects))
            del waiting[fault]
            self._made.missing[fault] = f"Page {self._number(fault)} of {self._file.name} could not be drawn: {error}"
            faults += 1
            if faults == MOST_FAULTS:
                for page in waiting:
                    self._made.missing[page] = (
                        f"Page {self._number(page)} of {self._file.name} was not drawn, "
                        f"because {faults} pages before it could not be."
                    )
                return

    def _attempt(self, waiting: dict[int, Size], at_once: int, options: ReadOptions) -> Exception | None:
        """Draw what is waiting and take off it what is done; return what ended it, a crash or a limit."""
        pages = list(waiting)
        jobs = [pages[first : first + at_once] for first in range(0, len(pages), at_once)]
        # The watch looks after the time of a page; all of them together may take as long as they do.
        whole = replace(options, max_seconds=options.max_seconds * (len(pages) + 1))
        runner = JobRunner(whole, name=self._file.name)
        before = len(self._made.found) + len(self._made.missing)
        runner.context.report = _Watch(runner.context, options.max_seconds, (before, self._total), self._report)
        arguments = [self._arguments(job, waiting) for job in jobs]
        try:
            for job, result in zip(jobs, runner(_JOB, arguments), strict=True):
                for page, (data, reason) in zip(job, unpacked(result), strict=True):
                    size = waiting.pop(page)
                    if data:
                        self._made.found[page] = PagePicture(data, *size)
                    else:
                        self._made.missing[page] = reason
        except (ParserFailed, LimitExceeded) as error:
            return error
        return None

    def _arguments(self, job: Sequence[int], sizes: Mapping[int, Size]) -> dict[str, object]:
        pages = [[self._number(page), *sizes[page]] for page in job]
        return {"path": str(self._path), "name": self._file.name, "pages": pages, "units": len(job)}

    def _number(self, page: int) -> int:
        return page - self._file.first_page + 1


class _Watch:
    """Passes progress on, and ends the drawing when no page was finished for ``max_seconds``."""

    def __init__(self, context: ParseContext, seconds: float, counts: tuple[int, int], report: Report) -> None:
        self._context, self._made = context, context.started
        self._seconds = seconds
        self._before, self._total = counts
        self._report = report
        self._done = 0
        self._since = math.inf

    def __call__(self, done: int, total: int) -> None:
        """Take the progress of one attempt, which also comes without news."""
        del total
        now = time.monotonic()
        # The context's clock begins with the first worker: waiting for those that draw for others is no delay.
        begun = self._context.started != self._made
        if begun and (self._since == math.inf or done > self._done):
            self._since = now
        self._done = max(done, self._done)
        self._report(min(self._before + self._done, self._total), self._total)
        if now - self._since > self._seconds:
            raise LimitExceeded(
                f"it took longer than {self._seconds:g} s; raise max_seconds.",
                setting="max_seconds",
                limit=self._seconds,
                value=round(now - self._since, 1),
            )


def _white(size: Size) -> bytes:
    from PIL import Image as Images

    out = io.BytesIO()
    Images.new("L", size, 255).save(out, format="WEBP", lossless=True)
    return out.getvalue()


def _tell_nobody(done: int, total: int) -> None:
    del done, total
