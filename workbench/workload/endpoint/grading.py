"""How good an answer is: exact match and F1 against gold answers, and a score by a rubric where there is no short one.

Texts are normalised as in SQuAD (Rajpurkar et al. 2016): lower case, without punctuation and English articles; F1 is
that of the bags of words. Where the gold answer is Chinese, each character counts as a word, and F1 is that of the
longest run of characters in common, as in CMRC 2018 (Cui et al. 2019). Numbers are compared as numbers
(``quantities``). Of several gold answers the best counts. What is not in the document is answered right by saying so,
in the first sentence.
"""

from __future__ import annotations

import json
import math
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .quantities import only_quantity, plain, quantities, same

EXACT_MATCH, F1, RUBRIC = "exact match", "F1", "rubric"
MOST_SHORT_TOKENS = 40
"""Words or Chinese characters up to which a gold answer is short: F1 against a longer one measures style."""
_MOST_TOKENS = 20_000
"""Words of an answer that are looked at: no gold answer is anywhere near."""

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_TOKEN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\s\u3400-\u4dbf\u4e00-\u9fff]+")
_THINKING = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
_SENTENCE_END = re.compile(r"[;；。！!？?\n]|\.(?=\s|$)")
_YES_NO = {
    "yes": "yes", "no": "no", "是": "yes", "是的": "yes", "否": "no", "不是": "no", "能": "yes", "不能": "no",
    "可以": "yes", "不可以": "no", "会": "yes", "不会": "no", "會": "yes", "不會": "no",
}  # fmt: skip
_SAYS = r"(?:say|state|mention|specify|contain|provide|give|include|indicate|disclose|answer|address|report|list)"
_NOT_THERE = re.compile(
    rf"\b(?:do|does|did)(?: not|n't) (?:explicitly |directly )?{_SAYS}"
    r"|\b(?:not|never|nowhere) (?:explicitly |directly )?(?:said|stated|mentioned|specified|given|found|provided|"
    r"disclosed|available|answerable|reported|listed|in the (?:text|document))"
    r"|\bno (?:information|mention|answer|data|details?)\b|\bcannot be (?:determined|answered|found)"
    r"|\bunanswerable\b"
    r"|(?:没有|沒有|未|并未|並未)(?:作)?(?:说明|說明|提及|提到|提供|给出|給出|记载|記載|披露|说|說|写明|寫明|列出|规定|規定|约定|約定|涉及|包含|涵盖|涵蓋|列明|载明|載明)"
    r"|(?:无法|無法|不能)(?:从文中)?(?:确定|確定|得知|判断|判斷|回答)|没有相关|沒有相關"
)


@dataclass(frozen=True, slots=True)
class Grade:
    """How good an answer is.

    Attributes
    ----------
    exact : float
        1 if it equals a gold answer, else 0; nan where there is none.
    f1 : float
        In [0, 1]; nan likewise.
    kind : str
        What ``quality`` is: "exact match" where a gold answer is a number or yes or no, or the document does not say;
        "F1" for other short answers; "rubric"; "" where nothing can be graded.
    quality : float
        In [0, 1]; nan where nothing can be graded.
    """

    exact: float
    f1: float
    kind: str
    quality: float


UNGRADED = Grade(math.nan, math.nan, "", math.nan)


def final_answer(text: str) -> str:
    """Return an answer without what a model thought aloud before it.

    Examples
    --------
    >>> final_answer("<think>58 or 62?</think> 58 Nm")
    '58 Nm'
    """
    return _THINKING.sub("", text).strip()


def short_answers(answer: str | None, answers: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the gold answers that are short."""
    given = [answer, *answers] if answer is not None else list(answers)
    return tuple(one for one in given if 0 < len(words(one)) <= MOST_SHORT_TOKENS)


def grade(answer: str, gold: Sequence[str], *, answerable: bool = True, question: str = "") -> Grade:
    """Grade an answer against short gold answers.

    Parameters
    ----------
    answer : str
        As the model gave it.
    gold : sequence of str
        Gold answers, any one of which will do.
    answerable : bool
        Whether the document answers the question; if not, an answer that says so is right, or one that equals a gold
        answer, and no other.
    question : str
        Numbers that stand in it may be repeated by an answer.

    Returns
    -------
    Grade
        Without gold answers, for an answerable question, of kind "".

    Examples
    --------
    >>> grade("It is 58 N·m.", ["58 Nm"])
    Grade(exact=1.0, f1=1.0, kind='exact match', quality=1.0)
    >>> round(grade("the records office of the port", ["the records office"]).f1, 2)
    0.67
    >>> grade("文中没有说明。", [], answerable=False).quality
    1.0
    """
    given = final_answer(answer)
    if not answerable:
        right = float(says_not_there(given) or any(normalised(given) == normalised(one) for one in gold))
        return Grade(right, right, EXACT_MATCH, right)
    if not gold:
        return UNGRADED
    if says_not_there(given) and not any(says_not_there(one) for one in gold):
        exact = f1 = 0.0
    else:
        exact = max(float(_equal(given, one, gold, question)) for one in gold)
        f1 = max(exact, *(token_f1(given, one) for one in gold))
    kind = EXACT_MATCH if any(_is_value(one) for one in gold) else F1
    return Grade(exact, f1, kind, exact if kind == EXACT_MATCH else f1)


def normalised(text: str) -> str:
    """Return a text without what does not distinguish answers: case, punctuation, articles, white space.

    Examples
    --------
    >>> normalised("The  Records-Office."), normalised("《差旅制度》，第三条。")
    ('recordsoffice', '差旅制度第三条')
    """
    line = "".join(character for character in plain(text) if not _is_punctuation(character))
    return " ".join(_ARTICLES.sub(" ", line).split())


def words(text: str) -> list[str]:
    """Return the words of a text after normalising; each Chinese character is one.

    Examples
    --------
    >>> words("The pump P-08 用于冷却。")
    ['pump', 'p08', '用', '于', '冷', '却']
    """
    return _TOKEN.findall(normalised(text))


def token_f1(answer: str, gold: str) -> float:
    """Return the F1 of an answer's words.

    Examples
    --------
    >>> token_f1("in the port of Turku", "Turku port"), token_f1("每晚五百元整", "五百元")
    (0.6666666666666666, 0.6666666666666666)
    """
    said, wanted = words(answer)[:_MOST_TOKENS], words(gold)[:_MOST_TOKENS]
    if not said or not wanted:
        return float(said == wanted)
    common = longest_run(wanted, said) if _HAN.search(gold) else sum((Counter(said) & Counter(wanted)).values())
    return 2.0 * common / (len(said) + len(wanted))


def longest_run(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest run of words that two texts share.

    Examples
    --------
    >>> longest_run(list("每晚五百元"), list("住宿五百元整"))
    3
    """
    codes = {word: code for code, word in enumerate(dict.fromkeys(one))}
    row = np.array([codes.get(word, -1) for word in other], np.int64)
    ending, best = np.zeros(len(row) + 1, np.int64), 0
    for word in one:
        ending[1:] = np.where(row == codes[word], ending[:-1] + 1, 0)
        best = max(best, int(ending.max()))
    return best


def says_not_there(answer: str) -> bool:
    """Return whether the first sentence of an answer says that the document does not.

    Examples
    --------
    >>> says_not_there("The text does not say."), says_not_there("资料未提及。"), says_not_there("No, not insured.")
    (True, True, False)
    """
    first = next((part for part in _SENTENCE_END.split(final_answer(answer)[:2_000]) if part.strip()), "")
    return _NOT_THERE.search(plain(first).replace("’", "'")) is not None


def rubric_score(text: str) -> tuple[float, str] | None:
    """Return the score and the reason of a judge's answer; None where it holds no JSON object with a score from 0 to 1.

    Examples
    --------
    >>> rubric_score('```json\\n{"score": 0.5, "reason": "half of it"}\\n```'), rubric_score("good")
    ((0.5, 'half of it'), None)
    """
    decoder = json.JSONDecoder()
    line = final_answer(text)
    at = line.find("{")
    for _ in range(_MOST_OBJECTS):
        if at < 0:
            return None
        try:
            found: Any = decoder.raw_decode(line, at)[0]
        except (ValueError, RecursionError):
            found = None
        score = found.get("score") if isinstance(found, dict) else None
        if isinstance(score, int | float) and not isinstance(score, bool) and 0.0 <= score <= 1.0:
            return float(score), str(found.get("reason", ""))
        at = line.find("{", at + 1)
    return None


_MOST_OBJECTS = 50


def _equal(answer: str, gold: str, all_gold: Sequence[str], question: str) -> bool:
    if (polar := _YES_NO.get(normalised(gold))) is not None:
        return _polarity(answer) == polar
    if normalised(answer) == normalised(gold) or "".join(words(answer)) == "".join(words(gold)):
        return bool(words(gold))
    wanted = only_quantity(gold)
    if wanted is None:
        return False
    found = quantities(answer)
    # A number beside the right one is a guess, unless the question or a longer gold answer has it.
    allowed = [one for text in (question, *all_gold) for one in quantities(text)]
    right = [one for one in found if same(wanted, one)]
    others = [one for one in found if not any(same(known, one) for known in (wanted, *allowed))]
    return bool(right) and not others


def _polarity(answer: str) -> str | None:
    said = normalised(answer)
    first = said.split(" ", 1)[0]
    if first in _YES_NO:
        return _YES_NO[first]
    # Chinese has no space after the word; the longest one that fits is meant: 不能 and not 能.
    starts = sorted((word for word in _YES_NO if not word.isascii() and said.startswith(word)), key=len)
    if starts:
        return _YES_NO[starts[-1]]
    return "no" if said.startswith("不") else None


def _is_value(gold: str) -> bool:
    return normalised(gold) in _YES_NO or only_quantity(gold) is not None


def _is_punctuation(character: str) -> bool:
    return character in string.punctuation or unicodedata.category(character)[0] == "P"
