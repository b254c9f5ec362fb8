"""What an audit was decided from, as a reading has it: made from the stored inputs, never from what was computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...documents import BlockKind, Document, Page, PageStatus, Verdict
from ...documents.blocks import KIND_CODE
from ...documents.columns import NONE, BlockColumns
from ...documents.tokens import TOKENIZER
from ...errors import InvalidAudit, InvalidOption, MissingModel, WorkbenchError
from ...relevance.scores import RelevanceScores, Scale, Scope
from ...structure import Match, Rule, RuleMatches, RuleTable, StructureWeights
from ...structure.patterns import PatternResult
from ..basis import Basis, checked_scores
from ..cuts import Cut, Threshold, TokenShare, checked_budget
from ..decision import Focus
from ..feedback import FeedbackVoice
from ..tokenizers import Tokenizer, tokenizer_of
from .columns import FEEDBACK, PART, cells_of
from .possible import Impossible, check_cells, check_cut, check_facts, check_finite, said, voice_of
from .table import Audit

_MISTAKES = (Impossible, WorkbenchError, ValueError, TypeError, KeyError, IndexError, OverflowError)
"""What the parts of a reading raise for values that they cannot have."""


class StoredScores:
    """The scorer of an audit: it gives the scores that are stored, and no others."""

    def __init__(self, scores: RelevanceScores) -> None:
        self._scores = scores

    @property
    def fingerprint(self) -> str:
        """That of the scorer whose scores they are."""
        return self._scores.scorer

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        """Nothing: the scores are there."""

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        """Return the stored scores."""
        del document, question, scope, progress
        return self._scores

    def question_vector(self, question: str) -> None:
        """Return None: there is no model."""
        del question


class UnopenedTokenizer:
    """A tokenizer that an audit names and nobody gave: a file does not decide what is loaded."""

    def __init__(self, name: str) -> None:
        self.name = name

    def count(self, texts: Sequence[str]) -> npt.NDArray[np.int32]:
        """Refuse.

        Raises
        ------
        MissingModel
        """
        del texts
        raise MissingModel(
            f"The reading counted its kept text with the tokenizer {self.name!r:.80}; give it as tokenizer=… to decide "
            "again under a budget or a focus."
        )


def checked_tokenizer(audit: Audit, tokenizer: Any = None) -> Tokenizer:
    """Return what counts tokens as the reading did.

    Raises
    ------
    InvalidOption
        If it has another name.
    MissingModel, MissingDependency
        If there is none of the name that was given.
    """
    name = audit.facts["tokenizer"]
    if tokenizer is None:
        return tokenizer_of() if name == TOKENIZER else UnopenedTokenizer(name)
    found = tokenizer_of(tokenizer)
    if found.name != name:
        raise InvalidOption(
            f"The reading counted with the tokenizer {name!r:.80}, and {found.name!r:.80} was given; give the former."
        )
    return found


def basis_of(audit: Audit, tokenizer: Any = None, *, recount: bool = False) -> Basis:
    """Return what the reading was decided from.

    ``recount``: count the tokens of each block again, where there is what counts them, instead of believing those that
    are stored: a budget that believed false ones would drop block after block.

    Raises
    ------
    InvalidAudit
        If an input is impossible; the message says which.
    InvalidOption, MissingModel, MissingDependency
        As ``checked_tokenizer``.
    """
    counter = checked_tokenizer(audit, tokenizer)
    facts, cells = audit.facts, cells_of(audit.columns, audit.rows)
    try:
        check_facts(facts)
        check_cells(facts, cells)
    except _MISTAKES as error:
        raise _impossible(audit, error) from error
    if recount and not isinstance(counter, UnopenedTokenizer):
        cells["tokens"] = tuple(counter.count(cells["text"]).tolist())
    try:
        document = _document(facts, cells)
        basis = Basis(
            document=document,
            question=facts["question"],
            scope=None if facts["scope"] is None else Scope(facts["scope"]),
            scored=(scores := checked_scores(_scores(facts, cells), document)),
            structure=_structure(document, facts, cells),
            scorer=StoredScores(scores),
            tokenizer=counter,
            tokens=np.array(cells["tokens"], np.int64),
            offset=float(facts["type_offset"]),
            feedback={
                block: FeedbackVoice(factor, "") for block, factor in enumerate(cells["feedback"]) if factor != 1.0
            },
        )
        with np.errstate(all="ignore"):
            check_finite("logit", basis.scores.logits)
        return basis
    except _MISTAKES as error:
        raise _impossible(audit, error) from error


def cut_of(audit: Audit) -> tuple[Cut, int | None, Focus | None]:
    """Return the cut, the budget and the focus of the reading.

    Raises
    ------
    InvalidAudit
        If one of them is impossible.
    """
    cut = audit.facts["cut"]
    try:
        check_cut(cut)
        found: Cut = (
            Threshold(cut["value"], Scale(cut["scale"]))
            if cut["kind"] == "threshold"
            else TokenShare(cut["share"], cut["min_tokens"])
        )
        return found, checked_budget(audit.facts["budget_tokens"]), _focus(audit)
    except _MISTAKES as error:
        raise _impossible(audit, error) from error


def _impossible(audit: Audit, error: Exception) -> InvalidAudit:
    plain = isinstance(error, Impossible | WorkbenchError)
    reason = f"{error!s:.200}".rstrip(".") if plain else "some are of no kind that a reading has"
    return InvalidAudit(
        f"The audit of {audit.facts['document']!r:.80} cannot be decided again, because its inputs are impossible "
        f"({reason}); it was not made by a reading."
    )


def _focus(audit: Audit) -> Focus | None:
    if audit.facts["focus_blocks"] is None:
        return None
    ranges = cells_of(audit.columns, audit.rows)["focus"]
    return {block: _ranges(text) for block, text in enumerate(ranges) if text is not None}


def _ranges(text: str) -> tuple[tuple[int, int], ...]:
    pairs = (part.split("-") for part in text.split(" "))
    return tuple((int(start), int(end)) for start, end in pairs)


def _document(facts: Any, cells: Mapping[str, Sequence[Any]]) -> Document:
    texts: Sequence[str] = cells["text"]
    count = len(texts)
    has_text = np.array([bool(text) for text in texts], bool)
    lengths = np.array([len(text) for text in texts], np.int64)[has_text]
    ends = np.cumsum(lengths)
    links = {name: _links(cells[name]) for name in ("parent", "table", "continues")}
    columns = BlockColumns(
        kind=np.array([KIND_CODE[BlockKind(kind)] for kind in cells["kind"]], np.uint8),
        level=np.zeros(count, np.uint8),
        **links,
        is_header=np.array(cells["is_header"], np.uint8),
        tokens=np.array(cells["tokens"], np.int32),
        first_piece=np.concatenate([[0], np.cumsum(has_text)]).astype(np.int32),
        start=(ends - lengths).astype(np.int32),
        end=ends.astype(np.int32),
        joint=np.zeros(len(lengths), np.uint8),
        column=np.full(len(lengths), NONE, np.int16),
        box=np.zeros((0, 4), np.float32),
        home_page=np.array(cells["page"], np.int32) - 1,
    )
    return Document(
        sha256=facts["document_sha256"],
        name=facts["document"],
        format="audit",
        text_layer="".join(texts),
        columns=columns,
        pages=_pages(facts["pages"]),
        document_type=Verdict(facts["document_type"], 1.0),
        language=Verdict(facts["language"], 1.0),
        tokenizer=facts["tokenizer"],
    )


def _links(ids: Sequence[int | None]) -> npt.NDArray[np.int32]:
    return np.array([NONE if block is None else block for block in ids], np.int32)


def _pages(told: dict[str, Any]) -> list[Page]:
    status = {number: kind for kind in PageStatus if kind is not PageStatus.TEXT for number in told[kind.value]}
    return [
        Page(number, "", status.get(number, PageStatus.TEXT), math.nan, math.nan, 0, 0, 0)
        for number in range(1, told["count"] + 1)
    ]


def _scores(facts: Any, cells: Mapping[str, Sequence[Any]]) -> RelevanceScores:
    heard = any(factor != 1.0 for factor in cells["feedback"])
    parts = [name for name in facts["parts"] if not (heard and name == FEEDBACK)]
    with np.errstate(over="ignore"):
        single = {
            name: np.array(cells[name], np.float32) for name in ("scored_logit", *(PART + name for name in parts))
        }
    for name, values in single.items():
        check_finite(name, values)
    return RelevanceScores(
        logits=single["scored_logit"],
        relevance=np.array(cells["scored_relevance"], np.float64),
        scale=Scale(facts["scale"]),
        parts={name: single[PART + name] for name in parts},
        share_read=np.array(cells["share_read"], np.float32),
        scorer=facts["scorer"],
        calibration=facts["calibration"],
        words_alone=facts["words_alone"],
        presence=facts["presence"],
        nothing_relevant=facts["nothing_relevant"],
    )


def _structure(document: Document, facts: Any, cells: Mapping[str, Sequence[Any]]) -> StructureWeights:
    """Weigh by the rules that spoke, with a match of each that finds the blocks at which it did."""
    rules = tuple(
        Rule(rule["name"], Match(pattern=(f"rule {at}",)), rule["weight"], pin=rule["pin"], reason=rule["reason"])
        for at, rule in enumerate(facts["rules_spoken"])
    )
    spoke = {rule.name: np.zeros(len(document), bool) for rule in rules}
    for block, voices in enumerate(cells["rules"]):
        for voice in said(voices):
            spoke[voice_of(voice)][block] = True
    found = {rule.match.sha256: PatternResult(spoke[rule.name]) for rule in rules}
    return RuleMatches(document, found).weigh(RuleTable("audit", rules))
