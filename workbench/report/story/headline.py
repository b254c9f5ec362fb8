"""What a story says before anything else, in sentences: the figures, what was lost, and where the figures hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...calibration.figures import IN_SAMPLE, OUT_OF_SAMPLE
from ...calibration.hand_set import is_set_by_hand
from ...gate.margin import Route
from ..contents import Fingerprint
from ..wording import Say
from .basis import StoryBasis
from .contents import FiguresSaid, NumberSaid
from .figures import quality_word, share_said


def headline_said(basis: StoryBasis, figures: FiguresSaid, say: Say) -> str:
    """Return the one sentence with the figures and their intervals."""
    if not basis.share[basis.judged].any():
        return say("headline.native", requests=len(basis.outcomes))
    return say(
        "headline.saves" if figures.saved.level >= 0 else "headline.costs",
        requests=figures.requests,
        documents=figures.documents,
        saved=_with_interval(figures.saved),
        lost=_with_interval(figures.lost),
        quality=say(f"quality.{quality_word(basis)}"),
    )


def told_beside(basis: StoryBasis, figures: Sequence[FiguresSaid], lost: int, say: Say) -> Iterator[str]:
    """Give the sentences beside the headline: how many lost, the routes, what is in sample, what quality is."""
    first = figures[0]
    requests = len(basis.outcomes)
    yield say("told.lost" if lost else "told.lost.none", n=lost, requests=requests)
    yield say("told.routes", **{found.route: found.share.value for found in first.routes})
    yield first.basis
    inside = next((found for found in figures if found.sample == IN_SAMPLE), None)
    if first.sample == IN_SAMPLE:
        yield say("told.only_in")
    elif inside is not None:
        ends = {"saved_interval": inside.saved.interval, "lost_interval": inside.lost.interval}
        yield say("told.in", saved=inside.saved.value, lost=inside.lost.value, **ends)
    yield say(f"told.{quality_word(basis)}")


def groups_of(basis: StoryBasis, figures: Sequence[FiguresSaid]) -> FiguresSaid:
    """Return the figures whose requests scenarios and types are told of: measured here, never the profile's own."""
    sample = IN_SAMPLE if basis.inside[basis.told].any() else OUT_OF_SAMPLE
    measured = figures[-1:] if sample == IN_SAMPLE else figures
    return next(found for found in measured if found.sample == sample)


def notes_said(basis: StoryBasis, read: int, changed: int, say: Say) -> Iterator[str]:
    """Give what must be known of the figures; what the profile and the models say themselves is in English."""
    if changed:
        yield say("note.changed", n=read, changed=changed)
    advised = basis.judged & (basis.routes == Route.ADVISORY.code)
    if advised.any():
        shares = np.unique(basis.share[advised]).tolist()
        yield say("note.advisory", share=" / ".join(share_said(share) for share in shares))
    if is_set_by_hand(basis.profile):
        yield say("note.by_hand")
    yield from basis.notes


def fingerprints_said(basis: StoryBasis, say: Say) -> Iterator[Fingerprint]:
    """Give what the story was made with."""
    from ... import __version__

    profile, source = basis.profile, basis.frame.attrs
    yield Fingerprint(say("fingerprint.workload", name=basis.workload.name), source["workload"]["fingerprint"])
    yield Fingerprint(say("fingerprint.profile", name=profile.name), profile.fingerprint)
    yield Fingerprint(say("fingerprint.fitted_on", name=profile.workload.name), profile.workload.fingerprint)
    yield Fingerprint(say("fingerprint.scorer"), source["reader"]["scorer"])
    yield Fingerprint(say("fingerprint.rules"), source["reader"]["rules"])
    yield Fingerprint(say("fingerprint.tokenizer"), source["reader"]["tokenizer"])
    yield Fingerprint(say("fingerprint.workbench"), __version__)


def _with_interval(number: NumberSaid) -> str:
    return number.value if number.low is None else f"{number.value} {number.interval}"
