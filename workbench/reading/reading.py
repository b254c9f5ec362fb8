"""A reading: what was kept and skipped of one document for one question, and why."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..documents.blocks import KINDS
from ..documents.surrogates import without_surrogates
from ..printing import counted, printable, shortened
from .audit import Audit, audit_of
from .basis import Basis
from .cuts import Cut, Threshold, TokenShare, checked_budget
from .deciding import decide, rendered
from .decision import Bound, Decision, Focus
from .explanation import Explanation, explain
from .notes import decision_notes
from .reasons import reasons_of
from .rendering import KeptPiece, Rendering
from .saving import Saving
from .selection import Codes, Priority, Status
from .skipped import Skipped, skipped_of

if TYPE_CHECKING:
    import pandas as pd

    from .. import GateProfile, PriceTable, Report
    from ..documents import Document
    from ..relevance.scores import RelevanceScores, Scope
    from ..structure import RuleTable, StructureWeights
    from .feedback import Feedback


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """The outcome for one document and one question; made by ``SparseReader.read``.

    It never changes. ``with_threshold``, ``with_token_share``, ``with_rules``, ``with_budget`` and ``with_feedback``
    decide again from the same scores and return another reading.

    Attributes
    ----------
    basis : Basis
        What it was decided from.
    cut : Threshold or TokenShare
        Where the line was drawn.
    budget_tokens : int or None
        Most tokens of ``kept_text``, in ``saving.tokenizer``.
    decision : Decision
        Status, reason and margin of every block, as arrays.
    """

    basis: Basis
    cut: Cut
    budget_tokens: int | None
    decision: Decision

    @property
    def document(self) -> Document:
        """What was read."""
        return self.basis.document

    @property
    def question(self) -> str:
        """What was asked."""
        return self.basis.question

    @property
    def scope(self) -> Scope | None:
        """How much of the document the question was said to be about."""
        return self.basis.scope

    @property
    def scores(self) -> RelevanceScores:
        """Relevance of every block, feedback included."""
        return self.basis.scores

    @property
    def structure(self) -> StructureWeights:
        """What the rules say about every block."""
        return self.basis.structure

    @property
    def priority(self) -> Priority:
        """Relevance x structure weight, float64, shape (n,)."""
        return self.basis.priority

    @property
    def threshold(self) -> float | None:
        """θ without the offset; under a token share the lowest priority kept, None if nothing was."""
        return self.decision.threshold

    @property
    def offset(self) -> float:
        """What the document's type adds to the threshold; 0 on uncalibrated scores."""
        return self.decision.offset

    @property
    def margin(self) -> npt.NDArray[np.float64]:
        """Priority - (threshold + offset), float64, shape (n,); nan without a threshold."""
        return self.decision.margin

    @property
    def status(self) -> Codes:
        """Codes of ``Status``, uint8, shape (n,)."""
        return self.decision.status

    @property
    def bound(self) -> Bound:
        """What ended the keeping: "threshold", "token share", "budget", or in a follow-up "focus"."""
        return self.decision.bound

    @property
    def focus(self) -> Focus | None:
        """Block id -> ranges of its text that are kept, for a follow-up; None on a first turn."""
        return self.decision.focus

    @property
    def kept_ids(self) -> tuple[int, ...]:
        """Ids of the blocks kept by their priority or by a pin, in the order of the document."""
        return _ids((self.status == Status.KEPT) | (self.status == Status.PINNED))

    @property
    def context_ids(self) -> tuple[int, ...]:
        """Ids of the blocks that kept ones need to make sense, in the order of the document."""
        return _ids(self.status == Status.CONTEXT)

    @property
    def pinned_ids(self) -> tuple[int, ...]:
        """Ids of the blocks kept by a pin, in the order of the document."""
        return _ids(self.status == Status.PINNED)

    @property
    def is_empty(self) -> bool:
        """Whether no block was kept at all."""
        return not self.decision.kept.any()

    @property
    def best_score(self) -> float:
        """The highest relevance of any block; 0.0 for a document without blocks."""
        return float(self.scores.relevance.max()) if len(self.scores) else 0.0

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What must be known of this reading, a sentence each."""
        notes = decision_notes(self.basis, self.cut, self.decision, self.budget_tokens)
        if self.budget_tokens is not None and not self.kept_text:
            notes.append(
                f"The budget of {counted(self.budget_tokens, 'token')} has no room even for the coverage line: "
                "the kept text is empty."
            )
        return (*notes, *self.basis.notes)

    @cached_property
    def rendering(self) -> Rendering:
        """The kept text with the place of every piece in it."""
        return rendered(self.basis, self.decision, self.budget_tokens)

    @property
    def kept_text(self) -> str:
        """What a model would see: one line of coverage, then the kept blocks in reading order, with anchors.

        A run of blocks of one page stands below its anchor, ``[p12 #345-349]``; "…" stands where blocks were skipped.
        Rows of a table are a line each, other blocks are apart. Every piece is verbatim; see ``pieces``.
        """
        return self.rendering.text

    @property
    def pieces(self) -> tuple[KeptPiece, ...]:
        """(block_id, start, end) of every slice of a block's text that is in ``kept_text``, in its order."""
        return self.rendering.pieces

    @cached_property
    def saving(self) -> Saving:
        """Tokens kept, total, and as rendered."""
        kept, total = int(self.decision.costs[self.decision.kept].sum()), int(self.decision.tokens.sum())
        return Saving(
            tokens_kept=kept,
            tokens_total=total,
            share_skipped=1 - kept / total if total else 0.0,
            rendered_tokens=int(self.basis.tokenizer.count([self.kept_text])[0]),
            budget_tokens=self.budget_tokens,
            tokenizer=self.basis.tokenizer.name,
        )

    @cached_property
    def skipped(self) -> Skipped:
        """What was skipped, by section."""
        return skipped_of(self.basis, self.decision)

    def explain(self, block_id: int) -> Explanation:
        """Return the whole calculation behind one block.

        Raises
        ------
        AnchorMismatch
            If the document has no such block.
        """
        return explain(self.basis, self.cut, self.decision, block_id)

    def audit(self) -> Audit:
        """Return every block with all numbers and the fingerprints of what they were made with."""
        return audit_of(self.basis, self.cut, self.decision, budget_tokens=self.budget_tokens, notes=self.notes)

    def report(
        self,
        path: str | Path | None = None,
        *,
        language: str = "en",
        title: str | None = None,
        profile: GateProfile | str | Path | None = None,
        prices: PriceTable | None = None,
        pictures: bool = True,
    ) -> Report:
        """Make a report for people who open no notebook: one HTML file that loads nothing; write it if a path is given.

        The arguments, and what is raised, are those of ``report_on``, which takes several readings and more.

        Examples
        --------
        >>> reading.report("report.html", language="zh")  # doctest: +SKIP
        """
        # Reports lie above readings, which know of them only what everybody does: the public face of the package.
        from .. import report_on

        made = report_on(self, language=language, title=title, profile=profile, prices=prices, pictures=pictures)
        if path is not None:
            made.save(path)
        return made

    def with_cut(self, cut: Cut) -> Reading:
        """Decide again with another cut.

        Raises
        ------
        ScaleMismatch
            If a threshold is meant for another scale than the scores have.
        """
        return reading_of(self.basis, cut, self.budget_tokens, self.focus)

    def with_threshold(self, threshold: float | Threshold) -> Reading:
        """Decide again with another threshold.

        Parameters
        ----------
        threshold : float or Threshold
            A number is meant for calibrated relevance. On uncalibrated scores say that you mean it:
            ``Threshold(0.3, scale=Scale.UNCALIBRATED)``.

        Raises
        ------
        ScaleMismatch
            If it is meant for another scale than the scores have.
        InvalidOption
            For a number outside 0 to 1.
        """
        return self.with_cut(threshold if isinstance(threshold, Threshold) else Threshold(threshold))

    def with_token_share(self, share: float | TokenShare) -> Reading:
        """Decide again with a share of the tokens; a number keeps the least tokens of the cut before.

        Raises
        ------
        InvalidOption
            For a share outside 0 to 1.
        """
        if isinstance(share, TokenShare):
            return self.with_cut(share)
        least = self.cut if isinstance(self.cut, TokenShare) else TokenShare()
        return self.with_cut(replace(least, share=share))

    def with_budget(self, budget_tokens: int | None) -> Reading:
        """Decide again with another budget, or with None for none.

        Raises
        ------
        InvalidOption
            For what is no whole number of at least 1.
        """
        return reading_of(self.basis, self.cut, checked_budget(budget_tokens), self.focus)

    def with_rules(self, table: RuleTable) -> Reading:
        """Weigh with another rule table and decide again."""
        from ..structure import match_rules

        structure = match_rules(self.document, table).weigh(table)
        return reading_of(self.basis.weighed(structure), self.cut, self.budget_tokens, self.focus)

    def with_feedback(self, feedback: Feedback) -> Reading:
        """Decide again with what people have said of blocks since."""
        voices = feedback.voices(self.document, self.question)
        return reading_of(self.basis.heard(voices), self.cut, self.budget_tokens, self.focus)

    def with_focus(self, focus: Mapping[int, tuple[tuple[int, int], ...]] | None) -> Reading:
        """Keep only ranges of some blocks, with the headings above them: what a follow-up question needs.

        Parameters
        ----------
        focus : mapping of int to tuple of (int, int), or None
            Block id -> rising ranges (start, end) of the block's text, in code points. None decides by the cut again.

        Raises
        ------
        AnchorMismatch
            If the document has no such block.
        InvalidOption
            If ranges overlap or are none of the block's text.
        """
        return reading_of(self.basis, self.cut, self.budget_tokens, focus)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a block in the order of the document.

        Returns
        -------
        DataFrame
            Columns block_id, page (1-based), kind, text, tokens, relevance (0-1), weight, priority, margin (nan without
            a threshold), kept (bool; context and pinned blocks are kept), reason. Of a block in focus, text and tokens
            are those of its ranges, joined by " … ".
        """
        import pandas as pd

        columns = self.document.columns
        texts = list(map(without_surrogates, self.document.texts))
        for block, ranges in (self.focus or {}).items():
            whole = self.document.texts[block]
            texts[block] = without_surrogates(" … ".join(whole[start:end] for start, end in ranges))
        return pd.DataFrame(
            {
                "block_id": np.arange(len(columns)),
                "page": columns.home_page.astype(np.int64) + 1,
                "kind": [KINDS[code].value for code in columns.kind.tolist()],
                "text": texts,
                "tokens": self.decision.costs,
                "relevance": self.scores.relevance,
                "weight": self.structure.weights,
                "priority": self.priority,
                "margin": self.margin,
                "kept": self.decision.kept,
                "reason": reasons_of(self.basis, self.decision),
            }
        )

    def __len__(self) -> int:
        return len(self.document)

    def __bool__(self) -> bool:
        """A reading of an empty document is a reading all the same."""
        return True

    def _summary(self) -> tuple[str, str]:
        kept, total = int(self.decision.kept.sum()), len(self)
        tokens = int(self.decision.costs[self.decision.kept].sum())
        share = 1 - tokens / max(1, int(self.decision.tokens.sum()))
        return f"{kept:,} of {total:,} blocks kept", f"{100 * share:.0f} % of the tokens skipped"

    def __repr__(self) -> str:
        blocks, tokens = self._summary()
        question = shortened(self.question, 40)
        return f"Reading({self.document.name!r}, {question!r}, {blocks}, {tokens}, bound: {self.bound.value})"

    def _repr_html_(self) -> str:
        blocks, tokens = self._summary()
        rows = [
            ("question", shortened(self.question, 200)),
            ("kept", f"{blocks}, {tokens}"),
            ("cut", f"{self.cut}; bound: {self.bound.value}"),
            *(("note", printable(note)) for note in self.notes),
        ]
        body = "".join(
            f"<tr><th style='text-align:left'>{html.escape(key)}</th>"
            f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
            for key, value in rows
        )
        caption = f"<caption style='text-align:left'><b>{html.escape(printable(self.document.name))}</b></caption>"
        # Without these classes a notebook turns "$5 to $9" into a formula.
        return without_surrogates(f"<table class='mathjax_ignore tex2jax_ignore'>{caption}{body}</table>")


def reading_of(basis: Basis, cut: Cut, budget_tokens: int | None = None, focus: Focus | None = None) -> Reading:
    """Decide, and return the reading."""
    return Reading(basis, cut, budget_tokens, decide(basis, cut, budget_tokens=budget_tokens, focus=focus))


def _ids(mask: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(mask).tolist())
