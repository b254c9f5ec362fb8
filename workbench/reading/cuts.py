"""Where the line between kept and skipped is drawn: at a relevance, or at a share of the tokens."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real

from ..errors import InvalidOption, ScaleMismatch
from ..relevance.scores import Scale

SEED_THRESHOLD = 0.65
"""Threshold on calibrated relevance where no profile names another."""
TOKEN_SHARE = 0.2
"""Share of a document's tokens that is kept on uncalibrated scores."""
MIN_TOKENS = 3_000
"""Tokens that are kept on uncalibrated scores however small the share is."""
LARGEST_OFFSET = 0.08
"""How far a document type may move the threshold: further, its calibration is wrong."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Keep the blocks whose priority is at least ``value``.

    A threshold says which scale it is meant for, because 0.65 means nothing on scores without calibration. Whoever
    moves a slider over uncalibrated scores all the same, says so: ``Threshold(0.3, scale=Scale.UNCALIBRATED)``.

    Attributes
    ----------
    value : float
        In [0, 1], on the scale of the relevance.
    scale : Scale

    Raises
    ------
    InvalidOption
        For a value outside its range.

    Examples
    --------
    >>> print(Threshold(0.65))
    threshold 0.65
    """

    value: float
    scale: Scale = Scale.CALIBRATED

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", number("threshold", self.value, 0.0, 1.0))
        if not isinstance(self.scale, Scale):
            known = ", ".join(f"Scale.{scale.name}" for scale in Scale)
            raise InvalidOption(f"The scale of a threshold is {self.scale!r:.60}; choose from {known}.")

    def __str__(self) -> str:
        extra = "" if self.scale is Scale.CALIBRATED else f" on {self.scale.value} scores"
        return f"threshold {self.value:g}{extra}"


@dataclass(frozen=True, slots=True)
class TokenShare:
    """Keep the best blocks until they hold a share of the document's tokens.

    A block is kept while those of higher priority, with their context, hold fewer tokens than the share.

    Attributes
    ----------
    share : float
        Of the document's tokens, above 0 and at most 1.
    min_tokens : int
        Tokens that are kept however small the share is; a smaller document is kept whole.

    Raises
    ------
    InvalidOption
        For a value outside its range.

    Examples
    --------
    >>> print(TokenShare())
    the best 20 % of the tokens, at least 3,000
    """

    share: float = TOKEN_SHARE
    min_tokens: int = MIN_TOKENS

    def __post_init__(self) -> None:
        share = number("token_share", self.share, 0.0, 1.0)
        if not share:
            raise InvalidOption("token_share is 0; give a number above 0 and at most 1.")
        object.__setattr__(self, "share", share)
        object.__setattr__(self, "min_tokens", whole("min_tokens", self.min_tokens, 0))

    def limit(self, total: int) -> float:
        """Return the tokens at which a document of ``total`` tokens is cut."""
        return max(self.share * total, float(self.min_tokens))

    def __str__(self) -> str:
        least = f", at least {self.min_tokens:,}" if self.min_tokens else ""
        return f"the best {100 * self.share:g} % of the tokens{least}"


Cut = Threshold | TokenShare


def chosen_cut(
    threshold: float | Threshold | None, token_share: float | TokenShare | None, *, min_tokens: int = MIN_TOKENS
) -> Cut | None:
    """Return the cut that somebody asked for, or None where nobody did.

    Raises
    ------
    InvalidOption
        If both were asked for, or a value is outside its range.
    """
    if threshold is not None and token_share is not None:
        raise InvalidOption("threshold and token_share were both given; a reading has one cut, so give one of them.")
    if token_share is not None:
        return token_share if isinstance(token_share, TokenShare) else TokenShare(token_share, min_tokens)
    if threshold is None or isinstance(threshold, Threshold):
        return threshold
    return Threshold(threshold)


def check_scale(cut: Cut, scale: Scale) -> None:
    """Refuse a threshold that is meant for another scale than the scores have.

    Raises
    ------
    ScaleMismatch
    """
    if not isinstance(cut, Threshold) or cut.scale is scale:
        return
    if scale is Scale.UNCALIBRATED:
        raise ScaleMismatch(
            f"The threshold {cut.value:g} is meant for calibrated relevance, but these scores are uncalibrated: a "
            "fixed number says nothing on them; give a calibration, cut by token_share, or say that you mean it with "
            f"Threshold({cut.value:g}, scale=Scale.UNCALIBRATED)."
        )
    raise ScaleMismatch(
        f"The threshold {cut.value:g} is meant for uncalibrated scores, but these are calibrated; "
        f"give it as Threshold({cut.value:g})."
    )


def checked_offsets(offsets: Mapping[str, float] | None) -> dict[str, float]:
    """Return the offset of each document type.

    Raises
    ------
    InvalidOption
        For an unknown document type, or an offset beyond ±0.08.
    """
    if not offsets:
        return {}
    from ..documents.document_types import GENERAL, load_rules

    known = (*load_rules().types, GENERAL)
    unknown = sorted(str(name) for name in offsets if name not in known)
    if unknown:
        raise InvalidOption(f"offsets names {', '.join(unknown)}; the document types are {', '.join(known)}.")
    return {
        name: number(f"offsets[{name!r}]", value, -LARGEST_OFFSET, LARGEST_OFFSET) for name, value in offsets.items()
    }


def checked_budget(budget_tokens: int | None) -> int | None:
    """Return the budget in tokens, or None for none.

    Raises
    ------
    InvalidOption
        For what is no whole number of at least 1.
    """
    return None if budget_tokens is None else whole("budget_tokens", budget_tokens, 1)


def number(name: str, value: object, least: float, most: float) -> float:
    """Return a number from ``least`` to ``most``, or refuse what is none; True is no number here.

    Raises
    ------
    InvalidOption
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        found = float(value)
        if math.isfinite(found) and least <= found <= most:
            return found
    raise InvalidOption(f"{name} is {value!r:.60}; give a number from {least:g} to {most:g}.")


def whole(name: str, value: object, least: int) -> int:
    """Return a whole number of at least ``least``, or refuse what is none.

    Raises
    ------
    InvalidOption
    """
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least:
        return int(value)
    raise InvalidOption(f"{name} is {value!r:.60}; give a whole number of at least {least}.")
