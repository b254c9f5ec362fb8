"""Archives are hostile until shown otherwise: what would do harm is refused, with the reason, and never lost."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents import archives, tars, zips
from workbench.documents.archives import Archive, Inventory, clean_name, is_hidden, unsafe_path
from workbench.documents.options import ReadOptions
from workbench.documents.tars import TarArchive
from workbench.documents.zips import ZipArchive
from workbench.errors import DamagedFile, EncryptedFile, LimitExceeded, UnsafeFile

OPTIONS = ReadOptions()


def no_clock() -> None:
    pass


def zipped(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, members: dict[str, bytes | tarfile.TarInfo], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            if isinstance(data, tarfile.TarInfo):
                archive.addfile(data)
            else:
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    return path


def opened(path: Path, options: ReadOptions = OPTIONS) -> Archive:
    kind = ZipArchive if path.suffix == ".zip" else TarArchive
    return kind(path, options, no_clock)


def listed(path: Path, options: ReadOptions = OPTIONS, max_items: int = 100) -> Inventory:
    archive = opened(path, options)
    try:
        return archive.inventory(max_items)
    finally:
        archive.close()


def read(archive: Archive, inventory: Inventory, name: str) -> bytes:
    target = io.BytesIO()
    archive.copy(inventory.members[name], target, no_clock)
    return target.getvalue()


MEMBERS = {"a.txt": b"alpha", "sub/b.txt": b"beta" * 1000, "empty.txt": b""}


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


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_members_of_a_tar_are_listed_and_read_in_any_order(tmp_path: Path, mode: str) -> None:
    archive = opened(tarred(tmp_path / "a.tar", dict(MEMBERS), mode))
    inventory = archive.inventory(10)
    assert list(inventory.members) == list(MEMBERS)
    assert (inventory.refused, inventory.cut_short) == ([], "")
    for name in (*reversed(MEMBERS), *MEMBERS):
        assert read(archive, inventory, name) == MEMBERS[name]
    archive.close()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../evil.txt", "its path leads out of the archive with '..'"),
        ("a/../../evil.txt", "its path leads out of the archive with '..'"),
        ("..\\evil.txt", "its path leads out of the archive with '..'"),
        ("/etc/passwd", "its path is absolute"),
        ("\\\\server\\share\\x.txt", "its path is absolute"),
        ("C:\\Windows\\x.txt", "its path names a drive"),
        ("c:x.txt", "its path names a drive"),
    ],
)
def test_a_path_out_of_the_archive_is_refused_and_the_rest_is_read(tmp_path: Path, name: str, reason: str) -> None:
    for path in (
        zipped(tmp_path / "a.zip", {name: b"evil", "good.txt": b"good"}),
        tarred(tmp_path / "a.tar", {name: b"evil", "good.txt": b"good"}),
    ):
        inventory = listed(path)
        assert list(inventory.members) == ["good.txt"]
        (refusal,) = inventory.refused
        assert (refusal.name, refusal.code) == (name, "unsafe_path")
        assert refusal.message == f"{name!r} in {path.name} is not opened: {reason}."
        assert isinstance(refusal.error(OPTIONS), UnsafeFile)


def test_a_zero_byte_hides_nothing(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"good.txtX.exe": b"evil"})
    path.write_bytes(path.read_bytes().replace(b"good.txtX.exe", b"good.txt\0.exe"))
    (refusal,) = listed(path).refused
    assert (refusal.name, refusal.code) == ("good.txt\0.exe", "unsafe_path")


@given(st.text("./\\abC:\0", max_size=12))
def test_a_name_that_passes_stays_inside(name: str) -> None:
    if unsafe_path(name) is None:
        cleaned = clean_name(name)
        assert not cleaned.startswith("/")
        assert ".." not in cleaned.split("/")
        assert "\\" not in cleaned


def test_links_and_devices_are_refused(tmp_path: Path) -> None:
    special = {}
    for name, kind, target in (
        ("out.txt", tarfile.SYMTYPE, "/etc/passwd"),
        ("hard.txt", tarfile.LNKTYPE, "good.txt"),
        ("null", tarfile.CHRTYPE, ""),
        ("disk", tarfile.BLKTYPE, ""),
        ("pipe", tarfile.FIFOTYPE, ""),
    ):
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = kind, target
        special[name] = entry
    inventory = listed(tarred(tmp_path / "a.tar", {"good.txt": b"good", **special}))
    assert list(inventory.members) == ["good.txt"]
    assert {refusal.name: refusal.code for refusal in inventory.refused} == {
        "out.txt": "link",
        "hard.txt": "link",
        "null": "special",
        "disk": "special",
        "pipe": "special",
    }
    assert inventory.refused[0].message == (
        "out.txt in a.tar is a link to '/etc/passwd'; links in archives are not followed."
    )


def test_links_and_devices_of_a_zip_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name, mode in (("link", stat.S_IFLNK), ("pipe", stat.S_IFIFO), ("good.txt", stat.S_IFREG)):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (mode | 0o644) << 16
            archive.writestr(entry, "/etc/passwd")
    inventory = listed(tmp_path / "a.zip")
    assert list(inventory.members) == ["good.txt"]
    assert {refusal.name: refusal.code for refusal in inventory.refused} == {"link": "link", "pipe": "special"}


def test_hidden_and_system_files_are_counted(tmp_path: Path) -> None:
    members = {".git/config": b"x", "__MACOSX/._a.txt": b"x", "sub/.DS_Store": b"x", "~$a.docx": b"x", "./a.txt": b"x"}
    for path in (zipped(tmp_path / "a.zip", members), tarred(tmp_path / "a.tar", dict(members))):
        inventory = listed(path)
        assert list(inventory.members) == ["a.txt"]
        assert inventory.hidden == 4
    assert is_hidden("a/Thumbs.db")
    assert not is_hidden("a.b/c")


def test_a_member_above_the_limit_is_refused(tmp_path: Path) -> None:
    members = {"big.txt": bytes(range(256)) * 8_192, "good.txt": b"good"}
    for path in (zipped(tmp_path / "a.zip", members), tarred(tmp_path / "a.tar", dict(members))):
        (refusal,) = listed(path, ReadOptions(max_file_mb=1)).refused
        assert refusal.message == "big.txt has 2.0 MiB and the limit is 1 MiB; raise max_file_mb."
        error = refusal.error(ReadOptions(max_file_mb=1))
        assert isinstance(error, LimitExceeded)
        assert (error.setting, error.limit, error.value) == ("max_file_mb", 1, 2.0)


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


def test_a_stream_larger_than_it_says_is_cut_off() -> None:
    member = archives.Member("a.txt", 10, None, None)
    with pytest.raises(UnsafeFile, match=r"^a\.txt in a\.zip is larger than the archive says"):
        archives.copy_counted(io.BytesIO(b"x" * 11), io.BytesIO(), member, "a.zip", OPTIONS, no_clock)
    huge = archives.Member("a.txt", 10 << 20, None, None)
    small = ReadOptions(max_file_mb=1)
    with pytest.raises(LimitExceeded, match="the limit is 1 MiB"):
        archives.copy_counted(io.BytesIO(bytes(10 << 20)), io.BytesIO(), huge, "a.zip", small, no_clock)


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


def test_the_list_stops_at_its_limit(tmp_path: Path) -> None:
    members = {f"{number}.txt": b"x" for number in range(10)}
    for path in (zipped(tmp_path / "a.zip", members), tarred(tmp_path / "a.tar", dict(members))):
        inventory = listed(path, max_items=4)
        assert (len(inventory.members), inventory.too_many) == (4, True)
        assert inventory.cut_short == f"{path.name} has more than 4 files; only the first ones are listed."
        assert not listed(path, max_items=10).too_many


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


def cut(path: Path, share: float) -> Path:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path


def test_a_tar_cut_short_lists_what_it_has_and_says_so(tmp_path: Path) -> None:
    members = {f"{n}.txt": bytes(str(n), "ascii") * 3000 for n in range(6)}
    inventory = listed(cut(tarred(tmp_path / "a.tar", dict(members)), 0.4))
    assert 0 < len(inventory.members) < 6
    assert inventory.cut_short.startswith("a.tar is damaged after ")
    inventory = listed(cut(tarred(tmp_path / "b.tar", dict(members), "w:gz"), 0.6))
    assert inventory.cut_short.startswith("b.tar is damaged after ")


def test_a_damaged_header_is_not_taken_for_the_end(tmp_path: Path) -> None:
    path = tarred(tmp_path / "a.tar", {"a.txt": b"a" * 600, "b.txt": b"b", "c.txt": b"c"})
    data = bytearray(path.read_bytes())
    data[512 + 1024 + 3] ^= 0xFF
    path.write_bytes(data)
    inventory = listed(path)
    assert list(inventory.members) == ["a.txt"]
    assert inventory.cut_short == "a.tar is damaged after 1 files (its next header is no header); get it again."


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_single_compressed_file_is_no_collection(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / "notes.txt.gz").write_bytes(pack(b"just notes\n" * 100))
    with pytest.raises(DamagedFile, match=r"^notes\.txt\.gz holds no TAR that can be read .*; unpack a single"):
        opened(tmp_path / "notes.txt.gz")


def test_a_compressed_tar_out_of_all_proportion_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tars, "ARCHIVE_RATIO_FROM", 1 << 20)
    monkeypatch.setattr(tars, "MAX_READ", 1 << 20)
    path = tarred(tmp_path / "a.tar", {"zeros.txt": bytes(30 << 20), "b.txt": b"b"}, "w:gz")
    with pytest.raises(UnsafeFile, match=r"^a\.tar unpacks to more than .* MiB, out of all proportion to its size"):
        listed(path)


def test_a_header_that_claims_the_memory_is_refused(tmp_path: Path) -> None:
    entry = tarfile.TarInfo("././@PaxHeader")
    entry.type, entry.size = tarfile.XHDTYPE, 1 << 30
    path = tmp_path / "a.tar"
    path.write_bytes(gzip.compress(entry.tobuf(tarfile.USTAR_FORMAT) + bytes(20 << 20)))
    with pytest.raises(
        UnsafeFile, match=r"^a\.tar is made to fill the memory: one of its headers claims 1,073,741,824"
    ):
        listed(path)


def test_the_clock_stops_a_slow_archive(tmp_path: Path) -> None:
    path = tarred(tmp_path / "a.tar", {f"{n}.txt": b"x" for n in range(50)}, "w:gz")
    calls = 0

    def clock() -> None:
        nonlocal calls
        calls += 1
        if calls > 20:
            raise LimitExceeded("too slow", setting="max_seconds", limit=1, value=time.monotonic())

    archive = TarArchive(path, OPTIONS, clock)
    with pytest.raises(LimitExceeded, match="too slow"):
        archive.inventory(100)
    archive.close()


@given(st.binary(max_size=2_000))
def test_no_bytes_do_worse_than_an_error_for_a_person(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("any")
    for name, head in (("a.zip", b""), ("a.tar", b""), ("b.tar", b"\x1f\x8b\x08\0\0\0\0\0\0\x03")):
        (folder / name).write_bytes(head + data)
        try:
            listed(folder / name)
        except (DamagedFile, UnsafeFile):
            continue


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_no_flipped_byte_does_worse_either(tmp_path_factory: pytest.TempPathFactory, at: int, mask: int) -> None:
    folder = tmp_path_factory.mktemp("flip")
    for path in (zipped(folder / "a.zip", MEMBERS), tarred(folder / "a.tar", dict(MEMBERS))):
        data = bytearray(path.read_bytes())
        data[at % len(data)] ^= mask
        path.write_bytes(data)
        try:
            archive = opened(path)
            inventory = archive.inventory(10)
        except (DamagedFile, UnsafeFile):
            continue
        for name in inventory.members:
            try:
                read(archive, inventory, name)
            except (DamagedFile, UnsafeFile, EncryptedFile, LimitExceeded):
                continue
        archive.close()
