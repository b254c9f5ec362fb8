"""``workbench labels``: labels into a store, out of it, and how far annotators agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.training.labels.made_labels import QUESTION, document_of, label_of
from workbench.cli import cli
from workbench.documents import Document
from workbench.training.labels import LabelStore, write_labels
from workbench.training.labels.exchange import label_studio


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["labels", *map(str, arguments)])


@pytest.fixture
def document(tmp_path: Path) -> Document:
    return document_of(tmp_path)


@pytest.fixture
def store(tmp_path: Path, document: Document) -> LabelStore:
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add(
        label_of(document, 1),
        label_of(document, 2, "hard negative"),
        label_of(document, 1, annotator="bob"),
        label_of(document, 2, "unsure", annotator="bob"),
    )
    return store


def test_labels_go_out_and_come_in_again(store: LabelStore, tmp_path: Path) -> None:
    out = tmp_path / "labels.csv"
    result = run("export", store.path, "-o", out)
    assert (result.exit_code, result.output) == (0, f"csv: 4 labels written to {out}\n")
    other = tmp_path / "other.sqlite"
    result = run("import", out, "--into", other)
    assert (result.exit_code, result.output) == (0, "csv: 4 labels\nadded      4 labels\n")
    assert LabelStore(other).labels() == store.labels()
    again = run("import", out, "--into", other)
    assert again.output.splitlines()[-1] == "known      4 labels in the store already"


def test_some_labels_go_out_in_the_format_of_another_tool(store: LabelStore, tmp_path: Path) -> None:
    out = tmp_path / "tasks.json"
    result = run("export", store.path, "-o", out, "--format", "label-studio", "--annotator", "bob", "--json")
    assert json.loads(result.output)["labels"] == 2
    assert len(json.loads(out.read_text("utf-8"))) == 2
    refused = run("export", store.path, "-o", out, "--format", "argilla")
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"error: {out} is there already; choose another name, or replace it with --force.\n",
    )
    assert run("export", store.path, "-o", out, "--format", "argilla", "--force", "--value", "unsure").exit_code == 0
    assert len(json.loads(out.read_text("utf-8"))) == 1
    assert run("export", store.path, "-o", out, "--force").exit_code == 2, "the name tells no format"
    assert run("export", store.path, "-o", tmp_path / "x.jsonl", "--source", "gold").output.startswith(
        "jsonl: 0 labels"
    )


def test_a_file_of_another_tool_is_placed_in_its_documents(document: Document, tmp_path: Path) -> None:
    rows = {
        "data": {"question": QUESTION, "text": document.texts[1]},
        "annotations": [{"result": [{"type": "choices", "from_name": "x", "value": {"choices": ["gut"]}}]}],
    }
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([rows]), "utf-8")
    store = tmp_path / "labels.sqlite"
    refused = run("import", path, "--into", store, "--document", document.path)
    assert refused.exit_code == 1
    assert refused.stderr.startswith("error: tasks.json gives no label: left out 1: 'gut' is no value of a label; say")
    assert not store.exists()
    folder = tmp_path / "folder"
    folder.mkdir()
    document_of(folder)
    result = run("import", path, "--into", store, "--document", folder, "--value", "gut=evidence", "--json")
    assert result.exit_code == 0
    told = json.loads(result.output)
    assert (told["format"], told["added"], told["known"], told["older"]) == ("label studio", 1, 0, 0)
    (label,) = LabelStore(store).labels()
    assert (label.value, label.block_id, label.annotator) == ("evidence", 1, "unknown")


def test_agreement_is_told_of_a_store_and_of_a_file(store: LabelStore, tmp_path: Path) -> None:
    result = run("agreement", store.path)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "ann and bob: kappa 0.33 on 2 blocks of 1 document, the same value on 50%"
    assert lines[-1] == f"report.md #2, '{QUESTION}': ann hard negative; bob unsure"
    write_labels(store.labels(), tmp_path / "labels.jsonl")
    assert run("agreement", tmp_path / "labels.jsonl").output == result.output
    (pair,) = json.loads(run("agreement", store.path, "--json").output)["pairs"]
    assert (pair["items"], pair["low"], pair["kappa"]) == (2, None, pytest.approx(1 / 3))
    assert pair["disagreements"][0]["second"] == "unsure"


def test_mistakes_end_in_one_line(store: LabelStore, tmp_path: Path) -> None:
    missing = run("export", tmp_path / "none.sqlite", "-o", tmp_path / "x.csv")
    assert (missing.exit_code, missing.stderr) == (
        1,
        f"error: There is no file of labels {tmp_path / 'none.sqlite'}; check the path.\n",
    )
    assert not (tmp_path / "none.sqlite").exists()
    unknown = run("agreement", store.path, "--annotator", "ann", "--annotator", "carol")
    assert (unknown.exit_code, unknown.stderr) == (
        1,
        "error: There are no labels of carol; the annotators are ann, bob.\n",
    )
    assert run("import", store.path, "--into", tmp_path / "y.sqlite").exit_code == 1
    misused = run("import", tmp_path / "x.csv", "--into", tmp_path / "y.sqlite", "--value", "good")
    assert (misused.exit_code, "write it as word=evidence" in misused.stderr) == (2, True)
    assert run("import", tmp_path / "x.csv", "--into", tmp_path / "y.sqlite", "--format", "xml").exit_code == 2


def test_the_labelling_configuration_in_the_docs_is_that_of_the_files(project_dir: Path) -> None:
    assert label_studio.CONFIG in (project_dir / "docs" / "cli.md").read_text("utf-8")
