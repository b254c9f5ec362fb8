"""What a report says of a reading, as plain data: numbers, verbatim texts, and sentences in the report's language."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What was read.

    Attributes
    ----------
    name, format, kind, language : str
        ``kind`` is the document's type, such as "contract".
    pages, blocks, tokens : int
    sha256 : str
    coverage : str
        One sentence: pages read, and those without text or unreadable.
    not_read : tuple of int
        Pages (1-based) with something on them and no text.
    readable : bool
        Whether anything could be read; under False nothing is kept, skipped or saved.
    """

    name: str
    format: str
    kind: str
    language: str
    pages: int
    blocks: int
    tokens: int
    sha256: str
    coverage: str
    not_read: tuple[int, ...]
    readable: bool = True


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """A block that the model sees.

    Attributes
    ----------
    block_id, page : int
        The page is 1-based.
    kind : str
        Of ``BlockKind``.
    level : int
        Of a heading; 0 for other blocks.
    pieces : tuple of str
        Verbatim; several where only ranges of the block are in focus.
    status : str
        "kept", "pinned" or "context".
    reason : str
        One plain sentence.
    relevance, priority : float
    tokens : int
    table : int
        Id of the table whose row it is; -1 for other blocks.
    gold : bool
        Whether it holds evidence that somebody marked.
    columns : tuple of int
        Of the row's cells, 0-based and rising; () for other blocks.
    """

    block_id: int
    page: int
    kind: str
    level: int
    pieces: tuple[str, ...]
    status: str
    reason: str
    relevance: float
    priority: float
    tokens: int
    table: int = -1
    gold: bool = False
    columns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptRun:
    """Kept blocks of one page without another block between them; ``gap``: whether something was skipped before."""

    page: int
    anchor: str
    gap: bool
    blocks: tuple[KeptBlock, ...]


@dataclass(frozen=True, slots=True)
class SkippedBlock:
    """A block that the model does not see; ``near``: among those that a slightly looser cut would keep first."""

    block_id: int
    page: int
    kind: str
    text: str
    tokens: int
    reason: str
    relevance: float
    priority: float
    near: bool = False
    gold: bool = False


@dataclass(frozen=True, slots=True)
class SkippedPart:
    """The skipped blocks under one heading.

    Attributes
    ----------
    titles : tuple of str
        Headings, outermost first; words in the report's language for what stands under none.
    pages : tuple of int
        First and last, 1-based.
    tokens : int
    best : float
        The highest priority in it.
    reason : str
        One plain sentence for the whole section: why it was skipped, in the words of its most frequent reason.
    blocks : tuple of SkippedBlock
    """

    titles: tuple[str, ...]
    pages: tuple[int, int]
    tokens: int
    best: float
    reason: str
    blocks: tuple[SkippedBlock, ...]


@dataclass(frozen=True, slots=True)
class SavingFacts:
    """What reading sparsely saves, in tokens of a named tokenizer.

    Attributes
    ----------
    tokens_total, tokens_kept : int
        Of the blocks.
    rendered : int
        Of the text that the model sees, anchors and coverage line included: what money is reckoned with.
    share_skipped : float
        1 - rendered / total, in [0, 1]; 0 where nothing is saved.
    blocks_kept, blocks_total, pages_touched, pages_total : int
        A page is touched when a block on it is kept.
    tokenizer : str
    """

    tokens_total: int
    tokens_kept: int
    rendered: int
    share_skipped: float
    blocks_kept: int
    blocks_total: int
    pages_touched: int
    pages_total: int
    tokenizer: str


@dataclass(frozen=True, slots=True)
class RuleSaid:
    """A rule that spoke in this document: its name, what it does in words, and how many blocks it kept or damped.

    ``reason`` is why, in the words and the language of the rule's author.
    """

    name: str
    words: str
    blocks: int
    kept: int
    reason: str = ""
    reason_language: str = "en"


@dataclass(frozen=True, slots=True)
class GateSaid:
    """The gate's decision in words: ``route`` is "force", "advisory" or "native"."""

    route: str
    summary: str
    sentences: tuple[str, ...]
    signals: tuple[tuple[str, str, float, float], ...] = ()
    """Letter, name in the report's language, value, weight."""
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class DecisionSaid:
    """How it was decided, in sentences of the report's language.

    Attributes
    ----------
    cut : str
        Where the line was drawn and whether it was promised, fitted or a plain share.
    scale : str
        What the scores mean: calibrated or not.
    rules : tuple of RuleSaid
    rule_table : str
        Name and language of the table, "" without one.
    gate : GateSaid or None
    near : str
        What a slightly looser cut would keep first.
    notes : tuple of str
        What must be known, in the words of others, which are English.
    told : tuple of str
        What must be known, in the report's language.
    follow_up : bool
        Whether neither rules nor match decided, but what a follow-up question is about.
    """

    cut: str
    scale: str
    rules: tuple[RuleSaid, ...]
    rule_table: str
    gate: GateSaid | None
    near: str
    notes: tuple[str, ...]
    told: tuple[str, ...] = ()
    follow_up: bool = False


@dataclass(frozen=True, slots=True)
class PageMark:
    """A rectangle of a block on its page, in points from the top left; ``status`` as of ``KeptBlock``, or "skipped"."""

    block_id: int
    x0: float
    top: float
    x1: float
    bottom: float
    status: str


@dataclass(frozen=True, slots=True)
class PageFacts:
    """A page as it is shown.

    Attributes
    ----------
    number : int
        1-based.
    status : str
        Of ``PageStatus``: "text", "no text", "unreadable", "blank".
    width, height : float
        In points; 0 where the format has no pages to draw.
    picture : str
        Key in ``ReportContents.pictures``; "" without one.
    marks : tuple of PageMark
    kept, skipped : tuple of int
        Ids of its blocks.
    tokens_kept, tokens : int
    sentence : str
        What became of the page, and why, in one plain sentence.
    """

    number: int
    status: str
    width: float
    height: float
    picture: str
    marks: tuple[PageMark, ...]
    kept: tuple[int, ...]
    skipped: tuple[int, ...]
    tokens_kept: int
    tokens: int
    sentence: str


@dataclass(frozen=True, slots=True)
class FigureSaid:
    """A figure of a profile: name and value in words, with its interval and the sample that it holds for."""

    name: str
    value: str
    interval: str
    sample: str


@dataclass(frozen=True, slots=True)
class ProfileSaid:
    """The gate profile that decided: name, who made it and when, what it was fitted on, and its figures."""

    name: str
    made: str
    basis: str
    promise: str
    fingerprint: str
    figures: tuple[FigureSaid, ...]


@dataclass(frozen=True, slots=True)
class AnswerSaid:
    """What a model answered.

    Attributes
    ----------
    text : str
        Verbatim.
    tokens_in, tokens_out : int
    seconds : float
    grade : float or None
        In [0, 1]; None where there is nothing to grade against.
    grade_words : str
        How it was graded.
    failed : str
        Why there is no answer; "" where there is one.
    """

    text: str
    tokens_in: int
    tokens_out: int
    seconds: float
    grade: float | None
    grade_words: str
    failed: str = ""


@dataclass(frozen=True, slots=True)
class AnswersSaid:
    """The answer from the whole document beside that from the kept text; ``gold`` is the expected one, or ""."""

    model: str
    whole: AnswerSaid
    kept: AnswerSaid
    gold: str
    verdict: str


@dataclass(frozen=True, slots=True)
class ReadingContents:
    """One document and one question.

    Attributes
    ----------
    key : str
        Prefix of the ids of its elements, such as "r1".
    question : str
    headline : tuple of str
        At most four sentences: what was kept, what was skipped, why, and what it saves.
    quality : str
        How quality is known: measured answers, evidence that somebody marked, or only the profile's figures.
    """

    key: str
    question: str
    document: DocumentFacts
    headline: tuple[str, ...]
    quality: str
    saving: SavingFacts
    decision: DecisionSaid
    runs: tuple[KeptRun, ...]
    skipped: tuple[SkippedPart, ...]
    pages: tuple[PageFacts, ...] = ()
    profile: ProfileSaid | None = None
    answers: AnswersSaid | None = None


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What something was made with: a name in the report's language, and its hash or version."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ReportContents:
    """A whole report.

    Attributes
    ----------
    title, language : str
    readings : tuple of ReadingContents
    pictures : dict of str to str
        Key -> data URI; each picture stands in the file once.
    fingerprints : tuple of Fingerprint
    made : str
        When and by which version, in the report's language.
    """

    title: str
    language: str
    readings: tuple[ReadingContents, ...]
    pictures: dict[str, str] = field(default_factory=dict)
    fingerprints: tuple[Fingerprint, ...] = ()
    made: str = ""
