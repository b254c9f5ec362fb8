"""The scorer: what a block says and what it means, fused, and looked at again by a second stage where there is one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ..caching import key_of
from .block_features import asked_features, block_features
from .combination import SECOND_STAGE
from .context import PassageOptions, passages
from .embeddings import embed_document
from .fusion import FusionOptions, block_parts, fused_units, standardised, summed
from .heard import EachUnit, Heard, Prepared, candidate_blocks, layout_of
from .lexical import LexicalIndex, LexicalOptions, TermMatch
from .model_languages import languages_of, reads, reads_question
from .pair_text import pair_texts
from .presence import EMBEDDED_MODEL, NOTHING_BELOW, asks_for_the_whole, presence_of
from .question_parts import question_parts
from .recurring import RECURRING, block_vectors, checked_recurring
from .scores import BELOW_BEST, RelevanceScores, Scale, Scope, uncalibrated
from .second_stage import (
    Look,
    candidates_of,
    checked_combination,
    checked_logits,
    checked_stage,
    checked_weight,
    reads_context,
)

if TYPE_CHECKING:
    from ..documents import Document
    from .combination import Combination
    from .encoders import Encoder
    from .recurring import RecurringQuestions
    from .second_stage import SecondStage

Floats = npt.NDArray[np.float32]

REMEMBERED_QUESTIONS = 256


class HybridScorer:
    """BM25 and a bi-encoder, fused per document.

    Parameters
    ----------
    encoder : Encoder or None
        None scores by words alone.
    second_stage : SecondStage, optional
        Looks again at the best candidates; with a weight of 0 it is not run.
    second_stage_weight : float
        Weight of its standardised score, where the cosine of the question has 1; a combination that was fitted with a
        second stage has a weight of its own.
    combination : Combination, optional
        Fitted weights of the parts, and what a block is whatever is asked. It weighs no scores that a scorer with a
        semantic model made by words alone: it was fitted with both.
    recurring : RecurringQuestions, optional
        What was learnt, on the vectors of this encoder, of questions that many documents are asked.
    candidates : int, optional
        Blocks that the second stage looks at; as it says itself, or 50.
    passage_options, lexical_options, fusion_options
        Every constant; all of them are part of the fingerprint.

    Raises
    ------
    InvalidOption
        If the second stage is called as a part of the logit is, or its weight is negative or no number; if the
        combination was fitted with a second stage or with recurring questions and there is none; for candidates that
        are no whole number.
    StaleClassifier
        If recurring questions were learnt on the vectors of another encoder.
    """

    def __init__(
        self,
        encoder: Encoder | None,
        *,
        second_stage: SecondStage | None = None,
        second_stage_weight: float = 1.0,
        combination: Combination | None = None,
        recurring: RecurringQuestions | None = None,
        candidates: int | None = None,
        passage_options: PassageOptions | None = None,
        lexical_options: LexicalOptions | None = None,
        fusion_options: FusionOptions | None = None,
    ) -> None:
        self.encoder = encoder
        self.second_stage = checked_stage(second_stage)
        self.second_stage_weight = checked_weight(second_stage_weight)
        self.recurring = checked_recurring(recurring, encoder)
        self.combination = checked_combination(combination, second_stage, recurring)
        self.candidates = candidates_of(second_stage, candidates)
        self.passage_options = passage_options or PassageOptions()
        self.lexical_options = lexical_options or LexicalOptions()
        self.fusion_options = fusion_options or FusionOptions()
        self._prepared: WeakKeyDictionary[Document, Prepared] = WeakKeyDictionary()
        self._vectors: OrderedDict[str, Floats] = OrderedDict()
        self._preparing, self._asking = threading.Lock(), threading.Lock()

    @property
    def fingerprint(self) -> str:
        """Hash of weights, options and constants."""
        stage = self.second_stage
        return key_of(
            "hybrid 1",
            (self.encoder.fingerprint, *sorted(languages_of(self.encoder) or ())) if self.encoder else None,
            (stage.fingerprint, self.second_stage_weight, self.candidates) if stage else None,
            self.passage_options.key(),
            self.lexical_options.key(),
            self.fusion_options.key(),
            # Added only where there is one, so that a scorer without keeps the fingerprint of saved profiles.
            *((self.combination.key(),) if self.combination is not None else ()),
            *((self.recurring.fingerprint,) if self.recurring is not None else ()),
        )

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        """Index and embed a document, from the cache where it was done before."""
        self._ready(document, progress)

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        """Score every block; uncalibrated, for only a map that was fitted makes it a probability.

        Parameters
        ----------
        document : Document
        question : str
        scope : Scope, optional
            Where evidence is in several places, what stands beside a good unit counts more.
        progress : bool, optional
            Whether progress is shown; None where somebody looks.
        """
        ready = self._ready(document, progress)
        heard = self._heard(ready, document, question, scope, looks=None)
        parts = self._weighed(heard, question, len(document))
        logits = summed(parts, len(document))
        share = np.where(ready.passages.has_unit, self._share_read(ready), np.float32(1.0)).astype(np.float32)
        # Where nothing is embedded there is no cosine, and the words decide.
        embedded = bool(heard.cosines) and len(ready.passages.units) > 0
        presence = presence_of(heard.cosines[0], heard.lexical, len(ready.index.asked(question))) if embedded else None
        return RelevanceScores(
            logits=logits,
            relevance=uncalibrated(logits),
            scale=Scale.UNCALIBRATED,
            parts=parts,
            share_read=share,
            scorer=self.fingerprint,
            notes=tuple(self._notes(document, ready, question, heard.lexical)),
            formula=f"sigmoid(logit - {logits.max():.4g} + {BELOW_BEST:g}), from the best logit" if len(logits) else "",
            words_alone=heard.words_alone,
            presence=presence,
            nothing_relevant=self._finds_nothing(presence, ready, question, heard.lexical, scope),
        )

    def heard(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> Heard:
        """Return what each voice says before a combination weighs it; what a combination is fitted on."""
        found = self._heard(self._ready(document, progress), document, question, scope, looks=True)
        return found if found.features else replace(found, features=block_features(document))

    def question_vector(self, question: str) -> Floats | None:
        """Return the question as a vector of length 1, or None without an encoder that reads its language."""
        if self.encoder is None or not reads_question(self.encoder, question):
            return None
        with self._asking:
            known = self._vectors.get(question)
            if known is None:
                known = self.encoder.encode([question], kind="question")[0]
                known.flags.writeable = False
                self._vectors[question] = known
                if len(self._vectors) > REMEMBERED_QUESTIONS:
                    self._vectors.popitem(last=False)
            return known

    def block_vectors(self, document: Document) -> tuple[npt.NDArray[np.intp], Floats]:
        """Return the blocks that are embedded, and a vector of each (``recurring.block_vectors``)."""
        ready = self._ready(document, None)
        if ready.embeddings is None:
            return np.zeros(0, np.intp), np.zeros((0, 0), np.float32)
        return block_vectors(ready.embeddings, ready.passages)

    def matched(self, document: Document, question: str, block_id: int) -> tuple[TermMatch, ...]:
        """Return the words of the question that a block has, with what each adds to its BM25."""
        return self._ready(document, None).index.matched(question, block_id)

    def _ready(self, document: Document, progress: bool | None) -> Prepared:
        found = self._prepared.get(document)
        if found is None:
            # Twice, so that nobody waits who asks a document that is ready while another one is embedded.
            with self._preparing:
                found = self._prepared.get(document)
                if found is None:
                    found = self._prepared[document] = self._made(document, progress)
        return found

    def _made(self, document: Document, progress: bool | None) -> Prepared:
        known = passages(document, self.passage_options)
        index = LexicalIndex.of(
            known.texts, document.language.value, context=known.context, options=self.lexical_options
        )
        embeddings = None
        if self.encoder is not None and reads(self.encoder, document):
            embeddings = embed_document(document, self.encoder, EachUnit(known.units), progress=progress)
        features = block_features(document) if self.combination is not None else {}
        return Prepared(known, index, layout_of(document, known), embeddings, features)

    def _cosines(self, ready: Prepared, question: str) -> list[Floats]:
        if ready.embeddings is None:
            return []
        vectors = [self.question_vector(text) for text in (question, *question_parts(question))]
        if vectors[0] is None:
            return []
        return [ready.embeddings.similarity(vector) for vector in vectors if vector is not None]

    def _share_read(self, ready: Prepared) -> Floats:
        if ready.embeddings is None:
            return np.ones(len(ready.passages), np.float32)
        return ready.passages.share_read(ready.embeddings.share_read)

    def _notes(self, document: Document, ready: Prepared, question: str, lexical: Floats) -> list[str]:
        notes = list(ready.embeddings.notes) if ready.embeddings is not None else []
        if self.encoder is not None and ready.embeddings is None:
            notes.append(
                f"{self.encoder.name} does not read the language of this document ({document.language.value}), "
                "so blocks are scored by words alone."
            )
        elif self.encoder is not None and not reads_question(self.encoder, question):
            notes.append(
                f"{self.encoder.name} does not read the language of the question, so only words that stand in the "
                "document as they are asked for can be found."
            )
        weighs = self._stage_weight(words_alone=False) > 0
        if self.second_stage is not None and weighs and not self._asks_stage(document, question):
            notes.append(
                f"{self.second_stage.name} does not read the language of this document or of the question, so it does "
                "not look again."
            )
        if len(lexical) and not lexical.any():
            missing = ", ".join(repr(term) for term in ready.index.unknown_terms(question)[:5])
            notes.append(f"No word of the question stands in this document{f' ({missing})' if missing else ''}.")
        return notes

    def _finds_nothing(
        self, presence: float | None, ready: Prepared, question: str, lexical: Floats, scope: Scope | None
    ) -> bool | None:
        if scope is Scope.WHOLE or asks_for_the_whole(question):
            return None
        if presence is None:
            return not lexical.any()
        if self.encoder is None or self.encoder.fingerprint != EMBEDDED_MODEL:
            return None
        return presence < NOTHING_BELOW and not _has_every_word(ready.index, question, lexical)

    def _heard(
        self, ready: Prepared, document: Document, question: str, scope: Scope | None, *, looks: bool | None
    ) -> Heard:
        """Return what is heard; ``looks`` says whether a second stage looks again, None where it has a weight."""
        lexical = ready.index.scores(question)
        of_units = np.zeros(len(ready.passages.units), np.float32)
        np.maximum.at(of_units, ready.passages.unit, lexical[ready.passages.block_of])
        cosines = self._cosines(ready, question)
        voices = fused_units(of_units, cosines, ready.layout, self.fusion_options, scope)
        own_words = np.float32(self.fusion_options.own_words) * standardised(lexical)
        parts = block_parts(ready.passages, voices, own_words)
        if self.recurring is not None:
            parts[RECURRING] = self._recurring_part(ready, document, question, with_meaning=bool(cosines))
        words_alone = self.encoder is not None and not cosines
        if looks is None:
            looks = self._stage_weight(words_alone=words_alone) > 0
        look = None
        if looks and self.second_stage is not None and self._asks_stage(document, question):
            # Candidates do not depend on a combination, so that one is fitted on what it will meet.
            look = self._second_look(question, document, summed(parts, len(document)))
        return Heard(parts, ready.features, look, lexical, cosines, words_alone)

    def _stage_weight(self, *, words_alone: bool) -> float:
        """Return what the second stage counts; where a combination has found it worth nothing, that holds anywhere."""
        if self.combination is None:
            return self.second_stage_weight
        fitted = self.combination.weights.get(SECOND_STAGE, self.second_stage_weight)
        return self.second_stage_weight if words_alone and fitted > 0 else fitted

    def _recurring_part(self, ready: Prepared, document: Document, question: str, *, with_meaning: bool) -> Floats:
        assert self.recurring is not None
        vector = self.question_vector(question) if with_meaning else None
        if vector is None or ready.embeddings is None:
            return np.zeros(len(document), np.float32)
        return self.recurring.part(vector, ready.embeddings, ready.passages, document=document.sha256)

    def _weighed(self, heard: Heard, question: str, count: int) -> dict[str, Floats]:
        """Return the parts of the logit."""
        stage = self.second_stage.name if self.second_stage is not None else ""
        if self.combination is None or heard.words_alone:
            added = {} if heard.look is None else {stage: heard.look.part(count, self.second_stage_weight)}
            return {**heard.parts, **added}
        return self.combination.combined(
            heard.parts,
            asked_features(question, heard.features),
            count,
            look=heard.look,
            stage=stage,
            stage_weight=self.second_stage_weight,
        )

    def _asks_stage(self, document: Document, question: str) -> bool:
        stage = self.second_stage
        return stage is None or (reads(stage, document) and reads_question(stage, question))

    def _second_look(self, question: str, document: Document, logits: Floats) -> Look:
        """Score the best candidates again."""
        assert self.second_stage is not None
        chosen = candidate_blocks(document.texts, logits, self.candidates)
        found, _ = self.second_stage.score(question, self._shown(document, chosen))
        return Look(chosen, checked_logits(found, self.second_stage, len(chosen)))

    def _shown(self, document: Document, blocks: npt.NDArray[np.intp]) -> list[str]:
        """Return what the second stage reads of some blocks."""
        if reads_context(self.second_stage):
            return pair_texts(document, blocks.tolist(), getattr(self.second_stage, "pair_text", None))
        return [document.texts[block] for block in blocks]


def _has_every_word(index: LexicalIndex, question: str, lexical: Floats) -> bool:
    """Return whether the best block has all that is asked for: a code or a number means little to a model."""
    found = {match.term for match in index.matched(question, int(lexical.argmax()))}
    return bool(found) and found == set(index.asked(question))
