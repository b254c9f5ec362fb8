"""The figures of a story: what the gate yields over all and by scenario, with intervals and their sample."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from ...calibration.baselines import oracle_share
from ...calibration.bootstrap import Bootstrap
from ...calibration.figures import IN_SAMPLE, OUT_OF_SAMPLE, Figure, Policy, measured, policy_of, shown
from ...calibration.outcomes import Floats, Group, Mask
from ...gate.margin import ROUTES, Route
from ...gate.profile.parts import FigurePart
from ...workload.replay.replaying import EVIDENCE_RECALL
from ...workload.requests import SCENARIOS
from ..wording import Say
from .basis import StoryBasis
from .contents import FiguresSaid, GroupSaid, NumberSaid, RouteShare, Scale
from .sample import OTHER_WORKLOAD, Origin

SAVED, LOST = "token reduction", "quality loss"
MIXED = "in sample in part"
_SAMPLES = {IN_SAMPLE: "in", OUT_OF_SAMPLE: "out", OTHER_WORKLOAD: "other", MIXED: "mixed"}
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
    """Return the figures, those of the headline first: out of sample wherever there are any."""
    outside, inside = basis.judged & ~basis.inside, basis.judged & basis.inside
    found = []
    if outside.any():
        found.append(_measured_on(basis, outside, OUT_OF_SAMPLE if basis.is_fitted else OTHER_WORKLOAD, say))
    if basis.is_fitted and (own := _of_profile(basis, say)) is not None:
        found.append(own)
    if inside.any():
        found.append(_measured_on(basis, inside, IN_SAMPLE, say))
    # A rule that reads everything whole saves nothing, whatever those of the folds did.
    return tuple(found if basis.share.any() else sorted(found, key=lambda one: not one.is_shipped))


def shipped_said(basis: StoryBasis, say: Say) -> FiguresSaid:
    """Return the figures of the rule that ships on every judged request: what all lists and routes belong to."""
    inside = basis.inside[basis.judged]
    outside = OUT_OF_SAMPLE if basis.is_fitted else OTHER_WORKLOAD
    return _measured_on(basis, basis.judged, IN_SAMPLE if inside.all() else MIXED if inside.any() else outside, say)


def _measured_on(basis: StoryBasis, chosen: Mask, sample: str, say: Say) -> FiguresSaid:
    policy, oracle, bootstrap = _judged_on(basis, chosen, sample)
    outcomes = basis.outcomes.rows(chosen)
    figures = {figure.name: figure for figure in measured(outcomes, policy, oracle, bootstrap)}
    size = (len(outcomes), outcomes.documents)
    names = {"profile": basis.profile.name, "fitted_on": basis.profile.workload.name}
    said = say(f"basis.{_basis_key(basis, chosen, sample)}", **_size_said(size, say), **names)
    found = _said(say("figures.rule"), sample, said, figures, size, say)
    return found if basis.evident[chosen].any() else replace(found, lost=_unmeasured(say))


def _basis_key(basis: StoryBasis, chosen: Mask, sample: str) -> str:
    """Return the end of the key of the sentence that says what requests have to do with the fit."""
    if sample == OUT_OF_SAMPLE:
        return "test"
    if sample == OTHER_WORKLOAD:
        return "compared" if basis.sample.is_compared else "unknown"
    if sample == MIXED:
        return "mixed"
    fitted = basis.sample.fitted[chosen]
    if not fitted.any():
        return "trained"
    if not fitted.all():
        return "both"
    return {Origin.SAME: "in", Origin.OLDER: "older", Origin.OTHER: "copied"}[basis.sample.origin]


def _size_said(size: tuple[int, int], say: Say) -> dict[str, str]:
    return {"requests": say("requests", n=size[0]), "documents": say("documents", n=size[1])}


def _judged_on(basis: StoryBasis, chosen: Mask, sample: str) -> tuple[Policy, Floats, Bootstrap]:
    outcomes = basis.outcomes.rows(chosen)
    policy = policy_of(outcomes, basis.routes[chosen], sample, "")
    allowed = max(basis.profile.gate.quality_tolerance or 0.0, policy.loss(outcomes))
    return policy, oracle_share(outcomes, allowed) * outcomes.gain, Bootstrap(outcomes.documents, 0)


def _of_profile(basis: StoryBasis, say: Say) -> FiguresSaid | None:
    """Return the figures out of sample that the profile carries of its own split "dev"."""
    known = {figure.name: figure for figure in basis.profile.figures if figure.sample == OUT_OF_SAMPLE}
    part = basis.profile.workload.splits.get("dev")
    needed = (SAVED, LOST, *(f"routed {route}" for route in ROUTES))
    if part is None or any(name not in known for name in needed):
        return None
    size = (part.requests, part.documents)
    words = say("basis.folds", **_size_said(size, say), profile=basis.profile.name)
    found = replace(_said(say("figures.folds"), OUT_OF_SAMPLE, words, known, size, say), is_shipped=False)
    return found if basis.evident.any() else replace(found, lost=_unmeasured(say))


def _unmeasured(say: Say) -> NumberSaid:
    """Return what stands for a loss where no request has evidence: a loss of 0 would be a claim."""
    return NumberSaid(0.0, None, None, say("lost.unmeasured"), say("interval.no_evidence"), is_measured=False)


def _said(
    title: str,
    sample: str,
    basis: str,
    figures: dict[str, Figure] | dict[str, FigurePart],
    size: tuple[int, int],
    say: Say,
) -> FiguresSaid:
    def number(name: str) -> NumberSaid:
        found = figures[name]
        level = found.level if isinstance(found, Figure) else found.value
        return number_said(level, found.low, found.high, say)

    return FiguresSaid(
        title=title,
        sample=sample,
        sample_words=say(f"sample.{_SAMPLES[sample]}"),
        basis=basis,
        requests=size[0],
        documents=size[1],
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
    recall, evident = _recall(basis)[chosen], basis.evident[chosen]
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
                lost=_number(figures[LOST], say) if evident[inside].any() else _unmeasured(say),
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
