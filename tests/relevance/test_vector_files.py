"""Vectors on disk: what was stored comes back, and damage is seen."""

from __future__ import annotations

import errno
import logging
import mmap
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from workbench.relevance.encoders import WindowVectors
from workbench.relevance.vector_files import (
    MAGIC,
    DamagedVectors,
    halved,
    load_vectors,
    pack_vectors,
    store_vectors,
    unpack_vectors,
)


def sample(seed: int = 1, texts: int = 5, dimensions: int = 7) -> WindowVectors:
    draw = np.random.default_rng(seed)
    first = np.concatenate([[0], np.cumsum(draw.integers(1, 4, texts))]).astype(np.int64)
    vectors = draw.normal(size=(int(first[-1]), dimensions)).astype(np.float32)
    return halved(WindowVectors(vectors, first, draw.random(texts, np.float32)))


def assert_same(a: WindowVectors, b: WindowVectors) -> None:
    for ours, theirs in ((a.vectors, b.vectors), (a.first, b.first), (a.share_read, b.share_read)):
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_an_entry_that_cannot_be_opened_for_now_is_kept(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    store_vectors("k", sample())
    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING, "workbench"):
        patch.setattr(mmap, "mmap", refuse)
        assert load_vectors("k") is None
    assert "cannot be read: [Errno 24] Too many open files" in caplog.text
    found = load_vectors("k")
    assert found is not None
    assert_same(found, sample())


def test_what_is_stored_comes_back_as_it_is_in_memory() -> None:
    assert load_vectors("k") is None
    store_vectors("k", sample())
    found = load_vectors("k")
    assert found is not None
    assert_same(found, sample())
    assert not found.vectors.flags.writeable
    assert not found.vectors.flags.owndata


@given(
    arrays.arrays(np.float16, st.tuples(st.integers(0, 5), st.integers(1, 9)), elements=st.floats(-1, 1, width=16)),
)
def test_any_shape_comes_back(vectors: np.ndarray) -> None:
    one_each = np.arange(len(vectors) + 1, dtype=np.int64)
    made = WindowVectors(vectors, one_each, np.ones(len(vectors), np.float32))
    data = pack_vectors(made)
    assert_same(unpack_vectors(data), made)
    assert pack_vectors(unpack_vectors(data)) == data


def test_vectors_in_single_precision_are_stored_in_half() -> None:
    wide = WindowVectors(sample().vectors.astype(np.float32), sample().first, sample().share_read)
    assert pack_vectors(wide) == pack_vectors(sample())
    assert len(pack_vectors(sample(texts=900))) < 900 * 3 * (2 * 7 + 8) + 16_000


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_byte_is_seen(place: int, change: int) -> None:
    data = bytearray(pack_vectors(sample()))
    data[place % len(data)] ^= change
    with pytest.raises(DamagedVectors):
        unpack_vectors(bytes(data))


@pytest.mark.parametrize("kept", [0, 5, 63, 64, 100])
def test_a_file_that_ends_early_is_made_again(folder: Path, kept: int, caplog: pytest.LogCaptureFixture) -> None:
    store_vectors("k", sample())
    file = folder / "k.vectors"
    file.write_bytes(file.read_bytes()[:kept])
    with caplog.at_level(logging.WARNING, "workbench"):
        assert load_vectors("k") is None
    assert "k.vectors is damaged (" in caplog.text
    assert not file.exists()


def test_another_layout_is_not_read() -> None:
    other = MAGIC[:-1] + bytes([MAGIC[-1] + 1]) + pack_vectors(sample())[len(MAGIC) :]
    with pytest.raises(DamagedVectors, match="it does not begin as such a file does"):
        unpack_vectors(other)


def test_what_is_in_use_survives_being_replaced_and_removed(folder: Path) -> None:
    store_vectors("k", sample(1))
    found = load_vectors("k")
    assert found is not None
    store_vectors("k", sample(2))
    again = load_vectors("k")
    (folder / "k.vectors").unlink()
    assert again is not None
    assert_same(found, sample(1))
    assert_same(again, sample(2))


WRITER = """
from tests.relevance.test_vector_files import sample
from workbench.relevance.vector_files import store_vectors
print("ready", flush=True)
for round in range(300):
    store_vectors("k", sample(texts=200))
"""


def test_processes_that_write_at_once_never_leave_a_broken_entry(project_dir: Path) -> None:
    command = [sys.executable, "-c", WRITER]
    writers = [subprocess.Popen(command, cwd=project_dir, stdout=subprocess.PIPE) for _ in range(2)]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    expected, seen = sample(texts=200), 0
    while any(writer.poll() is None for writer in writers):
        found = load_vectors("k")
        if found is not None:
            assert_same(found, expected)
            seen += 1
    assert [writer.wait() for writer in writers] == [0, 0]
    assert seen
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.close()
