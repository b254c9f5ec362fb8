"""What an export wrote, and what was measured of it."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...printing import counted

if TYPE_CHECKING:
    from .onnx_model import Agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """What an export wrote.

    Attributes
    ----------
    path : pathlib.Path
        The folder.
    fingerprint : str
        Of the classifier; a gate profile knows it by this.
    files : mapping of str to int
        Bytes by path inside the folder.
    agreement : tuple of Agreement
        What was measured of the ONNX files, also of one that is not shipped.
    canaries : int
    notes : tuple of str
        What a person should know.
    """

    path: Path
    fingerprint: str
    files: dict[str, int]
    agreement: tuple[Agreement, ...]
    canaries: int
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as a dict that JSON can hold."""
        return {
            "path": str(self.path),
            "fingerprint": self.fingerprint,
            "files": dict(self.files),
            "agreement": [one.as_dict() for one in self.agreement],
            "canaries": self.canaries,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        size = sum(self.files.values()) / (1 << 20)
        lines = [
            f"The classifier {self.fingerprint[:12]} is in {self.path}: {counted(len(self.files), 'file')}, "
            f"{size:,.0f} MB, {self.canaries} canaries.",
            *map(str, self.agreement),
            *self.notes,
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"
