"""The contents of a story to its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..prices import PriceTable
from ..rendering import SCRIPTS, STYLES, common_values, shown_prices
from ..templates import page_of
from ..views import view_of
from ..wording import saying
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
    table = shown_prices(prices, contents.language)
    *styles, last = STYLES
    values = common_values(contents.title, contents.language, table) | {
        "story": contents,
        "readings": [view_of(case.reading, table) for case in contents.cases],
        "scale": scale_of(contents.scenarios),
        "types_scale": scale_of(contents.types),
        "money": table.saved(contents.tokens_whole, contents.tokens_read),
        "s": saying("story", contents.language),
    }
    return page_of("story.html", styles=(*styles, *OWN_STYLES, last), scripts=SCRIPTS, values=values)
