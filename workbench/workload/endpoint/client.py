"""Chat completions over HTTP: tried again where that may help, within a limit of calls, and never past a ceiling."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from ...documents.surrogates import without_surrogates
from ...errors import EndpointFailed, MissingDependency
from ...printing import shortened
from .ceiling import Account, Message, most_usage
from .options import Endpoint
from .pacing import LONGEST_ASKED_PAUSE, Clock, Pacer, Sleep, asked_pause, pause_before
from .redaction import Redactor
from .replies import NOTHING, Nonsense, Reply, Usage, reply_of, told_by

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 8 << 20
"""Largest body that is taken from a server."""
_CONNECT_SECONDS = 15.0
_ALL_REFUSED = frozenset({401, 402, 403, 404, 405})
"""A server that says one of these to one request says it to all."""
_AGAIN = frozenset({408, 409, 425, 429, *range(500, 600)})
_ADVICE = {
    401: "set the API key that the endpoint expects in the environment variable",
    402: "the account has no credit left",
    403: "the API key may not use this model",
    404: "check base_url and model",
    405: "check base_url: it stands before /chat/completions",
}

_log = logging.getLogger("workbench")


class EndpointUseless(EndpointFailed):
    """The endpoint refuses every request, so that there is no use in asking on."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """A try without an answer: what happened as a clause, whether another try may help, and after which pause.

    What it has cost is None where nobody says: a call that was cut off may have cost all that it could.
    """

    what: str
    again: bool = True
    pause: float | None = None
    useless: bool = False
    paid: Usage | None = NOTHING


class ChatClient:
    """Asks one endpoint; several threads may ask at once. Close it after use.

    Parameters
    ----------
    endpoint : Endpoint
    account : Account, optional
        Pays for the calls.
    environment : mapping of str to str, optional
        Holds the API key; that of the process by default.
    clock, sleep : callable, optional
        Seconds that only grow, and how to wait for some of them.

    Raises
    ------
    MissingDependency
        If the package httpx is not installed.
    InvalidOption
        For an API key that cannot be sent.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        account: Account | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        clock: Clock = time.monotonic,
        sleep: Sleep | None = None,
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingDependency(
                "To ask an endpoint the package httpx is needed; pip install 'sparseread-workbench[endpoint]'."
            ) from None
        key = endpoint.api_key(environment)
        self.endpoint = endpoint
        self.account = account or Account()
        self.redacted = Redactor(key)
        self._stop = threading.Event()
        self._useless = ""
        self._clock, self._sleep = clock, sleep or self._rest
        self._pacer = Pacer(endpoint.per_minute, clock=clock, sleep=self._sleep)
        self._http = httpx.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(endpoint.timeout_seconds, connect=min(_CONNECT_SECONDS, endpoint.timeout_seconds)),
            limits=httpx.Limits(max_connections=endpoint.parallel),
            # A redirect would send the text to a server that nobody named.
            follow_redirects=False,
            # This machine is never reached through a proxy.
            mounts={"all://127.0.0.1": None, "all://localhost": None, "all://[::1]": None},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"ChatClient({self.endpoint.base_url!r}, {self.endpoint.model!r})"

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def stop(self) -> None:
        """Let no call be tried again."""
        self._stop.set()

    def complete(self, messages: Sequence[Message], *, model: str | None = None) -> Reply:
        """Return the model's answer to some messages.

        Parameters
        ----------
        messages : sequence of mapping
            Each with "role" and "content".
        model : str, optional
            Another one than the endpoint's.

        Raises
        ------
        CostCeiling
            Before a call that might cost more than is left.
        EndpointFailed
            If there is no answer after all tries, or no use in trying again.
        """
        body = {"model": model or self.endpoint.model, "messages": list(messages), **self.endpoint.sampling}
        # Half of a surrogate pair from a damaged document is no Unicode that could be sent.
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        most = most_usage(messages, int(self.endpoint.max_answer_tokens))
        for made in range(1, int(self.endpoint.tries) + 1):
            self._pacer.wait()
            if self._useless:
                raise EndpointUseless(self._useless)
            self.account.reserve(most)
            paid: Usage | None = None
            try:
                found = self._try(data)
                paid = found.usage if isinstance(found, Reply) else found.paid
            finally:
                self.account.settle(most, paid)
            if isinstance(found, Reply):
                return replace(found, tries=made)
            self._after(found, made)
        raise AssertionError("the last try has raised")

    def _after(self, failure: _Failure, made: int) -> None:
        """Wait before the next try, or say why there is none."""
        where = f"The endpoint {self.endpoint.base_url}"
        what = failure.what
        if failure.useless:
            raise self._give_up(f"{where} {what}.")
        pause = pause_before(made) if failure.pause is None else failure.pause
        if failure.again and pause > LONGEST_ASKED_PAUSE:
            raise self._give_up(f"{where} {what}, and asks to wait {pause:,.0f} seconds; ask again later.")
        if not failure.again or made >= self.endpoint.tries or self._stop.is_set():
            tries = f" at each of {made} tries" if made > 1 else ""
            advice = "" if not failure.again else "; see whether it runs, and ask again: what was asked is remembered"
            raise EndpointFailed(f"{where} {what}{tries}{advice}.")
        _log.info("%s %s; it is asked again in %.1f s", where, what, pause)
        self._pacer.hold(pause) if failure.pause is not None else self._sleep(pause)

    def _give_up(self, why: str) -> EndpointUseless:
        """Let nobody ask any more: neither now nor, where a thread has work left, after this."""
        self._useless = why
        return EndpointUseless(why)

    def _try(self, data: bytes) -> Reply | _Failure:
        import httpx

        started = self._clock()
        try:
            response, body = self._sent(data)
        except _TooMuch as error:
            return _Failure(str(error), again=False, paid=None)
        except httpx.TimeoutException as error:
            connecting = isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout)
            what = f"gave no answer in {self.endpoint.timeout_seconds:g} seconds"
            return _Failure(what, paid=NOTHING if connecting else None)
        except httpx.ConnectError as error:
            return _Failure(f"cannot be reached ({self._said(str(error))})")
        except httpx.TransportError as error:
            return _Failure(f"broke off ({self._said(str(error))})", paid=None)
        except httpx.HTTPError as error:  # what cannot be decoded
            return _Failure(f"sent what cannot be read ({type(error).__name__})", paid=None)
        status = int(response.status_code)
        if status != 200:
            return self._refused(status, response, body)
        try:
            reply = reply_of(body)
        except Nonsense as error:
            return _Failure(str(error), paid=error.usage)
        return replace(
            reply, text=self.redacted.key_only(without_surrogates(reply.text)), seconds=self._clock() - started
        )

    def _refused(self, status: int, response: httpx.Response, body: bytes) -> _Failure:
        if 300 <= status < 400:
            return _Failure(
                f"sends on to another address ({status}); give the address that answers as base_url", useless=True
            )
        said = self._said(told_by(body))
        what = f"refused with status {status}" + (f" ({said})" if said else "")
        if status in _ALL_REFUSED:
            name = f" {self.endpoint.api_key_env}" if status == 401 and self.endpoint.api_key_env else ""
            return _Failure(f"{what}; {_ADVICE[status]}{name}", useless=True)
        if status in _AGAIN:
            # An empty account is told with the status of a busy server.
            if "insufficient_quota" in body[:4_000].decode("utf-8", "replace"):
                return _Failure(f"{what}; the account has no credit left", useless=True)
            return _Failure(what, pause=asked_pause(response.headers.get("Retry-After"), time.time()))
        return _Failure(f"{what}; if the text is too long, give the model's context_tokens in the options' exchange "
                        "or name another model", again=False)  # fmt: skip

    def _sent(self, data: bytes) -> tuple[httpx.Response, bytes]:
        """Return a response and its body; one that is too large or comes too slowly is cut off."""
        import httpx

        until = time.monotonic() + self.endpoint.timeout_seconds
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        url = f"{self.endpoint.base_url}/chat/completions"
        with self._http.stream("POST", url, content=data, headers=headers) as response:
            found = bytearray()
            for chunk in response.iter_bytes():
                found += chunk
                if len(found) > MOST_BYTES:
                    raise _TooMuch(f"sent more than {MOST_BYTES >> 20} MiB for one answer")
                if time.monotonic() > until:
                    raise httpx.ReadTimeout("too slow")
            return response, bytes(found)

    def _rest(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise EndpointFailed("Asking was stopped; ask again: what was asked is remembered.")

    def _said(self, text: str) -> str:
        # A key that is cut in two would not be found any more.
        return shortened(self.redacted(text), 300).rstrip(".")


class _TooMuch(Exception):
    """A body that is larger than any answer."""
