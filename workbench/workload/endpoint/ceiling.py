"""The most that asking may cost: checked before a call by what it can cost at most, after it by what it did."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from ...errors import CostCeiling, InvalidOption
from .replies import Usage

Message = Mapping[str, str]

TOKENS_OF_A_MESSAGE = 32
"""More than what any chat template puts around a message."""
TOKENS_OF_A_CALL = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """Most tokens and most money for one run; what was asked before and is remembered costs nothing.

    Parameters
    ----------
    most_tokens : int or None
        Into and out of the model, of all calls together; None for no limit.
    most_cost : float or None
        In the currency of the prices; None for no limit. It needs both prices.
    price_in, price_out : float or None
        Of a million tokens into and out of the model.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range, and for a limit of money without prices.
    """

    most_tokens: int | None = None
    most_cost: float | None = None
    price_in: float | None = None
    price_out: float | None = None

    def __post_init__(self) -> None:
        tokens = self.most_tokens
        if tokens is not None and (not isinstance(tokens, Integral) or isinstance(tokens, bool) or tokens < 0):
            raise InvalidOption(f"most_tokens is {tokens!r:.40}; give a whole number of at least 0, or None.")
        for name in ("most_cost", "price_in", "price_out"):
            value = getattr(self, name)
            real = isinstance(value, Real) and not isinstance(value, bool)
            if value is not None and (not real or not math.isfinite(value) or value < 0):
                raise InvalidOption(f"{name} is {value!r:.40}; give a number of at least 0, or None.")
        if self.most_cost is not None and (self.price_in is None or self.price_out is None):
            raise InvalidOption("most_cost needs to know what tokens cost; give price_in and price_out, per million.")

    def cost(self, usage: Usage) -> float:
        """Return what tokens cost; 0 where there are no prices."""
        return (usage.tokens_in * (self.price_in or 0.0) + usage.tokens_out * (self.price_out or 0.0)) / 1e6


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent so far, as the server counted, or at most where it did not."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return every field by its name."""
        return {"calls": self.calls, "tokens": self.tokens, "cost": self.cost}


class Account:
    """What one run has spent and may still spend; several threads may ask.

    A call is paid for in advance with the most that it can cost, so that calls that run at once stay below the ceiling
    together.
    """

    def __init__(self, ceiling: Ceiling | None = None) -> None:
        self.ceiling = ceiling or Ceiling()
        self._lock = threading.Lock()
        self._calls = self._tokens = self._tokens_held = 0
        self._cost = self._cost_held = 0.0

    @property
    def spent(self) -> Spent:
        """What was spent, without the calls that are under way."""
        with self._lock:
            return Spent(self._calls, self._tokens, self._cost)

    def reserve(self, most: Usage) -> None:
        """Set aside what a call can cost at most.

        Raises
        ------
        CostCeiling
            If that might exceed the ceiling.
        """
        cost = self.ceiling.cost(most)
        with self._lock:
            for problem in self._problems(most.tokens, cost):
                raise CostCeiling(
                    f"The next call {problem}; what was asked so far is remembered: raise the ceiling and ask again, "
                    "or ask fewer requests."
                )
            self._tokens_held += most.tokens
            self._cost_held += cost

    def settle(self, most: Usage, actual: Usage | None, *, calls: int = 1) -> None:
        """Replace what was set aside for a call by what it cost: ``most`` where nobody knows."""
        paid = most if actual is None else actual
        with self._lock:
            self._tokens_held -= most.tokens
            self._cost_held -= self.ceiling.cost(most)
            self._calls += calls
            self._tokens += paid.tokens
            self._cost += self.ceiling.cost(paid)

    def _problems(self, tokens: int, cost: float) -> list[str]:
        limit = self.ceiling
        found = []
        if limit.most_tokens is not None and self._tokens + self._tokens_held + tokens > limit.most_tokens:
            left = max(0, limit.most_tokens - self._tokens - self._tokens_held)
            found.append(f"may take {tokens:,} tokens, and {left:,} of most_tokens={limit.most_tokens:,} are left")
        if limit.most_cost is not None and self._cost + self._cost_held + cost > limit.most_cost:
            left_cost = max(0.0, limit.most_cost - self._cost - self._cost_held)
            found.append(f"may cost {cost:.6g}, and {left_cost:.6g} of most_cost={limit.most_cost:.6g} is left")
        return found


def most_usage(messages: Sequence[Message], max_answer_tokens: int) -> Usage:
    """Return the most tokens that a call can take.

    A token of any tokenizer that knows all text holds a byte of it at least, so bytes of UTF-8 are never too few.

    Examples
    --------
    >>> most_usage([{"role": "user", "content": "年度"}], 10)
    Usage(tokens_in=102, tokens_out=10)
    """
    size = sum(len(one["content"].encode("utf-8", "surrogatepass")) + TOKENS_OF_A_MESSAGE for one in messages)
    return Usage(size + TOKENS_OF_A_CALL, max_answer_tokens)
