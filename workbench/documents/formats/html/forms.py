"""What the fields of an HTML form show."""

from __future__ import annotations

from typing import Any

CHECK_MARKS = ("[x]", "[ ]")
_BUTTONS = frozenset({"submit", "reset", "button"})
_CHECKS = frozenset({"checkbox", "radio"})
_NO_VALUE = frozenset({"password", "file", "image", "color"})


def is_control(element: Any) -> bool:
    """Say whether an element is a field to fill in."""
    return element.tag in ("input", "select", "textarea")


def has_control(element: Any) -> bool:
    """Say whether a field stands inside an element."""
    return next(element.iter("input", "select", "textarea"), None) is not None


def is_inline_control(element: Any) -> bool:
    """Say whether a field stands in running text: a button, or a box before its label."""
    return element.tag == "input" and _type(element) in _BUTTONS | _CHECKS


def control_text(element: Any) -> str:
    """Return what a field holds as the page was saved: its value, its chosen options, or a check mark."""
    if element.tag == "textarea":
        return "".join(element.itertext())
    if element.tag == "select":
        options = list(element.iter("option"))
        chosen = [option for option in options if option.get("selected") is not None]
        if not chosen and element.get("multiple") is None:
            chosen = options[:1]
        return ", ".join("".join(option.itertext()).strip() for option in chosen)
    kind = _type(element)
    if kind in _CHECKS:
        return CHECK_MARKS[0] if element.get("checked") is not None else CHECK_MARKS[1]
    return "" if kind in _NO_VALUE else element.get("value") or ""


def _type(element: Any) -> str:
    return (element.get("type") or "text").lower()
