"""Dates, amounts and the like: one thing that is written in many ways has one term in all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
MONTHS = {name: rank for rank, name in enumerate(_MONTH_NAMES.split(), 1)}
POWERS = {
    "thousand": 3,
    "million": 6,
    "mln": 6,
    "mn": 6,
    "billion": 9,
    "bln": 9,
    "bn": 9,
    "trillion": 12,
    "万": 4,
    "萬": 4,
    "亿": 8,
    "億": 8,
}
"""What a word after a number multiplies it by, as a power of ten."""
_HAN_POWERS = "".join(name for name in POWERS if not name.isascii())
QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}
HAN_DIGITS = {digit: rank for rank, digits in enumerate(("〇○零", *"一二三四五六七八九")) for digit in digits}

_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = "[0-9]{1,2}(?:st|nd|rd|th)?"
_YEAR = "[12][0-9]{3}"
_HAN = "".join(HAN_DIGITS)
_HAN_NUMBER = rf"(?:[0-9]{{1,2}}|[十{_HAN}]{{1,3}})"
_GROUPED = "[0-9]{1,3}(?:,[0-9]{3}){1,6}(?![0-9])|[0-9]{1,2}(?:,[0-9]{2}){1,5},[0-9]{3}(?![0-9])"
GROUPED = rf"(?>{_GROUPED})"
"""A whole number in groups of digits, Western or Indian."""
_NUMBER = rf"(?>{GROUPED}(?:\.[0-9]++)?+|[0-9]++(?:\.[0-9]++)?+)"

Maker = Callable[[str], Iterator[str]]
_DIGITS = re.compile("[0-9]+")
_WORD = re.compile(r"[^\W_]+")


def _date(year: int, month: int, day: int) -> Iterator[str]:
    """Yield the day with and without its year, the month and the year; what is no date yields the year alone."""
    if 1 <= month <= 12 and 0 <= day <= 31:
        if year and day:
            yield f"{year:04d}-{month:02d}-{day:02d}"
        if day:
            yield f"--{month:02d}-{day:02d}"
        if year:
            yield f"{year:04d}-{month:02d}"


def english_date(token: str) -> Iterator[str]:
    """Yield the terms of "May 3, 2018", "3rd of May 2018", "May 2018" or "May 3"."""
    words = [word.casefold() for word in _WORD.findall(token)]
    month = next(MONTHS[word[:3]] for word in words if word[:3] in MONTHS)
    numbers = [int(found) for found in _DIGITS.findall(token)]
    year = next((number for number in numbers if number > 31), 0)
    day = next((number for number in numbers if number <= 31), 0)
    yield from _date(year, month, day)
    yield from words


def chinese_date(token: str) -> Iterator[str]:
    """Yield the terms of "2018年5月3日", "二〇一八年五月", "2018年" or "5月3日"."""
    found = re.split("[年月日号號]", re.sub(r"\s", "", token))[:-1]
    numbers = [han_number(part) for part in found]
    marks = [mark for mark in token if mark in "年月日号號"]
    year = numbers.pop(0) if marks[0] == "年" else 0
    if year:
        yield str(year)
    if numbers:
        yield from _date(year, numbers[0], numbers[1] if len(numbers) > 1 else 0)
    yield from (f"{number}{mark}" for number, mark in zip(numbers, "月日", strict=False))


def numeric_date(token: str) -> Iterator[str]:
    """Yield the terms of "2018-05-03" or "5/3/2018"; the latter is read both ways where it can be."""
    parts = [int(part) for part in _DIGITS.findall(token)]
    yield token
    if parts[0] > 31:
        yield from _date(*parts)
        yield str(parts[0])
    else:
        yield from _date(parts[2], parts[0], parts[1])
        if parts[0] != parts[1]:
            yield from _date(parts[2], parts[1], parts[0])
        yield str(parts[2])


def fiscal_year(token: str) -> Iterator[str]:
    """Yield the terms of "FY2018", "FY 18", "fiscal year 2018" or "2018财年"."""
    (digits,) = _DIGITS.findall(token)
    year = digits if len(digits) == 4 else f"20{digits}"
    words = [word.casefold() for word in _WORD.findall(token)]
    yield from dict.fromkeys((f"fy{year}", year, *(word for word in words if word != "fy")))


def quarter(token: str) -> Iterator[str]:
    """Yield the terms of "third quarter", "3rd quarter" or "第三季度"."""
    words = [word.casefold() for word in _WORD.findall(token)]
    named = next((rank for name, rank in QUARTERS.items() if name in words[0]), 0)
    yield f"q{named or _DIGITS.findall(words[0])[0]}"
    yield from (words if token.isascii() else ("季度",))


def amount(token: str) -> Iterator[str]:
    """Yield the terms of "$1,577 million", "(3.50)", "-4.2 %" or "1,200万"."""
    match = _AMOUNT.fullmatch(token)
    if match is None:
        return
    digits = match["number"].replace(",", "")
    unit = (match["unit"] or "").casefold()
    forms = [digits]
    percent = unit.startswith("per") or unit == "%"
    if "." in digits and (percent or match["currency"]):
        forms.append(digits.rstrip("0").rstrip("."))
    for form in dict.fromkeys(forms):
        yield form
        if percent:
            yield f"{form}%"
        if match["negative"]:
            yield f"-{form}"
    if unit in POWERS and len(digits) <= 32:
        value = Decimal(digits).scaleb(POWERS[unit])
        yield f"{value.normalize():f}"
    if unit != "%":
        yield from unit.split()


def section(token: str) -> Iterator[str]:
    """Yield the terms of "4.2(a)" or "10(b)(5)"."""
    yield token
    yield from re.findall(r"[^\W_]+(?:\.[^\W_]+)*", token)


def version(token: str) -> Iterator[str]:
    """Yield the terms of "4.2.1" or "v1.2": its numbers say nothing one by one."""
    yield token
    if not token[0].isdigit():
        yield token[1:]


def initials(token: str) -> Iterator[str]:
    """Yield "us" for "U.S.": without its stops it is the same abbreviation."""
    yield token.replace(".", "")


def han_number(text: str) -> int:
    """Return the number that digits or Chinese numerals up to 99 write; years are written digit by digit.

    Examples
    --------
    >>> han_number("二〇一八"), han_number("十二"), han_number("三十一"), han_number("07")
    (2018, 12, 31, 7)
    """
    if text.isascii():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return 10 * HAN_DIGITS.get(tens, 1) + HAN_DIGITS.get(ones, 0)
    value = 0
    for digit in text:
        value = 10 * value + HAN_DIGITS[digit]
    return value


AMOUNT = (
    # Only a number with a mark is negative in brackets: "(1,577)" is, "(2018)" and "(3)" are not.
    r"(?:(?P<negative>\((?=[$€£¥]|[0-9,]{0,20}[.,][0-9])|(?<![\w.,)%])-(?=[$€£¥]?[0-9])))?"
    rf"(?P<currency>[$€£¥]\s?)?(?P<number>{_NUMBER})"
    r"(?!\w|[-./:@&'+][^\W_]|\([a-z]{1,4}\))"
    rf"(?:\s{{0,2}}(?P<unit>%|(?i:percent|per\scent|{'|'.join(filter(str.isascii, POWERS))})(?!\w)|[{_HAN_POWERS}]))?"
)
_AMOUNT = re.compile(AMOUNT)

NOTATIONS: tuple[tuple[str, Maker], ...] = (
    (
        rf"(?i:{_MONTH}\.?\s{{1,3}}{_DAY}(?:\s?,\s{{0,3}}|\s{{1,3}}){_YEAR}"
        rf"|{_DAY}\s{{1,3}}(?:of\s)?{_MONTH}(?:\.?,?\s{{1,3}}{_YEAR})?"
        rf"|{_MONTH}\.?,?\s{{1,3}}{_YEAR}|{_MONTH}\.?\s{{1,3}}{_DAY})(?!\w|[-/.,][0-9])",
        english_date,
    ),
    (
        rf"(?:{_YEAR}|[{_HAN}]{{4}})\s{{0,3}}年(?:\s{{0,3}}{_HAN_NUMBER}\s{{0,3}}月(?:\s{{0,3}}{_HAN_NUMBER}\s{{0,3}}[日号號])?)?"
        r"|[0-9]{1,2}\s{0,3}月(?:\s{0,3}[0-9]{1,2}\s{0,3}[日号號])?",
        chinese_date,
    ),
    (
        rf"(?:{_YEAR}(?:-[0-9]{{1,2}}-|/[0-9]{{1,2}}/|\.[0-9]{{1,2}}\.)[0-9]{{1,2}}"
        rf"|[0-9]{{1,2}}(?:-[0-9]{{1,2}}-|/[0-9]{{1,2}}/|\.[0-9]{{1,2}}\.){_YEAR})(?!\w|[-./][^\W_])",
        numeric_date,
    ),
    (rf"(?i:fy|fiscal\s(?:years?\s)?)\s?'?(?:{_YEAR}|[0-9]{{2}})(?!\w)|{_YEAR}\s{{0,3}}(?:财年|財年)", fiscal_year),
    (r"(?i:first|second|third|fourth|1st|2nd|3rd|4th)\squarter(?!\w)|第[一二三四1-4]季度", quarter),
    (r"[0-9]++(?:\.[0-9]++)*+(?:\([a-z0-9]{1,4}\)){1,6}", section),
    (r"(?:[vV][0-9]++(?:\.[0-9]++)++|[0-9]++(?:\.[0-9]++){2,})(?!\w|[-./:@&'+][^\W_])", version),
    (r"(?:[A-Za-z]\.){2,8}(?!\w)", initials),
    (AMOUNT, amount),
)
"""Patterns in the order in which they are tried, and what makes the terms of what they find."""
