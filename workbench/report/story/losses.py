"""The requests that lost evidence, every one of them, and those of which nobody can say whether they did."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np

from ...calibration.outcomes import Floats
from ...gate.margin import Route
from ...workload.gold import Gold
from ...workload.replay.replaying import EVIDENCE_RECALL
from ..wording import Say
from .basis import StoryBasis
from .contents import LostRequest, NotJudged
from .figures import quality_word, share_said
from .paths import Retaken, Unread, pieces_said
from .requests import request_said


def lost_rows(basis: StoryBasis) -> list[int]:
    """Return the rows of all requests that lose something as they are routed, the greatest loss first."""
    loss, pieces = basis.outcomes.loss, pieces_lost(basis)
    lost = basis.judged & (basis.share > 0) & ((loss > 0) | (pieces > 0))
    rows: list[int] = np.flatnonzero(lost).tolist()
    return sorted(rows, key=lambda row: (-loss[row], -basis.share[row], -pieces[row], row))


def pieces_lost(basis: StoryBasis) -> Floats:
    """Return how many pieces of evidence each request sees on the native path and not on the sparse one."""
    native, sparse, named, gone = (
        basis.frame[name].to_numpy(np.float64)
        for name in ("recall_native", "recall_sparse", "evidence", "evidence_unresolved")
    )
    return np.asarray(np.nan_to_num(np.maximum(native - sparse, 0.0) * (named - gone)))


def lost_request(basis: StoryBasis, row: int, found: Retaken | Unread, say: Say, say_contents: Say) -> LostRequest:
    """Return what a request lost, and how far the line is from it.

    Parameters
    ----------
    basis : StoryBasis
    row : int
        Its place in the outcomes.
    found : Retaken
        The same request, with its path taken again where its document could be read.
    say, say_contents : callable
        Words of the sections "story" and "contents".
    """
    is_advisory = basis.routes[row] == Route.ADVISORY.code
    said = LostRequest(
        request=request_said(basis, row, say),
        loss=float(basis.outcomes.loss[row]),
        words="",
        chance=say("lost.advisory", share=share_said(float(basis.share[row]))) if is_advisory else "",
        pieces=(),
    )
    if isinstance(found, Unread):
        return replace(said, words=loss_said(basis, row, say), unshown=say("lost.unread"))
    pieces = tuple(piece for piece in pieces_said(found, say_contents) if piece.missing)
    words = _words(basis, row, len(pieces), len(found.gold), say)
    if not pieces:
        return replace(said, words=words, unshown=_unshown(basis, row, say))
    blocks = {lost.block_id for piece in pieces for lost in piece.missing}
    tokens, down, total = tokens_of(found, blocks), tokens_down_to(found, blocks), int(found.tokens.sum())
    cost = say("lost.cost", n=tokens, down=down, share=share_said(down / total), total=total)
    return replace(said, words=words, pieces=pieces, tokens=tokens, tokens_down=down, cost=cost)


def tokens_of(found: Retaken, blocks: Collection[int]) -> int:
    """Return the tokens of some blocks, each block once."""
    return int(found.tokens[sorted(blocks)].sum())


def tokens_down_to(found: Retaken, blocks: Collection[int]) -> int:
    """Return the tokens of all blocks that were not seen and have at least the priority of the lowest of some.

    A line low enough for those would keep all of these: nobody knows beforehand which of them hold evidence.
    """
    lowest = found.reading.priority[sorted(blocks)].min()
    return int(found.tokens[~found.path.seen & (found.reading.priority >= lowest)].sum())


def loss_said(basis: StoryBasis, row: int, say: Say) -> str:
    """Return which share of its evidence, or of its quality, a request loses."""
    loss, word = float(basis.outcomes.loss[row]), quality_word(basis)
    return say(f"loses.all.{word}" if loss >= 1 else f"loses.{word}", loss=share_said(loss))


def _words(basis: StoryBasis, row: int, lost: int, pieces: int, say: Say) -> str:
    said = []
    if lost:
        said.append(say("lost.words.only" if pieces == 1 else "lost.words", n=lost, pieces=pieces))
    if not lost or str(basis.frame["quality_kind"].iloc[row]) != EVIDENCE_RECALL:
        said.append(loss_said(basis, row, say))
    return say("sentences").join(said)


def _unshown(basis: StoryBasis, row: int, say: Say) -> str:
    """Say why no piece is shown: the answer got worse with all evidence seen, or the replay was an older one."""
    return say("lost.changed" if pieces_lost(basis)[row] > 0 else "lost.answer")


def unresolved_rows(basis: StoryBasis) -> list[int]:
    """Return the rows of the requests some of whose evidence stands nowhere in the document."""
    found: list[int] = np.flatnonzero(basis.frame["evidence_unresolved"].to_numpy() > 0).tolist()
    return found


def not_judged(basis: StoryBasis, golds: Mapping[str, Gold], say: Say) -> tuple[NotJudged, ...]:
    """Return the requests of which nothing, or not all, can be said.

    Parameters
    ----------
    basis : StoryBasis
    golds : mapping of str to Gold
        Of the requests of ``unresolved_rows`` whose document could be read, by their id; it names the reasons.
    say : callable
    """
    found = []
    for row in unresolved_rows(basis):
        request = basis.workload.request(str(basis.outcomes.request[row]))
        gone, named = (int(basis.frame[name].iloc[row]) for name in ("evidence_unresolved", "evidence"))
        words = say("unjudged.all" if gone >= named else "unjudged.some", n=gone, pieces=named)
        gold = golds.get(request.id)
        reasons = tuple(lost.reason for lost in gold.unresolved) if gold is not None else ()
        found.append(NotJudged(request.id, request.question, request.artifact, words, reasons))
    for name, reason in basis.failed:
        request = basis.workload.request(name)
        found.append(NotJudged(name, request.question, request.artifact, say("unjudged.failed"), (reason,)))
    return tuple(found)


def not_read(found: Iterable[Unread], say: Say) -> tuple[NotJudged, ...]:
    """Return the requests whose document could not be read again for the report."""
    return tuple(
        NotJudged(one.request.id, one.request.question, one.request.artifact, say("unread.words"), (one.reason,))
        for one in found
    )
