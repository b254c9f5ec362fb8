"""Progress that is shown only when a task takes long enough for a person to wonder."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Protocol, TextIO

from .source import Report

SHOW_AFTER = 1.0
"""Seconds before anything is shown."""
REFRESH = 0.2
"""Least seconds between two updates of what is shown."""
WIDTH = 24
"""Cells of the bar."""
LABEL_WIDTH = 40
"""Longest label; a line that wraps cannot be written over."""


class Reporter(Protocol):
    """Shows one task; a user interface installs its own with ``set_reporter``."""

    def update(self, done: int, total: int, seconds: float) -> None:
        """Show how far it is; ``total`` is 0 while unknown."""

    def close(self) -> None:
        """Take it off the screen."""


class LineReporter:
    """One line of stderr that is written over; terminals and notebooks both show it as moving text."""

    def __init__(self, label: str, stream: TextIO | None = None) -> None:
        shown = label if len(label) <= LABEL_WIDTH else label[: LABEL_WIDTH - 1] + "…"
        self._label = "".join(c if c.isprintable() else "?" for c in shown)
        self._stream = stream or sys.stderr
        self._width = 0

    def update(self, done: int, total: int, seconds: float) -> None:
        """Write the line again."""
        line = progress_line(self._label, done, total, seconds)
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)

    def close(self) -> None:
        """Clear the line."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()


Factory = Callable[[str], Reporter]

_factory: Factory = LineReporter


def set_reporter(factory: Factory | None) -> None:
    """Show progress with ``factory(label)`` from now on; None goes back to a line of text."""
    global _factory  # noqa: PLW0603 - one screen, one way to show things on it
    _factory = factory or LineReporter


def progress_line(label: str, done: int, total: int, seconds: float) -> str:
    """Return progress as text.

    Examples
    --------
    >>> progress_line("Reading a.pdf", 40, 160, 2.5)
    'Reading a.pdf  ######------------------  40/160  2 s'
    >>> progress_line("Reading a.pdf", 0, 0, 2.5)
    'Reading a.pdf  2 s'
    """
    if total <= 0:
        return f"{label}  {seconds:.0f} s"
    filled = WIDTH * min(done, total) // total
    return f"{label}  {'#' * filled}{'-' * (WIDTH - filled)}  {done:,}/{total:,}  {seconds:.0f} s"


def wanted(progress: bool | None) -> bool:
    """Return whether progress is shown: as told, else in a terminal or a notebook, never in a log file."""
    if progress is not None:
        return progress
    return in_notebook() or bool(getattr(sys.stderr, "isatty", lambda: False)())


def in_notebook() -> bool:
    """Return whether this process is a notebook's kernel; imports nothing to find out."""
    if "ipykernel" not in sys.modules:
        return False
    get_ipython = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = get_ipython() if get_ipython else None
    return getattr(shell, "kernel", None) is not None


@contextlib.contextmanager
def showing(
    label: str, progress: bool | None = None, *, clock: Callable[[], float] = time.monotonic
) -> Iterator[Report]:
    """Give a ``report(done, total)`` that shows a task once it has taken ``SHOW_AFTER`` seconds.

    Parameters
    ----------
    label : str
        What is being done, for people.
    progress : bool, optional
        True shows it anywhere, False never, None where somebody looks.
    clock : callable
        Seconds; another one for tests.
    """
    shown: Reporter | None = None
    started = last = clock()
    show = wanted(progress)

    def report(done: int, total: int) -> None:
        nonlocal shown, last
        now = clock()
        if not show or now - started < SHOW_AFTER or (shown is not None and now - last < REFRESH):
            return
        if shown is None:
            shown = _factory(label)
        last = now
        shown.update(done, total, now - started)

    try:
        yield report
    finally:
        if shown is not None:
            shown.close()
