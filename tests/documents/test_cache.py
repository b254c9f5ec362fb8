"""Parsed documents are kept on disk, under a key of everything that matters, and damage does no harm."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.documents.test_packing import assert_same, sample
from tests.documents.toy import FORMAT
from workbench.caching import default_folder
from workbench.documents.cache import DocumentCache, cache_key
from workbench.documents.options import ReadOptions
from workbench.documents.pages import DocumentWarning


@pytest.fixture
def cache(tmp_path: Path) -> DocumentCache:
    return DocumentCache(tmp_path / "cache")


def key(sha256: str = "ab", version: int = 1, options: ReadOptions | None = None, suffix: str = ".toy") -> str:
    known = replace(FORMAT, version=version)
    return cache_key(sha256=sha256, format=known, options=options or ReadOptions(), suffix=suffix)


def test_what_is_stored_comes_back(cache: DocumentCache) -> None:
    assert cache.load("k") is None
    cache.store("k", sample())
    found = cache.load("k")
    assert found is not None
    assert_same(found, sample())


def test_info_and_clear_count_entries(cache: DocumentCache) -> None:
    assert (cache.entries.info().entries, cache.entries.info().bytes) == (0, 0)
    cache.store("k", sample())
    cache.store("l", sample())
    info = cache.entries.info()
    assert info.entries == 2
    assert info.bytes > 0
    assert info.folder == cache.entries.folder
    assert cache.entries.clear() == 2
    assert cache.entries.info().entries == 0


@pytest.mark.parametrize("how", ["cut", "flipped", "emptied", "foreign"])
def test_a_damaged_entry_is_dropped_and_logged(
    cache: DocumentCache, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    cache.store("k", sample())
    (file,) = cache.entries.folder.iterdir()
    data = bytearray(file.read_bytes())
    if how == "cut":
        del data[len(data) // 2 :]
    elif how == "flipped":
        data[len(data) // 2] ^= 0xFF
    else:
        data = bytearray(b"" if how == "emptied" else b"#!/bin/sh\n")
    file.write_bytes(data)
    with caplog.at_level(logging.WARNING, "workbench"):
        assert cache.load("k") is None
    assert "is damaged" in caplog.text
    assert not file.exists()
    cache.store("k", sample())
    assert cache.load("k") is not None


def test_nothing_unfinished_is_left(cache: DocumentCache) -> None:
    cache.store("k", sample())
    assert [file.suffix for file in cache.entries.folder.iterdir()] == [".blocks"]


def test_a_failed_write_leaves_nothing_and_does_not_raise(
    cache: DocumentCache, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    cache.store("k", sample())
    assert list(cache.entries.folder.iterdir()) == []
    assert "No space left on device" in caplog.text


def test_a_folder_that_cannot_be_made_is_only_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    cache = DocumentCache(tmp_path / "file" / "cache")
    cache.store("k", sample())
    assert cache.load("k") is None
    assert "could not be stored" in caplog.text


def test_a_result_of_chance_is_not_kept(cache: DocumentCache) -> None:
    document = sample()
    document.warnings = (DocumentWarning("out_of_time", "Only a part was read."),)
    cache.store("k", document)
    assert cache.load("k") is None


def test_the_entries_unused_for_longest_go_first(cache: DocumentCache) -> None:
    cache.store("a", sample())
    size = cache.entries.info().bytes
    cache.entries.max_bytes = 2 * size
    cache.store("b", sample())
    for name, age in (("a", 200), ("b", 100)):
        os.utime(cache.entries.file(name), (1_000_000_000 - age, 1_000_000_000 - age))
    assert cache.load("a") is not None  # used just now
    cache.store("c", sample())
    assert cache.load("b") is None
    assert cache.load("a") is not None
    assert cache.load("c") is not None


def test_litter_of_crashed_processes_is_swept(cache: DocumentCache) -> None:
    cache.entries.folder.mkdir()
    old, new = cache.entries.folder / "old.part", cache.entries.folder / "new.part"
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    os.utime(old, (1_000_000_000, 1_000_000_000))
    cache.store("k", sample())
    assert not old.exists()
    assert new.exists()


def test_the_key_is_made_of_what_decides_the_blocks() -> None:
    keys = {
        key(),
        key(sha256="cd"),
        key(version=2),
        key(suffix=".py"),
        key(options=ReadOptions(max_block_chars=100)),
        key(options=ReadOptions(partial=True)),
        key(options=ReadOptions(partial=True, max_pages=3)),
    }
    assert len(keys) == 7
    assert key() == key(options=ReadOptions(max_seconds=5, workers=3, isolate=False, cache=False))


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv("SPARSEREAD_CACHE")
    assert default_folder().parts[-2:] == ("sparseread-workbench", "documents")


WRITER = """
import sys
from pathlib import Path
from tests.documents.test_packing import assert_same, sample
from workbench.documents.cache import DocumentCache
cache = DocumentCache(Path(sys.argv[1]))
document = sample()
for _ in range(60):
    cache.store("k", document)
    found = cache.load("k")
    assert_same(document, found)
"""


def test_two_processes_write_one_entry(cache: DocumentCache) -> None:
    root = str(Path(__file__).resolve().parents[2])
    command = [sys.executable, "-c", WRITER, str(cache.entries.folder)]
    writers = [
        subprocess.Popen(command, env={**os.environ, "PYTHONPATH": root}, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for writer in writers:
        _, err = writer.communicate(timeout=120)
        assert (writer.returncode, err) == (0, "")
    assert cache.entries.info().entries == 1
    assert cache.load("k") is not None
