"""The gate profile: everything that a calibration found, in one checked file."""

from __future__ import annotations

from .profile import SCHEMA_FILE, GateProfile, schema

__all__ = ["SCHEMA_FILE", "GateProfile", "schema"]
