"""Measure how documents are read: ``python benchmarks/documents.py [--data DIR] [--quick] [--json FILE] [--markdown]``.

Everything is measured in one run: speed, words and evidence on the filings of the evaluation data, headings and running
lines on the pages that a person labelled. Speeds are ratios between ways that read the same documents in turns, because
machines differ and are noisy. Held-out labels are those that nobody has tuned the parser against.
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
    FurnitureScores,
    HeadingScores,
    evidence_rows,
    evidence_score,
    furniture_scores,
    heading_scores,
    page_words,
    row_is_kept,
    word_overlap,
)
from benchmarks.speed import Speed, Timing, measure_speed, peak_worker_mib, sampled_pages  # noqa: E402
from workbench.documents import Document, open_document  # noqa: E402

LABELS = ROOT / "tests" / "documents" / "labels"
LONG_PAGES, SHORT_PAGES = 503, 100
SAMPLE, QUICK_SAMPLE = 8, 3
ORACLE_PAGES, QUICK_ORACLE_PAGES = 40, 8
LABEL_SETS = (("development", ("", "_more")), ("held out", ("_heldout",)))
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


def speed_figures(speed: Speed, filings: int) -> list[Figure]:
    """Put the timings in words."""
    ours, plain, floor = speed.one_process, speed.plain, speed.pdfium
    reach = f"{filings} filings, {ours.pages:,} pages"
    sample = f"{plain.read:,} pages of {filings} filings, weighted by their pages"
    return [
        Figure("pdfium alone: open, load each page and its text", reach, _speed(floor)),
        Figure("open_document, one process, no cache", reach, _speed(ours)),
        Figure("open_document, two workers, no cache", reach, _speed(speed.two_workers)),
        Figure("pdfplumber extract_text, page closed each time (without opening the file)", sample, _speed(plain)),
        Figure("one process against pdfplumber", reach, _ratio(plain, ours)),
        Figure("two workers against pdfplumber", reach, _ratio(plain, speed.two_workers)),
        Figure("pdfium alone against pdfplumber: the most that one process can reach", reach, _ratio(plain, floor)),
        Figure(
            "share of pdfium in the time of one process",
            reach,
            f"wall {floor.wall / ours.wall:.0%}, processor {floor.cpu / ours.cpu:.0%}",
        ),
        Figure(
            "opening from the cache against parsing",
            reach,
            f"{speed.fresh.wall / speed.cached.wall:.0f} times ({speed.cached.wall / filings:.3f} s a filing)",
        ),
    ]


def _speed(timing: Timing) -> str:
    return f"{timing.rate:.1f} pages/s ({timing.cpu_ms:.1f} ms of processor time a page)"


def _ratio(slow: Timing, fast: Timing) -> str:
    return f"{slow.wall / fast.wall:.1f} times on the wall, {slow.cpu / fast.cpu:.1f} times in processor time"


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
    """Compare words with those of pdfplumber on pages drawn from all filings."""
    shares = word_shares(documents, count)
    return [
        Figure(
            "words equal to pdfplumber's (twice the common ones over all, mean of pages)",
            f"{len(shares)} pages",
            f"{np.mean(shares):.2%} (worst page {min(shares):.1%})",
        )
    ]


def word_shares(documents: Sequence[Document], count: int) -> list[float]:
    """Return the overlap with pdfplumber's words of ``count`` pages, one drawn from each equal part of all pages."""
    pages = [(document, page.number) for document in documents for page in document.pages]
    wanted: dict[int, list[int]] = {}
    for at in sampled_pages(len(pages), count, "words"):
        document, number = pages[at]
        wanted.setdefault(documents.index(document), []).append(number)
    shares = []
    for rank, numbers in wanted.items():
        document = documents[rank]
        if document.path is None:
            continue
        with pdfplumber.open(document.path) as pdf:
            for number in numbers:
                page = pdf.pages[number - 1]
                oracle = [word["text"] for word in page.extract_words()]
                page.close()
                shares.append(word_overlap(page_words(document, number), oracle))
    return shares


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
    """Compare headings and running lines with those that a person marked, development and held-out labels apart."""
    figures = []
    for title, endings in LABEL_SETS:
        headings = {
            label["path"]: heading_scores(_document(data, label["path"], opened), label)
            for ending in endings
            for label in labels_of(f"headings{ending}")
        }
        lines: dict[str, FurnitureScores] = {}
        for ending in endings:
            for label in labels_of(f"furniture{ending}"):
                scores = furniture_scores(_document(data, label["path"], opened), label)
                lines[label["path"]] = lines.get(label["path"], FurnitureScores()) + scores
        figures += _heading_figures(title, list(headings.values()))
        figures += _furniture_figures(title, list(lines.values()))
    return figures


def _heading_figures(title: str, scores: Sequence[HeadingScores]) -> list[Figure]:
    total = sum(scores, HeadingScores())
    reach = f"{title}: {total.detected.gold} headings, {len(scores)} documents"
    return [
        Figure("headings, whatever the level", reach, _prf(total.detected, [row.detected for row in scores])),
        Figure("headings with their exact level", reach, _prf(total.level, [row.level for row in scores])),
        Figure("headings below the right parent", reach, _prf(total.nested, [row.nested for row in scores])),
    ]


def _furniture_figures(title: str, scores: Sequence[FurnitureScores]) -> list[Figure]:
    total = sum(scores, FurnitureScores())
    reach = f"{title}: {len(scores)} documents"
    rows = (
        ("running lines in a header or footer", "found"),
        ("running lines in the one of the two that they are", "on_side"),
        ("first and last lines of the body that stayed in it", "body"),
        ("hidden lines kept out of the body", "hidden"),
        ("numbered pages with every line where it belongs", "pages"),
    )
    return [
        Figure(what, reach, _recall(getattr(total, name), [getattr(row, name) for row in scores]))
        for what, name in rows
    ]


def labels_of(name: str) -> list[dict[str, Any]]:
    """Return the labels of a file of ``tests/documents/labels``: one a document for headings, one a page for lines."""
    found: dict[str, list[dict[str, Any]]] = json.loads((LABELS / f"{name}.json").read_text("utf-8"))
    return found["documents" if name.startswith("headings") else "pages"]


def _document(data: Path, path: str, opened: dict[str, Document]) -> Document:
    if path not in opened:
        opened[path] = open_document(data / path, isolate=False, cache=False, progress=False, max_seconds=3_600)
    return opened[path]


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "none"


def _prf(total: Counts, documents: Sequence[Counts]) -> str:
    mean = np.mean([counts.f1 for counts in documents])
    return (
        f"F1 {total.f1:.3f} over all (precision {total.precision:.3f}, recall {total.recall:.3f}), "
        f"{mean:.3f} mean of documents"
    )


def _recall(total: Counts, documents: Sequence[Counts]) -> str:
    shares = [counts.recall for counts in documents if counts.gold]
    return f"{_of(total.hits, total.gold)} over all, {np.mean(shares):.1%} mean of documents" if shares else "none"


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
        timings, documents = measure_speed(filings, sample=QUICK_SAMPLE if quick else SAMPLE)
        figures += speed_figures(timings, len(filings))
        figures += memory_figures(documents)
    else:
        documents = [_document(data, str(path.relative_to(data)), {}) for path in filings]
    figures += word_figures(documents, QUICK_ORACLE_PAGES if quick else ORACLE_PAGES)
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
