"""When a parser stops early: the limits on time and blocks, asked once a row, line or slide."""

from __future__ import annotations

from ..draft import BEYOND_LIMIT, Draft, Span
from ..pages import OUT_OF_TIME
from ..source import ParseContext

NOT_READ = "not read: max_seconds"


class Pace:
    """Reports progress and says whether to go on; one for each parse.

    Parameters
    ----------
    draft : Draft
        What is written; its blocks are counted.
    context : ParseContext
    name : str
        The file's name, for messages.
    total : int
        What ``done`` counts up to, in characters, rows or slides; 0 if that is not known.
    """

    def __init__(self, draft: Draft, context: ParseContext, name: str, total: int = 0) -> None:
        self._draft = draft
        self._context = context
        self.name = name
        self._total = total

    def goes_on(self, done: int) -> bool:
        """Say whether there is time and room for another step; cheap enough to call once a block, row or line.

        Room is a matter of ``max_blocks``, which is judged when the draft is done: here reading on is only useless.

        Raises
        ------
        LimitExceeded
            If the time is up and ``partial`` is not set.
        """
        if self._is_full:
            return False
        self._context.report(done, self._total)
        if not self._context.options.partial:
            self._context.check_time(self.name)
            return True
        return not self._context.out_of_time

    def give_up(self, rest: Span | None = None, *, after: str = "its first part") -> None:
        """List what was written and not read, and once tell the reader; ``after`` is what was read."""
        if rest is not None:
            self._draft.exclude(rest, BEYOND_LIMIT if self._is_full else NOT_READ)
        if self._is_full or any(warning.code == OUT_OF_TIME for warning in self._draft.warnings):
            return
        seconds = self._context.options.max_seconds
        self._draft.warn(
            OUT_OF_TIME, f"Reading {self.name} ended after {after}, because its {seconds:g} s were up (max_seconds)."
        )

    @property
    def _is_full(self) -> bool:
        return len(self._draft.blocks) > self._context.options.max_blocks


def warn_if_empty(draft: Draft, name: str, text: str) -> bool:
    """Tell the reader of a file that holds nothing but white space, and say whether it does."""
    if text.strip():
        return False
    draft.warn("empty", f"{name} holds only white space; there is nothing to read in it.")
    return True
