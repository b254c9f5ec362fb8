"""The PDF format: recognised by its header, read in page ranges, by one process or several."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....errors import DamagedFile, LimitExceeded
from ...draft import Draft
from ...pages import OUT_OF_TIME, PageStatus
from ...registry import Format
from ...source import ParseContext, Source
from .outline import OutlineEntry, attachment_names, has_dynamic_form, read_outline, read_page_labels
from .page.extraction import PageRange, read_native_range, read_range
from .page.native import open_native
from .page.pdfium import open_pdf
from .structure.assembly import assemble

if TYPE_CHECKING:
    from ...workers.sandbox import RunJobs

_NAMED = 5  # attachments
_RANGES, _LEAST_RANGE_PAGES = 8, 4  # a short document is divided too, so that no worker waits for another one
RANGE_PAGES = 24
"""Pages read at a time: enough to repay a call to a worker, few enough for flat memory and smooth progress."""
_HEADER, _HEADER_WITHIN = b"%PDF-", 1_024  # PDF 32000-1, annex H, note 13


@dataclass(frozen=True, slots=True)
class PdfFacts:
    """What is known of a PDF before its pages are read."""

    pages: int
    native: bool
    outline: tuple[OutlineEntry, ...]
    labels: tuple[str, ...]
    attachments: tuple[str, ...] = ()
    dynamic_form: bool = False


def sniff(source: Source) -> float:
    """Certain at the header; a file without one is tried if it has objects and the suffix."""
    if source.head.startswith(b"PK\x03\x04"):
        return 0.0  # an archive whose first member is a PDF
    if _HEADER in source.head[:_HEADER_WITHIN]:
        return 1.0
    return 0.3 if source.suffix == ".pdf" and b" obj" in source.head else 0.0


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a PDF in this process."""
    facts = read_facts(source, context)
    wanted = pages_to_read(source, context, facts)
    ranges: list[PageRange] = []
    for first, last in page_ranges(wanted):
        ranges.append(read_pages(source, context, facts.native, first, last, done=first, total=wanted))
        if len(ranges[-1].page_start) < last - first:
            break
    return _draft(source, context, facts, ranges)


def distribute(source: Source, context: ParseContext, run_jobs: RunJobs) -> Draft:
    """Read a PDF by several worker processes, each a range of pages at a time."""
    from . import jobs

    place = {"path": str(source.path), "name": source.name}
    found = json.loads(next(iter(run_jobs(f"{jobs.__name__}:facts", [place]))))
    facts = PdfFacts(
        found["pages"],
        found["native"],
        tuple(OutlineEntry(**entry) for entry in found["outline"]),
        tuple(found["labels"]),
        tuple(found["attachments"]),
        found["dynamic_form"],
    )
    wanted = pages_to_read(source, context, facts)
    bounds = page_ranges(wanted)
    arguments = [
        {**place, "native": facts.native, "first": first, "last": last, "units": last - first} for first, last in bounds
    ]
    packed = run_jobs(f"{jobs.__name__}:pages", arguments)
    return _draft(source, context, facts, list(_until_short(map(PageRange.unpack, packed), bounds)))


def _until_short(ranges: Iterable[PageRange], bounds: Sequence[tuple[int, int]]) -> Iterator[PageRange]:
    """Ranges up to the first that ended early; pages after a gap would be misnumbered."""
    for found, (first, last) in zip(ranges, bounds, strict=True):
        yield found
        if len(found.page_start) < last - first:
            return


def read_facts(source: Source, context: ParseContext) -> PdfFacts:
    """Open a PDF and read what concerns the whole of it.

    Raises
    ------
    EncryptedFile, DamagedFile
        If neither pdfium nor pdfplumber can open it.
    """
    try:
        with open_pdf(source, context.options.password) as document:
            count = len(document)
            if count == 0:
                raise DamagedFile(f"{source.name} has no pages; open it in a viewer and save it again.")
            return PdfFacts(
                count,
                False,
                tuple(read_outline(document)),
                tuple(read_page_labels(document, count)),
                tuple(attachment_names(document)),
                has_dynamic_form(document),
            )
    except DamagedFile as refusal:
        try:
            with open_native(source, context.options.password) as document:
                return PdfFacts(len(document.pages), True, (), ())
        except DamagedFile:
            raise refusal from None


def pages_to_read(source: Source, context: ParseContext, facts: PdfFacts) -> int:
    """Return how many pages to read.

    Raises
    ------
    LimitExceeded
        If there are more than ``max_pages`` and ``partial`` is not set.
    """
    limit = context.options.max_pages
    if facts.pages > limit and not context.options.partial:
        raise LimitExceeded(
            f"{source.name} has {facts.pages:,} pages, more than max_pages={limit:,}; raise max_pages, or set "
            "partial=True to read the first ones.",
            setting="max_pages",
            limit=limit,
            value=facts.pages,
        )
    return min(facts.pages, limit)


def page_ranges(pages: int) -> list[tuple[int, int]]:
    """Divide the pages into ranges (0-based, end exclusive)."""
    step = min(RANGE_PAGES, max(_LEAST_RANGE_PAGES, pages // _RANGES))
    return [(first, min(pages, first + step)) for first in range(0, pages, step)]


def read_pages(
    source: Source, context: ParseContext, native: bool, first: int, last: int, *, done: int, total: int
) -> PageRange:
    """Read a range of pages; with ``partial`` it ends early when time is up, but has at least one page."""

    def each(count: int) -> None:
        context.report(done + count, total)
        if not context.options.partial:
            context.check_time(source.name)

    def stop() -> bool:
        return context.options.partial and context.out_of_time

    if native:
        with open_native(source, context.options.password) as document:
            return read_native_range(document, first, last, each=each, stop=stop)
    with open_pdf(source, context.options.password) as document:
        return read_range(document, source, first, last, each=each, stop=stop)


def _draft(source: Source, context: ParseContext, facts: PdfFacts, ranges: list[PageRange]) -> Draft:
    def check_time() -> None:
        # What was read in time is worth the second that it takes to put it together.
        if not context.options.partial:
            context.check_time(source.name)

    draft = assemble(ranges, facts.outline, facts.labels, check_time=check_time)
    _warn(draft, context, facts, source)
    return draft


def _warn(draft: Draft, context: ParseContext, facts: PdfFacts, source: Source) -> None:
    """Say what a reader must know of the pages."""
    for status, code, words in (
        (
            PageStatus.NO_TEXT,
            "no_text",
            (
                "no text layer (images only): its content cannot be read or searched",
                "no text layer (images only): their content cannot be read or searched",
            ),
        ),
        (
            PageStatus.UNREADABLE,
            "unreadable",
            (
                "a text layer that spells no readable text: it is left out",
                "a text layer that spells no readable text: they are left out",
            ),
        ),
    ):
        pages = [number for number, page in enumerate(draft.pages, 1) if page.status is status]
        if pages:
            alone = len(pages) == 1
            which = f"Page {pages[0]} has" if alone else f"{len(pages)} of {facts.pages} pages have"
            draft.warn(code, f"{which} {words[not alone]}.", pages)
    if facts.native:
        draft.warn("damaged", f"{source.name} is damaged; its text was recovered, tables and outline were not.")
    if draft.pages and all(page.status is PageStatus.BLANK for page in draft.pages):
        draft.warn("blank", f"{source.name} has blank pages only: there is nothing to read.")
    if facts.attachments:
        count, names = len(facts.attachments), ", ".join(facts.attachments[:_NAMED])
        some = "an attachment" if count == 1 else f"{count} attachments"
        draft.warn("attachments", f"{source.name} holds {some} not read here ({names}); save and open it by itself.")
    if facts.dynamic_form:
        draft.warn("dynamic_form", f"{source.name} is an XFA form; only its static pages can be read.")
    read = len(draft.pages)
    if read < min(facts.pages, context.options.max_pages):
        draft.warn(
            OUT_OF_TIME,
            f"Only {read} of {facts.pages} pages were read within max_seconds={context.options.max_seconds:g}.",
        )
    elif read < facts.pages:
        draft.warn("truncated", f"Only the first {read} of {facts.pages} pages were read (max_pages).")


FORMAT = Format(name="pdf", suffixes=(".pdf",), sniff=sniff, parse=parse, distribute=distribute, version=5)
