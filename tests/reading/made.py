"""Documents made block by block, and scorers that a person could write."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from workbench.documents import BlockKind, Document, Draft, PageStatus, Verdict
from workbench.documents.draft import Span
from workbench.documents.tokens import TOKENIZER
from workbench.relevance.scores import RelevanceScores, Scale, Scope
from workbench.structure import Match, Rule, RuleMatches, RuleTable, StructureWeights
from workbench.structure.patterns import PatternResult

HEADING, PARAGRAPH, HEADER, FOOTER = BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.HEADER, BlockKind.FOOTER


@dataclass
class Made:
    """A document under construction: what is added comes after what was."""

    name: str = "made.txt"
    document_type: str = "general"
    language: str = "en"
    draft: Draft = field(default_factory=Draft)

    def page(self, status: PageStatus | None = None) -> Made:
        self.draft.begin_page(status=status)
        return self

    def heading(self, text: str, level: int = 1) -> Made:
        self.draft.add(HEADING, self.draft.write(text + "\n"), level=level)
        return self

    def text(self, *texts: str, kind: BlockKind = PARAGRAPH) -> Made:
        for text in texts:
            self.draft.add(kind, self.draft.write(text + "\n"))
        return self

    def table(self, *rows: Sequence[str], headers: int = 1) -> Made:
        table = self.draft.begin_table()
        for number, row in enumerate(rows):
            cells: list[Span | None] = []
            for cell in row:
                cells.append(self.draft.write(cell))
                self.draft.write("\t")
            self.draft.write("\n")
            self.draft.add_row(table, cells, is_header=number < headers)
        return self

    def document(self) -> Document:
        done = self.draft.finish(max_block_chars=100_000)
        return Document(
            sha256=hashlib.sha256(done.text_layer.encode("utf-8", "surrogatepass")).hexdigest(),
            name=self.name,
            format="made",
            text_layer=done.text_layer,
            columns=done.columns,
            pages=done.pages,
            exclusions=done.exclusions,
            document_type=Verdict(self.document_type, 1.0),
            language=Verdict(self.language, 1.0),
            tokenizer=TOKENIZER,
        )


def scores_of(
    relevance: Sequence[float] | npt.NDArray[np.float64],
    scale: Scale = Scale.CALIBRATED,
    *,
    notes: tuple[str, ...] = (),
    scorer: str = "by hand",
) -> RelevanceScores:
    """Scores with the given relevances, and logits that rise with them."""
    values = np.array(relevance, np.float64)
    logits = values.astype(np.float32)
    return RelevanceScores(
        logits=logits,
        relevance=values,
        scale=scale,
        parts={"by hand": logits.copy()},
        share_read=np.ones(len(values), np.float32),
        scorer=scorer,
        calibration="by hand" if scale is Scale.CALIBRATED else None,
        notes=notes,
    )


class ByHand:
    """Gives the blocks the relevances that it was made with, and counts how often it was asked."""

    fingerprint = "by hand"

    def __init__(
        self, relevance: Sequence[float], scale: Scale = Scale.CALIBRATED, notes: tuple[str, ...] = ()
    ) -> None:
        self.relevance, self.scale, self.notes = relevance, scale, notes
        self.asked: list[tuple[str, Scope | None]] = []
        self.prepared: list[str] = []

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        del progress
        self.prepared.append(document.name)

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        del document, progress
        self.asked.append((question, scope))
        return scores_of(self.relevance, self.scale, notes=self.notes)

    def question_vector(self, question: str) -> None:
        del question


class SharedWords:
    """The share of the question's words, or pairs of Chinese characters, that a block holds."""

    fingerprint = "shared words 1"

    def __init__(self, scale: Scale = Scale.UNCALIBRATED) -> None:
        self.scale = scale

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        """Nothing: words are counted when asked."""

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        del scope, progress
        found = [[term in text.lower() for term in terms_of(question)] for text in document.texts]
        shares = np.array([np.mean(terms) if terms else 0.0 for terms in found], np.float64)
        return scores_of(shares, self.scale, scorer=self.fingerprint)

    def matched(self, document: Document, question: str, block_id: int) -> list[tuple[str, float]]:
        terms = terms_of(question)
        return [(term, 1 / len(terms)) for term in terms if term in document.texts[block_id].lower()]

    def question_vector(self, question: str) -> None:
        del question


def terms_of(question: str) -> list[str]:
    if any("\u4e00" <= character <= "\u9fff" for character in question):
        kept = [character for character in question if character.isalnum()]
        return [left + right for left, right in pairwise(kept)]
    return [word.strip("?.,").lower() for word in question.split() if len(word) > 3]


ENGLISH: Mapping[str, tuple[str, ...]] = {
    "Backups": (
        "A backup starts when the load falls under 20 % for ten minutes.",
        "Each backup is kept for 90 days and then deleted.",
    ),
    "Alarms": ("An alarm sounds when the tank is full.", "The night shift answers every alarm within 5 minutes."),
    "Cleaning": ("The filters are cleaned on Mondays.", "Use no solvent but water."),
}
CHINESE: Mapping[str, tuple[str, ...]] = {
    "备份": ("当负载低于20%并持续十分钟时，系统开始备份。", "每份备份保存90天，然后删除。"),
    "报警": ("储罐满时响起报警。", "夜班在5分钟内应答每次报警。"),
    "清洁": ("每周一清洗滤网。", "除水以外不得使用任何溶剂。"),
}


def manual(
    chapters: Mapping[str, tuple[str, ...]] = ENGLISH,
    *,
    name: str = "manual.txt",
    language: str = "en",
    document_type: str = "technical",
) -> Document:
    """A title, and chapters of two paragraphs: blocks 1, 4, 7 are the headings of 2-3, 5-6, 8-9."""
    made = Made(name=name, language=language, document_type=document_type)
    made.heading("The plant" if language == "en" else "工厂手册")
    for title, paragraphs in chapters.items():
        made.heading(title, 2).text(*paragraphs)
    return made.document()


def weights_of(document: Document, weights: Sequence[float], pinned: Sequence[bool]) -> StructureWeights:
    """Weights and pins by hand, each distinct weight as a rule of its own."""
    masks = {f"x{weight:g}": (np.array(weights) == weight, weight) for weight in sorted({*weights} - {1.0})}
    rules = [Rule(name, Match(keywords=(name,)), weight) for name, (_, weight) in masks.items()]
    rules.append(Rule("by-hand", Match(keywords=("by-hand",)), pin=True, reason="Somebody wants it."))
    found = {
        rule.match.sha256: PatternResult(np.array(pinned, bool) if rule.pin else masks[rule.name][0]) for rule in rules
    }
    table = RuleTable("hand-made", tuple(rules))
    return RuleMatches(document, found).weigh(table)
