"""What the story of a workload says, as plain data: numbers, verbatim texts, and sentences in the report's language."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..contents import Fingerprint, ReadingContents


@dataclass(frozen=True, slots=True)
class NumberSaid:
    """A figure with its interval over documents.

    Attributes
    ----------
    level : float
        A share in [0, 1]; what is saved may be below 0.
    low, high : float or None
        Ends of the 95 % interval; None where one document or none stands behind it.
    value, interval : str
        Both as they are read; the words for "no interval" where there is none.
    is_measured : bool
        False for a loss where no request has evidence; then ``level`` says nothing.
    """

    level: float
    low: float | None
    high: float | None
    value: str
    interval: str
    is_measured: bool = True


@dataclass(frozen=True, slots=True)
class RouteShare:
    """How many of the requests take a route: "force", "advisory" or "native"."""

    route: str
    name: str
    share: NumberSaid


@dataclass(frozen=True, slots=True)
class FiguresSaid:
    """What the gate yields on some requests.

    Attributes
    ----------
    title : str
        Whose figures these are.
    sample : str
        "in sample", "out of sample", "in sample in part", or "another workload" where nobody can tell.
    sample_words, basis : str
        The same in words, and which requests stand behind it, in a sentence or two.
    requests, documents : int
    saved : NumberSaid
        Share of the tokens that is saved.
    lost : NumberSaid
        Mean share of the quality that a request loses.
    routes : tuple of RouteShare
        Force, advisory, native.
    is_shipped : bool
        Whether they are of the profile's own rule; False for those of the rules of its folds.
    """

    title: str
    sample: str
    sample_words: str
    basis: str
    requests: int
    documents: int
    saved: NumberSaid
    lost: NumberSaid
    routes: tuple[RouteShare, ...]
    is_shipped: bool = True


@dataclass(frozen=True, slots=True)
class GroupSaid:
    """The requests of one scenario, or on documents of one type.

    Attributes
    ----------
    label, name : str
        As the workload calls it, and in words.
    requests, documents : int
    tokens_whole, tokens_read : int
        Into the model, read whole and read as the gate decides.
    saved, lost : NumberSaid
    recall : float or None
        Mean share of the evidence that is seen, over the requests with evidence; None without any.
    forced, advisory, native : int
        Requests by their route.
    """

    label: str
    name: str
    requests: int
    documents: int
    tokens_whole: int
    tokens_read: int
    saved: NumberSaid
    lost: NumberSaid
    recall: float | None
    forced: int
    advisory: int
    native: int


@dataclass(frozen=True, slots=True)
class Scale:
    """The axis of the chart of what is saved; ``low`` and ``high`` are shares, ``ticks`` those that are labelled."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, share: float) -> float:
        """Return where a share stands, in per cent of the width; beyond the ends it stands at an end.

        Examples
        --------
        >>> Scale(-0.5, 0.5, (0.0,)).at(0.25), Scale(-0.5, 0.5, (0.0,)).at(-3.0)
        (75.0, 0.0)
        """
        inside = min(max(share, self.low), self.high)
        return round(100 * (inside - self.low) / (self.high - self.low), 2)


@dataclass(frozen=True, slots=True)
class RequestSaid:
    """A request as it is named in every list: ``document`` is its path in the workload."""

    id: str
    question: str
    document: str
    scenario: str
    route: str
    route_name: str
    why: str
    """Why it takes this route, in one sentence."""


@dataclass(frozen=True, slots=True)
class BlockLost:
    """A block with evidence that was not seen.

    Attributes
    ----------
    block_id, page, tokens : int
        The page is 1-based.
    priority, line : str
        With as many decimals as tell them apart; the line is "" where none was drawn.
    why : str
        One plain sentence.
    """

    block_id: int
    page: int
    tokens: int
    priority: str
    line: str
    why: str


@dataclass(frozen=True, slots=True)
class PieceSaid:
    """A piece of evidence.

    Attributes
    ----------
    quote : str
        Verbatim, as the workload gives it, else the text of its first block.
    page : int
        On which it stands, 1-based.
    kept : bool
        Whether it was seen on the sparse path.
    blocks : tuple of int
        That hold it.
    missing : tuple of BlockLost
        Those that were not seen; empty where it was kept.
    """

    quote: str
    page: int
    kept: bool
    blocks: tuple[int, ...]
    missing: tuple[BlockLost, ...] = ()


@dataclass(frozen=True, slots=True)
class LostRequest:
    """A request that lost evidence.

    Attributes
    ----------
    request : RequestSaid
    loss : float
        Share of its quality that the sparse path loses, in [0, 1].
    words : str
        What was lost, in one or two sentences.
    chance : str
        With which chance, where the request is advisory; else "".
    pieces : tuple of PieceSaid
        Those that were lost; empty where they cannot be shown.
    tokens, tokens_down : int
        That the lost blocks hold, and that all unseen blocks hold which have at least the priority of the lowest one.
    cost : str
        Both in words.
    unshown : str
        Why no piece is shown; "" where they are.
    """

    request: RequestSaid
    loss: float
    words: str
    chance: str
    pieces: tuple[PieceSaid, ...]
    tokens: int = 0
    tokens_down: int = 0
    cost: str = ""
    unshown: str = ""


@dataclass(frozen=True, slots=True)
class NotJudged:
    """A request of which nothing, or not all, can be said: what is missing, and why; the reasons are in English."""

    id: str
    question: str
    document: str
    words: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoteSaid:
    """What must be known of the figures; a verbatim one is in English, whatever the language of the report."""

    text: str
    is_verbatim: bool = False


@dataclass(frozen=True, slots=True)
class OtherRequest:
    """A request with what the other path would have done.

    Attributes
    ----------
    request : RequestSaid
    tokens_whole, tokens_sparse : int
        Of the two paths.
    loss : float
        Of the sparse path.
    words : str
        What the other path would have saved, cost or lost, in one sentence.
    """

    request: RequestSaid
    tokens_whole: int
    tokens_sparse: int
    loss: float
    words: str


@dataclass(frozen=True, slots=True)
class OtherRequests:
    """Requests that have something in common: a title, a sentence with their sum, and each of them."""

    key: str
    title: str
    words: str
    requests: tuple[OtherRequest, ...]


@dataclass(frozen=True, slots=True)
class StoryCase:
    """A request that is shown in full.

    Attributes
    ----------
    kind : str
        "best", "worst" or "typical"; the key of its reading, too.
    title, why_chosen : str
    request : RequestSaid
    verdict : str
        What it saved and what it lost, in one sentence.
    note : str
        Where the reading that is shown is not all that the agent saw; else "".
    pieces : tuple of PieceSaid
        All of its evidence.
    reading : ReadingContents
    """

    kind: str
    title: str
    why_chosen: str
    request: RequestSaid
    verdict: str
    note: str
    pieces: tuple[PieceSaid, ...]
    reading: ReadingContents


@dataclass(frozen=True, slots=True)
class StoryContents:
    """The whole story of a workload under a gate profile.

    Attributes
    ----------
    title, language : str
    workload, profile : str
        Their names.
    requests : int
        All that have an outcome, those that are not judged too.
    evident : int
        Those of them that are judged and on which a loss would be seen.
    quality : str
        What is lost: the words for "evidence", or for "quality" where a model's answers were graded.
    headline : str
        One sentence with the figures and their intervals.
    told, told_loss : tuple of str
        What has to be known of these figures: where they hold; and what a loss is.
    figures : tuple of FiguresSaid
        The headline's first.
    shipped : FiguresSaid
        Of the profile's own rule on all judged requests, to which cases, lists and routes belong.
    told_shipped : tuple of str
        What that rule does: what was lost, how it routes, what is not judged.
    tokens_whole, tokens_read : int
        A request, on average, by the figures of the headline.
    scenarios, types : tuple of GroupSaid
        Sorted by what is saved, the most first.
    groups_basis, groups_sample : str
        Which requests those are, in a sentence, and where their figures hold, in words.
    cases : tuple of StoryCase
    cases_missing : tuple of str
        Why a case is not there, a sentence each.
    lost : tuple of LostRequest
        Every one, the greatest loss first.
    lost_words : str
        How many these are, of how many.
    not_judged, not_read : tuple of NotJudged
        Whose loss nobody can tell, and whose document could not be read again for the report.
    left_alone : tuple of OtherRequests
        Native requests that sparse reading would have harmed or not helped, by what held them.
    missed, costlier : OtherRequests
        Native ones that sparse reading would have helped, and sparse ones that cost more than reading all.
    notes : tuple of NoteSaid
    pictures : dict of str to str
        Key -> data URI.
    fingerprints : tuple of Fingerprint
    made : str
    """

    title: str
    language: str
    workload: str
    profile: str
    requests: int
    evident: int
    quality: str
    headline: str
    told: tuple[str, ...]
    told_loss: tuple[str, ...]
    figures: tuple[FiguresSaid, ...]
    shipped: FiguresSaid
    told_shipped: tuple[str, ...]
    tokens_whole: int
    tokens_read: int
    scenarios: tuple[GroupSaid, ...]
    types: tuple[GroupSaid, ...]
    groups_basis: str
    groups_sample: str
    cases: tuple[StoryCase, ...]
    cases_missing: tuple[str, ...]
    lost: tuple[LostRequest, ...]
    lost_words: str
    not_judged: tuple[NotJudged, ...]
    not_read: tuple[NotJudged, ...]
    left_alone: tuple[OtherRequests, ...]
    missed: OtherRequests
    costlier: OtherRequests
    notes: tuple[NoteSaid, ...] = ()
    pictures: dict[str, str] = field(default_factory=dict)
    fingerprints: tuple[Fingerprint, ...] = ()
    made: str = ""

    @property
    def alone(self) -> int:
        """How many requests are in ``left_alone``."""
        return sum(len(group.requests) for group in self.left_alone)

    @property
    def is_quoted(self) -> bool:
        """Whether sentences are quoted that are in English, whatever the language of the story."""
        told = (*self.not_judged, *self.not_read)
        return any(note.is_verbatim for note in self.notes) or any(one.reasons for one in told)
