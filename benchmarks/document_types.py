"""Which type the rules decide for the documents of the evaluation data, as a table.

The words of ``rules/document_types.yaml`` were chosen on the documents of even rank of each set; the table is of the
others. Run it with ``python benchmarks/document_types.py``.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from workbench.documents import ReadOptions, open_document
from workbench.documents.blocks import KIND_CODE, BlockKind
from workbench.documents.document_types import document_type_of
from workbench.documents.languages import language_of

Sample = tuple[str, list[str]]


def main() -> None:
    """Print one row a set."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    default = os.environ.get("SPARSEREAD_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of the evaluation data")
    data: Path = parser.parse_args().data
    print("| set | type expected | documents | so decided | otherwise |")
    print("| --- | --- | --- | --- | --- |")
    for name, expected, samples in sets(data):
        half = samples[1::2]
        found = Counter(type_of(*sample) for sample in half)
        others = ", ".join(f"{count} {value}" for value, count in found.most_common() if value != expected)
        print(f"| {name} | {expected} | {len(half)} | {found[expected]} | {others} |")


def sets(data: Path) -> Iterator[tuple[str, str, list[Sample]]]:
    """Yield name, expected type and documents (name, texts) of each set."""
    yield "financebench (filings)", "financial", pdfs(data / "financebench" / "pdfs")
    yield "tatqa (a table and some paragraphs)", "financial", tables(data / "tatqa" / "tatqa_dataset_dev.json")
    yield "cuad (contracts)", "legal", pdfs(data / "cuad" / "full_contract_pdf")
    yield "policyqa (privacy policies)", "legal", articles(data / "policyqa" / "dev.json")
    yield "covidqa (biomedical articles)", "medical", articles(data / "covidqa" / "200423_covidQA.json")
    yield "xquad, English articles", "general", articles(data / "xquad" / "xquad.en.json")
    yield "xquad, Chinese articles", "general", articles(data / "xquad" / "xquad.zh.json")
    yield "cmrc2018, Chinese paragraphs", "general", articles(data / "cmrc2018" / "cmrc2018_dev.json")
    yield "drcd, Chinese articles", "general", articles(data / "drcd" / "DRCD_dev.json")


def pdfs(folder: Path) -> list[Sample]:
    """Return the documents of a folder of PDFs, as the workbench reads them."""
    options = ReadOptions(isolate=False)
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf")
    return [(path.name, list(open_document(path, options=options, progress=False).texts)) for path in paths]


def articles(path: Path) -> list[Sample]:
    """Return the articles of a file in the format of SQuAD, one document each."""
    rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["data"]
    return [("", [line for part in row["paragraphs"] for line in part["context"].split("\n")]) for row in rows]


def tables(path: Path) -> list[Sample]:
    """Return the contexts of TAT-QA: the rows of a table and its paragraphs."""
    rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return [
        ("", ["\t".join(map(str, cells)) for cells in row["table"]["table"]] + [p["text"] for p in row["paragraphs"]])
        for row in rows
    ]


def type_of(name: str, texts: list[str]) -> str:
    """Decide the type of a document given as plain paragraphs."""
    kinds = np.full(len(texts), KIND_CODE[BlockKind.PARAGRAPH], np.uint8)
    return document_type_of(texts, kinds, name=name, language=language_of(texts).value).value


if __name__ == "__main__":
    main()
