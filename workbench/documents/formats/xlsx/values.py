"""What a spreadsheet cell says, from its stored value and its number format.

Numbers are written as stored, with at most the 15 digits that a spreadsheet keeps and without thousands
separators or currency signs, so that none is rounded; percentages as percentages ("12.5%"), dates and times in ISO
form ("2024-03-31", "2024-03-31 09:30:00", "09:30:00"), durations as hours ("26:30:00"), truth values as TRUE and FALSE.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from enum import Enum

_QUOTED = re.compile(r"\"[^\"]*\"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*.", re.IGNORECASE)
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_DATE_SIGNS = re.compile(r"[ymdhs]|[年月日时分秒時]|aaa", re.IGNORECASE)
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")

_MAC_EPOCH = datetime(1904, 1, 1)
_EPOCH = datetime(1899, 12, 30)
_FIRST_SOUND_SERIAL = 60
"""Serial numbers below it are a day off: the format counts a 29 February 1900 (ISO/IEC 29500-1, 18.17.4.1)."""
_LAST_SERIAL = 2_958_466


class Display(Enum):
    """How the number in a cell is shown."""

    NUMBER = "number"
    PERCENT = "percent"
    DATE = "date"
    DURATION = "duration"


# Built-in formats that a file names by number only. 27-36 and 50-58 are dates in East Asian locales
# (ISO/IEC 29500-1, 18.8.30) and unused in others.
_BUILT_IN: dict[int, Display] = {
    9: Display.PERCENT,
    10: Display.PERCENT,
    46: Display.DURATION,
    **dict.fromkeys([*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)], Display.DATE),
}


def display_of(format_id: int, code: str | None) -> Display:
    """Return how a number format shows a number.

    Examples
    --------
    >>> [display_of(164, code).value for code in ("0.0%", "yyyy-mm-dd", "[h]:mm", '#,##0 "days"', "[Red]0.00")]
    ['percent', 'date', 'duration', 'number', 'number']
    >>> display_of(57, None).value
    'date'
    """
    if code is None:
        return _BUILT_IN.get(format_id, Display.NUMBER)
    first = _QUOTED.sub("", code.split(";")[0])
    if "general" in first.lower():
        return Display.NUMBER
    if _ELAPSED.search(first):
        return Display.DURATION
    if "%" in first:
        return Display.PERCENT
    # The signs of years and days may be quoted in Chinese formats; unquoted letters decide.
    return Display.DATE if _DATE_SIGNS.search(first) else Display.NUMBER


def number_text(stored: str, display: Display, *, mac_dates: bool = False) -> str:
    """Return what a number cell says; a value that is no number stays as stored.

    Examples
    --------
    >>> number_text("7.0000000000000007E-2", Display.PERCENT), number_text("1234567.5", Display.NUMBER)
    ('7%', '1234567.5')
    >>> number_text("45382", Display.DATE), number_text("45382.395833333336", Display.DATE)
    ('2024-03-31', '2024-03-31 09:30:00')
    """
    try:
        value = float(stored)
        digits = Decimal(format(value, ".15g"))
    except (ValueError, OverflowError, InvalidOperation):
        return stored
    if not digits.is_finite():
        return stored
    if display is Display.DATE and 0 <= value < _LAST_SERIAL:
        return _date_text(value, mac_dates)
    if display is Display.DURATION and abs(value) < _LAST_SERIAL:
        return _duration_text(value)
    if display is Display.PERCENT:
        return _plain(digits * 100) + "%"
    return _plain(digits)


def unescape(text: str) -> str:
    """Return a stored string with its ``_x000D_`` escapes resolved (ISO/IEC 29500-1, 22.9.2.19)."""
    return _ESCAPE.sub(_escaped, text) if "_x" in text else text


def _escaped(match: re.Match[str]) -> str:
    code = int(match.group(1), 16)
    # Half of a surrogate pair is no character and could not be encoded again.
    return match.group() if 0xD800 <= code <= 0xDFFF else chr(code)


def _plain(digits: Decimal) -> str:
    if digits == 0:
        return "0"
    if not -10 <= digits.adjusted() < 21:
        return format(float(digits), ".15g")
    text = format(digits, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _date_text(value: float, mac_dates: bool) -> str:
    seconds = round(value * 86_400)
    if value < 1 and seconds < 86_400:
        return str(_clock(seconds))
    if mac_dates:
        moment = _MAC_EPOCH + timedelta(seconds=seconds)
    else:
        moment = _EPOCH + timedelta(seconds=seconds, days=int(value < _FIRST_SOUND_SERIAL))
    return moment.strftime("%Y-%m-%d") if seconds % 86_400 == 0 else moment.isoformat(" ")


def _duration_text(value: float) -> str:
    sign = "-" if value < 0 else ""
    return sign + _clock(round(abs(value) * 86_400))


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
