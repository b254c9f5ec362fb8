"""A decision and its signals as HTML for notebooks: no script, and nothing in it is interpreted."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..documents.surrogates import without_surrogates
from ..printing import printable, shortened
from .margin import Route
from .signal_values import SIGNAL_NAMES, term_value, three_decimals

if TYPE_CHECKING:
    from .explanation import GateExplanation
    from .gate import GateDecision
    from .signal_values import Signals

_COLOURS = {Route.FORCE: "#2e9e5b", Route.ADVISORY: "#d9962b", Route.NATIVE: "#5b8def"}
"""Of a bar beside the text, which stands out on light and on dark; no text is coloured."""
_LEFT = "text-align:left;vertical-align:top;white-space:normal"
_NAME = "text-align:left;vertical-align:top;white-space:nowrap"
_RIGHT = "text-align:right;vertical-align:top;white-space:nowrap;font-variant-numeric:tabular-nums"
_TABLE = "margin:0.5em 0;border-collapse:collapse"
_QUESTION_CHARS = 200
_SIGNS = {"s": "+", "c": "-", "r": "-"}


def explanation_page(explained: GateExplanation) -> str:
    """Return the decision and its reason on top, then the calculation; the terms open on demand."""
    found = explained.decision
    parts = [
        _head(explained),
        _facts(found),
        _margin(found),
        _otherwise(explained),
        _folded("How s, c and r are made", _terms(found.signals)),
    ]
    return _page("".join(parts))


def signals_page(signals: Signals) -> str:
    """Return the signals with their terms."""
    return _page(f"<div><b>Gate signals</b></div>{_terms(signals)}")


def _page(body: str) -> str:
    # Without these classes a notebook turns "$5 to $9" into a formula.
    return without_surrogates(f"<div class='mathjax_ignore tex2jax_ignore' style='max-width:64em'>{body}</div>")


def _told(text: str) -> str:
    return html.escape(printable(text))


def _cell(tag: str, text: str, style: str, more: str = "") -> str:
    return f"<{tag} style='{style}'{more}>{text}</{tag}>"


def _row(*cells: str) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _head(explained: GateExplanation) -> str:
    found = explained.decision
    route = found.route
    # Every summary begins with its route.
    said = _told(explained.summary)
    said = f"<b>{said[: len(route.value)]}</b>{said[len(route.value) :]}"
    bar = f"border-left:4px solid {_COLOURS[route]};padding:0.1em 0 0.1em 0.8em;margin:0.4em 0"
    return (
        f"<div style='{bar}'><div style='opacity:0.75'>{_told(found.preview.name)}</div>"
        f"<div style='font-size:1.15em'>{said}</div></div>"
    )


def _facts(found: GateDecision) -> str:
    from .explanation import distance_of, thresholds_of

    intent = found.intent
    rows = [
        ("question", shortened(intent.question, _QUESTION_CHARS)),
        ("intent", " ".join((f"Scope {intent.scope.value}, to {intent.action.value}.", *intent.reasons))),
        ("routes", thresholds_of(found)),
    ]
    if not found.constraint:
        rows.append(("distance", distance_of(found)))
    body = "".join(_row(_cell("th", label, _LEFT), _cell("td", _told(words), _LEFT)) for label, words in rows)
    return f"<table style='{_TABLE}'>{body}</table>"


def _margin(found: GateDecision) -> str:
    """Return the margin as a sum: value times weight for each signal, and their total."""
    rows = [_row(_cell("th", "signal", _LEFT), *(_cell("th", name, _RIGHT) for name in ("value", "weight", "product")))]
    for (letter, signal), weight in zip(found.signals.by_letter, found.weights, strict=True):
        product = signal.value * weight
        numbers = (f"{signal.value:.4f}", f"{weight:.4f}", f"{_SIGNS[letter]}{product:.4f}")
        rows.append(_row(_name(letter), *(_cell("td", number, _RIGHT) for number in numbers)))
    label = "<b>margin</b>" + (", not asked for under a hard constraint" if found.constraint else "")
    total = f"<b>{found.free_margin:+.4f}</b>"
    rows.append(_row(_cell("td", label, _LEFT, " colspan='3'"), _cell("td", total, _RIGHT)))
    return f"<table style='{_TABLE}'>{''.join(rows)}</table>"


def _name(letter: str) -> str:
    return _cell("td", f"<b>{letter}</b>, {SIGNAL_NAMES[letter]}", _NAME)


def _otherwise(explained: GateExplanation) -> str:
    if not explained.flips:
        return ""
    return _folded("What would change the route", _items(flip.words for flip in explained.flips), opened=True)


def _items(sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{_told(words)}</li>" for words in sentences)
    return f"<ul style='margin:0.2em 0'>{items}</ul>"


def _folded(title: str, body: str, *, opened: bool = False) -> str:
    summary = f"<summary style='cursor:pointer'><b>{title}</b></summary>"
    return f"<details style='margin:0.4em 0'{' open' if opened else ''}>{summary}{body}</details>"


def _terms(signals: Signals) -> str:
    """Return each signal as a heading above its terms."""
    rows = []
    for letter, signal in signals.by_letter:
        value = _cell("td", f"<b>{three_decimals(signal.value)}</b>", _RIGHT)
        rows.append(_row(_name(letter), value, _cell("td", _told(signals.rule_of(letter)), _LEFT)))
        rows.extend(
            _row(
                _cell("td", _told(term.name), f"{_NAME};padding-left:2em"),
                _cell("td", term_value(letter, term.value), _RIGHT),
                _cell("td", _told(term.reason), _LEFT),
            )
            for term in signal.terms
        )
    return f"<table style='{_TABLE}'>{''.join(rows)}</table>"
