"""Parts of an e-mail: which are its body, which are attachments, and what the bytes of a text part say."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from email.header import decode_header
from email.message import Message
from typing import Any, NamedTuple

from ..decoding import Decoded, decode

# The policy of the standard library parses structured headers and fails on some malformed ones with these.
_HEADER_FAULTS = (ValueError, IndexError, AttributeError, KeyError, TypeError, LookupError)
# Mail programs name the smaller set and send characters of the larger one.
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}
_FEW = 10
"""A charset is believed if at most one character in so many does not fit it."""
_SPACES = re.compile(r"\s+")


class BodyPart(NamedTuple):
    """A part to read: ``kind`` is "plain", "html", "message" or "attachment"."""

    kind: str
    part: Message[Any, Any]


def header_text(message: Message[Any, Any], name: str) -> str:
    """Return a header on one line, decoded, or "" where it is missing; malformed ones as far as they can be read."""
    try:
        value = message.get(name)
        text = "" if value is None else str(value)
    except _HEADER_FAULTS:
        text = _raw_header(message, name)
    # Half a surrogate pair stands for a byte that no charset explains.
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return _SPACES.sub(" ", text).strip()


def _raw_header(message: Message[Any, Any], name: str) -> str:
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    parts = []
    try:
        for value, charset in decode_header(raw):
            parts.append(value if isinstance(value, str) else decode(value, declared=charset).text)
    except _HEADER_FAULTS:
        return raw
    return "".join(parts)


def body_parts(message: Message[Any, Any]) -> Iterator[BodyPart]:
    """Yield the parts of a message in order: of alternatives, plain text before HTML and HTML before others."""
    kind = message.get_content_type()
    if kind == "message/rfc822":
        yield BodyPart("message", message)
    elif kind == "multipart/alternative" and _children(message):
        yield from _best_alternative(message)
    elif _children(message):
        for part in _children(message):
            yield from body_parts(part)
    elif kind.startswith("multipart/"):
        # A multipart without parts lost its boundary: what it holds is text at best.
        yield BodyPart("plain", message)
    elif kind in ("text/plain", "text/html") and not _is_attachment(message):
        yield BodyPart(kind.removeprefix("text/"), message)
    else:
        yield BodyPart("attachment", message)


def _best_alternative(message: Message[Any, Any]) -> Iterator[BodyPart]:
    choices = [list(body_parts(part)) for part in _children(message)]
    for kind in ("plain", "html"):
        for choice in choices:
            if any(found.kind == kind and text_of(found.part).text.strip() for found in choice):
                yield from choice
                return
    yield from choices[0]


def _children(message: Message[Any, Any]) -> list[Message[Any, Any]]:
    payload = message.get_payload()
    if not message.is_multipart() or not isinstance(payload, list):
        return []
    return [part for part in payload if isinstance(part, Message)]


def _is_attachment(part: Message[Any, Any]) -> bool:
    return _safely(part.get_content_disposition) == "attachment" or bool(file_name(part))


def file_name(part: Message[Any, Any]) -> str:
    """Return the name that an attachment gives itself, without any folder, or ""."""
    name = _safely(part.get_filename) or ""
    return _SPACES.sub(" ", str(name).replace("\\", "/").rpartition("/")[2]).strip()


def embedded_message(part: Message[Any, Any]) -> Message[Any, Any] | None:
    """Return the message inside a ``message/rfc822`` part."""
    children = _children(part)
    return children[0] if children else None


def text_of(part: Message[Any, Any]) -> Decoded:
    """Return the text of a part: in its declared charset if nearly all of it fits, else as its bytes suggest."""
    data = content(part)
    declared = _safely(part.get_content_charset)
    try:
        codec = codecs.lookup(declared or "ascii").name
        text = data.decode(_WIDER.get(codec, codec), "replace")
    except (LookupError, ValueError):
        return decode(data)
    replaced = text.count("\ufffd")
    if codec != "ascii" and 0 < replaced * _FEW <= len(text) and not _is_utf8(data):
        return Decoded(text, codec, replaced)
    return decode(data, declared=_WIDER.get(codec, codec))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def content(part: Message[Any, Any]) -> bytes:
    """Return the bytes of a part after base64 or quoted-printable, b"" where it has none."""
    payload = _safely(lambda: part.get_payload(decode=True))
    if isinstance(payload, bytes):
        return payload
    raw = part.get_payload()
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _safely(read: Any) -> Any:
    try:
        return read()
    except _HEADER_FAULTS:
        return None
