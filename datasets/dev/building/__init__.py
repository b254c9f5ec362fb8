"""Turns readable sources into the artifacts and the requests of the development workload."""

from __future__ import annotations
