"""Reads documents for questions: relevance x structure, a cut, and perhaps a budget."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ..caching import key_of
from ..documents import Document
from ..errors import InvalidOption, MissingDependency, MissingModel
from ..relevance.questions import checked_question
from ..relevance.scores import RelevanceScores, Scale, Scope, Scorer
from .basis import Basis, checked_scores
from .cuts import (
    MIN_TOKENS,
    SEED_THRESHOLD,
    TOKEN_SHARE,
    Cut,
    Threshold,
    TokenShare,
    checked_budget,
    checked_offsets,
    chosen_cut,
)
from .feedback import Feedback, feedback_of
from .reading import Reading, reading_of
from .tokenizers import block_tokens, tokenizer_of

if TYPE_CHECKING:
    from ..gate.profile import GateProfile
    from ..relevance.calibrated import Calibration
    from ..relevance.classifier import Classifier
    from ..structure import RuleBook, RuleTable, StructureWeights
    from .profile_used import ProfileUsed
    from .sessions import Session


class _Auto(Enum):
    AUTO = "the embedded model, or structure first where it is missing"


AUTO: Final = _Auto.AUTO
STRUCTURE_FIRST = "Structure first: there is no semantic model, so words and rules alone decide what is kept."


class SparseReader:
    """Admits the blocks of a document that a question needs, and says why.

    Parameters
    ----------
    scorer : Scorer or None, optional
        What scores the blocks; a class of your own with the methods of ``Scorer`` will do. By default the embedded
        model and words; None is structure-first mode, with words and rules alone.
    classifier : Classifier, str or pathlib.Path, optional
        A trained classifier as the second stage, or its folder. Its encoder, its combination and its calibration are
        used with it, so there is no other scorer beside it.
    rules : RuleBook, RuleTable, str or pathlib.Path, optional
        A rule table for every document, the name or file of one, or a table for each type of document. By default each
        document has the shipped one of its type.
    threshold : float or Threshold, optional
        Cut for calibrated relevance; 0.65 by default.
    token_share : float
        Share of a document's tokens that is kept where the relevance is uncalibrated.
    min_tokens : int
        Tokens that are kept there however small the share is.
    offsets : mapping of str to float, optional
        What a document type adds to a threshold on calibrated relevance, at most ±0.08.
    calibration : Calibration, optional
        Makes the scores of this scorer probabilities.
    tokenizer : str, pathlib.Path or object, optional
        What counts tokens: "o200k_base", or the folder, name or object of a transformers tokenizer.
    feedback : Feedback, str or pathlib.Path, optional
        What people say of blocks, or the JSONL file that it is kept in. By default it is kept in memory.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range.
    InvalidRules
        If the rule table has a mistake.
    MissingModel, MissingDependency
        If the tokenizer or the classifier is not there.
    StaleClassifier
        If the classifier is not what was exported.

    Examples
    --------
    >>> import workbench as wb
    >>> reader = wb.SparseReader()  # doctest: +SKIP
    >>> reading = reader.read(wb.open_document("manual.pdf"), "What triggers a backup?")  # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        scorer: Scorer | Literal[_Auto.AUTO] | None = AUTO,
        classifier: Classifier | str | Path | None = None,
        rules: RuleBook | RuleTable | str | Path | None = None,
        threshold: float | Threshold | None = None,
        token_share: float = TOKEN_SHARE,
        min_tokens: int = MIN_TOKENS,
        offsets: Mapping[str, float] | None = None,
        calibration: Calibration | None = None,
        tokenizer: Any = None,
        feedback: Feedback | str | Path | None = None,
    ) -> None:
        self.threshold = threshold if threshold is None or isinstance(threshold, Threshold) else Threshold(threshold)
        self.share = TokenShare(token_share, min_tokens)
        self.offsets = checked_offsets(offsets)
        remarks: tuple[str, ...] = ()
        if classifier is not None:
            from .classifiers import scorer_with

            scorer, calibration, remarks = scorer_with(classifier, scorer, calibration)
        self.calibration = calibration
        self.tokenizer = tokenizer_of(tokenizer)
        self.feedback = feedback_of(feedback)
        self.rules = _book_of(rules)
        _check_scorer(scorer)
        self._chosen = scorer
        self._scorer: Scorer | None = None
        self._remarks = remarks
        self.profile: ProfileUsed | None = None
        self._tokens: WeakKeyDictionary[Document, npt.NDArray[np.int64]] = WeakKeyDictionary()

    @classmethod
    def from_profile(cls, profile: GateProfile | str | Path, **others: Any) -> SparseReader:
        """Return the reader that a gate profile was calibrated with.

        Parameters
        ----------
        profile : GateProfile, str or pathlib.Path
            A profile, or the file of one.
        **others
            ``scorer``, ``classifier``, ``rules`` and ``tokenizer`` of your own, which must be those of the profile;
            ``feedback``.

        Raises
        ------
        FileMissing, InvalidProfile
            If there is no such profile.
        StaleProfile
            If the model, the rules or the tokenizer is another one; the message names each difference.
        MissingModel, MissingDependency
            If the model that it names is not there.
        InvalidOption
            If something else is given that the profile decides.
        """
        from .profiles import arguments_of

        arguments, used = arguments_of(profile, others)
        reader = cls(**arguments)
        reader.profile = used
        return reader

    @property
    def rule_book(self) -> RuleBook:
        """The rule table for each type of document."""
        if self.rules is not None:
            return self.rules
        from ..structure import RuleBook

        return RuleBook.shipped()

    @property
    def scorer(self) -> Scorer:
        """What scores the blocks; the embedded model is loaded when first asked for."""
        if self._scorer is None:
            self._scorer, remarks = _scorer_of(self._chosen)
            self._remarks += remarks
        return self._scorer

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        """Do what is needed once a document, so that its first question is quick."""
        document = _checked_document(document)
        self.scorer.prepare(document, progress=progress)
        self._weigh(document, progress=progress)
        self._tokens_of(document)

    def read(
        self,
        document: Document,
        question: str,
        *,
        session: Session | None = None,
        budget_tokens: int | None = None,
        threshold: float | Threshold | None = None,
        token_share: float | TokenShare | None = None,
        scope: Scope | str | None = None,
        progress: bool | None = None,
    ) -> Reading:
        """Decide which blocks of a document a question needs.

        Parameters
        ----------
        document : Document
        question : str
            At most 10,000 characters.
        session : Session, optional
            A dialogue: a follow-up keeps only the sentences that it is about.
        budget_tokens : int, optional
            Most tokens of the reading's ``kept_text``.
        threshold : float or Threshold, optional
            Cut of this reading. A number is meant for calibrated relevance; see ``Threshold``.
        token_share : float or TokenShare, optional
            Keep the best blocks up to this share of the tokens instead.
        scope : Scope or str, optional
            How much of the document the question is about: point, several, aggregate or whole.
        progress : bool, optional
            Whether to show progress of what takes over a second; by default in terminals and notebooks.

        Returns
        -------
        Reading
            An empty one if nothing is relevant, or the document has no text: see ``is_empty`` and ``notes``.

        Raises
        ------
        InvalidQuestion
            If the question is empty or too long.
        InvalidOption
            For a value of the wrong type or outside its range.
        ScaleMismatch
            If a threshold is meant for calibrated relevance, and there is none.
        StaleCalibration
            If the calibration was fitted on another scorer's scores.
        """
        document, asked = _checked_document(document), checked_question(question)
        budget = checked_budget(budget_tokens)
        cut = chosen_cut(threshold, token_share, min_tokens=self.share.min_tokens)
        about = _checked_scope(scope)

        def fresh(*, scores: RelevanceScores | None = None) -> Reading:
            basis = self.basis(document, asked, scope=about, scores=scores, progress=progress)
            chosen, remark = self.cut_on(basis.scored.scale, cut)
            return reading_of(basis.remarked(remark) if remark else basis, chosen, budget)

        if session is None:
            return fresh()
        from .followups import read_with_session

        return read_with_session(
            document,
            asked,
            session,
            fresh=fresh,
            score=lambda text: self._scores(document, text, scope=about, progress=progress),
            vector=self.scorer.question_vector,
            options=self._key(document, asked, cut=cut, budget=budget, scope=about),
        )

    def basis(
        self,
        document: Document,
        question: str,
        *,
        scope: Scope | None = None,
        scores: RelevanceScores | None = None,
        progress: bool | None = None,
    ) -> Basis:
        """Return what a reading is decided from; ``scores`` are those of the scorer unless they are given."""
        if scores is None:
            scores = self._scores(document, question, scope=scope, progress=progress)
        return Basis(
            document=document,
            question=question,
            scope=scope,
            scored=checked_scores(scores, document),
            structure=self._weigh(document, progress=progress),
            scorer=self.scorer,
            tokenizer=self.tokenizer,
            tokens=self._tokens_of(document),
            offset=self.offsets.get(document.document_type.value, 0.0),
            feedback=self.feedback.voices(document, question),
            remarks=self._remarks,
            profile=self.profile,
        )

    def cut_on(self, scale: Scale, asked: Cut | None = None) -> tuple[Cut, str]:
        """Return the cut on scores of a scale, and what must be said of it ("" for nothing).

        It is what was asked for, else what the reader has for that scale.
        """
        if asked is not None:
            return asked, ""
        if scale is Scale.CALIBRATED:
            return self.threshold or Threshold(SEED_THRESHOLD), ""
        if self.threshold is None or self.threshold.scale is Scale.UNCALIBRATED:
            return self.threshold or self.share, ""
        if self.calibration is None:
            # The scale check of the decision says what is wrong with it, and what to do.
            return self.threshold, ""
        return self.share, f"The {self.threshold} needs calibrated relevance, which this type of document has not got."

    def _scores(
        self, document: Document, question: str, *, scope: Scope | None, progress: bool | None
    ) -> RelevanceScores:
        """Score every block, and make probabilities of the scores where there is a calibration."""
        scores = checked_scores(self.scorer.score(document, question, scope=scope, progress=progress), document)
        if self.calibration is not None and scores.scale is Scale.UNCALIBRATED:
            return self.calibration.apply(scores, document.document_type.value)
        return scores

    def _key(
        self, document: Document, question: str, *, cut: Cut | None, budget: int | None, scope: Scope | None
    ) -> str:
        """Return the hash of all that decides a reading besides the document and the question."""
        voices = self.feedback.voices(document, question)
        return key_of(
            self.scorer.fingerprint,
            None if self.calibration is None else self.calibration.fingerprint,
            self._weigh(document, progress=False).sha256,
            [repr(found) for found in (cut, self.threshold, self.share)],
            self.offsets,
            self.tokenizer.name,
            budget,
            scope,
            [[block, voice.factor] for block, voice in voices.items()],
        )

    def _weigh(self, document: Document, *, progress: bool | None) -> StructureWeights:
        from ..structure import match_rules, rules_for

        table = self.rules.table_for(document) if self.rules is not None else rules_for(document)
        return match_rules(document, table, progress=progress).weigh(table)

    def _tokens_of(self, document: Document) -> npt.NDArray[np.int64]:
        found = self._tokens.get(document)
        if found is None:
            found = self._tokens[document] = block_tokens(document, self.tokenizer)
            found.flags.writeable = False
        return found

    def __repr__(self) -> str:
        if self._chosen is None:
            scorer = "structure first"
        else:
            scorer = "automatic" if self._chosen is AUTO else type(self._chosen).__name__
        tables = {table.name for table in self.rules.tables.values()} if self.rules is not None else set()
        table = repr(tables.pop()) if len(tables) == 1 else "by document type"
        return f"SparseReader(scorer: {scorer}, rules: {table}, tokenizer: {self.tokenizer.name})"


def _scorer_of(chosen: Scorer | Literal[_Auto.AUTO] | None) -> tuple[Scorer, tuple[str, ...]]:
    """Return the scorer, and what must be said of it."""
    if chosen is not None and chosen is not AUTO:
        return chosen, ()
    from ..relevance.hybrid import HybridScorer

    if chosen is None:
        return HybridScorer(encoder=None), (STRUCTURE_FIRST,)
    from ..relevance.encoders import default_encoder

    try:
        return HybridScorer(encoder=default_encoder()), ()
    except (MissingModel, MissingDependency) as error:
        return HybridScorer(encoder=None), (STRUCTURE_FIRST, str(error))


def _check_scorer(scorer: Any) -> None:
    lacking = [name for name in ("fingerprint", "prepare", "question_vector", "score") if not hasattr(scorer, name)]
    if scorer is not None and scorer is not AUTO and lacking:
        raise InvalidOption(
            f"scorer is of type {type(scorer).__name__}, which has no {', '.join(lacking)}; give an object with the "
            "methods of Scorer, or None for words and rules alone."
        )


def _book_of(rules: RuleBook | RuleTable | str | Path | None) -> RuleBook | None:
    if rules is None:
        return None
    from ..structure import rule_book_of

    return rule_book_of(rules)


def _checked_document(document: Document) -> Document:
    if not isinstance(document, Document):
        raise InvalidOption(
            f"A reading needs a Document, not {type(document).__name__}; open a file with open_document first."
        )
    return document


def _checked_scope(scope: Scope | str | None) -> Scope | None:
    try:
        return None if scope is None else Scope(scope)
    except ValueError as error:
        raise InvalidOption(f"scope is {scope!r:.60}; choose from {', '.join(Scope)}.") from error
