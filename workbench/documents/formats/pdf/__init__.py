"""PDF: pdfium's characters to words, lines, columns, tables and blocks.

``page`` turns a range of pages into arrays and looks at one page at a time; ``structure`` turns the ranges into a
draft and sees the whole document.
"""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
