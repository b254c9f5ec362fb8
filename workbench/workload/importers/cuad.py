"""CUAD: contracts as PDF, with a question for each of 41 categories of clauses, most of which a contract has not."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..requests import Evidence
from .defects import Defects
from .drafting import WorkloadDraft
from .rows import found_in, has, json_lines, texts_of

FILES = ("questions.jsonl", "full_contract_pdf")
OMITTED = "a quote with parts left out (<omitted>); its parts are looked for one by one"
NOT_VERBATIM = "a quote that the set itself does not find word for word; looked for by its letters and digits"
NO_CONTRACT = "a question on a contract that is not there; left out"


@dataclass(frozen=True, slots=True)
class Clause:
    """A category of one contract with the quotes of its clauses; none where the contract has no such clause."""

    where: str
    contract: str
    category: str
    question: str
    answer: str
    quotes: tuple[str, ...]


def clauses(folder: Path, defects: Defects, only: Collection[str] | None = None) -> Iterator[Clause]:
    """Yield every category of every contract, or of some, in the order of the set."""
    kinds = {"contract_pdf": str, "category": str, "question": str, "evidence": list}
    for where, row in json_lines(folder / FILES[0], defects):
        if not has(row, kinds, where, defects) or (only is not None and row["contract_pdf"] not in only):
            continue
        name = f"{PurePosixPath(row['contract_pdf']).stem}/{row['category']}"
        quotes = texts_of(row["evidence"])
        verbatim = row.get("evidence_verbatim_in_txt")
        for rank, quote in enumerate(quotes):
            if "<omitted>" in quote:
                defects.add(OMITTED, name)
            elif isinstance(verbatim, list) and rank < len(verbatim) and verbatim[rank] is False:
                defects.add(NOT_VERBATIM, name)
        yield Clause(
            where=where,
            contract=row["contract_pdf"],
            category=row["category"],
            question=f"{row['category']}: {row['question']}",
            answer=str(row.get("answer") or ""),
            quotes=tuple(quotes),
        )


def read(source: Path, draft: WorkloadDraft) -> None:
    """Write a request for every category of the contracts whose PDF is there."""
    folder = found_in(source, "CUAD", FILES)
    contracts = draft.first(clause.contract for clause in clauses(folder, Defects()))
    asked = list(clauses(folder, draft.defects, set(contracts)))
    for contract in draft.chosen(contracts):
        own = [clause for clause in asked if clause.contract == contract]
        inside = ".." not in PurePosixPath(contract).parts and not contract.startswith("/")
        if not inside or not (folder / contract).is_file():
            draft.defects.add(NO_CONTRACT, f"{own[0].where}: {contract}", count=len(own))
            continue
        artifact = draft.file(folder / contract)
        for clause in own:
            draft.ask(
                clause.where,
                identity=f"{PurePosixPath(artifact).stem}/{clause.category}",
                artifact=artifact,
                question=clause.question,
                evidence=[Evidence(quote=quote) for quote in dict.fromkeys(clause.quotes)],
                answer=clause.answer.strip() or None if clause.quotes else None,
                answerable=bool(clause.quotes),
                scenario="long_document_qa",
                label=clause.category,
            )
