"""The turns of a chat: a line is a question, or begins with a slash and asks something of the last answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ..errors import WorkbenchError
from ..printing import counted, printable, shortened
from .read import least_budget
from .reading_view import (
    SKIPPED_SHOWN,
    scale_words,
    write_explanation,
    write_kept,
    write_labelled,
    write_notes,
    write_skipped,
)
from .terminal import console

if TYPE_CHECKING:
    from ..documents import Document
    from ..reading import Reading, SparseReader
    from ..reading.sessions import Session
    from .choices import Choices

COMMANDS = {
    "/new": "Begin a new topic: the next question is read in the whole document.",
    "/why": "Say why the last question was taken for a follow-up or a new topic, and what is to be known of it.",
    "/explain N": "Print how block N was decided.",
    "/skipped [N]": "Print the best skipped blocks, 5 if no number is given.",
    "/all": "Print every kept block of the last answer.",
    "/budget N": "Keep at most N tokens from now on; /budget none lifts that.",
    "/help": "Print this list.",
    "/quit": "End; so do Ctrl-D and Ctrl-C.",
}
ALL = 1 << 62


class CommandError(WorkbenchError):
    """A line that begins with a slash and is no command, or lacks what the command needs."""


class Dialogue:
    """A chat about one document.

    Parameters
    ----------
    reader : SparseReader
    document : Document
    session : Session
    choices : Choices
    kept : int
        Most kept blocks that are printed of an answer.
    """

    def __init__(
        self, reader: SparseReader, document: Document, session: Session, choices: Choices, *, kept: int
    ) -> None:
        self._reader = reader
        self._document = document
        self._session = session
        self._choices = choices
        self._kept = kept
        self._last: Reading | None = None
        self._told: set[tuple[str, str]] = set()

    def begin(self) -> None:
        """Print what is asked, and what is remembered of an earlier time."""
        document = self._document
        about = f"{printable(document.name)}: {document.document_type.value}, {document.language.value}, " + ", ".join(
            [counted(len(document), "block"), counted(document.tokens, "token")]
        )
        rows = [("document", about)]
        state = self._session.state
        if state is not None and state.questions:
            last = shortened(state.questions[-1], 60)
            rows.append(("session", f'{counted(state.turn, "question")} so far; the last one was "{last}"'))
        write_labelled(console(), rows)
        click.echo("Ask a question; /help says what else there is.")

    def answer(self, line: str) -> bool:
        """Answer one line and return whether another one may follow; what is wrong with it is told in one line."""
        if line.lower().split()[:1] == ["/quit"]:
            return False
        try:
            if line.startswith("/"):
                self._command(line)
            elif line:
                self._ask(line)
        except WorkbenchError as error:
            click.echo(f"error: {printable(str(error))}", err=True)
        return True

    def _ask(self, question: str) -> None:
        reading = self._choices.read(self._reader, self._document, question, session=self._session)
        self._show(reading)

    def _show(self, reading: Reading) -> None:
        """Print what is kept, what that saves, and the notes: those not printed before, all where nothing is kept."""
        self._last = reading
        screen = console()
        write_kept(reading, self._kept, screen, more="/all prints them.")
        click.echo()
        write_labelled(screen, [("saving", self._saving(reading))], style="bold")
        state = self._session.state
        decided = state.remembered[-1].notes if state is not None and state.remembered else ()
        notes = [note for note in reading.notes if note not in decided]
        if reading.is_empty and reading.decision.refused:
            notes.append(f"A block has room from /budget {least_budget(reading)} on.")
        rows = [("scores", scale_words(reading)), *(("note", printable(note)) for note in notes)]
        new = [row for row in rows if reading.is_empty or row not in self._told]
        self._told.update(new)
        write_labelled(screen, new)
        click.echo()

    def _saving(self, reading: Reading) -> str:
        saving = reading.saving
        of_all = f"{100 * saving.share_skipped:.0f} % of the document skipped"
        if reading.focus is None:
            return f"{saving.tokens_kept:,} of {saving.tokens_total:,} tokens kept, {of_all}"
        state = self._session.state
        first = state.first_tokens if state is not None else 0
        share = f", {100 * saving.tokens_kept / first:.0f} % of the {first:,} of the first question" if first else ""
        return f"follow-up: {counted(saving.tokens_kept, 'token')} kept{share}; {of_all}"

    def _command(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        actions: dict[str, Callable[[str], None]] = {
            "/new": self._new,
            "/why": self._why,
            "/explain": self._explain,
            "/skipped": self._skipped,
            "/all": self._all,
            "/budget": self._budget,
            "/help": self._help,
        }
        if name.lower() not in actions:
            raise CommandError(f"There is no {shortened(name, 20)}; /help lists what there is.")
        actions[name.lower()](rest.strip())

    def _answered(self) -> Reading:
        if self._last is None:
            raise CommandError("Nothing was asked yet; ask a question first.")
        return self._last

    def _new(self, _: str) -> None:
        self._session.forget()
        self._last = None
        click.echo("A new topic: the next question is read in the whole document.")

    def _why(self, _: str) -> None:
        write_notes(self._answered().notes, console())

    def _explain(self, rest: str) -> None:
        reading = self._answered()
        write_explanation(reading.explain(_number("/explain", rest, "a block, such as /explain 12")), console())

    def _skipped(self, rest: str) -> None:
        count = _number("/skipped", rest, "how many, such as /skipped 10") if rest else SKIPPED_SHOWN
        write_skipped(self._answered(), count, console())

    def _all(self, _: str) -> None:
        write_kept(self._answered(), ALL, console())

    def _budget(self, rest: str) -> None:
        budget = None if rest == "none" else _number("/budget", rest, "tokens, such as /budget 2000, or none")
        reading = self._last.with_budget(budget) if self._last is not None else None
        self._choices = replace(self._choices, budget=budget)
        if reading is not None:
            self._show(reading)

    def _help(self, _: str) -> None:
        write_labelled(console(), list(COMMANDS.items()), width=max(map(len, COMMANDS)))


def _number(command: str, text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise CommandError(f"{command} needs the number of {what}.")
    return int(text)
