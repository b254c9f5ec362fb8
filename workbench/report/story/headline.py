"""What a story says before anything else, in sentences: the figures, what was lost, and where the figures hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...calibration.figures import IN_SAMPLE
from ...calibration.hand_set import is_set_by_hand
from ...gate.margin import Route
from ..contents import Fingerprint
from ..wording import Say
from .basis import StoryBasis
from .contents import FiguresSaid, NoteSaid, NumberSaid
from .figures import number_said, quality_word, share_said
from .outcomes import OUTCOMES


def headline_said(basis: StoryBasis, figures: FiguresSaid, say: Say) -> str:
    """Return the one sentence with the figures and their intervals."""
    if not basis.share.any():
        return say("headline.native", requests=say("requests", n=len(basis.outcomes)))
    whose = "rule" if figures.is_shipped else "folds"
    saved = figures.saved
    loses = say(
        f"{whose}.loses" if figures.lost.is_measured else f"{whose}.unmeasured",
        lost=_with_interval(figures.lost),
        quality=say(f"quality.{quality_word(basis)}"),
    )
    return say(
        f"{whose}.saves" if saved.level >= 0 else f"{whose}.costs",
        requests=say("requests", n=figures.requests),
        documents=say("documents", n=figures.documents),
        saved=_with_interval(saved if saved.level >= 0 else _turned(saved, say)),
        loses=loses,
    )


def told_beside(figures: Sequence[FiguresSaid], say: Say) -> Iterator[str]:
    """Give what has to be known of the headline's figures: where they hold, and what is in sample."""
    first = figures[0]
    yield first.basis
    if first.documents < 2:
        yield say("told.no_interval")
    inside = next((found for found in figures if found.sample == IN_SAMPLE), None)
    if first.sample == IN_SAMPLE:
        yield say("told.only_in")
    elif inside is not None:
        yield say("told.in", saved=_with_interval(inside.saved), lost=_with_interval(inside.lost))


def told_loss(basis: StoryBasis, say: Say) -> Iterator[str]:
    """Give what a loss is, and of how many requests none would be seen; nothing where none was measured."""
    if not basis.evident.any():
        return
    yield say(f"told.{quality_word(basis)}")
    if without := int((basis.judged & ~basis.evident).sum()):
        yield say("told.without", n=without)


def told_shipped(basis: StoryBasis, shipped: FiguresSaid, lost: int, say: Say) -> Iterator[str]:
    """Give what the rule that ships does: how many lose evidence, how it routes, and what is not judged."""
    yield lost_said(basis, lost, say)
    yield say("told.routes", **{found.route: found.share.value for found in shipped.routes})
    if unjudged := int((~basis.judged).sum()) + len(basis.failed):
        yield say("told.unjudged", n=unjudged)


def lost_said(basis: StoryBasis, lost: int, say: Say) -> str:
    """Return how many requests lose something, of those on which a loss would be seen."""
    evident = int(basis.evident.sum())
    if not evident:
        return say("lost.nothing_measured")
    return say(f"lost.some.{quality_word(basis)}" if lost else f"lost.none.{quality_word(basis)}", n=lost, of=evident)


def groups_of(figures: Sequence[FiguresSaid]) -> FiguresSaid:
    """Return the figures whose requests scenarios and types are told of: of the rule that ships."""
    return next(found for found in figures if found.is_shipped)


def notes_said(basis: StoryBasis, read: int, changed: int, say: Say) -> Iterator[NoteSaid]:
    """Give what must be known of the figures; what the profile and the models say themselves is in English."""
    if changed:
        yield NoteSaid(say("note.changed", n=read, changed=changed))
    if not basis.is_verified:
        yield NoteSaid(say("note.unverified"))
    advised = basis.judged & (basis.routes == Route.ADVISORY.code)
    if advised.any():
        shares = np.unique(basis.share[advised]).tolist()
        yield NoteSaid(say("note.advisory", share=" / ".join(share_said(share) for share in shares)))
    if is_set_by_hand(basis.profile):
        yield NoteSaid(say("note.by_hand"))
    if basis.unused:
        yield NoteSaid(say("note.unused", file=OUTCOMES))
        yield NoteSaid(basis.unused, is_verbatim=True)
    yield from (NoteSaid(note, is_verbatim=True) for note in basis.sample.notes)


def fingerprints_said(basis: StoryBasis, say: Say) -> Iterator[Fingerprint]:
    """Give what the story was made with."""
    from ... import __version__

    profile, source = basis.profile, basis.frame.attrs
    yield Fingerprint(
        say("fingerprint.workload", name=basis.workload.name), source["workload"]["fingerprint"] or say("unknown")
    )
    yield Fingerprint(say("fingerprint.profile", name=profile.name), profile.fingerprint)
    yield Fingerprint(say("fingerprint.fitted_on", name=profile.workload.name), profile.workload.fingerprint)
    yield Fingerprint(say("fingerprint.scorer"), source["reader"]["scorer"])
    yield Fingerprint(say("fingerprint.rules"), source["reader"]["rules"])
    yield Fingerprint(say("fingerprint.tokenizer"), source["reader"]["tokenizer"])
    yield Fingerprint(say("fingerprint.workbench"), __version__)


def _with_interval(number: NumberSaid) -> str:
    return number.value if number.low is None else f"{number.value} {number.interval}"


def _turned(saved: NumberSaid, say: Say) -> NumberSaid:
    """Return what is saved as what it costs more."""
    low, high = (None if end is None else -end for end in (saved.high, saved.low))
    return number_said(-saved.level, low, high, say)
