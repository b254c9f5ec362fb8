"""A small workload in a folder, and scorers that are slow, that fail, and that note what they were asked."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.reading.made import SharedWords
from workbench.documents import Document
from workbench.reading import SparseReader
from workbench.relevance.scores import RelevanceScores, Scope
from workbench.workload import Workload, load_workload

DEPOTS = ("Oslo", "Bergen", "Turku", "Aarhus", "Lund", "Kiel", "Riga", "Gdynia", "Visby", "Narvik")
MANUAL = [
    f"Depot {name} keeps {40 + row} pumps, and its gate opens at {row + 5} o'clock in winter."
    for row, name in enumerate(DEPOTS)
]
RULES = ["住宿标准为每晚五百元。", "机票须提前三天申请。", "餐费按天发放，每天六十元。", "私家车每公里补贴一元二角。"]

REQUESTS: list[dict[str, Any]] = [
    {"id": "depots-1", "artifact": "depots.txt", "question": "How many pumps does Turku keep?",
     "evidence": [{"quote": "Depot Turku keeps 42 pumps"}], "scenario": "long_document_qa"},
    {"id": "rules-1", "artifact": "制度.txt", "question": "住宿标准是多少？", "evidence": [{"quote": "每晚五百元"}]},
    {"id": "depots-2", "artifact": "depots.txt", "question": "When does the gate of Kiel open?",
     "evidence": [{"quote": "Depot Kiel keeps 45 pumps"}, {"quote": "this stands nowhere at all"}], "label": "two"},
    {"id": "depots-3", "artifact": "depots.txt", "question": "And that of Riga?",
     "turns": ["When does the gate of Kiel open?"], "evidence": [{"quote": "Depot Riga keeps 46 pumps"}]},
    {"id": "rules-2", "artifact": "制度.txt", "question": "出差可以带宠物吗？", "answerable": False},
    {"id": "table-1", "artifact": "pumps.csv", "question": "How many litres do all pumps move together?",
     "scope": "aggregate", "scenario": "native_fit", "evidence": [{"quote": "P-7 | 70"}]},
]  # fmt: skip


def workload_in(folder: Path, requests: Sequence[dict[str, Any]] = REQUESTS) -> Workload:
    """Write a workload and its artifacts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "depots.txt").write_text("\n\n".join(MANUAL), "utf-8")
    (folder / "制度.txt").write_text("\n\n".join(RULES), "utf-8")
    rows = [f"P-{row},{10 * row}" for row in range(1, 40)]
    (folder / "pumps.csv").write_text("\n".join(["pump,litres", *rows]), "utf-8")
    lines = "\n".join(json.dumps(request, ensure_ascii=False) for request in requests)
    (folder / "workload.jsonl").write_text(lines + "\n", "utf-8")
    return load_workload(folder)


class Noting(SharedWords):
    """Notes every question that it is asked in a file, and may be slow or end its process at some."""

    def __init__(self, notes: Path, *, slow: Sequence[str] = (), deadly: Sequence[str] = ()) -> None:
        super().__init__()
        self.notes, self.slow, self.deadly = notes, slow, deadly
        self.owner = os.getpid()

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        with self.notes.open("a", encoding="utf-8") as stream:
            stream.write(f"{question}\n")
        if question in self.deadly:
            assert os.getpid() != self.owner, "this would kill the tests themselves"
            os.kill(os.getpid(), signal.SIGKILL)
        if question in self.slow:
            time.sleep(60.0)
        return super().score(document, question, scope=scope, progress=progress)

    def asked(self) -> list[str]:
        return self.notes.read_text("utf-8").splitlines() if self.notes.exists() else []


def reader_of(scorer: Any = None) -> SparseReader:
    """A reader that keeps little, so that small documents need rounds."""
    return SparseReader(scorer=scorer or SharedWords(), token_share=0.2, min_tokens=0)
