"""The parts of a compound question: each of them must be found.

``relevance.question_parts`` cuts at every comma, which is right for vectors ("as of FY2021, how much …" has two)
and wrong here: a clause that only says where to look is no need of its own, nor is one that names nothing ("and how
much is it").
"""

from __future__ import annotations

import re

from ...relevance.asking import ASKING_PHRASES, ASKING_WORDS

MOST_NEEDS = 8
_LEAST_WORDS = 3
_SENTENCE = re.compile(r"(?<=[?!;])\s+|(?<=[a-z]{3}\.)\s+(?=[A-Z])|(?<=[0-9)\"”]\.)\s+(?=[A-Z])|(?<=[。？！；])|\n+")
"""A full stop ends a sentence behind a word of some length, so that "St. Johns" and "etc. if" are whole."""
_ASKING = r"(?:what|when|where|who|whom|whose|why|which|how)"
_AND_ASKING = re.compile(rf",?\s+and\s+(?:also\s+)?(?=(?:(?:at|by|for|from|in|on|to|with)\s+)?{_ASKING}\b)", re.I)
_ASKS = re.compile(
    rf"\b{_ASKING}\b|\?$|^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|please|"
    r"list|name|find|give|tell|show|describe|explain|identify|compare|calculate|compute|define|quote|translate|"
    r"summari[sz]e|enumerate|count)\b|\bdefined as\b",
    re.I,
)
_OF_THE_ONE_BEFORE = re.compile(
    r"^(?:and )?(?:if|when) (?:yes|no|not|so|any)\b|^(?:and |but )?(?:why|how so|why not|how|when|where|who)\s*\?*$",
    re.I,
)
_HOW_TO_ANSWER = re.compile(
    r"^(?:please |kindly |directly |briefly )*(?:answer|respond|reply|round|format|express|write(?: down)?|return|use|"
    r"utili[sz]e|base your|assume|suppose|imagine|think|explain your|state|do not|don't|note that|show your|keep|thank|"
    r"give (?:me |us )?an? (?:answer|response|integer)|provide your answer|be (?:brief|concise|short))\b"
    r"|^(?:hi|hello|hey|thanks|thank you|ok|okay|sure|great|oh|sorry|wow|yes|no|got it)\b[^?]*$"
    r"|^if\b[^?]{0,200}\b(?:not|isn't|aren't)\b[^?]{0,200}\b(?:state|say|explain|answer|reply|write)\b",
    re.I,
)
"""Sentences that say how to answer, and greetings."""
_ZH_CLAUSE = re.compile("[，,]|(?=以及|并且|並且|还有|還有)")
_ZH_ASKS = re.compile(
    "什[么麼]|甚[么麼]|哪|谁|誰|多少|多久|多[大长長高重远遠]|[几幾](?![何乎内內])|(?<![任几幾])何|怎|[吗嗎呢]$|是否|"
    "有没有|有沒有|([能会會要行算可戴是])不\\1"
)
_ZH_JOIN = re.compile("^(?:以及|并且|並且|还有|還有|并|並|又|还|還|另外|此外|和|與|与|那[么麼])+")
_ZH_HOW_TO_ANSWER = re.compile(
    "^(?:请|請)?(?:用|以|按|简要|簡要|简短|簡短|直接)[^。？！]{0,20}(?:回答|作答|表示|说明|說明|为单位|為單位)"
)
_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d[\d.,]*", re.I)
_ENGLISH = (
    "he she her hers him his one ones may must might also else too then now again still yes no not other same such "
    "happen happens happened thing things come comes go goes get gets got was wasn't isn't doesn't didn't don't"
)
_POINTING = frozenset(_ENGLISH.split())
"""English words, besides those that ask, that name nothing without what was said before."""
_ZH_POINTING = re.compile(
    "时候|時候|之前|之后|之後|以前|以后|以後|后来|後來|原来|原來|原先|现在|現在|目前|当时|當時|那时|那時|"
    "开始|開始|起算|为止|為止|最早|最晚|最迟|最遲|最多|最少|最高|最低|大概|大约|大約|左右|总共|總共|一共|共有|全部|百分之|"
    "我们|我們|你们|你們|他们|他們|她们|她們|它们|它們|自己|大家|前一[年月天日次]|[上下]一?[年个個次]|"
    "[这這那][个個些里裡边邊样樣么麼次天]|因为|因為|所以|如果|可以|能够|能夠|应该|應該|需要|必须|必須|[会會]不[会會]|能不能|"
    "要不要|算不算|是不是|[几幾][个個天年月日次台家项項份条條种種位人名成点點分]|多[大长長高重远遠]|[一二三四五六七八九十两兩][次遍]"
)
"""Chinese words, besides those that ask, that name nothing."""
_ZH_AT_THE_START = re.compile(
    "(?<![\u3400-\u9fff])(?:[那这這从從把被让讓就才又也都再只它她他我你您占]|能(?![力源量耗效级級])|[会會](?![议議计計员員费費所长長谈談])|"
    "要(?![求点點素件闻聞]))+"
)
_ZH_AT_THE_END = re.compile("[上里裡裏中内內]+(?![\u3400-\u9fff])")
"""A single character is a word of this kind at the edge of a run only: "能保", but "功能"; "船上", but "上海"."""
_ZH_LEAST = 2
"""Characters of a Chinese name: one alone ("收", "换") stands in nearly every block."""
_QUOTED = re.compile('《[^》]{0,80}》|「[^」]{0,200}」|“[^”]{0,200}”|"[^"]{0,200}"')
_SIGNS = ".?!;。？！；，,\n"
_MASKED = {ord(sign): chr(0xE000 + rank) for rank, sign in enumerate(_SIGNS)}
_SHOWN = {0xE000 + rank: sign for rank, sign in enumerate(_SIGNS)}
"""Private characters stand for the signs inside quotation marks while sentences are cut."""


def needs_of(question: str) -> tuple[str, ...]:
    """Return the parts of a question that must be found; the question itself if it is one part.

    A sentence that says how to answer is no part, nor is a greeting; one that names nothing belongs to the one before.

    Examples
    --------
    >>> needs_of("Who chairs the board, and when was she appointed? Answer in one line.")
    ('Who chairs the board', 'when was she appointed')
    >>> needs_of("保修期是多久，由谁负责？")
    ('保修期是多久', '由谁负责')
    >>> needs_of("水费新价是多少，谁批准，从什么时候开始收？")
    ('水费新价是多少', '谁批准，从什么时候开始收')
    >>> needs_of("As of FY2021, how much rent was due?")
    ('As of FY2021, how much rent was due?',)
    """
    whole = question.strip()
    parts: list[str] = []
    for sentence in _SENTENCE.split(_QUOTED.sub(_hidden, whole)):
        text = sentence.strip()
        if not text or _HOW_TO_ANSWER.search(text) or _ZH_HOW_TO_ANSWER.search(text):
            continue
        if _OF_THE_ONE_BEFORE.search(text) and parts:
            parts[-1] = f"{parts[-1]} {text}"
        elif _HAN.search(text):
            parts.extend(_chinese_parts(text))
        elif _ASKS.search(text):
            parts.extend(_english_parts(text))
    parts = _with_names(parts)
    bare = [part.translate(_SHOWN).strip(" \t,.;:!?，。；：？！") for part in parts]
    distinct = tuple(dict.fromkeys(part for part in bare if part))[:MOST_NEEDS]
    return distinct if len(distinct) > 1 else (whole,)


def _with_names(parts: list[str]) -> list[str]:
    """Join each part that names nothing to the one before it; the first ones to the one after them."""
    joined: list[str] = []
    waiting = ""
    for part in parts:
        whole = _joined(waiting, part)
        if _names_something(part):
            joined.append(whole)
            waiting = ""
        elif joined:
            joined[-1] = _joined(joined[-1], part)
        else:
            waiting = whole
    return joined or [waiting]


def _joined(before: str, after: str) -> str:
    if not before:
        return after
    if not _HAN.search(after):
        return f"{before} {after}"
    return f"{before}，{after}" if before[-1].isalnum() else before + after


def _names_something(part: str) -> bool:
    """Whether a part holds a word that could be looked for."""
    for run in _WORD.findall(part.translate(_SHOWN)):
        if not _HAN.search(run):
            if run.casefold() not in ASKING_WORDS and run.casefold() not in _POINTING:
                return True
        elif any(len(left) >= _ZH_LEAST for left in _chinese_names(run)):
            return True
    return False


def _chinese_names(run: str) -> list[str]:
    for pattern in (ASKING_PHRASES, _ZH_POINTING, _ZH_AT_THE_START, _ZH_AT_THE_END):
        run = pattern.sub(" ", run)
    return run.split()


def _hidden(quoted: re.Match[str]) -> str:
    """Return a quoted text with marks for the signs that would end a sentence or clause in it."""
    return quoted.group().translate(_MASKED)


def _english_parts(sentence: str) -> list[str]:
    """Cut where another question begins, unless what stands before it asks nothing ("when and where")."""
    parts: list[str] = []
    start = 0
    for cut in _AND_ASKING.finditer(sentence):
        before = sentence[start : cut.start()]
        if len(before.split()) >= _LEAST_WORDS and _ASKS.search(before.strip()):
            parts.append(before)
            start = cut.end()
    parts.append(sentence[start:])
    return parts


def _chinese_parts(sentence: str) -> list[str]:
    """Cut where another clause asks, too; a clause that asks nothing belongs to the one after it."""
    parts: list[str] = []
    waiting = ""
    for clause in filter(None, _ZH_CLAUSE.split(sentence)):
        waiting = f"{waiting}，{clause}" if waiting else _ZH_JOIN.sub("", clause)
        if _ZH_ASKS.search(clause):
            parts.append(waiting)
            waiting = ""
    if waiting and parts:
        parts[-1] = f"{parts[-1]}，{waiting}"
    return parts
