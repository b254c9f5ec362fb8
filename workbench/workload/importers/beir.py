"""BEIR and MTEB: a corpus of passages, queries, and which passages are relevant to which query.

A corpus of passages has no documents. One is made of the relevant passages of about ``POOL`` queries, and of other
passages of the corpus, drawn by the hashes of their ids, until it has ``PASSAGES``; they stand in the order of their
ids' hashes, so that relevant ones are anywhere. A passage with a score above 0 is evidence.
"""

from __future__ import annotations

import csv
import hashlib
import heapq
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import FileMissing
from ..requests import Evidence
from .defects import Defects
from .drafting import WorkloadDraft
from .manuscripts import Manuscript, Range, in_hash_order, pools
from .rows import BAD_FIELD, NO_ROW, read_bytes

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels"
POOL = 10
PASSAGES = 100
MOST_RELEVANT = 20
NO_QUERY = "a judgement on a query that is not there; left out"
NO_PASSAGE = "a judgement on a passage that is not there, or that says nothing; left out"
NO_RELEVANT = "a query without a relevant passage; left out"
TOO_MANY = f"a query with more than {MOST_RELEVANT} relevant passages; the best {MOST_RELEVANT} are evidence"
OTHER_SPLIT = "judgements of another split; not imported"
BAD_SCORE = "a judgement without two ids and a score; left out"
_SPLITS = ("test", "dev", "validation", "train")


@dataclass(frozen=True, slots=True)
class _Query:
    id: str
    text: str
    relevant: tuple[str, ...]


def read(source: Path, draft: WorkloadDraft) -> None:
    """Write the queries of one split: test where there is one, else dev, else train."""
    corpus, queries, judged = _found(source, draft.defects)
    relevant = _judgements(judged, draft.defects)
    asked = _queries(queries, relevant, draft.defects)
    ids = {passage for query in asked.values() for passage in query.relevant}
    members = {f"passages-{rank:03d}": keys for rank, keys in enumerate(pools(asked, POOL))} if asked else {}
    kept = {name: members[name] for name in in_hash_order(members)[: draft.limit]}
    fillers = _fillers(corpus, ids, len(kept) * PASSAGES, draft.defects)
    own = {passage for keys in kept.values() for key in keys for passage in asked[key].relevant}
    texts = _texts(corpus, own | set(fillers))
    for rank, name in enumerate(draft.chosen(kept)):
        # Dealt out, no filler is in two documents, and a corpus with few of them serves all alike.
        _write(draft, name, [asked[key] for key in kept[name]], texts, fillers[rank :: len(kept)])


def _found(source: Path, defects: Defects) -> tuple[Path, Path, Path]:
    """Return the files of the corpus, the queries and the judgements."""
    wanted = f"{CORPUS}, {QUERIES} and {QRELS}/*.tsv (or *.jsonl)"
    if not source.is_dir():
        raise FileMissing(f"There is no folder {source}; for a BEIR set give the folder that holds {wanted}.")
    corpus, queries = source / CORPUS, source / QUERIES
    found = [
        *(source / QRELS).glob("*.tsv"),
        *(source / QRELS).glob("*.jsonl"),
        *source.glob("qrels.tsv"),
        *source.glob("qrels.jsonl"),
    ]
    judged = sorted(found, key=lambda path: (_SPLITS.index(path.stem) if path.stem in _SPLITS else 9, path.name))
    if not (corpus.is_file() and queries.is_file() and judged):
        missing = [name for name, path in ((CORPUS, corpus), (QUERIES, queries)) if not path.is_file()]
        missing += [] if judged else [f"{QRELS}/*.tsv"]
        raise FileMissing(
            f"{source} is not a BEIR set: looked for {wanted}, and {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not there; give the folder that holds them."
        )
    for other in judged[1:]:
        defects.add(OTHER_SPLIT, other.name)
    return corpus, queries, judged[0]


def _judgements(path: Path, defects: Defects) -> dict[str, dict[str, float]]:
    """Return the score of each relevant passage, by query."""
    found: dict[str, dict[str, float]] = {}
    rows: Iterator[tuple[str, Any, Any, Any]]
    rows = _from_lines(path, defects) if path.suffix == ".jsonl" else _from_table(path)
    for where, query, passage, given in rows:
        try:
            score = float(given)
        except (TypeError, ValueError):
            score = float("nan")
        if not query or not passage or math.isnan(score):
            defects.add(BAD_SCORE, f"{where}: {query!r}, {passage!r}, {given!r}")
        elif score > 0:
            found.setdefault(str(query), {})[str(passage)] = score
    return found


def _from_lines(path: Path, defects: Defects) -> Iterator[tuple[str, Any, Any, Any]]:
    for where, row in _rows(path, defects):
        passage = row.get("corpus-id", row.get("corpus_id"))
        yield where, row.get("query-id", row.get("query_id")), passage, row.get("score", 1)


def _from_table(path: Path) -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield the rows of a table with three columns, or of TREC's with four; the header may be there or not."""
    lines = read_bytes(path).decode("utf-8-sig", "replace").splitlines()
    for number, row in enumerate(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), start=1):
        cells = row if len(row) > 1 else row[0].split() if row else []
        if not cells or (number == 1 and cells[-1].strip().lower() in ("score", "relevance", "label")):
            continue
        passage = cells[2 if len(cells) > 3 else 1] if len(cells) > 2 else ""
        yield f"{path.name}, line {number}", cells[0], passage, cells[-1]


def _rows(path: Path, defects: Defects) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSONL file that may be too big to be held."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                row = None
            if isinstance(row, dict):
                yield f"{path.name}, line {number}", row
            else:
                defects.add(NO_ROW, f"{path.name}, line {number}: it is no object of JSON")


def _id(row: dict[str, Any]) -> str:
    found = row.get("_id", row.get("id"))
    return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""


def _queries(path: Path, relevant: dict[str, dict[str, float]], defects: Defects) -> dict[str, _Query]:
    """Return the queries that have relevant passages."""
    found: dict[str, _Query] = {}
    for where, row in _rows(path, defects):
        identity, text = _id(row), row.get("text", row.get("query"))
        if not identity or not isinstance(text, str) or not text.strip():
            defects.add(BAD_FIELD, f"{where}: it has no _id or no text")
            continue
        scores = relevant.get(identity, {})
        if not scores:
            defects.add(NO_RELEVANT, identity)
            continue
        ordered = [passage for passage, score in sorted(scores.items(), key=lambda item: (-item[1], item[0]))]
        if len(ordered) > MOST_RELEVANT:
            defects.add(TOO_MANY, f"{identity}: {len(ordered)}")
        found[identity] = _Query(identity, text, tuple(ordered[:MOST_RELEVANT]))
    for identity, scores in relevant.items():
        if identity not in found:
            defects.add(NO_QUERY, identity, count=len(scores))
    return found


def _fillers(corpus: Path, relevant: set[str], count: int, defects: Defects) -> list[str]:
    """Return ids of passages that are relevant to no query, in the order of their hashes."""
    others = (_id(row) for _, row in _rows(corpus, defects))
    chosen = heapq.nsmallest(count, ((_hash(found), found) for found in others if found and found not in relevant))
    return [identity for _, identity in chosen]


def _hash(identity: str) -> str:
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()


def _texts(corpus: Path, wanted: set[str]) -> dict[str, tuple[str, str]]:
    """Return title and text of passages; one that says nothing is not there."""
    found = {}
    for _, row in _rows(corpus, Defects()):
        identity, text = _id(row), row.get("text")
        if identity in wanted and isinstance(text, str) and text.strip():
            title = row.get("title")
            found[identity] = (" ".join(title.split()) if isinstance(title, str) else "", text.strip())
    return found


def _write(
    draft: WorkloadDraft, name: str, queries: list[_Query], texts: dict[str, tuple[str, str]], fillers: list[str]
) -> None:
    gold = {passage for query in queries for passage in query.relevant if passage in texts}
    free = [passage for passage in fillers if passage in texts]
    manuscript = Manuscript()
    ranges: dict[str, Range] = {}
    for passage in in_hash_order([*gold, *free[: max(0, PASSAGES - len(gold))]]):
        title, text = texts[passage]
        if title:
            manuscript.paragraph(f"# {title}")
        ranges[passage] = manuscript.paragraph(text)
    artifact = draft.text(name, manuscript.text) if ranges else ""
    for query in queries:
        for passage in query.relevant:
            if passage not in ranges:
                draft.defects.add(NO_PASSAGE, f"{query.id}: {passage}")
        anchors = [ranges[passage] for passage in query.relevant if passage in ranges]
        if not anchors:
            draft.defects.add(NO_RELEVANT, query.id)
            continue
        draft.ask(
            f"query {query.id}",
            identity=query.id,
            artifact=artifact,
            question=query.text,
            evidence=[Evidence(quote=manuscript.text[slice(*found)], anchor=found) for found in anchors],  # type: ignore[arg-type]
            scenario="multi_file_audit" if len(anchors) > 1 else "long_document_qa",
        )
