"""What a text is searched by: words, numbers, dates and identifiers, each as a term.

A text is cut into tokens by one pass of one pattern; what terms a token has depends on the token alone, so that it is
worked out once. What holds others (a date, "long-term", "max_retries", "4.2(a)") comes whole, with its parts after it.

Scripts without spaces between words (Chinese, Japanese, Thai and others) are searched by characters and pairs of
characters: as good as a segmenter, and nothing that a new word could break.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, pairwise

from .asking import ASKING_PHRASES, ASKING_WORDS
from .notations import GROUPED, NOTATIONS

STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
    "zh": "english",
}
"""The Snowball stemmer of a language; in a Chinese text it is for the English words. Others are not stemmed."""

LONGEST_COMPOUND = 64
"""Characters above which a compound is searched by its parts alone."""
_MOST_TOKENS = 100_000
_LONGEST_TOKEN = 24
"""Tokens that are remembered, and characters of the longest one: longer ones seldom come again."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U000323af"
)
UNSPACED_RUN = re.compile(f"[{_UNSPACED}]++")
# A vowel sign or an accent is no letter for Python, but no end of a word either.
_LETTER = (
    r"[\w\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u06d6-\u06e8"
    r"\u0900-\u0963\u0966-\u0dff]"
)
_JOINER = "(?:[-./:@&'+]|::|://)"
_PART = rf"(?:{GROUPED}|{_LETTER}++)"
_COMPOUND = rf"{_PART}(?:{_JOINER}{_PART})*+(?:\+\+|\#)?+"
# Most words are of this kind, and need none of the other patterns.
_PLAIN = (
    "(?!jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec|fy|fiscal|first|second|third|fourth)"
    rf"[a-z]++(?!{_JOINER}?{_LETTER}|\+\+|\#)"
)
_ANY = "|".join(
    f"(?:{pattern})" for pattern in (_PLAIN, *(pattern for pattern, _ in NOTATIONS), f"[{_UNSPACED}]++", _COMPOUND)
)
# Every match goes forward, also where no token begins, so that no character is looked at twice.
_TOKEN = re.compile(r"[^\w($€£¥-]*+(?:(" + re.sub(r"\(\?P<\w+>", "(?:", _ANY) + r")|.|\Z)", re.DOTALL)
_NOTATIONS = tuple((re.compile(pattern), maker) for pattern, maker in NOTATIONS)

_PARTS = re.compile(_PART)
_HUMPS = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MEASURE = re.compile(r"([0-9]+(?:\.[0-9]+)?)([a-z]{2,3})", re.IGNORECASE)
_POSSESSIVE = re.compile(r"'s$", re.IGNORECASE)
_FOLDED = (
    *((sign, "") for sign in "\u00ad\u200b\u200c\u200d\u2060\ufeff"),
    *((sign, "'") for sign in "‘’ʼ´"),
    *((sign, "-") for sign in "‐‑−"),
)
"""Invisible characters, apostrophes and hyphens."""


def analyse(text: str, language: str) -> list[str]:
    """Return the terms of a text, in the order of the text, repeated as often as they occur.

    Parameters
    ----------
    text : str
        Any text; the time is linear in its length.
    language : str
        Of the text, as ISO 639-1 code; words of a language in ``STEMMERS`` are stemmed.

    Returns
    -------
    list of str
        Empty for a text without letters and digits.

    Examples
    --------
    >>> analyse("Long-term borrowings rose to $1,577 million in FY2018.", "en")
    ['longterm', 'long', 'term', 'borrow', 'rose', 'to', '1577', '1577000000', 'million', 'in', 'fy2018', '2018']
    >>> analyse("净利润（2018年）", "zh")
    ['净', '利', '润', '净利', '利润', '2018']
    """
    terms = _vocabulary(language)
    return list(chain.from_iterable(terms[token] for token in _tokens(text)))


def question_terms(question: str, language: str) -> list[str]:
    """Return the distinct terms of a question, without the words that only ask; all of them if there are no others.

    Examples
    --------
    >>> question_terms("What is the net profit of the company?", "en")
    ['net', 'profit', 'compani']
    >>> question_terms("什么是净利润？", "zh"), question_terms("Who is it?", "en")
    (['净', '利', '润', '净利', '利润'], ['who', 'is', 'it'])
    """
    tokens = _tokens(question)
    terms = _vocabulary(language)
    shouted = question.isupper()
    told = [part for token in tokens for part in _without_asking(token, shouted)]
    return list(dict.fromkeys(chain.from_iterable(terms[token] for token in told or tokens)))


def _without_asking(token: str, shouted: bool) -> list[str]:
    if token.casefold() in ASKING_WORDS:
        # "US" and "IT" name something, unless the whole question is in capitals.
        return [token] if token.isupper() and len(token) > 1 and not shouted else []
    if UNSPACED_RUN.fullmatch(token):
        return [part for part in ASKING_PHRASES.split(token) if part]
    return [token]


def _tokens(text: str) -> list[str]:
    if not text.isascii():
        for sign, folded in _FOLDED:
            text = text.replace(sign, folded)
        text = unicodedata.normalize("NFKC", text)
        # A word ends where Chinese begins, also without a space.
        text = UNSPACED_RUN.sub(r" \g<0> ", text)
    return [token for token in _TOKEN.findall(text) if token]


class _Vocabulary(dict[str, tuple[str, ...]]):
    """The tokens met so far with their terms: most tokens of a text have been met before."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stem = _stemmer(language)
        self._english = STEMMERS.get(language) == "english"

    def __missing__(self, token: str) -> tuple[str, ...]:
        found = tuple(filter(None, self._terms(token)))
        if len(token) <= _LONGEST_TOKEN:
            if len(self) >= _MOST_TOKENS:
                self.clear()
            self[token] = found
        return found

    def _terms(self, token: str) -> Iterator[str]:
        for pattern, maker in _NOTATIONS:
            if pattern.fullmatch(token):
                yield from map(self._word, maker(token))
                return
        if UNSPACED_RUN.fullmatch(token):
            yield from token
            yield from (left + right for left, right in pairwise(token))
        else:
            yield from self._compound(token)

    def _compound(self, token: str) -> Iterator[str]:
        if self._english:
            token = _POSSESSIVE.sub("", token)
        parts = [part for found in _PARTS.findall(token) for part in found.split("_") if part]
        if len(parts) > 1 or token.endswith(("+", "#")):
            yield from self._whole(token)
        for part in parts:
            yield from self._part(part)

    def _whole(self, token: str) -> Iterator[str]:
        if len(token) > LONGEST_COMPOUND:
            return
        # One term for "e-mail" and "email", for "max_retries" and "maxRetries"; but "4-20" is not 420.
        joined = re.sub("[-_',]", "", token) if any(map(str.isalpha, token)) else token
        yield self._word(joined) if joined.isalnum() else joined.casefold()

    def _part(self, part: str) -> Iterator[str]:
        yield self._word(part.replace(",", ""))
        if not part.isascii() or len(part) > LONGEST_COMPOUND:
            return
        humps = _HUMPS.split(part)
        if len(humps) > 1:
            yield from map(self._word, humps)
        elif measure := _MEASURE.fullmatch(part):
            yield from map(self._word, measure.groups())

    def _word(self, word: str) -> str:
        folded = unicodedata.normalize("NFC", word.casefold()) if not word.isascii() else word.casefold()
        if self._english and not folded.isascii():
            folded = _without_accents(folded)
        stemmed = self._stem(folded)
        return stemmed if stemmed.isascii() else _without_accents(stemmed)


def _without_accents(word: str) -> str:
    """Drop the accents of Latin letters: "naive" finds "naïve". Other scripts keep their signs."""
    bare = [mark for mark in unicodedata.normalize("NFD", word) if not "\u0300" <= mark <= "\u036f"]
    return unicodedata.normalize("NFC", "".join(bare))


def _stemmer(language: str) -> Callable[[str], str]:
    if language not in STEMMERS:
        return str
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer(STEMMERS[language]).stemWord
    return stem


@lru_cache(maxsize=8)
def _vocabulary(language: str) -> _Vocabulary:
    return _Vocabulary(language)
