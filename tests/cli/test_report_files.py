"""What ``workbench report`` writes is no file that it reads, is told, and leaves nothing beside it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.reading_runs import QUESTION, squeezed
from tests.cli.report_runs import FEW, OTHER, run, written
from tests.report.test_pdf import gone
from workbench.report import pdf


def test_no_file_that_is_read_is_written_over(manual: Path, tmp_path: Path, profile: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>What triggers a backup? The schedule does.</p>", "utf-8")
    before = page.read_bytes()
    result = run(page, QUESTION, "--no-model", "-o", page)
    assert result.exit_code == 2
    assert f"-o is {page}, which is read as well; give another name." in result.stderr
    assert page.read_bytes() == before
    kept = Path(shutil.copy(profile, tmp_path / "gate.json"))
    result = run(manual, QUESTION, "--profile", kept, "--audit", kept)
    assert result.exit_code == 2
    assert kept.read_bytes() == profile.read_bytes()


@pytest.mark.parametrize("name", ["a.html", "b.html", "deep/c.html"])
def test_no_document_of_a_folder_that_is_read_is_written_over(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "fold"
    (folder / "deep").mkdir(parents=True)
    for one in ("a.html", "b.html", "deep/c.html"):
        (folder / one).write_text("<p>What triggers a backup? The schedule does.</p>", "utf-8")
    before = (folder / name).read_bytes()
    result = run(folder, QUESTION, "--item", "a.html", "--no-model", "-o", folder / name)
    assert result.exit_code == 2
    assert "give another name." in result.stderr
    alias = tmp_path / "alias"
    alias.symlink_to(folder)
    assert run(folder, QUESTION, "--item", "a.html", "--no-model", "-o", alias / name).exit_code == 2
    assert run(alias, QUESTION, "--item", "a.html", "--no-model", "-o", folder / name).exit_code == 2
    assert (folder / name).read_bytes() == before
    out = folder / "report.html"
    written(run(folder, QUESTION, "--item", "a.html", "--no-model", "-o", out), out)


@pytest.mark.parametrize("named", ["", "workload.jsonl"])
def test_no_artifact_of_a_workload_is_written_over(tmp_path: Path, profile: Path, named: str) -> None:
    workload = tmp_path / "work"
    workload.mkdir()
    (workload / "workload.jsonl").touch()
    artifact = workload / "letter.html"
    artifact.write_text("<p>Dear Sirs</p>", "utf-8")
    result = run("--workload", workload / named, "--profile", profile, "-o", artifact)
    assert result.exit_code == 2
    assert f"-o is {artifact}, which is there already, in the folder {workload} that is read; give" in result.stderr
    assert artifact.read_text("utf-8") == "<p>Dear Sirs</p>"


@pytest.mark.parametrize("linked", [Path.symlink_to, Path.hardlink_to])
def test_a_link_to_what_is_read_is_not_written_over(tmp_path: Path, linked: Callable[[Path, Path], None]) -> None:
    page, link = tmp_path / "page.html", tmp_path / "link.html"
    page.write_text("<p>What triggers a backup? The schedule does.</p>", "utf-8")
    linked(link, page)
    result = run(page, QUESTION, "--no-model", "-o", link)
    assert result.exit_code == 2
    assert f"-o is {link}, which is read as well; give another name." in result.stderr
    assert page.read_text("utf-8") == link.read_text("utf-8") == "<p>What triggers a backup? The schedule does.</p>"


ASKING = ("--llm-base-url", "http://127.0.0.1:9/v1", "--llm-model", "none")


def test_exchanges_are_not_written_into_what_is_read(manual: Path, tmp_path: Path) -> None:
    source = Path(shutil.copy(manual, tmp_path / "tr.md"))
    result = run(source, QUESTION, *FEW, *ASKING, "--transcript", source, "-o", tmp_path / "out.html")
    assert result.exit_code == 2
    assert f"--transcript is {source}, which is read as well; give another name." in result.stderr
    assert source.read_bytes() == manual.read_bytes()
    result = run(tmp_path, QUESTION, "--item", "tr.md", *ASKING, "--transcript", source, "-o", tmp_path / "out.html")
    assert result.exit_code == 2
    assert source.read_bytes() == manual.read_bytes()


def test_exchanges_and_another_output_are_two_files(manual: Path, tmp_path: Path) -> None:
    both, alias = tmp_path / "au.json", tmp_path / "alias"
    alias.symlink_to(tmp_path)
    result = run(manual, QUESTION, *FEW, *ASKING, "--audit", both, "--transcript", alias / "au.json")
    assert result.exit_code == 2
    assert f"--transcript is {alias / 'au.json'}, and so is --audit; give another name." in result.stderr
    assert not both.exists()


def test_exchanges_alone_are_no_report(manual: Path, tmp_path: Path) -> None:
    result = run(manual, QUESTION, *ASKING, "--transcript", tmp_path / "t.jsonl")
    assert result.exit_code == 2
    assert "Nothing is to be written: give -o, --pdf or --audit." in result.stderr


def test_a_second_file_is_not_taken_for_a_question(manual: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.csv"
    other.write_text("tank,level\n1,4\n", "utf-8")
    result = run(manual, other, QUESTION, *FEW, "-o", tmp_path / "out.html")
    assert result.exit_code == 2
    assert f"Question 1 is {other}, which is a file, and a report is of one;" in squeezed(result.stderr)
    assert not (tmp_path / "out.html").exists()


def test_a_page_too_large_for_a_mailbox_is_told_with_the_ways_out(
    manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "report.html"
    few = ("--no-model", "--min-tokens", "200")
    assert "warning: report.html" not in run(manual, QUESTION, *few, "-o", out).stderr
    monkeypatch.setattr("workbench.cli.report_files.MAILABLE_BYTES", 10_000)
    result = run(manual, QUESTION, OTHER, *few, "-o", out)
    assert result.exit_code == 0
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("warning: report.html")]
    assert line.endswith("more than the 10 kB that any mailbox takes; --no-pages or fewer questions makes it smaller.")
    (line,) = [one for one in run(manual, QUESTION, *FEW, "-o", out).stderr.splitlines() if "mailbox" in one]
    assert line.endswith(" any mailbox takes; a shorter document makes it smaller.")


@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a program of Unix")
def test_a_request_to_end_while_it_prints_leaves_nothing_behind(manual: Path, tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("out", "temporary", "cache")}
    for place in places.values():
        place.mkdir()
    browser, started = tmp_path / "browser.sh", tmp_path / "started"
    browser.write_text(
        f'#!/bin/sh\nsleep 300 & echo $! > "{started}.new"; mv "{started}.new" "{started}"; wait\n', "utf-8"
    )
    browser.chmod(0o755)
    out = places["out"] / "report.html"
    command = [sys.executable, "-m", "workbench", "report", str(manual), QUESTION, *FEW]
    places_told = {"TMPDIR": str(places["temporary"]), "SPARSEREAD_CACHE": str(places["cache"])}
    process = subprocess.Popen(
        [*command, "-o", str(out), "--pdf", str(out.with_suffix(".pdf"))],
        env={**os.environ, pdf.ENVIRONMENT: str(browser), **places_told},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while not started.exists() and process.poll() is None:
            time.sleep(0.05)
        process.terminate()
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 128 + signal.SIGTERM
    assert told.splitlines()[-1].startswith(f"wrote {out} (")
    assert "Traceback" not in told
    assert gone(int(started.read_text("utf-8")))
    assert list(places["out"].iterdir()) == [out]
    assert [place for place in places["temporary"].iterdir() if place.name.startswith("sparseread-")] == []


@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a program of Unix")
def test_what_was_written_before_the_print_failed_is_told(
    manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(pdf.ENVIRONMENT, "/bin/true")
    monkeypatch.setattr("workbench.cli.report_files.MAILABLE_BYTES", 10_000)
    out = tmp_path / "report.html"
    result = run(manual, QUESTION, *FEW, "-o", out, "--pdf", tmp_path / "report.pdf")
    assert result.exit_code == 1
    wrote, large, failed = result.stderr.splitlines()[-3:]
    assert wrote.startswith(f"wrote {out} (")
    assert large.startswith("warning: report.html has ")
    assert failed.startswith("error: /bin/true printed no PDF;")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
