"""A cross-encoder that learns from lists: it reads question and block together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...relevance.pair_text import PairTextOptions, pair_texts
from ..options import TrainingOptions
from .batches import GRAPH_TOKENS, Row, backward, computed, grouped, inputs_of, lengths_of, pair_rows
from .candidates import CandidateList
from .computation import Computation
from .first_stage import FirstStage
from .losses import NotFinite, list_loss

if TYPE_CHECKING:
    from torch import Tensor

    from ...documents import Document


class PairLearner:
    """A classifier with two logits, "not relevant" and "relevant"; see ``loop.Learner``.

    Parameters
    ----------
    model, tokenizer
        On the device of ``computation``.
    options : TrainingOptions
    texts : PairTextOptions
        What is read of a block.
    computation : Computation
    beside : FirstStage, optional
        What stands beside it in a list, times ``options.beside``.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        options: TrainingOptions,
        texts: PairTextOptions,
        computation: Computation,
        beside: FirstStage | None = None,
    ) -> None:
        self.model = model
        self.computation = computation
        self._tokenizer, self._options, self._texts, self._first = tokenizer, options, texts, beside
        positions = int(getattr(model.config, "max_position_embeddings", options.max_tokens))
        self._limit = min(options.max_tokens, positions)

    def learn(self, lists: Sequence[CandidateList], weight: float) -> float:
        """Add the gradients of some lists; see ``loop.Learner``."""
        import torch

        rows = [self._rows(one) for one in lists]
        beside = [torch.from_numpy(self._beside(one)).to(self.computation.device) for one in lists]
        total = 0.0
        for run in grouped([int(lengths_of(some).sum()) for some in rows], GRAPH_TOKENS):
            chosen = [row for rank in run for row in rows[rank]]
            sizes = [len(rows[rank]) for rank in run]

            def loss_of(logits: Tensor, run: list[int] = run, sizes: list[int] = sizes) -> Tensor:
                losses = []
                for rank, own in zip(run, torch.split(logits, sizes), strict=True):
                    loss = list_loss(own, beside[rank], lists[rank].relevant, self._options)
                    if not torch.isfinite(loss):
                        raise NotFinite(float(loss.detach()), [rank])
                    losses.append(loss * lists[rank].weight)
                return torch.stack(losses).sum() / weight

            total += backward(chosen, self._computed, loss_of)
        return total

    def logits(self, lists: Sequence[CandidateList], between: Callable[[], None]) -> list[npt.NDArray[np.float32]]:
        """Return how much likelier "relevant" is than "not relevant", with what stands beside; see ``loop.Learner``."""
        rows = [self._rows(one) for one in lists]
        found = computed([row for some in rows for row in some], self._computed, between).cpu().numpy()
        own = np.split(found, np.cumsum([len(some) for some in rows])[:-1])
        return [values + self._beside(one) for one, values in zip(lists, own, strict=True)]

    def _beside(self, one: CandidateList) -> npt.NDArray[np.float32]:
        if self._first is None:
            return np.zeros(len(one), np.float32)
        return np.float32(self._options.beside) * self._first.logits(one)

    def _computed(self, rows: Sequence[Row]) -> Tensor:
        with self.computation.context():
            both = self.model(**inputs_of(self._tokenizer, rows, self.computation.device)).logits
        logits: Tensor = both[:, 1].float() - both[:, 0].float()
        return logits

    def _rows(self, one: CandidateList) -> list[Row]:
        texts: dict[tuple[int, int], str] = {}
        documents: dict[int, Document] = {id(each.document): each.document for each in one.candidates}
        for key, document in documents.items():
            blocks = [each.block for each in one.candidates if each.document is document]
            texts |= {(key, b): text for b, text in zip(blocks, pair_texts(document, blocks, self._texts), strict=True)}
        shown = [texts[id(each.document), each.block] for each in one.candidates]
        return pair_rows(self._tokenizer, one.question.question, shown, self._limit)
