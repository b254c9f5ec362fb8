"""``workbench chat``: questions one after the other, what is remembered, and what a line with a slash does."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

import workbench as wb
from workbench.cli import cli
from workbench.cli.chat import _lines
from workbench.cli.turns import COMMANDS, Dialogue
from workbench.reading.sessions import Session

FIRST = "What triggers a backup?"
NEXT = "How often is it checked?"
OTHER = "What does alarm H-310 mean?"


def run(path: Path, *lines: str, options: tuple[str, ...] = (), columns: int = 100) -> Result:
    """Run a chat of some lines, by words and rules alone."""
    arguments = ["chat", str(path), "--no-model", "--min-tokens", "200", *options]
    return CliRunner().invoke(
        cli, arguments, input="".join(f"{line}\n" for line in lines), env={"COLUMNS": str(columns)}
    )


def answers(result: Result) -> dict[str, str]:
    """What was printed after each line."""
    parts = re.split(r"^> (.*)\n", result.stdout, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_a_chat_begins_with_the_document_and_how_to_get_help(manual: Path) -> None:
    result = run(manual)
    document = wb.open_document(manual)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        f"document   harbor-manual.md: technical, en, {len(document)} blocks, {document.tokens:,} tokens",
        "Ask a question; /help says what else there is.",
    ]


def test_a_follow_up_keeps_what_it_is_about_and_says_what_that_saves(manual: Path) -> None:
    session = Session("a", "b")
    reader = wb.SparseReader(scorer=None, min_tokens=200)
    document = wb.open_document(manual)
    first, then = (reader.read(document, asked, session=session) for asked in (FIRST, NEXT))
    told = answers(run(manual, FIRST, NEXT, options=("--kept", "all"), columns=160))
    one, two = first.saving, then.saving
    assert (
        f"saving     {one.tokens_kept} of {one.tokens_total:,} tokens kept, {100 * one.share_skipped:.0f} % of the "
        "document skipped\n"
    ) in told[FIRST]
    assert (
        f"saving     follow-up: {two.tokens_kept} tokens kept, {100 * two.tokens_kept / one.tokens_kept:.0f} % of the "
        f"{one.tokens_kept} of the first question; {100 * two.share_skipped:.0f} % of the document skipped\n"
    ) in told[NEXT]
    assert then.focus
    shown = re.sub(r"[\s|]", "", told[NEXT])
    for block, ranges in then.focus.items():
        for start, end in ranges:
            assert re.sub(r"\s", "", document.texts[block][start:end]) in shown
    rows = re.findall(r"^p1 #(\d+)", told[NEXT], re.MULTILINE)
    assert {int(row) for row in rows} >= set(then.focus)


def test_a_follow_up_in_chinese(sample_dir: Path) -> None:
    asked, then = "国内差旅由谁审批？", "那出国的呢？"
    result = run(sample_dir / "差旅制度.txt", asked, then, "/why", columns=80)
    told = answers(result)
    assert "tokens kept, " in told[asked]
    assert "saving     follow-up: " in told[then]
    assert "note       Follow-up, because " in told["/why"]
    assert "第四条" in told[then]
    assert [line for line in result.stdout.splitlines() if cell_len(line) > 80] == []


def test_uncalibrated_scores_are_told_once(manual: Path) -> None:
    out = run(manual, FIRST, NEXT).stdout
    assert out.count("scores     UNCALIBRATED: they order the blocks of this document") == 1
    assert out.count("Structure first: ") == 1


def test_why_gives_the_decision_and_new_begins_afresh(manual: Path) -> None:
    told = answers(run(manual, FIRST, "/why", "/new", NEXT))
    assert "note       First question of the session: the whole document was read." in told["/why"]
    assert told["/new"] == "A new topic: the next question is read in the whole document.\n"
    assert "follow-up" not in told[NEXT]


def test_a_block_of_the_last_answer_is_explained(manual: Path) -> None:
    told = answers(run(manual, FIRST, "/explain 20"))["/explain 20"]
    reading = wb.SparseReader(scorer=None, min_tokens=200).read(wb.open_document(manual), FIRST)
    found = reading.explain(20)
    assert f"Block 20: {found.status.name.lower()}\n" in told
    assert all(label in told for label, _ in found.lines)


def test_skipped_blocks_are_printed_as_many_as_wanted(manual: Path) -> None:
    told = answers(run(manual, FIRST, "/skipped", "/skipped 2"))
    assert len(re.findall(r"^p1 #", told["/skipped"], re.MULTILINE)) == 5
    assert len(re.findall(r"^p1 #", told["/skipped 2"], re.MULTILINE)) == 2


def test_all_prints_what_an_answer_left_out(manual: Path) -> None:
    result = run(manual, FIRST, "/all", options=("--kept", "1"))
    told = answers(result)
    assert "more kept blocks: /all prints them." in told[FIRST]
    reading = wb.SparseReader(scorer=None, min_tokens=200).read(wb.open_document(manual), FIRST)
    shown = {int(block) for block in re.findall(r"^p1 #(\d+)", told["/all"], re.MULTILINE)}
    assert shown >= {block for block in reading.kept_ids if reading.document.texts[block]}
    assert "more kept" not in told["/all"]


def test_a_budget_decides_the_last_answer_again_and_holds_from_then_on(manual: Path) -> None:
    told = answers(run(manual, FIRST, "/budget 150", "/new", OTHER, "/budget none"))
    whole, small, next_one, lifted = (
        int(re.findall(r"saving     (\d+) of", told[line])[0]) for line in (FIRST, "/budget 150", OTHER, "/budget none")
    )
    assert max(small, next_one) < 150 < min(whole, lifted)
    assert "note       The budget of 150 tokens left out " in told["/budget 150"]


def test_help_lists_every_command(manual: Path) -> None:
    told = answers(run(manual, "/help"))["/help"]
    assert re.findall(r"^(/\w+)", told, re.MULTILINE) == [name.split()[0] for name in COMMANDS]


def test_every_command_is_in_the_docs(project_dir: Path) -> None:
    page = (project_dir / "docs" / "cli.md").read_text(encoding="utf-8")
    section = page.partition("## workbench chat\n")[2].partition("## workbench cache\n")[0]
    documented = re.findall(r"^\| `(/\w+)", section, re.MULTILINE)
    assert documented == [name.split()[0] for name in COMMANDS]


def test_quit_ends_and_what_follows_is_not_answered(manual: Path) -> None:
    result = run(manual, "/quit", FIRST)
    assert result.exit_code == 0
    assert "KEPT" not in result.stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/foo", "There is no /foo; /help lists what there is."),
        ("/why", "Nothing was asked yet; ask a question first."),
        ("/explain 3", "Nothing was asked yet; ask a question first."),
        ("/budget much", "/budget needs the number of tokens, such as /budget 2000, or none."),
        ("/budget", "/budget needs the number of tokens, such as /budget 2000, or none."),
        ("x" * 10_001, "The question has 10,001 characters and may have 10,000;"),
    ],
)
def test_what_is_wrong_is_one_line_and_the_chat_goes_on(manual: Path, line: str, told: str) -> None:
    result = run(manual, line, FIRST)
    assert result.exit_code == 0
    assert result.stderr.startswith(f"error: {told}")
    assert len(result.stderr.splitlines()) == 1
    assert "KEPT" in answers(result)[FIRST]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/explain", "/explain needs the number of a block, such as /explain 12."),
        ("/explain -1", "/explain needs the number of a block, such as /explain 12."),
        ("/explain 53", "harbor-manual.md has no block 53"),
        ("/skipped x", "/skipped needs the number of how many, such as /skipped 10."),
        ("/budget 0", "budget_tokens is 0; give a whole number of at least 1."),
    ],
)
def test_a_command_without_what_it_needs(manual: Path, line: str, told: str) -> None:
    result = run(manual, FIRST, line)
    assert result.exit_code == 0
    assert result.stderr.startswith(f"error: {told}")


def test_commands_are_known_in_capitals_and_with_words_behind_them(manual: Path) -> None:
    told = run(manual, "/HELP", "/Quit now", "/help")
    assert told.stderr == ""
    assert told.stdout.count("Print this list.") == 1


def test_a_budget_without_room_is_told_with_one_that_has_room(manual: Path) -> None:
    told = answers(run(manual, FIRST, "/budget 10"))["/budget 10"]
    found = re.search(r"note       A block has room from /budget (\d+) on\.", told)
    assert found
    least = int(found[1])
    assert "KEPT" not in answers(run(manual, FIRST, f"/budget {least - 1}"))[f"/budget {least - 1}"]
    assert "KEPT" in answers(run(manual, FIRST, f"/budget {least}"))[f"/budget {least}"]


def test_nothing_relevant_is_said(manual: Path) -> None:
    arguments = ["chat", str(manual), "--no-model", "--threshold", "1", "--uncalibrated"]
    told = CliRunner().invoke(cli, arguments, input=f"{FIRST}\n", env={"COLUMNS": "200"}).stdout
    assert "KEPT" not in told
    assert "note       Nothing relevant: the best relevance is " in told


def test_why_nothing_was_kept_is_said_each_time(manual: Path) -> None:
    told = answers(run(manual, "xyzzy?", "/new", "plugh?"))
    for question in ("xyzzy?", "plugh?"):
        assert "note       Nothing relevant: " in told[question]


def test_empty_lines_and_bytes_that_are_no_text_are_no_error(manual: Path) -> None:
    command = [sys.executable, "-m", "workbench", "chat", str(manual), "--no-model"]
    done = subprocess.run(command, input=b"\n  \nWhat is \xff a backup?\n", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "> What is \ufffd a backup?" in done.stdout.decode()
    assert done.stdout.count(b"KEPT") == 1


def test_a_session_in_a_file_goes_on_and_is_nobody_else_s(manual: Path, tmp_path: Path) -> None:
    store = f"sqlite:{tmp_path / 'sessions.db'}"
    run(manual, FIRST, options=("--session", "ana:1", "--store", store))
    mine = run(manual, NEXT, options=("--session", "ana:1", "--store", store))
    assert f'session    1 question so far; the last one was "{FIRST}"\n' in mine.stdout
    assert "saving     follow-up: " in mine.stdout
    for other in ("bob:1", "ana:2"):
        told = run(manual, NEXT, options=("--session", other, "--store", store)).stdout
        assert "session  " not in told
        assert "follow-up" not in told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--session", "ana:1"), "--session says who goes on, and --store where that is kept: give both or none."),
        (("--store", "memory"), "--session says who goes on, and --store where that is kept: give both or none."),
        (("--minutes", "5"), "--minutes is for a session that is kept; give --session and --store as well."),
        (("--session", "ana", "--store", "memory"), "--session is 'ana'; give USER:SESSION, such as ana:contract."),
        (("--session", "a:b", "--store", "memory", "--minutes", "0"), "Invalid value for '--minutes'"),
        (
            ("--session", "a:b", "--store", "disk"),
            "There is no store of sessions 'disk'; give memory:, sqlite:PATH, or redis://host:port/number.",
        ),
        (("--threshold", "0.3"), "A reading has one cut: give --threshold, or --token-share with --min-tokens."),
        (("--kept", "few"), "'few' is no count; give a number from 0 on, or all."),
    ],
)
def test_options_that_cannot_be_meant_are_misuse(manual: Path, options: tuple[str, ...], told: str) -> None:
    result = run(manual, FIRST, options=options)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_a_store_that_cannot_be_used_ends_the_chat_before_it_begins(manual: Path, tmp_path: Path) -> None:
    options = ("--session", "ana:1", "--store", f"sqlite:{tmp_path / 'nowhere' / 'a.db'}")
    result = run(manual, FIRST, options=options)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: The sessions in ")
    assert len(result.stderr.splitlines()) == 1


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    result = run(tmp_path / "absent.md", FIRST)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: There is no file ")


def test_an_interrupt_while_an_answer_is_made_ends_the_chat(manual: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(Dialogue, "answer", interrupted)
    result = run(manual, FIRST)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_typed_lines_end_with_ctrl_d_and_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], end: type[BaseException]
) -> None:
    typed = [f"  {FIRST} "]

    def asked(prompt: str) -> str:
        assert prompt == "> "
        if typed:
            return typed.pop()
        raise end

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", asked)
    assert list(_lines()) == [FIRST]
    assert capsys.readouterr().out == "\n"


@pytest.mark.skipif(os.name == "nt", reason="a terminal of POSIX")
def test_a_chat_in_a_terminal_prompts_recalls_lines_and_ends_with_ctrl_c(manual: Path) -> None:
    import pty

    process, terminal = pty.fork()
    if process == 0:
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
        os.execve(sys.executable, [sys.executable, "-m", "workbench", "chat", str(manual), "--no-model"], environment)
    begun = _until_prompt(terminal)
    os.write(terminal, f"{FIRST}\n".encode())
    answer = _until_prompt(terminal)
    os.write(terminal, b"\x1b[A\n")  # the arrow brings the line back
    again = _until_prompt(terminal)
    assert os.waitstatus_to_exitcode(_interrupted(process, terminal)) == 0
    assert "Ask a question" in begun
    assert "KEPT" in answer
    assert FIRST in again
    assert "KEPT" in again


def _interrupted(process: int, terminal: int) -> int:
    """Press Ctrl-C, again where it came just before readline began to wait, which loses it; return the status."""
    for _ in range(6):
        os.write(terminal, b"\x03")
        for _ in range(50):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                return status
            time.sleep(0.1)
    os.kill(process, signal.SIGKILL)
    pytest.fail("Ctrl-C does not end the chat")


def _until_prompt(terminal: int) -> str:
    found = b""
    end = time.monotonic() + 60
    while not found.endswith(b"> ") and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            found += os.read(terminal, 1 << 16)
    return found.decode("utf-8", "replace")
