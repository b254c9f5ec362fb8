"""Which language model is asked, and how: checked before anything is sent."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from numbers import Integral, Real
from typing import Any
from urllib.parse import urlsplit

from ...errors import InvalidOption

KEY_VARIABLE = "OPENAI_API_KEY"
TEMPERATURE = 0.0
"""Answers are graded, so the likeliest one is asked for."""
LENGTH_FIELDS = ("max_tokens", "max_completion_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An OpenAI-compatible endpoint that the caller names; text of documents is sent to it.

    Parameters
    ----------
    base_url : str
        What stands before ``/chat/completions``, as in "http://127.0.0.1:8000/v1"; no user name, password or query.
    model : str
        Answers, as the server names it.
    judge_model : str, optional
        Judges answers by a rubric; by default the one that answers.
    api_key_env : str or None
        Environment variable that holds the API key; where it is not set, or None, no key is sent.
    key_in_clear : bool
        Whether a key may be sent over plain http to another machine, where everybody on the way can read it.
    max_answer_tokens : int
        Most tokens of an answer.
    length_field : {"max_tokens", "max_completion_tokens"}
        Under which name the server takes that number.
    timeout_seconds : float
        Time after which a call without its whole answer has failed.
    tries : int
        How often a call is made before it has failed for good.
    parallel : int
        Most calls at once.
    per_minute : float or None
        Most calls a minute; None for as many as go.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range.

    Examples
    --------
    >>> Endpoint(base_url="http://127.0.0.1:8000/v1/", model="small").base_url
    'http://127.0.0.1:8000/v1'
    """

    base_url: str
    model: str
    judge_model: str | None = None
    api_key_env: str | None = KEY_VARIABLE
    key_in_clear: bool = False
    max_answer_tokens: int = 1024
    length_field: str = LENGTH_FIELDS[0]
    timeout_seconds: float = 120.0
    tries: int = 5
    parallel: int = 4
    per_minute: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", _checked_url(self.base_url))
        for name in ("model", "judge_model", "api_key_env"):
            value = getattr(self, name)
            if value is None and name != "model":
                continue
            if not isinstance(value, str) or not value.strip():
                raise InvalidOption(f"{name} is {value!r:.40}; give a name.")
        if not isinstance(self.key_in_clear, bool):
            raise InvalidOption(f"key_in_clear is {self.key_in_clear!r:.40}; give True or False.")
        if self.length_field not in LENGTH_FIELDS:
            raise InvalidOption(f"length_field is {self.length_field!r:.40}; give one of {', '.join(LENGTH_FIELDS)}.")
        for name, most in (("max_answer_tokens", 1_000_000), ("tries", 20), ("parallel", 64)):
            value = getattr(self, name)
            if not isinstance(value, Integral) or isinstance(value, bool) or not 1 <= int(value) <= most:
                raise InvalidOption(f"{name} is {value!r:.40}; give a whole number from 1 to {most:,}.")
        for name, most_value in (("timeout_seconds", 86_400.0), ("per_minute", 1e6)):
            value = getattr(self, name)
            if value is None and name == "per_minute":
                continue
            real = isinstance(value, Real) and not isinstance(value, bool)
            if not real or not math.isfinite(value) or not 0.0 < value <= most_value:
                raise InvalidOption(f"{name} is {value!r:.40}; give a number above 0, at most {most_value:,.0f}.")

    @property
    def sampling(self) -> dict[str, Any]:
        """The settings of a call that decide its answer, as the server takes them."""
        return {"temperature": TEMPERATURE, self.length_field: int(self.max_answer_tokens)}

    @property
    def judge(self) -> str:
        """The model that judges."""
        return self.judge_model or self.model

    def api_key(self, environment: Mapping[str, str] | None = None) -> str | None:
        """Return the API key, None where none is set; nothing here keeps it.

        Raises
        ------
        InvalidOption
            For a key that no header can hold, and for one that would go over plain http to another machine.
        """
        if self.api_key_env is None:
            return None
        key = (os.environ if environment is None else environment).get(self.api_key_env, "").strip()
        if not key:
            return None
        if not all("!" <= character <= "~" for character in key):
            raise InvalidOption(
                f"The API key in {self.api_key_env} holds spaces or characters that no header can hold; set it anew."
            )
        parts = urlsplit(self.base_url)
        if parts.scheme == "http" and not is_loopback(parts.hostname or "") and not self.key_in_clear:
            raise InvalidOption(
                f"The API key in {self.api_key_env} would go to {self.base_url} in clear; use https, name the variable "
                "of another key with api_key_env (None for no key), or allow it with key_in_clear=True."
            )
        return key

    def to_dict(self) -> dict[str, Any]:
        """Return what tells whose answers these are, without any secret."""
        return {"base_url": self.base_url, "model": self.model, "judge_model": self.judge, **self.sampling}


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("::1"), is_loopback("example.org")
    (True, True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _checked_url(given: Any) -> str:
    # What is wrong is never quoted: it may hold a password.
    advice = 'give the address before /chat/completions, as in "http://127.0.0.1:8000/v1"'
    if not isinstance(given, str):
        raise InvalidOption(f"base_url is of type {type(given).__name__}; {advice}.")
    address = given.strip()
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InvalidOption(f"base_url is no address of a server; {advice}.") from None
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InvalidOption(
            "base_url holds a user name, a password or a query; give the plain address, and put the API key in an "
            "environment variable that api_key_env names."
        )
    strange = any(character.isspace() or not character.isprintable() for character in address)
    if parts.scheme not in ("http", "https") or not host or strange or port == 0:
        raise InvalidOption(f"base_url is no address of a server; {advice}.")
    plain = parts._replace(scheme=parts.scheme.lower(), netloc=parts.netloc.lower(), query="", fragment="").geturl()
    return plain.rstrip("/").removesuffix("/chat/completions").rstrip("/")
