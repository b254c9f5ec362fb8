"""A file is read as what it is; its suffix is believed where the content agrees."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.documents.toy import FORMAT, MAGIC
from workbench.documents import registry
from workbench.documents.draft import Draft
from workbench.documents.recognising import archive_kind, recognise
from workbench.documents.registry import Format
from workbench.documents.source import ParseContext, Source
from workbench.errors import EmptyFile, EncryptedFile, FileMissing, UnsupportedFormat


def no_parse(source: Source, context: ParseContext) -> Draft:
    raise NotImplementedError


def fixed(name: str, suffixes: tuple[str, ...], score: Callable[[bytes], float]) -> Format:
    return Format(name=name, suffixes=suffixes, sniff=lambda source: score(source.head), parse=no_parse)


def broken(source: Source) -> float:
    raise RuntimeError(f"no idea what {source.name} is")


ALL_FORMATS = registry.formats

PAGE = fixed("html", (".html", ".htm"), lambda head: 0.9 if b"<html" in head else 0.0)
LINES = fixed("text", (".txt", ".log"), lambda head: 0.0 if b"\0" in head else 0.1)
TABLE = fixed("delimited", (".csv", ".txt"), lambda head: 0.6 if b"," in head else 0.0)
BROKEN = Format(name="broken", suffixes=(".toy", ".brk"), sniff=broken, parse=no_parse)


@pytest.fixture(autouse=True)
def _known_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "formats", lambda: (FORMAT, PAGE, TABLE, LINES, BROKEN))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes], Source]:
    def write(name: str, data: bytes) -> Source:
        (tmp_path / name).write_bytes(data)
        return Source(tmp_path / name)

    return write


Write = Callable[[str, bytes], Source]


def test_a_suffix_that_the_content_confirms_decides(write: Write) -> None:
    assert recognise(write("a.toy", MAGIC)) == (FORMAT, [])
    assert recognise(write("A.TOY", MAGIC)) == (FORMAT, [])


def test_of_two_formats_with_one_suffix_the_surer_reads(write: Write) -> None:
    assert recognise(write("a.txt", b"a,b\n")) == (TABLE, [])
    assert recognise(write("b.txt", b"Plain.\n"))[0] == LINES


def test_content_overrules_a_wrong_suffix_with_a_warning(write: Write) -> None:
    found, warnings = recognise(write("report.toy", b"<html><p>Not found"))
    assert found == PAGE
    assert [(warning.code, warning.message) for warning in warnings] == [
        ("wrong_suffix", "report.toy is html by content and was read as such, whatever its suffix says.")
    ]


REAL = [
    ("page.txt", "<!DOCTYPE html>\n<html><body><p>Hi</p></body></html>", "html", True),
    ("page.log", "\n<html>\n<head><title>t</title></head></html>", "html", True),
    ("page.md", "<!doctype html><html><body>Hi</body></html>", "html", True),
    ("page.csv", "<!doctype html><html><body>Hi</body></html>", "html", True),
    ("feed.xml", "<!DOCTYPE html><html><body>404</body></html>", "html", True),
    ("letter.txt", "From: a@b.c\nTo: d@e.f\nSubject: x\nMIME-Version: 1.0\n\nHello\n", "email", True),
    ("badges.md", '<div align="center"><p>Hi</p></div>\n\nText\n', "markdown", False),
    ("page.xml", '<?xml version="1.0"?>\n<html xmlns="x"><body/></html>', "code", False),
    ("page.php", "<!DOCTYPE html>\n<html><?php echo 1; ?></html>", "code", False),
    ("about.txt", "<html> is the root element. It holds <head> and <body>.\n", "text", False),
    ("about.txt", "<!DOCTYPE html> declares a page.\n", "text", False),
    ("about.txt", "A page begins with\n\n<!DOCTYPE html>\n<html><head></head></html>\n", "text", False),
    ("data.txt", '{"a": 1, "b": [1, 2]}\n', "text", False),
    ("data.txt", '{"a": 1}\n{"a": 2}\n', "text", False),
    ("table.txt", "a,b,c\n1,2,3\n4,5,6\n7,8,9\n", "text", False),
    ("README.txt", "# Title\n\n- a\n- b\n\n```\nx\n```\n[a](b)\n", "text", False),
    ("data", '{"a": 1, "b": [1, 2]}\n', "json", False),
    ("data.json", '{"a": 1, "b": [1, 2]}\n', "json", False),
]


@pytest.mark.parametrize(("name", "content", "format_name", "warned"), REAL)
def test_only_strong_content_overrules_a_suffix_that_accepts_all(
    write: Write, monkeypatch: pytest.MonkeyPatch, name: str, content: str, format_name: str, warned: bool
) -> None:
    monkeypatch.setattr(registry, "formats", ALL_FORMATS)
    found, warnings = recognise(write(name, content.encode()))
    assert found.name == format_name
    assert [warning.code for warning in warnings] == ["wrong_suffix"] * warned


def test_an_unknown_or_missing_suffix_is_no_reason_for_a_warning(write: Write) -> None:
    assert recognise(write("README", b"<html>")) == (PAGE, [])
    assert recognise(write("a.v2", b"<html>")) == (PAGE, [])


def test_the_name_given_counts_not_the_path(write: Write) -> None:
    source = Source(write("member.tmp", MAGIC).path, "inner/report.toy")
    assert recognise(source) == (FORMAT, [])


def test_a_format_that_breaks_its_promise_does_no_harm(write: Write, caplog: pytest.LogCaptureFixture) -> None:
    assert recognise(write("a.brk", MAGIC))[0] == FORMAT
    assert "format broken could not look at a.brk" in caplog.text


@pytest.mark.parametrize(
    ("head", "says"),
    [
        (b"\x89PNG\r\n\x1a\n\0", "it looks like an image"),
        (b"\xff\xd8\xff\xe0\0", "it looks like an image"),
        (b"ID3\x04\0", "it looks like an audio file"),
        (b"\0\0\0 ftypisom\0", "it looks like a video"),
        (b"RIFF\0\0\0\0WAVE", "it looks like an audio file"),
        (b"\x7fELF\0", "it looks like a program"),
        (b"MZ\x90\0", "it looks like a program"),
        (b"PK\x03\x04\0", "is an archive; open the documents in it with open_collection"),
        (b"\x1f\x8b\x08\0", "is an archive; open the documents in it with open_collection"),
        (b"7z\xbc\xaf\x27\x1c\0", "is a 7z archive; unpack it and open the folder with open_collection"),
        (
            b"\0\1\2\3",
            "No format reads strange.bin; it holds binary data (control characters such as NUL), not text; save it "
            "from its own program as a file of one of these: .brk .csv .htm .html",
        ),
        (b"\x00hello\x00", "it holds binary data"),
        (b"\xcf\xfa\xed\xfe\0\0\0", "No format reads strange.bin; it looks like a program; choose a file of one of"),
    ],
)
def test_what_cannot_be_read_is_named(write: Write, head: bytes, says: str) -> None:
    with pytest.raises(UnsupportedFormat) as caught:
        recognise(write("strange.bin", head))
    assert says in str(caught.value)
    assert "strange.bin" in str(caught.value)


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600


@pytest.mark.parametrize(
    ("name", "modern"),
    [
        ("a.doc", ".docx"),
        ("a.xls", ".xlsx"),
        ("a.ppt", ".pptx"),
        ("a.docx", ".docx"),
        ("a.xltm", ".xlsx"),
        ("a.bin", ".docx, .xlsx or .pptx"),
    ],
)
def test_an_old_office_file_is_to_be_saved_anew(write: Write, name: str, modern: str) -> None:
    with pytest.raises(UnsupportedFormat) as caught:
        recognise(write(name, OLE))
    assert str(caught.value) == f"{name} is in an Office format from before 2007; save it as {modern} and open that."


@pytest.mark.parametrize("name", ["a.docx", "a.potx", "a.bin"])
def test_an_encrypted_office_file_is_told_apart(write: Write, name: str) -> None:
    with pytest.raises(EncryptedFile, match=rf"^{name} is protected by a password; save a copy without one"):
        recognise(write(name, OLE + "EncryptedPackage".encode("utf-16-le")))


def test_an_empty_file_is_told_as_such(write: Write) -> None:
    with pytest.raises(
        EmptyFile, match=r"^a\.toy holds no bytes; check whether it was saved or downloaded completely\.$"
    ):
        recognise(write("a.toy", b""))


def test_a_missing_file_is_told_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"^There is no file .*gone\.toy; check the path\.$"):
        recognise(Source(tmp_path / "gone.toy"))


def test_a_folder_points_to_collections(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFormat, match="is a folder; open what is in it with open_collection"):
        recognise(Source(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toy")
    with pytest.raises(UnsupportedFormat, match=r"pipe\.toy is a device or pipe, not a file"):
        recognise(Source(tmp_path / "pipe.toy"))


def test_a_name_that_no_system_takes_is_a_missing_file() -> None:
    for name in ("a\0b", "x" * 5_000):
        with pytest.raises(FileMissing, match=r"cannot be read|There is no file"):
            recognise(Source(Path(name)))


def test_containers_are_told_by_their_first_bytes() -> None:
    assert archive_kind(b"PK\x05\x06" + b"\0" * 18) == "zip"
    assert archive_kind(b"\0" * 257 + b"ustar\x0000") == "tar"
    assert archive_kind(b"BZh91AY") == "bz2"
    assert archive_kind(b"\xfd7zXZ\x00") == "xz"
    assert archive_kind(b"%PDF-1.7") is None
