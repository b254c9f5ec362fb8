"""The importers by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import beir, csv_table, cuad, financebench, loogle, mmlongbench, mtrag, squad, tatqa
from .drafting import WorkloadDraft


@dataclass(frozen=True, slots=True)
class Importer:
    """Reads one kind of set.

    Attributes
    ----------
    name : str
    title : str
        The set's own name.
    looks_for : str
        The files that it needs.
    read : callable
        ``read(source, draft)`` writes the artifacts and requests of a source.
    """

    name: str
    title: str
    looks_for: str
    read: Callable[[Path, WorkloadDraft], None]


IMPORTERS: dict[str, Importer] = {
    importer.name: importer
    for importer in (
        Importer("financebench", "FinanceBench", "questions.jsonl and pdfs/", financebench.read),
        Importer("loogle", "LooGLE", "shortdep_qa.jsonl or longdep_qa.jsonl", loogle.read),
        Importer(
            "squad",
            "the format of SQuAD (XQuAD, CMRC 2018, DRCD, PolicyQA, COVID-QA, SQuAD)",
            "*.json, or one file",
            squad.read,
        ),
        Importer("cuad", "CUAD", "questions.jsonl and full_contract_pdf/", cuad.read),
        Importer("tatqa", "TAT-QA", "tatqa_dataset_test_gold.json", tatqa.read),
        Importer("mmlongbench", "MMLongBench-Doc", "samples.json and documents/", mmlongbench.read),
        Importer("mtrag", "MT-RAG", "reference.jsonl", mtrag.read),
        Importer("beir", "BEIR or MTEB", "corpus.jsonl, queries.jsonl and qrels/*.tsv or *.jsonl", beir.read),
        Importer("csv", "a table of quotes", "a CSV file with the columns file, question and quote", csv_table.read),
    )
}
