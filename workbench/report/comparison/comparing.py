"""Two questions, profiles or rule tables on one document: what changed, what it cost, what it would have lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidOption
from ...gate.margin import Route
from ...printing import printable, shortened
from ...reading import Reading
from ...reading.selection import Mask
from ..prices import PriceTable, amount, shipped_prices
from ..templates import percent
from ..wording import Say, saying
from .changes import changes_of, cut_words
from .contents import (
    ChangedBlock,
    ChangeSaid,
    ComparisonContents,
    FigureRow,
    LossSaid,
    SectionBeside,
    SharedCounts,
    SharedRun,
    SideSaid,
)
from .sides import Sides
from .view import BesideView

if TYPE_CHECKING:
    from ...gate.gate import GateDecision
    from ...gate.profile import GateProfile

    Gates = tuple[GateDecision | None, GateDecision | None]

__all__ = [
    "ChangeSaid",
    "ChangedBlock",
    "ComparisonContents",
    "FigureRow",
    "LossSaid",
    "SectionBeside",
    "SharedCounts",
    "SharedRun",
    "SideSaid",
    "compared",
]

COMPARED = ("questions", "profiles", "rules")
MARKS = ("◧", "◨")
LONGEST_NAME = 48
LONGEST_TITLE = 60
LABELS = (
    "changes", "figures", "figure", "difference", "evidence", "beside", "beside.help", "question",
    "skipped", "only", "marked", "table_rows", "show", "both", "blocks", "tokens", "setting", "effect",
)  # fmt: skip


def compared(
    left: Reading,
    right: Reading,
    *,
    names: tuple[str, str],
    what: str,
    language: str = "en",
    gold: Collection[int] = (),
    prices: PriceTable | None = None,
    profiles: tuple[GateProfile, GateProfile] | None = None,
    gates: Gates = (None, None),
    key: str = "c1",
) -> ComparisonContents:
    """Compare two readings of one document.

    Parameters
    ----------
    left, right : Reading
    names : tuple of str
        What they are called, left and right; two different names.
    what : str
        What somebody set out to compare: "questions", "profiles" or "rules".
    language : str
        Of the sentences: "en" or "zh".
    gold : collection of int
        Ids of the blocks with evidence that somebody marked.
    prices : PriceTable, optional
        By default the one that ships.
    profiles : tuple of GateProfile, optional
        Those that made the readings: what they decide beyond this document is told as well.
    gates : tuple of GateDecision or None
        What a gate says of each side; where it says native, the document is read whole and nothing is saved.
    key : str
        Prefix of the ids of the elements.

    Raises
    ------
    InvalidOption
        If the readings are of different documents, the names are alike or empty, ``what`` or ``language`` is unknown,
        or ``gold`` names a block that the document has not got.
    """
    say = saying("comparison", language)
    native, other = (gate is not None and gate.route is Route.NATIVE for gate in gates)
    sides = Sides(left, right, _checked_names(names), (native, other))
    if what not in COMPARED:
        raise InvalidOption(f"what is {what!r:.40}; choose from {', '.join(COMPARED)}.")
    strange = [block for block in gold if not 0 <= block < len(left)]
    if strange:
        raise InvalidOption(
            f"gold names block {strange[0]}, and {shortened(left.document.name, LONGEST_TITLE)} has blocks 0 to "
            f"{len(left) - 1:,}; give ids of its blocks."
        )
    changes = changes_of(sides, profiles, say)
    quiet = sum(change.quiet for change in changes)
    view = BesideView(sides, gold, language, say)
    table = prices or shipped_prices(language)
    return ComparisonContents(
        key=key,
        title=say(f"title.{what}"),
        document=left.document.name,
        sides=_sides(sides, say),
        verdict=_verdict(sides, view, changes, frozenset(gold), say),
        notes=tuple(
            say("note.native", name=name) for name, whole in zip(sides.names, sides.whole, strict=True) if whole
        ),
        changes=changes,
        quiet=say("quiet_changes", n=quiet) if quiet else "",
        nothing="" if changes else say("nothing"),
        figures=_figures(sides, table, gates, say),
        assumption=_assumption(sides, table, say),
        counts=_counts(sides),
        alike=_alike(sides, say),
        likeness=sides.likeness,
        evidence=_evidence(sides, frozenset(gold), say),
        losses=view.losses(),
        sections=view.sections(),
        words={label: say(f"label.{label}") for label in LABELS},
    )


def _checked_names(names: tuple[str, str]) -> tuple[str, str]:
    left, right = (shortened(name, LONGEST_NAME) for name in names)
    if left == right:
        # Long names may differ at their end only.
        left, right = (
            f"…{name[1 - LONGEST_NAME :]}" if len(name) > LONGEST_NAME else name for name in map(printable, names)
        )
    if not left or not right or left == right:
        raise InvalidOption(
            f"names are {left!r} and {right!r}; give two different names, so that a reader can tell the sides apart."
        )
    return left, right


def _sides(sides: Sides, say: Say) -> tuple[SideSaid, SideSaid]:
    left, right = (
        SideSaid(name, mark, reading.question, say("only_in", name=name))
        for name, mark, reading in zip(sides.names, MARKS, sides.both_readings, strict=True)
    )
    return left, right


def _counts(sides: Sides) -> SharedCounts:
    masks = (sides.both, sides.only_left, sides.only_right)
    both, only_left, only_right = (int(mask.sum()) for mask in masks)
    return SharedCounts(both, only_left, only_right, *(sides.tokens_of(mask) for mask in masks))


def _alike(sides: Sides, say: Say) -> str:
    if not sides.both.any() and not sides.only_left.any() and not sides.only_right.any():
        return say("alike.nothing")
    return say("alike", share=percent(sides.likeness), n=int(np.maximum(*sides.costs).sum()))


def _verdict(sides: Sides, view: BesideView, changes: tuple[ChangeSaid, ...], gold: frozenset[int], say: Say) -> str:
    """What came of the change: tokens, blocks that come and go, and what is known of evidence among them."""
    left, right = sides.names
    names = {"left": left, "right": right}
    if sides.alike and sides.whole[0] == sides.whole[1]:
        kept = int(sides.both.sum())
        return say("verdict.unchanged" if changes else "verdict.same", n=kept, **names)
    more = sides.read[1] - sides.read[0]
    tokens = say("verdict.more" if more > 0 else "verdict.less" if more else "verdict.as_many", n=abs(more), **names)
    moves = [
        say(f"verdict.{verb}", n=int(mask.sum()), place=_place(mask, sides, view, say))
        for verb, mask in (("drops", sides.only_left), ("adds", sides.only_right))
        if mask.any()
    ]
    moved = say("verdict.and").join(moves) or say("verdict.ranges")
    return say("verdict", tokens=tokens, moves=moved, evidence=_evidence_moved(sides, gold, say))


def _place(mask: Mask, sides: Sides, view: BesideView, say: Say) -> str:
    """The section of most of some blocks, where there is one."""
    home, count = Counter(sides.home[mask].tolist()).most_common(1)[0]
    if 2 * count <= int(mask.sum()):
        return ""
    title, total = shortened(view.titles(home)[-1], LONGEST_TITLE), int(mask.sum())
    return say("place.one" if total == 1 else "place.all" if count == total else "place.most", title=title)


def _evidence_moved(sides: Sides, gold: frozenset[int], say: Say) -> str:
    if not gold:
        return say("verdict.unmarked")
    marked = list(gold)
    lost, won = int(sides.only_left[marked].sum()), int(sides.only_right[marked].sum())
    if lost and won:
        return say("verdict.lost_and_won", lost=lost, won=won)
    if lost:
        return say("verdict.lost", n=lost)
    if won:
        return say("verdict.won", n=won)
    return say("verdict.no_evidence")


def _evidence(sides: Sides, gold: frozenset[int], say: Say) -> str:
    if not gold:
        return say("evidence.nobody")
    marked = list(gold)
    both, left, right = (int(mask[marked].sum()) for mask in (sides.both, sides.only_left, sides.only_right))
    return say(
        "evidence.marked",
        n=len(gold), both=both, only_left=left, only_right=right, neither=len(gold) - both - left - right,
        left=sides.names[0], right=sides.names[1],
    )  # fmt: skip


def _figures(sides: Sides, table: PriceTable, gates: Gates, say: Say) -> tuple[FigureRow, ...]:
    readings, document = sides.both_readings, sides.left.document
    blocks = [int(reading.decision.kept.sum()) for reading in readings]
    pages = [len(np.unique(document.columns.home_page[reading.decision.kept])) for reading in readings]
    shares = [sides.share_skipped(side) for side in (0, 1)]
    saved = [table.saved(sides.total, read)[table.shown].per_year for read in sides.read]
    points = 100 * abs(shares[1] - shares[0])

    def row(name: str, values: list[int] | tuple[int, int], total: int) -> FigureRow:
        left, right = (say("of", part=value, total=total) for value in values)
        return FigureRow(say(f"figure.{name}"), left, right, _signed(f"{abs(values[1] - values[0]):,}", values))

    def money(value: float) -> str:
        return f"{table.currency} {amount(value)}".replace("-", "−")

    def route(gate: GateDecision | None) -> str:
        return say(f"route.{gate.route.value if gate else 'none'}")

    size = f"{points:.1f}" if points >= 0.05 else f"{points:.1g}"
    return (
        FigureRow(say("figure.cut"), cut_words(sides.left, say), cut_words(sides.right, say), ""),
        *([FigureRow(say("figure.route"), route(gates[0]), route(gates[1]), "")] if any(gates) else []),
        row("tokens", sides.read, sides.total),
        FigureRow(
            say("figure.share"), percent(shares[0]), percent(shares[1]), say("points", value=_signed(size, shares))
        ),
        row("blocks", blocks, len(document)),
        row("pages", pages, len(document.pages)),
        FigureRow(
            say("figure.money"), money(saved[0]), money(saved[1]), _signed(money(abs(saved[1] - saved[0])), saved)
        ),
    )


def _signed(size: str, values: list[int] | list[float] | tuple[int, int]) -> str:
    """Right minus left: its size as text, with the sign before it."""
    return f"+{size}" if values[1] > values[0] else f"−{size}" if values[1] < values[0] else "0"


def _assumption(sides: Sides, table: PriceTable, say: Say) -> str:
    price = table.models[table.shown]
    ruler = sides.left.basis.tokenizer.name
    words = say(
        "assumption", model=price.name, price=f"{table.currency} {amount(price.per_million)}",
        requests=table.requests_per_day, days=table.days_per_year, tokenizer=ruler,
    )  # fmt: skip
    other = sides.right.basis.tokenizer.name
    return words + (say("assumption.tokenizer", name=sides.names[1], tokenizer=other) if other != ruler else "")
