"""Time and progress of a long parse: one object that is asked now and then whether to go on."""

from __future__ import annotations

from ..draft import Draft, Span
from ..source import ParseContext

NOT_READ = "not read: max_seconds"
_STRIDE = 1_000


class Pace:
    """Asks for the time once in a thousand steps.

    Parameters
    ----------
    context : ParseContext
    name : str
        The file's name, for messages.
    total : int
        What ``done`` counts up to, in characters, rows or cells.
    """

    def __init__(self, context: ParseContext, name: str, total: int) -> None:
        self._context = context
        self.name = name
        self._total = total
        self._steps = 0

    def goes_on(self, done: int) -> bool:
        """Say whether there is time for another step; call once a block, row or line.

        Raises
        ------
        LimitExceeded
            If the time is up and ``partial`` is not set.
        """
        self._steps += 1
        if self._steps % _STRIDE:
            return True
        return self.has_time(done)

    def has_time(self, done: int) -> bool:
        """As ``goes_on``, but look at the clock at once: for steps that take long."""
        self._context.report(done, self._total)
        if self._context.options.partial:
            return not self._context.out_of_time
        self._context.check_time(self.name)
        return True

    def give_up(self, draft: Draft, rest: Span) -> None:
        """List what was not read and tell the reader."""
        draft.exclude(rest, NOT_READ)
        seconds = self._context.options.max_seconds
        draft.warn(
            "truncated",
            f"Only the first part of {self.name} was read: it took longer than {seconds:g} s (max_seconds).",
        )


def warn_if_empty(draft: Draft, name: str, text: str) -> bool:
    """Tell the reader of a file that holds nothing but white space, and say whether it does."""
    if text.strip():
        return False
    draft.warn("empty", f"{name} holds only white space; there is nothing to read in it.")
    return True
