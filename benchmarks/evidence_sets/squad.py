"""Sets in the format of SQuAD: contexts with questions whose answers are given by their offset.

XQuAD (English, Chinese), CMRC (simplified Chinese) and DRCD (traditional Chinese) are too short to be read sparsely, so
articles are pooled in documents; PolicyQA's segments are joined to the policy of their site; a context of COVID-QA is a
whole article.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.documents import Document
from workbench.workload.importers import squad as importer
from workbench.workload.importers.defects import Defects
from workbench.workload.importers.manuscripts import pools
from workbench.workload.places import blocks_at

from .cases import Case, Half, Item, Places, halves, wanted
from .manuscripts import open_text


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
    """

    file: str
    language: str
    family: str
    size: int = 1
    pool: int = 1


_SOURCES = {
    "xquad": _Source("xquad/xquad.en.json", "en", "xquad", pool=12),
    "xquad_pooled": _Source("xquad/xquad.en.json", "en", "xquad", size=12, pool=12),
    "xquad_zh": _Source("xquad/xquad.zh.json", "zh", "xquad", pool=12),
    "xquad_zh_pooled": _Source("xquad/xquad.zh.json", "zh", "xquad", size=12, pool=12),
    "cmrc_pooled": _Source("cmrc2018/cmrc2018_dev.json", "zh", "cmrc", size=50, pool=50),
    "drcd_pooled": _Source("drcd/DRCD_dev.json", "zh", "drcd", size=15, pool=15),
    "policyqa": _Source("policyqa/dev.json", "en", "policyqa"),
    "covidqa": _Source("covidqa/200423_covidQA.json", "en", "covidqa"),
}


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions of one set, document by document."""
    source = _SOURCES[name]
    _, articles = importer.read_articles(data / source.file, Defects())
    variant = importer.VARIANTS[source.family]
    groups = {f"{source.family}-{rank}": keys for rank, keys in enumerate(pools(articles, source.pool))}
    group_sides = halves(groups)
    sides: dict[str, Half] = {}
    members: dict[str, list[str]] = {}
    for group, keys in groups.items():
        for number, part in enumerate(pools(keys, source.size)):
            document_key = part[0] if source.size == 1 else f"{group}.{number}"
            members[document_key], sides[document_key] = part, group_sides[group]
    for key in wanted(sides, half, limit):
        found = [articles[member] for member in members[key]]
        yield from _cases(name, source, variant, key, found, sides[key])


def _cases(
    name: str, source: _Source, variant: importer.Variant, key: str, articles: list[importer.Article], half: Half
) -> Iterator[Case]:
    manuscript, starts = importer.written(variant, articles)
    document = open_text(manuscript.text, name, key, variant.suffix)
    for group in importer.merged(variant, starts):
        _, paragraph, first = group[0]
        places = Places.of(
            (asked.answers[0][0], _places(document, start, found.context, asked)) for start, found, asked in group
        )
        yield Case(
            set_name=name,
            case_id=first.question if variant.merged else first.id,
            document_key=key,
            document=document,
            question=first.question,
            language=source.language,
            scope=variant.scope,
            gold=places.gold,
            also=places.also,
            unresolved=places.unresolved,
            origin=paragraph.key,
            half=half,
            label=first.label,
        )


def _places(document: Document, start: int, context: str, asked: importer.Asked) -> list[Item]:
    """Return a place for each answer that stands in its context."""
    ranges = importer.ranges_of(context, asked, Defects())
    places = [blocks_at(document, start + low, start + high) for low, high in ranges]
    return list(dict.fromkeys(place for place in places if place))
