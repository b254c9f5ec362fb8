"""How fast documents are read, as ratios within one run, and how much memory a worker takes.

Every document is read in turns by every way, so that a slow minute of the machine hits all of them alike. A way that
reads only a sample of a document's pages counts for the whole document: the mean of a page, averaged over the
documents with their pages as weights. Processor time is told beside the time on the wall, because the machine may have
other work.
"""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pdfplumber
import psutil
import pypdfium2

from workbench.caching import ENVIRONMENT as CACHE_FOLDER
from workbench.documents import Document, open_document

SAMPLE_INTERVAL_S = 0.01
NO_LIMIT = 3_600.0
SEED = 20261130

_READ_ONCE = """
import sys
from workbench.documents import open_document
open_document(sys.argv[1], workers=1, cache=False, progress=False, max_seconds=float(sys.argv[2]))
"""


@dataclass(slots=True)
class Timing:
    """What one way of reading took, brought up to whole documents.

    Attributes
    ----------
    pages : int
        Pages of the documents.
    read : int
        Pages that were really read.
    wall, cpu : float
        Seconds that all pages take at the mean of those read; ``cpu`` counts this process and its children.
    """

    pages: int = 0
    read: int = 0
    wall: float = 0.0
    cpu: float = 0.0

    def add(self, pages: int, read: int, wall: float, cpu: float) -> None:
        """Count one more document, of which ``read`` pages took the given seconds."""
        self.pages += pages
        self.read += read
        self.wall += wall * pages / read
        self.cpu += cpu * pages / read

    @property
    def rate(self) -> float:
        """Pages a second on the wall."""
        return self.pages / self.wall if self.wall else 0.0

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of processor time a page."""
        return 1_000 * self.cpu / self.pages if self.pages else 0.0


@dataclass(slots=True)
class Speed:
    """Timings over the same documents, taken in turns.

    Attributes
    ----------
    pdfium : Timing
        pdfium alone: open the file, load each page and its text.
    plain : Timing
        pdfplumber on a sample: ``extract_text`` of a page and closing it, without opening the file.
    one_process, two_workers : Timing
        ``open_document`` without the cache.
    fresh, cached : Timing
        ``open_document`` with an empty cache, and again.
    """

    pdfium: Timing = field(default_factory=Timing)
    plain: Timing = field(default_factory=Timing)
    one_process: Timing = field(default_factory=Timing)
    two_workers: Timing = field(default_factory=Timing)
    fresh: Timing = field(default_factory=Timing)
    cached: Timing = field(default_factory=Timing)


def measure_speed(paths: Sequence[Path], *, sample: int) -> tuple[Speed, list[Document]]:
    """Read each document in six ways, one document after the other.

    Parameters
    ----------
    paths : sequence of path
    sample : int
        Pages of a document that pdfplumber reads.

    Returns
    -------
    tuple
        The timings, and the documents as one process read them.
    """
    speed, documents = Speed(), []
    ways = (
        (speed.one_process, {"isolate": False, "cache": False}),
        (speed.two_workers, {"isolate": True, "workers": 2, "cache": False}),
        (speed.fresh, {"isolate": False, "cache": True}),
        (speed.cached, {"isolate": False, "cache": True}),
    )
    with _own_cache():
        for path in paths[:1]:
            _open(path, isolate=True, workers=2, cache=False)  # what is loaded once a process is not measured
            _open(path, isolate=False, cache=False)
        for path in paths:
            pages = _pdfium(path, speed.pdfium)
            _plain(path, speed.plain, sampled_pages(pages, sample, path.name))
            for timing, options in ways:
                with _clock() as taken:
                    document = _open(path, **options)
                timing.add(pages, pages, *taken)
                if timing is speed.one_process:
                    documents.append(document)
    return speed, documents


def sampled_pages(pages: int, count: int, name: str) -> list[int]:
    """Draw one page (0-based) from each of ``count`` equal parts of a document, always the same ones.

    Examples
    --------
    >>> sampled_pages(3, 8, "short.pdf")
    [0, 1, 2]
    >>> [page // 10 for page in sampled_pages(80, 8, "long.pdf")]
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    if pages <= count:
        return list(range(pages))
    draw = random.Random(f"{SEED} {name}")
    edges = [pages * part // count for part in range(count + 1)]
    return [draw.randrange(low, high) for low, high in pairwise(edges)]


def peak_worker_mib(path: Path) -> float:
    """Return the largest resident memory, in MiB, of the one worker with which a new process reads a document.

    Raises
    ------
    RuntimeError
        If the document cannot be read.
    """
    command = [sys.executable, "-c", _READ_ONCE, str(path), str(NO_LIMIT)]
    peak = 0
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as reader:
        watched = psutil.Process(reader.pid)
        while reader.poll() is None:
            with contextlib.suppress(psutil.NoSuchProcess):
                peak = max([peak, *(child.memory_info().rss for child in watched.children(recursive=True))])
            time.sleep(SAMPLE_INTERVAL_S)
        said = reader.stderr.read() if reader.stderr else ""
    if reader.returncode:
        raise RuntimeError(f"{path.name} was not read: {said.strip().splitlines()[-1:]}")
    return peak / 2**20


def _pdfium(path: Path, timing: Timing) -> int:
    """What no reader that stands on pdfium can do without; return the number of pages."""
    with _clock() as taken:
        document = pypdfium2.PdfDocument(path)
        pages = len(document)
        for index in range(pages):
            page = document[index]
            page.get_textpage().close()
            page.close()
        document.close()
    timing.add(pages, pages, *taken)
    return pages


def _plain(path: Path, timing: Timing, indices: Sequence[int]) -> None:
    with pdfplumber.open(path) as pdf:
        pages = pdf.pages
        with _clock() as taken:
            for index in indices:
                pages[index].extract_text()
                pages[index].close()
        timing.add(len(pages), len(indices), *taken)


def _open(path: Path, **options: Any) -> Document:
    return open_document(path, progress=False, max_seconds=NO_LIMIT, **options)


@contextmanager
def _clock() -> Iterator[list[float]]:
    """Give a list that holds the seconds on the wall and of processors once the block is left."""
    taken: list[float] = []
    wall, cpu = time.perf_counter(), _processor_seconds()
    yield taken
    taken += [time.perf_counter() - wall, _processor_seconds() - cpu]


def _processor_seconds() -> float:
    """Processor time of this process and of its children, those that have ended included."""
    this = psutil.Process()
    own = this.cpu_times()
    total = time.process_time() + own.children_user + own.children_system
    for child in this.children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


@contextmanager
def _own_cache() -> Iterator[None]:
    """An empty cache, so that nothing of an earlier run is measured."""
    before = os.environ.get(CACHE_FOLDER)
    with tempfile.TemporaryDirectory(prefix="workbench-benchmark-") as folder:
        os.environ[CACHE_FOLDER] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[CACHE_FOLDER]
            else:
                os.environ[CACHE_FOLDER] = before
