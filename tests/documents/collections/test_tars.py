"""TARs: members in any order, links, damage, and headers that lie."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.documents.collections import tars
from workbench.documents.collections.tars import TarArchive
from workbench.errors import DamagedFile, LimitExceeded, UnsafeFile

from .archive_files import MEMBERS, OPTIONS, listed, opened, read, tarred


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_members_of_a_tar_are_listed_and_read_in_any_order(tmp_path: Path, mode: str) -> None:
    archive = opened(tarred(tmp_path / "a.tar", dict(MEMBERS), mode))
    inventory = archive.inventory(10)
    assert list(inventory.members) == list(MEMBERS)
    assert (inventory.refused, inventory.cut_short) == ([], "")
    for name in (*reversed(MEMBERS), *MEMBERS):
        assert read(archive, inventory, name) == MEMBERS[name]
    archive.close()


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
