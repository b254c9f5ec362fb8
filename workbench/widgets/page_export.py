"""A widget as one HTML file that works from a disk: its script, its styles and its state, without kernel or network."""

from __future__ import annotations

import base64
import gzip
import html
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..documents.surrogates import without_surrogates
from ..errors import InvalidOption, WorkbenchError
from ..standalone import inline_script, inline_style, policy_of
from .scripts import script_of, sheet_of, styles_of
from .wording import words_of

if TYPE_CHECKING:
    from .base import Widget

THEMES = ("auto", "light", "dark")

_ALIGNMENT = 8
_OF_THE_NOTEBOOK = frozenset({"layout", "tabbable", "tooltip", "comm"})


def to_html(widget: Widget, *, title: str = "SparseRead", theme: str = "auto") -> str:
    """Return a page that shows what a widget shows now.

    The page asks nobody for anything: its policy is ``default-src 'none'``, and only the two scripts in it may run.
    Widgets in a trait ``children`` come along. A widget with a method ``answers_alone`` says which questions of its
    script have an answer there.

    Parameters
    ----------
    widget : Widget
    title : str
        Of the page.
    theme : str
        "light", "dark", or "auto" for what the reader's system prefers.

    Raises
    ------
    InvalidOption
        For another theme.
    """
    if theme not in THEMES:
        raise InvalidOption(f"theme is {theme!r:.40}; choose from {', '.join(THEMES)}.")
    scripts = [
        inline_script(f"{script_of(widget.script)}globalThis.sparsereadEntry = $${widget.script}.render;"),
        inline_script(f"{script_of('alone')}$$alone.render(globalThis.sparsereadEntry);"),
    ]
    styles = f"{styles_of(widget.script)}\n{sheet_of('alone').read_text(encoding='utf-8')}"
    words = words_of(("page_export",), widget.language)
    return _PAGE.format(
        language=widget.language,
        theme=theme,
        policy=policy_of(scripts, blobs=True),
        title=html.escape(without_surrogates(title)),
        styles=inline_style(styles),
        no_script=html.escape(words["export.no_script"]),
        state=base64.b64encode(packed(widget)).decode("ascii"),
        scripts="\n".join(f'<script type="module">{script}</script>' for script in scripts),
    )


def save_html(widget: Widget, path: str | Path, *, title: str = "SparseRead", theme: str = "auto") -> Path:
    """Write the page of ``to_html`` to a file, and return its path.

    Raises
    ------
    WorkbenchError
        If the file cannot be written.
    InvalidOption
        For another theme.
    """
    page = to_html(widget, title=title, theme=theme)
    out = Path(path)
    try:
        out.write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise WorkbenchError(
            f"The page cannot be written to {out} ({error.strerror or error}); give a file in a folder that exists and "
            "has room."
        ) from error
    return out


def packed(widget: Widget) -> bytes:
    """Return the state of a widget and its children for ``static`` (alone.js).

    Returns
    -------
    bytes
        gzip of: the length of a header (uint32), the header (JSON: models, root, answers, and where the bytes belong),
        and the bytes, each from a multiple of 8. All little endian; the same state gives the same bytes.
    """
    models: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    root = _collect(widget, models, answers, {})
    found: list[tuple[list[str | int], bytes]] = []
    header = _without_bytes({"models": models, "answers": answers, "root": root}, [], found)
    # The places of the bytes depend on the length of the header that names them: places have a fixed width in it.
    header["buffers"] = [[path, "0" * 12, len(data)] for path, data in found]
    start = _aligned(4 + len(_json(header)))
    blocks = []
    for entry, (_, data) in zip(header["buffers"], found, strict=True):
        entry[1] = f"{start:012d}"
        blocks.append(data.ljust(_aligned(len(data)), b"\0"))
        start += len(blocks[-1])
    head = _json(header)
    front = (len(head).to_bytes(4, "little") + head).ljust(_aligned(4 + len(head)), b"\0")
    return gzip.compress(b"".join([front, *blocks]), 6, mtime=0)


def _collect(widget: Widget, models: dict[str, Any], answers: dict[str, Any], known: dict[str, str]) -> str:
    """Add a widget and its children; names are numbers in the order of the visit."""
    if widget.model_id in known:
        return known[widget.model_id]
    name = known[widget.model_id] = str(len(known))
    state = {key: value for key, value in widget.get_state().items() if _is_shown(key)}
    children = getattr(widget, "children", None)
    models[name] = state
    if isinstance(children, Mapping):
        state["children"] = {key: _collect(child, models, answers, known) for key, child in children.items()}
    saved = getattr(widget, "answers_alone", None)
    if saved is not None:
        answers[name] = [
            {"name": question, "values": values, "value": value, "buffers": list(buffers)}
            for question, values, value, buffers in saved()
        ]
    return name


def _is_shown(trait: str) -> bool:
    return not trait.startswith("_") and trait not in _OF_THE_NOTEBOOK


def _without_bytes(value: Any, path: list[str | int], found: list[tuple[list[str | int], bytes]]) -> Any:
    if isinstance(value, bytes | bytearray | memoryview):
        found.append((path, bytes(value)))
        return None
    if isinstance(value, Mapping):
        return {key: _without_bytes(inner, [*path, key], found) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_bytes(inner, [*path, rank], found) for rank, inner in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no other word for it
    return value


def _json(header: dict[str, Any]) -> bytes:
    return json.dumps(header, separators=(",", ":")).encode("ascii")


def _aligned(size: int) -> int:
    return -size % _ALIGNMENT + size


_PAGE = """<!DOCTYPE html>
<html lang="{language}" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
{styles}
</style>
</head>
<body>
<noscript>{no_script}</noscript>
<main class="sr sr-alone"></main>
<script type="application/octet-stream" id="state">{state}</script>
{scripts}
</body>
</html>
"""
