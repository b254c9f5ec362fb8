"""FinanceBench: company filings as PDF, with evidence texts that are often half a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from workbench.workload.places import page_places

from .cases import Case, Half, Places, halves, wanted
from .manuscripts import opened


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions on filings; every piece of evidence is looked for on its page alone."""
    folder = data / "financebench"
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines() if line]
    sides = halves(row["doc_name"] for row in rows)
    for key in wanted(sides, half, limit):
        document = opened(folder / "pdfs" / f"{key}.pdf")
        for row in rows:
            if row["doc_name"] != key:
                continue
            quotes = [(item["evidence_text"], int(item["evidence_page_num"]) + 1) for item in row["evidence"]]
            places = Places.of((quote, page_places(document, quote, page)) for quote, page in quotes)
            yield Case(
                set_name=name,
                case_id=row["financebench_id"],
                document_key=key,
                document=document,
                question=row["question"],
                language="en",
                scope="point" if row["question_reasoning"] == "Information extraction" else None,
                gold=places.gold,
                also=places.also,
                unresolved=places.unresolved,
                origin=key,
                half=sides[key],
                label=row["question_type"],
            )
