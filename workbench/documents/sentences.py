"""Where sentences end, in English and in Chinese, and where a long paragraph may be cut."""

from __future__ import annotations

import itertools
import re

# The Chinese stops end a sentence wherever they stand; closing quotes belong to the sentence before.
_CHINESE_END = re.compile("(?<![。！？；…])[。！？；…]++[”’」』）》\"']*+")
# A Latin stop ends a sentence only before white space and something that may begin one.
_LATIN_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)\]]*+(?=\s++[\"'“‘(\[]*[A-Z0-9À-ÖØ-Þ\u0400-\u042f\u4e00-\u9fff])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“\"])(?:[A-Z]|[A-Za-z](?:\.[A-Za-z])+|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|Nos|Inc|Ltd|Corp|Co|vs|cf|al|"
    r"Fig|Figs|Eq|Eqs|Sec|Secs|Art|Arts|Ch|Vol|pp|p|ed|eds|approx|ca|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|"
    r"Nov|Dec|Rev|Gen|Gov|Sen|Rep|Hon|Messrs|Tab|Ref|Refs|Nr|resp|incl|est)\.$"
)
_ENUMERATOR = re.compile(r"(?:^|\s)(?:\d{1,3}|[ivxlc]{1,5}|[a-z])\.$")
_CLAUSE = re.compile(r"[;,:，、：—–]\s*|\s[-–—]\s")


def sentence_starts(text: str) -> list[int]:
    """Return the offsets at which a new sentence begins, without the first one at 0.

    Parameters
    ----------
    text : str
        Running text; offsets count code points.

    Examples
    --------
    >>> text = "See Fig. 3 for details. It rose by 3.5 %. 但是不行。好。"
    >>> [text[a:b] for a, b in zip([0, *sentence_starts(text)], [*sentence_starts(text), len(text)])]
    ['See Fig. 3 for details. ', 'It rose by 3.5 %. ', '但是不行。', '好。']
    """
    starts = set()
    for match in _CHINESE_END.finditer(text):
        if match.group() != "…" or match.end() == len(text):
            starts.add(_skip_space(text, match.end()))
    for match in _LATIN_END.finditer(text):
        head = text[max(0, match.start() - 14) : match.start() + 1]
        if match.group().startswith(".") and (_ABBREVIATION.search(head) or _is_enumerator(text, match.start())):
            continue
        starts.add(_skip_space(text, match.end()))
    return sorted(start for start in starts if 0 < start < len(text))


def cut_points(text: str, limit: int) -> list[int]:
    """Return offsets that cut ``text`` into parts of at most ``limit`` characters.

    Parts end where sentences end. A sentence longer than ``limit`` is cut at its last clause mark or white
    space before the limit, and only where it has neither (Chinese, machine output) between two characters.

    Parameters
    ----------
    text : str
        Running text.
    limit : int
        Most characters of a part, white space at its ends not counted.

    Returns
    -------
    list of int
        Ascending offsets, without 0 and ``len(text)``; empty when the text fits.
    """
    if len(text.strip()) <= limit:
        return []
    bounds = [0, *sentence_starts(text), len(text)]
    cuts: list[int] = []
    begin = 0
    for start, end in itertools.pairwise(bounds):
        if _fits(text, begin, end, limit):
            continue
        if start > begin:
            cuts.append(start)
            begin = start
        while not _fits(text, begin, end, limit):
            begin = _cut_inside(text, begin, end, limit)
            cuts.append(begin)
    return cuts


def _fits(text: str, begin: int, end: int, limit: int) -> bool:
    # Far above the limit no slice is taken: a long sentence is asked once for each of its parts.
    if end - begin > 2 * limit and text[begin : begin + 2 * limit].strip():
        first = _skip_space(text, begin)
        if end - first > 2 * limit and text[first + limit : first + 2 * limit].strip():
            return False
    return len(text[begin:end].strip()) <= limit


def _cut_inside(text: str, begin: int, end: int, limit: int) -> int:
    first = _skip_space(text, begin)
    window_end = first + limit
    earliest = first + limit // 2
    best = -1
    for match in _CLAUSE.finditer(text, earliest, window_end):
        digits_around = (
            text[match.start() - 1 : match.start()].isdigit() and text[match.end() : match.end() + 1].isdigit()
        )
        if not digits_around:
            best = match.end()
    if best < 0:
        space = max((i for i in range(window_end, earliest, -1) if text[i : i + 1].isspace()), default=-1)
        best = _skip_space(text, space) if space > 0 else _between_characters(text, window_end, earliest)
    return min(best, end - 1) if best > begin else window_end


def _between_characters(text: str, at: int, earliest: int) -> int:
    """Move a cut back out of a number or a Latin word, when one is short enough to be kept whole."""
    cut = at
    while cut > earliest and _joined(text[cut - 1 : cut], text[cut : cut + 1]):
        cut -= 1
    return cut if cut > earliest else at


def _joined(left: str, right: str) -> bool:
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()


def _is_enumerator(text: str, stop: int) -> bool:
    """A number with a stop at the start of a line or text is a marker ("2. Scope"), not a sentence."""
    head = text[: stop + 1]
    match = _ENUMERATOR.search(head[-8:])
    if match is None:
        return False
    before = head[: len(head) - len(match.group().strip())].rstrip(" ")
    return before == "" or before.endswith(("\n", ":", ";", "：", "；"))


def _skip_space(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset
