"""A server on this machine that says what it was told to say, in order, and notes what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = Mapping[str, Any]


@dataclass
class Scripted:
    """One reply: a status, headers and a body; or a fault in the place of it."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    """"hang": no answer at all; "cut": the connection ends in the middle of the body."""


def completion(text: Any, *, usage: Any = (7, 3), finish: str = "stop") -> Scripted:
    """A good reply."""
    values: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": finish}]}
    if usage is not None:
        values["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return Scripted(json.dumps(values).encode())


def refusal(status: int, message: str = "busy", **headers: str) -> Scripted:
    """An error as OpenAI words it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Scripted(json.dumps({"error": {"message": message}}).encode(), status, named)


class ChatServer:
    """Answers chat completions by a function, or by a list of replies in their order."""

    def __init__(self, replies: Callable[[Body], Scripted] | list[Scripted]) -> None:
        self.asked: list[Body] = []
        self.headers: list[Mapping[str, str]] = []
        self.at_once = self.most_at_once = 0
        self._replies = replies
        self._lock = threading.Lock()
        self.over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"

    @contextmanager
    def running(self) -> Iterator[ChatServer]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.over.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def reply(self, body: Body, headers: Mapping[str, str]) -> Scripted:
        with self._lock:
            self.asked.append(body)
            self.headers.append(headers)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            if isinstance(self._replies, list):
                return self._replies.pop(0)
        return self._replies(body)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        chat = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                assert self.path == "/v1/chat/completions"
                found = chat.reply(body, dict(self.headers))
                try:
                    self._send(found)
                except (BrokenPipeError, ConnectionResetError):
                    pass
                finally:
                    with chat._lock:
                        chat.at_once -= 1

            def _send(self, found: Scripted) -> None:
                if found.fault == "hang":
                    chat.over.wait(30)
                    return
                self.send_response(found.status)
                for name, value in found.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(found.body) + (100 if found.fault == "cut" else 0)))
                self.end_headers()
                self.wfile.write(found.body)
                self.close_connection = found.fault == "cut"

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        return Handler


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now += seconds
