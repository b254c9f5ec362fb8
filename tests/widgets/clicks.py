"""What a browser sends to a widget, without a browser."""

from __future__ import annotations

from typing import Any

from workbench.workspace import Operation


def click(widget: Any, kind: str, /, **values: Any) -> list[dict[str, Any]]:
    """Send what a browser sends, and return what the widget answers."""
    sent: list[dict[str, Any]] = []
    widget.send = lambda content, _buffers=None: sent.append(content)
    operation = Operation(kind, values).to_dict()
    widget._received(widget, {"kind": "act", "operation": operation}, [])
    return sent
