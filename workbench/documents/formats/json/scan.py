"""A scanner of JSON text that knows where every value stands, without recursion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ....errors import WorkbenchError

_TOKEN = re.compile(
    r"[ \t\n\r]*+(?:"
    r"(\"(?:[^\"\\\x00-\x1f]++|\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}))*+\")"
    r"|([{}\[\],:])"
    r"|((?:-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null|NaN|-?Infinity))"
    r")"
)
_SPACE = re.compile(r"[ \t\n\r]*+")

OPEN, CLOSE, KEY, STRING, SCALAR = range(5)


class Event(NamedTuple):
    """Something met in the text: a container that opens or closes, a key, a string, another scalar."""

    kind: int
    start: int
    end: int


class JsonError(WorkbenchError):
    """The text is not JSON at a place.

    Attributes
    ----------
    offset : int
        Where, in characters of the text.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset

    def __reduce__(self) -> tuple[type[JsonError], tuple[str, int]]:
        return JsonError, (str(self), self.offset)


def scan(text: str, start: int, end: int) -> Iterator[Event]:
    """Yield the events of the one JSON value in a range.

    Raises
    ------
    JsonError
        Where the grammar is broken; events before that place have been yielded.
    """
    stack: list[bool] = []
    # What may come next: "v" value, "V" value or "]", "k" key, "K" key or "}", ":" colon, "," comma or end.
    expects = "v"
    at = start
    match_token = _TOKEN.match
    while True:
        match = match_token(text, at, end)
        if match is None:
            place = _skip_space(text, at, end)
            raise JsonError(_expected(expects, stack, place >= end), place)
        at = match.end()
        which = match.lastindex or 0
        low = match.start(which)
        if which == 1 and expects in "kK":
            yield Event(KEY, low, at)
            expects = ":"
            continue
        if which != 2:
            if expects not in "vV":
                raise JsonError(_expected(expects, stack, False), low)
            yield Event(STRING if which == 1 else SCALAR, low, at)
        else:
            sign = text[low]
            if sign in "{[" and expects in "vV":
                stack.append(sign == "{")
                yield Event(OPEN, low, at)
                expects = "K" if stack[-1] else "V"
                continue
            if sign == ":" and expects == ":":
                expects = "v"
                continue
            if sign == "," and expects == "," and stack:
                expects = "k" if stack[-1] else "v"
                continue
            closes = stack and sign == ("}" if stack[-1] else "]") and expects in ("K" if stack[-1] else "V") + ","
            if not closes:
                raise JsonError(_expected(expects, stack, False), low)
            stack.pop()
            yield Event(CLOSE, low, at)
        expects = ","
        if not stack:
            rest = _skip_space(text, at, end)
            if rest < end:
                raise JsonError("more text follows after the value", rest)
            return


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the 1-based line and column of a character."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _skip_space(text: str, at: int, end: int) -> int:
    match = _SPACE.match(text, at, end)
    return match.end() if match else at


def _expected(expects: str, stack: list[bool], at_end: bool) -> str:
    wanted = {
        "v": "a value",
        "V": "a value or ]",
        "k": "a key in quotes",
        "K": "a key in quotes or }",
        ":": "a colon",
        ",": ("a comma or }" if stack[-1] else "a comma or ]") if stack else "the end",
    }[expects]
    return f"{wanted} is expected, but the text ends" if at_end else f"{wanted} is expected"
