"""Two readings of one document side by side: what changed, what it cost, what it would have lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidOption
from ...printing import printable, shortened
from ...reading import Reading
from ..marked import checked_gold
from ..prices import PriceTable, amount, shipped_prices
from ..templates import percent
from ..wording import Say, saying
from .changes import changes_of, cut_words, route_words
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
from .verdict import evidence_of, verdict_of
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

COMPARED = ("questions", "profiles", "rules", "settings")
MARKS = ("◧", "◨")
LONGEST_NAME = 48
LABELS = (
    "changes", "figures", "figure", "difference", "evidence", "beside", "beside.help", "question",
    "skipped", "only", "marked", "show", "both", "block", "blocks", "token", "tokens", "setting", "effect",
)  # fmt: skip


def compared(
    left: Reading,
    right: Reading,
    *,
    names: tuple[str, str],
    what: str,
    language: str = "en",
    gold: Collection[int] | Sequence[Collection[int]] = (),
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
        What somebody set out to compare: "questions", "profiles", "rules", or "settings" for anything else.
    language : str
        Of the sentences: "en" or "zh".
    gold : collection of int, or two of them
        Ids of the blocks that hold evidence, as somebody marked them: those of both sides, or those of the left and
        those of the right side. What is evidence for one side alone is never called a loss of the other.
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
        or ``gold`` names a block that the document has not got, or is of another number of sides.
    """
    say = saying("comparison", language)
    if what not in COMPARED:
        raise InvalidOption(f"what is {what!r:.40}; choose from {', '.join(COMPARED)}.")
    # Evidence in a table without text of its own is that of its rows.
    text = left.basis.has_text
    marked, other = (
        frozenset(block for block in ids if text[block]) for ids in checked_gold(gold, (left, right), shared=True)
    )
    route, against = (None if gate is None else gate.route for gate in gates)
    sides = Sides(left, right, _checked_names(names), (route, against), (marked, other))
    changes = changes_of(sides, profiles, say)
    quiet = sum(change.quiet for change in changes)
    view = BesideView(sides, language, say)
    table = prices or shipped_prices(language)
    return ComparisonContents(
        key=key,
        kind=what,
        title=say(f"title.{what}"),
        document=left.document.name,
        sides=_sides(sides, say),
        verdict=verdict_of(sides, view, changes, say),
        notes=_notes(sides, say),
        changes=changes,
        quiet=say("quiet_changes", n=quiet) if quiet else "",
        nothing="" if changes else say("nothing" if _equal(sides) else "nothing.told"),
        figures=_figures(sides, table, say),
        assumption=_assumption(sides, table, say),
        counts=_counts(sides),
        alike=_alike(sides, say),
        likeness=sides.likeness,
        evidence=evidence_of(sides, say),
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


def _notes(sides: Sides, say: Say) -> tuple[str, ...]:
    if all(sides.whole):
        return (say("note.native.both"),)
    return tuple(say("note.native", name=name) for name, whole in zip(sides.names, sides.whole, strict=True) if whole)


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


def _equal(sides: Sides) -> bool:
    """Whether a sparse read gives the same, to the letter."""
    return sides.alike and sides.left.kept_text == sides.right.kept_text


def _figures(sides: Sides, table: PriceTable, say: Say) -> tuple[FigureRow, ...]:
    document = sides.left.document
    blocks = [int(kept.sum()) for kept in sides.kept]
    pages = [len(np.unique(document.columns.home_page[kept])) for kept in sides.kept]
    shares = [sides.share_skipped(side) for side in (0, 1)]
    saved = [table.saved(sides.total, read)[table.shown].per_year for read in sides.charged]
    points = 100 * abs(shares[1] - shares[0])

    def row(name: str, values: list[int] | tuple[int, int], total: int) -> FigureRow:
        left, right = (say("of", part=value, total=total) for value in values)
        return FigureRow(say(f"figure.{name}"), left, right, _signed(f"{abs(values[1] - values[0]):,}", values))

    def money(value: float) -> str:
        return f"{table.currency} {amount(value)}"

    route, against = (route_words(route, say) for route in sides.routes)
    mood = ".would" if any(sides.whole) else ""
    size = f"{points:.1f}" if points >= 0.05 else f"{points:.1g}"
    return (
        FigureRow(say("figure.cut"), cut_words(sides.left, say), cut_words(sides.right, say), ""),
        *([FigureRow(say("figure.route"), route, against, "")] if any(sides.routes) else []),
        row("tokens", sides.read, sides.total),
        FigureRow(
            say("figure.share"), percent(shares[0]), percent(shares[1]), say("points", value=_signed(size, shares))
        ),
        row(f"blocks{mood}", blocks, int(sides.text.sum())),
        row(f"pages{mood}", pages, len(document.pages)),
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
