"""``workbench blocks``: tables, JSON, CSV, folders, archives, and what is said when something is wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import docx
import pytest
from click.testing import CliRunner, Result

import workbench as wb
from tests.documents.formats.pdf.pdf_files import PdfFile
from workbench.cli import cli


def run(*arguments: str | Path, columns: int = 100, **environment: str) -> Result:
    return CliRunner().invoke(cli, ["blocks", *map(str, arguments)], env={"COLUMNS": str(columns), **environment})


def test_the_table_begins_with_the_facts_and_fits_the_terminal(manual: Path) -> None:
    document = wb.open_document(manual)
    result = run(manual)
    assert result.exit_code == 0
    facts, verdicts, header, *rows = result.stdout.splitlines()
    assert facts == (
        f"harbor-manual.md: markdown, 1 page, {len(document)} blocks, {document.tokens:,} tokens (o200k_base)"
    )
    assert verdicts.startswith("type technical (")
    assert "language en (" in verdicts
    assert header.split() == ["id", "page", "kind", "section", "tokens", "text"]
    assert len(rows) == len(document)
    assert max(map(len, result.stdout.splitlines()[2:])) <= 100
    assert result.stderr == ""


def test_a_row_shows_its_cells_apart(manual: Path) -> None:
    assert "H-204 | a volume is more than 85 % full | add a volume" in run(manual, columns=160).stdout


@pytest.mark.parametrize(
    "name", ["harbor-manual.md", "差旅制度.txt", "machines.csv", "review.eml", "release-notes.html"]
)
def test_json_holds_what_the_document_holds(sample_dir: Path, name: str) -> None:
    document = wb.open_document(sample_dir / name)
    told = json.loads(run(sample_dir / name, "--json").stdout)
    facts, blocks = told["document"], told["blocks"]
    assert (facts["name"], facts["format"], facts["sha256"]) == (name, document.format, document.sha256)
    assert facts["tokens"] == sum(block["tokens"] for block in blocks)
    assert [block["text"] for block in blocks] == list(document.texts)
    assert [block["kind"] for block in blocks] == [block.kind.value for block in document.blocks]
    assert [tuple(block["section"]) for block in blocks] == [block.section for block in document.blocks]


def test_csv_holds_the_block_table(manual: Path) -> None:
    frame = wb.open_document(manual).to_frame()
    rows = list(csv.DictReader(io.StringIO(run(manual, "--csv").stdout)))
    assert list(rows[0]) == list(frame.columns)
    assert [int(row["tokens"]) for row in rows] == frame["tokens"].tolist()
    assert [row["text"] for row in rows] == frame["text"].tolist()


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝"])
def test_csv_cells_cannot_be_formulas(tmp_path: Path, start: str) -> None:
    file = tmp_path / "orders.csv"
    file.write_text(f"item,price\n{start}cmd|' /C calc'!A0,5\nnuts,3\nbolts,4\n", encoding="utf-8")
    rows = list(csv.reader(io.StringIO(run(file, "--csv").stdout)))
    assert [cell for row in rows for cell in row if cell.startswith(start)] == []
    assert any(cell.startswith(f"'{start}cmd") for row in rows for cell in row)


def test_text_cannot_steer_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    file.write_text("First line of the log.\n\nThen \x1b]0;owned\x07 came and \x1b[2J cleared \u202ethe screen.\n")
    out = run(file).stdout
    assert "owned" in out
    assert not {"\x1b", "\x07", "\u202e"} & set(out)


def test_only_some_kinds(manual: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run(manual, "--csv", "--kind", "heading", "--kind", "code").stdout)))
    assert {row["kind"] for row in rows} == {"heading", "code"}


@pytest.mark.data
def test_only_one_page(data_dir: Path) -> None:
    pdf = sorted((data_dir / "cuad").rglob("*.pdf"))[0]
    told = json.loads(run(pdf, "--json", "--page", "2").stdout)
    assert told["blocks"]
    assert all(2 in block["pages"] for block in told["blocks"])


def test_a_page_that_does_not_exist(manual: Path) -> None:
    result = run(manual, "--page", "2")
    assert result.exit_code == 2
    assert "Invalid value for --page: harbor-manual.md has pages 1 to 1." in result.stderr


def test_an_unknown_kind_is_answered_with_those_that_exist(manual: Path) -> None:
    result = run(manual, "--kind", "title")
    assert result.exit_code == 2
    assert "'title' is no kind of block; choose from heading, paragraph, list_item," in result.stderr


def test_one_way_of_printing_at_a_time(manual: Path) -> None:
    result = run(manual, "--json", "--csv")
    assert result.exit_code == 2
    assert "Give one of --json, --csv and --overlay." in result.stderr


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    result = run(tmp_path / "absent.pdf")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: There is no file ")
    assert len(result.stderr.splitlines()) == 1


def test_a_limit_outside_its_range_is_misuse(manual: Path) -> None:
    result = run(manual, "--max-seconds", "0")
    assert result.exit_code == 2
    assert result.stderr == "error: max_seconds is 0.0; give a number above 0.\n"


def test_a_limit_that_is_met_names_its_setting(manual: Path) -> None:
    result = run(manual, "--max-blocks", "5")
    assert result.exit_code == 1
    assert "raise max_blocks" in result.stderr
    partial = run(manual, "--max-blocks", "5", "--partial")
    assert partial.exit_code == 0
    assert partial.stderr.startswith("warning: Only the first 5 blocks were kept (max_blocks).")
    assert "5 blocks" in partial.stdout


def test_warnings_go_to_standard_error(tmp_path: Path, sample_dir: Path) -> None:
    misnamed = tmp_path / "notes.pdf"
    shutil.copy(sample_dir / "release-notes.html", misnamed)
    result = run(misnamed, "--json")
    assert result.stderr.startswith("warning: ")
    assert json.loads(result.stdout)["document"]["format"] == "html"


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["--debug", "blocks", str(tmp_path / "absent.pdf")])
    assert isinstance(result.exception, wb.WorkbenchError)


def test_a_folder_gives_its_inventory_and_how_to_go_on(sample_dir: Path) -> None:
    result = run(sample_dir)
    assert result.exit_code == 0
    head, header, *rows, how = result.stdout.splitlines()
    assert head.startswith("documents: 7 files, ")
    assert header.split() == ["format", "bytes", "name"]
    assert [row.split()[-1] for row in rows] == sorted(path.name for path in sample_dir.iterdir())
    assert how == f"Open one with: workbench blocks {sample_dir} --item annual-report.pdf"


def test_an_archive_gives_its_inventory_as_json(sample_dir: Path, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "six"), "zip", sample_dir)
    told = json.loads(run(archive, "--json").stdout)
    assert told["collection"] == "six.zip"
    assert {item["name"] for item in told["items"]} == {path.name for path in sample_dir.iterdir()}
    assert told["refused"] == []


def test_an_item_of_an_archive_is_the_document_itself(sample_dir: Path, tmp_path: Path, manual: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "six"), "gztar", sample_dir)
    item = json.loads(run(archive, "--item", "harbor-manual.md", "--json").stdout)
    assert item == json.loads(run(manual, "--json").stdout)


def test_an_item_that_is_not_there(sample_dir: Path) -> None:
    result = run(sample_dir, "--item", "manual.pdf")
    assert result.exit_code == 1
    assert result.stderr == (
        f"error: documents has no item 'manual.pdf'; workbench blocks {sample_dir} lists those that it has.\n"
    )


@pytest.mark.parametrize("name", ["harbor-manual.md", "a.docx"])
def test_an_item_of_a_single_file(sample_dir: Path, tmp_path: Path, name: str) -> None:
    file = sample_dir / name
    if name == "a.docx":
        file = tmp_path / name
        docx.Document().save(str(file))
    result = run(file, "--item", "page")
    assert result.exit_code == 2
    assert f"{name} is a single file; leave --item out." in result.stderr


def test_an_item_that_is_an_archive_is_answered_with_the_command_for_it(sample_dir: Path, tmp_path: Path) -> None:
    inner = Path(shutil.make_archive(str(tmp_path / "in" / "six"), "zip", sample_dir))
    result = run(inner.parent, "--item", "six.zip")
    assert result.exit_code == 1
    assert result.stderr == f"error: six.zip is an archive itself; see workbench blocks {inner}.\n"


@pytest.mark.parametrize("kind", ["folder", "zip"])
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--page", "2"], "--page needs --item"),
        (["--kind", "heading"], "--kind needs --item"),
        (["--overlay", "x.png", "--page", "1"], "--overlay and --page need --item"),
    ],
)
def test_what_is_for_one_document_is_not_ignored_for_many(
    sample_dir: Path, tmp_path: Path, kind: str, options: list[str], told: str
) -> None:
    place = sample_dir if kind == "folder" else Path(shutil.make_archive(str(tmp_path / "six"), "zip", sample_dir))
    result = run(place, *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"{told}: {place.name} is a folder or an archive." in result.stderr


def test_a_picture_of_some_kinds_is_refused(sample_dir: Path, tmp_path: Path) -> None:
    result = run(sample_dir / "annual-report.pdf", "--overlay", tmp_path / "a.png", "--kind", "heading")
    assert result.exit_code == 2
    assert "--overlay draws the blocks of every kind; leave --kind out." in result.stderr
    assert not (tmp_path / "a.png").exists()


def test_an_encrypted_pdf_is_drawn_with_the_password_given(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", (400, 300), password="geheim")
    pdf.text(60, 60, "Terms of the notes")
    file = pdf.save()
    result = run(file, "--password", "geheim", "--overlay", tmp_path / "a.png")
    assert result.stdout == f"Drew page 1 of a.pdf to {tmp_path / 'a.png'}.\n"
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_written_is_one_line(sample_dir: Path, tmp_path: Path) -> None:
    result = run(sample_dir / "annual-report.pdf", "--overlay", tmp_path / "nowhere" / "a.png")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: The picture cannot be written to ")
    assert len(result.stderr.splitlines()) == 1


def test_a_pdf_in_an_archive_is_not_drawn_and_says_what_to_do(sample_dir: Path, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "six"), "zip", sample_dir)
    result = run(archive, "--item", "annual-report.pdf", "--overlay", tmp_path / "a.png")
    assert result.exit_code == 1
    assert result.stderr == (
        "error: annual-report.pdf was opened inside an archive, where its pages cannot be drawn; unpack it and open "
        "the file.\n"
    )


def test_refused_files_are_told_in_terms_of_the_shell(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "a.txt").write_text("One.\n")
    (tmp_path / "set" / "b.txt").symlink_to(tmp_path)
    assert run(tmp_path / "set").stderr.splitlines()[0] == (
        "warning: 1 file of set cannot be opened; its inventory says which and why."
    )


@pytest.mark.skipif(os.name == "nt", reason="names on Windows are Unicode")
def test_names_that_are_no_utf_8_are_listed_and_opened(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    name = os.fsdecode(b"\xff.txt")
    (folder / name).write_text("One.\n")
    table, told = run(folder), json.loads(run(folder, "--json").stdout)
    assert "\ufffd.txt" in table.stdout
    assert "Open one with" not in table.stdout
    assert [item["name"] for item in told["items"]] == [name]
    assert "\ufffd.txt" in run(folder, "--csv").stdout
    assert run(folder, "--item", name).stdout.startswith("\ufffd.txt: text, 1 page, 1 block")
    assert json.loads(run(folder / name, "--json").stdout)["document"]["name"] == name


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_a_terminal_without_every_character_gets_a_question_mark(sample_dir: Path, encoding: str) -> None:
    command = [sys.executable, "-m", "workbench", "blocks", str(sample_dir / "差旅制度.txt")]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"????.txt: text, 1 page")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("options", [["--json"], ["--csv"], []])
def test_an_output_that_cannot_be_written_is_one_line(manual: Path, options: list[str]) -> None:
    command = [sys.executable, "-m", "workbench", "blocks", str(manual), *options]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert done.returncode == 1
    assert done.stderr == "error: The output cannot be written (No space left on device).\n"


def test_a_reader_that_goes_away_is_no_error(manual: Path) -> None:
    command = [sys.executable, "-m", "workbench", "blocks", str(manual), "--csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        process.wait(60)


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch, manual: Path) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("workbench.documents.open_document", interrupted)
    result = run(manual)
    assert result.exit_code == 130
    assert result.stderr == "error: interrupted.\n"


def test_the_password_may_be_asked_for(manual: Path) -> None:
    result = CliRunner().invoke(cli, ["blocks", str(manual), "--password", "-", "--json"], input="secret\n")
    assert result.exit_code == 0
    assert result.stderr.startswith("Password:")
    assert "secret" not in result.stdout + result.stderr
