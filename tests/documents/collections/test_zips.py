"""ZIPs: members, bombs, damage, ciphers, and names from other systems."""

from __future__ import annotations

import stat
import zipfile
import zlib
from pathlib import Path

import pytest

from workbench.documents.collections import zips
from workbench.documents.options import ReadOptions
from workbench.errors import DamagedFile, EncryptedFile, UnsafeFile

from .archive_files import MEMBERS, OPTIONS, listed, opened, read, zipped


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_of_a_zip_are_listed_and_read(tmp_path: Path, method: int) -> None:
    archive = opened(zipped(tmp_path / "a.zip", MEMBERS, method))
    inventory = archive.inventory(10)
    assert {name: member.size for name, member in inventory.members.items()} == {
        "a.txt": 5,
        "sub/b.txt": 4000,
        "empty.txt": 0,
    }
    assert {name: read(archive, inventory, name) for name in MEMBERS} == MEMBERS
    archive.close()


def test_a_zero_byte_hides_nothing(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"good.txtX.exe": b"evil"})
    path.write_bytes(path.read_bytes().replace(b"good.txtX.exe", b"good.txt\0.exe"))
    (refusal,) = listed(path).refused
    assert (refusal.name, refusal.code) == ("good.txt\0.exe", "unsafe_path")


def test_links_and_devices_of_a_zip_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name, mode in (("link", stat.S_IFLNK), ("pipe", stat.S_IFIFO), ("good.txt", stat.S_IFREG)):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (mode | 0o644) << 16
            archive.writestr(entry, "/etc/passwd")
    inventory = listed(tmp_path / "a.zip")
    assert list(inventory.members) == ["good.txt"]
    assert {refusal.name: refusal.code for refusal in inventory.refused} == {"link": "link", "pipe": "special"}


def test_a_member_out_of_all_proportion_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"zeros.txt": bytes(20 << 20), "good.txt": b"good"})
    (refusal,) = listed(path).refused
    assert refusal.code == "bomb"
    assert refusal.message.startswith("zeros.txt in a.zip unpacks to 1,0")


def test_an_archive_out_of_all_proportion_is_refused_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "ARCHIVE_RATIO_FROM", 1 << 20)
    path = zipped(tmp_path / "a.zip", {f"zeros{n}.txt": bytes(1 << 20) for n in range(4)})
    with pytest.raises(
        UnsafeFile, match=r"^a\.zip unpacks to .* times its size, most of it 'zeros0\.txt'; it is a bomb"
    ):
        listed(path)


def test_members_that_share_their_bytes_are_a_bomb(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.txt": b"x" * 1000, "b.txt": b"y" * 1000}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    second = data.rfind(b"PK\x01\x02")
    data[second + 42 : second + 46] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(UnsafeFile, match=r"a\.zip is a bomb: its member 'b\.txt' overlaps another"):
        listed(path)


def test_a_zip_that_lies_about_a_size_is_found_out(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.txt": b"x" * 100_000})
    data = bytearray(path.read_bytes())
    entry = data.rfind(b"PK\x01\x02")
    for claimed in (10, 200_000):
        data[entry + 24 : entry + 28] = claimed.to_bytes(4, "little")
        path.write_bytes(data)
        archive = opened(path)
        with pytest.raises(DamagedFile, match=r"a\.txt in a\.zip (is damaged|ends after)"):
            read(archive, archive.inventory(10), "a.txt")
        archive.close()


def test_a_flipped_byte_in_a_member_is_damage(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.txt": b"x" * 1000}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"xxxx", b"xxyx", 1))
    archive = opened(path)
    with pytest.raises(DamagedFile, match=r"a\.txt in a\.zip is damaged \(Bad CRC-32"):
        read(archive, archive.inventory(10), "a.txt")
    archive.close()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_zip_cut_short_is_damage(tmp_path: Path, share: float) -> None:
    path = zipped(tmp_path / "a.zip", {"a.txt": b"x" * 1000}, zipfile.ZIP_STORED)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(DamagedFile, match=r"^a\.zip is no complete ZIP"):
        opened(path)


def test_a_directory_that_would_fill_the_memory_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "MAX_DIRECTORY", 100)
    path = zipped(tmp_path / "a.zip", {f"{number}.txt": b"" for number in range(10)})
    with pytest.raises(UnsafeFile, match=r"^a\.zip lists too many members"):
        opened(path)


def test_the_later_of_two_equal_names_is_read(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.txt", b"old")
        archive.writestr("a.txt", b"new")
    archive = opened(tmp_path / "a.zip")
    inventory = archive.inventory(10)
    assert [(refusal.name, refusal.code) for refusal in inventory.refused] == [("a.txt", "duplicate")]
    assert read(archive, inventory, "a.txt") == b"new"
    archive.close()


def encrypted(path: Path) -> Path:
    """A ZIP made by zip -P secret; the standard library cannot write one."""
    path.write_bytes(zip_crypto(b"a.txt", b"hidden words", b"secret"))
    return path


def zip_crypto(name: bytes, data: bytes, password: bytes) -> bytes:
    """Encrypt as PKWARE's APPNOTE, section 6.1, says."""
    table = [int.from_bytes(zip_crc_entry(n).to_bytes(4, "little"), "little") for n in range(256)]
    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte: int) -> None:
        keys[0] = (keys[0] >> 8) ^ table[(keys[0] ^ byte) & 0xFF]
        keys[1] = ((keys[1] + (keys[0] & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = (keys[2] >> 8) ^ table[(keys[2] ^ (keys[1] >> 24)) & 0xFF]

    for byte in password:
        update(byte)
    crc = zlib.crc32(data)
    out = bytearray()
    for byte in bytes(11) + bytes([crc >> 24]) + data:
        mask = keys[2] | 2
        out.append(byte ^ (((mask * (mask ^ 1)) >> 8) & 0xFF))
        update(byte)
    sizes = crc.to_bytes(4, "little") + len(out).to_bytes(4, "little") + len(data).to_bytes(4, "little")
    common = b"\x14\0\x01\0\0\0\0\0\x21\0" + sizes + len(name).to_bytes(2, "little")
    local = b"PK\x03\x04" + common + b"\0\0" + name + bytes(out)
    central = b"PK\x01\x02\x14\0" + common + bytes(2 + 2 + 2 + 2 + 4 + 4) + name
    end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0"
    return local + central + end + len(central).to_bytes(4, "little") + len(local).to_bytes(4, "little") + b"\0\0"


def zip_crc_entry(number: int) -> int:
    for _ in range(8):
        number = (number >> 1) ^ (0xEDB88320 if number & 1 else 0)
    return number


def test_an_encrypted_member_needs_its_password(tmp_path: Path) -> None:
    path = encrypted(tmp_path / "a.zip")
    (refusal,) = listed(path).refused
    assert (refusal.code, refusal.message) == ("encrypted", "a.txt in a.zip is encrypted; give its password.")
    assert isinstance(refusal.error(OPTIONS), EncryptedFile)
    archive = opened(path, ReadOptions(password="secret"))
    assert read(archive, archive.inventory(10), "a.txt") == b"hidden words"
    archive.close()
    archive = opened(path, ReadOptions(password="wrong"))
    with pytest.raises((EncryptedFile, DamagedFile), match=r"a\.txt in a\.zip"):
        read(archive, archive.inventory(10), "a.txt")
    archive.close()


def test_other_ciphers_and_methods_are_refused(tmp_path: Path) -> None:
    for flag, method, code in ((1, 99, "encrypted"), (0, 9, "unsupported"), (0, 93, "unsupported")):
        path = zipped(tmp_path / "a.zip", {"a.txt": b"x"}, zipfile.ZIP_STORED)
        data = bytearray(path.read_bytes())
        entry = data.rfind(b"PK\x01\x02")
        data[entry + 8] |= flag
        data[entry + 10 : entry + 12] = method.to_bytes(2, "little")
        path.write_bytes(data)
        (refusal,) = listed(path, ReadOptions(password="secret")).refused
        assert refusal.code == code
        assert "unpack it with another program" in refusal.message


def test_chinese_names_from_windows_are_read(tmp_path: Path) -> None:
    for raw, name in (("年报.txt".encode("gb18030"), "年报.txt"), ("Bilanz-Ü.txt".encode(), "Bilanz-Ü.txt")):
        path = zipped(tmp_path / "a.zip", {"X" * len(raw): b"x"})
        path.write_bytes(path.read_bytes().replace(b"X" * len(raw), raw))
        archive = opened(path)
        inventory = archive.inventory(10)
        assert list(inventory.members) == [name]
        assert read(archive, inventory, name) == b"x"
        archive.close()
