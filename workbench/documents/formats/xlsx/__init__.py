"""Spreadsheets: ``workbook`` reads cells, ``values`` says what they show, ``regions`` where their tables are."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
