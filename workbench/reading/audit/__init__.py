"""A reading as a table that an auditor can keep, check and decide again: every block, every number, one seal."""

from __future__ import annotations

from .columns import FINGERPRINTS, LAYOUT
from .loading import load_audit
from .making import audit_of
from .table import Audit

__all__ = ["FINGERPRINTS", "LAYOUT", "Audit", "audit_of", "load_audit"]
