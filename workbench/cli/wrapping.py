"""Text in lines of a given width, measured in cells: a Chinese character takes two, and may end any line."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, get_character_cell_size

NEVER_FIRST = frozenset("。，、；：？！）》」』】〕〉”’…,.;:?!)]}%％·ー々")
"""Characters that begin no line."""
NEVER_LAST = frozenset("（《「『【〔〈“‘([{$￥#")
"""Characters that end no line."""


def wrapped(text: str, width: int, *, most: int | None = None) -> list[str]:
    """Return the lines of a text.

    Parameters
    ----------
    text : str
        On one line, without control characters.
    width : int
        Cells of a line, at least 2.
    most : int, optional
        Most lines; the last one then ends in "…".

    Examples
    --------
    >>> wrapped("H-204 卷的使用率超过百分之八十五。", 16)
    ['H-204 卷的使用率', '超过百分之八十', '五。']
    >>> wrapped("Net sales rose by 3 %.", 12, most=1)
    ['Net sales…']
    """
    lines: list[str] = []
    line, used = "", 0
    for atom in _atoms(text):
        size = cell_len(atom.rstrip())
        if used and used + size > width:
            if line.strip():
                lines.append(line.rstrip())
            line, used = "", 0
        *full, last = _folded(atom, width) if size > width else [atom]
        lines += [part.rstrip() for part in full if part.strip()]
        line += last
        used += cell_len(last)
    if line.strip():
        lines.append(line.rstrip())
    if most is not None and len(lines) > most:
        return [*lines[: most - 1], ended(lines[most - 1], width)]
    return lines


def ended(line: str, width: int) -> str:
    """Return a line with "…" at its end, of at most ``width`` cells."""
    while cell_len(line) > width - 1:
        line = line[:-1]
    return line.rstrip() + "…"


def fitted(text: str, width: int) -> str:
    """Return a text in ``width`` cells, its end left out where it does not fit."""
    return text if cell_len(text) <= width else ended(text[: width + 1], width)


def _atoms(text: str) -> Iterator[str]:
    """Divide a text into what is never parted, each with the white space behind it."""
    atom = ""
    for char in text:
        if atom and not char.isspace() and _may_part(atom[-1], char):
            yield atom
            atom = ""
        atom += char
    if atom:
        yield atom


def _may_part(left: str, right: str) -> bool:
    if right in NEVER_FIRST or left in NEVER_LAST:
        return False
    if left.isspace():
        return True
    return get_character_cell_size(left) == 2 or get_character_cell_size(right) == 2


def _folded(atom: str, width: int) -> list[str]:
    """Cut what is wider than a line, wherever the line ends."""
    parts = [""]
    for char in atom:
        if cell_len(parts[-1]) + cell_len(char.rstrip()) > width:
            parts.append("")
        parts[-1] += char
    return parts
