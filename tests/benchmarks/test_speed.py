"""Times are brought up to whole documents, and every way of reading is timed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.speed import Timing, measure_speed, peak_worker_mib, sampled_pages


def test_a_sample_counts_for_its_whole_document() -> None:
    timing = Timing()
    timing.add(pages=100, read=10, wall=2.0, cpu=1.0)
    timing.add(pages=10, read=10, wall=4.0, cpu=4.0)
    assert (timing.pages, timing.read, timing.wall, timing.cpu) == (110, 20, 24.0, 14.0)
    assert timing.rate == pytest.approx(110 / 24)
    assert timing.cpu_ms == pytest.approx(1_000 * 14 / 110)


def test_nothing_read_has_no_rate() -> None:
    assert (Timing().rate, Timing().cpu_ms) == (0.0, 0.0)


@pytest.mark.parametrize("pages", [9, 57, 503])
def test_a_sample_is_spread_over_the_document_and_always_the_same(pages: int) -> None:
    found = sampled_pages(pages, 8, "a.pdf")
    assert found == sampled_pages(pages, 8, "a.pdf") == sorted(set(found))
    assert [8 * (page + 1) > pages * part for part, page in enumerate(found)] == [True] * 8
    assert [8 * page < pages * (part + 1) for part, page in enumerate(found)] == [True] * 8


def test_every_way_reads_all_pages_and_the_cache_of_the_user_is_left_alone(
    pdf_sample: Path, cache_of_the_tests: Path
) -> None:
    before = sorted(cache_of_the_tests.glob("*.blocks"))
    speed, (document,) = measure_speed([pdf_sample], sample=1)
    pages = len(document.pages)
    for timing in (speed.pdfium, speed.one_process, speed.two_workers, speed.fresh, speed.cached):
        assert (timing.pages, timing.read) == (pages, pages)
        assert timing.wall > 0
    assert (speed.plain.pages, speed.plain.read) == (pages, 1)
    assert os.environ["SPARSEREAD_CACHE"] == str(cache_of_the_tests)
    assert sorted(cache_of_the_tests.glob("*.blocks")) == before


@pytest.fixture
def pdf_sample(sample_dir: Path) -> Path:
    """The shortest PDF that the project ships."""
    return min(sample_dir.glob("*.pdf"), key=lambda path: path.stat().st_size)


def test_memory_of_a_file_that_is_not_read_is_no_figure(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing else")
    with pytest.raises(RuntimeError, match=r"^broken\.pdf was not read: .*DamagedFile"):
        peak_worker_mib(broken)
