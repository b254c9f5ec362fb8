"""Workloads made of the sets that people have."""

from __future__ import annotations

from .catalogue import IMPORTERS, Importer
from .defects import Defect
from .importing import import_workload
from .reports import ImportReport

__all__ = ["IMPORTERS", "Defect", "ImportReport", "Importer", "import_workload"]
