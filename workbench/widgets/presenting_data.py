"""What presenting needs besides the reading: prices that somebody assumes, and what a model really sees.

``static/presenting`` draws it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..reading import Reading


def prices_data(language: str) -> dict[str, Any]:
    """Return the prices that money is reckoned with until somebody types others.

    Returns
    -------
    dict
        currency, requests_per_day, days_per_year, models (name and per_million of each), and shown: which of them.
    """
    from ..report.prices import shipped_prices

    table = shipped_prices(language)
    return {
        "currency": table.currency,
        "requests_per_day": table.requests_per_day,
        "days_per_year": table.days_per_year,
        "models": [{"name": price.name, "per_million": price.per_million} for price in table.models],
        "shown": table.shown,
    }


def rendered_data(reading: Reading | None) -> dict[str, Any] | None:
    """Return what a model sees of a reading, in tokens; counting them may load the tokenizer, which takes a second.

    Returns
    -------
    dict or None
        kept and total (of the blocks), rendered (of the text with its anchors and coverage line), and tokenizer.
    """
    if reading is None:
        return None
    saving = reading.saving
    return {
        "kept": saving.tokens_kept,
        "total": saving.tokens_total,
        "rendered": saving.rendered_tokens,
        "tokenizer": saving.tokenizer,
    }
