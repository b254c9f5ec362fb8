"""Questions that lean on the one before: "How exactly is it triggered?", "And in 2019?", "那具体怎么触发？"

A rule is a pattern with the most words of its own that a question may have for the rule to speak: "How is it
triggered?" needs what "it" is, "Is it true that the storage array replicates every night?" does not. Words of its own
are those that name something: no question words, no pronouns, no words such as "example" or "details".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ..relevance.asking import ASKING_PHRASES, ASKING_WORDS
from ..relevance.terms import analyse, question_terms


@dataclass(frozen=True, slots=True)
class ReferenceRule:
    """One way of leaning on the question before.

    Attributes
    ----------
    name : str
    language : str
        "en" or "zh": of the question, not of the document.
    pattern : re.Pattern
        What is looked for in the question.
    most_words : int
        Most words of its own, Chinese characters in a Chinese question, with which the question still leans.
    reason : str
        Why the topic is the same then, with {} for what was found.
    """

    name: str
    language: str
    pattern: re.Pattern[str]
    most_words: int
    reason: str


@dataclass(frozen=True, slots=True)
class Reference:
    """That a question leans on the one before: the rule that says so, and why in words."""

    rule: str
    reason: str


def _rule(name: str, language: str, pattern: str, most_words: int, reason: str) -> ReferenceRule:
    return ReferenceRule(name, language, re.compile(pattern, re.IGNORECASE), most_words, reason)


_THIS_DOCUMENT = (
    r"(?!\s+(?:document|report|paper|article|contract|agreement|filing|policy|file|page|book|manual|patent|study|"
    r"text)\b)"
)

RULES: Sequence[ReferenceRule] = (
    _rule(
        "joined on",
        "en",
        r"^\W*(and|but|or|what about|how about|what if|what else|anything else|why not|which one|such as)(?![-\w])",
        8,
        "it goes on with {}",
    ),
    _rule("joined on", "en", r"^\W*(so|then|also|plus|besides|otherwise)\b", 3, "it goes on with {}"),
    _rule(
        "looks back",
        "en",
        r"\b(you (?:have |had |just |already )*(?:said|mentioned|told|listed|described|quoted|named)|"
        r"(?:just |previously |already )(?:said|mentioned)|mentioned (?:above|before|earlier)|the above|"
        r"(?:previous|last|earlier) (?:answer|question|point|reply|response)|aforementioned)\b",
        12,
        "it looks back with {}",
    ),
    _rule(
        "pronoun",
        "en",
        r"\b((?-i:[iI]t|[iI]ts)|they|them|their|theirs|these|those|he|she|him|her|his|ones?|"
        rf"the (?:same|former|latter|others?)|this{_THIS_DOCUMENT}|"
        r"(?:about|after|before|by|did|do|does|for|from|how|is|like|of|was|why|with) that"
        r"(?=\s*(?:$|[?.!,]|one\b|case\b)))"
        r"(?![-\w])",
        3,
        "{} names nothing by itself",
    ),
    _rule("names nothing", "en", r"^", 0, "it names nothing of its own"),
    _rule(
        "joined on",
        "zh",
        r"^\W*(那么|那麼|那(?!不勒斯|坡里|曲|英|霸|达慕|達慕)|还有|還有|另外|然后|然後|所以|"
        r"但是|但(?!书|書)|可是|不过|不過|至于|至於|如果是|要是|换成|換成|而(?!立|已))",
        10,
        "it goes on with {}",
    ),
    _rule(
        "looks back",
        "zh",
        r"(刚才|剛才|刚刚|剛剛|刚说|剛說|(?:你|您)(?:之前|上面|前面)?(?:说|說|提到|讲|講)|(?:之前|上面|前面)(?:说|說|提|讲|講)|"
        r"上述|前述|前者|后者|後者|另一[个個]|另外一[个個]|其[他它]的)",
        14,
        "it looks back with {}",
    ),
    _rule(
        "pronoun",
        "zh",
        r"((?<!其)[它他她](?:们|們)?(?![国國人])|[这這那][个個些种種样樣里裡边邊](?!文档|文件|报告|合同|協議|协议)|"
        r"这(?=[是又会會能要有为為怎])|(?<![应應活])该(?![怎如何当當])|其(?![中他它余餘实實次间間]))",
        8,
        "{} names nothing by itself",
    ),
    _rule("asks on", "zh", r"(呢)\W*$", 8, "it asks on with {}"),
    _rule("names nothing", "zh", r"^", 1, "it names nothing of its own"),
)
"""The rules, in the order in which they are asked; the first that speaks gives the reason."""

_GENERAL = (
    "again another anything certain clarify clear correct describe detail details different difference does "
    "elaborate else exact exactly example examples explain further general get go good happen happens he he's "
    "help her him his however info information just kind know like little long longer mean meaning means more "
    "much need nice often okay ok one ones other others otherwise part please possible previous really reason "
    "reasons right sample said same say she short show similar something sort specific specifically step steps "
    "still sure tell thank thanks their them thing things think thought too true try type types understand use "
    "used using very want way ways well work works yes"
)
_GENERAL_CHINESE = re.compile(
    "具体|具體|详细|詳細|详情|詳情|原因|例子|举例|舉例|举个|舉個|说明|說明|解释|解釋|更多|意思|情况|情況|一下|继续|繼續|比如|多说|多說|"
    "步骤|步驟|内容|內容|可以|需要|应该|應該|能否|提到|刚才|剛才|刚刚|剛剛|谢谢|謝謝|[是这這那它他她们們呢就也还還又你您我]"
)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_NUMBER = re.compile(r"[\d.,%/:-]+")


def reference_in(question: str) -> Reference | None:
    """Return how a question leans on the one before it, or None where it stands alone.

    Examples
    --------
    >>> reference_in("How exactly is it triggered?").reason
    '"it" names nothing by itself'
    >>> reference_in("那具体怎么触发？").reason, reference_in("And in 2019?").reason
    ('it goes on with "那"', 'it goes on with "And"')
    >>> reference_in("How is the backup triggered?") is None
    True
    """
    asked = unicodedata.normalize("NFKC", question).strip()
    language = "zh" if _HAN.search(asked) else "en"
    words = own_words(asked)
    count = sum(1 if not _HAN.search(word) else len(word) for word in words)
    for rule in RULES:
        if rule.language != language or count > rule.most_words:
            continue
        found = rule.pattern.search(asked)
        if found:
            shown = f'"{found.group(1)}"' if found.re.groups else ""
            return Reference(rule.name, rule.reason.format(shown))
    return None


def own_words(question: str) -> list[str]:
    """Return what names something in a question: stemmed words, and runs of Chinese characters.

    Numbers name nothing: "And in 2019?" needs what happened in 2019.

    Examples
    --------
    >>> own_words("Can you give an example of the backup policy in 2019?")
    ['backup', 'polici']
    >>> own_words("那备份策略具体怎么触发？"), own_words("why?")
    (['备份策略', '触发'], [])
    """
    chinese = [
        run
        for part in ASKING_PHRASES.split(question)
        for rest in _GENERAL_CHINESE.split(part)
        for run in re.findall(f"{_HAN.pattern}+", rest)
    ]
    latin = [term for term in question_terms(_HAN.sub(" ", question), "en") if not _NUMBER.fullmatch(term)]
    return [*chinese, *(term for term in latin if term not in _nothing())]


def _nothing() -> frozenset[str]:
    """Stemmed words that name nothing."""
    if not _NOTHING:
        _NOTHING.extend(analyse(" ".join((_GENERAL, *sorted(ASKING_WORDS))), "en"))
    return frozenset(_NOTHING)


_NOTHING: list[str] = []
