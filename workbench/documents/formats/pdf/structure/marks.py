"""How lines of certain kinds begin or end: list items, captions, footnotes, references, sentences."""

from __future__ import annotations

import re

BULLET = re.compile("(?:[•●▪◦■□○‣⁃∙·➢➤✓✔❖◆◇▶►–—*\uf0b7\uf0a7\uf0d8\u2043-]|o(?=\\s))\\s*(?=\\S)")
NUMBERED_ITEM = re.compile(
    r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,5})[.)]|\([a-zA-Z0-9]{1,4}\)|[①-⑳]|[（(][一二三四五六七八九十\d]{1,3}[）)]|[一二三四五六七八九十]{1,3}、)\s*(?=\S)"
)
CAPTION = re.compile(
    r"(?:(?:table|figure|fig\.|exhibit|chart|box|plate|abbildung|abb\.|tabelle|listing|algorithm)\s*[A-Z]?\d+(?:[.\-–]\d+)*\s*(?:[.:)|—–-]|$|(?=[(\[]?cont)|(?=\s+(?-i:[A-Z])))|[图表]\s*\d+)",
    re.I,
)
CONTINUED = re.compile(r"continued|cont(?:inuation|['’.]?d)?\b|fortsetzung|续", re.I)
FOOTNOTE = re.compile(r"(?:\(\d{1,2}\)|\*{1,3}|[†‡§¶#]|[¹²³⁴-⁹]+|\d{1,3}\s)[.)]?\s*(?=\S)")
REFERENCES_TITLE = re.compile(
    r"(?:\d+\.?\s+|[A-Z]\.?\s+)?(?:references|bibliography|works cited|literature cited|"
    r"literatur(?:verzeichnis)?|参考文献)\W*",
    re.I,
)
HAN_CLAUSE = re.compile("[。；，、：][\"'”’)\\]）」』》]*$")
"""The end of a Chinese clause or sentence; a Chinese name ends in none of these signs."""
TERMINAL = re.compile(r"[.!?:;。！？：；…][\"'”’)\]）」』》]*$")
