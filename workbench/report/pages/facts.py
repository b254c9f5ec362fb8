"""The pages of a reading as they are shown: picture, marks of all blocks, and one sentence on what became of each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..contents import PageFacts
from ..wording import saying
from .marks import page_marks
from .pictures import Pictures
from .places import PagePlaces
from .sentences import PageSentences

if TYPE_CHECKING:
    from ...reading import Reading

__all__ = ["Pictures", "page_facts"]


def page_facts(reading: Reading, *, language: str = "en", pictures: Pictures) -> tuple[PageFacts, ...]:
    """Return what is shown of each page of a document.

    Blocks without text of their own, such as tables, whose rows have it, are in no list here, and have no mark. A block
    over two pages is on both; its tokens are divided by its characters, so that those of all pages add up.

    Parameters
    ----------
    reading : Reading
    language : {"en", "zh"}
    pictures : Pictures
        Draws the document, if it has not yet; ``Pictures.none()`` for none.

    Returns
    -------
    tuple of PageFacts
        One for each page of the document, also where the format has no pages to draw.

    Raises
    ------
    InvalidOption
        For another language.

    Examples
    --------
    >>> from workbench import SparseReader, open_document
    >>> from workbench.resources import datasets_dir
    >>> document = open_document(datasets_dir() / "dev" / "documents" / "harbor-manual.md")
    >>> reading = SparseReader(scorer=None).read(document, "Which backup is kept for a year?")
    >>> [page.width for page in page_facts(reading, pictures=Pictures.none())]
    [0.0]
    """
    say = saying("pages", language)
    document, decision = reading.document, reading.decision
    pictures.add([reading])
    places = PagePlaces(document)
    kept = decision.kept[places.block]
    tokens, spent = places.tokens_on(decision.tokens), places.tokens_on(np.where(decision.kept, decision.costs, 0))
    marks = page_marks(document, places, decision.status)
    sentences = PageSentences(reading, say)
    facts: list[PageFacts] = []
    for page, at in zip(document.pages, places.on(), strict=True):
        number = len(facts) + 1
        ids, stays = places.block[at], kept[at]
        said = [sentences.of(number, ids.tolist())]
        missing = pictures.missing(document, number)
        if missing is not None:
            said.append(say("no_picture", reason=missing) if missing else say("no_picture.room"))
        known = 0 < page.width < math.inf and 0 < page.height < math.inf
        facts.append(
            PageFacts(
                number=number,
                status=page.status.value,
                width=round(page.width, 1) if known else 0.0,
                height=round(page.height, 1) if known else 0.0,
                picture=pictures.of(document, number),
                marks=marks[number - 1] if known else (),
                kept=tuple(ids[stays].tolist()),
                skipped=tuple(ids[~stays].tolist()),
                tokens_kept=int(spent[at].sum()),
                tokens=int(tokens[at].sum()),
                sentence=say("sentences").join(said),
            )
        )
    return tuple(facts)
