"""What answers questions that recur, learnt from the documents on which their evidence is known.

The logit of the first stage stands fixed beside the network, so that it learns only what the first stage does not know.
How near a question is to others is measured in training as it is in reading: by the questions of other documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..documents.progress import showing
from ..errors import InvalidOption, TrainingFailed
from ..relevance.fusion import summed
from ..relevance.hybrid import HybridScorer
from ..relevance.recurring import (
    POINT_SCALE,
    QUESTION_SCALE,
    SEEN_SCALE,
    SHAPES,
    RecurringQuestions,
)

if TYPE_CHECKING:
    import torch

    from ..relevance.encoders import Encoder
    from .question import Question

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurringOptions:
    """How the networks are trained; every default was measured (``docs/benchmarks.md``).

    Parameters
    ----------
    networks : int
        How many, each from a seed of its own; their mean counts.
    epochs : int
        Ten learn the questions by heart.
    learning_rate : float
        The first; it falls to zero along a line.
    hidden, seen : int
        Numbers that a question and a block are turned into.
    dropout, weight_decay : float
        0 to 1.
    batch : int
        Questions on one document that are learnt together; a step takes two such.
    blocks : int
        Blocks of a longer document that a step looks at, those with evidence besides.
    seed : int
        Of the first network; the others follow.

    Raises
    ------
    InvalidOption
        For a value that is outside its range.
    """

    networks: int = 3
    epochs: int = 6
    learning_rate: float = 1e-3
    hidden: int = 128
    seen: int = 64
    dropout: float = 0.4
    weight_decay: float = 0.05
    batch: int = 16
    blocks: int = 400
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (
            ("networks", 1),
            ("epochs", 1),
            ("hidden", 1),
            ("seen", 1),
            ("batch", 1),
            ("blocks", 8),
            ("seed", 0),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InvalidOption(f"{name} is {value!r:.40}; give a whole number from {least} on.")
        if not isinstance(self.learning_rate, int | float) or not 0 < self.learning_rate <= 1:
            raise InvalidOption(f"learning_rate is {self.learning_rate!r:.40}; give a number above 0, at most 1.")
        for name in ("dropout", "weight_decay"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
                raise InvalidOption(f"{name} is {value!r:.40}; give a number from 0 to below 1.")


def train_recurring(
    questions: Iterable[Question],
    encoder: Encoder,
    *,
    options: RecurringOptions | None = None,
    progress: bool | None = None,
) -> RecurringQuestions | None:
    """Learn what answers the questions that recur.

    Only documents that are asked such a question are embedded. It takes seconds on one core and is the same for equal
    questions, encoder and options.

    Parameters
    ----------
    questions : iterable of Question
        Those with evidence are learnt from.
    encoder : Encoder
        The one that will read.
    options : RecurringOptions, optional
    progress : bool, optional
        Whether progress is shown; None where somebody looks.

    Returns
    -------
    RecurringQuestions or None
        None where no question is asked of enough documents: there is nothing to learn.

    Raises
    ------
    TrainingFailed
        If a loss is no number.
    """
    chosen = options or RecurringOptions()
    scorer = HybridScorer(encoder)
    asked = [(one, vector) for one in questions if one.pieces and (vector := _vector(scorer, one)) is not None]
    if not asked:
        return None
    known = _untrained(asked, encoder)
    gated = [
        (one, vector, gate) for one, vector in asked if (gate := known.gate(vector, document=one.document.sha256)) > 0
    ]
    learnt = _heard(gated, scorer, progress)
    if not learnt:
        return None
    made = [_trained(learnt, chosen, chosen.seed + rank) for rank in range(chosen.networks)]
    return RecurringQuestions(
        networks={name: np.stack([one[name] for one in made]) for name in SHAPES},
        asked=known.asked,
        asked_of=known.asked_of,
        documents=known.documents,
        encoder=known.encoder,
    )


@dataclass(frozen=True, eq=False)
class _Learnt:
    """A question as the networks see it: the b blocks of its document that have a unit.

    Attributes
    ----------
    key : str
        Of the document.
    question, blocks : ndarray of float32, shapes (d,), (b, d)
    gate : float
    offset : ndarray of float32, shape (b,)
        Logit of the first stage.
    pieces : tuple of ndarray of int64
        Places of each piece's blocks among the b.
    weight : float
        What the question counts.
    """

    key: str
    question: Floats
    blocks: Floats
    gate: float
    offset: Floats
    pieces: tuple[npt.NDArray[np.int64], ...]
    weight: float


def _vector(scorer: HybridScorer, question: Question) -> Floats | None:
    return scorer.question_vector(question.question)


def _untrained(asked: Sequence[tuple[Question, Floats]], encoder: Encoder) -> RecurringQuestions:
    """Return the questions that were asked, with networks that say nothing."""
    documents = sorted({one.document.sha256 for one, _ in asked})
    place = {sha: rank for rank, sha in enumerate(documents)}
    # A question that a document is asked twice is one.
    rows = {(one.document.sha256, one.question): vector for one, vector in asked}
    vectors = np.stack(list(rows.values())).astype(np.float16)
    sizes = {"s": 1, "h": 1, "k": 1, "d": vectors.shape[1]}
    return RecurringQuestions(
        networks={name: np.zeros([sizes[one] for one in letters], np.float32) for name, letters in SHAPES.items()},
        asked=vectors,
        asked_of=np.array([place[sha] for sha, _ in rows], np.int32),
        documents=tuple(documents),
        encoder=encoder.fingerprint,
    )


def _heard(
    gated: Sequence[tuple[Question, Floats, float]], scorer: HybridScorer, progress: bool | None
) -> list[_Learnt]:
    """Return what the first stage says of each question, and where its evidence is."""
    of_document: dict[str, tuple[npt.NDArray[np.intp], Floats]] = {}
    in_set: dict[str, int] = {}
    for one, _, _ in gated:
        in_set[one.set_name] = in_set.get(one.set_name, 0) + 1
    # A set counts as the root of its questions: a large one more than a small one, but not as many times more.
    weights = {name: count**-0.5 for name, count in in_set.items()}
    mean = sum(weights[name] * count for name, count in in_set.items()) / max(1, len(gated))
    found = []
    with showing("Scoring for recurring questions", progress) as report:
        for rank, (one, vector, gate) in enumerate(gated):
            report(rank, len(gated))
            key = one.document_key
            heard = scorer.heard(one.document, one.question, scope=one.scope, progress=False)
            if heard.words_alone:
                continue
            if key not in of_document:
                of_document[key] = scorer.block_vectors(one.document)
            blocks, vectors = of_document[key]
            place = np.full(len(one.document), -1, np.int64)
            place[blocks] = np.arange(len(blocks))
            pieces = [place[sorted({block for at in piece for block in at})] for piece in one.pieces]
            there = tuple(piece[piece >= 0] for piece in pieces if (piece >= 0).any())
            if there:
                offset = summed(heard.parts, len(one.document))[blocks]
                weight = weights[one.set_name] / mean
                found.append(_Learnt(key, vector, vectors, gate, offset, there, weight))
    return found


def _trained(learnt: Sequence[_Learnt], options: RecurringOptions, seed: int) -> dict[str, Floats]:
    """Train one network, and return its arrays."""
    import torch

    threads = torch.get_num_threads()
    # The matrices are small: threads wait for each other longer than they compute.
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return _fitted(learnt, options, np.random.default_rng(seed))
    finally:
        torch.set_num_threads(threads)


def _fitted(learnt: Sequence[_Learnt], options: RecurringOptions, drawn: np.random.Generator) -> dict[str, Floats]:
    import torch

    network = _Network(learnt[0].question.shape[0], options)
    optimizer = torch.optim.AdamW(network.weights, lr=options.learning_rate, weight_decay=options.weight_decay)
    by_document: dict[str, list[_Learnt]] = {}
    for one in learnt:
        by_document.setdefault(one.key, []).append(one)
    batches = sum(-(-len(some) // options.batch) for some in by_document.values())
    done = 0
    for _ in range(options.epochs):
        order = _dealt(by_document, options.batch, drawn)
        for at in range(0, len(order), 2):
            some = order[at : at + 2]
            for group in optimizer.param_groups:
                group["lr"] = options.learning_rate * max(0.02, 1 - done / (options.epochs * batches))
            losses = [_loss(network, batch, options.blocks, drawn) for batch in some]
            loss = torch.stack(losses).sum() / sum(map(len, some))
            if not torch.isfinite(loss):
                raise TrainingFailed(
                    f"The loss of recurring questions became {loss.item()} at step {1 + done // 2}, on questions of "
                    f"{', '.join(sorted({batch[0].key for batch in some}))}; train at a lower rate."
                )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.weights, 1.0)
            optimizer.step()
            done += len(some)
    return network.arrays()


def _dealt(by_document: Mapping[str, Sequence[_Learnt]], batch: int, drawn: np.random.Generator) -> list[list[_Learnt]]:
    """Return batches of questions on one document each, in an order that is drawn."""
    batches = []
    for some in by_document.values():
        order = drawn.permutation(len(some)).tolist()
        batches += [[some[rank] for rank in order[at : at + batch]] for at in range(0, len(order), batch)]
    return [batches[rank] for rank in drawn.permutation(len(batches)).tolist()]


def _loss(network: _Network, batch: Sequence[_Learnt], most: int, drawn: np.random.Generator) -> torch.Tensor:
    """Return the sum over questions: how unlikely each piece of evidence is among the blocks."""
    import torch

    offsets = np.stack([one.offset for one in batch], axis=1)
    looked = _looked_at(offsets, batch, most, drawn)
    told = network(
        torch.from_numpy(np.stack([one.question for one in batch])), torch.from_numpy(batch[0].blocks[looked])
    )
    gates = torch.tensor([one.gate for one in batch], dtype=torch.float32)
    likely = torch.log_softmax(told * gates + torch.from_numpy(offsets[looked]), dim=0)
    place = np.full(len(offsets), -1, np.int64)
    place[looked] = np.arange(len(looked))
    losses = []
    for column, one in enumerate(batch):
        pieces = [-torch.logsumexp(likely[torch.from_numpy(place[piece]), column], dim=0) for piece in one.pieces]
        losses.append(one.weight * torch.stack(pieces).mean())
    return torch.stack(losses).sum()


def _looked_at(
    offsets: Floats, batch: Sequence[_Learnt], most: int, drawn: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return the blocks that a step looks at: of a long document the best ones, some others, and the evidence."""
    count = len(offsets)
    if count <= most:
        return np.arange(count)
    best = np.argsort(-offsets.max(axis=1), kind="stable")[: 5 * most // 8]
    others = drawn.choice(count, most - len(best), replace=False)
    return np.unique(np.concatenate([best, others, *(piece for one in batch for piece in one.pieces)]))


class _Network:
    """The network of ``RecurringQuestions`` as torch trains it; what it says begins at zero."""

    def __init__(self, dimensions: int, options: RecurringOptions) -> None:
        from torch import nn

        self._hidden = nn.Linear(dimensions, options.hidden)
        self._direction = nn.Linear(options.hidden, dimensions)
        self._seen = nn.Linear(dimensions, options.seen, bias=False)
        self._weight = nn.Linear(options.hidden, options.seen)
        self._dropout = nn.Dropout(options.dropout)
        for one in (self._direction, self._weight):
            nn.init.zeros_(one.weight)
            nn.init.zeros_(one.bias)

    def __call__(self, questions: torch.Tensor, blocks: torch.Tensor) -> torch.Tensor:
        """Return what it says of b blocks for q questions, shape (b, q)."""
        import torch

        hidden = self._dropout(torch.nn.functional.gelu(self._hidden(QUESTION_SCALE * questions)))
        pointed = POINT_SCALE * (blocks @ self._direction(hidden).T)
        found: torch.Tensor = pointed + torch.tanh(SEEN_SCALE * self._seen(blocks)) @ self._weight(hidden).T
        return found

    @property
    def weights(self) -> list[Any]:
        """What is trained."""
        return [value for layer in self._layers for value in layer.parameters()]

    def arrays(self) -> dict[str, Floats]:
        """Return its arrays by the names of ``SHAPES``."""
        hidden, direction, seen, weight = self._layers
        named = {
            "hidden": hidden.weight,
            "hidden_bias": hidden.bias,
            "direction": direction.weight,
            "direction_bias": direction.bias,
            "seen": seen.weight,
            "weight": weight.weight,
            "weight_bias": weight.bias,
        }
        return {name: value.detach().numpy().astype(np.float32).copy() for name, value in named.items()}

    @property
    def _layers(self) -> tuple[Any, Any, Any, Any]:
        return self._hidden, self._direction, self._seen, self._weight


__all__ = ["RecurringOptions", "train_recurring"]
