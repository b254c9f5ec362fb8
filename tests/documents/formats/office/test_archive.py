"""Unsafe, damaged, encrypted and old Office files are refused with one sentence before they are opened."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from workbench.documents.formats import docx, pptx, xlsx
from workbench.documents.formats.office.archive import MOST_MEMBERS, check_archive
from workbench.documents.options import ReadOptions
from workbench.documents.source import ParseContext, Source
from workbench.errors import DamagedFile, EncryptedFile, UnsafeFile, UnsupportedFormat

from ..office_files import content_types, word_file, write_zip

TYPES = {"[Content_Types].xml": content_types({})}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def check(path: Path, **options: object) -> None:
    check_archive(Source(path), ReadOptions.from_mapping(dict(options)))


def test_a_sound_file_passes(tmp_path: Path) -> None:
    check(word_file(tmp_path / "a.docx", "<w:p/>"))


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = write_zip(
        tmp_path / "bomb.docx", {**TYPES, **{f"word/{i}.xml": b"<a/>" + b" " * 3_000_000 for i in range(8)}}
    )
    with pytest.raises(
        UnsafeFile,
        match=r"bomb\.docx unpacks to 23 MiB, more than 20 times max_file_mb \(1\); it looks like a ZIP bomb",
    ):
        check(path, max_file_mb=1)


def test_a_member_that_is_packed_too_tightly_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "bomb.xlsx", {**TYPES, "xl/a.xml": b"<a>" + b"0" * 12_000_000})
    with pytest.raises(UnsafeFile, match=r"bomb\.xlsx holds 'xl/a\.xml', which unpacks to 11 MiB, over 200 times"):
        check(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("declaration", ['<!DOCTYPE a [<!ENTITY b "c">]>', '<!DOCTYPE a SYSTEM "http://x/y.dtd">'])
def test_entities_and_document_types_are_refused_in_any_encoding(
    tmp_path: Path, declaration: str, encoding: str
) -> None:
    bad = f"<?xml version='1.0'?>{declaration}<a/>".encode(encoding)
    path = write_zip(tmp_path / "a.docx", {**TYPES, "word/document.xml": bad})
    with pytest.raises(UnsafeFile, match=r"a\.docx holds 'word/document\.xml' with a document type or entity decl"):
        check(path)


def test_a_document_type_is_found_across_the_ends_of_chunks(tmp_path: Path) -> None:
    for pad in range(1_010, 1_026):
        path = write_zip(tmp_path / "a.docx", {**TYPES, "word/a.bin": b"<a>" + b" " * pad + b"<!DOCTYPE x>"})
        with pytest.raises(UnsafeFile, match="document type"):
            check(path)


def test_an_encoding_that_could_hide_a_document_type_is_refused(tmp_path: Path) -> None:
    bad = b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE x+AD4'
    path = write_zip(tmp_path / "a.docx", {**TYPES, "word/document.xml": bad})
    with pytest.raises(UnsafeFile, match=r"in the encoding 'UTF-7', which Office files may not use"):
        check(path)


def test_a_picture_with_a_document_type_is_no_reason_to_refuse(tmp_path: Path) -> None:
    svg = '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg/>'
    check(write_zip(tmp_path / "a.pptx", {**TYPES, "ppt/media/image1.svg": svg}))


def test_a_picture_that_declares_an_absurd_size_is_no_reason_to_refuse(tmp_path: Path) -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x00\x01\x86\xa0\x00\x01\x86\xa0\x08\x02\0\0\0"
    check(write_zip(tmp_path / "a.docx", {**TYPES, "word/media/image1.png": png}))


@pytest.mark.parametrize(
    "name", ["../evil.xml", "word/../../evil.xml", "/etc/passwd", "C:\\evil.xml", "word\\..\\..\\x"]
)
def test_a_path_that_leaves_the_archive_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", TYPES["[Content_Types].xml"])
        archive.writestr(zipfile.ZipInfo(name), "<a/>")
    with pytest.raises(UnsafeFile, match=r"a\.docx holds a member whose path leaves the archive \('.+'\); it was not"):
        check(path)


def test_an_absurd_number_of_members_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(MOST_MEMBERS + 1):
            archive.writestr(str(number), b"")
    with pytest.raises(UnsafeFile, match=r"a\.docx holds 20,001 members, more than the 20,000 allowed"):
        check(path)


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_truncated_file_is_damaged_but_still_recognised_by_its_suffix(tmp_path: Path, share: float) -> None:
    whole = word_file(tmp_path / "whole.docx", "<w:p/>" * 5_000).read_bytes()
    path = tmp_path / "cut.docx"
    path.write_bytes(whole[: int(len(whole) * share)])
    assert docx.FORMAT.sniff(Source(path)) == 0.5
    with pytest.raises(DamagedFile, match=r"cut\.docx is not a complete Office file \(.+\); get a fresh copy of it\."):
        docx.FORMAT.parse(Source(path), ParseContext(ReadOptions()))


def test_flipped_bytes_are_found_by_their_checksum(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("[Content_Types].xml", TYPES["[Content_Types].xml"])
        archive.writestr("word/document.xml", "<a>SENTENCE</a>")
    path.write_bytes(path.read_bytes().replace(b"<a>SENTENCE", b"<a>SENTENCF"))
    with pytest.raises(DamagedFile, match=r"a\.docx is not a complete Office file \(Bad CRC-32"):
        check(path)


def test_a_part_that_is_no_xml_is_named(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile, match=r"a\.docx holds 'word/document\.xml', which is not XML"):
        check(write_zip(tmp_path / "a.docx", {**TYPES, "word/document.xml": "hello"}))


def test_a_zip_that_is_no_office_file_is_named(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.docx", {"word/document.xml": "<a/>"})
    assert docx.FORMAT.sniff(Source(path)) == 0.0
    with pytest.raises(DamagedFile, match=r"a\.docx is a ZIP archive but no Office file"):
        check(path)


def test_an_encrypted_office_file_asks_for_a_copy_without_password(tmp_path: Path) -> None:
    path = tmp_path / "secret.docx"
    path.write_bytes(OLE + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(EncryptedFile, match=r"secret\.docx is protected by a password; save a copy without"):
        check(path)


@pytest.mark.parametrize(
    ("name", "modern"),
    [
        ("a.doc", ".docx"),
        ("a.xls", ".xlsx"),
        ("a.ppt", ".pptx"),
        ("b.xlsx", ".xlsx"),
        ("b.dotm", ".docx"),
        ("b.xltx", ".xlsx"),
        ("b.potx", ".pptx"),
        ("b.ppsm", ".pptx"),
    ],
)
def test_an_old_office_file_names_the_new_kind(tmp_path: Path, name: str, modern: str) -> None:
    path = tmp_path / name
    path.write_bytes(OLE)
    with pytest.raises(
        UnsupportedFormat, match=rf"^{name} is in an Office format from before 2007; save it as \{modern} and"
    ):
        check(path)


def test_a_zip_with_a_password_is_encrypted(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.docx", TYPES)
    data = bytearray(path.read_bytes())
    data[6] |= 1
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(EncryptedFile, match=r"a\.docx is a ZIP archive with a password"):
        check(path)


def test_each_format_claims_only_its_own_files(tmp_path: Path) -> None:
    path = Source(word_file(tmp_path / "a.zip", "<w:p/>"))
    assert [module.FORMAT.sniff(path) for module in (docx, pptx, xlsx)] == [0.98, 0.0, 0.0]
