"""How lines of certain kinds begin: list items, captions, numbered headings, footnotes, contents entries."""

from __future__ import annotations

import re

BULLET = re.compile("(?:[•●▪◦■□○‣⁃∙·➢➤✓✔❖◆◇▶►–—*\uf0b7\uf0a7\uf0d8\u2043-]|o(?=\\s))\\s*(?=\\S)")
NUMBERED_ITEM = re.compile(
    r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,5})[.)]|\([a-zA-Z0-9]{1,4}\)|[①-⑳]|[（(][一二三四五六七八九十\d]{1,3}[）)]|[一二三四五六七八九十]{1,3}、)\s*(?=\S)"
)
CAPTION = re.compile(
    r"(?:(?:table|figure|fig\.|exhibit|chart|box|plate|abbildung|abb\.|tabelle|listing|algorithm)\s*[A-Z]?\d+(?:[.\-–]\d+)*\s*(?:[.:)|—–-]|$|(?=\s+(?-i:[A-Z])))|[图表]\s*\d+)",
    re.I,
)
CONTINUED = re.compile(r"continued|cont(?:inuation|['’.]?d)?\b|fortsetzung|续", re.I)
PART = re.compile(r"(?:part|teil)\s+(?:[IVX]+|one|two|three|four|five)\b|第[一二三四五六七八九十百\d]+[编部篇]", re.I)
CHAPTER = re.compile(
    r"(?:chapter|kapitel|article|appendix|annex|schedule|exhibit|attachment)\s+(?:[IVXLC]+|\d+|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten)\b|第[一二三四五六七八九十百\d]+[章条]|附录",
    re.I,
)
ITEM = re.compile(r"item\s+\d+[A-C]?\b\.?|第[一二三四五六七八九十百\d]+节", re.I)
NOTE = re.compile(r"note\s+\d+\b", re.I)
SECTION_WORD = re.compile(r"section\s+\d+(?:\.\d+)*\b", re.I)
DECIMAL = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,4})(?P<mark>[.、．]?)\s*(?=[^\W\d_])|(?P<top>\d{1,2}[.、．])\s+(?=\S)"
)
ROMAN = re.compile(r"[IVX]{1,5}[.)]\s+(?=\S)")
LETTER = re.compile(r"[A-Z](?:\.\d{1,2})*[.)]?\s+(?=[A-Z])")
HAN_NUMBER = re.compile(r"[一二三四五六七八九十]{1,3}[、．.]")
HAN_BRACKETED = re.compile(r"[（(][一二三四五六七八九十]{1,3}[）)]")
ARABIC_BRACKETED = re.compile(r"[（(]\d{1,2}[）)]")
ADMONITION = re.compile(r"(?:warning|caution|note|notice|danger|attention|important|tip)s?\s*[!:.]*", re.I)
GENERIC_TITLE = re.compile(
    r"(?:table of )?contents|abstract|preface|foreword|introduction|(?:executive )?summary|overview|index|notes?|"
    r"acknowledge?ments?|inhaltsverzeichnis|vorwort|einleitung|目\s*录|摘\s*要|前\s*言|references",
    re.I,
)
NOT_A_NAME = re.compile(
    r"[=∂∈∑∫√≤≥<>_]|[$€£]\s?\d|^(?:total|totals|subtotal|and|between|by|dated?|signature|page|n/a)\W*$", re.I
)
ENUMERATOR = re.compile(
    r"[(（]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlc]{1,5}|[IVXLC]{1,5}|[一二三四五六七八九十]{1,3})[.)）、:]?|§+\s*\d+(?:\.\d+)*|"
    r"(?:item|note|section|article|part|chapter)\s+(?:\d+(?:\.\d+)*[A-C]?|\w{1,4})[.:]?",
    re.I,
)
BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
NO_NAME = re.compile(r"[\d=∈∩∪⊂→;_]")
BARE_NUMBER = re.compile(
    r"(?:part|chapter|article|section|appendix|annex|schedule|exhibit|attachment|item|note|kapitel|teil)\s+"
    r"(?:[IVXLC]+|\d+|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten)\W*",
    re.I,
)
FILING_COVER = re.compile(r"securities and exchange commission", re.I)
FORM_NAME = re.compile(r"form\s+\d{1,2}-?[A-Z]{1,2}\W*", re.I)
SECOND_SENTENCE = re.compile(r"[a-z\u00df-\u00ff]{3}[.?!]\s+[A-Z(]")
ADDRESS = re.compile(
    r"@|/s/|^by:|\bwww\.|https?:|\(\d{3}\)\s*\d{3}|\b\d{3}-\d{4}\b|\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b|^\d{2,5}\s+(?:\w+\.?\s+){1,4}"
    r"(?:street|st|avenue|ave|road|rd|drive|blvd|boulevard|way|lane|suite)\b|\bp\.?o\.? box\b|D\.C\.\s+\d{5}",
    re.I,
)
DATE_ONLY = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?(?:(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december)\s+\d{1,2},?\s+\d{4}|\d{1,2}\s+\w{3,9}\s+\d{4})",
    re.I,
)
GOES_ON = re.compile(r"(?:\b(?:to|of|and|the|for|in|by|with|or|on|from|under)|,)$", re.I)
FOOTNOTE = re.compile(r"(?:\(\d{1,2}\)|\*{1,3}|[†‡§¶#]|[¹²³⁴-⁹]+|\d{1,3}\s)[.)]?\s*(?=\S)")
CONTENTS_TITLE = re.compile(r"(?:table\s+of\s+contents|contents|index|inhaltsverzeichnis|目\s*录|目\s*次)\W*", re.I)
REFERENCES_TITLE = re.compile(
    r"(?:\d+\.?\s+|[A-Z]\.?\s+)?(?:references|bibliography|works cited|literature cited|"
    r"literatur(?:verzeichnis)?|参考文献)\W*",
    re.I,
)
LEADERS = re.compile(r"(?:\.\s?|…\s?|·\s?|‧\s?){4,}\s*(?P<page>[A-Z]{0,2}-?\d{1,4}|[ivxlc]{1,6})?\s*$")
ENDS_WITH_PAGE = re.compile(r"\s(?P<page>[A-Z]{0,2}-?\d{1,4}|[ivxlc]{1,6})$")
TERMINAL = re.compile(r"[.!?:;。！？：；…][\"'”’)\]）」』》]*$")
HAN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]")


_TWO_LETTERS = re.compile(r"[^\W\d_].*[^\W\d_]", re.S)


def successors(value: str) -> set[str]:
    """What may follow an enumerator's value in a list.

    Examples
    --------
    >>> sorted(successors("a")), sorted(successors("9")), sorted(successors("iv")), sorted(successors("i"))
    (['b'], ['10'], ['v'], ['ii', 'j'])
    """
    found = set()
    if value.isdigit():
        found.add(str(int(value) + 1))
    if len(value) == 1 and "a" <= value < "z":
        found.add(chr(ord(value) + 1))
    if value in _ROMANS[:-1]:
        found.add(_ROMANS[_ROMANS.index(value) + 1])
    return found


_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi")


def is_title_case(text: str) -> bool:
    """Whether every longer word begins with a capital, as names do.

    Examples
    --------
    >>> is_title_case("Approval of Advertising"), is_title_case("Approval of advertising")
    (True, False)
    """
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 3]
    return bool(words) and all(word[0].isupper() for word in words)


def is_caps(text: str) -> bool:
    """Whether all letters are capitals, and there are at least three.

    Examples
    --------
    >>> is_caps("RISK FACTORS"), is_caps("Risk FACTORS"), is_caps("II")
    (True, False, False)
    """
    # isupper() is false where a small letter stands, and blind to letters without case, such as Han characters.
    return text.isupper() and sum(character.isupper() for character in text) >= 3


def has_letters(text: str) -> bool:
    """Whether a text has at least two letters of any script."""
    return _TWO_LETTERS.search(text) is not None
