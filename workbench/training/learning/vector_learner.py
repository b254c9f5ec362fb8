"""A bi-encoder that learns from lists: it reads question and passage apart, and compares two vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ...reading.near_copies import plain_letters
from ...relevance.context import Passages, passages
from ...relevance.encoders import TransformerEncoder
from ...relevance.terms import analyse, question_terms
from ..options import TrainingOptions
from .batches import Row, backward, computed, inputs_of, text_rows
from .candidates import Candidate, CandidateList
from .computation import Computation
from .losses import NotFinite, in_batch_losses

if TYPE_CHECKING:
    from torch import Tensor

    from ...documents import Document
    from ..question import Question

_PASSAGES: WeakKeyDictionary[Document, Passages] = WeakKeyDictionary()


class VectorLearner:
    """An encoder; see ``loop.Learner``.

    Parameters
    ----------
    model, tokenizer
        On the device of ``computation``.
    options : TrainingOptions
    encoder : TransformerEncoder
        The base as an encoder: what it wants before a text, how it pools, and how long a text it reads.
    computation : Computation
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        options: TrainingOptions,
        encoder: TransformerEncoder,
        computation: Computation,
    ) -> None:
        self.model = model
        self.computation = computation
        self._tokenizer, self._options = tokenizer, options
        self._prefixes, self._pooling = encoder.prefixes, encoder.pooling
        self._limit = min(options.max_tokens, encoder.max_tokens)

    def learn(self, lists: Sequence[CandidateList], weight: float) -> float:
        """Add the gradients of some lists, each against the passages of all of them; see ``loop.Learner``."""
        import torch

        shown = [(one.question, each) for one in lists for each in one.candidates]
        rows = self._asked(lists) + self._rows([unit_text(question, each) for question, each in shown])
        device = self.computation.device
        own = torch.tensor([0, *np.cumsum([len(one) for one in lists])[:-1].tolist()], device=device)
        hidden = torch.from_numpy(hidden_passages(lists)).to(device)
        weights = torch.tensor([one.weight for one in lists], device=device)

        def loss_of(vectors: Tensor) -> Tensor:
            asked, passages_ = vectors[: len(lists)], vectors[len(lists) :]
            losses = in_batch_losses(asked, passages_, own, hidden, self._options.scale)
            wrong = torch.nonzero(~torch.isfinite(losses)).view(-1).tolist()
            if wrong:
                raise NotFinite(float(losses[wrong[0]].detach()), wrong)
            return (losses * weights).sum() / weight

        return backward(rows, self._computed, loss_of)

    def logits(self, lists: Sequence[CandidateList], between: Callable[[], None]) -> list[npt.NDArray[np.float32]]:
        """Return cosines times the scale; see ``loop.Learner``."""
        texts: dict[str, int] = {}
        ranks = [
            [texts.setdefault(unit_text(one.question, each), len(texts)) for each in one.candidates] for one in lists
        ]
        found = computed(self._asked(lists) + self._rows(list(texts)), self._computed, between).cpu().numpy()
        asked, shown = found[: len(lists)], found[len(lists) :]
        return [self._options.scale * (shown[some] @ asked[rank]) for rank, some in enumerate(ranks)]

    def _asked(self, lists: Sequence[CandidateList]) -> list[Row]:
        return text_rows(self._tokenizer, [self._prefixes.question + o.question.question for o in lists], self._limit)

    def _rows(self, texts: Sequence[str]) -> list[Row]:
        return text_rows(self._tokenizer, [self._prefixes.passage + text for text in texts], self._limit)

    def _computed(self, rows: Sequence[Row]) -> Tensor:
        from torch.nn import functional

        inputs = inputs_of(self._tokenizer, rows, self.computation.device)
        with self.computation.context():
            states = self.model(**inputs).last_hidden_state
        states = states.float()
        real = inputs["attention_mask"].bool()[:, :, None]
        # The length of a vector is made 1, so that a sum is as good as a mean.
        vectors = states[:, 0] if self._pooling == "cls" else states.masked_fill(~real, 0.0).sum(1)
        return functional.normalize(vectors)


def unit_text(question: Question, candidate: Candidate) -> str:
    """Return the text by which the first stage finds a block: of several the one with most words of the question."""
    document = candidate.document
    made = _PASSAGES.get(document)
    if made is None:
        made = _PASSAGES[document] = passages(document)
    units = made.units_of(candidate.block)
    if len(units) < 2:
        return units[0] if units else document.texts[candidate.block]
    language = document.language.value
    asked = set(question_terms(question.question, language))
    return max(units, key=lambda unit: len(asked.intersection(analyse(unit, language))))


def has_unit(document: Document) -> npt.NDArray[np.bool_]:
    """Return which blocks the first stage reads at all."""
    made = _PASSAGES.get(document)
    if made is None:
        made = _PASSAGES[document] = passages(document)
    return made.has_unit


def hidden_passages(lists: Sequence[CandidateList]) -> npt.NDArray[np.bool_]:
    """Return which passages of a batch are no negatives of which question.

    Those are blocks of the question's own document that are, or may be, its evidence; what says the same as its
    evidence; and the evidence of the same question in another document. Its own candidates are always shown.

    Returns
    -------
    ndarray of bool, shape (lists, candidates of all lists)
    """
    shown = [(rank, place, each) for rank, one in enumerate(lists) for place, each in enumerate(one.candidates)]
    said = [plain_letters(each.document.texts[each.block]) for _, _, each in shown]
    asked = [plain_letters(one.question.question) for one in lists]
    hidden = np.zeros((len(lists), len(shown)), np.bool_)
    for rank, one in enumerate(lists):
        question = one.question
        barred = question.evidence.union(question.unsure, one.barred)
        evidence = {plain_letters(question.document.texts[block]) for block in question.evidence} - {""}
        for column, (home, place, each) in enumerate(shown):
            if home == rank:
                continue
            hidden[rank, column] = (
                (each.document is question.document and each.block in barred)
                or said[column] in evidence
                or (asked[home] == asked[rank] and place < lists[home].relevant)
            )
    return hidden
