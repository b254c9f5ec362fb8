"""What it costs to read: the tokens that go into a model over all calls of one exchange.

A model reads its whole context at every call, so what was observed once is paid for at every call after it. That is why
a sparse read that needs three rounds and then the whole artifact costs a multiple of reading the artifact at once
(seed "Read Less, Solve More", section 3.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real

from ..errors import InvalidOption


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The calls of an agent that reads one artifact for one question.

    Attributes
    ----------
    prompt_tokens : int
        What every call carries besides question and observations: system prompt and schemas of the tools.
    call_tokens : int
        What one call of a tool writes: its name, its arguments, the intent.
    resent_share : float
        What a token costs that was in the context of the call before, in [0, 1]; 1 without prefix caching.
    max_rounds : int
        Sparse reads before the whole artifact is asked for after all.
    growth : float
        How many times the tokens of the round before a further round keeps; above 1.
    context_tokens : int or None
        Most tokens of an artifact that a native read can show; None for all.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range.
    """

    prompt_tokens: int = 400
    call_tokens: int = 60
    resent_share: float = 1.0
    max_rounds: int = 3
    growth: float = 2.0
    context_tokens: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("prompt_tokens", 0), ("call_tokens", 0), ("max_rounds", 1), ("context_tokens", 1)):
            value = getattr(self, name)
            if value is None and name == "context_tokens":
                continue
            if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
                raise InvalidOption(f"{name} is {value!r:.40}; give a whole number of at least {least}.")
            object.__setattr__(self, name, int(value))
        for name, low, high in (("resent_share", 0.0, 1.0), ("growth", 1.0, 100.0)):
            value = getattr(self, name)
            if not isinstance(value, Real) or not low <= float(value) <= high:
                raise InvalidOption(f"{name} is {value!r:.40}; give a number from {low:g} to {high:g}.")
            object.__setattr__(self, name, float(value))
        if math.isclose(self.growth, 1.0):
            raise InvalidOption("growth is 1, so that a further round would find nothing new; give more than 1.")

    def tokens(self, question_tokens: int, observations: Sequence[float]) -> float:
        """Return the tokens that go into the model over all calls of an exchange.

        Parameters
        ----------
        question_tokens : int
        observations : sequence of float
            Tokens of what each call of a tool returns, in order. There is one model call more than observations: the
            last one answers.

        Examples
        --------
        >>> plain = Exchange(prompt_tokens=400, call_tokens=60)
        >>> plain.tokens(20, [2000])  # 420 to ask for the text, 420 + 60 + 2000 to answer
        2900.0
        >>> round(plain.tokens(20, [500, 600, 600, 600, 2000]) / plain.tokens(20, [2000]), 1)
        4.6
        """
        context = float(self.prompt_tokens + question_tokens)
        total = context
        for observed in observations:
            fresh = self.call_tokens + observed
            total += self.resent_share * context + fresh
            context += fresh
        return total

    def to_dict(self) -> dict[str, float | int | None]:
        """Return every field by its name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
