"""``workbench report``: what is asked for is written, in one file each, and what cannot be meant is told at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import workbench as wb
from tests.cli.reading_runs import ASKED, QUESTION, squeezed
from tests.cli.report_runs import FEW, OTHER, run, written
from tests.documents.formats.pdf.pdf_files import PdfFile
from tests.workload.endpoint.server import ChatServer, completion, refusal
from workbench.cli import cli
from workbench.report import pdf


def test_a_report_has_the_question_what_was_kept_and_what_was_skipped(manual: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    (line,) = written(run(manual, QUESTION, *FEW, "-o", out), out)
    size = out.stat().st_size
    assert line.endswith(f" ({size / 1e3:.0f} kB)" if size < 1e5 else f" ({size / 1e6:.1f} MB)")
    page = out.read_text("utf-8")
    reading = wb.SparseReader(scorer=None, min_tokens=200).read(wb.open_document(manual), QUESTION)
    assert QUESTION in page
    # The rows of a table have its text, and it has none of its own.
    assert [
        block for block, text in enumerate(reading.document.texts) if (f'id="r1-b{block}"' in page) != bool(text)
    ] == []
    assert "default-src &#39;none&#39;" in page
    assert "http://" not in page.replace("http://www.w3.org/", "")


def test_the_same_call_writes_the_same_bytes(manual: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    for out in (one, two):
        run(manual, QUESTION, *FEW, "-o", out)
    assert one.read_bytes() == two.read_bytes()


def test_a_report_that_is_there_is_replaced(manual: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.htm"
    out.write_text("the last one", "utf-8")
    written(run(manual, QUESTION, *FEW, "-o", out), out)
    assert "the last one" not in out.read_text("utf-8")


def test_two_questions_are_shown_side_by_side_and_three_are_not(manual: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    written(run(manual, QUESTION, OTHER, *FEW, "-o", out), out)
    page = out.read_text("utf-8")
    assert 'id="r2-b0"' in page
    assert 'id="c1"' in page
    written(run(manual, QUESTION, OTHER, "Who may restore?", *FEW, "-o", out), out)
    page = out.read_text("utf-8")
    assert 'id="r3-b0"' in page
    assert 'id="c1"' not in page


def test_words_and_title_are_as_chosen(sample_dir: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    title = "差旅 <b>制度</b>"
    written(run(sample_dir / "差旅制度.txt", ASKED, *FEW, "-o", out, "--language", "zh", "--title", title), out)
    page = out.read_text("utf-8")
    assert '<html lang="zh">' in page
    assert "<title>差旅 &lt;b&gt;制度&lt;/b&gt;</title>" in page
    assert "跳过" in page


@pytest.mark.parametrize("ending", [".csv", ".json", ".parquet"])
def test_an_audit_is_of_the_reading_that_the_report_shows(manual: Path, tmp_path: Path, ending: str) -> None:
    audit = tmp_path / f"audit{ending}"
    (line,) = written(run(manual, QUESTION, *FEW, "--audit", audit), audit)
    assert line.endswith(f", {len(wb.open_document(manual))} blocks)")
    loaded = wb.load_audit(audit)
    reading = wb.SparseReader(scorer=None, min_tokens=200).read(wb.open_document(manual), QUESTION)
    kept = loaded.columns.index("kept")
    assert [row[kept] for row in loaded.rows] == reading.decision.kept.tolist()


@pytest.mark.browser
def test_a_print_is_made_beside_the_page(manual: Path, tmp_path: Path) -> None:
    out, printed = tmp_path / "report.html", tmp_path / "report.pdf"
    written(run(manual, QUESTION, *FEW, "-o", out, "--pdf", printed), out, printed)
    document = wb.open_document(printed)
    text = squeezed(document.reading_text())
    assert QUESTION in text
    assert "More than 4 GiB of changes have gathered since the last backup." in text


def test_a_profile_tells_its_figures_and_decides(manual: Path, profile: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    written(run(manual, QUESTION, "--profile", profile, "--no-pages", "-o", out), out)
    page = out.read_text("utf-8")
    loaded = wb.GateProfile.load(profile)
    assert loaded.fingerprint in page
    decision = wb.ReadGate.from_profile(loaded).decide(wb.open_document(manual), QUESTION)
    assert decision.route.value == "native"
    assert "whole" in page


def test_money_is_reckoned_with_the_prices_that_are_given(manual: Path, tmp_path: Path) -> None:
    out, prices = tmp_path / "report.html", tmp_path / "prices.json"
    prices.write_text(json.dumps({"currency": "EUR", "models": [{"name": "house model", "per_million": 7.5}]}), "utf-8")
    written(run(manual, QUESTION, *FEW, "--prices", prices, "--requests-per-day", 4321, "-o", out), out)
    page = out.read_text("utf-8")
    assert "house model" in page
    assert "4,321" in page or "4321" in page


def test_nothing_relevant_is_written_all_the_same(manual: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    result = run(manual, QUESTION, "--no-model", "--no-pages", "--threshold", 1, "--uncalibrated", "-o", out)
    assert result.exit_code == 3
    assert "wrote " in result.stderr
    assert QUESTION in out.read_text("utf-8")
    result = run(manual, QUESTION, OTHER, "--no-model", "--no-pages", "--threshold", 1, "--uncalibrated", "-o", out)
    assert result.exit_code == 3


Given = Callable[[Path, Path], list[object]]


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        (lambda m, _: [m, QUESTION], 2, "Nothing is to be written: give -o, --pdf or --audit."),
        (
            lambda m, f: [m, "-o", f / "a.html"],
            2,
            "Give a file and at least one question, or --workload with --profile",
        ),
        (lambda _, f: ["-o", f / "a.html"], 2, "Give a file and at least one question, or --workload with --profile."),
        (lambda m, f: [m, QUESTION, "-o", f / "a.pdf"], 2, "-o is a.pdf; its name must end in .html or .htm."),
        (lambda m, f: [m, QUESTION, "--pdf", f / "a.html"], 2, "--pdf is a.html; its name must end in .pdf."),
        (
            lambda m, f: [m, QUESTION, "--audit", f / "a.xlsx"],
            2,
            "--audit is a.xlsx; its name must end in .csv or .json",
        ),
        (lambda m, f: [m, QUESTION, "-o", f / "no" / "a.html"], 1, "There is no folder "),
        (lambda m, f: [m, " ", "-o", f / "a.html"], 2, "The question is empty"),
        (lambda m, f: [m, QUESTION, OTHER, "--audit", f / "a.csv"], 2, "--audit is of one reading: give one question."),
        (lambda m, f: [m, QUESTION, "-o", f / "a.html", "--title", " "], 2, "--title is empty; give a text"),
        (lambda m, f: [m, QUESTION, "-o", f / "a.html", "--prices", f / "no.json"], 1, "The prices "),
        (
            lambda m, f: [m, QUESTION, "-o", f / "a.html", "--requests-per-day", 0],
            2,
            "requests_per_day is 0; give a whole",
        ),
        (lambda m, f: [m, QUESTION, "-o", f / "a.html", "--against-rules", "laws"], 1, "laws"),
        (
            lambda m, f: [m, QUESTION, "-o", f / "a.html", "--against-rules", "legal", "--against-profile", "p.json"],
            2,
            "Give one of --against-profile and --against-rules.",
        ),
        (
            lambda m, f: [m, QUESTION, OTHER, "-o", f / "a.html", "--against-rules", "legal"],
            2,
            "--against-profile and --against-rules take one question; two are compared anyway.",
        ),
        (
            lambda m, f: [m, QUESTION, "-o", f / "a.html", "--gold", "an operator"],
            2,
            "--gold grades the answers of a model: give --llm-base-url and --llm-model as well.",
        ),
        (
            lambda m, f: [
                m,
                QUESTION,
                OTHER,
                "-o",
                f / "a.html",
                "--gold",
                "a",
                "--llm-base-url",
                "http://127.0.0.1:9",
            ],
            2,
            "There are 2 questions and 1 expected answer; give --gold once for each, in their order.",
        ),
        (
            lambda m, f: [m, QUESTION, "-o", f / "a.html", "--llm-model", "small"],
            2,
            "To ask a model give both --llm-base-url and --llm-model.",
        ),
        (
            lambda m, f: [m, QUESTION, "-o", f / "a.html", "--outcomes", "o.csv"],
            2,
            "--outcomes are those of a workload; give --workload as well, or leave them out.",
        ),
        (
            lambda m, f: [m, QUESTION, "-o", f / "a.html", "--workload", f],
            2,
            "A story of a workload takes no FILE, [QUESTION]...; leave that out, or leave --workload out.",
        ),
        (
            lambda _, f: ["-o", f / "a.html", "--workload", f, "--profile", "p.json", "--no-model", "--budget", 9],
            2,
            "A story of a workload takes no --budget, --no-model; leave that out, or leave --workload out.",
        ),
        (
            lambda _, f: ["-o", f / "a.html", "--workload", f],
            2,
            "A story of a workload is told of a profile: give --profile; workbench calibrate makes one.",
        ),
        (
            lambda _, f: ["--audit", f / "a.csv", "--workload", f, "--profile", "p.json"],
            2,
            "A story of a workload takes no --audit; leave that out, or leave --workload out.",
        ),
    ],
)
def test_what_cannot_be_meant_is_told_before_any_work(
    manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: Given, code: int, message: str
) -> None:
    def opened(*_: object, **__: object) -> None:
        pytest.fail("the document was opened")

    monkeypatch.setattr("workbench.cli.opening.one_document", opened)
    result = run(*given(manual, tmp_path))
    assert message in squeezed(result.stderr)
    assert result.exit_code == code
    assert list(tmp_path.iterdir()) == []


def test_a_machine_without_a_browser_is_told_before_any_work(
    manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(pdf.ENVIRONMENT, raising=False)
    monkeypatch.setattr(pdf, "_places", lambda: iter(()))
    out = tmp_path / "report.html"
    result = run(manual, QUESTION, *FEW, "-o", out, "--pdf", tmp_path / "report.pdf")
    assert result.exit_code == 1
    assert "error: A PDF is printed by Chromium, Chrome or Edge, and none is on this machine;" in result.stderr
    assert not out.exists()


def test_what_cannot_be_read_is_told_as_by_read(tmp_path: Path) -> None:
    out, empty, broken = tmp_path / "report.html", tmp_path / "empty.pdf", tmp_path / "broken.pdf"
    empty.touch()
    broken.write_bytes(b"%PDF-1.7\nnot much")
    locked = PdfFile(tmp_path / "locked.pdf", password="quay")
    locked.text(72, 700, "The quay is twelve metres deep.")
    scan = PdfFile(tmp_path / "scan.pdf", (400, 300))
    scan.rule(20, 20, 200, 200)
    for file in (empty, broken, locked.save(), scan.save(), tmp_path / "none.pdf", tmp_path):
        result = run(file, QUESTION, *FEW, "-o", out)
        told = CliRunner().invoke(cli, ["read", str(file), QUESTION, "--no-model"], env={"COLUMNS": "200"})
        assert result.exit_code == told.exit_code in (1, 2)
        assert result.stderr.splitlines()[-1] == told.stderr.splitlines()[-1]
        assert not out.exists()


def test_answers_of_a_model_stand_in_the_report_with_their_grade(
    manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    out, file = tmp_path / "report.html", tmp_path / "asked.jsonl"
    with ChatServer(lambda _: completion("<b>an operator</b>")).running() as server:
        asking = ("--llm-base-url", server.base_url, "--llm-model", "wise", "--transcript", file)
        written(run(manual, QUESTION, *FEW, *asking, "--gold", "<b>an operator</b>", "-o", out), out)
        assert len(server.asked) == 2
    page = out.read_text("utf-8")
    assert "&lt;b&gt;an operator&lt;/b&gt;" in page
    assert "<b>an operator</b>" not in page
    assert "Both answers are right: leaving text out cost nothing here." in page
    assert len(file.read_text("utf-8").splitlines()) == 2


def test_an_endpoint_that_fails_does_not_cost_the_report(
    manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    out = tmp_path / "report.html"
    with ChatServer(lambda _: refusal(404, "no such model")).running() as server:
        written(run(manual, QUESTION, *FEW, "--llm-base-url", server.base_url, "--llm-model", "none", "-o", out), out)
    assert "no such model" in out.read_text("utf-8")


def test_a_workload_tells_its_story(
    project_dir: Path, profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, object] = {}

    def story(workload: wb.Workload, used: wb.GateProfile, **others: object) -> wb.Report:
        told.update(others, workload=workload.name, profile=used.fingerprint)
        return wb.Report("story", "<p>told</p>")

    monkeypatch.setattr("workbench.report.report_on_workload", story)
    out, dev = tmp_path / "story.html", project_dir / "datasets" / "dev"
    outcomes = dev / "outcomes.parquet"
    arguments = ("--workload", dev, "--profile", profile, "--outcomes", outcomes, "--language", "zh")
    written(run(*arguments, "--requests-per-day", 12, "-o", out), out)
    assert out.read_text("utf-8") == "<p>told</p>"
    assert told["profile"] == wb.GateProfile.load(profile).fingerprint
    assert told["workload"] == wb.load_workload(dev).name
    assert told["language"] == "zh"
    assert isinstance(told["prices"], wb.PriceTable)
    assert told["prices"].requests_per_day == 12
    assert len(told["outcomes"]) == len(wb.load_outcomes(outcomes))  # type: ignore[arg-type]
