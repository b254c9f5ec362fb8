"""The files that ``workbench report`` writes: checked before any work, named in one line afterwards."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..printing import counted, printable

if TYPE_CHECKING:
    from ..reading import Reading
    from ..report import Report

PAGES, PRINTS, TABLES = (".html", ".htm"), (".pdf",), (".csv", ".json", ".parquet")
MAILABLE_BYTES = 5_000_000
"""Up to here a page goes through any mailbox; above, whoever writes it is told."""


@dataclass(frozen=True, kw_only=True)
class ReportFiles:
    """Where the report, its print, the audit and the exchanges with a model go; None for what is not asked for."""

    output: Path | None = None
    pdf: Path | None = None
    audit: Path | None = None
    transcript: Path | None = None

    def check(self, inputs: Iterable[Path | None]) -> None:
        """Refuse what cannot be written, or would be written over what is read or over one another.

        Parameters
        ----------
        inputs : iterable of pathlib.Path
            Files that are read, and folders of which any file may be.

        Raises
        ------
        click.UsageError
            Where nothing is to be written.
        WorkbenchError
            For a name with another ending, a folder that is not there, a file that is an input, a file that is there
            already in a folder that is an input, a file that is named twice, or a PDF without a browser to print it.
        """
        from ..errors import InvalidOption

        given = self._given()
        if all(name == "--transcript" for name, _, _ in given):
            raise click.UsageError("Nothing is to be written: give -o, --pdf or --audit.")
        read = [path.expanduser() for path in inputs if path is not None]
        for number, (name, path, endings) in enumerate(given):
            _check_place(name, path, endings)
            _check_apart(name, path, read)
            for other, taken, _ in given[:number]:
                if _same(path, taken):
                    raise InvalidOption(f"{name} is {path}, and so is {other}; give another name.")
        if self.pdf is not None:
            from ..report.pdf import browser_here

            browser_here()

    def _given(self) -> list[tuple[str, Path, tuple[str, ...]]]:
        every = (
            ("-o", self.output, PAGES),
            ("--pdf", self.pdf, PRINTS),
            ("--audit", self.audit, TABLES),
            ("--transcript", self.transcript, ()),
        )
        return [(name, path, endings) for name, path, endings in every if path is not None]

    def write(self, report: Report, reading: Reading | None = None, *, smaller: Sequence[str]) -> None:
        """Write all that was asked for, and print one line that says what; also of what was written before an error.

        Parameters
        ----------
        report : Report
        reading : Reading, optional
            What the audit is of.
        smaller : sequence of str
            What makes the page smaller, told where it is larger than a mailbox likes.
        """
        told: list[str] = []
        try:
            for one in self._written(report, reading):
                told.append(one)  # noqa: PERF402  (what came before an error stays)
        finally:
            if told:
                click.echo(f"wrote {'; '.join(told)}", err=True)
                self._warn(smaller)

    def _warn(self, smaller: Sequence[str]) -> None:
        """Say where a page that was written is larger than a mailbox likes."""
        if self.output is None or (size := self.output.expanduser().stat().st_size) <= MAILABLE_BYTES:
            return
        click.echo(
            f"warning: {printable(self.output.name)} has {_sized(size)}, more than the {_sized(MAILABLE_BYTES)} that "
            f"any mailbox takes; {' or '.join(smaller)} makes it smaller.",
            err=True,
        )

    def _written(self, report: Report, reading: Reading | None) -> Iterator[str]:
        if self.output is not None:
            yield _told(report.save(self.output.expanduser()))
        if self.audit is not None and reading is not None:
            audit = reading.audit()
            yield _told(audit.save(self.audit.expanduser()), counted(len(audit), "block"))
        if self.pdf is not None:
            with ended_in_order():
                printed = report.to_pdf(self.pdf)
            yield _told(printed)


def _check_place(name: str, path: Path, endings: tuple[str, ...]) -> None:
    """Refuse a name that no such file can have."""
    from ..errors import FileMissing, InvalidOption

    if endings and path.suffix.lower() not in endings:
        raise InvalidOption(f"{name} is {path.name}; its name must end in {' or '.join(endings)}.")
    if not path.expanduser().absolute().parent.is_dir():
        raise FileMissing(f"There is no folder {path.parent} to write {path.name} into; make it first.")
    if path.expanduser().is_dir():
        raise InvalidOption(f"{name} is {path}, which is a folder; give the name of a file in it.")


def _check_apart(name: str, path: Path, read: Sequence[Path]) -> None:
    """Refuse a file that is read; in a folder that is read, any that is there may be."""
    from ..errors import InvalidOption

    for source in read:
        if _same(path, source):
            raise InvalidOption(f"{name} is {path}, which is read as well; give another name.")
        if source.is_dir() and path.expanduser().exists() and _real(path).is_relative_to(_real(source)):
            raise InvalidOption(
                f"{name} is {path}, which is there already, in the folder {source} that is read; give another name."
            )


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path.expanduser()))


def _same(left: Path, right: Path) -> bool:
    """Whether two names lead to one file, by a link of either kind or in another case."""
    if _real(left) == _real(right):
        return True
    try:
        return left.expanduser().samefile(right.expanduser())
    except OSError:
        return False


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """Within it, let a request to end raise ``SystemExit``, so that what was started or put somewhere goes as well.

    Signals are the business of the main thread; in another one, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _: object) -> None:
        # What a shell says of a program that a signal ended.
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _told(path: Path, more: str = "") -> str:
    """Return a file with its size."""
    return f"{printable(str(path))} ({', '.join(filter(None, (_sized(path.stat().st_size), more)))})"


def _sized(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"
