"""Queues to walk through: a manual, a filing with a table, and hostile text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.reading.made import CHINESE, ByHand, Made, SharedWords, manual, scores_of
from workbench.documents import Document
from workbench.reading import Reading, SparseReader
from workbench.relevance.scores import RelevanceScores, Scale
from workbench.structure import RuleTable
from workbench.workload import Evidence, Request, Workload

QUESTION = "When does a backup start?"
CHINESE_QUESTION = "何时开始备份？"
RELEVANCE = (0.1, 0.2, 0.93, 0.63, 0.1, 0.05, 0.6, 0.04, 0.03, 0.0)
NO_RULES = RuleTable("none", ())
HOSTILE = (
    "<script>alert(1)</script> from $5 to $9,  two spaces,\r\n"
    "then 👩‍👩‍👧 cafe\u0301 😀 end. <img src=x onerror=alert(2)>"
)


class Parts(ByHand):
    """Scores with the parts that they are given, so that words and meaning can differ."""

    def __init__(self, lexical: Sequence[float], semantic: Sequence[float]) -> None:
        super().__init__([0.5] * len(lexical))
        self.parts = {"lexical": np.array(lexical, np.float32), "semantic": np.array(semantic, np.float32)}

    def score(self, document: Document, question: str, **_others: object) -> RelevanceScores:
        del document, question
        logits = self.parts["lexical"] + self.parts["semantic"]
        found = scores_of((logits / max(1.0, float(logits.max()))).clip(0, 1), Scale.UNCALIBRATED)
        object.__setattr__(found, "parts", self.parts)
        return found


def read(
    document: Document,
    relevance: Sequence[float] = RELEVANCE,
    question: str = QUESTION,
    *,
    threshold: float | None = 0.62,
    scale: Scale = Scale.CALIBRATED,
) -> Reading:
    return SparseReader(scorer=ByHand(relevance, scale), threshold=threshold, rules=NO_RULES).read(document, question)


def plant(language: str = "en") -> Reading:
    document = manual() if language == "en" else manual(CHINESE, name="手册.txt", language="zh")
    return read(document, question=QUESTION if language == "en" else CHINESE_QUESTION)


def filing() -> Reading:
    """Blocks 0 heading, 1 paragraph, 2 table, 3 header row, 4 and 5 rows, 6 hostile, 7 a long one, 8 the end."""
    made = Made(name="10-K.txt").heading("Segments").text("Net sales by segment, in millions.")
    made.table(["", "2024", "2023"], ["Consumer", "$ 5", "$ 9"], ["Health Care", "8,195", "8,421"])
    made.text(HOSTILE, "The word is repeated. " * 900, "The end comes here.")
    document = made.document()
    relevance = np.zeros(len(document))
    relevance[[4, 5, 6, 7, 8]] = [0.61, 0.6, 0.59, 0.58, 0.57]
    return read(document, relevance.tolist(), "What were net sales of Health Care?", threshold=0.65)


def workload(manuals: int = 3, questions: int = 2) -> tuple[Workload, SparseReader]:
    """Manuals of different plants, each with questions that have gold evidence."""
    documents, requests = {}, []
    asked = [
        ("When does a backup start?", "A backup starts when the load falls under {n} % for ten minutes."),
        ("How long is a backup kept?", "Each backup is kept for {n} days and then deleted."),
    ]
    for number in range(manuals):
        load, days = 20 + number, 90 + number
        chapters = {
            "Backups": (asked[0][1].format(n=load), asked[1][1].format(n=days)),
            "Alarms": (f"An alarm sounds when tank {number} is full.", "The night shift answers every backup alarm."),
        }
        name = f"plant-{number}.txt"
        documents[name] = manual(chapters, name=name)
        for rank in range(questions):
            question, quote = asked[rank]
            text = quote.format(n=(load, days)[rank])
            requests.append(
                Request(id=f"p{number}-{rank}", artifact=name, question=question, evidence=(Evidence(quote=text),))
            )
    reader = SparseReader(scorer=SharedWords(), rules=NO_RULES, min_tokens=40, token_share=0.1)
    return Workload.of(requests, documents, name="plants"), reader
