"""How large a report is and how long it takes: its pictures, the whole file, and the reading that it is made of.

``python -m benchmarks.report`` makes reports of filings, a contract and a paper of the evaluation data, each in a
process of its own with a cache folder of its own: cold, when the blocks have never been embedded, and warm. It also
tells how many bytes a page takes in each format that a browser shows, and how far the picture is from the page.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.reading_speed import cache_folder, seconds

if TYPE_CHECKING:
    from PIL.Image import Image

DOCUMENTS: Mapping[str, tuple[str, str]] = {
    "filing": ("financebench/pdfs/3M_2018_10K.pdf", "What were the capital expenditures in 2018?"),
    "largest filing": ("financebench/pdfs/PEPSICO_2022_10K.pdf", "What drove the change in operating margin?"),
    "paper": ("mmlongbench/documents/2023.acl-long.386.pdf", "Which datasets is the method evaluated on?"),
    "contract": ("", "Under which law is the agreement governed?"),
}
CONTRACTS = "cuad/full_contract_pdf"
MB = 1_000_000
SAMPLED_PAGES = 8
WIDTHS = (300, 960)
ROOT = Path(__file__).resolve().parents[1]

_CHILD = "import sys; from benchmarks.report import report; report(*sys.argv[1:])"


# In the processes that are measured --------------------------------------------------------------


def report(file: str, question: str) -> None:
    """Read a document and make its report, first cold and then warm, and print what each part took as JSON."""
    from workbench.documents import open_document
    from workbench.reading import SparseReader
    from workbench.report import report_on
    from workbench.report.pages.facts import Pictures, page_facts

    told: dict[str, Any] = {}
    for state in ("cold", "warm"):
        began = time.perf_counter()
        reading = SparseReader().read(open_document(file, progress=False), question, progress=False)
        read = time.perf_counter()
        made = report_on(reading, progress=False)
        told[state] = {"read": read - began, "report": time.perf_counter() - read}
    began = time.perf_counter()
    pictures = Pictures([reading], progress=False)
    drawn = time.perf_counter()
    pages = page_facts(reading, pictures=pictures)
    told |= {
        "pages": len(pages),
        "touched": sum(bool(page.kept) for page in pages),
        "blocks": len(reading),
        "drawn": drawn - began,
        "facts": time.perf_counter() - drawn,
        "marks": sum(len(page.marks) for page in pages),
        "pictured": sum(bool(page.picture) for page in pages),
        "picture_bytes": sum(map(len, pictures.found.values())),
        "report_bytes": len(made.html.encode("utf-8")),
        "widths": [_width(pages, pictures.found, touched=touched) for touched in (True, False)],
    }
    print(json.dumps(told))


def _width(pages: Any, found: Mapping[str, str], *, touched: bool) -> int:
    """Return how wide the first picture of a kind is; 0 without one."""
    import base64

    from PIL import Image as Images

    keys = [page.picture for page in pages if page.picture and bool(page.kept) == touched]
    if not keys:
        return 0
    with Images.open(io.BytesIO(base64.b64decode(found[keys[0]].partition(",")[2]))) as image:
        return image.width


# In the process that measures --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a picture: what it is called, and how."""

    name: str
    write: Callable[[Image], bytes]


def formats() -> tuple[Format, ...]:
    """Return the ways that are compared; the first is the one that reports use."""
    from workbench.documents.page_palettes import picture_bytes

    return (
        Format("few colours, or else WebP 25", picture_bytes),
        Format("WebP 25", lambda image: _written(image, "WEBP", quality=25, method=4)),
        Format("WebP 50", lambda image: _written(image, "WEBP", quality=50, method=4)),
        Format("JPEG 40", lambda image: _written(image, "JPEG", quality=40, optimize=True)),
        Format("AVIF 40", lambda image: _written(image, "AVIF", quality=40, speed=8, max_threads=1)),
        Format("PNG, 8 greys", lambda image: _written(image.convert("L").quantize(8), "PNG", optimize=True)),
    )


def _written(image: Image, name: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, format=name, **options)
    return out.getvalue()


def sampled(file: Path, width: int) -> list[Image]:
    """Return pages of a file, evenly spaced, as they are before they are written."""
    from PIL import Image as Images

    from workbench.documents import open_document
    from workbench.documents.options import ReadOptions
    from workbench.documents.page_images import drawn, picture_size

    document = open_document(file, progress=False)
    numbers = np.linspace(1, len(document.pages), min(SAMPLED_PAGES, len(document.pages))).astype(int).tolist()
    found = []
    for number in numbers:
        place = document.pages[number - 1]
        size = picture_size(place, width / place.width)
        found.append(Images.frombytes("RGB", size, drawn(document, number, "page", size, ReadOptions())))
    return found


def compared_formats(files: Mapping[str, Path]) -> Iterator[str]:
    """Yield the lines of the table of formats."""
    from PIL import Image as Images

    yield "| format | width | " + " | ".join(f"{name}, KB a page" for name in files) + " | off | time |"
    yield "| --- | ---: | " + " | ".join("---:" for _ in files) + " | ---: | ---: |"
    for width in WIDTHS:
        pages = {name: sampled(file, width) for name, file in files.items()}
        for way in formats():
            cells, off, taken = [], [], []
            for images in pages.values():
                sizes = []
                for image in images:
                    began = time.perf_counter()
                    data = way.write(image)
                    taken.append(time.perf_counter() - began)
                    sizes.append(len(data))
                    with Images.open(io.BytesIO(data)) as shown:
                        off.append(np.abs(np.asarray(shown.convert("RGB"), int) - np.asarray(image, int)).mean())
                cells.append(f"{np.mean(sizes) / 1_000:.1f}")
            spent = seconds(float(np.mean(taken)))
            yield f"| {way.name} | {width} | {' | '.join(cells)} | {np.mean(off):.1f} | {spent} |"


def run(file: Path, question: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Make the report of a document in a process of its own, and return what that told.

    Raises
    ------
    RuntimeError
        If it fails.
    """
    command = [sys.executable, "-c", _CHILD, str(file), question]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"The report of {file.name} failed: {done.stderr.strip().splitlines()[-1:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measured(files: Mapping[str, Path]) -> Iterator[str]:
    """Yield the lines of the table of reports."""
    yield (
        "| document | pages | with kept blocks | pictures | pixels wide | MB | drawn in | marks | report MB | "
        "report in | read cold | read warm |"
    )
    yield "| --- |" + " ---: |" * 11
    for name, file in files.items():
        with cache_folder() as (_, environment):
            told = run(file, DOCUMENTS[name][1], environment)
        yield (
            f"| {name} | {told['pages']} | {told['touched']} | {told['pictured']} | "
            f"{told['widths'][0]}, {told['widths'][1]} | {told['picture_bytes'] / MB:.2f} | {seconds(told['drawn'])} | "
            f"{told['marks']:,} | {told['report_bytes'] / MB:.2f} | {seconds(told['warm']['report'])} | "
            f"{seconds(told['cold']['read'])} | {seconds(told['warm']['read'])} |"
        )


def chosen(data: Path) -> dict[str, Path]:
    """Return the documents by their names in the tables; the contract is the largest one."""
    contracts = sorted(path for path in (data / CONTRACTS).rglob("*") if path.suffix.lower() == ".pdf")
    largest = max(contracts, key=lambda path: path.stat().st_size)
    return {name: data / place if place else largest for name, (place, _) in DOCUMENTS.items()}


def main() -> None:
    """Print the tables."""
    from benchmarks.evidence_sets import data_folder

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the evaluation data")
    parser.add_argument("--parts", nargs="+", choices=("reports", "formats"), default=("reports", "formats"))
    options = parser.parse_args()
    files = chosen(options.data)
    print(f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    parts = {"reports": measured, "formats": compared_formats}
    for part in options.parts:
        print()
        for line in parts[part](files):
            print(line, flush=True)


if __name__ == "__main__":
    main()
