"""Conformal risk control: a promise for the expected loss on a new document (Angelopoulos et al. 2022).

Documents are the exchangeable units. For a family of choices whose loss falls from one to the next on every document,
the first choice with n/(n+1) x mean loss + B/(n+1) <= alpha has an expected loss of at most alpha on a new document
(equation 4 of "Conformal Risk Control"). The last choice may lose nothing at all and still not be good enough: with few
documents nothing can be promised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption, InvalidOutcomes, Unreachable
from ..printing import counted

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class RiskControl:
    """What can be promised.

    Attributes
    ----------
    index : int or None
        The first choice that carries the promise; None where none does.
    alpha : float
        What was asked for: the expected loss on a new document.
    reachable : float
        The smallest alpha that some choice of the family reaches with these documents.
    documents : int
        How many the promise rests on.
    documents_needed : int or None
        How many would do: with losses as seen here, or with no loss at all where that is what the best choice has;
        None where no number would do.
    mean_loss : float
        Of the choice that carries the promise, on these documents; of the best choice where none does.
    bound : float
        The largest loss that a document can have.
    monotonised : bool
        Whether losses were raised so that they fall from choice to choice.
    """

    index: int | None
    alpha: float
    reachable: float
    documents: int
    documents_needed: int | None
    mean_loss: float
    bound: float = 1.0
    monotonised: bool = False

    def __str__(self) -> str:
        rest = f"from {counted(self.documents, 'document')}"
        if self.index is None:
            return self.refusal()
        raised = "; losses were made monotone first" if self.monotonised else ""
        return f"expected loss on a new document at most {self.alpha:g} ({rest}{raised})"

    def refusal(self) -> str:
        """Return why nothing is promised, in one sentence."""
        needed = (
            f"{counted(self.documents_needed, 'document')} would do"
            if self.documents_needed is not None
            else "no number of documents would do, for even the best choice loses more"
        )
        return (
            f"An expected loss of at most {self.alpha:g} cannot be promised from "
            f"{counted(self.documents, 'document')}: the best reachable is {_rounded_up(self.reachable):g}; {needed}."
        )

    def required(self) -> int:
        """Return the index of the choice.

        Raises
        ------
        Unreachable
            If no choice carries the promise; the message names the best reachable alpha and the documents needed.
        """
        if self.index is None:
            raise Unreachable(self.refusal())
        return self.index


def crc_threshold(
    losses: npt.ArrayLike,
    alpha: float,
    B: float = 1.0,  # noqa: N803 - the letter of the paper
    *,
    monotonise: bool = True,
) -> RiskControl:
    """Return the first choice of a family whose expected loss on a new document is at most alpha.

    Parameters
    ----------
    losses : array_like of float, shape (n_documents, n_choices)
        In [0, B]; ordered so that the loss falls from choice to choice, on every document. The family has to be
        fixed without these documents.
    alpha : float
        In (0, B).
    B : float
        The largest loss that a document can have.
    monotonise : bool
        Raise a loss to the largest that comes after it, where it rises (Angelopoulos et al., section 2.3 on losses
        that are not monotone: the larger loss is monotone and bounds the one that was given). Else a rise is refused.

    Raises
    ------
    InvalidOption, InvalidOutcomes
        For an alpha outside (0, B); for losses of a wrong shape, outside [0, B], or rising where they must not.

    Examples
    --------
    >>> losses = np.zeros((99, 2)); losses[:10, 0] = 1.0
    >>> crc_threshold(losses, 0.05).index, crc_threshold(losses, 0.2).index, crc_threshold(losses, 0.001).index
    (1, 0, None)
    >>> crc_threshold(losses, 0.001).documents_needed
    999
    """
    table = np.asarray(losses, np.float64)
    _refuse(table, alpha, B)
    falling = np.maximum.accumulate(table[:, ::-1], axis=1)[:, ::-1]
    raised = bool((falling > table + _ROUNDING).any())
    if raised and not monotonise:
        raise InvalidOutcomes(
            "Losses rise from one choice to the next on some documents; order the choices so that they fall, or let "
            "them be made monotone."
        )
    n = len(table)
    mean = falling.mean(axis=0)
    risk = (n * mean + B) / (n + 1)
    best = float(risk.min())
    good = np.flatnonzero(risk <= alpha * (1 + _ROUNDING))
    index = int(good[0]) if len(good) else None
    loss = float(mean[index]) if index is not None else float(mean.min())
    return RiskControl(index, float(alpha), best, n, documents_needed(alpha, B, float(mean.min())), loss, B, raised)


def documents_needed(alpha: float, bound: float = 1.0, mean_loss: float = 0.0) -> int | None:
    """Return how many documents let alpha be promised, where they lose so much on average; None if none do.

    Solves n/(n+1) x mean + B/(n+1) <= alpha: n >= (B - alpha) / (alpha - mean), which is B/alpha - 1 without loss.

    Examples
    --------
    >>> documents_needed(0.05), documents_needed(0.05, mean_loss=0.03), documents_needed(0.05, mean_loss=0.05)
    (19, 48, None)
    """
    room = alpha - mean_loss
    if room <= _ROUNDING:
        return None
    return max(1, math.ceil((bound - alpha) / room - 1e-9))


def _rounded_up(level: float) -> float:
    return math.ceil(level * 1e4 - 1e-6) / 1e4


def _refuse(table: npt.NDArray[np.float64], alpha: float, bound: float) -> None:
    if table.ndim != 2 or 0 in table.shape:
        raise InvalidOutcomes(f"Losses have the shape {table.shape}; give one row a document and one column a choice.")
    if not np.isfinite(table).all() or (table < 0).any() or (table > bound).any():
        raise InvalidOutcomes(f"Some losses are no numbers from 0 to {bound:g}; scale them, or name their bound B.")
    if not 0 < alpha < bound:
        raise InvalidOption(f"alpha is {alpha!r:.40}; give a number between 0 and {bound:g}.")
