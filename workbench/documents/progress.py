"""Progress that is shown only when a task takes long enough for a person to wonder."""

from __future__ import annotations

import contextlib
import math
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, Protocol, TextIO

from .source import Report

SHOW_AFTER = 1.0
"""Seconds of work, counted from the first piece done, before anything is shown."""
SHOW_ANYWAY = 3.0
"""Seconds after which a task is shown that has not got anywhere: the start of a worker process takes less."""
WORTH_SHOWING = 0.5
"""Seconds that a task must have left, by what it has done so far, to be shown: a shorter look is a flash."""
REFRESH = 0.2
"""Least seconds between two updates of what is shown."""
ESTIMATE_AFTER, ESTIMATE_FROM = 5.0, 0.05
"""Seconds that a task must have run, and share of it that must be done, before what is left is estimated."""
WIDTH, LEAST_WIDTH = 24, 8
"""Cells of the bar, and of one in a line that is full."""
LABEL_WIDTH = 40
"""Longest label."""
LINE_WIDTH = 79
"""Longest line: one that wraps cannot be written over, and some terminals wrap when the last of 80 is filled."""
_FEW_SECONDS, _MANY_SECONDS, _FEW_MINUTES, _MANY_MINUTES = 10, 90, 20, 120


class Reporter(Protocol):
    """Shows one task; a user interface installs its own with ``set_reporter``."""

    def update(self, done: int, total: int, seconds: float) -> None:
        """Show how far it is; ``total`` is 0 while unknown."""

    def close(self) -> None:
        """Take it off the screen."""


class LineReporter:
    """One line of stderr that is written over, for terminals."""

    def __init__(self, label: str, stream: TextIO | None = None) -> None:
        self._label = _short(label)
        self._pace = _Pace()
        self._stream = stream or sys.stderr
        self._width = 0

    def update(self, done: int, total: int, seconds: float) -> None:
        """Write the line again."""
        line = progress_line(self._label, done, total, seconds, self._pace.left(done, total, seconds))
        width = _cells(line)
        self._stream.write("\r" + line + " " * (self._width - width))
        self._stream.flush()
        self._width = width

    def close(self) -> None:
        """Clear the line."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()


class OutputReporter:
    """An output of the running cell that is updated: a notebook shows what is written to stderr on red.

    Parameters
    ----------
    label : str
    display : callable
        ``IPython.display.display``.
    """

    def __init__(self, label: str, display: Callable[..., Any]) -> None:
        self._label = _short(label)
        self._pace = _Pace()
        self._display = display
        self._handle: Any = None

    def update(self, done: int, total: int, seconds: float) -> None:
        """Show the line, or another one in its place."""
        left = self._pace.left(done, total, seconds)
        shown = {"text/plain": progress_line(self._label, done, total, seconds, left)}
        if self._handle is None:
            self._handle = self._display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)

    def close(self) -> None:
        """Leave an empty output: one alone cannot be taken away again."""
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


def default_reporter(label: str) -> Reporter:
    """Return an output of the cell in a notebook, else a line of stderr; imports nothing to find out."""
    display = getattr(sys.modules.get("IPython.display"), "display", None)
    return OutputReporter(label, display) if display is not None and in_notebook() else LineReporter(label)


class _Pace:
    """How fast a task goes since it is shown: what was remembered from before was done at once."""

    def __init__(self) -> None:
        self._first: tuple[int, float] | None = None

    def left(self, done: int, total: int, seconds: float) -> float | None:
        """Return an estimate of the seconds that are left, None where there is no telling yet."""
        if self._first is None:
            self._first = done, seconds
        before, since = self._first
        if seconds < ESTIMATE_AFTER or not before < done < total or done < ESTIMATE_FROM * total:
            return None
        return (seconds - since) * (total - done) / (done - before)


def _short(label: str, width: int = LABEL_WIDTH) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in label)
    if _cells(shown) <= width:
        return shown
    while _cells(shown) >= width:
        shown = shown[:-1]
    return shown + "…"


def _cells(text: str) -> int:
    """Return how many cells of a terminal a text fills: a Chinese character fills two."""
    return sum(1 + (unicodedata.east_asian_width(character) in "FW") for character in text)


Factory = Callable[[str], Reporter]

_factory: Factory = default_reporter


def set_reporter(factory: Factory | None) -> None:
    """Show progress with ``factory(label)`` from now on; None goes back to a line of text."""
    global _factory  # noqa: PLW0603 - one screen, one way to show things on it
    _factory = factory or default_reporter


_listening: ContextVar[Factory | None] = ContextVar("listening", default=None)
_around: ContextVar[Callable[[], None] | None] = ContextVar("around", default=None)
"""Tells the listener once more how far the task is that runs around this one."""


@contextlib.contextmanager
def reporting(factory: Factory) -> Iterator[None]:
    """Have the tasks that run inside, on this thread alone, report to ``factory(label)``: each report, and at once.

    Somebody follows them here, so a task reports unless it was told not to. What a reporter raises ends the task: that
    is how it is cancelled. A silent task inside a told one has that one told of again now and then, so that a long one
    can be cancelled as well.
    """
    token = _listening.set(factory)
    try:
        yield
    finally:
        _listening.reset(token)


def progress_line(label: str, done: int, total: int, seconds: float, left: float | None = None) -> str:
    """Return progress as text of at most ``LINE_WIDTH`` cells.

    Parameters
    ----------
    label : str
    done, total : int
        ``total`` is 0 while unknown.
    seconds : float
        Since the task began.
    left : float, optional
        Estimate of the seconds that are left.

    Examples
    --------
    >>> progress_line("Reading a.pdf", 40, 160, 2.5)
    'Reading a.pdf  ######------------------  40/160  2 s'
    >>> progress_line("Reading a.pdf", 40, 160, 13.4, left=40.2)
    'Reading a.pdf  ######------------------  40/160  13 s, about 40 s left'
    >>> progress_line("Reading a.pdf", 0, 0, 2.5)
    'Reading a.pdf  2 s'
    """
    took = f"{seconds:.0f} s" + ("" if left is None else f", {_about(left)} left")
    if total <= 0:
        return f"{label}  {took}"
    figures = f"  {done:,}/{total:,}  {took}"
    label = _short(label, max(1, LINE_WIDTH - 2 - LEAST_WIDTH - len(figures)))
    width = min(WIDTH, LINE_WIDTH - 2 - _cells(label) - len(figures))
    filled = width * min(done, total) // total
    return f"{label}  {'#' * filled}{'-' * (width - filled)}{figures}"


def _about(seconds: float) -> str:
    """Return a time as nobody would doubt it: an estimate of "38 s" that changes at each look tells less than "40 s".

    Examples
    --------
    >>> _about(3.2), _about(38.0), _about(100.0), _about(5_000.0), _about(9_000.0)
    ('about 4 s', 'about 40 s', 'about 2 min', 'about 85 min', 'about 2.5 h')
    """
    if seconds <= _FEW_SECONDS:
        return f"about {max(1, math.ceil(seconds))} s"
    if seconds <= _MANY_SECONDS:
        return f"about {5 * round(seconds / 5)} s"
    minutes = round(seconds / 60)
    if minutes < _MANY_MINUTES:
        return f"about {minutes if minutes < _FEW_MINUTES else 5 * round(minutes / 5)} min"
    return f"about {seconds / 3600:.1f} h"


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
    """Give a ``report(done, total)`` that shows a task once it has taken long enough, and has enough left.

    A task is shown after ``SHOW_AFTER`` seconds of work, unless it will be done in ``WORTH_SHOWING`` seconds, and
    in any case after ``SHOW_ANYWAY``. Inside ``reporting`` it is told at once.

    Parameters
    ----------
    label : str
        What is being done, for people.
    progress : bool, optional
        True shows it anywhere, False never, None where somebody looks.
    clock : callable
        Seconds; another one for tests.
    """
    listening = _listening.get()
    if listening is not None:
        with _silent(clock) if progress is False else _told(listening(label), clock) as tell:
            yield tell
        return
    shown: Reporter | None = None
    begun: float | None = None
    started = last = clock()
    show = wanted(progress)

    def report(done: int, total: int) -> None:
        nonlocal shown, begun, last
        if not show:
            return
        now = clock()
        if begun is None and done > 0:
            begun = now
        if shown is None:
            if now - started < SHOW_ANYWAY and (begun is None or not _is_due(now - begun, done, total)):
                return
            shown = _factory(label)
        elif now - last < REFRESH:
            return
        last = now
        shown.update(done, total, now - started)

    try:
        yield report
    finally:
        if shown is not None:
            shown.close()


@contextlib.contextmanager
def _told(reporter: Reporter, clock: Callable[[], float]) -> Iterator[Report]:
    """Give a ``report(done, total)`` that goes to a reporter as it is."""
    started = clock()
    last = 0, 0

    def tell(done: int, total: int) -> None:
        nonlocal last
        last = done, total
        reporter.update(done, total, clock() - started)

    token = _around.set(lambda: reporter.update(*last, clock() - started))
    try:
        yield tell
    finally:
        _around.reset(token)
        reporter.close()


@contextlib.contextmanager
def _silent(clock: Callable[[], float]) -> Iterator[Report]:
    """Give a ``report(done, total)`` that tells of nothing but the task around it, if there is one."""
    around, last = _around.get(), clock()

    def tell(done: int, total: int) -> None:
        nonlocal last
        del done, total
        if around is not None and clock() - last >= REFRESH:
            last = clock()
            around()

    yield tell


def _is_due(seconds: float, done: int, total: int) -> bool:
    left = seconds * (total - done) / done if done > 0 and total > 0 else SHOW_ANYWAY
    return seconds >= SHOW_AFTER and left >= WORTH_SHOWING
