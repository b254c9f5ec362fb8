"""A report's contents to its page."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from ..wording import checked_language, section_of
from .contents import ReportContents
from .prices import DEFAULT, PriceTable, amount, shipped_prices
from .templates import page_of
from .views import view_of
from .wording import FOLDER, saying

STYLES = (
    "report.css",
    "headline.css",
    "pages.css",
    "zoom.css",
    "kept.css",
    "skipped.css",
    "decision.css",
    "money.css",
    "print.css",
)
SCRIPTS = ("shared.js", "fade.js", "pages.js", "folding.js", "search.js", "prices.js", "links.js")


def rendered(contents: ReportContents, *, prices: PriceTable | None = None, comparison: Any = None) -> str:
    """Return the page of a report: one file that loads nothing.

    Parameters
    ----------
    contents : ReportContents
    prices : PriceTable, optional
        What the page reckons with until its reader changes it; the table that ships, in the report's language.
    comparison : object, optional
        What "comparison.html" shows of two readings.

    Raises
    ------
    InvalidOption
        For a language without words.
    """
    table = shown_prices(prices, contents.language)
    values = common_values(contents.title, contents.language, table) | {
        "report": contents,
        "readings": [view_of(reading, table) for reading in contents.readings],
        "comparison": comparison,
    }
    styles = STYLES if comparison is None else (*STYLES, "comparison.css")
    return page_of("report.html", styles=styles, scripts=SCRIPTS, values=values)


def shown_prices(prices: PriceTable | None, language: str) -> PriceTable:
    """Return the table that a page begins with: the one that ships has its names in the page's language.

    Raises
    ------
    InvalidOption
        For a language without words.
    """
    return shipped_prices(checked_language(language)) if prices is None or prices == DEFAULT else prices


def common_values(title: str, language: str, table: PriceTable) -> dict[str, Any]:
    """Return what every page needs beside its contents: its title, words, prices, and the words of its scripts."""
    return {
        "title": title,
        "language": language,
        "prices": table,
        "price_values": json.dumps(asdict(table), ensure_ascii=False),
        "t": saying("page", language),
        "saying": lambda section: saying(section, language),
        "script_words": lambda part: _script_words(part, language),
        "amount": amount,
    }


def _script_words(part: str, language: str) -> str:
    words = section_of(FOLDER, "page", language)
    return json.dumps({key: text for key, text in words.items() if key.startswith(f"{part}.")}, ensure_ascii=False)
