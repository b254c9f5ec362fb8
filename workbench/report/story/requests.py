"""The requests of a story in lists: how each is named and routed, and what the other path would have done."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...calibration.outcomes import Mask
from ...gate.constraints import CONSTRAINTS
from ...gate.margin import ROUTES, Route
from ...gate.margin_words import told_apart
from ..wording import Say
from .basis import StoryBasis
from .contents import OtherRequest, OtherRequests, RequestSaid
from .figures import quality_word, scenario_name, share_said

BY_MARGIN = "margin"


def request_said(basis: StoryBasis, row: int, say: Say) -> RequestSaid:
    """Return how the request of a row is named, and why it takes its route."""
    request = basis.workload.request(str(basis.outcomes.request[row]))
    route = ROUTES[int(basis.routes[row])]
    return RequestSaid(
        id=request.id,
        question=request.question,
        document=request.artifact,
        scenario=scenario_name(request.scenario, say),
        route=route.value,
        route_name=say(f"route.{route}"),
        why=_why(basis, row, route, say),
    )


def constraint_of_row(basis: StoryBasis, row: int) -> str:
    """Return the hard constraint that a request is under, or ""."""
    return "" if basis.outcomes.free[row] else str(basis.frame["constraint"].iloc[row])


def _why(basis: StoryBasis, row: int, route: Route, say: Say) -> str:
    constraint = constraint_of_row(basis, row)
    if constraint:
        key = constraint if constraint in CONSTRAINTS else "other"
        return say(f"why.{key}", tokens=int(basis.frame["tokens_artifact"].iloc[row]), name=constraint)
    margin, at = float(basis.margins[row]), basis.rule.thresholds
    if route is Route.ADVISORY:
        said = told_apart(margin, at.native, at.force)
        return say("why.advisory", margin=said[0], native=said[1], force=said[2])
    margin_shown, line = told_apart(margin, at.force if route is Route.FORCE else at.native)
    return say(f"why.{route}", margin=margin_shown, at=line)


def left_alone(basis: StoryBasis, say: Say) -> tuple[OtherRequests, ...]:
    """Return the native requests that a sparse read would have harmed, or not helped, by what held them."""
    outcomes = basis.outcomes
    harmed = basis.judged & (basis.routes == Route.NATIVE.code) & ((outcomes.loss > 0) | (outcomes.gain <= 0))
    held = np.array([constraint_of_row(basis, row) or BY_MARGIN for row in range(len(outcomes))], object)
    names = [BY_MARGIN, *CONSTRAINTS, *sorted(set(held.tolist()) - {BY_MARGIN, *CONSTRAINTS})]
    found: list[OtherRequests] = []
    for name in names:
        chosen = harmed & (held == name)
        if chosen.any():
            known = name == BY_MARGIN or name in CONSTRAINTS
            title = say(f"alone.{name}" if known else "alone.other", name=name)
            words = _harm(basis, chosen, say)
            found.append(OtherRequests(f"alone-{len(found)}", title, words, _requests(basis, chosen, _forced, say)))
    return tuple(sorted(found, key=lambda group: -len(group.requests)))


def missed_savings(basis: StoryBasis, say: Say) -> OtherRequests:
    """Return the native requests that a sparse read would have made cheaper without a loss that could be seen."""
    outcomes = basis.outcomes
    chosen = basis.judged & (basis.routes == Route.NATIVE.code) & (outcomes.loss <= 0) & (outcomes.gain > 0)
    said = []
    for key, some in (("words", chosen & basis.evident), ("unmeasured", chosen & ~basis.evident)):
        if some.any():
            tokens, whole = float(outcomes.gain[some].sum()), float(outcomes.tokens_native[basis.judged].sum())
            size = {"n": int(some.sum()), "tokens": round(tokens), "share": share_said(tokens / whole)}
            said.append(say(f"missed.{key}.{quality_word(basis)}" if key == "words" else f"missed.{key}", **size))
    words = say("sentences").join(said) or say("missed.none")
    return OtherRequests("missed", say("missed.title"), words, _requests(basis, chosen, _forced, say))


def costlier(basis: StoryBasis, say: Say) -> OtherRequests:
    """Return the requests that are read sparsely, or may be, although reading all of it costs less."""
    outcomes = basis.outcomes
    chosen = basis.judged & (basis.share > 0) & (outcomes.gain < 0)
    tokens, n = -round(float((basis.share * outcomes.gain)[chosen].sum())), int(chosen.sum())
    words = say("costlier.words" if n else "costlier.none", n=n, tokens=tokens)
    return OtherRequests("costlier", say("costlier.title"), words, _requests(basis, chosen, _whole, say))


def _harm(basis: StoryBasis, chosen: Mask, say: Say) -> str:
    """Return what sparse reading would have done to some requests, added up."""
    gain, loss = basis.outcomes.gain[chosen], basis.outcomes.loss[chosen]
    lost, more = int((loss > 0).sum()), int((gain < 0).sum())
    parts = []
    if more:
        parts.append(say("harm.cost", n=more, tokens=-round(float(gain[gain < 0].sum()))))
    if lost:
        parts.append(say(f"harm.lost.{quality_word(basis)}", n=lost))
    return say("sentences").join(parts) or say("harm.nothing")


def _requests(
    basis: StoryBasis, chosen: Mask, words: Callable[[StoryBasis, int, Say], str], say: Say
) -> tuple[OtherRequest, ...]:
    """Return some requests, those that lose or cost most first."""
    outcomes = basis.outcomes
    rows = sorted(np.flatnonzero(chosen).tolist(), key=lambda row: (-outcomes.loss[row], -abs(outcomes.gain[row]), row))
    return tuple(
        OtherRequest(
            request=request_said(basis, row, say),
            tokens_whole=round(float(outcomes.tokens_native[row])),
            tokens_sparse=round(float(outcomes.tokens_sparse[row])),
            loss=float(outcomes.loss[row]),
            words=words(basis, row, say),
        )
        for row in rows
    )


def _forced(basis: StoryBasis, row: int, say: Say) -> str:
    """What a sparse read would have done to a native request."""
    gain, loss = round(float(basis.outcomes.gain[row])), float(basis.outcomes.loss[row])
    case = "saves" if gain > 0 else "costs" if gain < 0 else "even"
    whole = float(basis.outcomes.tokens_native[row])
    share = share_said(abs(gain) / whole if whole else 0.0)
    said = say(f"forced.{case}", n=abs(gain), share=share)
    if not basis.evident[row]:
        return say("sentences").join((said, say("forced.unmeasured")))
    if loss <= 0:
        return said
    return say("sentences").join((said, say(f"forced.loses.{quality_word(basis)}", loss=share_said(loss))))


def _whole(basis: StoryBasis, row: int, say: Say) -> str:
    """What reading all of it would have spared a sparse request."""
    said = say("whole.spares", n=-round(float(basis.outcomes.gain[row])))
    fell_back = bool(basis.frame["fell_back"].iloc[row])
    return say("sentences").join((said, say("whole.fell_back"))) if fell_back else said
