"""Measure how fast a classifier scores: ``python benchmarks/classifier_speed.py [CLASSIFIER] [FILE] [--rounds N]``.

Every backend of this machine scores the same pairs with blocks of 110 word pieces, in turns, and its ranking is
compared with that of stock transformers in single precision, which is also what its time is compared with. Then the
whole second stage of one question is timed on a long filing: its candidates are found, put in words and scored. The
time of processors is told beside that on the wall: on a busy machine only the first holds still.

Without CLASSIFIER one is made of the packaged MiniLM with a head that is fitted to its own cosines: as fast as any
that is trained over it, and with a spread of logits like one.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from workbench.documents import Document, open_document  # noqa: E402 - importable by the line above
from workbench.relevance.classifier import Classifier  # noqa: E402
from workbench.relevance.classifier.backends import candidates  # noqa: E402
from workbench.relevance.classifier.opening import tied_share  # noqa: E402
from workbench.relevance.encoders import default_encoder  # noqa: E402
from workbench.relevance.encoders.backends import spearman  # noqa: E402
from workbench.relevance.encoders.self_test_texts import PASSAGES, QUESTIONS  # noqa: E402
from workbench.relevance.heard import candidate_blocks  # noqa: E402
from workbench.relevance.hybrid import HybridScorer  # noqa: E402
from workbench.relevance.pair_text import pair_texts  # noqa: E402

Floats = npt.NDArray[np.float32]

DEFAULT_FILE = Path("financebench") / "pdfs" / "3M_2018_10K.pdf"
PLAIN = "transformers fp32, batches of 16, in order"
BLOCK_PIECES = 110
PAIRS = 64


@dataclass(slots=True)
class Figures:
    """What one way of scoring took, at best of its rounds.

    Attributes
    ----------
    way : str
    wall, processor : float
        Seconds for all pairs; ``processor`` counts all threads.
    pairs : int
    agreement : float
        Spearman's correlation of its logits with those of the first way, mean over questions.
    tied : float
        Share of its logits that another one of the same question equals.
    """

    way: str
    wall: float
    processor: float
    pairs: int
    agreement: float
    tied: float

    def row(self, plain: Figures) -> list[str]:
        """Return the cells of the table."""
        return [
            self.way,
            f"{1_000 * self.wall / self.pairs:.2f}",
            f"{1_000 * self.processor / self.pairs:.2f}",
            f"{plain.wall / self.wall:.2f}",
            f"{plain.processor / self.processor:.2f}",
            f"{self.agreement:.5f}",
            f"{self.tied:.1%}",
        ]


def blocks_of(tokenizer_folder: Path, count: int) -> list[str]:
    """Return texts of ``BLOCK_PIECES`` word pieces each, cut from passages of all kinds."""
    from workbench.relevance.encoders.model_files import ModelFiles
    from workbench.relevance.encoders.word_pieces import load_tokenizer

    tokenizer = load_tokenizer(ModelFiles.of(tokenizer_folder))
    words = " ".join(PASSAGES)
    pieces = tokenizer.encode(words, add_special_tokens=False)
    starts = np.linspace(0, len(pieces.ids) - BLOCK_PIECES - 1, count).astype(int)
    return [words[pieces.offsets[at][0] : pieces.offsets[at + BLOCK_PIECES - 1][1]] for at in starts]


def plain_transformers(folder: Path, max_tokens: int) -> Callable[[str, Sequence[str]], Floats]:
    """Return what one would write first: transformers, padded to the longest of each 16 pairs."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True).eval()

    def score(question: str, texts: Sequence[str]) -> Floats:
        found = []
        with torch.inference_mode():
            for start in range(0, len(texts), 16):
                some = list(texts[start : start + 16])
                asked = [question] * len(some)
                batch = tokenizer(
                    asked, some, padding=True, truncation="only_second", max_length=max_tokens, return_tensors="pt"
                )
                logits = model(**batch).logits
                found.append((logits[:, 1] - logits[:, 0]).numpy())
        return np.concatenate(found)

    return score


def measure(
    ways: dict[str, Callable[[str, Sequence[str]], Floats]], texts: Sequence[str], *, rounds: int
) -> list[Figures]:
    """Let each way score the same pairs, in turns; the first way is the reference."""
    asked = QUESTIONS[:2]
    best: dict[str, Figures] = {}
    reference: list[Floats] = []
    for turn in range(rounds + 1):
        for name, score in ways.items():
            wall, processor = time.perf_counter(), time.process_time()
            found = [score(question, texts) for question in asked]
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
            reference = reference or found
            if turn == 0:  # which allocates and compiles
                agreement = float(np.mean([spearman(one, other) for one, other in zip(reference, found, strict=True)]))
                tied = float(np.mean([tied_share(one) for one in found]))
                best[name] = Figures(name, np.inf, np.inf, len(asked) * len(texts), agreement, tied)
                continue
            known = best[name]
            known.wall, known.processor = min(known.wall, wall), min(known.processor, processor)
    return list(best.values())


def second_stage(classifier: Classifier, document: Document, rounds: int) -> dict[str, float]:
    """Time the whole second stage of a question: find the candidates, put them in words, score them."""
    first = HybridScorer(encoder=default_encoder())
    walls, processors = [], []
    pages, blocks = len(document.pages), len(document)
    for turn, question in enumerate((QUESTIONS[0], QUESTIONS[0], *QUESTIONS[6:8])[: rounds + 2]):
        logits = first.score(document, question, progress=False).logits
        wall, processor = time.perf_counter(), time.process_time()
        chosen = candidate_blocks(document.texts, logits, classifier.candidates)
        texts = pair_texts(document, chosen.tolist(), classifier.pair_text)
        classifier.score(question, texts)
        if turn:
            walls.append(time.perf_counter() - wall)
            processors.append(time.process_time() - processor)
    return {
        "pages": pages,
        "blocks": blocks,
        "candidates": classifier.candidates,
        "seconds": min(walls),
        "processor_seconds": min(processors),
    }


def made_classifier(folder: Path) -> Path:
    """Export a classifier of the packaged MiniLM with a head that is fitted to its own cosines."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    from workbench.training.exporting import export_classifier
    from workbench.training.learning.bases import find_base

    base = find_base().folder
    labels = {0: "not relevant", 1: "relevant"}
    model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=2, id2label=labels).eval()
    tokenizer = AutoTokenizer.from_pretrained(base)
    encoder = default_encoder()
    cosines = encoder.encode(list(QUESTIONS), kind="question") @ encoder.encode(list(PASSAGES), kind="passage").T
    states = []
    with torch.inference_mode():
        for question in QUESTIONS:
            batch = tokenizer([question] * len(PASSAGES), list(PASSAGES), padding=True, return_tensors="pt")
            states.append(model.bert(**batch).pooler_output)
    design = np.hstack([torch.cat(states).numpy(), np.ones((cosines.size, 1), np.float32)]).astype(np.float64)
    wanted = 12.0 * (cosines.ravel() - 0.3)
    fitted = np.linalg.solve(design.T @ design + 0.01 * np.eye(design.shape[1]), design.T @ wanted)
    with torch.no_grad():
        model.classifier.weight.copy_(torch.tensor(np.stack([-fitted[:-1], fitted[:-1]]) / 2))
        model.classifier.bias.copy_(torch.tensor([-fitted[-1] / 2, fitted[-1] / 2]))
    model.save_pretrained(folder / "made")
    tokenizer.save_pretrained(folder / "made")
    export_classifier(folder / "made", folder / "classifier", base=base, progress=False)
    return folder / "classifier"


def show(console: Console, figures: Sequence[Figures], stage: dict[str, float], chosen: str, file: str) -> None:
    """Print the tables."""
    table = Table(title=f"{figures[0].pairs} pairs, blocks of {BLOCK_PIECES} word pieces")
    for column in ("way", "ms/pair", "CPU ms/pair", "times as fast", "by CPU", "Spearman", "tied"):
        table.add_column(column, justify="left" if column == "way" else "right")
    for figure in figures:
        table.add_row(*figure.row(figures[0]))
    console.print(table)
    console.print(
        f"The second stage of one question on {file} ({stage['pages']:.0f} pages, {stage['blocks']:,.0f} blocks, "
        f"{stage['candidates']:.0f} candidates) with {chosen}: {stage['seconds']:.2f} s "
        f"({stage['processor_seconds']:.2f} CPU s)."
    )


def run(folder: Path, file: Path, rounds: int) -> tuple[list[Figures], dict[str, float], str]:
    """Measure everything."""
    opened = {name: Classifier.open(folder, backend=name) for name in candidates(folder)}
    ways: dict[str, Callable[[str, Sequence[str]], Floats]] = {
        PLAIN: plain_transformers(folder, next(iter(opened.values())).max_tokens)
    }
    for name, one in opened.items():
        ways[name] = lambda question, texts, one=one: one.score(question, texts)[0]
    figures = measure(ways, blocks_of(folder, PAIRS), rounds=rounds)
    chosen = Classifier.open(folder)
    document = open_document(file, progress=False)
    return figures, second_stage(chosen, document, rounds), chosen.computation


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    data = Path(os.environ.get("SPARSEREAD_DATA") or ROOT.parent / "shared" / "data")
    parser.add_argument("classifier", nargs="?", type=Path, help="an exported classifier [one that is made]")
    parser.add_argument("file", nargs="?", type=Path, default=data / DEFAULT_FILE, help="the document")
    parser.add_argument("--rounds", type=int, default=2, help="times that each backend takes its turn")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="workbench-benchmark-") as place:
        folder = chosen.classifier or made_classifier(Path(place))
        figures, stage, backend = run(folder, chosen.file, chosen.rounds)
    show(Console(width=110), figures, stage, backend, chosen.file.name)
    if chosen.json is not None:
        said = {"backends": [asdict(figure) for figure in figures], "second_stage": stage, "chosen": backend}
        chosen.json.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
