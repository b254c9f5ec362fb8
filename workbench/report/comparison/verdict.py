"""What came of the change in one sentence, and what is known of evidence."""

from __future__ import annotations

from collections import Counter

from ...printing import shortened
from ...reading.selection import Mask
from ..wording import Say
from .contents import ChangeSaid
from .sides import RUNNING, Sides
from .view import BesideView

LONGEST_TITLE = 60


def verdict_of(sides: Sides, view: BesideView, changes: tuple[ChangeSaid, ...], say: Say) -> str:
    """Return tokens, blocks that come and go, and what is known of evidence among them.

    Where a gate has a side read whole, nothing comes or goes there: then it is said what would.
    """
    left, right = sides.names
    kept, tokens = int(sides.both.sum()), _tokens(sides, say)
    if any(sides.whole):
        whole = "verdict.whole.both" if all(sides.whole) else "verdict.whole.one"
        name = sides.names[sides.whole.index(True)]
        return say("verdict.whole", tokens=tokens, whole=say(whole, name=name), then=_then(sides, view, say))
    if not sides.alike:
        return say("verdict", tokens=tokens, moves=_moves(sides, view, say), evidence=_moved(sides, say))
    if sides.read[0] != sides.read[1]:
        return say("verdict.coverage", n=kept, tokens=tokens)
    if sides.routes[0] is not sides.routes[1]:
        return say("verdict.route", n=kept, left=left, right=right)
    return say("verdict.unchanged" if changes else "verdict.same", n=kept, left=left, right=right)


def evidence_of(sides: Sides, say: Say) -> str:
    """Return where the marked blocks are, or that nobody marked any."""
    left, right = sides.gold
    if not left and not right:
        return say("evidence.nobody")
    if left != right:
        said = say("evidence.own", kept=_own(sides, say))
    else:
        marked = sorted(left)
        both, mine, other = (int(mask[marked].sum()) for mask in (sides.both, sides.only_left, sides.only_right))
        said = say(
            "evidence.marked",
            n=len(marked), both=both, only_left=mine, only_right=other, neither=len(marked) - both - mine - other,
            left=sides.names[0], right=sides.names[1],
        )  # fmt: skip
    return say("evidence.whole", said=said) if any(sides.whole) else said


def _tokens(sides: Sides, say: Say) -> str:
    left, right = sides.names
    more = sides.read[1] - sides.read[0]
    key = "verdict.more" if more > 0 else "verdict.less" if more else "verdict.as_many"
    return say(key, n=abs(more), left=left, right=right)


def _then(sides: Sides, view: BesideView, say: Say) -> str:
    """What sparse reading would have changed."""
    if sides.alike:
        return say("verdict.then.alike", n=int(sides.both.sum()))
    moves = _moves(sides, view, say, ".would")
    return say("verdict.then", right=sides.names[1], moves=moves, evidence=_moved(sides, say))


def _moves(sides: Sides, view: BesideView, say: Say, mood: str = "") -> str:
    moves = [
        say(f"verdict.{verb}{mood}", n=int(mask.sum()), place=_place(mask, sides, view, say))
        for verb, mask in (("drops", sides.only_left), ("adds", sides.only_right))
        if mask.any()
    ]
    return say("verdict.and").join(moves) or say(f"verdict.ranges{mood}")


def _place(mask: Mask, sides: Sides, view: BesideView, say: Say) -> str:
    """Where most of some blocks stand, if there is such a place."""
    home, count = Counter(sides.home[mask].tolist()).most_common(1)[0]
    total = int(mask.sum())
    if 2 * count <= total:
        return ""
    key = "place.one" if total == 1 else "place.all" if count == total else "place.most"
    if home < 0:
        return say(f"{key}.running" if home == RUNNING else f"{key}.none")
    return say(key, title=shortened(view.titles(home)[-1], LONGEST_TITLE))


def _moved(sides: Sides, say: Say) -> str:
    left, right = sides.gold
    if not left and not right:
        return say("verdict.unmarked")
    if left != right:
        return _own(sides, say)
    marked = sorted(left)
    lost, won = int(sides.only_left[marked].sum()), int(sides.only_right[marked].sum())
    if lost and won:
        return say("verdict.lost_and_won", lost=lost, won=won)
    if lost:
        return say("verdict.lost", n=lost)
    return say("verdict.won", n=won) if won else say("verdict.no_evidence")


def _own(sides: Sides, say: Say) -> str:
    """What each side keeps of the evidence that was marked for it."""
    return say("comma").join(
        say("evidence.keeps", name=name, n=len(gold), kept=int(kept[sorted(gold)].sum()))
        if gold
        else say("evidence.keeps.nothing", name=name)
        for name, gold, kept in zip(sides.names, sides.gold, sides.kept, strict=True)
    )
