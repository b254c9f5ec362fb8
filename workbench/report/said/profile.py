"""The gate profile behind a reading, in words: who made it, on what, what it promises, and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...calibration.profiles import BLOCK_LOSS
from ...gate.profile.figures import SAMPLES, shown
from ..contents import FigureSaid, ProfileSaid
from ..templates import percent
from ..wording import Say
from .names import figure_name
from .numbers import listed, with_minus

if TYPE_CHECKING:
    from ...gate.profile import GateProfile
    from ...gate.profile.parts import FigurePart, PromisePart

_TEST = ", split test"
"""End of the name of a figure that was measured on the split "test"."""
_RECALL, _LOSS = "evidence recall of the block threshold", "quality loss"


def profile_said(profile: GateProfile, say: Say) -> ProfileSaid:
    """Return what a profile says of itself; its figures in the order out of sample, split test, in sample."""
    made = f"{profile.created:%Y-%m-%d}"
    by = say("profile.made.by" if profile.created_by else "profile.made", date=made, by=profile.created_by)
    sizes = [
        say(
            "profile.split", name=name, requests=say("requests", n=part.requests), on=say("documents", n=part.documents)
        )
        for name, part in profile.workload.splits.items()
        if part.requests
    ]
    figures = sorted(profile.figures, key=lambda figure: SAMPLES.index(_sample(figure)))
    return ProfileSaid(
        name=profile.name,
        made=say("sentences").join((by, say("profile.version", version=profile.workbench))),
        basis=say("profile.basis", workload=profile.workload.name, sizes=listed(sizes, say)),
        promise=_promises(profile, say),
        fingerprint=profile.fingerprint,
        figures=tuple(_figure(figure, say) for figure in figures),
    )


def block_promise(profile: GateProfile, say: Say) -> str:
    """Return what a profile promises of the evidence that its threshold misses."""
    found = next((promise for promise in profile.promises if promise.what == BLOCK_LOSS), None)
    return say("promise.none") if found is None else _promise(found, say)


def measured_quality(profile: GateProfile, say: Say) -> str:
    """Return what the figures of a profile say of quality, those out of sample first; "" where they say nothing."""
    for name in (_RECALL, _LOSS):
        found = [figure for figure in profile.figures if figure.name.removesuffix(_TEST) == name]
        if found:
            best = min(found, key=lambda figure: SAMPLES.index(_sample(figure)))
            level, interval = _shown(best.value, "share"), _interval(best, "share", say)
            key = "quality.recall" if name == _RECALL else "quality.loss"
            said = say("quality.interval", value=level, interval=interval) if interval else level
            return say(
                key, workload=profile.workload.name, value=said, sample=say(f"sample.{_sample(best)}"), of=profile.name
            )
    return ""


def _promises(profile: GateProfile, say: Say) -> str:
    said = [_promise(promise, say) for promise in profile.promises]
    return say("sentences").join(said) or say("promise.none")


def _promise(promise: PromisePart, say: Say) -> str:
    of = "blocks" if promise.what == BLOCK_LOSS else "gate"
    alpha, reachable = (_shown(value, "share") for value in (promise.alpha, promise.reachable))
    key = f"promise.{of}" if promise.kept else f"promise.{of}.not"
    return say(key, n=promise.documents, alpha=alpha, reachable=reachable)


def _figure(figure: FigurePart, say: Say) -> FigureSaid:
    name = figure_name(figure.name.removesuffix(_TEST), say)
    unit = say("figure.unit.tokens") if figure.unit.startswith("tokens") else ""
    return FigureSaid(
        name=name,
        value=f"{_shown(figure.value, figure.unit)}{unit}",
        interval=_interval(figure, figure.unit, say),
        sample=say(f"sample.short.{_sample(figure)}"),
    )


def _shown(value: float, unit: str) -> str:
    """Return a number in the digits of its unit; quality as a share, so that a page tells it in one way."""
    return with_minus(shown(value, "share" if unit == "quality" else unit).replace(" %", "\u00a0%"))


def _interval(figure: FigurePart, unit: str, say: Say) -> str:
    if figure.low is None or figure.high is None:
        return ""
    ends = {"low": _shown(figure.low, unit), "high": _shown(figure.high, unit)}
    return (
        say("interval", **ends) if figure.level is None else say("interval.level", **ends, level=percent(figure.level))
    )


def _sample(figure: FigurePart) -> str:
    return "split test" if figure.name.endswith(_TEST) else figure.sample
