"""A block's score is the best of its vectors; vectors are computed once and never half stored."""

from __future__ import annotations

import gc
import logging
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.documents import Document, open_document
from workbench.errors import InvalidOption
from workbench.relevance.context import passages
from workbench.relevance.embeddings import BlockEmbeddings, embed_document
from workbench.relevance.encoders import default_encoder

from .fake_encoder import FakeEncoder

EAST = np.array([1.0, 0.0], np.float32)


@dataclass
class Made:
    """Units set by hand."""

    units: Sequence[str]
    first: npt.NDArray[np.int32]
    unit: npt.NDArray[np.int32]
    own: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))

    @classmethod
    def of(cls, units: Sequence[str], read_by: Sequence[Sequence[int]], own: Sequence[float] | None = None) -> Made:
        counts = [len(found) for found in read_by]
        shares = own if own is not None else [1 / count for count in counts for _ in range(count)]
        return cls(
            units,
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            np.array([unit for found in read_by for unit in found], np.int32),
            np.array(shares, np.float32),
        )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def document(tmp_path: Path) -> Document:
    path = tmp_path / "note.txt"
    path.write_text("One.\n\n二。\n")
    return open_document(path)


ANGLES = {"a": 60.0, "b": 0.0, "c": 120.0, "long": [90.0, 30.0, 180.0]}
UNITS = Made.of(["a", "b", "c", "long"], [[0], [0, 2], [], [3], [1, 3]])
COSINES = [0.5, 0.5, np.nan, np.sqrt(3) / 2, 1.0]


def stored_again(document: Document) -> Document:
    """An equal document that this process has not seen."""
    path = document.path
    assert path is not None
    return open_document(path)


def test_a_block_has_the_best_cosine_of_its_units_and_their_windows(document: Document) -> None:
    found = embed_document(document, FakeEncoder(ANGLES), UNITS)
    cosines = found.similarity(EAST)
    assert cosines.dtype == np.float32
    assert cosines == pytest.approx(COSINES, abs=1e-3, nan_ok=True)
    assert repr(found) == "BlockEmbeddings(5 blocks, 6 vectors, by hand)"


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_best_of_a_block_is_that_of_a_plain_loop(document_of_all: Document, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 6))
    angles: dict[str, float | list[float]] = {
        f"unit {i} {data.draw(st.integers())}": data.draw(st.lists(st.floats(0, 360), min_size=1, max_size=4))
        for i in range(count)
    }
    read_by = data.draw(st.lists(st.lists(st.integers(0, count - 1), max_size=4, unique=True), max_size=8))
    found = embed_document(
        document_of_all, FakeEncoder(angles, fingerprint=repr(angles)), Made.of(list(angles), read_by), cache=False
    )
    lists = list(angles.values())
    expected = [
        max((np.cos(np.radians(angle)) for unit in units for angle in lists[unit]), default=np.nan)  # type: ignore[union-attr]
        for units in read_by
    ]
    assert found.similarity(EAST) == pytest.approx(expected, abs=2e-3, nan_ok=True)
    assert np.array_equal(np.isnan(found.similarity(EAST)), [not units for units in read_by])


@pytest.fixture(scope="module")
def document_of_all(tmp_path_factory: pytest.TempPathFactory) -> Document:
    path = tmp_path_factory.mktemp("all") / "all.txt"
    path.write_text("All.")
    return open_document(path)


def test_the_share_read_of_a_block_is_made_of_those_of_its_units(document: Document) -> None:
    encoder = FakeEncoder(ANGLES, {"c": 0.5, "long": 0.25})
    units = Made.of(["a", "b", "c", "long"], [[0], [0, 2], [], [3]], own=[1.0, 0.75, 0.25, 1.0])
    found = embed_document(document, encoder, units)
    assert found.share_read.tolist() == [1.0, 0.875, 0.0, 0.25]
    assert found.notes == ("2 of 4 units are too long to be read to their end; of the longest, 25% was read.",)


def test_what_was_read_whole_needs_no_note(document: Document) -> None:
    found = embed_document(document, FakeEncoder(ANGLES), UNITS)
    assert found.share_read.tolist() == [1.0, 1.0, 0.0, 1.0, 1.0]
    assert found.notes == ()


def test_a_question_of_another_encoder_is_refused(document: Document) -> None:
    found = embed_document(document, FakeEncoder(ANGLES), UNITS)
    with pytest.raises(InvalidOption, match=r"question_vector has the shape \(3,\), and .* embedded in 2 dimensions;"):
        found.similarity(np.ones(3, np.float32))


def test_a_document_without_units_has_no_scores(document: Document) -> None:
    encoder = FakeEncoder({})
    for read_by in ([], [[], []]):
        found = embed_document(document, encoder, Made.of([], read_by))
        assert len(found) == len(read_by)
        assert np.isnan(found.similarity(EAST)).all()
        assert found.similarity(EAST).shape == (len(read_by),)
        assert found.notes == ()


def test_the_second_time_nothing_is_computed_nor_read(document: Document, folder: Path) -> None:
    encoder = FakeEncoder(ANGLES)
    first = embed_document(document, encoder, UNITS)
    for entry in folder.glob("*.vectors"):
        entry.unlink()
    assert embed_document(document, encoder, UNITS) is first
    assert encoder.encoded == ["a", "b", "c", "long"]


def test_an_equal_document_is_read_from_the_cache(document: Document) -> None:
    encoder = FakeEncoder(ANGLES)
    first = embed_document(document, encoder, UNITS)
    again = embed_document(stored_again(document), encoder, UNITS)
    assert again is not first
    assert len(encoder.encoded) == 4
    assert not again.vectors.flags.owndata
    assert again.similarity(EAST).tobytes() == first.similarity(EAST).tobytes()
    assert again.share_read.tobytes() == first.share_read.tobytes()


def test_scores_are_of_half_precision_from_the_first_time(document: Document) -> None:
    first = embed_document(document, FakeEncoder(ANGLES), UNITS)
    assert first.vectors.dtype == np.float16
    assert first.similarity(EAST)[0] == np.float32(np.float16(np.cos(np.radians(60.0))))


def test_what_reads_a_block_can_change_without_new_vectors(document: Document) -> None:
    encoder = FakeEncoder(ANGLES)
    embed_document(document, encoder, UNITS)
    other = embed_document(document, encoder, Made.of(UNITS.units, [[1], [2]]))
    assert other.similarity(EAST) == pytest.approx([1.0, -0.5], abs=1e-3)
    assert len(encoder.encoded) == 4


def test_other_weights_another_computation_and_other_texts_are_computed_anew(document: Document) -> None:
    encoder = FakeEncoder(ANGLES)
    embed_document(document, encoder, UNITS)
    encoder.fingerprint = "f2"
    embed_document(document, encoder, UNITS)
    encoder.computation = "otherwise"
    embed_document(document, encoder, UNITS)
    embed_document(document, encoder, replace(UNITS, units=["a", "b", "long", "c"]))
    assert len(encoder.encoded) == 16


def test_units_that_are_joined_otherwise_are_other_units(document: Document) -> None:
    encoder = FakeEncoder({"ab": 0.0, "c": 10.0, "a": 20.0, "bc": 30.0})
    embed_document(document, encoder, Made.of(["ab", "c"], [[0], [1]]))
    found = embed_document(document, encoder, Made.of(["a", "bc"], [[0], [1]]))
    assert found.similarity(EAST) == pytest.approx(np.cos(np.radians([20.0, 30.0])), abs=1e-3)


def test_a_damaged_entry_is_dropped_logged_and_made_again(
    document: Document, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    encoder = FakeEncoder(ANGLES)
    first = embed_document(document, encoder, UNITS)
    (entry,) = folder.glob("*.vectors")
    whole = entry.read_bytes()
    entry.write_bytes(whole[:-3] + b"\xff" + whole[-2:])
    with caplog.at_level(logging.WARNING, "workbench"):
        again = embed_document(stored_again(document), encoder, UNITS)
    assert "is damaged (the checksum differs); it is made again" in caplog.text
    assert again.similarity(EAST).tobytes() == first.similarity(EAST).tobytes()
    assert len(encoder.encoded) == 8
    assert entry.read_bytes() == whole


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_an_interrupt_leaves_no_entry_and_the_next_call_works(
    document: Document, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = FakeEncoder(ANGLES)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(encoder, "encode_windows", interrupted)
        embed_document(document, encoder, UNITS)
    assert not list(folder.glob("*.vectors"))
    assert not list(folder.glob("*.part"))
    assert len(embed_document(document, encoder, UNITS)) == 5


def test_threads_that_ask_at_once_compute_once(document: Document) -> None:
    encoder = FakeEncoder(ANGLES)
    found: list[BlockEmbeddings] = []
    threads = [
        threading.Thread(target=lambda: found.append(embed_document(document, encoder, UNITS))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(encoder.encoded) == 4
    assert all(one is found[0] for one in found)


def test_a_document_that_is_gone_takes_its_vectors_along(document: Document) -> None:
    other = stored_again(document)
    kept = weakref.ref(embed_document(other, FakeEncoder(ANGLES), UNITS))
    assert kept() is not None
    del other
    gc.collect()
    assert kept() is None


def test_a_cache_that_is_not_wanted_is_not_used(document: Document, folder: Path) -> None:
    embed_document(document, FakeEncoder(ANGLES), UNITS, cache=False)
    assert not list(folder.glob("*.vectors"))


def test_progress_names_the_document(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    labels: list[str] = []
    monkeypatch.setattr("workbench.documents.progress.SHOW_ANYWAY", 0.0)
    monkeypatch.setattr("workbench.documents.progress._factory", lambda label: labels.append(label) or Silent())
    embed_document(document, FakeEncoder(ANGLES), UNITS, progress=True)
    assert labels == ["Embedding note.txt"]


class Silent:
    """Shows nothing."""

    def update(self, *_: object) -> None:
        pass

    def close(self) -> None:
        pass


def test_a_real_document_is_found_by_meaning(sample_dir: Path) -> None:
    document = open_document(sample_dir / "harbor-manual.md")
    encoder = default_encoder(backend="torch-fp32")
    found = embed_document(document, encoder, passages(document))
    assert len(found) == len(document)
    assert np.linalg.norm(found.vectors.astype(np.float32), axis=1) == pytest.approx(1.0, abs=2e-3)
    for asked, said in (
        ("Why would a backup start?", "What triggers a backup"),
        ("What happens if the record of changed files disappears?", "When the journal is lost"),
    ):
        scores = found.similarity(encoder.encode([asked], kind="question")[0])
        assert said in document.texts[int(np.nanargmax(scores))]


def test_a_chinese_document_has_scores_as_well(sample_dir: Path) -> None:
    document = open_document(sample_dir / "差旅制度.txt")
    encoder = default_encoder(backend="torch-fp32")
    units = passages(document)
    scores = embed_document(document, encoder, units).similarity(
        encoder.encode(["住宿标准是多少?"], kind="question")[0]
    )
    assert np.array_equal(np.isfinite(scores), np.diff(units.first) > 0)
    assert np.isfinite(scores).any()
