"""The benchmark of documents: its figures are complete, held-out labels are told apart, a wrong folder is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.documents import (
    Figure,
    as_markdown,
    evidence_figures,
    filings_of,
    label_figures,
    labels_of,
    main,
    memory_figures,
    speed_figures,
    word_figures,
)
from benchmarks.speed import Speed, Timing
from tests.documents.real_documents import real_document, real_files
from workbench.documents import open_document

LABEL_FILES = [f"{kind}{ending}" for kind in ("headings", "furniture") for ending in ("", "_more", "_heldout")]


def test_figures_become_a_table() -> None:
    table = as_markdown([Figure("words", "2 pages", "99 %")])
    assert table == "| what | reach | measured |\n| --- | --- | --- |\n| words | 2 pages | 99 % |"


def test_speeds_are_told_as_ratios_on_the_wall_and_in_processor_time() -> None:
    speed = Speed(
        pdfium=Timing(100, 100, 0.25, 0.2),
        plain=Timing(100, 8, 10.0, 9.0),
        one_process=Timing(100, 100, 1.0, 1.0),
        two_workers=Timing(100, 100, 0.5, 1.2),
        fresh=Timing(100, 100, 1.0, 1.0),
        cached=Timing(100, 100, 0.01, 0.01),
    )
    told = {figure.what: figure for figure in speed_figures(speed, 1)}
    assert told["one process against pdfplumber"].measured == "10.0 times on the wall, 9.0 times in processor time"
    assert told["two workers against pdfplumber"].measured == "20.0 times on the wall, 7.5 times in processor time"
    assert told["share of pdfium in the time of one process"].measured == "wall 25%, processor 20%"
    assert told["open_document, one process, no cache"].measured == "100.0 pages/s (10.0 ms of processor time a page)"
    assert [figure.reach for figure in told.values() if figure.what.startswith("pdfplumber")] == [
        "8 pages of 1 filings, weighted by their pages"
    ]


def test_memory_is_measured_on_a_long_document_and_a_short_one(sample_dir: Path) -> None:
    document = open_document(sample_dir / "annual-report.pdf", progress=False)
    long, short, ratio = memory_figures([document])
    assert long.reach == short.reach == f"annual-report.pdf, {len(document.pages)} pages"
    assert float(long.measured.removesuffix(" MiB")) > 0
    assert ratio.measured.endswith(" times")


@pytest.mark.parametrize("name", LABEL_FILES)
def test_the_labels_of_a_set_are_well_formed(name: str) -> None:
    for label in labels_of(name):
        if name.startswith("headings"):
            pages = set(label["pages"])
            assert all(1 <= row["level"] <= 6 and row["page"] in pages and row["text"] for row in label["headings"])
            assert all(row["page"] in pages and row["text"] for row in label["doubtful"])
        else:
            assert {"path", "page", "header", "footer", "first_body_line", "last_body_line", "hidden"} == set(label)


def test_a_folder_without_data_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--data", str(tmp_path)])
    message = f"{tmp_path} holds no financebench/pdfs/*.pdf; give the evaluation data with --data."
    assert message in capsys.readouterr().err


@pytest.mark.data
def test_development_and_held_out_labels_are_told_apart(data_dir: Path) -> None:
    opened = {
        label["path"]: real_document(data_dir, label["path"]) for name in LABEL_FILES for label in labels_of(name)
    }
    figures = label_figures(data_dir, opened)
    kinds = [figure.reach.split(":")[0] for figure in figures]
    assert kinds == ["development"] * 8 + ["held out"] * 8
    assert [figure.reach for figure in figures if figure.what == "headings, whatever the level"] == [
        "development: 490 headings, 33 documents",
        "held out: 98 headings, 12 documents",
    ]
    assert all("mean of documents" in figure.measured for figure in figures)
    held_out = {label["path"] for name in LABEL_FILES if name.endswith("heldout") for label in labels_of(name)}
    assert not [path for path in held_out if any(Path(path).name in figure.reach for figure in figures)]


@pytest.mark.data
def test_words_and_evidence_are_measured_on_the_filings(data_dir: Path) -> None:
    paths = filings_of(data_dir)
    assert len(paths) == len(real_files("financebench/pdfs")) == 27
    documents = [real_document(data_dir, path.relative_to(data_dir).as_posix()) for path in paths[:4]]
    (words,) = word_figures(documents, 2)
    assert words.reach == "2 pages"
    layer, blocks, covered, rows = evidence_figures(documents, data_dir)
    assert layer.reach == blocks.reach == covered.reach
    assert layer.measured.endswith("(100.0%)")
    assert rows.reach.endswith("rows of the evidence")
