"""What a report says of two readings of one document, as plain data: finished sentences, verbatim texts and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChangeSaid:
    """One thing that the two do otherwise.

    Attributes
    ----------
    name : str
        What it is, in the report's language; of a rule, the name of the rule.
    left, right : str
        What each side says; for a question, verbatim.
    effect : str
        What it touches, in one sentence; "" where the line says all.
    quiet : bool
        Whether it changes nothing in this document, as far as its own blocks tell.
    """

    name: str
    left: str
    right: str
    effect: str = ""
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of both sides, as text with its unit; ``difference`` is right minus left, with its sign."""

    name: str
    left: str
    right: str
    difference: str


@dataclass(frozen=True, slots=True)
class ChangedBlock:
    """A block that one side keeps and the other skips.

    Attributes
    ----------
    block_id, page : int
        The page is 1-based.
    anchor : str
        As in the kept text, such as "[p12 #345]".
    kind : str
        In the report's language.
    text : str
        Verbatim, the whole block.
    tokens : int
        Of what the keeping side keeps of it.
    keeper : str
        "left" or "right".
    reasons : tuple of str
        Why the left side and why the right side decided as they did, one plain sentence each.
    relevance : float
        On the side that keeps it, in [0, 1].
    gold : tuple of bool
        Whether it holds marked evidence for the left side, and for the right side.
    """

    block_id: int
    page: int
    anchor: str
    kind: str
    text: str
    tokens: int
    keeper: str
    reasons: tuple[str, str]
    relevance: float
    gold: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class SharedRun:
    """Neighbouring blocks, or whole sections, of which nothing changes.

    Attributes
    ----------
    sentence : str
        How many blocks both keep, and how many both skip.
    kept : tuple of (str, str)
        Anchor and verbatim text of each block with text that both keep.
    block_ids : tuple of int
        Of all of them, kept or skipped.
    """

    sentence: str
    kept: tuple[tuple[str, str], ...]
    block_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SectionBeside:
    """A section of the document as both sides read it.

    Attributes
    ----------
    titles : tuple of str
        Headings, outermost first; words in the report's language for what stands under none.
    pages : str
        In the report's language.
    summary : str
        Blocks and tokens that only one side keeps.
    rows : tuple of ChangedBlock or SharedRun
        In reading order.
    more : str
        The changed blocks that are not shown, counted and named by their ids; "" where all are.
    hidden : tuple of int
        Their ids.
    """

    titles: tuple[str, ...]
    pages: str
    summary: str
    rows: tuple[ChangedBlock | SharedRun, ...]
    more: str
    hidden: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LossSaid:
    """What one side loses against the other.

    Attributes
    ----------
    sentence : str
    blocks : tuple of ChangedBlock
        Marked evidence first, then the most relevant; at most a few.
    more : str
        "" where all are shown.
    """

    sentence: str
    blocks: tuple[ChangedBlock, ...]
    more: str


@dataclass(frozen=True, slots=True)
class SideSaid:
    """One of the two: its name, its mark (never colour alone), what it was asked, and words for what only it keeps."""

    name: str
    mark: str
    question: str
    only: str


@dataclass(frozen=True, slots=True)
class SharedCounts:
    """How many blocks and tokens both keep, and only one of them."""

    both: int
    only_left: int
    only_right: int
    tokens_both: int
    tokens_only_left: int
    tokens_only_right: int


@dataclass(frozen=True, slots=True)
class ComparisonContents:
    """Two readings of one document, side by side.

    Attributes
    ----------
    key : str
        Prefix of the ids of its elements.
    kind : str
        What somebody set out to compare: "questions", "profiles", "rules" or "settings".
    title, document : str
    sides : tuple of SideSaid
        Left and right.
    verdict : str
        What came of the change, in one sentence.
    notes : tuple of str
        What must be known beside the verdict, a sentence each: a gate that reads the document whole.
    changes : tuple of ChangeSaid
        What the two do otherwise; empty where nothing differs.
    quiet : str
        Counts the changes that are quiet; "" where none is.
    nothing : str
        Says that nothing differs; "" where something does.
    figures : tuple of FigureRow
    assumption : str
        What money was reckoned with.
    counts : SharedCounts
    alike : str
        How alike the kept texts are, in one sentence.
    likeness : float
        Tokens that both keep, of those that either keeps, in [0, 1]; 1 where both keep nothing.
    evidence : str
        What is known of evidence: where the marked blocks are, or that nobody marked any.
    losses : tuple of LossSaid
        What the left side and what the right side loses.
    sections : tuple of SectionBeside or SharedRun
        The whole document in reading order; a run stands for sections in which nothing changes.
    words : mapping of str to str
        Labels of the page.
    """

    key: str
    kind: str
    title: str
    document: str
    sides: tuple[SideSaid, SideSaid]
    verdict: str
    notes: tuple[str, ...]
    changes: tuple[ChangeSaid, ...]
    quiet: str
    nothing: str
    figures: tuple[FigureRow, ...]
    assumption: str
    counts: SharedCounts
    alike: str
    likeness: float
    evidence: str
    losses: tuple[LossSaid, LossSaid]
    sections: tuple[SectionBeside | SharedRun, ...]
    words: Mapping[str, str]
