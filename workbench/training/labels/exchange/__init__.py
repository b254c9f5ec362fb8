"""Labels from and to the formats of others."""

from __future__ import annotations

from .exchanging import FORMATS, read_labels, write_labels
from .reports import Dropped, ExportReport, ImportReport

__all__ = ["FORMATS", "Dropped", "ExportReport", "ImportReport", "read_labels", "write_labels"]
