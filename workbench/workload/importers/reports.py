"""What an import has written, how much of its evidence is found, and which defects the set has."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...documents.surrogates import without_surrogates
from ...printing import counted
from .defects import Defect

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """The outcome of ``import_workload``.

    Attributes
    ----------
    name : str
        Of the importer.
    folder : pathlib.Path
        Where the workload lies.
    requests, unanswerable, documents, evidence : int
        What was written: requests, those of them that are not answerable, artifacts, and pieces of evidence.
    checked : bool
        Whether the evidence was looked for in the documents.
    ways : dict of str to int
        Pieces of evidence by the way in which they were found.
    unresolved : int
        Pieces that were not found; they are in the workload, and in no figure.
    lost : tuple of str
        The first of them, each with its request and the reason.
    defects : tuple of Defect
        What the set got wrong or spells in a way of its own, and what was done about it.
    """

    name: str
    folder: Path
    requests: int
    unanswerable: int
    documents: int
    evidence: int
    checked: bool = True
    ways: dict[str, int] = field(default_factory=dict)
    unresolved: int = 0
    lost: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()

    @property
    def resolved(self) -> int:
        """Pieces of evidence that were found."""
        return sum(self.ways.values())

    @property
    def resolved_share(self) -> float:
        """Share of the pieces that were found, in [0, 1]; nan where there is none, or where nobody looked."""
        return self.resolved / self.evidence if self.checked and self.evidence else float("nan")

    def to_frame(self) -> pd.DataFrame:
        """Return one row a figure.

        Returns
        -------
        DataFrame
            Columns part ("written", "evidence" or "defect"), what, count, examples (one a line).
        """
        import pandas as pd

        return pd.DataFrame(self._rows(), columns=["part", "what", "count", "examples"])

    def _rows(self) -> list[tuple[str, str, int, str]]:
        written = [("requests", self.requests), ("not answerable", self.unanswerable), ("documents", self.documents)]
        rows = [("written", what, count, "") for what, count in [*written, ("pieces of evidence", self.evidence)]]
        if self.checked:
            rows += [("evidence", f"found: {way}", count, "") for way, count in self.ways.items()]
            rows.append(("evidence", "not found", self.unresolved, "\n".join(self.lost)))
        rows += [("defect", defect.kind, defect.count, "\n".join(defect.examples)) for defect in self.defects]
        return [(part, without_surrogates(what), count, without_surrogates(said)) for part, what, count, said in rows]

    def report(self) -> str:
        """Return the report as text for people."""
        lines = [
            f"{self.name}: {counted(self.requests, 'request')} on {counted(self.documents, 'document')}, "
            f"{self.unanswerable:,} of them not answerable, {counted(self.evidence, 'piece')} of evidence"
        ]
        if not self.checked:
            lines.append("evidence   was not looked for in the documents")
        elif self.evidence:
            ways = ", ".join(f"{way} {count:,}" for way, count in self.ways.items())
            lines.append(
                f"evidence   {self.resolved:,} of {self.evidence:,} found ({100 * self.resolved_share:.1f} %): {ways}"
            )
        if self.unresolved:
            lines.append(f"not found  {counted(self.unresolved, 'piece')}; kept in the workload, in no figure")
            lines += [f"             {said}" for said in self.lost]
        lines.append(f"defects    {counted(len(self.defects), 'kind')}" if self.defects else "defects    none")
        for defect in self.defects:
            lines.append(f"  {defect.count:>7,}  {defect.kind}")
            lines += [f"             {said}" for said in defect.examples]
        return without_surrogates("\n".join(lines))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "importer": self.name,
            "folder": str(self.folder),
            "requests": self.requests,
            "unanswerable": self.unanswerable,
            "documents": self.documents,
            "evidence": self.evidence,
            "checked": self.checked,
            "ways": dict(self.ways),
            "unresolved": self.unresolved,
            "lost": list(self.lost),
            "defects": [{"kind": d.kind, "count": d.count, "examples": list(d.examples)} for d in self.defects],
        }

    def __repr__(self) -> str:
        found = f"{self.resolved:,} of {self.evidence:,} pieces found" if self.checked else "evidence not looked for"
        return (
            f"ImportReport({self.name!r}, {counted(self.requests, 'request')} on "
            f"{counted(self.documents, 'document')}, {found}, {counted(len(self.defects), 'kind')} of defects)"
        )

    def _repr_html_(self) -> str:
        body = "".join(
            "<tr>"
            + "".join(
                f"<td style='text-align:left;vertical-align:top;white-space:pre-line'>{html.escape(str(cell))}</td>"
                for cell in row
            )
            + "</tr>"
            for row in self._rows()
        )
        head = "".join(f"<th style='text-align:left'>{name}</th>" for name in ("part", "what", "count", "examples"))
        # Without these classes a notebook turns "$5 to $9" into a formula.
        return f"<table class='mathjax_ignore tex2jax_ignore'><tr>{head}</tr>{body}</table>"
