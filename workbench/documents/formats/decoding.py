"""From bytes to text: which encoding a file is in, and whether it is text at all."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from ...errors import DamagedFile
from ..draft import Draft
from ..source import HEAD_BYTES, Source

BOMS: tuple[tuple[bytes, str], ...] = (
    # UTF-32 little endian begins with the mark of UTF-16 little endian, so it is asked first.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

BINARY_SIGNATURES: tuple[bytes, ...] = (
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x89PNG",
    b"GIF87a",
    b"GIF89a",
    b"\xff\xd8\xff",
    b"\x7fELF",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"PAR1",
    b"SQLite format 3\x00",
    b"{\\rtf",
)
"""First bytes of files that are no plain text, even where they could be decoded."""

# Tab, line feed, vertical tab, form feed, carriage return, backspace, bell and escape do occur in logs and listings.
_CONTROL = bytes(c for c in range(32) if c not in b"\t\n\v\f\r\b\a\x1b") + b"\x7f"
_MOST_CONTROL = 0.02
_SAMPLE_BYTES = 1 << 18

# The hundred or so characters that make up about half of running Chinese text, and its punctuation.
_COMMON_CHINESE = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实"
    "，。、；：？！“”《》（）　"
)
_WESTERN = frozenset("àâäáãåçéèêëíìîïñóòôöõøúùûüÿßæœÀÂÄÁÃÅÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØÚÙÛÜŸÆŒ‘’“”„–—…•€£¥©®°§·«»²³½¼™ \xad")
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.IGNORECASE)


class Decoded(NamedTuple):
    """A text, the codec that read it, and how many bytes or characters it could not read."""

    text: str
    encoding: str
    replaced: int = 0


def looks_binary(head: bytes) -> bool:
    """Say whether the first bytes of a file cannot be those of a text file.

    Examples
    --------
    >>> looks_binary(b"%PDF-1.7 ..."), looks_binary("Umsätze".encode()), looks_binary("ab".encode("utf-16"))
    (True, False, False)
    """
    if any(head.startswith(mark) for mark, _ in BOMS):
        return False
    if head.startswith(BINARY_SIGNATURES):
        return True
    controls = len(head) - len(head.translate(None, _CONTROL))
    return controls > _MOST_CONTROL * len(head) and _utf16_without_mark(head) is None


def decode(data: bytes, *, declared: str | None = None) -> Decoded:
    """Decode the bytes of a text file; the byte order mark is no part of the text.

    Parameters
    ----------
    data : bytes
        The whole file, or a first part of it.
    declared : str, optional
        The encoding that the file names itself; believed unless the bytes are UTF-8.

    Returns
    -------
    Decoded
        Every file can be decoded: ``looks_binary`` says whether it makes sense.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _lossy(data[len(mark) :], encoding)
    # Latin text in UTF-16 is sound UTF-8 as well, with a zero after each letter.
    wide = _utf16_without_mark(data[:HEAD_BYTES])
    if wide is not None:
        return _lossy(data, wide)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        cut_off = error.start >= len(data) - 3 and "unexpected end" in error.reason
        if cut_off:
            return _lossy(data, "utf-8")
    for candidate in (_declared(data, declared), _damaged_utf8(data), _chinese(data), _western(data)):
        if candidate is not None:
            return candidate
    return _guessed(data)


def head_text(source: Source) -> str | None:
    """Return the decoded first bytes of a file for a sniffer, or None when they are binary."""
    if looks_binary(source.head):
        return None
    return decode(source.head, declared=declared_encoding(source.head)).text


def decoded_file(source: Source, draft: Draft, *, declared: str | None = None) -> str:
    """Decode a file and tell the reader when it is not plain UTF-8.

    Raises
    ------
    DamagedFile
        If the file holds binary data.
    """
    data = source.data
    if looks_binary(data[:HEAD_BYTES]):
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise DamagedFile(
                f"{source.name} holds binary data, not text; open it with the suffix of its real format."
            ) from error
    decoded = decode(data, declared=declared)
    if decoded.encoding != "utf-8":
        draft.warn("encoding", f"{source.name} is not UTF-8; it was read as {decoded.encoding}.")
    if decoded.replaced:
        draft.warn(
            "undecodable",
            f"{decoded.replaced:,} characters of {source.name} could not be read as {decoded.encoding} and are "
            "shown as \ufffd.",
        )
    return decoded.text


def decoded_draft(source: Source) -> tuple[Draft, str]:
    """Return a draft whose text layer is the decoded file, on one page and without blocks yet, and that text.

    Raises
    ------
    DamagedFile
        If the file holds binary data.
    """
    draft = Draft(line_based=True)
    text = decoded_file(source, draft)
    draft.begin_page()
    draft.write(text)
    return draft, text


def declared_encoding(head: bytes) -> str | None:
    """Return the encoding that the head of an HTML file names, or None."""
    match = _CHARSET.search(head[:2_048])
    return match.group(1).decode("ascii") if match else None


def _lossy(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, errors="replace")
        return Decoded(text, encoding, text.count("\ufffd"))


def _utf16_without_mark(head: bytes) -> str | None:
    """Latin text in UTF-16 has a zero in nearly every second byte."""
    even, odd = head[0::2], head[1::2]
    if len(head) < 16:
        return None
    zeros_even, zeros_odd = even.count(0) / len(even), odd.count(0) / len(odd)
    if zeros_odd > 0.4 and zeros_even < 0.05:
        return "utf-16-le"
    if zeros_even > 0.4 and zeros_odd < 0.05:
        return "utf-16-be"
    return None


def _declared(data: bytes, declared: str | None) -> Decoded | None:
    if declared is None:
        return None
    try:
        # GB2312 pages use characters of its superset, and no browser tells them apart.
        name = codecs.lookup(declared).name
        name = "gb18030" if name in ("gb2312", "gbk") else "cp1252" if name in ("iso8859-1", "ascii") else name
        text = data.decode(name)
    except (LookupError, UnicodeError, ValueError):
        return None
    return Decoded(text, name) if isinstance(text, str) else None


def _damaged_utf8(data: bytes) -> Decoded | None:
    """Text that is UTF-8 but for a few broken bytes must not be turned into another encoding as a whole."""
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    sound = len(text) - len(text.encode("ascii", errors="ignore")) - broken
    if sound > 0 and broken <= 0.05 * sound:
        return Decoded(text, "utf-8", broken)
    return None


def _chinese(data: bytes) -> Decoded | None:
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError as error:
        if error.start < len(data) - 4:
            return None
        text = data.decode("gb18030", errors="replace")
    sample = text[: _SAMPLE_BYTES // 2]
    wide = [char for char in sample if char > "\x7f"]
    # Characters of the original GB 2312 have both bytes above 0xA0; Latin-1 and Big5 read as GB seldom do.
    plain = sum(len(code) == 2 and code[1] > 0xA0 for code in (char.encode("gb18030") for char in wide))
    common = sum(char in _COMMON_CHINESE for char in wide)
    if plain < 0.85 * len(wide) or common < 0.1 * len(wide):
        return None
    return Decoded(text, "gb18030", text.count("\ufffd"))


def _western(data: bytes) -> Decoded | None:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    sample = text[:_SAMPLE_BYTES]
    wide = [char for char in sample if char > "\x7f"]
    likely = sum(char in _WESTERN for char in wide)
    if likely < 0.95 * len(wide) or len(wide) > 0.3 * len(sample):
        return None
    return Decoded(text, "cp1252")


def _guessed(data: bytes) -> Decoded:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE_BYTES]).best()
    for encoding in (best.encoding if best is not None else "cp1252", "cp1252"):
        try:
            return Decoded(data.decode(encoding), encoding)
        except (LookupError, UnicodeDecodeError):
            continue
    return Decoded(data.decode("latin-1"), "latin-1")
