"""Clauses told by the words around them: what decides where no sentence is parsed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from ..documents.blocks import BlockKind
from .facts import DocumentFacts
from .keywords import Bools, words
from .verbs import CHINESE, ENGLISH, english_forms, inflected
from .wording import Look, Wording, any_of

if TYPE_CHECKING:
    from ..documents import Document

BUT_WORDS = words(
    "but, however, except, excepting, provided, notwithstanding, although, though, nevertheless, nonetheless, despite, "
    "save"
)
"""English words of which a but-clause has one."""
BUT_WORDS_ZH = words("但, 然而, 不过, 尽管, 除")

_DEGREE = "much|many|long|small|large|great|slight|often|little|few|remote|minor|well|far|hard|soon|high|low|big"
_MADE = (
    "described|denominated|arising|caused|named|characterized|characterised|designated|held|evidenced|occurring|"
    "defined|styled|effected|incurred|imposed|acquired|classified"
)
BUT_ENGLISH = Wording(
    looks=(
        Look(
            BUT_WORDS,
            any_of(
                r"(?<!nothing )(?<!anything )(?<!all )(?<!none )(?<!choice )(?<!cannot )(?<!last )\bbut\b"
                r"(?! (?:is |are |was |were )?not (?:be )?(?:necessarily )?limited)(?! without limit)"
                r"(?! for\b(?! the avoidance))(?! rather than\b)(?! also\b)",
                rf"\bhowever\b(?! (?:{_DEGREE}|{_MADE})\b)",
                r"\bexcept(?:ing)?\b",
                r"\bprovided,? (?:however|further|always|also|that)\b",
                r"\bnotwithstanding\b|\balthough\b|\bthough\b|\bnevertheless\b|\bnonetheless\b|\bdespite\b",
                r"\bsave (?:as|for|that|and except|to the extent|where|in)\b",
            ),
        ),
    )
)
BUT_CHINESE = Wording(
    looks=(
        Look(
            BUT_WORDS_ZH,
            any_of(
                r"(?<![不非])但(?![凡愿求知丁])",
                "然而|尽管",
                r"(?:^|[,。;:])不过(?!是|来|去)",
                r"除[^,。;]{1,40}(?:外|以外|之外)",
            ),
        ),
    )
)
ACTION_WORDS = tuple(sorted(english_forms()))
ACTION_CHINESE = Wording(
    looks=(
        Look(
            CHINESE,
            any_of(
                r"(?:将|会|应|须|需|请|可|要|自动|立即|及时|马上|开始|不得|不能|再|并|后|则|即|已|就|能|有权|负责|由)[^,。;:]{0,6}?"
                rf"(?:{'|'.join(CHINESE)})",
                rf"(?:^|[,。;:、)\s])(?:{'|'.join(CHINESE)})(?!的|性|率|人|者|书|器|表|单)",
            ),
        ),
    )
)

_BASES = frozenset(ENGLISH)
_THIRDS = frozenset(inflected(verb)[0] for verb in ENGLISH)
_PASTS = frozenset(form for verb in ENGLISH for form in inflected(verb)[1:3])
_FORMS = _BASES | _THIRDS | _PASTS
_BEFORE_BASE = frozenset(
    words(
        "will, shall, must, should, may, can, cannot, could, would, might, please, not, never, always, "
        "automatically, immediately"
    )
)
_BEFORE_TO = frozenset(
    words(
        "., required, agree, agrees, obligated, obliged, undertake, undertakes, need, needs, have, has, ought, entitled"
    )
)
_BEFORE_PAST = frozenset(words("is, are, be, been, being, gets"))
_BEFORE_THIRD = frozenset(
    words(
        "it, he, she, which, that, who, system, device, unit, server, service, software, application, program, module, "
        "process, controller, user, operator, administrator, company, customer, supplier, seller, buyer, party, agent, "
        "tenant, landlord, licensee, licensor, employer, employee, patient, physician, automatically, immediately"
    )
)
_BETWEEN = frozenset(words("not, also, then, first, only, never, always, immediately"))
_STOP = "."
_TOKEN = re.compile(r"[a-z]+(?:n't\b)?|[.;:!?)•]")


_TO_A_NOUN = frozenset(
    words("of, to, for, from, by, with, at, and, or, is, are, was, were, has, have, had, number, date")
)


class _EnglishAction:
    """Tells an action verb by the word before it: "will restart", "is triggered", "the system sends", ". Press"."""

    def __call__(self, _: Document, facts: DocumentFacts) -> Bools:
        found = facts.texts.holding(ACTION_WORDS)
        for index in np.flatnonzero(found).tolist():
            found[index] = acts(facts.texts.parts[index])
        return found


def acts(text: str) -> bool:
    """Return whether a normalised English text tells somebody or something to act, or says that it does.

    What only was done ("the company sold") does not count.

    Examples
    --------
    >>> acts("the system automatically restarts."), acts("press the button."), acts("report of the auditor.")
    (True, True, False)
    """
    tokens = [_STOP, *_TOKEN.findall(text), _STOP]
    return any(_is_action(tokens, at) for at, word in enumerate(tokens) if word in _FORMS)


def _is_action(tokens: list[str], at: int) -> bool:
    word, before = tokens[at], at - 1
    while before > 0 and at - before < 3 and (tokens[before] in _BETWEEN or tokens[before].endswith("ly")):
        before -= 1
    for previous in (tokens[before], tokens[at - 1]):
        if word in _BASES and (previous in _BEFORE_BASE or previous.endswith("n't")):
            return True
        if word in _BASES and previous == "to" and tokens[max(before - 1, 0)] in _BEFORE_TO:
            return True
        if word in _BASES and not previous.isalpha() and tokens[at + 1].isalpha() and tokens[at + 1] not in _TO_A_NOUN:
            return True
        if (word in _PASTS and previous in _BEFORE_PAST) or (word in _THIRDS and previous in _BEFORE_THIRD):
            return True
    return False


ACTION_ENGLISH = _EnglishAction()

WITHOUT_SENTENCES = (
    BlockKind.HEADER,
    BlockKind.FOOTER,
    BlockKind.TOC_ENTRY,
    BlockKind.CODE,
    BlockKind.REFERENCE,
    BlockKind.TABLE,
)
"""Kinds of block in which no but-clause is looked for."""
WITHOUT_ACTION = (*WITHOUT_SENTENCES, BlockKind.HEADING, BlockKind.TABLE_ROW)
"""Kinds of block in which no action is looked for."""


def but(document: Document, facts: DocumentFacts) -> Bools:
    """Find the blocks that turn against what was said, by words alone."""
    found = BUT_ENGLISH(document, facts) | BUT_CHINESE(document, facts)
    return found & ~facts.kinds(*WITHOUT_SENTENCES)


def action(document: Document, facts: DocumentFacts) -> Bools:
    """Find the blocks in which somebody acts or shall act, by words alone."""
    found = ACTION_ENGLISH(document, facts) | ACTION_CHINESE(document, facts)
    return found & ~facts.kinds(*WITHOUT_ACTION)
