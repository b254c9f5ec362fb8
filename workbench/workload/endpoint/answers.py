"""Answers of a model, each asked for once: remembered on disk under everything that decides it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...caching import CacheFolder, key_of
from ...errors import EndpointFailed
from .ceiling import Message
from .client import ChatClient
from .replies import Reply, usage_of
from .transcript import Transcript

SUFFIX = ".answer"


class Answers:
    """Gives the answer to messages: a remembered one, else the endpoint's.

    Parameters
    ----------
    client : ChatClient
    transcript : Transcript, optional
        Takes every exchange, also the remembered ones.
    cache : bool
        Whether answers are remembered, and those that are used.
    """

    def __init__(self, client: ChatClient, transcript: Transcript | None = None, *, cache: bool = True) -> None:
        self.client = client
        self._transcript = transcript
        self._folder = CacheFolder(SUFFIX) if cache else None

    def key(self, model: str, messages: Sequence[Message]) -> str:
        """Return the identity of an exchange."""
        endpoint = self.client.endpoint
        said = [[one["role"], one["content"]] for one in messages]
        return key_of("answer", endpoint.base_url, model, said, endpoint.sampling)

    def ask(self, messages: Sequence[Message], *, request: str, purpose: str, model: str | None = None) -> Reply:
        """Return the answer to some messages.

        Raises
        ------
        CostCeiling, EndpointFailed
            As ``ChatClient.complete`` does.
        """
        model = model or self.client.endpoint.model
        key = self.key(model, messages)
        reply, failed = self._remembered(key), None
        try:
            if reply is None:
                reply = self.client.complete(messages, model=model)
                self._remember(key, reply)
        except EndpointFailed as error:
            failed = str(error)
            raise
        finally:
            if self._transcript is not None and (reply is not None or failed is not None):
                self._transcript.write(
                    key=key, request=request, purpose=purpose, model=model, messages=messages, reply=reply,
                    failed=failed,
                )  # fmt: skip
        return reply

    def _remember(self, key: str, reply: Reply) -> None:
        if self._folder is None:
            return
        usage = reply.usage
        entry = {
            "text": reply.text,
            "usage": usage and {"prompt_tokens": usage.tokens_in, "completion_tokens": usage.tokens_out},
            "finish": reply.finish,
            "seconds": reply.seconds,
            "tries": reply.tries,
        }
        self._folder.store(key, json.dumps(entry).encode("ascii"))

    def _remembered(self, key: str) -> Reply | None:
        data = None if self._folder is None else self._folder.load(key)
        if data is None:
            return None
        try:
            entry = json.loads(data)
            return Reply(
                str(entry["text"]),
                usage_of(entry["usage"]),
                str(entry["finish"]),
                float(entry["seconds"]),
                int(entry["tries"]),
                cached=True,
            )
        except (ValueError, TypeError, KeyError) as error:
            assert self._folder is not None
            self._folder.drop(key, f"{type(error).__name__}: {error}")
            return None
