"""HTML: the text layer is what a reader of the page sees, block after block.

Scripts, styles, templates and hidden elements are no text. A block's locator is the line of the source file.
"""

from __future__ import annotations

import re

from ...draft import Draft
from ...registry import Format
from ...source import ParseContext, Source
from ..decoding import declared_encoding, decoded_file, head_text
from .blocks import add_html

SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")

_DOCTYPE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<!doctype\s+html", re.IGNORECASE | re.DOTALL)
_ROOT = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:html|head|body)(?=[\s>])", re.IGNORECASE | re.DOTALL)
_GOES_ON = re.compile(r"[^<>]*>\s*(?:<|\Z)|[^<>]*\Z")
_TAG = re.compile(
    r"<(p|div|span|table|tr|td|ul|ol|li|h[1-6]|a|br|b|i|strong|em|meta|title|section|article)\b[^<>]*>", re.I
)
_END_TAG = re.compile(r"</(?:p|div|span|table|tr|td|ul|ol|li|h[1-6]|a|title|section|article)\s*>", re.IGNORECASE)


def sniff(source: Source) -> float:
    """Look for the document type, the root element, or enough of HTML's tags."""
    text = head_text(source)
    if text is None:
        return 0.0
    named_so = source.suffix in SUFFIXES
    for beginning, certainty in ((_DOCTYPE, 0.98), (_ROOT, 0.95)):
        match = beginning.match(text)
        # A text about HTML may begin with a tag; a page goes on with another one.
        if match and (named_so or _GOES_ON.match(text, match.end())):
            return certainty
    tags = len(_TAG.findall(text))
    if named_so:
        return 0.6 if tags else 0.2
    is_markup = text.lstrip().startswith("<") and tags >= 2 and _END_TAG.search(text) is not None
    return 0.5 if is_markup else 0.0


def parse(source: Source, context: ParseContext) -> Draft:
    """Read an HTML file.

    Raises
    ------
    DamagedFile
        If the file holds binary data.
    LimitExceeded
        If it takes longer than ``max_seconds`` and ``partial`` is not set.
    """
    draft = Draft()
    text = decoded_file(source, draft, declared=declared_encoding(source.head))
    draft.begin_page()
    add_html(draft, text, context, name=source.name, with_title=True)
    if not draft.blocks:
        draft.warn("empty", f"{source.name} shows no text; if a script writes the page, save the page as displayed.")
    return draft


FORMAT = Format(name="html", suffixes=SUFFIXES, sniff=sniff, parse=parse, version=2, truncatable=True)
