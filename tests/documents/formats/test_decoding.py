"""Every text file can be decoded, and a reader is told when it is not UTF-8."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents.draft import Draft
from workbench.documents.formats.decoding import decode, decoded_draft, decoded_file, looks_binary
from workbench.documents.source import Source
from workbench.errors import DamagedFile

CHINESE = "本公司于二〇二三年度实现营业收入一百亿元，同比增长百分之十二。董事会建议派发现金红利。"


@given(st.text())
def test_utf8_is_read_as_it_is(text: str) -> None:
    assert decode(b"\xef\xbb\xbf" + text.encode()).text == text
    if not text.startswith(("\ufeff", "\ufffe")):
        assert decode(text.encode()) == (text, "utf-8", 0)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_byte_order_mark_names_the_encoding_and_is_no_text(encoding: str) -> None:
    assert decode("\ufeffUmsätze 中".encode(encoding)) == ("Umsätze 中", encoding, 0)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "gb18030"),
        ("El año pasado la compañía vendió más. Señores, ¿qué pasó?", "cp1252"),
        ("Die Umsätze stiegen – um 5 € – im März.", "cp1252"),
        ("plain text in two bytes", "utf-16-le"),
    ],
)
def test_other_encodings_are_recognised(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == (text, encoding, 0)


def test_big5_is_not_taken_for_gb18030() -> None:
    text = "本公司於去年度實現營業收入一百億元，較前年增長百分之十二。董事會建議派發現金股利，並提請股東會討論。" * 3
    assert decode(text.encode("big5")).text == text


def test_a_character_cut_off_at_the_end_does_not_change_the_encoding() -> None:
    assert decode("价格".encode()[:-1]) == ("价\ufffd", "utf-8", 1)


def test_a_few_broken_bytes_do_not_turn_utf8_into_another_encoding() -> None:
    data = (CHINESE * 3).encode() + b"\xff" + CHINESE.encode()
    assert decode(data) == (CHINESE * 3 + "\ufffd" + CHINESE, "utf-8", 1)


def test_a_declared_encoding_is_believed_unless_the_bytes_are_utf8() -> None:
    assert decode("שלום".encode("cp1255"), declared="windows-1255").text == "שלום"
    assert decode("שלום".encode(), declared="windows-1255").text == "שלום"
    assert decode("价".encode("gbk") * 2, declared="no-such-codec").replaced == 0


@pytest.mark.parametrize("head", [b"%PDF-1.7\n", b"PK\x03\x04", b"\x89PNG\r\n", bytes(range(64)) * 10, b"\x7fELF"])
def test_binary_content_is_recognised(head: bytes) -> None:
    assert looks_binary(head)


def test_the_reader_is_told_of_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(CHINESE.encode("gb18030"))
    draft = Draft()
    assert decoded_file(Source(path), draft) == CHINESE
    assert [str(warning) for warning in draft.warnings] == ["a.txt is not UTF-8; it was read as gb18030."]


def test_a_bell_that_rings_in_a_terminal_is_no_binary_data() -> None:
    assert not looks_binary(b"hello \x1b[31mred\x1b[0m \x07\n")
    assert not looks_binary(b"\x1b]0;build\x07 done\n")


def test_a_draft_holds_the_decoded_file_on_one_page(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(CHINESE.encode("gb18030"))
    draft, text = decoded_draft(Source(path))
    assert (text, len(draft.pages), draft.line_based, draft.length) == (CHINESE, 1, True, len(CHINESE))
    assert [warning.code for warning in draft.warnings] == ["encoding"]


def test_binary_data_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    with pytest.raises(DamagedFile, match=r"^a\.txt holds binary data, not text; open it with the suffix"):
        decoded_file(Source(path), Draft())
