"""Numbers in answers, with their scale and unit, and when two of them say the same.

Two quantities are equal if their values are, and no unit contradicts:

- Digits may be grouped (1,577 or 1 577 or 1，577), signed, or in brackets for a negative amount: (1,577).
- Scale words count: 1.5 million = 1,500,000; 2.5 万 = 25,000. Where only one of the two names a scale, their bare
  numbers may be equal too, or differ by exactly a scale, for tables say "in millions" in their head.
- The answer may have more decimals than the gold answer, if it rounds to it; never fewer.
- A percent sign is a unit. 0.08 without a unit equals 8 %.
- A unit that only one of them has, or that is not in the list, is ignored; two known units must be the same one. Units
  are not converted: 90 minutes are not 1.5 hours.
- A number may be a word: up to a hundred in English, in Chinese as it is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

SCALES: dict[str, int] = {
    "thousand": 10**3, "k": 10**3, "million": 10**6, "millions": 10**6, "mn": 10**6, "mio": 10**6,
    "billion": 10**9, "billions": 10**9, "bn": 10**9, "trillion": 10**12,
    "千": 10**3, "万": 10**4, "萬": 10**4, "百万": 10**6, "百萬": 10**6, "千万": 10**7, "千萬": 10**7,
    "亿": 10**8, "億": 10**8, "万亿": 10**12, "萬億": 10**12,
}  # fmt: skip
_UNITS: dict[str, tuple[str, ...]] = {
    "percent": ("%", "percent", "per cent", "pct", "％"),
    "point": ("percentage points", "percentage point", "个百分点", "個百分點"),
    "permille": ("‰",),
    "usd": ("$", "us$", "usd", "dollar", "dollars", "美元"),
    "eur": ("€", "eur", "euro", "euros", "欧元", "歐元"),
    "gbp": ("£", "gbp", "pounds sterling"),
    "cny": ("¥", "cny", "rmb", "yuan", "元", "块", "人民币"),
    "second": ("s", "sec", "second", "seconds", "秒"),
    "minute": ("min", "minute", "minutes", "分钟", "分鐘"),
    "hour": ("h", "hr", "hrs", "hour", "hours", "小时", "小時"),
    "day": ("day", "days", "天", "日"),
    "week": ("week", "weeks", "周", "週"),
    "month": ("month", "months", "个月", "個月"),
    "year": ("year", "years", "年"),
    "mm": ("mm", "毫米"), "cm": ("cm", "厘米"), "m": ("m", "metre", "metres", "meter", "meters", "米"),
    "km": ("km", "公里"), "mg": ("mg", "毫克"), "g": ("g", "gram", "grams", "克"),
    "kg": ("kg", "公斤", "千克"), "t": ("t", "tonne", "tonnes", "吨", "噸"),
    "l": ("l", "litre", "litres", "liter", "liters", "升"), "ml": ("ml", "毫升"),
    "nm": ("nm", "n·m", "n m", "n-m"), "bar": ("bar",), "kpa": ("kpa",), "mpa": ("mpa",), "pa": ("pa",),
    "w": ("w",), "kw": ("kw",), "mw": ("mw",), "kwh": ("kwh", "千瓦时", "度"), "mwh": ("mwh",),
    "v": ("v",), "a": ("a",), "hz": ("hz",), "celsius": ("°c", "℃", "degrees c", "摄氏度"),
}  # fmt: skip
_UNIT_OF = {unicodedata.normalize("NFKC", word).lower(): unit for unit, words in _UNITS.items() for word in words}
_CURRENCIES = ("usd", "eur", "gbp", "cny")
_EN = {
    word: value
    for value, word in enumerate(
        (
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        )
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_ZH = dict(zip("零〇一二三四五六七八九两兩", [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 2], strict=True))
_ZH_STEPS = {"十": 10, "百": 100, "千": 1_000}
_ZH_GREAT = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}


def _one_of(words: Iterable[str]) -> str:
    """Return a pattern for the longest of some words; one that ends in a letter ends there."""
    found = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word) + ("(?![a-z])" if word[-1].isascii() and word[-1].isalpha() else "")
                    for word in found)  # fmt: skip


_DIGITS = r"\d{1,3}(?:[, ]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_QUANTITY = re.compile(
    rf"(?P<open>\()?\s?(?P<sign>[-−])?\s?(?P<before>{_one_of(w for u in _CURRENCIES for w in _UNITS[u])})?\s?"
    rf"(?P<sign2>[-−])?(?P<number>{_DIGITS})(?:\s?(?P<scale>{_one_of(SCALES)}))?"
    rf"(?:\s?(?P<unit>{_one_of(_UNIT_OF)}))?(?P<close>\s?\))?"
)
_EN_WORD = re.compile(rf"\b(?:(?P<tens>{'|'.join(w for w, v in _EN.items() if 20 <= v < 100)})[- ])?"
                      rf"(?P<word>{'|'.join(sorted(_EN, key=len, reverse=True))})\b"
                      rf"(?:\s(?P<scale>{_one_of(SCALES)}))?(?:\s?(?P<unit>{_one_of(_UNIT_OF)}))?")  # fmt: skip
_ZH_WORD = re.compile(rf"(?P<word>[{''.join(_ZH)}十百千万萬亿億]{{1,20}})(?P<unit>{_one_of(_UNIT_OF)})?")
_MOST_DIGITS = 15
"""A longer run of digits is an identifier."""
_MOST = 20_000
"""Characters of an answer in which numbers are looked for."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it was written.

    Attributes
    ----------
    bare : Decimal
        Without its scale.
    scale : int
        1 where none is named.
    unit : str
        One of the known units; "" for none.
    start, end : int
        Where it stands in the text after NFKC.
    """

    bare: Decimal
    scale: int = 1
    unit: str = ""
    start: int = 0
    end: int = 0

    @property
    def value(self) -> Decimal:
        """With its scale."""
        return self.bare * self.scale


def plain(text: str) -> str:
    """Return text in which full-width digits and letters are plain, in lower case."""
    return unicodedata.normalize("NFKC", text).lower()


def quantities(text: str) -> list[Quantity]:
    """Return the numbers of a text in order; words are looked for only where there are no digits.

    Examples
    --------
    >>> [(str(one.value), one.unit) for one in quantities("about US$1.5 million, or 8 %")]
    [('1500000.0', 'usd'), ('8', 'percent')]
    >>> [(str(one.value), one.unit) for one in quantities("六百元")], [str(one.value) for one in quantities("ten days")]
    ([('600', 'cny')], ['10'])
    """
    line = plain(text[:_MOST])
    found = [one for match in _QUANTITY.finditer(line) if (one := _of_digits(match, line)) is not None]
    return found or _of_words(line)


def _of_digits(match: re.Match[str], line: str) -> Quantity | None:
    start = match.start("number")
    end = match.end("number")
    # The 3 of "v3", "MX-3" or "3.3.9" belongs to a name.
    if line[end : end + 1] == "." and line[end + 1 : end + 2].isdigit():
        return None
    before = line[start - 1] if start and match["before"] is None and match["sign2"] is None else ""
    if before and before.isascii() and (before.isalnum() or before in "._"):
        return None
    digits = match["number"].replace(",", "").replace(" ", "")
    if len(digits) > _MOST_DIGITS:
        return None
    number = Decimal(digits)
    hyphen = line[: match.start("sign")][-1:] if match["sign"] else ""
    if hyphen.isascii() and hyphen.isalpha():
        return None
    signed = bool(match["sign2"]) or (bool(match["sign"]) and not hyphen.isalnum())
    negative = signed or (match["open"] is not None and match["close"] is not None and match["unit"] is None)
    unit = _UNIT_OF.get(match["unit"] or "") or _UNIT_OF.get(match["before"] or "") or ""
    scale = SCALES.get(match["scale"] or "", 1)
    return Quantity(-number if negative else number, scale, unit, match.start(), match.end())


def _of_words(line: str) -> list[Quantity]:
    found = []
    for match in _EN_WORD.finditer(line):
        value = _EN[match["word"]] + (_EN[match["tens"]] if match["tens"] else 0)
        unit = _UNIT_OF.get(match["unit"] or "", "")
        found.append(Quantity(Decimal(value), SCALES.get(match["scale"] or "", 1), unit, match.start(), match.end()))
    for match in _ZH_WORD.finditer(line):
        if (number := chinese_number(match["word"])) is not None:
            unit = _UNIT_OF.get(match["unit"] or "", "")
            found.append(Quantity(Decimal(number), 1, unit, match.start(), match.end()))
    return sorted(found, key=lambda one: one.start)


def chinese_number(word: str) -> int | None:
    """Return the number that Chinese characters write, None for none.

    Examples
    --------
    >>> chinese_number("一万二千三百零五"), chinese_number("十二"), chinese_number("二〇二四"), chinese_number("百")
    (12305, 12, 2024, None)
    """
    if all(character in _ZH for character in word):
        return int("".join(str(_ZH[character]) for character in word))
    if word[0] in "百千万萬亿億":
        return None
    total = section = digit = 0
    for character in word:
        if character in _ZH:
            digit = _ZH[character]
        elif character in _ZH_STEPS:
            section += (digit or 1) * _ZH_STEPS[character]
            digit = 0
        else:
            great, small = _ZH_GREAT[character], section + digit
            # 两亿三千万 is a sum, 一万亿 a product.
            total = (total + small) * great if total < great else total + small * great
            section = digit = 0
    return total + section + digit


def same(gold: Quantity, answer: Quantity) -> bool:
    """Return whether two quantities say the same, as the head of this module states.

    Examples
    --------
    >>> (gold,) = quantities("$1,577 million")
    >>> [same(gold, quantities(text)[0]) for text in ("1577", "1.577 billion", "1,578", "€1,577 million")]
    [True, True, False, False]
    """
    if gold.unit and answer.unit and gold.unit != answer.unit:
        return False
    if _equal(gold.value, answer.value, gold, answer):
        return True
    if "percent" in (gold.unit, answer.unit) and not (gold.unit and answer.unit):
        shares = (gold.value, answer.value * 100) if gold.unit else (gold.value * 100, answer.value)
        if shares[0] == shares[1]:
            return True
    if (gold.scale == 1) == (answer.scale == 1):
        return False
    if _equal(gold.bare, answer.bare, gold, answer):
        return True
    return any(
        _equal(gold.value * scale, answer.value, gold, answer) or _equal(gold.value, answer.value * scale, gold, answer)
        for scale in sorted(set(SCALES.values()))
    )


def _equal(gold: Decimal, answer: Decimal, gold_as: Quantity, answer_as: Quantity) -> bool:
    if gold == answer:
        return True
    exponent, finer = gold_as.bare.as_tuple().exponent, answer_as.bare.as_tuple().exponent
    if not isinstance(exponent, int) or not isinstance(finer, int) or not finer < exponent < 0:
        return False
    if gold_as.scale != answer_as.scale or gold != gold_as.value:
        return False
    return answer_as.bare.quantize(gold_as.bare, rounding=ROUND_HALF_UP) == gold_as.bare


def only_quantity(text: str) -> Quantity | None:
    """Return the quantity that a text is; None for any other text.

    Before the number may stand "about" and the like, after it a known unit, or one word or a few Chinese characters.

    Examples
    --------
    >>> only_quantity("58 Nm").bare, only_quantity("约 3 名员工").bare, only_quantity("above 85 %")
    (Decimal('58'), Decimal('3'), None)
    """
    line = plain(text)
    found = quantities(line)
    if len(found) != 1 or len(line) > _LONGEST:
        return None
    one = found[0]
    before, after = line[: one.start].strip(_AROUND), line[one.end :].strip(_AROUND)
    if before not in _ABOUT or any(character.isdigit() or character in "-–~" for character in after):
        return None
    if any("\u4e00" <= character <= "\u9fff" for character in after):
        return one if len(after) <= _FEW_CHARACTERS else None
    return one if len(after.split()) <= 1 else None


_LONGEST = 60
_FEW_CHARACTERS = 3
_AROUND = " .。,，;；:：!"
_ABOUT = ("", "about", "approximately", "around", "roughly", "some", "≈", "~", "约", "大约", "約", "大約")
