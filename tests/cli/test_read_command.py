"""``workbench read``: what is kept and skipped, the same for people and for programs."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

import workbench as wb
from tests.cli.reading_runs import ASKED, LEAST, QUESTION, reading_of, run, squeezed
from tests.test_import_time import HEAVY, modules_after
from workbench.caching import CacheFolder
from workbench.cli import cli
from workbench.cli.reading_export import write_text
from workbench.reading import Status


@pytest.fixture
def policy(sample_dir: Path) -> Path:
    return sample_dir / "差旅制度.txt"


def test_the_facts_name_document_question_cut_bound_rules_and_scale(manual: Path) -> None:
    result = run(manual, QUESTION, "--min-tokens", LEAST)
    reading = reading_of(manual)
    document = reading.document
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines()[:5] == [
        f"document   harbor-manual.md: technical, en, 1 page, {len(document)} blocks, {document.tokens:,} tokens",
        f"question   {QUESTION}",
        f"cut        the best 20 % of the tokens, at least {LEAST}; bound: token share, "
        f"at priority {reading.threshold:.3f}",
        "rules      technical",
        "scores     UNCALIBRATED: they order the blocks of this document, and are no probabilities",
    ]


@pytest.mark.parametrize(("name", "question"), [("harbor-manual.md", QUESTION), ("差旅制度.txt", ASKED)])
def test_every_kept_block_is_printed_with_anchor_numbers_and_text(sample_dir: Path, name: str, question: str) -> None:
    reading = reading_of(sample_dir / name, question)
    out = run(sample_dir / name, question, "--min-tokens", LEAST, "--kept", "all", "--skipped", 0).stdout
    table = out.partition("\nKEPT")[2].partition("\nsaving")[0]
    rows = re.findall(r"^p1 #(\d+) +(context|(\S+) = (\S+) x (\S+))", table, re.MULTILINE)
    assert [int(row[0]) for row in rows] == sorted({*reading.kept_ids, *reading.context_ids} - tables(reading))
    for block, words, priority, relevance, weight in rows:
        at = int(block)
        if words == "context":
            assert at in reading.context_ids
            continue
        assert float(priority) == pytest.approx(reading.priority[at], abs=6e-4)
        assert float(relevance) == pytest.approx(reading.scores.relevance[at], abs=6e-4)
        assert float(weight) == pytest.approx(reading.structure.weights[at], abs=6e-3)
    words = re.sub(r"\s", "", table)
    for at in reading.kept_ids:
        assert re.sub(r"\s", "", reading.document.texts[at].replace("\t", "|")) in words


def tables(reading: wb.Reading) -> set[int]:
    return {block.block_id for block in reading.document.blocks if not block.text}


def test_the_saving_the_best_skipped_and_the_notes_follow(manual: Path) -> None:
    reading = reading_of(manual)
    out = run(manual, QUESTION, "--min-tokens", LEAST, columns=200).stdout
    tail = out.partition("\nsaving     ")[2]
    assert tail.startswith(f"{reading.saving}\n")
    skipped = set(np.flatnonzero(reading.status == Status.SKIPPED).tolist()) - tables(reading)
    assert f"SKIPPED, the best 5 of {len(skipped)}\n" in tail
    shown = [int(block) for block in re.findall(r"^p1 #(\d+)", tail, re.MULTILINE)]
    assert shown == list(reading.skipped.top(5))
    for block in shown:
        assert reading.explain(block).reason in tail
    assert re.findall(r"^note       (.*)", tail, re.MULTILINE) == list(reading.notes)


def test_only_the_best_kept_blocks_are_printed_and_how_to_see_the_others(manual: Path) -> None:
    reading = reading_of(manual)
    result = run(manual, QUESTION, "--min-tokens", LEAST, "--kept", 3, "--skipped", 0)
    best = sorted(reading.kept_ids, key=lambda block: (-reading.priority[block], block))[:3]
    rows = re.findall(r"^p1 #(\d+) +(context|\S+ =)", result.stdout, re.MULTILINE)
    shown = {int(block) for block, _ in rows}
    above = {heading for block in best for heading in reading.document.blocks[block].section}
    assert shown == {*best, *above}
    assert f"KEPT, the best 3 of {len(reading.kept_ids)} and their context, in document order" in result.stdout
    left_out = len(set(reading.kept_ids) - shown)
    assert f"{left_out} more kept blocks: --kept all prints them, --text what a model sees." in result.stdout
    assert "SKIPPED" not in result.stdout


@pytest.mark.parametrize("count", ["-1", "some", "1.5"])
def test_a_count_is_a_number_or_all(manual: Path, count: str) -> None:
    result = run(manual, QUESTION, "--kept", count)
    assert result.exit_code == 2
    assert f"{count!r} is no count; give a number from 0 on, or all." in result.stderr


@pytest.mark.parametrize("columns", [60, 80, 160])
@pytest.mark.parametrize(("name", "question"), [("harbor-manual.md", QUESTION), ("差旅制度.txt", ASKED)])
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(
    sample_dir: Path, name: str, question: str, columns: int
) -> None:
    out = run(sample_dir / name, question, columns=columns).stdout
    assert [line for line in out.splitlines() if cell_len(line) > columns or line != line.rstrip()] == []


def test_a_pin_is_shown(manual: Path, tmp_path: Path) -> None:
    rules = tmp_path / "mine.yaml"
    rules.write_text(
        "version: 1\nname: mine\nrules:\n"
        "  - {name: limits, match: {keywords: [petabytes, PiB]}, weight: 2.0, pin: true, reason: Always., author: ana, "
        "date: 2026-01-01}\n"
    )
    result = run(manual, QUESTION, "--min-tokens", LEAST, "--rules", rules)
    assert "rules      mine\n" in result.stdout
    (block,) = (block for block in wb.open_document(manual).blocks if "PiB" in block.text)
    assert re.search(rf"^p1 #{block.block_id} +\S+ = \S+ x 2\.00 .*\n +pinned ", result.stdout, re.MULTILINE)


def test_the_rows_of_a_table_show_their_cells_and_a_listing_its_indent(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(
        "# Alarms\n\n| Code | Says |\n| --- | --- |\n| H-1 | disk full |\n\n```\nif full:\n    stop()\n```\n"
    )
    out = run(file, "disk full").stdout
    assert "H-1 | disk full\n" in out
    assert re.search(r"  if full:\n +    stop\(\)\n", out)


def test_text_cannot_steer_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    file.write_text("First line of the log.\n\nThen \x1b]0;owned\x07 came and \x1b[2J cleared \u202ethe screen.\n")
    for options in ([], ["--explain", "1"]):
        out = run(file, "who \x1b[31mcleared the screen?", *options).stdout
        assert "cleared" in out
        assert not {"\x1b", "\x07", "\u202e"} & set(out)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_kept_text_is_verbatim_for_a_program_and_harmless_on_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "log.txt"
    file.write_text("First  line of the log.\n\nThen \x1b[2J cleared the screen.\n")
    reading = reading_of(file, "who cleared the screen?")
    assert run(file, "who cleared the screen?", "--text").stdout == reading.kept_text + "\n"
    assert "\x1b[2J" in reading.kept_text
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    write_text(reading)
    shown = screen.getvalue()
    assert "\x1b" not in shown
    assert squeezed(shown.replace("\ufffd", "\x1b")) == squeezed(reading.kept_text)


@pytest.mark.parametrize(("name", "question"), [("harbor-manual.md", QUESTION), ("差旅制度.txt", ASKED)])
def test_json_holds_the_audit_the_kept_text_and_the_saving(sample_dir: Path, name: str, question: str) -> None:
    reading = reading_of(sample_dir / name, question)
    told = json.loads(run(sample_dir / name, question, "--min-tokens", LEAST, "--json", "--explain", 3).stdout)
    assert list(told) == ["facts", "seal", "saving", "kept", "pinned", "context", "kept_text", "explanations", "blocks"]
    assert {name: told[name] for name in ("facts", "seal", "blocks")} == json.loads(reading.audit().to_json())
    assert told["kept_text"] == reading.kept_text
    assert told["saving"]["tokens_kept"] == reading.saving.tokens_kept
    assert told["saving"]["share_skipped"] == reading.saving.share_skipped
    assert told["kept"] == list(reading.kept_ids)
    assert told["context"] == list(reading.context_ids)
    assert told["explanations"] == [reading.explain(3).to_dict()]


def test_csv_is_the_audit(manual: Path) -> None:
    out = run(manual, QUESTION, "--min-tokens", LEAST, "--csv").stdout
    assert out == reading_of(manual).audit().to_csv()


@pytest.mark.parametrize("start", ["=", "@", "＝"])
def test_csv_cells_cannot_be_formulas(tmp_path: Path, start: str) -> None:
    file = tmp_path / "orders.csv"
    file.write_text(f"item,price\n{start}cmd|' /C calc'!A0,5\nnuts,3\n", encoding="utf-8")
    rows = list(csv.reader(io.StringIO(run(file, f"{start}cmd price", "--csv").stdout)))
    assert [cell for row in rows for cell in row if cell.startswith(start)] == []


def test_a_block_is_explained_line_by_line(manual: Path) -> None:
    reading = reading_of(manual)
    result = run(manual, QUESTION, "--min-tokens", LEAST, "--explain", 16, "--explain", 20, columns=200)
    first, second = result.stdout.split("\nBlock ")[1:]
    for block, told in ((16, first), (20, second)):
        found = reading.explain(block)
        assert told.startswith(f"{block}: {found.status.name.lower()}\n")
        for label, words in found.lines:
            assert f"{label:<9}  {squeezed(words)}" in told.replace("\n           ", " ")
    assert "KEPT" not in result.stdout


@pytest.mark.parametrize("block", ["53", "-1"])
def test_an_unknown_block_is_told_with_those_that_exist(manual: Path, block: str) -> None:
    result = run(manual, QUESTION, "--explain", block)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"error: There is no block {block} in harbor-manual.md to explain; its blocks are 0 to 52.\n"
    )


def test_warnings_go_to_standard_error(tmp_path: Path, sample_dir: Path) -> None:
    misnamed = tmp_path / "notes.pdf"
    shutil.copy(sample_dir / "release-notes.html", misnamed)
    result = run(misnamed, "What is new?", "--text")
    assert result.stderr.startswith("warning: ")
    assert result.stdout.startswith("[notes.pdf: ")


def test_without_a_model_words_and_rules_decide_and_it_is_said(manual: Path) -> None:
    assert "Structure first: there is no semantic model" in squeezed(run(manual, QUESTION).stdout)


def test_with_the_model_meaning_counts(manual: Path) -> None:
    """ "Why did it start to copy?" shares no word with the block that answers it."""
    told = json.loads(run(manual, "Why did copying begin?", "--json", model=True).stdout)
    assert any(name.startswith("part_semantic") for name in told["blocks"][0])
    assert not any("Structure first" in note for note in told["facts"]["notes"])


def test_another_model_that_is_not_there(manual: Path, tmp_path: Path) -> None:
    result = run(manual, QUESTION, "--model", tmp_path / "nowhere", model=True)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("shown", [True, False])
def test_progress_of_the_first_embedding_goes_to_standard_error(
    manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: bool
) -> None:
    for name in ("SHOW_AFTER", "SHOW_ANYWAY", "WORTH_SHOWING", "REFRESH"):
        monkeypatch.setattr(f"workbench.documents.progress.{name}", 0.0)
    copy = tmp_path / f"{shown}.md"
    copy.write_text(manual.read_text(encoding="utf-8") + f"\nThis is copy {shown}.\n", encoding="utf-8")
    option = "--progress" if shown else "--no-progress"
    result = run(copy, QUESTION, option, "--text", model=True, SPARSEREAD_CACHE=str(tmp_path / "cache"))
    assert ("Embedding" in result.stderr) is shown
    assert "Embedding" not in result.stdout


def test_without_the_cache_nothing_is_left_behind(
    manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    assert run(manual, QUESTION, "--no-cache").exit_code == 0
    assert not (tmp_path / "cache").exists()
    assert os.environ["SPARSEREAD_CACHE"] == str(tmp_path / "cache")
    assert run(manual, QUESTION).exit_code == 0
    assert CacheFolder(".blocks").info().entries == 1


def test_two_runs_give_equal_bytes(policy: Path) -> None:
    for option in ("--json", "--csv", "--text"):
        assert run(policy, ASKED, option).stdout_bytes == run(policy, ASKED, option).stdout_bytes


@pytest.mark.parametrize("command", ["read", "chat"])
def test_help_loads_nothing_heavy(command: str) -> None:
    statements = (
        f'from workbench.cli import cli\ntry:\n    cli(["{command}", "--help"], prog_name="workbench")\n'
        "except SystemExit:\n    pass"
    )
    assert not modules_after(statements) & HEAVY


def test_no_model_loads_no_torch(manual: Path) -> None:
    statements = (
        f'from workbench.cli import cli\ntry:\n    cli(["read", {str(manual)!r}, "backup", "--no-model"])\n'
        "except SystemExit:\n    pass"
    )
    assert not modules_after(statements) & {"torch", "transformers"}


def test_a_terminal_without_every_character_gets_a_question_mark(policy: Path) -> None:
    command = [sys.executable, "-m", "workbench", "read", str(policy), ASKED, "--no-model", "--kept", "2"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"document   ????.txt: ")


def test_the_docs_name_every_key_of_the_json(manual: Path, project_dir: Path) -> None:
    page = (project_dir / "docs" / "cli.md").read_text(encoding="utf-8")
    section = page.partition("## workbench read\n")[2].partition("## workbench chat\n")[0]
    told = json.loads(run(manual, QUESTION, "--json").stdout)
    names = {*told, *told["saving"], *(name for name in told["blocks"][0] if not name.startswith("part_"))}
    assert {name for name in names if f"`{name}`" not in section} == set()


def test_the_command_of_the_readme_prints_what_stands_there(project_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the numbers that a better scorer changes: document, question, rules, scale and the block that answers."""
    readme = (project_dir / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("\n$ workbench read ")[2].partition("\n```\n")[0]
    lines = shown.replace("\\\n", "").splitlines()
    monkeypatch.chdir(project_dir)
    result = CliRunner().invoke(cli, ["read", *shlex.split(lines[0])], env={"COLUMNS": "100"})
    assert result.exit_code == 0
    printed = result.stdout.splitlines()
    for label in ("document", "question", "rules", "scores"):
        (line,) = (line for line in lines if line.startswith(f"{label} "))
        assert line in printed
    (answer,) = re.findall(r"^p1 #10 .*\n(?: +.*\n)*", shown, re.MULTILINE)
    assert squeezed(answer.partition("A store ")[2]) in squeezed(result.stdout)
