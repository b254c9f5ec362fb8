"""What the bench is timed on: a document of as many blocks as wanted, and outcomes of as many requests.

Texts and outcomes are those of the bundled workload, repeated; nothing random decides what a block says.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from workbench.documents import BlockKind, open_document
from workbench.workload import Evidence, Request, Workload, load_workload
from workbench.workload.replay import load_outcomes

if TYPE_CHECKING:
    import pandas as pd

DEV = Path(__file__).resolve().parents[1] / "datasets" / "dev"
SOURCES = ("documents/harbor-manual.md", "documents/travel-policy.txt", "artifacts/security-policy.docx")
QUESTION = "What happens to a volume that is nearly full?"
SECTION = 20
"""Blocks of a section, its heading among them."""
_SHORTEST, _LONGEST = 60, 400


def paragraphs() -> list[str]:
    """Return the paragraphs of some bundled documents that are neither short nor cut where they are read again."""
    found: list[str] = []
    for name in SOURCES:
        for block in open_document(DEV / name).blocks:
            text = " ".join(block.text.split())
            plain = text[:1].isalpha() and not set("*_`<>[]|\\#") & set(text)
            if block.kind is BlockKind.PARAGRAPH and _SHORTEST <= len(text) <= _LONGEST and plain:
                found.append(text)
    return found


def write_document(path: Path, blocks: int) -> Path:
    """Write a Markdown file that is read as so many blocks: a heading, and then paragraphs, again and again."""
    texts = cycle(paragraphs())
    path.write_text("\n\n".join(_lines(blocks, texts)) + "\n", encoding="utf-8")
    return path


def _lines(blocks: int, texts: Iterator[str]) -> Iterator[str]:
    for place in range(blocks):
        number, inside = divmod(place, SECTION)
        # A number at the end makes each block another one, as in life.
        yield f"## Section {number + 1} of the handbook" if inside == 0 else f"{next(texts)} ({place})"


def write_workload(folder: Path, sizes: tuple[int, ...]) -> Workload:
    """Write a workload with one document and one request a size; the id of a request is its size."""
    folder.mkdir(parents=True, exist_ok=True)
    requests = []
    for size in sizes:
        path = write_document(folder / f"made-{size}.md", size)
        quote = path.read_text(encoding="utf-8").split("\n\n")[SECTION + 1]
        requests.append(Request(id=str(size), artifact=path.name, question=QUESTION, evidence=[Evidence(quote=quote)]))
    saved = Workload.of(requests, name="made", folder=folder).save(folder)
    return load_workload(saved.parent)


def many_outcomes(requests: int, seed: int = 0) -> pd.DataFrame:
    """Return the outcomes of so many requests: rows of the bundled ones, drawn with noise on the signals."""
    outcomes = load_outcomes(DEV / "outcomes.parquet")
    random = np.random.default_rng(seed)
    drawn = random.integers(0, len(outcomes), requests)
    table = outcomes.iloc[drawn].reset_index(drop=True)
    table["request"] = [f"{name}-{place}" for place, name in enumerate(table["request"])]
    for name in ("s", "c", "r"):
        noisy = table[name].to_numpy(np.float64) + random.normal(0.0, 0.01, requests)
        table[name] = np.clip(noisy, 0.0, 1.0)
    table.attrs = dict(outcomes.attrs)
    return table
