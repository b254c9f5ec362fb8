"""What a line of plain text looks like: a heading, a list item, a line of code, a log entry, an entry of contents.

Every rule is conservative: what it does not recognise stays a paragraph.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..lines import is_wide, without_escapes

LONGEST_HEADING = 100
_SENTENCE_END = tuple(".,;:!?。，；：！？、")

_UNDERLINE = re.compile(r"(={3,}|-{3,}|~{3,}|\*{3,}|_{3,})\s*")
_KEYWORD = re.compile(
    r"(PART|BOOK|ITEM|ARTICLE|CHAPTER|EXHIBIT|SCHEDULE|APPENDIX|ANNEX|ATTACHMENT|SECTION"
    r"|Part|Book|Item|Article|Chapter|Exhibit|Schedule|Appendix|Annex|Attachment|Section)"
    r"\s+(?:\d+(?:\.\d+)*[A-Za-z]?|[IVXLC]+|[A-Z](?:-\d+)?)(?:\([A-Za-z0-9]{1,4}\))*(?=[\s.:—–-]|$)[\s.:—–-]*"
)
_KEYWORD_LEVEL = {"PART": 1, "BOOK": 1, "SECTION": 3}
_CHINESE = re.compile(
    r"第\s*[一二三四五六七八九十百千零〇两\d]+\s*(编|篇|部分|卷|章|节|節|编章|条|條)(?=[\s:：、　]|$|[\u4e00-\u9fff])"
)
_CLAUSE = re.compile(r"(?:ARTICLE|CHAPTER|PART|SECTION|Article|Chapter|Part|Section)\s")
_CHINESE_GOES_ON = frozenset("的规所和与及、或之至到中等起内外前后以第项款，。；：)）")
"""After the number of a clause these go on with a sentence that only mentions it."""
_RUN_IN = re.compile(r"[a-z]{3}\.\s+[A-Z]")
_STOP_INSIDE = re.compile("[。；]|，$")
_LONGEST_ARTICLE = 15
"""Characters: an article (条) that says more is text, of which the line may be the first."""
_CHINESE_LEVEL = {"章": 2, "节": 3, "節": 3, "条": 4, "條": 4}
_CHINESE_NUMBER = re.compile(r"(?:[一二三四五六七八九十]{1,3}、|（[一二三四五六七八九十]{1,3}）)\s*\S")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,3}){0,4})[.)]?\s+(?=\S)")
_WORD = re.compile(r"[^\W\d_]{4,}")

_BULLET = re.compile(r"[-*+•‣◦▪●○■□·–—➢✓]\s+(?=\S)|[•‣▪●■·](?=\S)")
_ENUMERATOR = re.compile(
    r"(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)]|\([a-z]{2}\)|\d{1,2}(?:\.\d{1,3}){1,4}\.?)\s+(?=\S)"
    r"|[（(][一二三四五六七八九十\d]{1,3}[）)]\s*(?=\S)|[一二三四五六七八九十]{1,3}、(?=\S)|[①-⑳]\s*(?=\S)"
)
_CONTENTS = re.compile(r"\S.*?(?:\.{4,}|(?:\.\s){4,}|…{2,}|·{4,}|_{4,})\s*(?:[ivxlc]+|[A-Z]?-?\d+)\s*$")
_PAGE_NUMBER = re.compile(
    r"\s*(?:(?:Page|PAGE|page)\s+\d+(?:\s+(?:of|OF)\s+\d+)?|第\s*\d+\s*页(?:\s*共\s*\d+\s*页)?)\s*$"
)

_CODE_END = tuple("{};")
_PROSE = re.compile(r"(?:[A-Za-z]+,? ){4}")
_CODE = re.compile(
    r"\s*(?:\$\s+\S|>>>\s|\.\.\.\s|#include\b|#!|//|/\*|\*/|</?[a-z][\w-]*[\s>/]|import\s+\w+|from\s+[\w.]+\s+import\b"
    r"|def\s+\w+\(|class\s+\w+[:({]|return\b.*[;)\w]$|(?:if|for|while|else|elif|try|except)\b.*[:{]$|[)\]}]+[;,)]*$"
    r"|(?:public|private|static|void|int|const|let|var|func|fn)\s+\w+.*[=({;]|[\w.\[\]'\"]+\s*[-+*/|&]?=\s*\S"
    r"|[\w.]+\([^)]*\)$)"
)
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_LEVEL = "(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)"
_LOG = re.compile(
    r"\s*[\[(]?(?:\d{4}[-/.]\d{2}[-/.]\d{2}[T ]\d{2}:\d{2}|\d{2}:\d{2}:\d{2}"
    rf"|{_MONTH}\s+\d{{1,2}}\s+\d{{2}}:\d{{2}}:\d{{2}}|\d{{2}}/{_MONTH}/\d{{4}}:"
    rf"|\d{{1,3}}(?:\.\d{{1,3}}){{3}}\s\S+\s\S+\s\[|{_LEVEL}\b\s*[\]:|\-\s]"
    r"|<\d{1,3}>\S|\d{10}(?:\.\d+)?\s|[IWEF]\d{4}\s\d{2}:)"
)
_COLUMN_GAP = re.compile(r"\S(?:\t+|[ ]{3,})\S")


class ListMark(NamedTuple):
    """The mark of a list item: its style ("•", "1.", "(a)") and how many characters it takes."""

    style: str
    width: int


def underline_level(line: str, title: str) -> int:
    """Return the heading level that a line of ``===`` or ``---`` gives to the title above it, or 0."""
    body = line.strip()
    if not _UNDERLINE.fullmatch(body) or not title.strip() or len(title.strip()) > LONGEST_HEADING:
        return 0
    if _UNDERLINE.fullmatch(title.strip()) or len(body) < 0.5 * len(title.strip()):
        return 0
    return 1 if body[0] in "=*" else 2


def is_rule(line: str) -> bool:
    """Say whether a line only separates: ``-----``, ``* * *``, ``____``."""
    body = re.sub(r"\s", "", line)
    if len(body) < 3 or len(set(body)) > 1:
        return False
    return not body[0].isalnum() and not is_wide(body[0]) and body[0] not in "<>?!"


def strong_heading_level(line: str) -> int:
    """Return the level of a heading that names itself (ARTICLE IV, 第三章), or 0; no blank lines are needed."""
    body = line.strip()
    if not body or len(body) > LONGEST_HEADING:
        return 0
    match = _KEYWORD.match(body)
    if match:
        title = body[match.end() :]
        if not title or (title[0].isupper() and not _is_sentence(title)):
            return _KEYWORD_LEVEL.get(match.group(1).upper(), 2)
        return 0
    match = _CHINESE.match(body)
    if match and len(body) <= 40 and not body.endswith(("：", ";", ",")) and not _STOP_INSIDE.search(body):
        return _CHINESE_LEVEL.get(match.group(1), 1)
    return 0


def names_clause(line: str) -> bool:
    """Say whether a line begins with the name of a clause: ARTICLE IV, Section 4.2, 第三条."""
    body = line.strip()
    return ((_CLAUSE.match(body) and _KEYWORD.match(body)) or _CHINESE.match(body)) is not None


def begins_clause(line: str) -> bool:
    """Say whether a line may be the first one of a clause, by what follows its name."""
    body = line.strip()
    match = _KEYWORD.match(body) if _CLAUSE.match(body) else None
    if match:
        title = body[match.end() :]
        return not title or title[0].isupper() or title[0] in "\"“‘'([" or is_wide(title[0])
    match = _CHINESE.match(body)
    return match is not None and body[match.end() : match.end() + 1] not in _CHINESE_GOES_ON


def is_bare_label(line: str) -> bool:
    """Say whether a line is the name of a clause and nothing else."""
    body = line.strip()
    match = _KEYWORD.match(body) or _CHINESE.match(body)
    return match is not None and match.end() == len(body)


def is_short_title(line: str) -> bool:
    """Say whether the name of a clause is followed by its title and not by its text."""
    body = line.strip()
    match = _KEYWORD.match(body)
    if match is None:
        chinese = _CHINESE.match(body)
        return chinese is not None and _is_chinese_title(chinese.group(1), body[chinese.end() :].strip())
    return _is_title(body[match.end() :], strict=True)


def lone_heading_level(line: str) -> int:
    """Return the level of a heading that stands alone between blank lines, or 0."""
    body = line.strip()
    level = numbered_heading_level(body)
    if level or not body or len(body) > LONGEST_HEADING or _NUMBERED.match(body):
        return level
    return 2 if is_capitals(body) else 0


def numbered_heading_level(line: str) -> int:
    """Return the level of a heading that stands alone and has a number (2.1 Renewal, 三、风险), or 0."""
    body = line.strip()
    strong = strong_heading_level(body)
    if strong or not body or len(body) > LONGEST_HEADING:
        return strong
    match = _NUMBERED.match(body)
    if match:
        depth = match.group(1).count(".") + 1
        return min(6, 2 + depth) if _is_title(body[match.end() :], strict=depth == 1) else 0
    if _CHINESE_NUMBER.match(body) and len(body) <= 40 and not body.endswith(_SENTENCE_END):
        return 3 if body[0] != "（" else 4
    return 0


def list_mark(line: str) -> ListMark | None:
    """Return the mark with which a line begins a list item, or None."""
    body = line.lstrip()
    match = _BULLET.match(body)
    if match:
        return ListMark(body[0], match.end())
    match = _ENUMERATOR.match(body)
    if match is None:
        return None
    style = re.sub(r"\d+", "1", match.group().strip())
    style = re.sub(r"[ivx]+(?=[.)])", "i", style) if re.search(r"[ivx]", style) else re.sub(r"[a-z]+", "a", style)
    return ListMark(re.sub(r"[A-Z]+", "A", re.sub(r"[一二三四五六七八九十]+", "一", style)), match.end())


def is_contents_entry(line: str) -> bool:
    """Say whether a line is an entry of a table of contents: a title, leader dots and a page number."""
    return len(line) <= 300 and _CONTENTS.match(line) is not None


def is_page_number(line: str) -> bool:
    """Say whether a line is nothing but "Page 3 of 12"."""
    return len(line) <= 60 and _PAGE_NUMBER.match(line) is not None


def looks_like_code(line: str) -> bool:
    """Say whether a line could stand in a program."""
    if len(line) > 400 or _PROSE.search(line) or list_mark(line):
        return False
    return line.rstrip().endswith(_CODE_END) or _CODE.match(line) is not None


def is_log_entry(line: str) -> bool:
    """Say whether a line begins as a log entry does: with a time, a level or an address."""
    return _LOG.match(without_escapes(line)) is not None


def has_columns(line: str) -> bool:
    """Say whether a line has wide gaps inside, as lines of a table have."""
    return _COLUMN_GAP.search(line) is not None


def is_capitals(line: str) -> bool:
    """Say whether a line is written in capitals, as a title is."""
    body = line.strip()
    letters = sum(char.isalpha() for char in body)
    if letters < 4 or letters < 0.5 * len(body) or len(body) > 80 or body.endswith((",", ";")):
        return False
    return body.isupper() and not any(is_wide(char) for char in body)


def _is_sentence(title: str) -> bool:
    if title.endswith((",", ";", ":", "。", "，")) or _RUN_IN.search(title):
        return True
    return title.endswith(".") and len(title.split()) > 8


def _is_chinese_title(unit: str, title: str) -> bool:
    return unit not in "条條" or (len(title) <= _LONGEST_ARTICLE and "，" not in title)


def _is_title(title: str, *, strict: bool) -> bool:
    if not title or len(title) > 90 or _is_sentence(title):
        return False
    if is_wide(title[0]):
        return len(title) <= 30 and not title.endswith(_SENTENCE_END)
    if not title[0].isupper():
        return False
    words = _WORD.findall(title)
    if not strict and len(words) <= 5 and not title.endswith("."):
        return True
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.6 * len(words)
