"""A workload opens its documents, is divided by document, saved and told apart by what it says."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from tests.reading.made import Made
from workbench.documents import Document
from workbench.documents.options import ReadOptions
from workbench.errors import FileMissing, InvalidOption, InvalidWorkload
from workbench.workload import Evidence, Request, Workload, artifacts, load_workload

HERE = ReadOptions(isolate=False, cache=False)


def request(number: int, artifact: str = "a.txt", **changed: object) -> Request:
    return replace(Request(id=f"q{number}", artifact=artifact, question="何时到期？"), **changed)  # type: ignore[arg-type]


def made(text: str = "Due in May.") -> Document:
    return Made(name="a.txt").text(text).document()


REQUESTS = (
    request(1, evidence=(Evidence(quote="in May"),)),
    request(2, "sub/b.txt", split="test", scenario="native_fit", answerable=False, turns=("Who?",)),
    request(3, "audit", scenario="multi_file_audit", scope="several", action="read", answer="五月"),
)


@pytest.fixture
def work(tmp_path: Path) -> Workload:
    """A workload on disk: a file, a file in a folder, and a folder of two files."""
    folder = tmp_path / "set"
    for name in ("a.txt", "sub/b.txt", "audit/c.txt", "audit/d.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{name} is due in May.")
    Workload.of(REQUESTS, folder=str(folder), name="made", description="About leases.").save(folder)
    return load_workload(folder)


# In memory


def test_a_workload_is_made_of_objects_in_memory() -> None:
    document = made()
    work = Workload.of([request(1)], documents={"a.txt": document})
    assert work.open(work.requests[0]) is document is work.open("a.txt")
    assert repr(work) == "Workload('in memory', 1 request on 1 document, 1 dev)"
    assert work.fingerprint == Workload.of([request(1)], documents={"a.txt": document}, name="b").fingerprint
    other = Workload.of([request(1, "./a.txt")], documents={"./a.txt": made("Due in June.")})
    assert other.open(other.requests[0]).texts == ("Due in June.",)
    assert work.fingerprint != Workload.of([request(1)], documents={"a.txt": made("Due in June.")}).fingerprint
    with pytest.raises(FileMissing, match=r"^Artifact 'a\.txt' is in memory and lies in no folder; open it through"):
        work.path_of("a.txt")


def test_what_clashes_in_memory_is_told_at_once() -> None:
    entries = [request(1), request(1), request(2, split="test"), request(3, "x.txt")]
    with pytest.raises(InvalidWorkload) as caught:
        Workload.of(entries, documents={"a.txt": made()}, name="mine")
    assert str(caught.value) == (
        "The workload 'mine' has mistakes: request 'q1', id: 'q1' is taken by a request before it; give each an id of "
        "its own; request 'q2', split: 'a.txt' is in 'test' here and in 'dev' for request 'q1'; a document belongs to "
        "one split; artifact 'x.txt' has no document; add it to documents."
    )


# Opening


def test_documents_are_opened_once_while_somebody_holds_them(work: Workload) -> None:
    document = work.open(work.requests[0], options=HERE)
    assert document.texts == ("a.txt is due in May.",)
    assert work.open("a.txt", options=HERE) is document
    assert work.split("dev").open("a.txt", options=HERE) is document
    audit = work.open(work.requests[2], options=HERE)
    assert audit.texts == ("c.txt", "audit/c.txt is due in May.", "d.txt", "audit/d.txt is due in May.")


def test_only_the_last_few_documents_are_kept(tmp_path: Path) -> None:
    names = [f"{rank}.txt" for rank in range(8)]
    for name in names:
        (tmp_path / name).write_text(name)
    work = Workload.of([request(rank, name) for rank, name in enumerate(names)], folder=tmp_path)
    held = work.open("0.txt", options=HERE)
    passed = id(work.open("1.txt", options=HERE))
    for name in names[2:]:
        work.open(name, options=HERE)
    gc.collect()
    assert work.open("0.txt", options=HERE) is held
    assert len(work.artifacts._open) <= 5 and passed


def rewritten(file: Path, text: str) -> None:
    """Write a file of the same size anew, at a time that its file system can tell from the first."""
    before = file.stat()
    file.write_text(text, "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000))


def test_a_file_that_has_changed_is_opened_anew(work: Workload) -> None:
    assert work.folder is not None
    document, digest = work.open("a.txt", options=HERE), work.artifacts.sha256("a.txt")
    rewritten(work.folder / "a.txt", "a.txt is due in Jul.")
    changed = work.open("a.txt", options=HERE)
    assert (document.texts, changed.texts) == (("a.txt is due in May.",), ("a.txt is due in Jul.",))
    assert work.open("a.txt", options=HERE) is changed
    assert work.artifacts.sha256("a.txt") == changed.sha256 != digest == document.sha256
    assert sum(found in (document, changed) for found in work.artifacts._recent.values()) == 1


def test_a_folder_in_which_a_file_has_changed_came_or_went_is_opened_anew(work: Workload) -> None:
    assert work.folder is not None
    audit = work.folder / "audit"
    seen = [(work.open("audit", options=HERE), work.artifacts.sha256("audit"))]
    for change in (
        lambda: rewritten(audit / "c.txt", "audit/c.txt is due in Jul."),
        lambda: (audit / "e.txt").write_text("审计于七月到期。", "utf-8"),
        (audit / "d.txt").unlink,
    ):
        change()
        document = work.open("audit", options=HERE)
        assert work.open("audit", options=HERE) is document
        seen.append((document, work.artifacts.sha256("audit")))
    assert len({id(document) for document, _ in seen}) == len({digest for _, digest in seen}) == 4
    assert seen[-1][0].texts == ("c.txt", "audit/c.txt is due in Jul.", "e.txt", "审计于七月到期。")


def test_a_folder_with_a_link_that_leads_nowhere_is_opened_all_the_same(work: Workload) -> None:
    assert work.folder is not None
    (work.folder / "audit" / "gone.txt").symlink_to(work.folder / "audit" / "nothing.txt")
    assert work.open("audit", options=HERE).texts[1] == "audit/c.txt is due in May."


def test_threads_are_given_the_same_document(work: Workload) -> None:
    found: list[Document] = []
    threads = [Thread(target=lambda: found.append(work.open("a.txt", options=HERE))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(document) for document in found}) == 1


def test_an_artifact_that_went_away_or_became_a_link_is_named(work: Workload, tmp_path: Path) -> None:
    assert work.folder is not None
    (work.folder / "a.txt").unlink()
    with pytest.raises(FileMissing, match=r"^There is no file or folder 'a\.txt' in the workload's folder; check the"):
        work.open("a.txt")
    (tmp_path / "secret.txt").write_text("secret")
    (work.folder / "a.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(FileMissing, match=r"^'a\.txt' leads out of the workload's folder by a link; copy what it"):
        work.open("a.txt")


# Choosing


def test_a_workload_is_divided_by_split_field_and_document(work: Workload) -> None:
    def ids(chosen: Workload) -> list[str]:
        return [request.id for request in chosen]

    assert (ids(work.split("dev")), ids(work.split("test"))) == (["q1", "q3"], ["q2"])
    assert ids(work.filter(scenario=["native_fit", "multi_file_audit"], answerable=True)) == ["q3"]
    assert ids(work.filter(scope=None)) == ["q1", "q2"]
    assert ids(work.of_documents(["audit", "a.txt"])) == ["q1", "q3"]
    assert work.documents == ("a.txt", "sub/b.txt", "audit")
    assert work.request("q3").answer == "五月"
    assert len(work.filter(id="none")) == 0


def test_names_that_do_not_exist_are_refused_with_the_nearest(work: Workload) -> None:
    with pytest.raises(InvalidOption, match=r"^There is no split 'train'; choose from dev, test\.$"):
        work.split("train")
    with pytest.raises(InvalidOption, match=r"^Requests have no field 'scenaro'; the nearest is 'scenario'\.$"):
        work.filter(scenaro="x")
    with pytest.raises(InvalidOption, match=r"^No request of made is about 'audits'; the nearest is 'audit'\.$"):
        work.of_documents(["audits"])
    with pytest.raises(InvalidOption, match=r"^made has no request 'q9'; the nearest is"):
        work.request("q9")


# Fingerprint


def test_equal_content_has_an_equal_fingerprint_wherever_it_lies(work: Workload, tmp_path: Path) -> None:
    assert work.folder is not None
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(work.folder, elsewhere)
    text = (elsewhere / "workload.jsonl").read_text().replace("About leases.", "Other words.").replace("made", "named")
    (elsewhere / "workload.jsonl").write_text(text)
    (elsewhere / "audit" / ".DS_Store").write_bytes(b"x")
    other = load_workload(elsewhere)
    assert (other.name, other.description) == ("named", "Other words.")
    assert other.fingerprint == work.fingerprint
    assert len(work.fingerprint) == 64


@pytest.mark.parametrize("name", ["a.txt", "audit/d.txt"])
def test_a_changed_artifact_changes_the_fingerprint(work: Workload, name: str) -> None:
    before = work.fingerprint
    assert work.fingerprint == before
    assert work.folder is not None
    (work.folder / name).write_text("Something else of another length.")
    assert work.fingerprint != before


def test_every_look_sees_a_new_file_and_a_change_and_reads_nothing_that_stayed(
    work: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    whole = artifacts.artifact_sha256

    def counted(path: Path) -> str:
        read.append(path.name)
        return whole(path)

    monkeypatch.setattr(artifacts, "artifact_sha256", counted)
    assert work.folder is not None
    before = work.fingerprint
    read.clear()
    assert work.fingerprint == before
    assert read == []
    (work.folder / "audit" / "new.txt").write_text("One more.")
    assert work.fingerprint != before
    assert read == ["audit"]
    (work.folder / "audit" / "new.txt").unlink()
    assert work.fingerprint == before
    (work.folder / "a.txt").unlink()
    with pytest.raises(FileMissing, match=r"There is no file or folder 'a\.txt'"):
        _ = work.fingerprint


def test_what_a_request_says_changes_the_fingerprint(work: Workload) -> None:
    seen = {work.fingerprint}
    for changed in ({"answer": "May"}, {"question": "When?"}, {"evidence": ()}, {"split": "test"}, {"label": "x"}):
        entries = (replace(work.requests[0], **changed), *work.requests[1:])
        seen.add(Workload.of(entries, folder=work.folder).fingerprint)
    assert len(seen) == 6


# Saving


def test_what_is_saved_is_loaded_again(work: Workload, tmp_path: Path) -> None:
    path = work.save(tmp_path / "copy")
    again = load_workload(path)
    assert (again.requests, again.name, again.description) == (work.requests, work.name, work.description)
    assert again.fingerprint == work.fingerprint
    first = path.read_bytes()
    assert again.save(tmp_path / "copy").read_bytes() == first
    assert "何时到期？" in first.decode()
    assert sorted(p.name for p in path.parent.iterdir()) == ["a.txt", "audit", "sub", "workload.jsonl"]


def test_a_part_is_saved_with_its_artifacts_alone(work: Workload, tmp_path: Path) -> None:
    path = work.split("test").save(tmp_path / "part")
    assert [entry.name for entry in sorted(path.parent.iterdir())] == ["sub", "workload.jsonl"]


def test_lone_surrogates_survive_saving(work: Workload, tmp_path: Path) -> None:
    odd = replace(work.requests[0], evidence=(Evidence(quote="caf\udce9"),))
    path = Workload.of([odd], folder=work.folder).save(tmp_path / "odd")
    assert load_workload(path).requests == (odd,)
    assert load_workload(path).to_frame()["id"].tolist() == ["q1"]


def test_another_artifact_of_the_same_name_is_never_overwritten(work: Workload, tmp_path: Path) -> None:
    target = tmp_path / "taken"
    target.mkdir()
    (target / "a.txt").write_text("precious")
    with pytest.raises(InvalidWorkload, match=r"taken/a\.txt is another artifact already; choose an empty folder\.$"):
        work.save(target)
    assert (target / "a.txt").read_text() == "precious"
    assert [entry.name for entry in target.iterdir()] == ["a.txt"]


def test_links_inside_a_folder_are_not_followed_when_it_is_copied(work: Workload, tmp_path: Path) -> None:
    assert work.folder is not None
    (tmp_path / "secret.txt").write_text("secret")
    (work.folder / "audit" / "link.txt").symlink_to(tmp_path / "secret.txt")
    path = work.save(tmp_path / "copy")
    assert (path.parent / "audit" / "link.txt").is_symlink()
    assert load_workload(path).fingerprint == work.fingerprint


def test_a_folder_that_cannot_be_written_is_named(work: Workload, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidWorkload, match=r"file \(.+\); choose a folder that can be written\.$"):
        work.save(tmp_path / "file")


def test_documents_in_memory_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"^Artifact 'a\.txt' is in memory and lies in no folder"):
        Workload.of([request(1)], documents={"a.txt": made()}).save(tmp_path / "new")


# Showing and moving


def test_the_table_has_a_row_a_request(work: Workload) -> None:
    frame = work.to_frame()
    assert frame["id"].tolist() == ["q1", "q2", "q3"]
    assert frame["scope"].tolist() == ["", "", "several"]
    assert frame["evidence"].tolist() == [1, 0, 0]
    assert frame["turns"].tolist() == [0, 1, 0]
    assert list(Workload.of([]).to_frame().columns) == list(frame.columns)


def test_it_shows_itself_in_words_and_as_html(work: Workload) -> None:
    assert repr(work) == "Workload('made', 3 requests on 3 documents, 2 dev, 1 test)"
    hostile = replace(work, name="<script>", description="\udce9 <b>")
    shown = hostile._repr_html_()
    assert "&lt;script&gt;" in shown and "<script>" not in shown and "2 dev, 1 test" in shown
    shown.encode()


def test_it_goes_to_another_process_and_comes_back(work: Workload) -> None:
    work.open("a.txt", options=HERE)
    again = pickle.loads(pickle.dumps(work))
    assert (again.requests, again.fingerprint) == (work.requests, work.fingerprint)
    assert again.open("a.txt", options=HERE).texts == ("a.txt is due in May.",)
