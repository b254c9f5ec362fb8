"""The best case, the worst one and a typical one: which requests these are, and each of them in full."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...calibration.outcomes import Floats, Mask
from ...gate.margin import Route
from ...printing import printable
from ..wording import Say
from .basis import StoryBasis
from .contents import StoryCase
from .figures import quality_word, share_said
from .losses import loss_said, pieces_lost
from .paths import Retaken, pieces_said
from .requests import request_said

if TYPE_CHECKING:
    from ..contents import ReadingContents

BEST, WORST, TYPICAL = "best", "worst", "typical"
KINDS = (BEST, TYPICAL, WORST)
"""In the order in which they are shown."""
Shown = Callable[[Retaken, str], "ReadingContents"]
"""Gives the reading of a request under a key."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Paths:
    """What is known of every request, arrays of shape (n,).

    Attributes
    ----------
    gain, whole : ndarray of float64
        Tokens that the sparse path saves, and those of reading it all.
    loss : ndarray of float64
        Of quality, in [0, 1].
    pieces : ndarray of float64
        Pieces of evidence that the sparse path loses.
    share : ndarray of float64
        Probability that the sparse path is taken.
    forced, judged, evident : ndarray of bool
        ``evident``: whether a loss would be seen.
    """

    gain: Floats
    whole: Floats
    loss: Floats
    pieces: Floats
    share: Floats
    forced: Mask
    judged: Mask
    evident: Mask


def paths_of(basis: StoryBasis) -> Paths:
    """Return what the choice of cases looks at."""
    outcomes = basis.outcomes
    return Paths(
        gain=outcomes.gain,
        whole=outcomes.tokens_native,
        loss=outcomes.loss,
        pieces=pieces_lost(basis),
        share=basis.share,
        forced=basis.routes == Route.FORCE.code,
        judged=basis.judged,
        evident=basis.evident,
    )


def chosen_cases(paths: Paths) -> dict[str, int]:
    """Return the row of each case that there is; no request is two of them.

    The worst one loses the greatest share, of equal ones the one that is surer to be read sparsely, then the one with
    more pieces lost; where nothing is lost, it saves least. The best one saves most tokens without any loss. A typical
    one loses no more than the median of the forced requests, or of those that may be read sparsely where none is
    forced, and of these it is nearest to their median share saved.
    """
    sparse = paths.judged & (paths.share > 0)
    if not sparse.any():
        return {}
    usual = sparse & paths.forced if (sparse & paths.forced).any() else sparse
    harmed = (paths.loss > 0) | (paths.pieces > 0)
    found: dict[str, int] = {}
    if (sparse & harmed).any():
        key = (paths.loss, paths.share, paths.pieces)
        found[WORST] = max(_rows(sparse & harmed), key=lambda row: (*(one[row] for one in key), -row))
    clean = usual & ~harmed & (paths.gain > 0)
    clean = clean & paths.evident if (clean & paths.evident).any() else clean
    if clean.any():
        found[BEST] = max(_rows(clean), key=lambda row: (paths.gain[row], -row))
    left = [row for row in _rows(sparse) if row not in found.values()]
    if WORST not in found and left:
        found[WORST] = min(left, key=lambda row: (paths.gain[row], row))
    typical = _typical(paths, usual, set(found.values()))
    return found if typical is None else {**found, TYPICAL: typical}


def _typical(paths: Paths, usual: Mask, taken: Collection[int]) -> int | None:
    saved = np.divide(paths.gain, paths.whole, out=np.zeros_like(paths.gain), where=paths.whole > 0)
    middle, loss = float(np.median(saved[usual])), float(np.median(paths.loss[usual]))
    left = [row for row in _rows(usual) if row not in taken]
    # One that loses what few do would not stand for the others, however ordinary its saving.
    ordinary = [row for row in left if paths.loss[row] <= loss] or left
    return min(ordinary, key=lambda row: (abs(saved[row] - middle), row), default=None)


def _rows(mask: Mask) -> list[int]:
    found: list[int] = np.flatnonzero(mask).tolist()
    return found


def case_said(
    basis: StoryBasis, kind: str, row: int, found: Retaken, shown_as: Shown, say: Say, say_contents: Say
) -> StoryCase:
    """Return a case in full.

    Parameters
    ----------
    basis : StoryBasis
    kind : str
        "best", "worst" or "typical".
    row : int
    found : Retaken
    shown_as : callable
        Makes what is shown of a reading.
    say, say_contents : callable
        Words of the sections "story" and "contents".
    """
    lost = bool(pieces_lost(basis)[row] > 0 or basis.outcomes.loss[row] > 0)
    why = f"case.{kind}.why" if kind != WORST or lost else "case.worst.why.unlost"
    if not (basis.evident & (basis.share > 0)).any() or (kind == BEST and not basis.evident[row]):
        # Whoever has no evidence cannot be seen to lose any: that is no merit.
        why = f"case.{kind}.why.unmeasured"
    return StoryCase(
        kind=kind,
        title=say(f"case.{kind}"),
        why_chosen=say(why),
        request=request_said(basis, row, say),
        verdict=_verdict(basis, row, say),
        note=_note(basis, row, found, say),
        pieces=pieces_said(found, say_contents),
        reading=shown_as(found, kind),
    )


def missing_cases(basis: StoryBasis, found: Mapping[str, int], unread: Collection[int], say: Say) -> tuple[str, ...]:
    """Say of each case that is not there why it is not: there is none, or its document could not be read again."""
    if not found:
        return (say("cases.none"),)
    said = []
    for kind in KINDS:
        if kind not in found:
            said.append(say(f"case.{kind}.none"))
        elif found[kind] in unread:
            said.append(
                say(
                    "case.unread", case=say(f"case.{kind}"), request=printable(str(basis.outcomes.request[found[kind]]))
                )
            )
    return tuple(said)


def _verdict(basis: StoryBasis, row: int, say: Say) -> str:
    outcomes = basis.outcomes
    whole, sparse = (round(float(tokens[row])) for tokens in (outcomes.tokens_native, outcomes.tokens_sparse))
    share = share_said(abs(whole - sparse) / whole if whole else 0.0)
    said = [say("case.saves" if sparse <= whole else "case.costs", whole=whole, sparse=sparse, share=share)]
    loss, word = float(outcomes.loss[row]), quality_word(basis)
    if loss > 0:
        said.append(loss_said(basis, row, say))
    elif not basis.evident[row]:
        said.append(say("case.no_evidence"))
    else:
        said.append(say(f"case.lost_nothing.{word}"))
    return say("sentences").join(said)


def _note(basis: StoryBasis, row: int, found: Retaken, say: Say) -> str:
    """Say in which way the reading that is shown is not what the outcome was made of."""
    rounds, fell_back = found.path.rounds, found.path.fell_back
    said = []
    if is_changed(basis, row, found):
        said.append(say("case.changed"))
    if fell_back:
        said.append(say("case.fell_back"))
    elif not found.is_all_shown:
        said.append(say("case.dialogue"))
    elif rounds > 1:
        said.append(say("case.rounds", n=rounds))
    return say("sentences").join(said)


def is_changed(basis: StoryBasis, row: int, found: Retaken) -> bool:
    """Whether a request comes out otherwise than its outcome says: another version has read its document."""
    tokens = found.path.tokens(basis.options.exchange)
    recall = float(found.gold.recall(found.path.seen, found.tokens))
    before = float(basis.frame["recall_sparse"].iloc[row])
    same_recall = recall == before or (np.isnan(recall) and np.isnan(before))
    return tokens != float(basis.outcomes.tokens_sparse[row]) or not same_recall
