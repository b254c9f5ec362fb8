"""What a server says to a chat completion, checked: nothing of it is trusted to have its shape."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ...errors import EndpointFailed

MOST_CHARACTERS = 400_000
"""Longest answer; the server was told a number of tokens, and a longer one has lost its way."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens into and out of a model."""

    tokens_in: int
    tokens_out: int

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.tokens_in + self.tokens_out


NOTHING = Usage(0, 0)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a model.

    Attributes
    ----------
    text : str
    usage : Usage or None
        As the server counted; None where it says nothing.
    finish : str
        Why it ended: "stop", or "length" where it ran into the most tokens; "" where the server says nothing.
    seconds : float
        Of the try that was answered.
    tries : int
    cached : bool
        Whether it was remembered from an earlier run.
    """

    text: str
    usage: Usage | None = None
    finish: str = ""
    seconds: float = 0.0
    tries: int = 1
    cached: bool = False


class Nonsense(EndpointFailed):
    """The server answered, and not as an OpenAI-compatible one does; the message is a clause."""

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage


def reply_of(body: bytes) -> Reply:
    """Return the answer in the body of a response.

    Raises
    ------
    Nonsense
        If it is none.
    """
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        kind = "HTML" if body.lstrip()[:1] == b"<" else "no JSON"
        raise Nonsense(f"answered with {kind} where a chat completion belongs") from None
    if not isinstance(values, dict):
        raise Nonsense("answered with JSON that is no object")
    usage = usage_of(values.get("usage"))
    choices = values.get("choices")
    if not isinstance(choices, list):
        raise Nonsense("answered without choices", usage)
    if not choices:
        raise Nonsense("answered with an empty list of choices", usage)
    first = choices[0]
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(message, dict):
        raise Nonsense("answered with a choice that has no message", usage)
    finish = first.get("finish_reason")
    finish = finish if isinstance(finish, str) else ""
    text = _text_of(message)
    if text is None:
        why = "; raise max_answer_tokens" if finish == "length" else ""
        raise Nonsense(f"answered with a message that has no text{why}", usage)
    if len(text) > MOST_CHARACTERS:
        raise Nonsense(f"answered with {len(text):,} characters, and {MOST_CHARACTERS:,} are allowed", usage)
    return Reply(text, usage, finish)


def _text_of(message: dict[str, Any]) -> str | None:
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str)) if parts else None
    if isinstance(content, str):
        return content
    refusal = message.get("refusal")
    return refusal if isinstance(refusal, str) else None


def usage_of(given: Any) -> Usage | None:
    """Return what a server counted; None where it says nothing, or no whole numbers.

    Examples
    --------
    >>> usage_of({"prompt_tokens": 12, "completion_tokens": 3}), usage_of({"prompt_tokens": -1})
    (Usage(tokens_in=12, tokens_out=3), None)
    """
    if not isinstance(given, dict):
        return None
    counts = [given.get("prompt_tokens"), given.get("completion_tokens")]
    if not all(isinstance(count, int) and not isinstance(count, bool) and count >= 0 for count in counts):
        return None
    return Usage(*counts)  # type: ignore[arg-type]


def told_by(body: bytes) -> str:
    """Return what a server says about an error: the message of its JSON, else the beginning of its text."""
    try:
        values: Any = json.loads(body)
    except (ValueError, RecursionError):
        return body[:2_000].decode("utf-8", "replace")
    for name in ("error", "message", "detail"):
        if isinstance(values, dict) and values.get(name):
            values = values[name]
    return values if isinstance(values, str) else json.dumps(values, ensure_ascii=False)[:2_000]
