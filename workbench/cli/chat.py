"""``workbench chat``: one question after the other about a document; follow-ups keep only what they are about."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printing import printable
from .blocks import reading_options
from .choices import Choices, Count, choice_options

if TYPE_CHECKING:
    from ..reading.sessions import Session

PROMPT = "> "
MINUTES = 30.0


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--kept", type=Count(), default=10, metavar="N", help="Best kept blocks to print, or all [10].")
@click.option("--session", "identity", metavar="USER:SESSION", help="Go on with this session; needs --store.")
@click.option("--store", metavar="WHERE", help="Where it is kept: sqlite:PATH, redis://HOST:PORT/N, or memory.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0.01),
    metavar="M",
    help="Time after its last question that a session is kept [30].",
)
@choice_options
@reading_options
def chat(
    file: Path,
    kept: int,
    identity: str | None,
    store: str | None,
    minutes: float | None,
    item: str | None,
    **others: Any,
) -> None:
    """Ask FILE one question after the other.

    A first question is read in the whole document; one that follows up on it keeps only the sentences that it is
    about. Questions come from the terminal, or one a line from standard input; /help says what else there is.
    """
    from .opening import cache_chosen, one_document
    from .turns import Dialogue

    choices = Choices(**{name: others.pop(name) for name in Choices.__dataclass_fields__})
    session = _session(identity, store, minutes)
    with cache_chosen(others["cache"]):
        reader = choices.reader()
        document = one_document(file, item, others)
        reader.prepare(document, progress=choices.progress)
        dialogue = Dialogue(reader, document, session, choices, kept=kept)
        dialogue.begin()
        with contextlib.suppress(KeyboardInterrupt):
            for line in _lines():
                if not dialogue.answer(line):
                    break


def _session(identity: str | None, store: str | None, minutes: float | None) -> Session:
    """Return the session to go on with, or one that nobody else knows."""
    if (identity is None) != (store is None):
        raise click.UsageError("--session says who goes on, and --store where that is kept: give both or none.")
    if minutes is not None and store is None:
        raise click.UsageError("--minutes is for a session that is kept; give --session and --store as well.")
    from ..reading.sessions import Session
    from ..reading.stores import open_store

    if identity is None or store is None:
        return Session("shell", "chat")
    user, colon, name = identity.partition(":")
    if not colon:
        raise click.UsageError(f"--session is {identity!r:.60}; give USER:SESSION, such as ana:contract.")
    where = "memory:" if store == "memory" else store
    return Session(user, name, open_store(where, ttl_seconds=60 * (MINUTES if minutes is None else minutes)))


def _lines() -> Iterator[str]:
    """Give the lines that are typed, until Ctrl-D or Ctrl-C; else those of standard input, each printed first."""
    if not sys.stdin.isatty():
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        for line in sys.stdin:
            if line.strip():
                click.echo(f"{PROMPT}{printable(line)}")
            yield line.strip()
        return
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - with it a line can be edited, and those before are at hand
    try:
        while True:
            yield input(PROMPT).strip()
    except (EOFError, KeyboardInterrupt):
        click.echo()
