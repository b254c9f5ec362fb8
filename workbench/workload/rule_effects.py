"""What each rule of a table does: in the document at hand, and to recall and tokens over a workload when it is off.

Nothing is scored or matched again: weights are combined anew without the rule, and the blocks are cut again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..calibration.block_thresholds import LEVEL, Estimate
from ..errors import WorkbenchError
from ..reading.cuts import SEED_THRESHOLD, Cut, Threshold
from ..reading.deciding import decide
from ..relevance.scores import Scale, uncalibrated
from ..structure import RuleTable, match_rules
from ..structure.rule_books import ANY_TYPE
from .entering import Places, spent_before

if TYPE_CHECKING:
    from ..documents import Document
    from ..reading import Reading, SparseReader
    from ..structure import RuleBook, RuleMatches, StructureWeights
    from .replay.block_table import BlockScores, RequestScores
    from .workload import Workload

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]
"""Told how many documents are done, of how many; what it raises ends the work."""

DRAWS = 1_000
_SEED = 0


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What one rule does in the document at hand.

    Attributes
    ----------
    rule : str
    touched : int
        Blocks that it matches; 0 for a rule that is off.
    kept : int
        By how many blocks more, or fewer, are kept without it.
    tokens : int
        By how many tokens.
    """

    rule: str
    touched: int
    kept: int
    tokens: int


@dataclass(frozen=True, slots=True)
class WorkloadEffect:
    """What one rule does over the documents that its table serves.

    Attributes
    ----------
    rule : str
    touched, documents : int
        Blocks that it matches, each once, and documents in which there is one.
    recall : Estimate
        Change of the evidence recall when the rule is off, in shares: mean over documents of the mean over requests,
        with its interval over documents. nan without evidence.
    tokens : Estimate
        Change of the tokens kept when the rule is off, as a share of those kept with it.
    """

    rule: str
    touched: int
    documents: int
    recall: Estimate
    tokens: Estimate


@dataclass(frozen=True)
class WorkloadEffects:
    """The effects of the rules of one table.

    Attributes
    ----------
    table_sha256 : str
        Hash of the table; other rules have other effects.
    rules : mapping of str to WorkloadEffect
        By name; rules that are off are not in it.
    requests, documents : int
        On which they were found out.
    in_sample : bool
        Whether the reader was fitted, or tuned by hand, on this workload.
    """

    table_sha256: str
    rules: Mapping[str, WorkloadEffect] = field(default_factory=dict)
    requests: int = 0
    documents: int = 0
    in_sample: bool = False


def touched_blocks(structure: StructureWeights) -> dict[str, int]:
    """Return how many blocks each rule that is on matches."""
    return {rule.name: int(structure.spoken_for(rule.name).sum()) for rule in structure.rules if rule.enabled}


def rule_effects(reading: Reading, table: RuleTable, rules: Sequence[str] | None = None) -> dict[str, RuleEffect]:
    """Return what rules do in the document of a reading, under its cut and budget.

    Parameters
    ----------
    reading : Reading
    table : RuleTable
        The table that the reading was made with, or another one.
    rules : sequence of str, optional
        Names of some rules; all by default.

    Returns
    -------
    dict of str to RuleEffect
        In the order of the table.
    """
    matches = match_rules(reading.document, table, progress=False)
    structure = matches.weigh(table)
    with_all = reading if reading.structure.sha256 == table.sha256 else reading.with_rules(table)
    before = with_all.decision
    tokens_before = int(before.costs[before.kept].sum())
    wanted = set(table.names if rules is None else rules)
    found: dict[str, RuleEffect] = {}
    for rule in table.rules:
        if rule.name not in wanted:
            continue
        touched = int(structure.spoken_for(rule.name).sum())
        kept = tokens = 0
        other = _without(matches, table, structure, rule.name) if touched else None
        if other is not None:
            after = decide(
                with_all.basis.weighed(other), with_all.cut, budget_tokens=with_all.budget_tokens, focus=with_all.focus
            )
            kept = int(after.kept.sum()) - int(before.kept.sum())
            tokens = int(after.costs[after.kept].sum()) - tokens_before
        found[rule.name] = RuleEffect(rule.name, touched, kept, tokens)
    return found


def workload_effects(
    scores: BlockScores,
    workload: Workload,
    reader: SparseReader,
    table: RuleTable,
    *,
    table_key: str | None = None,
    by_hand: bool = False,
    progress: Progress | None = None,
) -> WorkloadEffects:
    """Return what each rule of a table does to recall and tokens over a workload when it is off.

    A block is kept as the reader keeps it, for its own sake or as context of another; a budget plays no part.

    Parameters
    ----------
    scores : BlockScores
        Of the workload's requests; their weights are not looked at.
    workload : Workload
    reader : SparseReader
        Its calibration, cut and offsets are used.
    table : RuleTable
    table_key : str, optional
        Document type that the table serves in the reader's rule book, or ``ANY_TYPE``. By default the table serves
        all documents.
    by_hand : bool
        Whether somebody who saw these requests tuned the reader's rules or offsets.
    progress : callable, optional
        Called before each document and at the end; what it raises, to cancel, is raised.

    Raises
    ------
    WorkbenchError
        If none of the documents can be opened.
    """
    groups = _by_document(scores, reader.rule_book, table_key)
    sums: list[_Sums] = []
    requests = 0
    for rank, group in enumerate(groups):
        if progress is not None:
            progress(rank, len(groups))
        try:
            document = workload.open(group[0].document, progress=False)
        except WorkbenchError:
            # A file that is gone since it was scored says nothing of a rule; of all together that is said.
            if rank == len(groups) - 1 and not sums:
                raise
            continue
        sums.append(_measured(document, group, reader, table))
        requests += len(group)
    if progress is not None:
        progress(len(groups), len(groups))
    calibration = reader.calibration
    return WorkloadEffects(
        table.sha256,
        dict(_told(table, sums)),
        requests=requests,
        documents=len(sums),
        in_sample=by_hand or (calibration is not None and calibration.fitted_on == workload.fingerprint),
    )


class _Sums:
    """What is added up for one document: a row with all rules, and one without each.

    Attributes
    ----------
    touched : ndarray of int64, shape (rules,)
    recall, tokens : ndarray of float64, shape (rules + 1,)
        Sums over requests; the last entry is with all rules.
    asked : int
        Requests with evidence.
    """

    def __init__(self, rules: int) -> None:
        self.touched = np.zeros(rules, np.int64)
        self.recall = np.zeros(rules + 1)
        self.tokens = np.zeros(rules + 1)
        self.asked = 0


def _measured(document: Document, requests: Sequence[RequestScores], reader: SparseReader, table: RuleTable) -> _Sums:
    found = _Sums(len(table.rules))
    matches = match_rules(document, table, progress=False)
    structure, places = matches.weigh(table), Places(document)
    others: list[tuple[int, StructureWeights]] = []
    for index, rule in enumerate(table.rules):
        found.touched[index] = int(structure.spoken_for(rule.name).sum())
        other = _without(matches, table, structure, rule.name) if found.touched[index] else None
        if other is not None:
            others.append((index, other))
    for one in requests:
        relevance, cut, offset = _relevance(one, reader)
        found.asked += bool(len(one.gold))
        with_all = _figures(one, places, relevance, structure, cut, offset)
        found.recall += with_all[0]
        found.tokens += with_all[1]
        for index, other in others:
            recall, tokens = _figures(one, places, relevance, other, cut, offset)
            found.recall[index] += recall - with_all[0]
            found.tokens[index] += tokens - with_all[1]
    return found


def _without(matches: RuleMatches, table: RuleTable, structure: StructureWeights, rule: str) -> StructureWeights | None:
    """Return the weights without a rule, or None where it decides nothing."""
    index = table.names.index(rule)
    wins = (structure.boost == index) | (structure.damping == index) | (structure.pinned_by == index)
    if not wins.any():
        return None
    other = matches.weigh(table.enabled(rule, False))
    same = np.array_equal(other.weights, structure.weights) and np.array_equal(other.pinned, structure.pinned)
    return None if same else other


def _relevance(one: RequestScores, reader: SparseReader) -> tuple[Floats, Cut, float]:
    """Return the relevance of the blocks, the cut that the reader has for its scale, and the offset."""
    calibration = reader.calibration
    line = None if calibration is None else calibration.map_for(one.document_type, words_alone=one.words_alone)
    if line is None:
        known = reader.threshold
        cut: Cut = known if known is not None and known.scale is Scale.UNCALIBRATED else reader.share
        return uncalibrated(one.logits), cut, 0.0
    return line(one.logits), reader.threshold or Threshold(SEED_THRESHOLD), reader.offsets.get(one.document_type, 0.0)


def _figures(
    one: RequestScores, places: Places, relevance: Floats, structure: StructureWeights, cut: Cut, offset: float
) -> tuple[float, float]:
    """Return the evidence recall, 0 without evidence, and the tokens kept."""
    priority = relevance * structure.weights
    if isinstance(cut, Threshold):
        own = np.where(one.eligible, priority, -np.inf)
        kept = places.entering(own, structure.pinned) >= cut.value + offset
    else:
        weighed = replace(one, weights=structure.weights, pinned=structure.pinned)
        kept = spent_before(weighed, places, relevance, priority) < cut.limit(int(one.tokens.sum()))
    recall = one.gold.recall(kept, one.tokens) if len(one.gold) else 0.0
    return recall, float(one.tokens[kept].sum())


def _by_document(scores: BlockScores, book: RuleBook, key: str | None) -> list[list[RequestScores]]:
    groups: dict[str, list[RequestScores]] = {}
    for one in scores.requests:
        serves = one.document_type if one.document_type in book.tables else ANY_TYPE
        if key is None or serves == key:
            groups.setdefault(one.document, []).append(one)
    return [groups[name] for name in sorted(groups)]


def _told(table: RuleTable, sums: Sequence[_Sums]) -> Iterator[tuple[str, WorkloadEffect]]:
    nothing = Estimate(float("nan"))
    touched = np.array([found.touched for found in sums]).reshape(len(sums), len(table.rules))
    asked = np.array([found.asked for found in sums], np.float64)
    recall = np.array([found.recall for found in sums]).reshape(len(sums), len(table.rules) + 1)
    tokens = np.array([found.tokens for found in sums]).reshape(len(sums), len(table.rules) + 1)
    held = asked > 0
    change = (recall[held, :-1] - recall[held, -1:]) / asked[held, None]
    recall_of = _means(change, np.ones(len(change)))
    kept = tokens[:, -1] > 0
    tokens_of = _means(tokens[kept, :-1] - tokens[kept, -1:], tokens[kept, -1])
    for index, rule in enumerate(table.rules):
        if rule.enabled:
            yield (
                rule.name,
                WorkloadEffect(
                    rule.name,
                    int(touched[:, index].sum()),
                    int(np.count_nonzero(touched[:, index])),
                    recall_of[index] if recall_of else nothing,
                    tokens_of[index] if tokens_of else nothing,
                ),
            )


def _means(values: Floats, weights: Floats) -> list[Estimate]:
    """Return sum of values over sum of weights for each column, with its interval over rows; none without rows."""
    count = len(values)
    if not count:
        return []
    means = values.sum(axis=0) / weights.sum()
    if count < 2:
        return [Estimate(float(mean)) for mean in means]
    draws = np.random.default_rng(_SEED).multinomial(count, np.full(count, 1 / count), size=DRAWS)
    drawn = (draws @ values) / (draws @ weights)[:, None]
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return [Estimate(*map(float, found)) for found in zip(means, low, high, strict=True)]
