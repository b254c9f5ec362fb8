"""The command ``workbench`` and what is the same for all its subcommands: errors, interrupts, logging.

Nothing here, nor at the top of a subcommand's module, imports more than click: ``workbench --help`` is quick.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from typing import IO, Any

import click

from .. import __version__
from ..errors import InvalidOption, InvalidQuestion, ScaleMismatch, WorkbenchError
from ..printing import printable
from .blocks import blocks
from .cache import cache
from .calibrate import calibrate
from .chat import chat
from .evaluate import evaluate
from .gate import gate
from .importing import import_
from .lab import lab
from .labels import labels
from .read import read
from .replay import replay
from .report import report
from .serve import serve
from .threshold import threshold
from .train import export, train

MISUSE = (InvalidOption, InvalidQuestion, ScaleMismatch)
"""Errors in what was asked for, not in what was found."""

_log = logging.getLogger("workbench")


class Failure(click.ClickException):
    """An error that is told in one line."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Print ``error: …`` to standard error."""
        click.echo(f"error: {printable(self.message)}", file=file or sys.stderr)


class Misuse(Failure):
    """An argument or option with a value that is not allowed."""

    exit_code = 2


class Interrupted(Failure):
    """Somebody pressed Ctrl-C."""

    exit_code = 130


class Application(click.Group):
    """A group that turns the workbench's own errors, and output that cannot be written, into one line."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line with an output that takes every character."""
        if hasattr(sys.stdout, "reconfigure"):
            # Not every terminal has UTF-8, and what is redirected on Windows has not; a "?" is better than no table.
            sys.stdout.reconfigure(errors="replace")
        try:
            return super().main(*args, **extra)
        except OSError as error:
            _log.debug("the command ended early", exc_info=True)
            reason = error.strerror or str(error)
            what = f"{error.filename} cannot be used" if error.filename else "The output cannot be written"
            failure = Failure(f"{what} ({reason}).")
            failure.show()
            _drop_output()
            sys.exit(failure.exit_code)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand; with ``--debug`` let its errors through."""
        try:
            result = super().invoke(ctx)
            # What is still in the buffer fails here, and not when Python ends and can only print a traceback.
            sys.stdout.flush()
            return result
        except WorkbenchError as error:
            if ctx.params.get("debug"):
                raise
            raise (Misuse if isinstance(error, MISUSE) else Failure)(str(error)) from error
        except KeyboardInterrupt as interrupt:
            raise Interrupted("interrupted.") from interrupt


def _drop_output() -> None:
    """Let what is left in the buffer go nowhere when Python ends: writing it has failed already."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@click.group(cls=Application, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="workbench")
@click.option("--debug", is_flag=True, help="Log what happens, and show the traceback of an error.")
def cli(debug: bool) -> None:
    """Look at documents as blocks that lead back to them, and read of them what a question needs.

    Exit codes: 0 done, 1 the job failed, 2 the command was not understood, 3 nothing relevant (read, report), 130
    interrupted.
    """
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(logging.Formatter("warning: %(message)s"))
    if debug:
        logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
        logging.getLogger("workbench").setLevel(logging.DEBUG)


for command in (
    blocks,
    read,
    chat,
    gate,
    import_,
    replay,
    calibrate,
    threshold,
    labels,
    train,
    evaluate,
    export,
    report,
    cache,
    lab,
    serve,
):
    cli.add_command(command)


def main() -> None:
    """Run the command line."""
    cli(prog_name="workbench")
