"""Plain data to a page: templates in which every text is escaped, a style sheet and scripts of our own, a policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..documents.surrogates import without_surrogates
from ..standalone import inline_script, inline_style, policy_of

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).resolve().parent
STATIC = FOLDER / "static"


@cache
def environment() -> Environment:
    """Return the environment: whatever is not marked as markup is escaped, and an unknown name is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["number"] = lambda value: f"{value:,}"
    made.filters["percent"] = percent
    return made


def percent(share: float) -> str:
    """Return a share as a whole per cent, one decimal below ten; never 0 or 100 for what is neither.

    Examples
    --------
    >>> percent(0.873), percent(0.0312), percent(0.99999), percent(1.0)
    ('87\\xa0%', '3.1\\xa0%', '99.9\\xa0%', '100\\xa0%')
    """
    value = 100 * share
    if 0 < value < 0.05:
        return "0.1\u00a0%"
    if 99.9 < value < 100:
        return "99.9\u00a0%"
    return f"{value:.1f}\u00a0%" if 0 < value < 9.95 or 99 < value < 100 else f"{value:.0f}\u00a0%"


def page_of(template: str, *, styles: Sequence[str], scripts: Sequence[str], values: Mapping[str, Any]) -> str:
    """Return a whole page.

    Parameters
    ----------
    template : str
        Name of a file in ``templates``; it extends "base.html".
    styles, scripts : sequence of str
        Names of files in ``static``, in their order; each script is a module of its own.
    values : mapping
        What the template names; at least ``title`` and ``language``.
    """
    programs = [inline_script((STATIC / name).read_text(encoding="utf-8")) for name in scripts]
    sheet = inline_style("\n".join((STATIC / name).read_text(encoding="utf-8") for name in styles))
    page = (
        environment().get_template(template).render(**values, sheet=sheet, scripts=programs, policy=policy_of(programs))
    )
    return without_surrogates(page)
