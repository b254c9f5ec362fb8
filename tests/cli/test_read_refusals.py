"""``workbench read``: cuts, budgets and calibrations, and what is said when something cannot be meant or read."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import docx
import numpy as np
import pytest
from click.testing import CliRunner

import workbench as wb
from tests.cli.reading_runs import ASKED, QUESTION, run, squeezed
from tests.documents.formats.pdf.pdf_files import PdfFile
from workbench.cli import cli
from workbench.relevance.calibrated import Calibration, fit_map
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.scores import Scale


@pytest.fixture
def policy(sample_dir: Path) -> Path:
    return sample_dir / "差旅制度.txt"


def test_a_budget_is_not_exceeded(manual: Path) -> None:
    told = json.loads(run(manual, QUESTION, "--budget", 150, "--json").stdout)
    assert told["facts"]["bound"] == "budget"
    assert 0 < told["saving"]["rendered_tokens"] <= 150
    assert "budget 150 tokens; bound: budget" in run(manual, QUESTION, "--budget", 150).stdout


def test_a_budget_without_room_is_answered_with_the_smallest_that_has_some(manual: Path) -> None:
    result = run(manual, QUESTION, "--budget", 10)
    assert result.exit_code == 2
    assert result.stdout == ""
    found = re.fullmatch(
        r"error: The budget of 10 tokens has no room for any of the \d+ blocks that passed the cut; "
        r"give a --budget of at least (\d+)\.\n",
        result.stderr,
    )
    assert found
    least = int(found[1])
    assert run(manual, QUESTION, "--budget", least).exit_code == 0
    assert run(manual, QUESTION, "--budget", least - 1).exit_code == 2


def test_nothing_relevant_has_an_exit_code_of_its_own_and_is_said(manual: Path) -> None:
    result = run(manual, QUESTION, "--threshold", 1, "--uncalibrated", columns=200)
    assert result.exit_code == 3
    assert result.stderr == ""
    assert "note       Nothing relevant: the best relevance is " in result.stdout
    assert "KEPT" not in result.stdout
    assert "SKIPPED, the best 5 of " in result.stdout
    text = run(manual, QUESTION, "--threshold", 1, "--uncalibrated", "--text")
    assert text.exit_code == 3
    assert "Nothing relevant: " in text.stdout
    told = run(manual, QUESTION, "--threshold", 1, "--uncalibrated", "--json")
    assert told.exit_code == 3
    assert json.loads(told.stdout)["kept"] == []


def test_that_nothing_is_relevant_is_said_before_what_was_skipped(manual: Path) -> None:
    told = run(manual, QUESTION, "--threshold", 1, "--uncalibrated").stdout
    assert told.index("note       Nothing relevant: ") < told.index("saving  ") < told.index("SKIPPED")
    assert told.count("Nothing relevant: ") == 1


def test_a_model_that_is_not_here_is_told_in_terms_of_the_shell(manual: Path) -> None:
    result = CliRunner().invoke(cli, ["read", str(manual), QUESTION, "--model", "nobody-has-this"])
    assert result.exit_code == 1
    assert result.stderr == (
        "error: There is no folder nobody-has-this, and no model of that name was fetched before; give --model the "
        "folder of a transformer, or leave it out.\n"
    )


def test_what_is_logged_is_marked_as_a_warning(manual: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = {**os.environ, "SPARSEREAD_CACHE": str(tmp_path / "file" / "cache")}
    command = [sys.executable, "-m", "workbench", "read", str(manual), QUESTION, "--no-model", "--text"]
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert done.returncode == 0
    lines = done.stderr.decode().splitlines()
    assert lines
    assert [line for line in lines if not line.startswith("warning: ")] == []


def test_a_position_among_uncalibrated_scores_must_be_meant(manual: Path) -> None:
    result = run(manual, QUESTION, "--threshold", 0.3)
    assert result.exit_code == 2
    assert (
        "A threshold is meant for calibrated relevance: give --calibration, cut by --token-share, or say with "
        "--uncalibrated that you mean a position among these scores."
    ) in squeezed(result.stderr)
    meant = run(manual, QUESTION, "--threshold", 0.3, "--uncalibrated")
    assert "cut        threshold 0.3 on uncalibrated scores; bound: threshold\n" in meant.stdout


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--json", "--csv"], "Give one of --json, --csv and --text."),
        (["--text", "--explain", "3"], "--explain prints words; leave --csv and --text out."),
        (["--model", "x"], "Give --model or --no-model, not both."),
        (["--uncalibrated"], "--uncalibrated says what --threshold is meant for; give that as well."),
        (
            ["--threshold", "0.3", "--uncalibrated", "--token-share", "0.1"],
            "A reading has one cut: give --threshold, or --token-share with --min-tokens.",
        ),
    ],
)
def test_options_that_contradict_each_other(manual: Path, options: list[str], told: str) -> None:
    result = run(manual, QUESTION, *options)
    assert result.exit_code == 2
    assert told in squeezed(result.stderr)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--budget", "0"], "budget_tokens is 0; give a whole number of at least 1."),
        (["--token-share", "0"], "token_share is 0; give a number above 0 and at most 1."),
        (["--min-tokens", "-1"], "min_tokens is -1; give a whole number of at least 0."),
        (["--scope", "all"], "scope is 'all'; choose from point, several, aggregate, whole."),
        (["--max-seconds", "0"], "max_seconds is 0.0; give a number above 0."),
    ],
)
def test_a_value_outside_its_range_is_misuse(manual: Path, options: list[str], told: str) -> None:
    result = run(manual, QUESTION, *options)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {told}\n")


@pytest.fixture
def calibration(manual: Path, tmp_path: Path) -> Path:
    """A map for technical documents, fitted on whether a block stands in the chapter on backups."""
    document = wb.open_document(manual)
    scorer = HybridScorer(encoder=None)
    logits = scorer.score(document, QUESTION).logits
    fitted = fit_map(logits, np.isin(np.arange(len(document)), range(13, 21)))
    file = tmp_path / "map.json"
    file.write_text(Calibration(scorer.fingerprint, {"technical": fitted}, "a test").to_json())
    return file


def test_a_calibration_makes_a_threshold_a_probability(manual: Path, calibration: Path) -> None:
    result = run(manual, QUESTION, "--calibration", calibration, "--threshold", 0.6)
    assert result.exit_code == 0
    assert "cut        threshold 0.6; bound: threshold\n" in result.stdout
    assert "scores     calibrated: relevance is a probability\n" in result.stdout
    told = json.loads(run(manual, QUESTION, "--calibration", calibration, "--json").stdout)
    assert (told["facts"]["scale"], told["facts"]["threshold"]) == (Scale.CALIBRATED, 0.65)


def test_a_threshold_on_the_wrong_scale_is_told_in_terms_of_the_shell(
    manual: Path, policy: Path, calibration: Path
) -> None:
    result = run(policy, ASKED, "--calibration", calibration, "--threshold", 0.6)
    assert result.exit_code == 2
    kind = wb.open_document(policy).document_type.value
    assert result.stderr == (
        f"error: The calibration has nothing for {kind} documents, so the scores of 差旅制度.txt are uncalibrated; "
        "cut by --token-share, or say with --uncalibrated that you mean a position among these scores.\n"
    )
    result = run(manual, QUESTION, "--calibration", calibration, "--threshold", 0.6, "--uncalibrated")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: The scores of harbor-manual.md are calibrated, so its threshold is a probability; leave "
        "--uncalibrated out.\n"
    )


def test_a_calibration_of_another_scorer_or_none_at_all(manual: Path, calibration: Path, tmp_path: Path) -> None:
    told = json.loads(calibration.read_text())
    calibration.write_text(json.dumps({**told, "scorer": "0" * 64}))
    result = run(manual, QUESTION, "--calibration", calibration)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: The calibration was fitted on the scores of 000000000000, but these ")
    calibration.write_text("[]")
    result = run(manual, QUESTION, "--calibration", calibration)
    assert result.stderr.startswith("error: map.json: This is no calibration of this version")
    calibration.write_bytes(b"\xff\xfe{")
    result = run(manual, QUESTION, "--calibration", calibration)
    assert result.stderr == "error: map.json is no calibration, for it is not UTF-8; calibrate again.\n"
    result = run(manual, QUESTION, "--calibration", tmp_path / "no.json")
    assert result.stderr == (
        f"error: The calibration {tmp_path / 'no.json'} cannot be read (No such file or directory); check the path.\n"
    )


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_is_misuse(manual: Path, question: str) -> None:
    result = run(manual, question)
    assert result.exit_code == 2
    assert result.stderr == "error: The question is empty; ask what you want to know of the document.\n"


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    result = run(tmp_path / "absent.pdf", QUESTION)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: There is no file ")
    assert len(result.stderr.splitlines()) == 1


def test_a_scan_is_not_called_irrelevant(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "scan.pdf", (400, 300))
    picture = tmp_path / "scan.png"
    wb.page_overlay(wb.open_document(one_page(tmp_path / "page.pdf")), 1).save(picture)
    pdf.canvas.drawImage(str(picture), 0, 0, 400, 300)
    result = run(pdf.save(), QUESTION)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1] == (
        "error: scan.pdf has no text: 1 page without a text layer, as in a scan; it needs OCR first."
    )


@pytest.mark.data
def test_a_scan_with_a_stamp_on_each_page_is_one_too(data_dir: Path) -> None:
    (pdf,) = (data_dir / "mmlongbench" / "documents").glob("3276a5b9*.pdf")
    result = run(pdf, "Who is the plaintiff?")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1] == (
        f"error: {pdf.name} has no text: 16 pages without a text layer, as in a scan; it needs OCR first."
    )


def one_page(path: Path) -> Path:
    pdf = PdfFile(path, (400, 300))
    pdf.text(60, 60, "Terms of the notes")
    return pdf.save()


def test_a_document_without_text_is_one_line(tmp_path: Path) -> None:
    docx.Document().save(str(tmp_path / "empty.docx"))
    result = run(tmp_path / "empty.docx", QUESTION)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1] == "error: empty.docx has no text."


def test_broken_rules_are_told_before_the_document_is_opened(tmp_path: Path) -> None:
    rules = tmp_path / "mine.yaml"
    rules.write_text(
        "version: 1\nname: mine\nrules:\n  - name: a\n    match: {kinds: [heading]}\n    weight: 0\n"
        "    reason: No.\n    author: a\n    date: 2026-01-01\n"
    )
    result = run(tmp_path / "absent.md", QUESTION, "--rules", rules)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: mine.yaml, line 6, rule 'a': weight 0 is outside 0.05 to 5")
    assert len(result.stderr.splitlines()) == 1
    unknown = run(tmp_path / "absent.md", QUESTION, "--rules", "leagl")
    assert unknown.exit_code == 1
    assert unknown.stderr.startswith("error: There is no rule table 'leagl'")


def test_a_folder_needs_the_name_of_a_document(sample_dir: Path, tmp_path: Path, manual: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "six"), "zip", sample_dir))
    for place in (sample_dir, archive):
        result = run(place, QUESTION)
        assert (result.exit_code, result.stdout) == (2, "")
        assert (
            f"{place.name} is a folder or an archive: give --item with the name of a document; workbench blocks "
            f"{place} lists them."
        ) in squeezed(result.stderr)
        item = json.loads(run(place, QUESTION, "--item", "harbor-manual.md", "--json").stdout)
        assert item == json.loads(run(manual, QUESTION, "--json").stdout)


def test_an_item_that_is_not_there(sample_dir: Path) -> None:
    result = run(sample_dir, QUESTION, "--item", "manual.pdf")
    assert result.exit_code == 1
    assert result.stderr == (
        f"error: documents has no item 'manual.pdf'; workbench blocks {sample_dir} lists those that it has.\n"
    )


def test_an_item_of_a_single_file(manual: Path) -> None:
    result = run(manual, QUESTION, "--item", "page")
    assert result.exit_code == 2
    assert "harbor-manual.md is a single file; leave --item out." in result.stderr
