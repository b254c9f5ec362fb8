"""What is made small: the evidence of a question against the other candidates, and vectors against vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from torch import Tensor

    from ..options import TrainingOptions


class NotFinite(Exception):
    """A number that a model computed is infinite or none; the loop makes a sentence of it.

    Attributes
    ----------
    value : float
    rows : tuple of int
        Ranks, among the rows that were computed together, of those that are to blame; all of them where none is.
    """

    def __init__(self, value: float, rows: Sequence[int] = ()) -> None:
        super().__init__(value)
        self.value = value
        self.rows = tuple(rows)


def list_loss(logits: Tensor, beside: Tensor, relevant: int, options: TrainingOptions) -> Tensor:
    """Return the loss of one list.

    Parameters
    ----------
    logits : Tensor of float32, shape (n,)
        How much likelier "relevant" is than "not relevant"; those of the evidence first.
    beside : Tensor of float32, shape (n,)
        What is added to them where candidates are compared.
    relevant : int
        How many are evidence.
    options : TrainingOptions
        With loss "listwise" minus the logarithm of the evidence's share of a softmax over the list, and ``pointwise``
        times the binary loss; with "binary" that alone: the mean over the pairs of minus the logarithm of the
        probability of what is true, by the classifier's own logit.
    """
    import torch
    from torch.nn import functional

    loss = logits.new_zeros(())
    binary = options.pointwise
    if options.loss == "listwise":
        whole = logits + beside
        loss = loss + torch.logsumexp(whole, 0) - torch.logsumexp(whole[:relevant], 0)
    else:
        binary = 1.0
    if binary:
        truth = (torch.arange(len(logits), device=logits.device) < relevant).to(logits.dtype)
        loss = loss + binary * functional.binary_cross_entropy_with_logits(logits, truth)
    return loss


def in_batch_losses(asked: Tensor, shown: Tensor, own: Tensor, hidden: Tensor, scale: float) -> Tensor:
    """Return one loss a question: its own passage against all others of the batch.

    Parameters
    ----------
    asked : Tensor of float32, shape (q, d)
        Vectors of length 1.
    shown : Tensor of float32, shape (p, d)
    own : Tensor of int64, shape (q,)
        The passage with the evidence of each question.
    hidden : Tensor of bool, shape (q, p)
        Passages that are no negatives of a question.
    scale : float
        What a cosine is multiplied with.

    Returns
    -------
    Tensor of float32, shape (q,)
    """
    import torch
    from torch.nn import functional

    cosines = (asked @ shown.T * scale).masked_fill(hidden, -torch.inf)
    return functional.cross_entropy(cosines, own, reduction="none")


def ranking_of(logits: npt.NDArray[np.floating], relevant: int) -> tuple[float, float, float]:
    """Return loss, recall and average precision of one list whose first ``relevant`` candidates are evidence.

    Recall is the share of the evidence in the best tenth of the list, of as much as has room in it. Candidates of equal
    logits are ranked against the model: evidence last.

    Examples
    --------
    >>> loss, recall, precision = ranking_of(np.array([2.0, 0.0, 3.0, -1.0]), 2)
    >>> recall, round(precision, 3)
    (0.0, 0.583)
    """
    values = np.asarray(logits, np.float64)
    count = len(values)
    share = np.logaddexp.reduce(values) - np.logaddexp.reduce(values[:relevant])
    order = np.lexsort((np.arange(count) < relevant, -values))
    hits = order < relevant
    room = max(1, count // 10)
    recall = hits[:room].sum() / min(room, relevant)
    ranks = np.flatnonzero(hits) + 1
    return float(share), float(recall), float(np.mean(np.arange(1, relevant + 1) / ranks))
