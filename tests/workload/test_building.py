"""The script that makes the development workload: the subset of Markdown, each format, and equal bytes every time."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from workbench.documents import BlockKind, Document, open_document

PARTS = ("artifacts", "checking", "nodes", "requests", "source")
FORMATS = ("pdf", "docx", "html", "md", "txt", "xlsx", "csv", "pptx")

ENGLISH = """# 1 Safety

## 1.1 General rules

The guard is fitted before the pump is started[^1], and **nobody** works *alone* on a hot pump. This sentence only makes
the paragraph long enough to be broken into lines.

- gloves and goggles
- hearing protection
  1. from 82 dB offered
  2. from 85 dB worn

Table: Torques
| Size | Torque | Note |
| --- | --- | --- |
| MX-40 | 1,250 | dry threads |
| MX-65 | 85 | oiled threads |

```
set speed = 4
```

<!-- page -->

# 2 Alarms

{{text intro}}

[^1]: Guards are part of the delivery.
"""
CHINESE = """# 第一章 总则

## 1.1 适用范围

本手册适用于甲型机组的安装、调试与维护，操作人员应当经过培训并取得证书[^1]。机组在运行过程中如出现异常，应当立即停机检查。

- 佩戴手套
- 佩戴护目镜

Table: 力矩
| 型号 | 力矩 | 说明 |
| --- | --- | --- |
| 甲-40 | 1,250 | 干螺纹 |
| 甲-65 | 85 | 涂油螺纹 |

[^1]: 证书由厂家颁发。
"""
TABLE = "Table: Torques\n| Size | Torque |\n| --- | --- |\n| MX-40 | 1,250 |\n| MX-65 | 85 |\n"
MADE = """
TABLES = {"alarms": [["Code", "Text"], ["A-01", "a | b"], ["A-02", "dry run"]]}
TEXTS = {"intro": "Alarms of the controller.\\n\\n{{table alarms}}"}
"""


@pytest.fixture(scope="module")
def building(project_dir: Path) -> Iterator[SimpleNamespace]:
    """The modules of the builder, imported from where they lie and without leaving compiled files there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        patch.syspath_prepend(str(project_dir / "datasets" / "dev"))
        loaded: dict[str, ModuleType] = {part: import_module(f"building.{part}") for part in PARTS}
        yield SimpleNamespace(**loaded)


def written(folder: Path, kind: str, body: str, **meta: str) -> Path:
    lines = {"file": f"made.{kind}", "format": kind, "title": "Manual of the pump", "date": "2026-01-02", **meta}
    front = "".join(f"{key}: {value}\n" for key, value in lines.items())
    (folder / "made.py").write_text(MADE, encoding="utf-8")
    path = folder / "source.md"
    path.write_text(f"---\n{front}---\n{body}", encoding="utf-8")
    return path


def opened(building: SimpleNamespace, folder: Path, kind: str, body: str, **meta: str) -> Document:
    written(folder, kind, body, **meta)
    return open_document(building.artifacts.build_artifact(folder, folder / "out"))


def texts(document: Document, kind: BlockKind) -> list[str]:
    return [block.text for block in document.blocks if block.kind is kind]


def rows(document: Document) -> list[list[str]]:
    return [[cell.text for cell in block.cells] for block in document.blocks if block.kind is BlockKind.TABLE_ROW]


def test_a_source_becomes_nodes(building: SimpleNamespace, tmp_path: Path) -> None:
    source = building.source.read_source(written(tmp_path, "pdf", ENGLISH))
    kinds = [type(node).__name__ for node in source.nodes]
    assert kinds == [
        "Heading",
        "Heading",
        "Paragraph",
        *["Item"] * 4,
        "Table",
        "Code",
        "PageBreak",
        "Heading",
        "Paragraph",
        "Table",
    ]
    items = [(node.depth, node.number) for node in source.nodes if type(node).__name__ == "Item"]
    assert items == [(0, 0), (0, 0), (1, 1), (1, 2)]
    assert source.captions() == {7: "Table 1: Torques"}
    assert [run.note for run in source.nodes[2].runs if run.note] == ["1"]
    assert building.nodes.plain(source.notes["1"]) == "Guards are part of the delivery."
    assert [building.nodes.plain(cell) for cell in source.nodes[-1].rows[0]] == ["A-01", "a | b"]


def test_captions_that_number_themselves_stay(building: SimpleNamespace, tmp_path: Path) -> None:
    source = building.source.read_source(written(tmp_path, "pdf", TABLE.replace("Torques", "Table 7: Torques")))
    assert source.captions() == {0: "Table 7: Torques"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# no front matter\n", "has no front matter: begin it with --- and end that with ---"),
        ("---\nfile: a.pdf\n---\ntext\n", "lacks format"),
        (
            "---\nfile: a.pdf\nformat: pdf\n---\n{{table none}}\n",
            "asks for the table none, which made.py does not make",
        ),
    ],
)
def test_a_wrong_source_is_refused(building: SimpleNamespace, tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "source.md"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "made.py").write_text(MADE, encoding="utf-8")
    with pytest.raises(building.source.SourceError, match=problem):
        building.source.read_source(path)


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_has_the_same_bytes_each_time(building: SimpleNamespace, tmp_path: Path, kind: str) -> None:
    path = written(tmp_path, kind, TABLE if kind == "csv" else ENGLISH, cover="true", contents="true")
    first = building.artifacts.rendered(building.source.read_source(path))
    assert building.artifacts.rendered(building.source.read_source(path)) == first


@pytest.mark.parametrize("kind", ["pdf", "docx", "html", "md", "txt"])
def test_headings_come_back_with_their_levels(building: SimpleNamespace, tmp_path: Path, kind: str) -> None:
    document = opened(building, tmp_path, kind, ENGLISH)
    headings = {block.text: block.level for block in document.blocks if block.kind is BlockKind.HEADING}
    assert {"1 Safety", "1.1 General rules", "2 Alarms"} <= set(headings)
    assert headings["1 Safety"] == headings["2 Alarms"] < headings["1.1 General rules"]


@pytest.mark.parametrize("kind", ["pdf", "docx", "html", "txt"])
def test_chinese_text_and_headings_come_back(building: SimpleNamespace, tmp_path: Path, kind: str) -> None:
    document = opened(building, tmp_path, kind, CHINESE, title="机组手册", language="zh")
    assert {"第一章 总则", "1.1 适用范围"} <= set(texts(document, BlockKind.HEADING))
    assert "操作人员应当经过培训并取得证书" in document.text_layer.replace("\n", "")


@pytest.mark.parametrize("kind", ["pdf", "docx", "html", "md", "csv", "pptx"])
def test_tables_come_back_as_rows(building: SimpleNamespace, tmp_path: Path, kind: str) -> None:
    document = opened(building, tmp_path, kind, TABLE)
    assert rows(document) == [["Size", "Torque"], ["MX-40", "1,250"], ["MX-65", "85"]]


def test_a_workbook_has_sheets_and_numbers(building: SimpleNamespace, tmp_path: Path) -> None:
    body = f"## Torques\n\n{TABLE}\n## Alarms\n\n{{{{table alarms}}}}\n"
    document = opened(building, tmp_path, "xlsx", body)
    assert len(document.pages) == 2
    assert rows(document) == [
        ["Size", "Torque"],
        ["MX-40", "1250"],
        ["MX-65", "85"],
        ["Code", "Text"],
        ["A-01", "a | b"],
        ["A-02", "dry run"],
    ]


def test_a_pdf_has_running_lines_pages_and_footnotes(building: SimpleNamespace, tmp_path: Path) -> None:
    document = opened(building, tmp_path, "pdf", ENGLISH, running_header="HB-1", cover="true", contents="true")
    assert len(document.pages) == 4
    assert texts(document, BlockKind.HEADER) == ["HB-1 2", "HB-1 3", "HB-1 4"]
    assert texts(document, BlockKind.FOOTNOTE) == ["1 Guards are part of the delivery."]
    assert any(text.startswith("• gloves") for text in texts(document, BlockKind.LIST_ITEM))


def test_two_columns_are_read_one_after_the_other(building: SimpleNamespace, tmp_path: Path) -> None:
    body = "\n\n".join(f"# {part} Part\n\n" + f"Words of part {part} go on. " * 60 for part in range(1, 5))
    document = opened(building, tmp_path, "pdf", body, columns="2")
    assert [text for text in texts(document, BlockKind.HEADING) if text.endswith("Part")] == [
        f"{part} Part" for part in range(1, 5)
    ]


def test_logs_are_written_as_they_stand(building: SimpleNamespace, tmp_path: Path) -> None:
    body = "12:00:01 [warn] * not a list\n12:00:02 [info] # not a heading\n"
    written(tmp_path, "log", body)
    assert building.artifacts.build_artifact(tmp_path, tmp_path / "out").read_text(encoding="utf-8") == body


@pytest.mark.parametrize("kind", ["zip", "folder"])
def test_a_collection_holds_its_members_in_order(building: SimpleNamespace, tmp_path: Path, kind: str) -> None:
    (tmp_path / "collection.yaml").write_text(f"file: audit\nformat: {kind}\n", encoding="utf-8")
    members = tmp_path / "members"
    members.mkdir()
    (members / "1.md").write_text("---\nfile: b/notes.md\nformat: md\ntitle: Notes\n---\nText.\n", encoding="utf-8")
    (members / "2.md").write_text("---\nfile: a.raw\nformat: raw\n---\nx = 1\n", encoding="utf-8")
    path = building.artifacts.build_artifact(tmp_path, tmp_path / "out")
    if kind == "zip":
        archive = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
        found = {info.filename: archive.read(info).decode() for info in archive.infolist()}
        assert {info.date_time for info in archive.infolist()} == {(2026, 1, 15, 9, 0, 0)}
    else:
        found = {
            file.relative_to(path).as_posix(): file.read_text() for file in sorted(path.rglob("*")) if file.is_file()
        }
    assert found == {"a.raw": "x = 1\n", "b/notes.md": "# Notes\n\nText.\n"}


def test_requests_get_ids_and_the_artifact_of_their_folder(building: SimpleNamespace, tmp_path: Path) -> None:
    folder = tmp_path / "pump"
    folder.mkdir()
    written(folder, "pdf", ENGLISH)
    said = "- question: How tight?\n  evidence: [MX-65 | 85]\n  answer: 85\n  scenario: pdf_report_qa\n"
    (folder / "requests.yaml").write_text(said, encoding="utf-8")
    assert building.requests.write_workload(tmp_path, tmp_path / "workload.jsonl") == 1
    header, request = map(json.loads, (tmp_path / "workload.jsonl").read_text(encoding="utf-8").splitlines())
    assert (header["workload"], header["version"]) == ("dev", 1)
    assert (request["id"], request["artifact"], request["answer"]) == ("pump-01", "artifacts/made.pdf", "85")
    assert request["evidence"] == [{"quote": "MX-65 | 85", "page": None, "anchor": None, "file": None}]


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("scenario: nothing\n  evidence: [x]", "names no scenario of long_document_qa"),
        ("scenario: native_fit", "must have evidence, or say answerable: false"),
        ("scenario: native_fit\n  evidence: [x]\n  anwser: 3", "unknown fields: anwser"),
    ],
)
def test_a_wrong_request_is_refused(building: SimpleNamespace, tmp_path: Path, said: str, problem: str) -> None:
    written(tmp_path, "pdf", ENGLISH)
    (tmp_path / "requests.yaml").write_text(f"- question: What?\n  {said}\n", encoding="utf-8")
    with pytest.raises(building.source.SourceError, match=problem):
        building.requests.requests_of(tmp_path)


def test_the_check_names_quotes_that_are_lost_or_stand_twice(building: SimpleNamespace, tmp_path: Path) -> None:
    written(tmp_path, "md", "# One\n\nThe pump is blue.\n\nThe pump is blue.\n\n" + TABLE)
    path = building.artifacts.build_artifact(tmp_path, tmp_path / "out")
    quotes = ["The pump is blue.", "The pump is red.", "MX-65 | 85", "MX-65 | 86"]
    pieces = [{"quote": quote, "file": None} for quote in quotes]
    done = building.checking.check("pump", path, [{"id": "pump-01", "evidence": pieces}])
    assert done.missing == ["pump-01: 'The pump is red.'", "pump-01: 'MX-65 | 86'"]
    assert done.ambiguous == ["pump-01: 'The pump is blue.' (2 places)"]


@pytest.mark.parametrize("slug", ["field-bulletin", "release-archive", "master-services-agreement", "claim-file"])
def test_the_shipped_artifacts_are_what_the_sources_make(
    building: SimpleNamespace, project_dir: Path, tmp_path: Path, slug: str
) -> None:
    dev = project_dir / "datasets" / "dev"
    made = building.artifacts.build_artifact(dev / "sources" / slug, tmp_path)
    shipped = dev / "artifacts" / made.name
    texts_of = {
        path: [document.text_layer for document in building.checking.opened(path).values()] for path in (made, shipped)
    }
    assert texts_of[made] == texts_of[shipped]


def test_the_shipped_requests_are_what_the_sources_say(
    building: SimpleNamespace, project_dir: Path, tmp_path: Path
) -> None:
    dev = project_dir / "datasets" / "dev"
    building.requests.write_workload(dev / "sources", tmp_path / "workload.jsonl")
    assert (tmp_path / "workload.jsonl").read_bytes() == (dev / "workload.jsonl").read_bytes()
