"""Sets in the format of SQuAD: contexts with questions whose answers are given by their offset.

XQuAD (English, Chinese), CMRC (simplified Chinese) and DRCD (traditional Chinese) are too short to be read sparsely, so
articles are pooled in documents; PolicyQA's segments are joined to the policy of their site; a context of COVID-QA is a
whole article.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.documents import Document
from workbench.workload.places import blocks_at

from .cases import Case, Half, Item, Places, halves, pools, wanted
from .manuscripts import Manuscript


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a set lies and how its articles become documents.

    Attributes
    ----------
    size : int
        Articles in one document.
    family : str
        Sets of one family have the same articles in the same halves.
    pool : int
        Articles that are never divided between the halves.
    titled : bool
        Whether articles have headings.
    """

    file: str
    language: str
    family: str
    size: int = 1
    pool: int = 1
    titled: bool = True
    suffix: str = ".md"


_SOURCES = {
    "xquad": _Source("xquad/xquad.en.json", "en", "xquad", pool=12),
    "xquad_pooled": _Source("xquad/xquad.en.json", "en", "xquad", size=12, pool=12),
    "xquad_zh": _Source("xquad/xquad.zh.json", "zh", "xquad", pool=12),
    "xquad_zh_pooled": _Source("xquad/xquad.zh.json", "zh", "xquad", size=12, pool=12),
    "cmrc_pooled": _Source("cmrc2018/cmrc2018_dev.json", "zh", "cmrc", size=50, pool=50),
    "drcd_pooled": _Source("drcd/DRCD_dev.json", "zh", "drcd", size=15, pool=15),
    "policyqa": _Source("policyqa/dev.json", "en", "policyqa", titled=False, suffix=".txt"),
    "covidqa": _Source("covidqa/200423_covidQA.json", "en", "covidqa", titled=False, suffix=".txt"),
}


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions of one set, document by document."""
    source = _SOURCES[name]
    articles = {_key(row, rank): row for rank, row in enumerate(_rows(data / source.file))}
    groups = {f"{source.family}-{rank}": keys for rank, keys in enumerate(pools(articles, source.pool))}
    group_sides = halves(groups)
    sides: dict[str, Half] = {}
    members: dict[str, list[str]] = {}
    for group, keys in groups.items():
        for number, part in enumerate(pools(keys, source.size)):
            document_key = part[0] if source.size == 1 else f"{group}.{number}"
            members[document_key], sides[document_key] = part, group_sides[group]
    for key in wanted(sides, half, limit):
        yield from _cases(name, source, key, [(member, articles[member]) for member in members[key]], sides[key])


def _cases(
    name: str, source: _Source, key: str, articles: Iterable[tuple[str, dict[str, Any]]], half: Half
) -> Iterator[Case]:
    manuscript = Manuscript()
    starts: list[tuple[str, int, dict[str, Any]]] = []
    for title, article in articles:
        if source.titled:
            manuscript.paragraph("# " + title.replace("_", " "))
        starts.extend(
            (title, manuscript.paragraph(paragraph["context"])[0], paragraph) for paragraph in article["paragraphs"]
        )
    document = manuscript.open(name, key, source.suffix)
    asked: dict[tuple[str, str], list[tuple[str, list[Item]]]] = {}
    labels: dict[tuple[str, str], str] = {}
    for title, start, paragraph in starts:
        for pair in paragraph["qas"]:
            # Annotators asked the same words of several segments of a policy: one question, several pieces.
            same = (title, pair["question"]) if name == "policyqa" else (title, str(pair["id"]))
            found = _places(document, start, paragraph["context"], pair["answers"])
            asked.setdefault(same, []).append((pair["answers"][0]["text"], found))
            labels.setdefault(same, pair["question"] + "\n" + pair.get("type", ""))
    for (title, case_id), pieces in asked.items():
        places = Places.of(pieces)
        question, _, label = labels[title, case_id].partition("\n")
        yield Case(
            set_name=name,
            case_id=case_id,
            document_key=key,
            document=document,
            question=question,
            language=source.language,
            scope=None if name == "policyqa" else "point",
            gold=places.gold,
            also=places.also,
            unresolved=places.unresolved,
            origin=title,
            half=half,
            label=label,
        )


def _places(document: Document, start: int, context: str, answers: list[dict[str, Any]]) -> list[Item]:
    """Return a place for each answer that stands in its context; a wrong offset is mended by the nearest right one."""
    places = []
    for answer in answers:
        text = answer["text"]
        at = answer["answer_start"]
        if context[max(at, 0) : at + len(text)] != text:
            offsets = _offsets(context, text)
            at = min(offsets, key=lambda offset: abs(offset - answer["answer_start"])) if offsets else -1
        if at >= 0 and text.strip() and (place := blocks_at(document, start + at, start + at + len(text))):
            places.append(place)
    return list(dict.fromkeys(places))


def _offsets(context: str, text: str) -> list[int]:
    found = []
    at = context.find(text)
    while text and at >= 0:
        found.append(at)
        at = context.find(text, at + 1)
    return found


def _key(article: dict[str, Any], rank: int) -> str:
    title = str(article.get("title") or "")
    first = article["paragraphs"][0]
    return title or f"article-{first.get('document_id', rank)}"


def _rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["data"]
    return rows
