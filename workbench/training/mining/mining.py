"""Mining hard negatives of questions, document by document."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ...documents.progress import showing
from ...errors import InvalidOption, TrainingRefused
from ...printing import counted
from ...workload.replay.scores import remembering
from ..question import Question, Questions
from .candidates import Candidates, Ground, Voices, second_stage_of
from .mined import Borderline, CopyOfEvidence, HardNegative, Mined
from .options import MiningOptions
from .report import ANY_WAY, Fate, MiningReport
from .unanswered import unanswered

if TYPE_CHECKING:
    from ...relevance.scores import Scorer


def mine_hard_negatives(
    questions: Questions | Iterable[Question],
    *,
    scorer: Scorer | None = None,
    options: MiningOptions | None = None,
    progress: bool | None = None,
) -> Mined:
    """Return blocks that look like evidence and are none, for every question.

    For each positive, every way takes its candidates among the other blocks of the document. Left out are evidence in
    any of its places, near-copies of it, headings and headers above it, running lines, what is labelled unsure, and
    what may be evidence that nobody marked: blocks that hold the answer, and those that score as high as the positive.
    The last two are left to a person.

    Parameters
    ----------
    questions : Questions or iterable of Question
        To train on, split from those to judge by before: negatives come from other documents of these as well.
    scorer : Scorer, optional
        Whose scores decide what looks like evidence; that of ``SparseReader()`` by default. They are remembered.
    options : MiningOptions, optional
    progress : bool, optional
        Whether progress is shown; None where somebody looks.

    Returns
    -------
    Mined

    Raises
    ------
    TrainingRefused
        Without a question that has evidence.
    InvalidOption
        If the only way is one for which the scorer has nothing.

    Examples
    --------
    >>> import workbench as wb
    >>> from workbench.relevance import HybridScorer
    >>> from workbench.training.questions import questions_of
    >>> asked = questions_of(wb.load_workload("datasets/dev").of_documents(["artifacts/grid-courseware.html"]))
    >>> mine_hard_negatives(asked, scorer=HybridScorer(encoder=None)).report.questions == len(asked)
    True
    """
    asked = questions if isinstance(questions, Questions) else Questions(tuple(questions))
    chosen = options or MiningOptions()
    with_evidence = [one for one in asked if one.pieces]
    if not with_evidence:
        raise TrainingRefused(
            f"None of {counted(len(asked), 'question')} has evidence to mine beside; label blocks as evidence first."
        )
    scorer = remembering(scorer)
    if chosen.ways == ("classifier",) and second_stage_of(scorer) is None:
        raise InvalidOption("The only way is 'classifier', but the scorer has no second stage; add 'encoder' to ways.")
    work = _Work(chosen)
    with showing("Mining hard negatives", progress) as report:
        for rank, question in enumerate(sorted(with_evidence, key=_by_document(with_evidence))):
            report(rank, len(with_evidence))
            work.mine(question, scorer)
        elsewhere = unanswered(asked, scorer, chosen) if chosen.unanswered else {}
    return Mined(
        negatives={one.id: work.negatives.get(one.id, ()) for one in asked},
        borderline={one.id: work.borderline.get(one.id, ()) for one in asked},
        doubtful={one.id: work.doubtful.get(one.id, frozenset()) for one in asked},
        unanswered={one.id: elsewhere.get(one.id, ()) for one in asked},
        copies={one.id: work.copies.get(one.id, ()) for one in asked},
        report=work.report(len(with_evidence), sum(map(len, elsewhere.values()))),
        options=chosen,
        notes=(*_notes_on_ways(chosen, scorer), *work.shortages(len(with_evidence))),
    )


class _Work:
    """What is found, question by question; those on one document follow each other."""

    def __init__(self, options: MiningOptions) -> None:
        self._options = options
        self._ground: Ground | None = None
        self._fates: Counter[tuple[str, Fate]] = Counter()
        self._short: dict[str, list[str]] = defaultdict(list)
        self.negatives: dict[str, tuple[HardNegative, ...]] = {}
        self.borderline: dict[str, tuple[Borderline, ...]] = {}
        self.doubtful: dict[str, frozenset[int]] = {}
        self.copies: dict[str, tuple[CopyOfEvidence, ...]] = {}

    def mine(self, question: Question, scorer: Scorer) -> None:
        """Mine one question."""
        if self._ground is None or self._ground.document is not question.document:
            self._ground = Ground(question.document)
        candidates = Candidates(question, self._ground, Voices.of(scorer, question), self._options)
        fates = candidates.fates()
        self.negatives[question.id] = tuple(candidates.negatives(fates))
        self.borderline[question.id] = tuple(candidates.borderline(fates))
        self.doubtful[question.id] = candidates.doubtful(fates)
        self.copies[question.id] = tuple(candidates.copies())
        self._count(candidates, fates)
        self._look(question, candidates, fates)

    def _count(self, candidates: Candidates, fates: Mapping[int, Fate]) -> None:
        self._fates.update((ANY_WAY, fate) for fate in fates.values())
        for way, by_positive in candidates.found.items():
            self._fates.update((way, fates[block]) for block in {b for blocks in by_positive.values() for b in blocks})

    def _look(self, question: Question, candidates: Candidates, fates: Mapping[int, Fate]) -> None:
        """Note what was short for a question."""
        wanted = self._options.per_positive * len(question.positives)
        if not candidates.size:
            self._short["level"].append(question.id)
        if len(question.document) - 1 < self._options.per_positive:
            self._short["small"].append(question.id)
        if not self.negatives[question.id]:
            high = sum(fate is Fate.TOO_HIGH for fate in fates.values())
            self._short["none, high" if high else "none"].append(question.id)
        elif len(self.negatives[question.id]) < wanted:
            self._short["few"].append(question.id)

    def report(self, questions: int, elsewhere: int) -> MiningReport:
        """Return the counts."""
        queued = sum(map(len, self.borderline.values()))
        return MiningReport(dict(self._fates), self._options.ways, questions, queued, elsewhere)

    def shortages(self, questions: int) -> list[str]:
        """Return a sentence for everything that was short; each counts questions and names one."""
        options = self._options
        said = {
            "none, high": (
                "No hard negative for",
                ", because all that looks like evidence scores as high or nearly; lower margin (now "
                f"{options.margin:g}), or label the borderline blocks",
            ),
            "none": (
                "No hard negative for",
                f", because nothing that could be one looks like evidence; raise share (now {options.share:g})",
            ),
            "few": (
                f"Fewer than {counted(options.per_positive, 'hard negative')} a positive for",
                f"; raise share (now {options.share:g}), or lower margin (now {options.margin:g})",
            ),
            "small": (
                f"Fewer than {counted(options.per_positive, 'other block')} in the document of",
                ", so that per_positive cannot be reached",
            ),
            "level": (
                "Equal scores of all blocks for",
                ", so that no score tells evidence from the rest",
            ),
        }
        return [
            f"{what} {len(self._short[name]):,} of {counted(questions, 'question')} (first: "
            f"{self._short[name][0]!r}){why}."
            for name, (what, why) in said.items()
            if self._short[name]
        ]


def _notes_on_ways(options: MiningOptions, scorer: Scorer) -> list[str]:
    if "classifier" in options.ways and second_stage_of(scorer) is None:
        return ["The scorer has no second stage, so that the way 'classifier' found nothing; train one first."]
    return []


def _by_document(questions: Iterable[Question]) -> Callable[[Question], int]:
    first: dict[str, int] = {}
    for rank, question in enumerate(questions):
        first.setdefault(question.document_key, rank)
    return lambda question: first[question.document_key]
