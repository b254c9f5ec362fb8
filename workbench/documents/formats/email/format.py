"""E-mails (.eml): subject, addresses, body, attachments by name, and messages that are forwarded whole.

The text layer holds the decoded header lines and bodies, in order. Of alternatives, the plain text is read; HTML
only where there is no plain text; its paragraphs and lists follow the rules of text files. Quoted lines ("> ...")
are paragraphs of their own with the place "quoted".
"""

from __future__ import annotations

import re
from email import policy
from email.message import Message
from email.parser import BytesParser
from typing import Any

from ....errors import UnsafeFile
from ...blocks import BlockKind
from ...draft import Draft
from ...registry import Format
from ...source import HEAD_BYTES, ParseContext, Source
from ..html.blocks import add_html
from ..lines import Line, split_lines
from ..pacing import Pace
from ..text.prose import ProseReader
from .parts import body_parts, content, embedded_message, file_name, header_text, text_of

_FIELDS = ("From", "To", "Cc", "Bcc", "Reply-To", "Date")
_TRANSPORT = {"message-id", "received", "mime-version", "return-path", "delivered-to", "dkim-signature", "content-type"}
_LETTER = {"from", "to", "subject", "date", "cc", "sender", "reply-to"}
_HEADER_LINE = re.compile(r"([!-9;-~]+):(?:[ \t]|$)")
_QUOTE = re.compile(r"[ \t]*[>＞]")
_WRAPPED = 45
"""Characters: mail programs wrap lines that are longer than this, not shorter."""
_BREAK = re.compile(r"\r\n|\n|\r")

DEEPEST_MESSAGE = 10
"""Messages inside messages that are read."""


def sniff(source: Source) -> float:
    """Return how sure it is that a file is an e-mail, by the names of its first header lines."""
    text = source.head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    names: set[str] = set()
    lines = _BREAK.split(text)
    if len(source.head) == HEAD_BYTES:
        # The last line may be cut off.
        lines.pop()
    for rank, line in enumerate(lines):
        if not line:
            break
        match = _HEADER_LINE.match(line)
        if match:
            names.add(match.group(1).lower())
            continue
        # Before the first header only the line of a mailbox may stand, after it only continued lines.
        fits = line[0] in " \t" if names else rank == 0 and line.startswith("From ")
        if not fits:
            return 0.0
    return _certainty(names, source.suffix in FORMAT.suffixes)


def _certainty(names: set[str], named_so: bool) -> float:
    transport, letter = names & _TRANSPORT, names & _LETTER
    if letter and transport and len(names) > 2:
        return 0.95
    if named_so:
        return 0.9 if letter or transport else 0.0
    return 0.6 if {"from", "subject"} <= names and names & {"to", "date"} else 0.0


def parse(source: Source, context: ParseContext) -> Draft:
    """Read an e-mail.

    Raises
    ------
    UnsafeFile
        If its parts are nested deeper than any program writes them.
    """
    draft = Draft()
    draft.begin_page()
    try:
        message = BytesParser(policy=policy.default).parsebytes(source.data)
        _MessageReader(source, context, draft).read(message, depth=1)
    except RecursionError as error:
        raise UnsafeFile(f"{source.name} nests its parts too deeply to be an e-mail; it was not opened.") from error
    return draft


class _MessageReader:
    """Writes a message and those inside it."""

    def __init__(self, source: Source, context: ParseContext, draft: Draft) -> None:
        self.source = source
        self.context = context
        self.draft = draft
        self.pace = Pace(draft, context, source.name)
        self.attachments: list[str] = []

    def read(self, message: Message[Any, Any], *, depth: int) -> None:
        """Write one message; ``depth`` is 1 for the outermost."""
        place = "" if depth == 1 else f"message {depth}, "
        attached: list[str] = []
        self._headers(message, depth, place)
        for kind, part in body_parts(message):
            if not self.pace.goes_on(0):
                self.pace.give_up()
                break
            if kind == "plain":
                self._plain(self._text(part), place)
            elif kind == "html":
                self._html(self._text(part), place)
            elif kind == "message":
                self._embedded(part, depth)
            else:
                attached.append(_described(part))
        for name in attached:
            self._block(BlockKind.LIST_ITEM, f"Attachment: {name}", f"{place}attachment", level=1)
        self.attachments += attached
        if depth == 1:
            self._warn()

    def _headers(self, message: Message[Any, Any], depth: int, place: str) -> None:
        subject = header_text(message, "Subject")
        if subject:
            self._block(BlockKind.HEADING, subject, f"{place}subject", level=min(depth, 6))
        for name in _FIELDS:
            value = header_text(message, name)
            if value:
                self._block(BlockKind.FORM_FIELD, f"{name}: {value}", f"{place}{name.lower()}")

    def _embedded(self, part: Message[Any, Any], depth: int) -> None:
        inner = embedded_message(part)
        if inner is None:
            return
        if depth < DEEPEST_MESSAGE:
            self.read(inner, depth=depth + 1)
            return
        self.draft.warn(
            "nested_messages", f"{self.source.name} nests more than {depth} messages; the rest is not read."
        )

    def _text(self, part: Message[Any, Any]) -> str:
        decoded = text_of(part)
        if decoded.replaced:
            self.draft.warn(
                "replaced_characters",
                f"{decoded.replaced} characters of {self.source.name} do not fit its charset {decoded.encoding} and "
                "are shown as \ufffd.",
            )
        return decoded.text

    def _html(self, text: str, place: str) -> None:
        add_html(self.draft, text, self.context, locator_prefix=place)
        self.draft.write("\n")

    def _plain(self, text: str, place: str) -> None:
        """Write a text and add its blocks as those of a text file; runs end where quoting changes, too."""
        base = self.draft.write(text).start
        self.draft.write("\n")
        reader = ProseReader(self.draft, text, base=base, headings=False)
        reader.page = len(self.draft.pages) - 1
        run: list[Line] = []
        quoted = False
        for line in split_lines(text):
            content = text[line.start : line.end]
            is_quote = bool(_QUOTE.match(content))
            if run and (not content.strip() or is_quote != quoted):
                self._add_run(reader, run, place, quoted=quoted)
                run = []
            if content.strip():
                quoted = is_quote
                run.append(line)
        self._add_run(reader, run, place, quoted=quoted)

    @staticmethod
    def _add_run(reader: ProseReader, run: list[Line], place: str, *, quoted: bool) -> None:
        """Lines that are short though nothing wraps them are an address, a signature or verse: they stay apart."""
        reader.locator = place + ("quoted" if quoted else "body")
        reader.keep_lines = quoted or all(line.end - line.start < _WRAPPED for line in run)
        reader.add_run(run)

    def _block(self, kind: BlockKind, text: str, locator: str, *, level: int = 0) -> None:
        self.draft.add(kind, self.draft.write(text), level=level, locator=locator)
        self.draft.write("\n")

    def _warn(self) -> None:
        if self.attachments:
            shown = ", ".join(self.attachments[:10]) + (", …" if len(self.attachments) > 10 else "")
            count = len(self.attachments)
            what = "1 attachment that was" if count == 1 else f"{count:,} attachments that were"
            them = "it by itself" if count == 1 else "them by themselves"
            self.draft.warn(
                "attachments", f"{self.source.name} has {what} not read ({shown:.400}); save and open {them}."
            )
        if not self.draft.blocks:
            self.draft.warn("empty", f"{self.source.name} holds no text; there is nothing to read in it.")


def _described(part: Message[Any, Any]) -> str:
    """Return an attachment's name, or its type, and its size."""
    name = file_name(part) or part.get_content_type()
    size = len(content(part))
    return f"{name} ({size} bytes)" if size < 1024 else f"{name} ({round(size / 1024):,} KB)"


FORMAT = Format(name="email", suffixes=(".eml",), sniff=sniff, parse=parse, version=2)
