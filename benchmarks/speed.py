"""How fast documents are read, as ratios within one run, and how much memory a worker takes."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pdfplumber
import psutil

from workbench.documents import Document, open_document
from workbench.documents.cache import ENVIRONMENT as CACHE_FOLDER

SAMPLE_INTERVAL_S = 0.05
NO_LIMIT = 3_600.0


@dataclass(slots=True)
class Timing:
    """Pages read and the seconds they took."""

    pages: int = 0
    seconds: float = 0.0

    def add(self, pages: int, seconds: float) -> None:
        """Count one more document."""
        self.pages += pages
        self.seconds += seconds

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class Speed:
    """Timings over the same documents, taken in turns."""

    plain: Timing = field(default_factory=Timing)
    one_process: Timing = field(default_factory=Timing)
    two_workers: Timing = field(default_factory=Timing)
    fresh: Timing = field(default_factory=Timing)
    cached: Timing = field(default_factory=Timing)


def measure_speed(paths: Sequence[Path], *, every: int) -> tuple[Speed, list[Document]]:
    """Read each document in five ways, one document after the other, so that a slow minute hits all of them alike.

    Parameters
    ----------
    paths : sequence of path
    every : int
        pdfplumber reads each ``every``-th page only; its rate is per page read, without opening the file.
    """
    speed, documents = Speed(), []
    with _own_cache():
        for path in paths:
            speed.plain.add(*_plain(path, every))
            document, seconds = _timed(path, isolate=False, cache=False)
            speed.one_process.add(len(document.pages), seconds)
            documents.append(document)
            two, seconds = _timed(path, workers=2, isolate=True, cache=False)
            speed.two_workers.add(len(two.pages), seconds)
            fresh, seconds = _timed(path, isolate=False, cache=True)
            speed.fresh.add(len(fresh.pages), seconds)
            again, seconds = _timed(path, isolate=False, cache=True)
            speed.cached.add(len(again.pages), seconds)
    return speed, documents


def peak_worker_mib(path: Path) -> float:
    """Return the largest resident memory of any child process while a document is read by one worker, in MiB."""
    done, peak = threading.Event(), [0]

    def watch() -> None:
        this = psutil.Process()
        while not done.is_set():
            for child in this.children(recursive=True):
                try:
                    peak[0] = max(peak[0], child.memory_info().rss)
                except psutil.NoSuchProcess:
                    continue
            done.wait(SAMPLE_INTERVAL_S)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        open_document(path, workers=1, isolate=True, cache=False, progress=False, max_seconds=NO_LIMIT)
    finally:
        done.set()
        watcher.join()
    return peak[0] / 2**20


def _plain(path: Path, every: int) -> tuple[int, float]:
    with pdfplumber.open(path) as pdf:
        pages = pdf.pages[every // 2 :: every] or pdf.pages[:1]
        start = time.perf_counter()
        for page in pages:
            page.extract_text()
            page.close()
        return len(pages), time.perf_counter() - start


def _timed(path: Path, *, isolate: bool, cache: bool, workers: int = 1) -> tuple[Document, float]:
    start = time.perf_counter()
    document = open_document(path, isolate=isolate, cache=cache, workers=workers, progress=False, max_seconds=NO_LIMIT)
    return document, time.perf_counter() - start


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
