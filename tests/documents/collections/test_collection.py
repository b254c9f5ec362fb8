"""A folder or archive is listed first; its documents are opened when asked for, and nothing vanishes."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest

from tests.documents.toy import registered
from workbench.documents import progress
from workbench.documents.cache import DocumentCache
from workbench.documents.collections import Collection, open_collection
from workbench.documents.opening import open_document
from workbench.errors import (
    EmptyFile,
    FileMissing,
    InvalidOption,
    LimitExceeded,
    ParserFailed,
    UnsafeFile,
    UnsupportedFormat,
)

GOOD = b"TOY\nOne.\n"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 50


@pytest.fixture(scope="module", autouse=True)
def _toy_is_registered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with registered(tmp_path_factory.mktemp("plugin")):
        yield


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))


def inner_zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("deep.toy", GOOD)
    return stream.getvalue()


MEMBERS = {
    "b.toy": GOOD,
    "a/one.toy": GOOD + b"Two.\n",
    "a/plain": GOOD,
    "empty.toy": b"",
    "image.png": PNG,
    "nested.zip": inner_zip(),
    "crash.toy": b"TOY\n!exit\n",
    ".hidden": b"x",
}
OPENED = {"b.toy", "a/one.toy", "a/plain"}


def make(kind: str, folder: Path) -> Path:
    if kind == "folder":
        for name, data in MEMBERS.items():
            (folder / "set" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "set" / name).write_bytes(data)
        return folder / "set"
    path = folder / f"set.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in MEMBERS.items():
                archive.writestr(name, data)
        return path
    with tarfile.open(path, {"tar": "w", "tgz": "w:gz", "tar.bz2": "w:bz2", "tar.xz": "w:xz"}[kind]) as archive:  # type: ignore[call-overload]
        for name, data in MEMBERS.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


KINDS = ["folder", "zip", "tar", "tgz", "tar.bz2", "tar.xz"]


@pytest.fixture(params=KINDS)
def collection(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Collection]:
    with open_collection(make(request.param, tmp_path)) as found:
        yield found


def test_the_list_is_made_without_parsing(collection: Collection) -> None:
    assert {item.name: item.size for item in collection.items} == {
        name: len(data) for name, data in MEMBERS.items() if name != ".hidden"
    }
    assert len(collection) == 7
    assert collection.hidden == 1
    formats = {item.name: item.format for item in collection.items}
    assert (formats["b.toy"], formats["nested.zip"], formats["image.png"]) == ("toy", "archive", "")
    assert DocumentCache().entries.info().entries == 0


def test_every_item_is_a_document_or_an_error(collection: Collection) -> None:
    documents = {document.name: document for document in collection}
    assert set(documents) == OPENED
    assert documents["a/one.toy"].text_layer == "TOY\nOne.\nTwo.\n"
    kinds = {name: type(error) for name, error in collection.errors.items()}
    assert kinds == {
        "empty.toy": EmptyFile,
        "image.png": UnsupportedFormat,
        "nested.zip": UnsupportedFormat,
        "crash.toy": ParserFailed,
    }
    assert "nested.zip in set" in str(collection.errors["nested.zip"])
    frame = collection.to_frame().set_index("name")
    assert set(frame.index[frame["status"] == "ready"]) == OPENED
    assert frame.loc["empty.toy", "reason"] == str(collection.errors["empty.toy"])


def test_raise_ends_the_iteration(collection: Collection) -> None:
    with pytest.raises((EmptyFile, UnsupportedFormat, ParserFailed)):
        list(collection.documents(on_error="raise"))
    with pytest.raises(InvalidOption, match="on_error is 'ignore'; choose collect or raise"):
        collection.documents(on_error="ignore")


def test_one_item_is_opened_by_name_or_item(collection: Collection) -> None:
    document = collection.open("b.toy")
    assert document.name == "b.toy"
    assert (document.path is None) == collection.path.is_file()
    item = next(item for item in collection.items if item.name == "a/one.toy")
    assert collection.open(item).name == "a/one.toy"
    assert "b.toy" in collection
    with pytest.raises(FileMissing, match=r"has no item 'c\.toy'; its items are listed by \.to_frame\(\)\."):
        collection.open("c.toy")


def test_a_member_shares_the_cache_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "loose.toy").write_bytes(GOOD)
    open_document(tmp_path / "loose.toy")
    with open_collection(make("zip", tmp_path)) as collection:
        collection.open("b.toy")
    assert DocumentCache().entries.info().entries == 1


def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    with open_collection(make("tgz", tmp_path)) as collection:
        list(collection)
    assert list(scratch.iterdir()) == []


def test_refused_members_are_listed_and_say_why_when_asked_for(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("../evil.toy", GOOD)
        archive.writestr("big.toy", b"TOY\n" + bytes(range(32, 120)) * 30_000)
        archive.writestr("good.toy", GOOD)
    with open_collection(tmp_path / "a.zip", max_file_mb=1) as collection:
        assert [document.name for document in collection] == ["good.toy"]
        assert {refusal.name: refusal.code for refusal in collection.refused} == {
            "../evil.toy": "unsafe_path",
            "big.toy": "too_large",
        }
        with pytest.raises(UnsafeFile, match="leads out of the archive"):
            collection.open("../evil.toy")
        with pytest.raises(LimitExceeded, match="raise max_file_mb") as caught:
            collection.open("big.toy")
        assert caught.value.value == 2.5
        frame = collection.to_frame()
        assert frame["status"].tolist() == ["ready", "refused", "refused"]
        assert [warning.code for warning in collection.warnings] == ["refused"]
        assert repr(collection) == "Collection('a.zip', 1 items, 9 bytes, 2 refused)"


def test_links_of_a_folder_are_followed_only_inside_it(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    (folder / "sub").mkdir(parents=True)
    (folder / "real.toy").write_bytes(GOOD)
    (tmp_path / "secret.toy").write_bytes(GOOD)
    for name, target in (
        ("inside.toy", "real.toy"),
        ("outside.toy", "../secret.toy"),
        ("absolute.toy", "/etc/passwd"),
        ("broken.toy", "gone.toy"),
        ("loop.toy", "loop.toy"),
        ("folder", "sub"),
        ("up", ".."),
    ):
        (folder / name).symlink_to(target)
    collection = open_collection(folder)
    assert [item.name for item in collection.items] == ["inside.toy", "real.toy"]
    assert {refusal.name for refusal in collection.refused} == {
        "outside.toy",
        "absolute.toy",
        "broken.toy",
        "loop.toy",
        "folder",
        "up",
    }
    assert {refusal.code for refusal in collection.refused} == {"link"}
    assert len(list(collection)) == 2


def test_a_file_that_becomes_a_link_out_is_not_opened(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "a.toy").write_bytes(GOOD)
    (tmp_path / "secret.toy").write_bytes(GOOD)
    collection = open_collection(folder)
    (folder / "a.toy").unlink()
    with pytest.raises(FileMissing, match=r"a\.toy is no longer in set"):
        collection.open("a.toy")
    (folder / "a.toy").symlink_to("../secret.toy")
    with pytest.raises(UnsafeFile, match=r"a\.toy has become a link out of set"):
        collection.open("a.toy")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes")
def test_a_pipe_in_a_folder_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    os.mkfifo(tmp_path / "set" / "pipe.toy")
    (refusal,) = open_collection(tmp_path / "set").refused
    assert (refusal.name, refusal.code) == ("pipe.toy", "special")


@pytest.mark.parametrize("kind", KINDS)
def test_too_many_files_are_an_error_or_with_partial_a_warning(tmp_path: Path, kind: str) -> None:
    path = make(kind, tmp_path)
    with pytest.raises(LimitExceeded) as caught:
        open_collection(path, max_items=3)
    assert str(caught.value) == (
        f"{path.name} has more than 3 files; raise max_items, or set partial=True to list the first ones."
    )
    assert caught.value.setting == "max_items"
    with open_collection(path, max_items=3, partial=True) as collection:
        assert len(collection) + collection.hidden == 3
        assert collection.warnings[0].code == "too_many"
    with pytest.raises(InvalidOption, match="max_items is 0; give at least 1"):
        open_collection(path, max_items=0)


def test_a_single_document_points_to_open_document(tmp_path: Path) -> None:
    (tmp_path / "a.toy").write_bytes(GOOD)
    with pytest.raises(UnsupportedFormat, match=r"^a\.toy is a single file; open it with open_document\.$"):
        open_collection(tmp_path / "a.toy")


def test_an_archive_points_back_to_open_collection(tmp_path: Path) -> None:
    for kind in KINDS[1:]:
        with pytest.raises(UnsupportedFormat, match="is an archive; open the documents in it with open_collection"):
            open_document(make(kind, tmp_path))
    with pytest.raises(UnsupportedFormat, match="is a folder; open what is in it with open_collection"):
        open_document(tmp_path)


def test_missing_and_empty_paths_are_told(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match="There is no file"):
        open_collection(tmp_path / "gone.zip")
    (tmp_path / "empty.zip").write_bytes(b"")
    with pytest.raises(EmptyFile, match=r"empty\.zip holds no bytes"):
        open_collection(tmp_path / "empty.zip")


def test_an_empty_folder_is_an_empty_collection(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    collection = open_collection(tmp_path / "set")
    assert (len(collection), list(collection), len(collection.to_frame())) == (0, [], 0)


def test_names_are_shown_as_text_never_as_markup(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("<script>alert(1).toy", GOOD)
        archive.writestr("../<b>.toy", GOOD)
    with open_collection(tmp_path / "a.zip") as collection:
        shown = collection._repr_html_()
    assert shown.startswith("<table class='mathjax_ignore tex2jax_ignore'>")
    assert "<script" not in shown
    assert "<b>." not in shown
    assert "&lt;script&gt;" in shown


def test_a_damaged_tar_says_what_is_missing(tmp_path: Path) -> None:
    path = make("tar", tmp_path)
    path.write_bytes(path.read_bytes()[:2_000])
    with open_collection(path) as collection:
        assert collection.warnings[0].code == "damaged"
        assert [document.name for document in collection] == ["b.toy", "a/one.toy"]


def test_an_office_file_is_a_document_though_it_is_a_zip(tmp_path: Path) -> None:
    paper = docx.Document()
    paper.add_paragraph("Net sales rose.")
    paper.save(str(tmp_path / "a.docx"))
    with pytest.raises(UnsupportedFormat, match=r"^a\.docx is a single file; open it with open_document\.$"):
        open_collection(tmp_path / "a.docx")
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
        archive.write(tmp_path / "a.docx", "a.docx")
    with open_collection(tmp_path / "set.zip") as collection:
        assert [block.text for block in collection.open("a.docx").blocks] == ["Net sales rose."]


def test_progress_counts_the_documents_of_a_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str, int, int]] = []

    class Screen:
        def __init__(self, label: str) -> None:
            self.label = label

        def update(self, done: int, total: int, seconds: float) -> None:
            assert seconds >= 0
            shown.append((self.label, done, total))

        def close(self) -> None:
            shown.append((self.label, -1, -1))

    monkeypatch.setattr(progress, "SHOW_ANYWAY", 0.0)
    monkeypatch.setattr(progress, "REFRESH", 0.0)
    progress.set_reporter(Screen)
    try:
        list(open_collection(make("folder", tmp_path), progress=False).documents(progress=True))
    finally:
        progress.set_reporter(None)
    assert {done for _, done, _ in shown} == {-1, 0, 1, 2, 3, 4, 5, 6}
    assert {label for label, _, _ in shown} == {"Reading set"}
    assert shown[-1] == ("Reading set", -1, -1)


@pytest.mark.skipif(os.name == "nt", reason="names on Windows are Unicode")
def test_a_name_that_is_no_utf_8_is_listed_shown_and_opened(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / os.fsdecode(b"caf\xe9.toy")).write_text("TOY\none\n", encoding="utf-8")
    with open_collection(folder) as collection:
        (item,) = collection.items
        assert item.name == "caf\udce9.toy"
        assert collection.to_frame()["name"].tolist() == ["caf\ufffd.toy"]
        document = collection.open(item)
        assert (document.name, document.texts) == ("caf\udce9.toy", ("TOY", "one"))
        collection._repr_html_().encode()
        document._repr_html_().encode()


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
def test_a_closed_archive_says_so(tmp_path: Path, suffix: str) -> None:
    path = make(suffix.removeprefix("."), tmp_path)
    collection = open_collection(path)
    collection.close()
    name = collection.items[0].name
    with pytest.raises(FileMissing) as caught:
        collection.open(name)
    assert str(caught.value) == f"{path.name} was closed, so {name} cannot be opened; open the archive again."
