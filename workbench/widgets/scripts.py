"""The JavaScript and CSS of a widget: files beside each other, joined into one module where a browser gets them.

A notebook gives a widget's script to the browser as a text without an address, so a relative import leads nowhere. Each
file becomes a scope of its own here, and its imports become names from another scope: no build step, no bundler.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).resolve().parent / "static"
THEME = "theme"
"""The style sheet of what all widgets share."""

_IMPORT = re.compile(
    r'^import\s*\{(?P<names>[^}]*)\}\s*from\s*"(?P<path>\.{1,2}/(?:\w+/)?(?P<module>\w+))\.js";[ \t]*$', re.MULTILINE
)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function\*?|const|let|class)\s+(?P<name>\w+))", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


@cache
def script_of(entry: str) -> str:
    """Return a file with all that it imports as one ES module whose default export has its ``render``.

    Parameters
    ----------
    entry : str
        Name of a file below ``static`` without its suffix; it exports ``render({ model, el })``. No two files have one
        name, in whatever folders they are.

    Raises
    ------
    ValueError
        If there is no such file, files import each other in a circle, or one has an import or export of another form
        than ``import { a, b } from "./file.js";`` (or ``"../folder/file.js"``) and ``export function``, ``const``,
        ``let`` or ``class``.
    """
    scopes = "\n".join(_scope(name) for name in modules_of(entry))
    return f"{scopes}\nexport default {{ render: $${entry}.render }};\n"


@cache
def styles_of(entry: str) -> str:
    """Return the theme and the style sheets beside the files that a script is joined from, in their order."""
    sheets = [sheet_of(THEME), *(path_of(name).with_suffix(".css") for name in modules_of(entry))]
    return "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets if sheet.is_file())


@cache
def modules_of(entry: str) -> tuple[str, ...]:
    """Return the names of the files that a script is joined from, each behind those that it imports."""
    order: list[str] = []
    _visit(entry, (), order)
    return tuple(order)


def path_of(name: str) -> Path:
    """Return where a script lies.

    Raises
    ------
    ValueError
        If there is none of the name, or there are two.
    """
    return _only(f"{name}.js")


def sheet_of(name: str) -> Path:
    """Return where a style sheet lies that belongs to no script, or to one of its name."""
    return _only(f"{name}.css")


def _only(file: str) -> Path:
    found = sorted(STATIC.rglob(file))
    if len(found) != 1:
        raise ValueError(f"There are {len(found)} files {file} below {STATIC.name}; there must be one.")
    return found[0]


def _visit(name: str, above: tuple[str, ...], order: list[str]) -> None:
    if name in above:
        raise ValueError(f"The scripts {' -> '.join((*above, name))} import each other in a circle; part one of them.")
    if name in order:
        return
    path = path_of(name)
    for match in _IMPORT.finditer(path.read_text(encoding="utf-8")):
        if not (path.parent / f"{match['path']}.js").is_file():
            raise ValueError(f"{name}.js imports {match['path']}.js, which is not there; mend the path.")
        _visit(match["module"], (*above, name), order)
    order.append(name)


def _scope(name: str) -> str:
    text = path_of(name).read_text(encoding="utf-8")
    exported = [match["name"] for match in _EXPORT.finditer(text)]
    body = _IMPORT.sub(lambda match: f"const {{{match['names'].replace(' as ', ': ')}}} = $${match['module']};", text)
    body = _EXPORT.sub("", body)
    odd = _LEFT_OVER.search(body)
    if odd is not None:
        raise ValueError(f"{name}.js has {odd[0]!r:.80}, which cannot be joined; see script_of for the forms that can.")
    return f"const $${name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"
