"""The contents of a story to its page."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from ...wording import checked_language, section_of
from ..prices import DEFAULT, PriceTable, amount, shipped_prices
from ..rendering import SCRIPTS, STYLES
from ..templates import page_of
from ..views import view_of
from ..wording import FOLDER, saying
from .figures import scale_of

if TYPE_CHECKING:
    from .contents import StoryContents

OWN_STYLES = ("story.css", "story_lists.css")
"""After those of a reading and before those of print, which overrule all."""


def rendered_story(contents: StoryContents, *, prices: PriceTable | None = None) -> str:
    """Return the page of a story: one file that loads nothing.

    Parameters
    ----------
    contents : StoryContents
    prices : PriceTable, optional
        What the page reckons with until its reader changes it; the table that ships, in the report's language.

    Raises
    ------
    InvalidOption
        For a language without words.
    """
    language = checked_language(contents.language)
    table = shipped_prices(language) if prices is None or prices == DEFAULT else prices
    *styles, last = STYLES
    values = {
        "title": contents.title,
        "language": language,
        "story": contents,
        "readings": [view_of(case.reading, table) for case in contents.cases],
        "scale": scale_of(contents.scenarios),
        "types_scale": scale_of(contents.types),
        "money": table.saved(contents.tokens_whole, contents.tokens_read),
        "prices": table,
        "price_values": json.dumps(asdict(table), ensure_ascii=False),
        "t": saying("page", language),
        "s": saying("story", language),
        "saying": lambda section: saying(section, language),
        "script_words": lambda part: _script_words(part, language),
        "amount": amount,
    }
    return page_of("story.html", styles=(*styles, *OWN_STYLES, last), scripts=SCRIPTS, values=values)


def _script_words(part: str, language: str) -> str:
    """Return the words that the scripts of a reading need, as JSON."""
    words = section_of(FOLDER, "page", language)
    return json.dumps({key: text for key, text in words.items() if key.startswith(f"{part}.")}, ensure_ascii=False)
