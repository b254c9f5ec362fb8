"""The files that ``workbench report`` writes: checked before any work, named in one line afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..printing import counted, printable

if TYPE_CHECKING:
    from ..reading import Reading
    from ..report import Report

PAGES, PRINTS, TABLES = (".html", ".htm"), (".pdf",), (".csv", ".json", ".parquet")


@dataclass(frozen=True, kw_only=True)
class ReportFiles:
    """Where the report, its print and the audit go; None for what is not asked for."""

    output: Path | None = None
    pdf: Path | None = None
    audit: Path | None = None

    def check(self, inputs: Iterable[Path | None]) -> None:
        """Refuse what cannot be written, or would be written over what is read.

        Raises
        ------
        click.UsageError
            Where nothing is to be written.
        WorkbenchError
            For a name with another ending, a folder that is not there, a file that is an input, or a PDF without a
            browser to print it.
        """
        from ..errors import FileMissing, InvalidOption

        if not self._given():
            raise click.UsageError("Nothing is to be written: give -o, --pdf or --audit.")
        read = {path.expanduser().resolve() for path in inputs if path is not None}
        for name, path, endings in self._given():
            if path.suffix.lower() not in endings:
                raise InvalidOption(f"{name} is {path.name}; its name must end in {' or '.join(endings)}.")
            if not path.expanduser().absolute().parent.is_dir():
                raise FileMissing(f"There is no folder {path.parent} to write {path.name} into; make it first.")
            if path.expanduser().is_dir():
                raise InvalidOption(f"{name} is {path}, which is a folder; give the name of a file in it.")
            if path.expanduser().resolve() in read:
                raise InvalidOption(f"{name} is {path}, which is read as well; give another name.")
        if self.pdf is not None:
            from ..report.pdf import browser_here

            browser_here()

    def _given(self) -> list[tuple[str, Path, tuple[str, ...]]]:
        every = (("-o", self.output, PAGES), ("--pdf", self.pdf, PRINTS), ("--audit", self.audit, TABLES))
        return [(name, path, endings) for name, path, endings in every if path is not None]

    def write(self, report: Report, reading: Reading | None = None) -> None:
        """Write all that was asked for, and print one line that says what.

        Parameters
        ----------
        report : Report
        reading : Reading, optional
            What the audit is of.
        """
        click.echo(f"wrote {'; '.join(self._written(report, reading))}", err=True)

    def _written(self, report: Report, reading: Reading | None) -> Iterator[str]:
        if self.output is not None:
            yield _told(report.save(self.output.expanduser()))
        if self.audit is not None and reading is not None:
            audit = reading.audit()
            yield _told(audit.save(self.audit.expanduser()), counted(len(audit), "block"))
        if self.pdf is not None:
            yield _told(report.to_pdf(self.pdf))


def _told(path: Path, more: str = "") -> str:
    """Return a file with its size."""
    size = path.stat().st_size
    words = f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"
    return f"{printable(str(path))} ({', '.join(filter(None, (words, more)))})"
