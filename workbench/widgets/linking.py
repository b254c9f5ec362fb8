"""Widgets that are put beside each other and hear each other in the browser."""

from __future__ import annotations

import uuid

from .base import Widget


def link(*widgets: Widget) -> None:
    """Let widgets follow each other's selection and cut, without a round trip to the kernel.

    Examples
    --------
    >>> link(view, panel)  # doctest: +SKIP
    """
    channel = uuid.uuid4().hex
    for widget in widgets:
        widget.channel = channel
