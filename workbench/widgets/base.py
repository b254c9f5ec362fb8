"""What all widgets share: script and words, actions and questions of the browser, and errors that are seen.

The browser says two kinds of thing. An *action* changes something: it is one ``Operation``, a Python call ``act`` does
the same, and it is acknowledged once it has happened. A *question* ("ask") changes nothing and gets an answer.
"""

from __future__ import annotations

import contextlib
import logging
import os
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

import anywidget
import traitlets

from ..errors import InvalidOption, WorkbenchError
from ..workspace.operations import Operation
from .scripts import script_of, styles_of
from .wording import checked_language, words_of

_log = logging.getLogger("workbench")


class Controller(Protocol):
    """Takes the actions of widgets in their stead: the bench, which writes each down first."""

    def take(self, operation: Operation) -> None:
        """Do what an operation says."""


class Widget(anywidget.AnyWidget):
    """Base of the widgets.

    A subclass names its script (a file below ``static``) and its sections of words, has a method ``do_<kind>`` for
    each kind of action that it can do alone, and ``answer_<name>`` for each question; the values arrive as keyword
    arguments.

    Parameters
    ----------
    language : str
        "en" or "zh".
    """

    script: ClassVar[str] = ""
    sections: ClassVar[tuple[str, ...]] = ()

    language = traitlets.Unicode("en").tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    channel = traitlets.Unicode("").tag(sync=True)
    """Widgets of one channel hear each other in the browser, without the kernel."""
    workspace = traitlets.Unicode("").tag(sync=True)
    """What the browser keeps unacknowledged actions under; "" for a widget alone."""
    fault = traitlets.Unicode("").tag(sync=True)
    """What went wrong, a sentence; shown until somebody closes it."""
    details = traitlets.Unicode("").tag(sync=True)
    """The traceback of a fault of ours, which can be unfolded and copied."""
    height = traitlets.Int(0).tag(sync=True)
    """In pixels of CSS; 0 for what suits the widget."""

    controller: Controller | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        # anywidget makes a class of each widget, whose traits must stay what they are.
        if "script" in vars(cls):
            cls._esm = script_of(cls.script)
            cls._css = styles_of(cls.script)
        super().__init_subclass__(**kwargs)

    def __init__(self, *, language: str = "en", **traits: Any) -> None:
        words = words_of(("common", *self.sections), checked_language(language))
        super().__init__(language=language, words=words, **traits)
        self.on_msg(self._received)

    def act(self, kind: str, /, **values: Any) -> None:
        """Do what an action of the browser does.

        Raises
        ------
        WorkbenchError
            If it cannot be done; nothing has changed then.
        """
        self._take(Operation(kind, values))

    def do(self, operation: Operation) -> None:
        """Do an operation here, whoever else may want it.

        Raises
        ------
        InvalidOption
            For a kind that this widget does not know.
        """
        found = getattr(self, f"do_{operation.kind}", None)
        if found is None:
            raise InvalidOption(f"{type(self).__name__} knows no action {operation.kind!r:.40}.")
        found(**operation.values)

    def to_html(self, path: str | Path, *, title: str = "SparseRead", theme: str = "auto") -> Path:
        """Write what the widget shows as one HTML file that needs neither kernel nor network; see ``page_export``."""
        from .page_export import save_html

        return save_html(self, path, title=title, theme=theme)

    def _take(self, operation: Operation) -> None:
        if self.controller is not None:
            self.controller.take(operation)
        else:
            self.do(operation)

    def do_close_fault(self) -> None:
        """Take the message of a fault away."""
        with self.hold_sync():
            self.fault = self.details = ""

    def _received(self, _widget: Any, content: Any, buffers: Sequence[memoryview] | None) -> None:
        if not isinstance(content, dict):
            return
        if content.get("kind") == "act":
            self._acted(content.get("operation"))
        elif content.get("kind") == "ask":
            self._asked(content, list(buffers or ()))

    def _acted(self, data: Any) -> None:
        operation = Operation.from_dict(data)
        reply: dict[str, Any] = {"kind": "done", "id": operation.id}
        with self.telling(reply):
            if operation.kind == "close_fault":
                self.do_close_fault()
            else:
                self._take(operation)
        self.send(reply)

    def _asked(self, content: dict[str, Any], buffers: list[memoryview]) -> None:
        reply: dict[str, Any] = {"kind": "answer", "id": content.get("id")}
        sent: list[Any] = []
        with self.telling(reply):
            found = getattr(self, f"answer_{content.get('name')}", None)
            if found is None:
                raise InvalidOption(f"{type(self).__name__} knows no question {content.get('name')!r:.40}.")
            values = dict(content.get("values") or {})
            answer = found(**values, **({"buffers": buffers} if buffers else {}))
            reply["value"], sent = answer if isinstance(answer, tuple) else (answer, [])
        self.send(reply, sent)

    @contextlib.contextmanager
    def telling(self, reply: dict[str, Any] | None = None) -> Iterator[None]:
        """Show what goes wrong inside in the widget, and raise it as well where ``SPARSEREAD_STRICT`` is set.

        Parameters
        ----------
        reply : dict, optional
            Gets the sentence as "error".
        """
        try:
            yield
        except Exception as error:
            known = isinstance(error, WorkbenchError)
            said = (
                str(error) if known else f"Something went wrong here that should not: {type(error).__name__}: {error}"
            )
            if not known:
                _log.exception("A widget's action failed")
            with self.hold_sync():
                self.fault = said
                self.details = "" if known else traceback.format_exc()
            if reply is not None:
                reply["error"] = said
            if os.environ.get("SPARSEREAD_STRICT") and not known:
                self.send(reply or {})
                raise
