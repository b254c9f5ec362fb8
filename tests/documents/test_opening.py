"""Opening a document: limits, cache, isolation and errors, with a format of our own."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.documents.toy import FORMAT, registered
from workbench.documents import opening, registry
from workbench.documents.cache import DocumentCache
from workbench.documents.document import Document
from workbench.documents.draft import Draft
from workbench.documents.opening import _telling_part, open_document
from workbench.documents.options import ReadOptions
from workbench.documents.source import ParseContext, Source
from workbench.documents.workers.sandbox import RunJobs
from workbench.errors import DamagedFile, FileMissing, InvalidOption, LimitExceeded, ParserFailed

Write = Callable[..., Path]


@pytest.fixture(scope="module", autouse=True)
def _toy_is_registered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with registered(tmp_path_factory.mktemp("plugin")):
        yield


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str = "One.\nTwo.\n", name: str = "a.toy") -> Path:
        (tmp_path / name).write_text("TOY\n" + text)
        return tmp_path / name

    return write


@pytest.fixture
def counted(tmp_path: Path) -> Callable[[], int]:
    return lambda: len((tmp_path / "count").read_text()) if (tmp_path / "count").exists() else 0


def texts(document: Document) -> list[str]:
    return [block.text for block in document.blocks]


@pytest.mark.parametrize("isolate", [True, False])
def test_a_file_becomes_a_document(write: Write, isolate: bool) -> None:
    path = write()
    document = open_document(path, isolate=isolate, cache=False)
    assert texts(document) == ["TOY", "One.", "Two."]
    assert (document.name, document.format, document.path) == ("a.toy", "toy", path)
    assert document.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert document.warnings == ()


def test_text_and_paths_and_home_are_accepted(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write()
    monkeypatch.chdir(path.parent)
    monkeypatch.setenv("HOME", str(path.parent))
    for spelling in (str(path), path, "a.toy", Path("a.toy"), "~/a.toy", "./x/../a.toy"):
        assert open_document(spelling).path == path


@pytest.mark.parametrize("path", [b"a.toy", 3, None])
def test_other_things_are_no_paths(path: Any) -> None:
    with pytest.raises(InvalidOption, match="A document is opened by its path, a str or Path, not by"):
        open_document(path)


def test_an_address_is_no_path() -> None:
    with pytest.raises(FileMissing, match="is an address; download it and open the file"):
        open_document("https://example.com/a.toy")


def test_an_unknown_option_lists_those_that_exist(write: Write) -> None:
    with pytest.raises(InvalidOption, match=r"max_page is no option of reading; choose from .*max_pages"):
        open_document(write(), max_page=3)
    with pytest.raises(InvalidOption, match="options is a dict; give a ReadOptions"):
        open_document(write(), options={"max_pages": 3})  # type: ignore[arg-type]


def test_single_fields_override_the_options(write: Write) -> None:
    with pytest.raises(LimitExceeded):
        open_document(write(), options=ReadOptions(max_file_mb=100), max_file_mb=1e-6)


def test_a_second_opening_parses_nothing(write: Write, counted: Callable[[], int], tmp_path: Path) -> None:
    path = write(f"!count {tmp_path / 'count'}\n")
    first, second = open_document(path), open_document(path)
    assert counted() == 1
    assert texts(first) == texts(second)
    open_document(path, cache=False)
    assert counted() == 2
    open_document(path, max_block_chars=100)
    assert counted() == 3


def test_equal_bytes_under_another_name_are_told_by_that_name(
    write: Write, counted: Callable[[], int], tmp_path: Path
) -> None:
    text = f"!count {tmp_path / 'count'}\n!warn\n"
    open_document(write(text, "a.toy"))
    other = open_document(write(text, "b.toy"))
    assert counted() == 1
    assert (other.name, other.path) == ("b.toy", tmp_path / "b.toy")
    assert [str(warning) for warning in other.warnings] == ["b.toy is odd."]


def test_a_damaged_entry_is_built_again(
    write: Write, counted: Callable[[], int], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write(f"!count {tmp_path / 'count'}\n")
    open_document(path)
    (entry,) = (tmp_path / "cache").iterdir()
    entry.write_bytes(entry.read_bytes()[:-20])
    assert texts(open_document(path))[0] == "TOY"
    assert "is damaged" in caplog.text
    open_document(path)
    assert counted() == 2


def test_what_a_password_opened_is_not_written_to_disk(write: Write) -> None:
    open_document(write(), password="secret")
    assert DocumentCache().entries.info().entries == 0


def test_a_document_cut_short_by_time_is_not_kept(write: Write) -> None:
    assert open_document(write("!late\n")).warnings[0].code == "out_of_time"
    assert DocumentCache().entries.info().entries == 0


def test_a_lower_limit_speaks_up_although_the_document_is_in_the_cache(write: Write) -> None:
    path = write()
    assert len(open_document(path)) == 3
    with pytest.raises(LimitExceeded, match=r"a\.toy has more than 2 blocks; raise max_blocks"):
        open_document(path, max_blocks=2)
    assert len(open_document(path, max_blocks=2, partial=True)) == 2


def test_a_file_above_the_limit_names_value_and_setting(write: Write) -> None:
    path = write("x" * 3_000_000)
    with pytest.raises(LimitExceeded) as caught:
        open_document(path, max_file_mb=2)
    assert str(caught.value) == (
        "a.toy has 2.9 MiB and the limit is 2 MiB; raise max_file_mb, or set partial=True to read its first part."
    )
    assert (caught.value.setting, caught.value.limit, caught.value.value) == ("max_file_mb", 2, 2.9)


def test_partial_reads_the_first_part_to_the_end_of_a_line(write: Write) -> None:
    path = write("".join(f"Line {number}.\n" for number in range(200_000)))
    document = open_document(path, max_file_mb=1, partial=True)
    assert [warning.code for warning in document.warnings] == ["truncated"]
    assert str(document.warnings[0]) == "Only the first 1.0 of 2.4 MiB of a.toy were read (max_file_mb)."
    assert document.text_layer == path.read_text()[: len(document.text_layer)]
    assert document.text_layer.endswith(".\n")
    assert (1 << 20) - 20 < len(document.text_layer) <= 1 << 20
    assert document.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (document.path, document.name) == (path, "a.toy")


def test_partial_does_not_cut_a_format_that_needs_its_end(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = replace(FORMAT, truncatable=False)
    monkeypatch.setattr(registry, "formats", lambda: (whole,))
    with pytest.raises(LimitExceeded, match=r"raise max_file_mb\.$"):
        open_document(write("x" * 3_000_000), max_file_mb=2, partial=True)


@pytest.mark.parametrize("head", [b"\xff\xfe", b"\xfe\xff"])
def test_a_cut_keeps_the_units_of_utf_16_whole(tmp_path: Path, head: bytes) -> None:
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_bytes(head + b"\x0a\x00" * 100_000)
    assert opening._copy_first(source, target, 99_999) == 99_998
    assert target.stat().st_size == 99_998


def test_a_crash_spares_this_process(write: Write) -> None:
    with pytest.raises(ParserFailed, match=r"The parser crashed on a\.toy \(exit code 9\)"):
        open_document(write("!exit\n"))
    assert DocumentCache().entries.info().entries == 0
    assert texts(open_document(write()))[1] == "One."


def test_a_hang_ends_at_the_deadline(write: Write) -> None:
    with pytest.raises(LimitExceeded, match=r"a\.toy took longer than 0\.5 s"):
        open_document(write("!hang\n"), max_seconds=0.5)


def test_a_file_that_changes_while_it_is_read_is_not_trusted(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write()

    def parse(source: Source, context: ParseContext) -> Draft:
        path.write_text("TOY\nand more\n")
        return FORMAT.parse(source, context)

    hasty = replace(FORMAT, parse=parse)
    monkeypatch.setattr(registry, "formats", lambda: (hasty,))
    with pytest.raises(DamagedFile, match=r"^a\.toy changed while it was read; open it again\.$"):
        open_document(path, isolate=False)
    assert DocumentCache().entries.info().entries == 0


def test_a_format_may_distribute_its_work(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write()

    def distribute(source: Source, context: ParseContext, run_jobs: RunJobs) -> Draft:
        job = {"path": str(source.path), "name": source.name, "format": "toy", "sha256": ""}
        assert len(list(run_jobs("workbench.documents.workers.worker:parse", [job, job]))) == 2
        return FORMAT.parse(source, context)

    distributing = replace(FORMAT, distribute=distribute)
    monkeypatch.setattr(registry, "formats", lambda: (distributing,))
    assert texts(open_document(path)) == ["TOY", "One.", "Two."]


def test_the_content_speaks_louder_than_the_suffix(write: Write) -> None:
    document = open_document(write(name="report.pdf"))
    assert document.format == "toy"
    assert [warning.code for warning in document.warnings] == ["wrong_suffix"]
    again = open_document(write(name="report.pdf"))
    assert [warning.code for warning in again.warnings] == ["wrong_suffix"]


SCRIPT = """
import sys
import workbench as wb
try:
    print(len(wb.open_document(sys.argv[1])))
except KeyboardInterrupt:
    print("interrupted")
"""


def start_script(tmp_path: Path, path: Path) -> subprocess.Popen[str]:
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    command = [sys.executable, str(tmp_path / "script.py"), str(path)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_script_without_main_guard_opens_documents(tmp_path: Path, write: Write) -> None:
    out, err = start_script(tmp_path, write()).communicate(timeout=60)
    assert (out, err) == ("3\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_leaves_no_cache_entry(tmp_path: Path, write: Write, counted: Callable[[], int]) -> None:
    process = start_script(tmp_path, write(f"!count {tmp_path / 'count'}\n!hang\n"))
    end = time.monotonic() + 30
    while not counted() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(2)
    out, err = process.communicate(timeout=60)
    assert (out, err) == ("interrupted\n", "")
    assert DocumentCache().entries.info().entries == 0


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("odd", "other", "other is odd."),
        ("is", "other", "other is odd."),
        ("odd.toy", "other.toy", "other.toy is odd."),
        ("odd.1", "is.1", "is.1 is odd."),
    ],
)
def test_a_name_that_is_a_word_of_a_warning_is_not_replaced_in_it(
    write: Write, first: str, second: str, told: str
) -> None:
    messages = [[w.message for w in open_document(write("!warn\n", name)).warnings] for name in (first, second)]
    assert f"{first} is odd." in messages[0]
    assert told in messages[1]


def test_a_file_known_by_its_name_alone_does_not_lend_its_blocks_to_another(tmp_path: Path) -> None:
    for name in ("Makefile", "notes"):
        (tmp_path / name).write_text("all: test\n\ttouch done\n", encoding="utf-8")
    keys = {_telling_part(Source(tmp_path / name)) for name in ("Makefile", "notes")}
    assert keys == {"Makefile", "notes"}
    assert _telling_part(Source(tmp_path / "a.PDF")) == ".pdf"
