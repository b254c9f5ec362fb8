"""LooGLE: very long texts, with questions whose evidence is one quote (short) or several far apart (long)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workbench.workload.importers import loogle as importer
from workbench.workload.importers.defects import Defects
from workbench.workload.places import quote_places

from .cases import Case, Half, Places, halves, wanted
from .manuscripts import open_text

_TASKS = {"loogle_short": "short", "loogle_long": "long"}


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions of one task; a text is in the same half in both."""
    texts = {task: list(importer.texts(data / "loogle", task, Defects())) for task in importer.TASKS}
    sides = halves(text.title for task in texts.values() for text in task)
    own = {text.title: text for text in texts[_TASKS[name]]}
    for title in wanted({title: sides[title] for title in own}, half, limit):
        document = open_text(own[title].text, "loogle", title, ".txt")
        for pair in own[title].pairs:
            places = Places.of((quote, quote_places(document, quote, paraphrased=True)) for quote in pair.quotes)
            yield Case(
                set_name=name,
                case_id=f"{title}/{pair.rank}",
                document_key=title,
                document=document,
                question=pair.question,
                language="en",
                scope=pair.scope,
                gold=places.gold,
                also=places.also,
                unresolved=places.unresolved,
                origin=title,
                half=sides[title],
                label=pair.kind,
            )
