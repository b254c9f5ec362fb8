"""The figures of a story: what the gate yields over all and by scenario, with intervals and their sample."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ...calibration.baselines import oracle_share
from ...calibration.bootstrap import Bootstrap
from ...calibration.figures import IN_SAMPLE, OUT_OF_SAMPLE, Figure, Policy, measured, policy_of, shown
from ...calibration.outcomes import Floats, Group, Mask
from ...gate.margin import ROUTES, Route
from ...gate.profile.parts import FigurePart
from ...workload.requests import SCENARIOS
from ..wording import Say
from .basis import StoryBasis
from .contents import FiguresSaid, GroupSaid, NumberSaid, RouteShare, Scale

SAVED, LOST = "token reduction", "quality loss"
EVIDENCE_RECALL = "evidence recall"
_STEPS = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
_MOST_TICKS = 6
_UNBROKEN = "\N{NO-BREAK SPACE}"
_LOWEST = -1.0
"""Where the axis of the chart ends, however much more a group costs: one that costs thrice would flatten the others."""


def quality_word(basis: StoryBasis) -> str:
    """Return "evidence" where quality is evidence recall alone, else "quality": the end of a key of words."""
    return "evidence" if set(basis.frame["quality_kind"]) == {EVIDENCE_RECALL} else "quality"


def number_said(level: float, low: float | None, high: float | None, say: Say) -> NumberSaid:
    """Return a share with its interval, in digits as people read them."""
    ends = say("interval.none")
    if low is not None and high is not None:
        ends = f"[{share_said(low)},{_UNBROKEN}{share_said(high)}]"
    return NumberSaid(level, low, high, share_said(level), ends)


def share_said(share: float) -> str:
    """Return a share in per cent that no line breaks.

    Examples
    --------
    >>> share_said(0.4254)
    '42.5\\xa0%'
    """
    return shown(share, "share").replace(" ", _UNBROKEN)


def figures_said(basis: StoryBasis, say: Say) -> tuple[FiguresSaid, ...]:
    """Return the figures of the rule, those of the headline first: out of sample wherever there are any."""
    outside, inside = basis.judged & ~basis.inside, basis.judged & basis.inside
    found = []
    if outside.any():
        found.append(_measured_on(basis, outside, OUT_OF_SAMPLE, say))
    if basis.is_fitted and (own := _of_profile(basis, say)) is not None:
        found.append(own)
    if inside.any():
        found.append(_measured_on(basis, inside, IN_SAMPLE, say))
    return tuple(found)


def _measured_on(basis: StoryBasis, chosen: Mask, sample: str, say: Say) -> FiguresSaid:
    policy, oracle, bootstrap = _judged_on(basis, chosen, sample)
    outcomes = basis.outcomes.rows(chosen)
    figures = {figure.name: figure for figure in measured(outcomes, policy, oracle, bootstrap)}
    case = "in" if sample == IN_SAMPLE else "test" if basis.is_fitted or basis.is_older else "out"
    if case == "in" and not basis.is_fitted:
        case = "older" if basis.is_older else "trained"
    size = {"requests": len(outcomes), "documents": outcomes.documents}
    said = say(f"basis.{case}", **size, profile=basis.profile.name, fitted_on=basis.profile.workload.name)
    return _said(say("figures.profile"), sample, said, figures, size, say)


def _judged_on(basis: StoryBasis, chosen: Mask, sample: str) -> tuple[Policy, Floats, Bootstrap]:
    outcomes = basis.outcomes.rows(chosen)
    policy = policy_of(outcomes, basis.routes[chosen], sample, "")
    allowed = max(basis.profile.gate.quality_tolerance or 0.0, policy.loss(outcomes))
    return policy, oracle_share(outcomes, allowed) * outcomes.gain, Bootstrap(outcomes.documents, 0)


def _of_profile(basis: StoryBasis, say: Say) -> FiguresSaid | None:
    """Return the figures out of sample that the profile carries of its own split "dev"."""
    known = {figure.name: figure for figure in basis.profile.figures if figure.sample == OUT_OF_SAMPLE}
    size = basis.profile.workload.splits.get("dev")
    needed = (SAVED, LOST, *(f"routed {route}" for route in ROUTES))
    if size is None or any(name not in known for name in needed):
        return None
    sizes = {"requests": size.requests, "documents": size.documents}
    basis_words = say("basis.folds", **sizes, profile=basis.profile.name)
    return _said(say("figures.folds", profile=basis.profile.name), OUT_OF_SAMPLE, basis_words, known, sizes, say)


def _said(
    title: str,
    sample: str,
    basis: str,
    figures: dict[str, Figure] | dict[str, FigurePart],
    size: dict[str, int],
    say: Say,
) -> FiguresSaid:
    def number(name: str) -> NumberSaid:
        found = figures[name]
        level = found.level if isinstance(found, Figure) else found.value
        return number_said(level, found.low, found.high, say)

    return FiguresSaid(
        title=title,
        sample=sample,
        sample_words=say("sample.in" if sample == IN_SAMPLE else "sample.out"),
        basis=basis,
        requests=size["requests"],
        documents=size["documents"],
        saved=number(SAVED),
        lost=number(LOST),
        routes=tuple(
            RouteShare(route.value, say(f"route.{route}"), number(f"routed {route}")) for route in reversed(ROUTES)
        ),
    )


def groups_said(basis: StoryBasis, column: str, say: Say, *, named: Callable[[str], str]) -> tuple[GroupSaid, ...]:
    """Return the figures of each scenario or document type, the most saved first.

    Parameters
    ----------
    basis : StoryBasis
    column : str
        "scenario" or "document_type".
    say : callable
    named : callable
        Gives a label in words.
    """
    chosen = basis.told
    outcomes = basis.outcomes.rows(chosen)
    group: Group = outcomes.groups[column]
    policy, oracle, bootstrap = _judged_on(basis, chosen, "")
    recall = _recall(basis)[chosen]
    found = []
    for code, label in enumerate(group.names):
        inside = group.codes == code
        figures = {figure.name: figure for figure in measured(outcomes, policy, oracle, bootstrap, chosen=inside)}
        seen = recall[inside & ~np.isnan(recall)]
        whole = float(outcomes.tokens_native[inside].sum())
        saved = float((policy.share * outcomes.gain)[inside].sum())
        counts = [int((policy.routes[inside] == route.code).sum()) for route in (Route.FORCE, Route.ADVISORY)]
        found.append(
            GroupSaid(
                label=label,
                name=named(label),
                requests=int(inside.sum()),
                documents=figures[SAVED].documents,
                tokens_whole=round(whole),
                tokens_read=round(whole - saved),
                saved=_number(figures[SAVED], say),
                lost=_number(figures[LOST], say),
                recall=float(seen.mean()) if len(seen) else None,
                forced=counts[0],
                advisory=counts[1],
                native=int(inside.sum()) - sum(counts),
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.saved.level, one.label)))


def _number(figure: Figure, say: Say) -> NumberSaid:
    return number_said(figure.level, figure.low, figure.high, say)


def _recall(basis: StoryBasis) -> Floats:
    """Return the share of its evidence that each request sees, as it is routed; nan without evidence."""
    native, sparse = (basis.frame[name].to_numpy(np.float64) for name in ("recall_native", "recall_sparse"))
    return np.asarray(basis.share * sparse + (1 - basis.share) * native)


def scenario_name(scenario: str, say: Say) -> str:
    """Return a scenario in words; one of somebody's own stands as it is."""
    return say(f"scenario.{scenario}") if scenario in SCENARIOS else scenario


def scale_of(groups: Iterable[GroupSaid]) -> Scale:
    """Return an axis that holds every interval of what is saved, with zero on it, in round steps.

    Examples
    --------
    >>> scale_of([]).ticks
    (0.0, 0.5, 1.0)
    """
    ends = [end for one in groups for end in (one.saved.level, one.saved.low, one.saved.high) if end is not None]
    low, high = max(_LOWEST, min([0.0, *ends])), max([0.0, *ends]) if ends else 1.0
    high = max(high, 0.1)
    step = next(step for step in _STEPS if _steps(low, high, step) <= _MOST_TICKS)
    if not ends:
        step = 0.5
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(place * step, 6) for place in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], ticks)


def _steps(low: float, high: float, step: float) -> int:
    return math.ceil(high / step - 1e-9) - math.floor(low / step + 1e-9) + 1


def tokens_of_headline(basis: StoryBasis, figures: Sequence[FiguresSaid]) -> tuple[int, int]:
    """Return tokens into the model a request, on average: read whole, and read as the headline's figures say."""
    whole = float(basis.outcomes.tokens_native[basis.told].mean())
    return round(whole), round(whole * (1 - figures[0].saved.level))
