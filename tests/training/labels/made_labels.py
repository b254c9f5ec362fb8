"""Documents and labels for tests of labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import workbench as wb
from workbench.documents import Document
from workbench.training.labels import Label

QUESTION = "What rose?"
ASKED = "谁审批国内差旅？"
TEXT = """# Report

Net 😀 sales rose by 3 %, and cafe\u0301 costs by $5 to $9.

=1+1 is how a cell begins, and @SUM(A1) another one.

Backups  run at night;\r\nthey are  kept for 30 days.

国内差旅由部门经理审批，海外差旅由总裁审批。

Nothing else happened in the year under review.
"""


def document_of(folder: Path, text: str = TEXT, name: str = "report.md") -> Document:
    """A document with that text; another text of the same name is another version of it."""
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return wb.open_document(path)


def label_of(
    document: Document, block_id: int = 1, value: str = "evidence", annotator: str = "ann", **more: Any
) -> Label:
    """A label of a block."""
    return Label.of(document, more.pop("question", QUESTION), block_id, value, annotator=annotator, **more)
