"""Features of what a block says, found by words and short expressions in English and Chinese.

All of them look at the normalised texts of ``keywords``: lower case, full-width forms resolved ("％" is "%", "（" is
"("), one space between words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..documents.blocks import BlockKind
from .facts import DocumentFacts
from .keywords import Bools, words

if TYPE_CHECKING:
    from ..documents import Document

DIGIT = "0-9"
"""Among ``needles``: any text with a digit is a candidate."""

_HAN_NUMBER = "零〇一二三四五六七八九十百千万两壹贰叁肆伍陆柒捌玖拾佰仟"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_COUNT = (
    r"(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty-five|sixty|ninety)"
)


@dataclass(frozen=True, slots=True)
class Look:
    """An expression, and the texts that are worth looking at with it.

    Attributes
    ----------
    needles : tuple of str
        Keywords of which a text must hold one, or ``DIGIT``.
    pattern : str
    """

    needles: tuple[str, ...]
    pattern: str


@dataclass(frozen=True, slots=True)
class Wording:
    """How one feature is told: by one of the keywords, or by one of the looks."""

    keywords: tuple[str, ...] = ()
    looks: tuple[Look, ...] = ()

    def __call__(self, _: Document, facts: DocumentFacts) -> Bools:
        """Find the blocks that have the feature."""
        texts = facts.texts
        found = texts.holding(self.keywords)
        for look in self.looks:
            candidates = texts.holding(needle for needle in look.needles if needle != DIGIT)
            if DIGIT in look.needles:
                candidates |= facts.feature("number", texts.with_digits)
            search = _compiled(look.pattern).search
            for index in np.flatnonzero(candidates & ~found).tolist():
                found[index] = search(texts.parts[index]) is not None
        return found


@lru_cache(maxsize=100)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def any_of(*patterns: str) -> str:
    """Return the pattern for one of several."""
    return "|".join(patterns)


DATE = Wording(
    looks=(
        Look(
            words("jan*, feb*, mar*, apr*, may*, jun*, jul*, aug*, sep*, oct*, nov*, dec*"),
            any_of(
                rf"\b{_MONTH}\.? \d{{1,2}}\b",
                rf"\b\d{{1,2}}(?:st|nd|rd|th)? ?(?:day of |of )?-?{_MONTH}\b",
                rf"\b{_MONTH}\.?,? (?:19|20)\d\d\b",
            ),
        ),
        Look(
            ("19*", "20*"),
            any_of(
                r"\b(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:[12]\d|3[01]|0?[1-9])\b",
                r"\b(?:[12]\d|3[01]|0?[1-9])([-/.])(?:[12]\d|3[01]|0?[1-9])\2(?:19|20)\d\d\b",
                r"\b(?:fiscal|calendar)(?: year)? (?:19|20)\d\d\b",
            ),
        ),
        Look(("/",), r"\b(?:[12]\d|3[01]|0?[1-9])/(?:[12]\d|3[01]|0?[1-9])/\d\d\b"),
        Look(
            words("fy*, q1*, q2*, q3*, q4*, 1q*, 2q*, 3q*, 4q*"),
            r"\b(?:fy ?'?\d\d(?:\d\d)?|[1-4]q'?\d\d|q[1-4][ ,-]{0,2}(?:fy)?'?(?:19|20)?\d\d)\b",
        ),
        Look(
            ("年", "月"),
            r"(?:19|20)\d\d ?年|\d ?月 ?\d\d? ?[日号]|[〇零一二三四五六七八九]{4}年|"
            r"[一二三四五六七八九十]月[一二三四五六七八九十]{1,3}[日号]",
        ),
    )
)
DURATION = Wording(
    looks=(
        Look(
            words("day*, week*, month*, year*, hour*, minute*, second*, quarter*"),
            rf"\b{_COUNT}[ -](?:\(\d{{1,4}}\)[ -]?)?(?:full |business |calendar |working |trading |consecutive )?"
            r"(?:day|week|month|year|hour|minute|second|quarter)s?\b",
        ),
        Look(
            words("日, 天, 周, 星期, 月, 年, 时, 分钟, 秒, 季度"),
            rf"(?<![\d.])(?:\d{{1,3}}|[{_HAN_NUMBER}半]{{1,4}}) ?"
            r"(?:个?(?:工作日|自然日|交易日|日历日|星期|小时|季度)|个月|周|天|日(?:内|前|后|以)|年(?:内|期|以)|"
            r"年(?!代|\d| ?[\d一二三四五六七八九十]{1,2} ?月)|分钟|秒)",
        ),
    )
)
AMOUNT = Wording(
    looks=(
        Look(
            words("$, €, £, ¥, ₹, ₩, rmb*, usd*, eur*, gbp*, jpy*, cny*, hkd*, cad*, aud*, chf*, 人民币, 美元, 港币"),
            r"(?:[$€£¥₹₩]|\b(?:rmb|usd|eur|gbp|jpy|cny|hkd|cad|aud|chf)|人民币|美元|港币) ?\(?-?\d",
        ),
        Look(
            words(
                "million, billion, trillion, thousand, mn, bn, dollar*, euro*, pound*, cent, cents, yen, yuan, "
                "renminbi, rmb, usd, eur, gbp, cny"
            ),
            r"\d\)? ?(?:million|billion|trillion|thousand|mn|bn)\b|"
            r"\d\)? (?:us |u\.s\. )?(?:dollars?|euros?|pounds sterling|cents?|yen|yuan|renminbi|rmb|usd|eur|gbp|cny)\b|"
            r"\b(?:hundred|thousand|million|billion|(?:thir|for|fif|six|seven|eigh|nine?)ty|ten|twenty) dollars\b",
        ),
        Look(
            words("元, 圆, 万, 亿, 欧元, 日元, 英镑"),
            r"\d ?[十百千万亿]{0,3} ?(?:元|美元|欧元|港元|港币|日元|英镑|人民币)|"
            r"\d ?[百千]?[万亿](?![一-鿿]{0,2}(?:人|次|吨|台|辆|户|股|套|件|平方|公里|亩|千瓦))|"
            rf"[{_HAN_NUMBER}]{{1,12}}(?:元|圆)(?!二次|一次|化|素)",
        ),
    )
)
PERCENTAGE = Wording(
    keywords=("百分之",),
    looks=(
        Look(
            words("%, percent*, per cent, basis point*, bps, 百分点, ‰"),
            r"\d ?\)?(?:%|‰|percent|per cent|basis points?|bps\b)|\d ?个?百分点|"
            r"\b(?:one|two|three|four|five|ten|fifteen|twenty|twenty-five|fifty|hundred) (?:percent|per cent)",
        ),
    ),
)
MEASUREMENT = Wording(
    looks=(
        Look(
            (DIGIT,),
            r"\d ?(?:[munµμckd]?m|[µμmnk]?g|mcg|[kmg]?wh?|kva|[mk]?v|ma|mah|[kmg]?hz|°[cf]?|[kmg]?pa|mbar|bar|psi|"
            r"rpm|[kmgt]b|[kmg]bps|bits?|bytes?|px|dpi|db|lux|n·m|[md]l|lbs?|oz|inch(?:es)?|feet|ft|miles?|gallons?|tons?|"
            r"tonnes?|mmhg|mmol|iu|meq|mol|kcal|degrees?)(?![a-z0-9])(?<!\dm)",
        ),
        Look(
            (DIGIT,),
            r"\d ?(?:毫米|厘米|分米|米|千米|公里|英寸|毫克|微克|千克|公斤|克|吨|毫升|升|立方|平方|千瓦|兆瓦|瓦|"
            r"伏|安培|毫安|赫兹|兆赫|摄氏度|度|帕|兆帕|千帕|转|字节|比特|像素|分贝|牛)",
        ),
    )
)
LINK = Wording(
    looks=(
        Look(("http", "https", "www"), r"https?://\S|\bwww\.\w"),
        Look(("@",), r"\w@\w[\w-]{0,63}\.\w"),
    )
)
QUESTION = Wording(looks=(Look(("?", "吗", "呢"), r"\?(?=[\s\"'”’)\]]|$)|[一-鿿]\?|[吗呢][。?]"),))

_MAY = Look(("may",), r"(?<!in )(?<!of )(?<!since )(?<!until )\bmay\b(?! \d)(?!,? (?:19|20)\d\d)")
_OUGHT_ZH = Look(
    ("应", "须", "需"),
    r"(?<![供响反相对适效感])应(?![用急收税届力变纳邀]|付(?:账|帐|票|利|职|股|债))|(?<!无)须(?!知)|(?<![无急必供])需(?!求|方)",
)
MODAL_VERB = Wording(
    words(
        "shall, must, should, would, could, might, can, cannot, will, ought to, need to, needs to, have to, has to, "
        "应当, 应该, 必须, 不得, 可以, 可能, 能够, 需要, 务必, 不能, 不应"
    ),
    (_MAY, _OUGHT_ZH),
)
OBLIGATION = Wording(
    words(
        "shall, must, is required to, are required to, be required to, is obligated to, are obligated to, obliged to, "
        "agrees to, agree to, undertakes to, undertake to, covenants, covenant to, responsible for, have to, has to, "
        "应当, 应该, 必须, 务必, 有义务, 有责任, 承诺, 负责"
    ),
    (_OUGHT_ZH,),
)
PROHIBITION = Wording(
    words(
        "shall not, shall neither, must not, may not, will not, cannot, should not, do not, not be permitted, "
        "not permitted, not allowed, prohibit*, forbidden, no party shall, neither party shall, never, "
        "不得, 禁止, 严禁, 不准, 不应, 不允许, 请勿, 切勿, 不能"
    ),
    (Look(("不可",), r"不可(?!抗力|避免|撤销|预见|或缺|否认|逆|能|分|转让|估量)"),),
)
PERMISSION = Wording(
    words(
        "is entitled to, are entitled to, be entitled to, has the right to, have the right to, reserves the right, "
        "is permitted to, are permitted to, at its option, at its sole discretion, 可以, 有权, 允许, 准许"
    ),
    (Look(("may",), rf"{_MAY.pattern}(?! not)"),),
)
NEGATION = Wording(
    words("not, no, never, none, neither, nor, without, cannot, 没有, 并非, 不, 无, 勿"),
    (Look(("'t", "未"), r"n't\b|未(?!来|免)"),),
)
CONDITION = Wording(
    words(
        "if, unless, in the event, in case, provided that, to the extent, as long as, so long as, subject to, "
        "conditional upon, conditioned upon, contingent upon, on condition that, upon the occurrence, assuming that, "
        "如果, 倘若, 假如, 一旦, 除非, 只要, 的情况下, 情形下, 条件下, 为前提"
    ),
    (
        Look(
            ("如", "若"),
            r"(?:^|[,。;:、(\s])(?:但|则|但是|且|或)?如(?!下|上|何|图|表|此|同|实|期|意|今)|若(?!干)",
        ),
    ),
)
EXCEPTION = Wording(
    words(
        "except, excepting, unless, other than, excluding, save for, save as, save that, with the exception of, "
        "notwithstanding, exempt*, exclusion, exclusions, 除外, 除非, 例外, 不包括, 不含, 豁免, 另有规定, 另有约定"
    ),
    (Look(("除",), r"除[^,。;]{1,40}(?:外|以外|之外)"),),
)
DEFECT_WORD = Wording(
    words(
        "fault, faults, faulty, error, errors, erroneous*, exception, exceptions, fail*, defect*, bug, bugs, "
        "malfunction*, crash*, corrupt*, broken, abnormal*, anomal*, breakdown*, outage*, "
        "缺陷, 错误, 异常, 故障, 失效, 失败, 报错, 出错, 损坏, 崩溃, 告警, 报警, 瑕疵, 死机"
    )
)
DEFINED_TERM = Wording(
    words(
        "hereinafter, shall have the meaning*, has the meaning*, have the meaning*, "
        "以下简称, 以下统称, 以下称, 是指, 系指"
    ),
    (
        Look(
            words('", “, ”, 「'),
            any_of(
                r"[\"“”][^\"“”]{2,80}[\"”],? ?(?:\([^()]{0,60}\),? ?)?(?:or [\"“][^\"“”]{2,60}[\"”],? ?)?"
                r"(?:shall |will |also )?(?:means?|is defined|are defined|refers? to|includes?)\b",
                r"\((?:[^()\"“”]{0,80} )?[\"“][^\"“”()]{2,80}[\"”][^()\"“”]{0,40}\)",
                r"[\"“「][^\"“”」]{1,40}[\"”」] ?(?:\([^()]{0,40}\) ?)?[,:]? ?指(?!导|定|出|标|数|示|南|令|挥)",
            ),
        ),
        Look(
            words("means, mean"),
            r"^(?:\([a-z0-9]{1,3}\) |\d{1,2}(?:\.\d{1,2}){0,3}\.? )?[a-z][\w' -]{1,60} (?:shall )?means? "
            r"(?!of\b|to\b|that\b|for\b)",
        ),
        Look(("所称",), r"本[^,。]{1,20}所称"),
    ),
)
_PART = (
    r"(?:section|clause|article|schedule|exhibit|appendix|annex|note|item|part|chapter|paragraph|table|figure|fig\.)s?"
)
CROSS_REFERENCE = Wording(
    looks=(
        Look(
            words(
                "section, sections, clause, clauses, article, articles, schedule, schedules, exhibit, exhibits, "
                "appendix, annex, note, notes, item, items, part, chapter, chapters, paragraph, paragraphs, table, "
                "tables, figure, figures, fig"
            ),
            rf"\b(?:see|in|under|to|with|of|by|per)(?: also)? (?:the )?{_PART} (?:\d|[ivxlc]{{1,6}}\b|[a-z]\b)",
        ),
        Look(
            ("第",),
            r"(?:见|参照|按照?|根据|依照|依据|符合|违反|本[合协办制标规法][^,。]{0,4}) ?"
            r"第 ?[零〇一二三四五六七八九十百\d.]{1,8} ?[条款章节项]",
        ),
        Look(("见", "列于"), r"(?:见|列于)(?:图|表|附录|附件|附表|下表|上表)"),
    )
)
SIGNATURE = Wording(
    words(
        "in witness whereof, signature page*, authorized signatory, authorised signatory, "
        "duly authorized representatives, duly authorized officers, /s/"
    ),
    (
        Look(
            words("by, name, title, signature, date, its"),
            r"^(?:by|name|title|signature|its|date|print name) ?: ?[\s_/.]*",
        ),
        Look(("__*",), r"(?<!_)_{3,}+ ?(?:by|name|title|signature|date)\b"),
        Look(
            words("签字, 盖章, 签章, 签名, 法定代表人, 授权代表, 委托代理人"),
            r"(?:签字|盖章|签章|签名)\)? ?[:)_]|(?:法定代表人|授权代表|委托代理人)[^。,]{0,16}[:_]",
        ),
    ),
)

_TOTAL = re.compile(
    r"(?:(?:sub-?|grand )?totals?|aggregate|net (?:income|loss|sales|revenues?|cash|assets|earnings|profit))\b"
    r"|[一-鿿a-z]{0,8}(?:合计|总计|小计|共计|总额)|净(?:利润|资产|收入|亏损)"
)
_APPENDIX = re.compile(
    r"[\W\d]{0,6}(?:(?:appendix|appendices|annex|annexure|annexes|attachment|addendum|exhibit)\b|"
    r"schedule (?:[a-z]|\d{1,3}|[ivx]{1,5})\b|附录|附件|附表)"
)
_REFERENCES = re.compile(
    r"(?:(?:chapter |section |appendix )?(?:\d{1,2}|[a-z]|[ivx]{1,5})[.:)]? ?)?"
    r"(?:selected |cited |key |general )?(?:references?|bibliography|works cited|literature(?: cited)?|"
    r"references cited|references and notes|notes and references|参考文献|引用文献|参考书目|参考资料|文献)"
    r"(?: list)?[\s.:]*"
)


def total_row(_: Document, facts: DocumentFacts) -> Bools:
    """Find the table rows whose label says that they add up others."""
    found = facts.kinds(BlockKind.TABLE_ROW)
    for row in np.flatnonzero(found).tolist():
        found[row] = _TOTAL.match(facts.texts.parts[row].lstrip(" $*-")) is not None
    return found


def appendix(_: Document, facts: DocumentFacts) -> Bools:
    """Find what stands in a section whose title begins with appendix, annex, exhibit, schedule A, 附录 or 附件."""
    titles = facts.heading_texts.parts
    return facts.under(_matching(_APPENDIX.match, titles), inherit=True)


def references_section(_: Document, facts: DocumentFacts) -> Bools:
    """Find references, and what stands in a section whose title is References, Bibliography or 参考文献."""
    titles = facts.heading_texts.parts
    under = facts.under(_matching(_REFERENCES.fullmatch, titles), inherit=True)
    return under | facts.kinds(BlockKind.REFERENCE)


def _matching(match: Callable[[str], re.Match[str] | None], texts: Sequence[str]) -> Bools:
    return np.fromiter((match(text) is not None for text in texts), np.bool_, len(texts))


def number(_: Document, facts: DocumentFacts) -> Bools:
    """Find what holds a digit."""
    return facts.texts.with_digits()
