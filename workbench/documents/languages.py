"""Which language a document is written in: English, Chinese or another one.

Scripts decide first (Han characters against kana, Hangul and other alphabets); among languages written in Latin
letters the share of each language's commonest small words does. Only a sample spread over the document is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from .pages import Verdict

SAMPLE_CHARS = 50_000
_SLICE_CHARS = 2_000
_HAN_WEIGHT = 2.0
"""A Chinese character says about as much as two Latin letters: "净利润" is "net profit"."""
_FEW_LETTERS = 20

_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF))
_KANA = ((0x3041, 0x30FA), (0x31F0, 0x31FF), (0xFF66, 0xFF9D))
_HANGUL = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7A3))
_LATIN = ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x24F), (0x1E00, 0x1EFF), (0xFB00, 0xFB06))
_FOREIGN = ((0x370, 0x109F), (0x1200, 0x1DBF), (0x1F00, 0x1FFF), (0x2C00, 0x2DFF), (0xA4D0, 0xABFF), (0xFB13, 0xFDFF))

# A word counts for every language that has it; English words that many of them share ("in", "a", "no", "me") are out.
_SMALL_WORDS: dict[str, str] = {
    "English": (
        "the of and to is that for with by this from which be are was were it its as have has had not or our we "
        "these their they at will shall may can been other any such he his you your if all than what how"
    ),
    "German": (
        "der die das und ist nicht ein eine einer eines einem einen zu den dem des mit von für auf im sich auch "
        "werden wird wurde bei aus nach oder als sind durch über zur zum dass kann haben hat"
    ),
    "French": (
        "le la les des du et est une dans que qui pour pas sur par au aux avec ce cette sont il elle nous vous "
        "ses leur mais ont été être plus"
    ),
    "Spanish": (
        "el los las del y es una en que por con para se su al lo como más pero sus este esta son fue ha ser "
        "entre cuando también"
    ),
    "Italian": (
        "il lo gli di che è e un una per non con del della dei delle nel nella sono si al alla come più anche "
        "questo questa da ha"
    ),
    "Portuguese": (
        "o os um uma de do da dos das e em no na que para com não por se ao mais como foi ser são à pela pelo "
        "também seu sua"
    ),
    "Dutch": (
        "het een van en dat niet te op zijn voor met aan ook werd wordt door naar uit bij deze heeft hebben "
        "maar dan nog"
    ),
    "Polish": "i w z na się nie jest do że to przez oraz dla od po jak lub jego które może są",
    "Swedish": "och att det som en ett är på för av med till den inte har om var från eller kan",
}
_WORDS_OF = {name: frozenset(words.split()) for name, words in _SMALL_WORDS.items()}
# Names of columns and fields that are not spelt the same in the other languages.
_HEADINGS = (
    "last first number year month day week price amount state city country site minutes hours address quantity value "
    "category company order sales cost rate tax count level time owner weight width length height paid due sold "
    "birth gender customer employee supplier shipping delivery revenue profit income size color street"
)
_TABLE_WORDS = frozenset(_HEADINGS.split())
_FEW_TABLE_WORDS = 3
_TABLE_SCORE = 0.3
_FEW_SMALL_WORDS = 5
"""Different small words of one language that running text of some length has at least."""
_FEW_WORDS = 50
_LEAST_SHARE = 0.1
"""Share of small words that a shorter text has at least; running text has about 0.4."""
_WORD = re.compile(r"[^\W\d_]+")


def language_of(texts: Sequence[str]) -> Verdict:
    """Decide between "en", "zh" and "other" from the blocks' texts.

    Parameters
    ----------
    texts : sequence of str
        Block texts in reading order; at most ``SAMPLE_CHARS`` characters of them, spread evenly, are looked at.

    Returns
    -------
    Verdict
        ``score`` is a share in 0-1 of what was counted (characters of a script, or small words of a language).
        Without letters, or with too little running text to tell, the value is "other" with score 0.

    Examples
    --------
    >>> language_of(["The sales of the company rose by 3 % and the margin was stable."]).value
    'en'
    >>> language_of(["本公司的净利润增长了百分之三。"]).value
    'zh'
    >>> language_of([]).reasons
    ('the document holds no letters',)
    """
    sample = sample_of(texts, SAMPLE_CHARS)
    counts = _script_counts(sample)
    han, kana, hangul, latin, foreign = counts
    total = _HAN_WEIGHT * (han + kana + hangul) + latin + foreign
    if not total:
        return Verdict("other", 0.0, ("the document holds no letters",))
    if kana and kana >= 0.08 * (han + kana) and han + kana + hangul > 0.1 * latin:
        share = _HAN_WEIGHT * (kana + han) / total
        return _verdict(
            "other", share, total, f"{_share(kana, han + kana)} of the East Asian characters are kana (Japanese)"
        )
    east = _HAN_WEIGHT * han
    if east >= max(latin, foreign, _HAN_WEIGHT * hangul):
        return _verdict(
            "zh",
            east / total,
            total,
            f"{_share(east, total)} of the letters are Chinese characters, which count double",
        )
    if hangul and hangul >= han and _HAN_WEIGHT * hangul >= max(latin, foreign):
        return _verdict("other", _HAN_WEIGHT * hangul / total, total, f"{hangul:,} characters are Hangul (Korean)")
    if foreign > latin:
        return _verdict(
            "other", foreign / total, total, f"{_share(foreign, total)} of the letters are of another alphabet"
        )
    return _latin_language(sample, latin / total, total)


def sample_of(texts: Sequence[str], limit: int) -> str:
    """Return at most ``limit`` characters of the texts: all of them, or equal slices spread over the document."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(sizes)
    if not len(ends) or ends[-1] <= limit:
        return "\n".join(texts)
    count = max(1, limit // _SLICE_CHARS)
    length = limit // count
    parts: list[str] = []
    for start in np.linspace(0, int(ends[-1]) - length, count).astype(np.int64).tolist():
        index = int(np.searchsorted(ends, start, side="right"))
        at = start - int(ends[index] - sizes[index])
        wanted = length
        while wanted > 0 and index < len(texts):
            part = texts[index][at : at + wanted]
            parts.append(part)
            wanted -= len(part)
            index, at = index + 1, 0
    return "\n".join(parts)


def _script_counts(sample: str) -> tuple[int, int, int, int, int]:
    codes = np.frombuffer(sample.encode("utf-32-le", "surrogatepass"), np.uint32)
    han, kana, hangul, latin, foreign = (_count(codes, ranges) for ranges in (_HAN, _KANA, _HANGUL, _LATIN, _FOREIGN))
    return han, kana, hangul, latin, foreign


def _count(codes: np.ndarray[tuple[int], np.dtype[np.uint32]], ranges: Iterable[tuple[int, int]]) -> int:
    return sum(int(np.count_nonzero((codes >= low) & (codes <= high))) for low, high in ranges)


def _latin_language(sample: str, latin_share: float, total: float) -> Verdict:
    words = [word.lower() for word in _WORD.findall(sample)]
    hits = {name: sum(word in small for word in words) for name, small in _WORDS_OF.items()}
    best = max(hits, key=lambda name: hits[name])
    different = len(_WORDS_OF[best].intersection(words))
    if different < _FEW_SMALL_WORDS and not (len(words) < _FEW_WORDS and hits[best] >= _LEAST_SHARE * len(words)):
        return _language_of_a_table(words, different)
    rest = max(count for name, count in hits.items() if name != best)
    share = hits[best] / (hits[best] + rest)
    reason = f"{hits[best]:,} of {len(words):,} words are small words of {best}"
    return _verdict("en" if best == "English" else "other", share * latin_share, total, reason)


def _language_of_a_table(words: list[str], different: int) -> Verdict:
    """Judge names and numbers, in which a word may be of any language: "till" is a desk in a shop, or Swedish."""
    found = len(_TABLE_WORDS.intersection(words))
    reason = f"too little running text ({len(words):,} words, small words of one language among them: {different})"
    if found < _FEW_TABLE_WORDS:
        return Verdict("other", 0.0, (reason,))
    return Verdict("en", _TABLE_SCORE, (reason, f"but {found:,} words are common in English tables and forms"))


def _verdict(value: str, score: float, total: float, reason: str) -> Verdict:
    reasons: tuple[str, ...] = (reason,)
    if total < _FEW_LETTERS:
        score *= total / _FEW_LETTERS
        reasons = (reason, "there are few letters to judge by")
    return Verdict(value, round(min(1.0, score), 3), reasons)


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}"
