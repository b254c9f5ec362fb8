"""The orders: which blocks of one question are worth a person's time, best first, and why."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..mining.mined import LABEL_WAY
from .items import Order, Reason
from .looking import Look

if TYPE_CHECKING:
    from ..mining import HardNegative, Mined

TOP_SHARE = 0.1
"""Words and meaning disagree about a block that one of them has among this share of the best, and the other has not."""

Gold = frozenset[int] | None


class Choice(NamedTuple):
    """A block, how much it is worth (higher is more), and why it is asked about."""

    block: int
    score: float
    reason: Reason


def nearest(look: Look, gold: Gold, seed: int) -> list[Choice]:
    """Return blocks by how near their priority is to the cut."""
    del gold, seed
    reading = look.reading
    if reading.threshold is None:
        return []
    over = int(np.count_nonzero(reading.margin >= 0))
    found = []
    for block in look.asked.tolist():
        margin = float(reading.margin[block])
        values = {"rank": int(look.rank[block]), "over": over, "blocks": len(look.rank)}
        code = "near.over" if margin >= 0 else "near.under"
        found.append(Choice(block, -abs(margin), Reason(code, values)))
    return _sorted(found)


def highest_negatives(look: Look, gold: Gold, seed: int) -> list[Choice]:
    """Return the blocks of the highest priority that are no gold evidence: what a reader would keep for nothing."""
    del seed
    code = "negative.unknown" if gold is None else "negative.high"
    found = []
    for block in look.asked.tolist():
        if block in (gold or ()):
            continue
        values = {"rank": int(look.rank[block]), "blocks": len(look.rank)}
        found.append(Choice(block, -float(look.rank[block]), Reason(code, values)))
    return _sorted(found)


def disagreements(look: Look, gold: Gold, seed: int) -> list[Choice]:
    """Return blocks that words put far higher than meaning does, or lower."""
    del gold, seed
    words, meaning = look.part_rank("lexical"), look.part_rank("semantic")
    if words is None or meaning is None:
        return []
    top = max(3, round(TOP_SHARE * len(words)))
    found = []
    for block in look.asked.tolist():
        by_words, by_meaning = int(words[block]), int(meaning[block])
        if (by_words <= top) == (by_meaning <= top):
            continue
        code = "disagree.words" if by_words < by_meaning else "disagree.meaning"
        values = {"words": by_words, "meaning": by_meaning, "blocks": len(words)}
        # By how many times, not by how many: rank 3 against 300 tells more than 300 against 700.
        found.append(Choice(block, abs(float(np.log(by_words / by_meaning))), Reason(code, values)))
    return _sorted(found)


def audit(look: Look, gold: Gold, seed: int) -> list[Choice]:
    """Return the blocks in a random order, which is the same for a seed whatever else is queued."""
    del gold
    document, question = look.reading.document.sha256, look.reading.question
    values = {"blocks": len(look.asked)}
    return _sorted(
        Choice(block, _drawn(seed, document, question, block), Reason("audit", values)) for block in look.asked.tolist()
    )


def mistakes(look: Look, gold: Gold, seed: int) -> list[Choice]:
    """Return gold evidence that the reading skips, deepest first, and then what it keeps that is no evidence."""
    del seed
    if gold is None:
        return []
    readable = set(look.asked.tolist())
    missed = [
        Choice(block, float(look.rank[block]), Reason("mistake.missed", _ranked(look, block)))
        for block in sorted(gold)
        if not look.kept[block]
    ]
    kept = [
        Choice(block, -float(look.rank[block]), Reason("mistake.kept", _ranked(look, block)))
        for block in np.flatnonzero(look.kept).tolist()
        if block in readable and block not in gold
    ]
    return [*_sorted(missed), *_sorted(kept)]


READ: Mapping[Order, Callable[[Look, Gold, int], list[Choice]]] = {
    Order.NEAREST: nearest,
    Order.HARD_NEGATIVES: highest_negatives,
    Order.DISAGREEMENT: disagreements,
    Order.AUDIT: audit,
    Order.MISTAKES: mistakes,
}
"""What a reading alone tells."""


def mined_choices(mined: Mined) -> dict[str, list[Choice]]:
    """Return the blocks that a mining leaves to a person, and then its negatives, by the id of the question."""
    found: dict[str, list[Choice]] = {}
    for question, some in mined.borderline.items():
        found[question] = [_mined(one, f"negative.borderline.{one.doubt.value}") for one in some]
    for question, negatives in mined.negatives.items():
        # What a person labelled is decided.
        open_ones = [_mined(one, "negative.mined") for one in negatives if one.way != LABEL_WAY]
        found.setdefault(question, []).extend(open_ones)
    return found


def evaluated_mistakes(rows: Iterable[Mapping[str, object]]) -> dict[str, list[Choice]]:
    """Return the mistakes of an evaluation by the id of the question: missed evidence first.

    Parameters
    ----------
    rows : iterable of mapping
        Each with question (id), block, kind ("missed" or "kept") and score.
    """
    found: dict[str, dict[str, list[Choice]]] = {}
    for row in rows:
        kind = "missed" if row["kind"] == "missed" else "kept"
        score = float(row["score"])  # type: ignore[arg-type]
        # The worst of each kind is evidence with the lowest score, and no evidence with the highest.
        worst = -score if kind == "missed" else score
        reason = Reason(f"mistake.scored.{kind}", {"score": score})
        kinds = found.setdefault(str(row["question"]), {"missed": [], "kept": []})
        kinds[kind].append(Choice(int(row["block"]), worst, reason))  # type: ignore[call-overload]
    return {question: [*_sorted(kinds["missed"]), *_sorted(kinds["kept"])] for question, kinds in found.items()}


def _mined(one: HardNegative, code: str) -> Choice:
    values: dict[str, float | int | str] = {"way": one.way, "score": one.score, "similarity": one.similarity}
    values |= {"positive": one.positive, "positive_score": one.positive_score}
    return Choice(one.block, one.score, Reason(code, values))


def _ranked(look: Look, block: int) -> dict[str, float | int | str]:
    return {"rank": int(look.rank[block]), "blocks": len(look.rank)}


def _drawn(seed: int, document: str, question: str, block: int) -> float:
    """A number in [0, 1) that depends on nothing else."""
    said = f"{seed}\n{document}\n{question}\n{block}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(said).digest()[:7], "big") / 2**56


def _sorted(found: Iterable[Choice]) -> list[Choice]:
    return sorted(found, key=lambda choice: (-choice.score, choice.block))
