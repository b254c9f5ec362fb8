"""Readings of every sort, to be audited, and a process that has never seen them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.reading.made import CHINESE, HEADER, Made, SharedWords, manual
from tests.reading.strategies import basis_of
from workbench.documents import Document, PageStatus, open_document
from workbench.errors import InvalidAudit
from workbench.reading import Audit, Feedback, Reading, Session, SparseReader, Threshold, TokenShare, load_audit
from workbench.reading.reading import reading_of
from workbench.relevance.scores import Scale
from workbench.resources import datasets_dir
from workbench.structure import Match, Rule, RuleTable

ASKED = "When does an alarm sound?"
TABLE = RuleTable(
    "test",
    (
        Rule("alarms", Match(keywords=("alarm", "报警")), 1.7),
        Rule("tanks", Match(keywords=("tank",)), 0.3000000001),
        Rule("water", Match(keywords=("solvent", "溶剂")), pin=True, reason="Somebody wants it."),
    ),
)
SUFFIXES = (".csv", ".json", ".parquet")

_IN_A_NEW_PROCESS = """
import json, sys
from workbench.reading import load_audit
told = []
for path in sys.argv[1:]:
    audit = load_audit(path)
    again = audit.decided_again()
    told.append({"wrong": audit.check(), "status": again.status.tolist(), "reason": again.reason.tolist(),
                 "seal": audit.seal, "kept": [row[audit.columns.index("kept")] for row in audit.rows]})
print(json.dumps(told))
"""


def loaded_elsewhere(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Load audits in a fresh process, decide them again, and return what came out."""
    command = [sys.executable, "-c", _IN_A_NEW_PROCESS, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told


class Words:
    """A tokenizer that counts words."""

    name = "words"

    def count(self, texts: Sequence[str]) -> Any:
        return np.array([len(text.split()) for text in texts], np.int32)


def edited(audit: Audit, column: str, block: int, value: Any) -> Audit:
    """The audit with another value in one place, and the seal that belongs to it."""
    rows = [list(row) for row in audit.rows]
    rows[block][audit.columns.index(column)] = value
    return Audit(audit.facts, audit.columns, tuple(map(tuple, rows)))


def column_edited(audit: Audit, column: str, value: Any) -> Audit:
    """The audit with one value in all places of a column."""
    at = audit.columns.index(column)
    return replace(audit, rows=tuple((*row[:at], value, *row[at + 1 :]) for row in audit.rows))


def refused(path: Path, **options: Any) -> str:
    """The sentence with which a file is refused."""
    with pytest.raises(InvalidAudit, match=r"^[^\n]+\.$") as told:
        load_audit(path, **options)
    message = str(told.value)
    assert message.startswith(f"{path.name} is no audit that can be used: ")
    return message.removeprefix(f"{path.name} is no audit that can be used: ").removesuffix(
        "; take the file as it was saved."
    )


def bundled(name: str) -> Document:
    return open_document(datasets_dir() / "dev" / "documents" / name)


def calibrated(document: Document | None = None, **options: Any) -> Reading:
    reader = SparseReader(scorer=SharedWords(Scale.CALIBRATED), rules=TABLE, offsets={"technical": -0.03})
    return reader.read(manual() if document is None else document, ASKED, **options)


def with_feedback() -> Reading:
    feedback, document = Feedback(), manual()
    feedback.no_use(document, ASKED, [5])
    feedback.no_use(document, "Who answers an alarm?", [6])
    reader = SparseReader(scorer=SharedWords(), rules=TABLE, min_tokens=15, token_share=0.3, feedback=feedback)
    return reader.read(document, ASKED)


def follow_up() -> Reading:
    reader, session = SparseReader(scorer=None, rules=TABLE, min_tokens=60), Session("ana", "manual")
    document = bundled("harbor-manual.md")
    reader.read(document, "What triggers a backup?", session=session)
    found = reader.read(document, "How exactly is it triggered?", session=session)
    assert found.focus is not None
    return found


def tables_and_pages() -> Reading:
    made = Made(name='=plan,"x"\n.txt').page().text("The plant", kind=HEADER).heading("Tanks")
    made.table(["tank", "alarm"], ["one", "at 80 %"], ["two", "never"]).page(PageStatus.NO_TEXT).page()
    made.table(["three", "alarm at 90 %"], headers=0).text("An alarm sounds.", "=1+1", "'=1+1", "Caf\udce9")
    document = made.document()
    return SparseReader(scorer=SharedWords(), rules=TABLE, min_tokens=12, token_share=0.2).read(document, ASKED)


def chinese() -> Reading:
    reader = SparseReader(scorer=SharedWords(), rules=TABLE, min_tokens=20, token_share=0.4)
    return reader.read(manual(CHINESE, name="手册.txt", language="zh"), "储罐何时报警？", budget_tokens=120)


READINGS: Mapping[str, Callable[[], Reading]] = {
    "threshold": lambda: calibrated(threshold=0.4),
    "threshold and budget": lambda: calibrated(threshold=0.1, budget_tokens=90),
    "uncalibrated threshold": lambda: SparseReader(scorer=SharedWords(), rules=TABLE).read(
        manual(), ASKED, threshold=Threshold(0.3, scale=Scale.UNCALIBRATED)
    ),
    "share": lambda: SparseReader(scorer=None, rules="technical").read(
        bundled("harbor-manual.md"), "What triggers a backup?", token_share=TokenShare(0.2, 0)
    ),
    "share and budget": lambda: SparseReader(scorer=None, min_tokens=200).read(
        bundled("差旅制度.txt"), "住宿费的标准是多少？", budget_tokens=150
    ),
    "no room": lambda: calibrated(threshold=0.1, budget_tokens=5),
    "focus": lambda: calibrated().with_focus({5: ((3, 8), (16, 22)), 8: ((0, 3),)}),
    "focus and budget": lambda: calibrated(budget_tokens=70).with_focus({5: ((3, 8), (16, 22)), 8: ((0, 3),)}),
    "nothing in focus": lambda: calibrated().with_focus({}),
    "follow-up": follow_up,
    "feedback": with_feedback,
    "tables and pages": tables_and_pages,
    "Chinese": chinese,
    "nothing relevant": lambda: SparseReader(scorer=SharedWords()).read(manual(), "Quarterly dividends?"),
    "no blocks": lambda: reading_of(basis_of(Made().page(PageStatus.NO_TEXT).document(), []), Threshold(0.65)),
}
