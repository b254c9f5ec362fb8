"""Sets made small, in the formats of their authors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

Rows = list[dict[str, Any]]


def write_lines(path: Path, rows: list[Any]) -> Path:
    """Write JSON lines; a text is written as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def squad(*contexts: tuple[str, str, list[tuple[str, list[tuple[str, int]]]]]) -> dict[str, Any]:
    """Make a file in the format of SQuAD: (title, context, questions with (answer, offset)) a paragraph."""
    articles: dict[str, Rows] = {}
    for title, context, asked in contexts:
        pairs = [
            {
                "id": f"{title}-{len(articles.get(title, []))}-{rank}",
                "question": question,
                "answers": [{"text": text, "answer_start": start} for text, start in answers],
            }
            for rank, (question, answers) in enumerate(asked)
        ]
        articles.setdefault(title, []).append({"context": context, "qas": pairs})
    return {"data": [{"title": title, "paragraphs": paragraphs} for title, paragraphs in articles.items()]}


def blank_pdf(path: Path, pages: int = 1) -> Path:
    """Write a PDF of empty pages."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = pdfium.PdfDocument.new()
    for _ in range(pages):
        document.new_page(300, 400)
    document.save(path)
    return path


def beir(folder: Path, *, passages: int = 30) -> Path:
    """Make a corpus with three queries: one with two relevant passages, one with one, one with none that is there."""
    corpus = [
        {"_id": f"p{rank}", "title": f"Pump {rank}", "text": f"Pump {rank} delivers {rank * 7 + 3} litres a minute."}
        for rank in range(passages)
    ]
    write_lines(folder / "corpus.jsonl", corpus)
    queries = [
        {"_id": "q1", "text": "What do pumps 3 and 5 deliver?"},
        {"_id": "q2", "text": "七号泵每分钟输送多少升？"},
        {"_id": "q3", "text": "Which pump is silent?"},
        {"_id": "q4", "text": "Which pump was never judged?"},
    ]
    write_lines(folder / "queries.jsonl", queries)
    judged = ["query-id\tcorpus-id\tscore", "q1\tp3\t2", "q1\tp5\t1", "q1\tp6\t0", "q2\tp7\t1", "q3\tp999\t1"]
    write_lines(folder / "qrels" / "test.tsv", [*judged, "q9\tp1\t1", "q2\tp8\tmuch"])
    write_lines(folder / "qrels" / "train.tsv", ["query-id\tcorpus-id\tscore", "q4\tp1\t1"])
    return folder
