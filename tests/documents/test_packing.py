"""A document survives being packed, byte for byte, and damage is noticed."""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from workbench.documents.blocks import BlockKind
from workbench.documents.columns import BlockColumns
from workbench.documents.document import Document
from workbench.documents.draft import Draft
from workbench.documents.packing import (
    DamagedPack,
    pack_arrays,
    pack_document,
    pack_text,
    unpack_arrays,
    unpack_document,
    unpack_text,
)
from workbench.documents.pages import DocumentWarning, PageStatus, Verdict


def made(draft: Draft, **changes: Any) -> Document:
    done = draft.finish(max_block_chars=512)
    values: dict[str, Any] = {
        "sha256": "ab" * 32,
        "name": "a.pdf",
        "format": "toy",
        "text_layer": done.text_layer,
        "columns": done.columns,
        "pages": done.pages,
        "exclusions": done.exclusions,
        "warnings": [DocumentWarning("odd", "a.pdf is odd.", (1, 2))],
        "document_type": Verdict("financial", 0.7, ("says 10-K",)),
        "language": Verdict("en", 0.9),
        "tokenizer": "o200k_base",
        "locators": done.locators,
        "line_based": draft.line_based,
    }
    return Document(**(values | changes))


def sample() -> Document:
    draft = Draft(
        boxes_of=lambda start, end: np.stack(
            [start, np.full(len(start), 1.5), end, np.full(len(start), 2.5)], axis=1
        ).astype(np.float32)
    )
    draft.begin_page(label="iv", width=612.0, height=792.0)
    draft.add(BlockKind.HEADING, draft.write("净利润 🙂\n"), level=2, locator="Sheet1!A1")
    table = draft.begin_table()
    draft.add_row(table, [draft.write("a\t"), None, draft.write("b\n")], is_header=True)
    draft.exclude(draft.write("12"), "page number")
    draft.begin_page(status=PageStatus.NO_TEXT, images=3)
    return made(draft)


def assert_same(left: Document, right: Document) -> None:
    for name in BlockColumns.names():
        mine, theirs = getattr(left.columns, name), getattr(right.columns, name)
        assert mine.dtype == theirs.dtype
        assert mine.shape == theirs.shape
        np.testing.assert_array_equal(mine, theirs)
    for name in ("sha256", "name", "format", "text_layer", "line_based", "exclusions", "warnings"):
        assert getattr(left, name) == getattr(right, name)
    for name in ("document_type", "language", "tokenizer", "locators"):
        assert getattr(left, name) == getattr(right, name)
    assert repr(left.pages) == repr(right.pages)  # nan is not equal to itself
    assert list(left.blocks) == list(right.blocks)


def test_a_document_comes_back_equal() -> None:
    assert_same(sample(), unpack_document(pack_document(sample())))


def test_packing_twice_gives_the_same_bytes() -> None:
    assert pack_document(sample()) == pack_document(sample())


def test_an_empty_document_comes_back_equal() -> None:
    draft = Draft()
    draft.begin_page()
    assert_same(made(draft), unpack_document(pack_document(made(draft))))


def test_the_path_is_given_by_the_caller() -> None:
    assert unpack_document(pack_document(sample()), path=Path("x.pdf")).path == Path("x.pdf")


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_survives_also_lone_surrogates(text: str) -> None:
    assert unpack_text(pack_text(text)) == text


@given(
    st.dictionaries(
        st.text("abc_", min_size=1),
        hnp.arrays(
            st.sampled_from([np.int32, np.float32, np.uint8, np.int16, np.bool_]),
            hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=5),
        ),
        max_size=4,
    ),
    st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.none() | st.booleans()), max_size=4),
)
def test_any_arrays_and_header_come_back(arrays: dict[str, Any], meta: dict[str, Any]) -> None:
    found, found_meta = unpack_arrays(pack_arrays(arrays, meta))
    assert found_meta == meta
    assert sorted(found) == sorted(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_objects_are_not_packed() -> None:
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        pack_arrays({"a": np.array([object()])}, {})


def test_the_name_of_the_header_is_taken() -> None:
    with pytest.raises(ValueError, match="name of the header"):
        pack_arrays({"meta": np.zeros(1)}, {})


def test_every_cut_is_noticed() -> None:
    data = pack_document(sample())
    for length in range(0, len(data), 7):
        with pytest.raises(DamagedPack):
            unpack_document(data[:length])


def test_every_flipped_byte_is_noticed() -> None:
    data = pack_document(sample())
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 0x41
        with pytest.raises(DamagedPack, match="the checksum differs"):
            unpack_document(bytes(damaged))


def test_what_is_no_pack_is_damage_even_with_a_checksum() -> None:
    body = b"PK\x03\x04 but no more"
    with pytest.raises(DamagedPack, match="BadZipFile"):
        unpack_arrays(body + zlib.crc32(body).to_bytes(4, "big"))


def test_another_layout_is_damage() -> None:
    arrays, meta = unpack_arrays(pack_document(sample()))
    del arrays["parent"]
    with pytest.raises(DamagedPack, match="parent"):
        unpack_document(pack_arrays(arrays, meta))
    arrays, meta = unpack_arrays(pack_document(sample()))
    with pytest.raises(DamagedPack, match="tokenizer"):
        unpack_document(pack_arrays(arrays, {key: value for key, value in meta.items() if key != "tokenizer"}))


def test_a_replaced_column_is_kept_apart() -> None:
    document = sample()
    other = replace(document.columns, level=document.columns.level + 1)
    assert unpack_document(pack_document(made_with(document, other))).columns.level.tolist() == other.level.tolist()


def made_with(document: Document, columns: BlockColumns) -> Document:
    document.columns = columns
    return document
