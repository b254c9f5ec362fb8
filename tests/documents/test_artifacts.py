"""Any artifact is one document: a file, a folder or an archive; what cannot be opened is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.collections.archive_files import tarred, zipped
from workbench.documents import JoinedDocument, open_artifact
from workbench.documents.artifacts import SHOWN_WARNINGS, artifact_sha256
from workbench.documents.options import ReadOptions
from workbench.errors import EmptyFile, FileMissing, InvalidOption, LimitExceeded, UnsupportedFormat

HERE = ReadOptions(isolate=False, cache=False)
MEMBERS = {
    "b/terms.md": b"# Terms\n\nPayment in May.\n",
    "a.txt": "第一条 付款。\n".encode(),
    "pic.png": b"\x89PNG\r\n\x1a\n\0",
}


def folder_of(path: Path, members: dict[str, bytes]) -> Path:
    for name, data in members.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


def test_a_file_is_opened_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# Title\n\nText.\n")
    document = open_artifact(path, options=HERE)
    assert (document.format, document.texts, type(document).__name__) == ("markdown", ("Title", "Text."), "Document")


def test_a_folder_is_joined_by_name_and_names_what_is_not_opened(tmp_path: Path) -> None:
    place = folder_of(tmp_path / "audit", MEMBERS | {"empty.txt": b"", ".hidden": b"x"})
    (place / "link.txt").symlink_to("/etc/hostname")
    document = open_artifact(place, options=HERE)
    assert isinstance(document, JoinedDocument)
    assert [file.name for file in document.files] == ["a.txt", "b/terms.md"]
    assert document.texts == ("a.txt", "第一条 付款。", "b/terms.md", "Terms", "Payment in May.")
    assert document.path == place
    told = [str(warning) for warning in document.warnings]
    assert any(text.startswith("link.txt is a link out of audit") for text in told)
    assert any("pic.png" in text for text in told) and any(text.startswith("empty.txt holds no bytes") for text in told)
    assert any("1 hidden or system files" in text for text in told)


def test_archives_give_the_same_blocks_as_the_folder(tmp_path: Path) -> None:
    folder = open_artifact(folder_of(tmp_path / "audit", MEMBERS), options=HERE)
    for archive in (zipped(tmp_path / "audit.zip", MEMBERS), tarred(tmp_path / "audit.tgz", dict(MEMBERS), "w:gz")):
        document = open_artifact(archive, options=HERE)
        assert sorted(document.texts) == sorted(folder.texts)
        assert document.format == "collection"


def test_a_folder_where_nothing_opens_says_so_in_its_warnings(tmp_path: Path) -> None:
    document = open_artifact(folder_of(tmp_path / "audit", {"pic.png": MEMBERS["pic.png"]}), options=HERE)
    assert len(document) == 0
    assert [warning.code for warning in document.warnings] == ["not_opened"]


def test_very_many_files_that_are_not_opened_are_counted(tmp_path: Path) -> None:
    place = folder_of(tmp_path / "audit", {f"{rank:03}.txt": b"" for rank in range(SHOWN_WARNINGS + 7)})
    warnings = open_artifact(place, options=HERE).warnings
    assert len(warnings) == SHOWN_WARNINGS + 1
    assert str(warnings[-1]) == "7 more files of audit were not opened; open_collection says why."


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("none.txt", None, FileMissing),
        ("empty.txt", b"", EmptyFile),
        ("pic.png", MEMBERS["pic.png"], UnsupportedFormat),
    ],
)
def test_what_is_no_artifact_is_refused(tmp_path: Path, name: str, data: bytes | None, error: type[Exception]) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(error, match=name):
        open_artifact(tmp_path / name, options=HERE)


def test_what_is_no_path_is_refused() -> None:
    with pytest.raises(InvalidOption, match="opened by its path"):
        open_artifact(7)  # type: ignore[arg-type]


def test_the_hash_of_a_folder_is_that_of_its_visible_files(tmp_path: Path) -> None:
    one, two = (folder_of(tmp_path / name, MEMBERS) for name in ("one", "two"))
    (two / ".DS_Store").write_bytes(b"x")
    assert artifact_sha256(one) == artifact_sha256(two)
    (two / "a.txt").write_bytes(b"other")
    assert artifact_sha256(one) != artifact_sha256(two)
    (two / "a.txt").unlink()
    (two / "c.txt").write_bytes(MEMBERS["a.txt"])
    assert artifact_sha256(one) != artifact_sha256(two)


def test_all_files_together_have_no_more_blocks_than_allowed(tmp_path: Path) -> None:
    place = folder_of(tmp_path / "audit", {f"{rank}.txt": b"One.\n\nTwo.\n" for rank in range(5)})
    with pytest.raises(
        LimitExceeded, match=r"^audit has more than 12 blocks in its files together; raise max_blocks"
    ) as e:
        open_artifact(place, options=ReadOptions(isolate=False, cache=False, max_blocks=12))
    assert (e.value.setting, e.value.limit) == ("max_blocks", 12)
    part = open_artifact(place, options=ReadOptions(isolate=False, cache=False, max_blocks=12, partial=True))
    assert len(part) == 12
    assert str(part.warnings[-1]) == "Only the first 4 of 5 files of audit were read (max_blocks)."
