"""TAT-QA: a table of an annual report with the paragraphs around it; ten of them make one document.

Evidence is given as table cells and as ranges of paragraphs: the gold places are the rows of the cells, and what the
ranges hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..requests import Evidence
from .defects import Defects
from .drafting import WorkloadDraft
from .manuscripts import Manuscript, Range, pools
from .rows import BAD_FIELD, SAME_ROW, ScopeName, found_in, has, json_rows

FILE = "tatqa_dataset_test_gold.json"
WITHOUT_EVIDENCE = "tatqa_dataset_dev.json"
POOL = 10
OTHER_FILE = "a file whose questions have no evidence; not imported"
OTHER_FACT = "a paragraph range that gives another text than the fact; its blocks are taken all the same"
BAD_PLACE = "evidence at a cell or range that is not there; left out"
_SCOPES: dict[str, ScopeName] = {
    "span": "point",
    "multi-span": "several",
    "arithmetic": "several",
    "count": "aggregate",
}


@dataclass(frozen=True, slots=True)
class Context:
    """A table and its paragraphs as they stand in a document: each row's range, and each paragraph's by its order."""

    row: dict[str, Any]
    table: list[Range]
    paragraphs: dict[int, Range]


@dataclass(frozen=True, slots=True)
class Spot:
    """One piece of evidence: its range of the document's text, and what the set says of it."""

    said: str
    range: Range
    fact_range: bool


def contexts(path: Path, defects: Defects) -> dict[str, dict[str, Any]]:
    """Return the contexts of the set by the id of their table, in its order."""
    found = {}
    for where, row in json_rows(path, defects):
        if not has(row, {"table": dict, "paragraphs": list, "questions": list}, where, defects):
            continue
        if has(row["table"], {"uid": str, "table": list}, where, defects) and all(
            has(paragraph, {"order": (int, str), "text": str}, where, defects) for paragraph in row["paragraphs"]
        ):
            problem = _shape_problem(row)
            if problem:
                defects.add(BAD_FIELD, f"{where}: {problem}")
            else:
                if row["table"]["uid"] in found:
                    defects.add(SAME_ROW, f"{where}: {row['table']['uid']}")
                found[row["table"]["uid"]] = row
    return found


def _shape_problem(row: dict[str, Any]) -> str:
    cells = row["table"]["table"]
    if not all(isinstance(line, list) and all(isinstance(cell, str) for cell in line) for line in cells):
        return "the table is no list of rows of texts"
    if not all(str(paragraph["order"]).isdecimal() for paragraph in row["paragraphs"]):
        return "the order of a paragraph is no number"
    return ""


def written(rows: list[dict[str, Any]]) -> tuple[Manuscript, list[Context]]:
    """Return the text of a document, and its contexts with the places of their parts."""
    manuscript = Manuscript()
    parts = []
    for row in rows:
        paragraphs = sorted(row["paragraphs"], key=lambda paragraph: int(paragraph["order"]))
        ranges = {int(found["order"]): manuscript.paragraph(found["text"]) for found in paragraphs}
        parts.append(Context(row, manuscript.table(row["table"]["table"]), ranges))
    return manuscript, parts


def spots(context: Context, asked: dict[str, Any], defects: Defects) -> Iterator[Spot]:
    """Yield the evidence of a question."""
    for mapping in asked["mappings"]:
        for part, (first, second) in mapping.items():
            said = f"{part} {first} {second}"
            if part == "table" and 0 <= int(first) < len(context.table):
                yield Spot(said, context.table[int(first)], False)
                continue
            order = part.removeprefix("paragraph_")
            low, high = context.paragraphs.get(int(order) if order.isdecimal() else -1, (0, 0))
            start = low + int(first)
            if not low <= start < high:
                defects.add(BAD_PLACE, f"{asked['uid']}: {said}")
                continue
            yield Spot(said, (start, start + max(int(second) - int(first), 1)), True)


def read(source: Path, draft: WorkloadDraft) -> None:
    """Write the questions whose evidence is given, ten contexts a document."""
    folder = found_in(source, "TAT-QA", [FILE])
    if (folder / WITHOUT_EVIDENCE).is_file():
        draft.defects.add(OTHER_FILE, WITHOUT_EVIDENCE)
    rows = contexts(folder / FILE, draft.defects)
    members = {f"reports-{rank:02d}": keys for rank, keys in enumerate(pools(rows, POOL))} if rows else {}
    kinds = {"uid": str, "question": str, "mappings": list, "answer_type": str}
    for name in draft.chosen(members):
        manuscript, parts = written([rows[key] for key in members[name]])
        artifact = draft.text(name, manuscript.text)
        for context in parts:
            for asked in context.row["questions"]:
                where = f"{FILE}, context {context.row['table']['uid']}"
                if has(asked, kinds, where, draft.defects):
                    _ask(draft, artifact, manuscript.text, context, asked)


def _ask(draft: WorkloadDraft, artifact: str, text: str, context: Context, asked: dict[str, Any]) -> None:
    evidence: dict[Range, Evidence] = {}
    try:
        found = list(spots(context, asked, draft.defects))
    except (TypeError, ValueError, AttributeError) as error:
        draft.defects.add(BAD_FIELD, f"{asked['uid']}: mappings ({error})")
        return
    given = asked.get("facts")
    facts = {_plain(str(fact)) for fact in given} if isinstance(given, list) else set()
    for spot in found:
        quote = text[slice(*spot.range)]
        if spot.fact_range and facts and _plain(quote) not in facts:
            draft.defects.add(OTHER_FACT, f"{asked['uid']}: {quote!r}, not {' or '.join(sorted(facts))}")
        words = quote.replace("\\|", "|").strip("| ") if not spot.fact_range else quote
        evidence[spot.range] = Evidence(quote=words, anchor=spot.range)  # type: ignore[arg-type]
    answers = _answers(asked.get("answer"), str(asked.get("scale") or ""))
    draft.ask(
        f"question {asked['uid']}",
        identity=asked["uid"],
        artifact=artifact,
        question=asked["question"],
        scope=_SCOPES.get(asked["answer_type"]),
        evidence=list(evidence.values()),
        answer=answers[0] if answers else None,
        answers=answers[1:],
        scenario="structured_analysis",
        label=f"{asked['answer_type']}, {asked.get('answer_from') or ''}",
    )


def _plain(text: str) -> str:
    """A fact without what its spelling varies in: case, thousands separators and the sign of percent."""
    return text.replace(",", "").replace("%", "").strip().casefold()


def _answers(given: Any, scale: str) -> list[str]:
    """Return the answer with its scale, and without it."""
    plain = ", ".join(map(str, given)) if isinstance(given, list) else "" if given is None else str(given)
    if not plain.strip():
        return []
    scaled = f"{plain}%" if scale == "percent" else f"{plain} {scale}".strip()
    # An answer that is text carries its scale already.
    return [plain] if isinstance(given, list) or scaled == plain else [scaled, plain]
