"""Measure how documents are read: ``python benchmarks/documents.py [--data DIR] [--quick] [--json FILE] [--markdown]``.

Everything is measured in one run on the filings of the evaluation data; speeds are ratios between ways that read the
same documents in turns, because machines differ and are noisy.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pdfplumber
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from benchmarks.fidelity import (  # noqa: E402 - the line above makes it importable when run as a script
    Counts,
    evidence_rows,
    evidence_score,
    furniture_scores,
    heading_scores,
    page_words,
    row_is_kept,
    word_overlap,
)
from benchmarks.speed import Speed, measure_speed, peak_worker_mib  # noqa: E402
from workbench.documents import Document, open_document  # noqa: E402

LABELS = ROOT / "tests" / "documents" / "labels"
LONG_PAGES, SHORT_PAGES = 503, 100
EVERY, QUICK_EVERY = 12, 40
ORACLE_PAGES = 40
QUICK_FILINGS = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure: what, the sample it was measured on, and the value in words."""

    what: str
    reach: str
    measured: str


def filings_of(data: Path) -> list[Path]:
    """Return the filings of the evaluation data, by name."""
    return sorted((data / "financebench" / "pdfs").glob("*.pdf"))


def speed_figures(speed: Speed, every: int, filings: int) -> list[Figure]:
    """Put the timings in words."""
    ours, plain = speed.one_process, speed.plain
    reach = f"{filings} filings, {ours.pages:,} pages"
    return [
        Figure(
            "pdfplumber extract_text, page closed each time (without opening the file)",
            f"every {every}th page: {plain.pages:,}",
            f"{plain.rate:.1f} pages/s",
        ),
        Figure("open_document, one process, no cache", reach, f"{ours.rate:.1f} pages/s"),
        Figure("open_document, two workers, no cache", reach, f"{speed.two_workers.rate:.1f} pages/s"),
        Figure("one process against pdfplumber", reach, f"{ours.rate / plain.rate:.1f} times"),
        Figure("two workers against pdfplumber", reach, f"{speed.two_workers.rate / plain.rate:.1f} times"),
        Figure(
            "opening from the cache against parsing",
            reach,
            f"{speed.fresh.seconds / speed.cached.seconds:.0f} times ({speed.cached.seconds / filings:.3f} s a filing)",
        ),
    ]


def memory_figures(documents: Sequence[Document]) -> list[Figure]:
    """Measure the peak memory of a worker on the filings nearest to 503 and to 100 pages."""
    chosen = [min(documents, key=lambda found: abs(len(found.pages) - wanted)) for wanted in (LONG_PAGES, SHORT_PAGES)]
    peaks = [peak_worker_mib(document.path) for document in chosen if document.path is not None]
    figures = [
        Figure("peak memory of the worker process", f"{document.name}, {len(document.pages)} pages", f"{peak:.0f} MiB")
        for document, peak in zip(chosen, peaks, strict=True)
    ]
    return [*figures, Figure("peak, long filing against short", "the two above", f"{peaks[0] / peaks[1]:.2f} times")]


def word_figures(documents: Sequence[Document], count: int) -> list[Figure]:
    """Compare words with those of pdfplumber on pages spread evenly over all filings."""
    pages = [(document, page.number) for document in documents for page in document.pages]
    chosen = [pages[at] for at in np.linspace(0, len(pages) - 1, count).astype(int).tolist()]
    shares = []
    for document in documents:
        numbers = [number for found, number in chosen if found is document]
        if not numbers or document.path is None:
            continue
        with pdfplumber.open(document.path) as pdf:
            for number in numbers:
                page = pdf.pages[number - 1]
                oracle = [word["text"] for word in page.extract_words()]
                page.close()
                shares.append(word_overlap(page_words(document, number), oracle))
    return [
        Figure(
            "words equal to pdfplumber's (twice the common ones over all, mean of pages)",
            f"{len(shares)} pages",
            f"{np.mean(shares):.2%} (worst page {min(shares):.1%})",
        )
    ]


def evidence_figures(documents: Sequence[Document], data: Path) -> list[Figure]:
    """Look for the gold evidence of FinanceBench, and for the table rows that it spells, on its page."""
    by_name = {Path(document.name).stem: document for document in documents}
    scores, kept, rows = [], 0, 0
    with (data / "financebench" / "questions.jsonl").open(encoding="utf-8") as stream:
        evidence = [item for line in stream for item in json.loads(line)["evidence"]]
    for item in evidence:
        document = by_name.get(item["doc_name"])
        if document is None:
            continue
        page = item["evidence_page_num"] + 1
        scores.append(evidence_score(document, item["evidence_text"], page))
        for label, numbers in evidence_rows(item["evidence_text"]):
            rows += 1
            kept += row_is_kept(document, page, label, numbers)
    reach = f"{len(scores)} evidence texts, gold page"
    return [
        Figure(
            "evidence in one run, in the order of the page's text layer",
            reach,
            _of(sum(s.in_layer for s in scores), len(scores)),
        ),
        Figure("evidence in one run, in reading order", reach, _of(sum(s.in_blocks for s in scores), len(scores))),
        Figure(
            "evidence covered by runs of 20 letters and digits or more",
            reach,
            f"mean {np.mean([s.coverage for s in scores]):.1%}; "
            f"{_of(sum(s.coverage >= 0.95 for s in scores), len(scores))} at 95 % or more",
        ),
        Figure(
            "table rows whose label and numbers are in one row block", f"{rows} rows of the evidence", _of(kept, rows)
        ),
    ]


def label_figures(data: Path, opened: dict[str, Document]) -> list[Figure]:
    """Compare headings and running lines with those that a person marked."""
    headings = _labels("headings.json", "documents")
    detected = level = rank = Counts()
    for label in headings:
        scores = heading_scores(_document(data, label["path"], opened), label)
        detected, level, rank = detected + scores.detected, level + scores.level, rank + scores.rank
    found = body = Counts()
    furniture = _labels("furniture.json", "pages")
    for label in furniture:
        lines = furniture_scores(_document(data, label["path"], opened), label)
        found, body = found + lines.found, body + lines.body
    reach = f"{detected.gold} headings, {sum(len(label['pages']) for label in headings)} pages"
    lines_reach = f"{len(furniture)} pages"
    return [
        Figure("headings with their exact level", reach, _prf(level)),
        Figure("headings with the level's rank in the document", reach, _prf(rank)),
        Figure("headings, whatever the level", reach, _prf(detected)),
        Figure("running lines that became header or footer", lines_reach, _of(found.hits, found.gold)),
        Figure("first and last lines of the body that stayed in it", lines_reach, _of(body.hits, body.gold)),
    ]


def _labels(name: str, key: str) -> list[dict[str, Any]]:
    data = json.loads((LABELS / name).read_text("utf-8"))
    found: list[dict[str, Any]] = data[key]
    return found


def _document(data: Path, path: str, opened: dict[str, Document]) -> Document:
    if path not in opened:
        opened[path] = open_document(data / path, isolate=False, cache=False, progress=False, max_seconds=3_600)
    return opened[path]


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "none"


def _prf(counts: Counts) -> str:
    return f"F1 {counts.f1:.3f} (precision {counts.precision:.3f}, recall {counts.recall:.3f})"


def as_markdown(figures: Sequence[Figure]) -> str:
    """Return the figures as a Markdown table."""
    lines = ["| what | reach | measured |", "| --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {row.what} | {row.reach} | {row.measured} |" for row in figures)])


def as_table(figures: Sequence[Figure]) -> Table:
    """Return the figures as a table for a terminal."""
    table = Table("what", "reach", "measured", title="Reading documents")
    for row in figures:
        table.add_row(row.what, row.reach, row.measured)
    return table


def measure(data: Path, *, quick: bool, speed: bool) -> list[Figure]:
    """Measure everything; ``quick`` takes a few filings, and without ``speed`` each is read once."""
    filings = filings_of(data)
    if quick:
        filings = filings[:: max(1, len(filings) // QUICK_FILINGS)]
    figures: list[Figure] = []
    if speed:
        every = QUICK_EVERY if quick else EVERY
        timings, documents = measure_speed(filings, every=every)
        figures += speed_figures(timings, every, len(filings))
        figures += memory_figures(documents)
    else:
        documents = [_document(data, str(path.relative_to(data)), {}) for path in filings]
    figures += word_figures(documents, 8 if quick else ORACLE_PAGES)
    figures += evidence_figures(documents, data)
    opened = {str(path.relative_to(data)): document for path, document in zip(filings, documents, strict=True)}
    return figures + label_figures(data, opened)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark from a shell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[2])
    default = os.environ.get("SPARSEREAD_DATA") or ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of the evaluation data")
    parser.add_argument("--quick", action="store_true", help="a few filings and pages only")
    parser.add_argument("--fidelity-only", action="store_true", help="no timings, no memory")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table instead")
    chosen = parser.parse_args(arguments)
    if not filings_of(chosen.data):
        parser.error(f"{chosen.data} holds no financebench/pdfs/*.pdf; give the evaluation data with --data.")
    figures = measure(chosen.data, quick=chosen.quick, speed=not chosen.fidelity_only)
    if chosen.json:
        text = json.dumps([asdict(row) for row in figures], indent=2, ensure_ascii=False)
        chosen.json.write_text(text + "\n", encoding="utf-8")
    if chosen.markdown:
        print(as_markdown(figures))
    else:
        Console().print(as_table(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
