"""Sets in the format of SQuAD: paragraphs with questions whose answers are given by their offset.

A paragraph alone leaves nothing to skip. Articles of XQuAD (English, Chinese), CMRC (simplified Chinese) and DRCD
(traditional Chinese) are put together in documents; PolicyQA's segments are joined to the policy of their site; a
context of COVID-QA is a whole article. Another file of the format is cut in documents of about ``TARGET`` characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import FileMissing, InvalidWorkload
from ..requests import Evidence
from .defects import Defects
from .drafting import WorkloadDraft
from .manuscripts import Manuscript, in_hash_order, pools
from .rows import BAD_FIELD, ScopeName, has, json_file

TARGET = 40_000
"""Characters of a document of a file that is none of the known sets; of Chinese, a third of it."""
WRONG_OFFSET = "an answer at a wrong offset; taken where it stands nearest to it"
LOST = "an answer that does not stand in its paragraph; left out"
NO_ANSWER = "a question none of whose answers stands in its paragraph; imported without evidence"
ELSEWHERE = "answers at several places of a paragraph; the first is the evidence, the others are answers"
SAME_QUESTION = "the same words asked of several segments of a policy; one request with several pieces of evidence"
SAME_TITLE = "a title that another article has; a number was added"
NOT_SQUAD = "a JSON file that is not in the format of SQuAD; left out"


@dataclass(frozen=True, slots=True)
class Variant:
    """How the articles of a set become documents.

    Attributes
    ----------
    name : str
    size : int
        Articles in one document; 0 for as many as ``TARGET`` wants.
    titled : bool
        Whether articles have headings.
    merged : bool
        Whether the same words asked of several paragraphs are one question.
    scope : {"point", "several", "aggregate", "whole"} or None
    suffix : str
    """

    name: str
    size: int = 0
    titled: bool = True
    merged: bool = False
    scope: ScopeName | None = "point"
    suffix: str = ".md"


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("xquad", size=12),
        Variant("cmrc", size=50),
        Variant("drcd", size=15),
        Variant("policyqa", size=1, titled=False, merged=True, scope=None, suffix=".txt"),
        Variant("covidqa", size=1, titled=False, suffix=".txt"),
        Variant("squad"),
    )
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a paragraph; answers are texts with the offset that the set gives."""

    id: str
    question: str
    answers: tuple[tuple[str, int], ...]
    label: str
    impossible: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A context with its questions, of an article."""

    key: str
    context: str
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """Paragraphs under one title."""

    key: str
    paragraphs: tuple[Paragraph, ...]


def read_articles(path: Path, defects: Defects) -> tuple[Variant, dict[str, Article]]:
    """Return which set a file is, and its articles by title, in the order of the file.

    Raises
    ------
    InvalidWorkload
        If it is not in the format of SQuAD.
    """
    given = json_file(path)
    rows = given.get("data") if isinstance(given, dict) else None
    if not (isinstance(rows, list) and any(isinstance(row, dict) and "paragraphs" in row for row in rows)):
        raise InvalidWorkload(
            f'{path} is not in the format of SQuAD: looked for {{"data": [{{"paragraphs": ...}}]}}; give a file that '
            "has it."
        )
    articles: dict[str, Article] = {}
    for rank, row in enumerate(rows):
        where = f"{path.name}, article {rank + 1}"
        if not has(row, {"paragraphs": list}, where, defects):
            continue
        title = str(row.get("title") or "") or f"article-{_first_of(row).get('document_id', rank)}"
        key, number = title, 1
        while key in articles:
            number += 1
            key = f"{title} ({number})"
        if key != title:
            defects.add(SAME_TITLE, f"{where}: {title}")
        articles[key] = Article(key, tuple(_paragraphs(key, row["paragraphs"], where, defects)))
    return _variant(path.name, rows), articles


def _first_of(row: dict[str, Any]) -> dict[str, Any]:
    paragraphs = row.get("paragraphs")
    first = paragraphs[0] if isinstance(paragraphs, list) and paragraphs else None
    return first if isinstance(first, dict) else {}


def _variant(name: str, rows: Sequence[Any]) -> Variant:
    """Tell a set by what only its rows have; XQuAD, whose rows are like any, by its name."""
    row = next((row for row in rows if isinstance(row, dict) and _first_of(row)), {})
    first = _first_of(row)
    given = first.get("qas")
    asked = given if isinstance(given, list) and given else [{}]
    if "document_id" in first:
        return VARIANTS["covidqa"]
    if "summary" in first or (isinstance(asked[0], dict) and "|||" in str(asked[0].get("type", ""))):
        return VARIANTS["policyqa"]
    if re.match(r"(DEV|TRAIN|TRIAL|TEST)_\d+", str(first.get("id", ""))):
        return VARIANTS["cmrc"]
    if row.get("id") and str(first.get("id", "")).startswith(f"{row['id']}-"):
        return VARIANTS["drcd"]
    return VARIANTS["xquad" if name.lower().startswith("xquad") else "squad"]


def _paragraphs(key: str, rows: list[Any], where: str, defects: Defects) -> Iterator[Paragraph]:
    for rank, row in enumerate(rows, start=1):
        here = f"{where}, paragraph {rank}"
        if has(row, {"context": str, "qas": list}, here, defects):
            yield Paragraph(key, row["context"], tuple(_asked(row["qas"], here, defects)))


def _asked(rows: list[Any], where: str, defects: Defects) -> Iterator[Asked]:
    for rank, row in enumerate(rows, start=1):
        here = f"{where}, question {rank}"
        if not has(row, {"id": (str, int), "question": str, "answers": list}, here, defects):
            continue
        answers = []
        for answer in row["answers"]:
            try:
                answers.append((str(answer["text"]), int(answer["answer_start"])))
            except (KeyError, TypeError, ValueError):
                defects.add(BAD_FIELD, f"{here}: an answer without text or offset")
        yield Asked(
            id=str(row["id"]),
            question=row["question"].removesuffix("\n"),
            answers=tuple(answers),
            label=str(row.get("type") or ""),
            impossible=row.get("is_impossible") is True,
        )


def written(variant: Variant, articles: Iterable[Article]) -> tuple[Manuscript, list[tuple[int, Paragraph]]]:
    """Return the text of a document, and its paragraphs, each with the offset where it begins."""
    manuscript = Manuscript()
    starts: list[tuple[int, Paragraph]] = []
    for article in articles:
        if variant.titled:
            manuscript.paragraph("# " + article.key.replace("_", " "))
        starts.extend((manuscript.paragraph(found.context)[0], found) for found in article.paragraphs)
    return manuscript, starts


def ranges_of(context: str, asked: Asked, defects: Defects) -> list[tuple[int, int]]:
    """Return the range of each answer that stands in its context; a wrong offset is mended by the nearest right one."""
    ranges = []
    for text, start in asked.answers:
        at = start
        if start < 0 or context[start : start + len(text)] != text:
            offsets = _offsets(context, text)
            at = min(offsets, key=lambda offset: abs(offset - start)) if offsets else -1
            defects.add(WRONG_OFFSET if offsets else LOST, f"{asked.id}: {text!r} at {start}")
        if at >= 0 and text.strip():
            ranges.append((at, at + len(text)))
    return list(dict.fromkeys(ranges))


def _offsets(context: str, text: str) -> list[int]:
    found = []
    at = context.find(text)
    while text and at >= 0:
        found.append(at)
        at = context.find(text, at + 1)
    return found


def merged(variant: Variant, starts: Iterable[tuple[int, Paragraph]]) -> Iterator[list[tuple[int, Paragraph, Asked]]]:
    """Yield every question with its paragraph and its offset; several where the variant merges the same words."""
    groups: dict[tuple[str, str], list[tuple[int, Paragraph, Asked]]] = {}
    for start, paragraph in starts:
        for asked in paragraph.asked:
            same = (paragraph.key, asked.question if variant.merged else asked.id)
            groups.setdefault(same, []).append((start, paragraph, asked))
    yield from groups.values()


def read(source: Path, draft: WorkloadDraft) -> None:
    """Write the questions of a file, or of every file of a folder that is in the format of SQuAD."""
    found: dict[Path, tuple[Variant, dict[str, Article]]] = {}
    paths = _files_of(source)
    for path in paths:
        try:
            found[path] = read_articles(path, draft.defects)
        except InvalidWorkload as error:
            if len(paths) == 1:
                raise
            draft.defects.add(NOT_SQUAD, str(error))
    members: dict[str, tuple[Path, list[str]]] = {}
    for path, (variant, articles) in found.items():
        for rank, keys in enumerate(_documents_of(variant, articles)):
            name = keys[0] if variant.size == 1 else f"{variant.name}-{rank:02d}"
            members[f"{path.stem}/{name}" if len(found) > 1 else name] = (path, keys)
    for name in draft.chosen(members):
        path, keys = members[name]
        variant, articles = found[path]
        manuscript, starts = written(variant, (articles[key] for key in keys))
        artifact = draft.text(name.replace("/", "-"), manuscript.text, variant.suffix)
        prefix = f"{path.stem}/" if len(found) > 1 else ""
        for group in merged(variant, starts):
            _ask(draft, variant, artifact, manuscript.text, prefix, group)


def _files_of(source: Path) -> list[Path]:
    if source.is_file():
        return [source]
    if not source.is_dir():
        raise FileMissing(f"There is no file or folder {source}; give a JSON file in the format of SQuAD.")
    paths = sorted(path for path in source.iterdir() if path.suffix.lower() == ".json")
    if not paths:
        raise FileMissing(f"{source} holds no set in the format of SQuAD: looked for *.json; give its folder or file.")
    return paths


def _documents_of(variant: Variant, articles: dict[str, Article]) -> list[list[str]]:
    """Return the keys of the articles of each document."""
    full = [key for key, article in articles.items() if any(paragraph.asked for paragraph in article.paragraphs)]
    if variant.size == 1:
        return [[key] for key in in_hash_order(full)]
    if variant.size:
        return pools(full, variant.size) if full else []
    texts = "".join(paragraph.context for key in full for paragraph in articles[key].paragraphs)
    target = TARGET // 3 if _mostly_wide(texts) else TARGET
    return pools(full, max(1, round(len(full) * target / max(len(texts), 1)))) if full else []


def _mostly_wide(text: str) -> bool:
    return 2 * sum("\u3040" <= letter <= "\ud7ff" for letter in text) > len(text)


def _ask(
    draft: WorkloadDraft,
    variant: Variant,
    artifact: str,
    text: str,
    prefix: str,
    group: list[tuple[int, Paragraph, Asked]],
) -> None:
    first = group[0][2]
    if len(group) > 1:
        draft.defects.add(SAME_QUESTION if variant.merged else "questions with one id; put together", first.id)
    evidence: dict[tuple[int, int], Evidence] = {}
    for start, paragraph, asked in group:
        if asked.impossible:
            continue
        ranges = ranges_of(paragraph.context, asked, draft.defects)
        if len(ranges) > 1:
            draft.defects.add(ELSEWHERE, asked.id)
        for low, high in ranges[:1]:
            anchor = (start + low, start + high)
            evidence[anchor] = Evidence(quote=text[slice(*anchor)], anchor=anchor)  # type: ignore[arg-type]
    answerable = not all(asked.impossible for _, _, asked in group)
    if answerable and not evidence:
        draft.defects.add(NO_ANSWER, first.id)
    answers = list(dict.fromkeys(answer.strip() for answer, _ in first.answers if answer.strip()))
    single = answerable and len(group) == 1 and bool(answers)
    draft.ask(
        f"question {first.id}",
        identity=prefix + first.id,
        artifact=artifact,
        question=first.question,
        scope=variant.scope,
        evidence=list(evidence.values()),
        answer=answers[0] if single else None,
        answers=answers[1:] if single else [],
        answerable=answerable,
        scenario="long_document_qa",
        label=first.label,
    )
