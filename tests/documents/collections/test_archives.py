"""Archives are hostile until shown otherwise: what would do harm is refused, with the reason, and never lost."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents.collections import archives
from workbench.documents.collections.archives import clean_name, is_hidden, unsafe_path
from workbench.documents.options import ReadOptions
from workbench.errors import DamagedFile, EncryptedFile, LimitExceeded, UnsafeFile

from .archive_files import MEMBERS, OPTIONS, listed, no_clock, opened, read, tarred, zipped


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


@given(st.text("./\\abC:\0", max_size=12))
def test_a_name_that_passes_stays_inside(name: str) -> None:
    if unsafe_path(name) is None:
        cleaned = clean_name(name)
        assert not cleaned.startswith("/")
        assert ".." not in cleaned.split("/")
        assert "\\" not in cleaned


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


def test_a_stream_larger_than_it_says_is_cut_off() -> None:
    member = archives.Member("a.txt", 10, None, None)
    with pytest.raises(UnsafeFile, match=r"^a\.txt in a\.zip is larger than the archive says"):
        archives.copy_counted(io.BytesIO(b"x" * 11), io.BytesIO(), member, "a.zip", OPTIONS, no_clock)
    huge = archives.Member("a.txt", 10 << 20, None, None)
    small = ReadOptions(max_file_mb=1)
    with pytest.raises(LimitExceeded, match="the limit is 1 MiB"):
        archives.copy_counted(io.BytesIO(bytes(10 << 20)), io.BytesIO(), huge, "a.zip", small, no_clock)


def test_the_list_stops_at_its_limit(tmp_path: Path) -> None:
    members = {f"{number}.txt": b"x" for number in range(10)}
    for path in (zipped(tmp_path / "a.zip", members), tarred(tmp_path / "a.tar", dict(members))):
        inventory = listed(path, max_items=4)
        assert (len(inventory.members), inventory.too_many) == (4, True)
        assert inventory.cut_short == f"{path.name} has more than 4 files; only the first ones are listed."
        assert not listed(path, max_items=10).too_many


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
