"""What is ordinary in a document: the size of its running text and the distance of its lines."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from .text_lines import TextLine

_USUAL_SIZE, _USUAL_PITCH = 10.0, 1.2  # points; of the size
_LEAST_SAMPLES = 4
_LONG_LINE, _PROSE_SHARE, _RARE_FONT = 60, 0.03, 0.1  # characters; of all characters
_MONO = re.compile(
    r"mono(?!type)|courier|consol|typewriter|CMTT|SFTT|LMTT|menlo|fira ?code|lucida ?console|nimbus ?mon",
    re.I,
)
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_STYLE = re.compile(r"[-,].*$|(?<=[a-z])(?:PSMT|PS|MT|Bold|Italic|Oblique|Regular|Medium|Light|Book)+$")


@dataclass(frozen=True, slots=True)
class Typography:
    """The document's ordinary text.

    Attributes
    ----------
    body_size : float
        Font size of most running text, in points.
    pitches : dict
        Usual distance of two lines' tops for each font size, in points.
    body_bold : bool
        Whether most running text is bold, so that bold says nothing.
    prose_sizes : frozenset of float
        Other sizes in which much running text is set: being larger than the body says nothing of them.
    body_mono : bool
        Whether most running text is typed in a font of one width, so that such a font says nothing.
    rare_fonts : frozenset of str
        Fonts of another family than the body's, which few letters are set in: a line in one of them stands out.
    """

    body_size: float
    pitches: dict[float, float]
    body_bold: bool
    body_mono: bool
    prose_sizes: frozenset[float]
    rare_fonts: frozenset[str]

    def pitch(self, size: float) -> float:
        """Usual line distance of text of a size, in points."""
        return self.pitches.get(size) or _USUAL_PITCH * max(size, 4.0)


def typography_of(lines: Sequence[TextLine]) -> Typography:
    """Measure lines that are neither furniture nor rows of a table."""
    sizes: Counter[float] = Counter()
    bold = total = 0
    long_lines: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    steps: dict[float, list[float]] = defaultdict(list)
    before: TextLine | None = None
    for line in lines:
        if line.kind is not None or line.direction != 0:
            continue
        weight = len(line.text)
        if len(line.pieces) <= 3:
            sizes[line.size] += weight
            fonts[line.font] += weight
            if weight > _LONG_LINE and not line.bold:
                long_lines[line.size] += weight
            bold += weight if line.bold else 0
            total += weight
        if (
            before is not None
            and before.page == line.page
            and before.region == line.region
            and before.size == line.size
        ):
            step = line.top - before.top
            if 0.5 * line.size < step < 3 * max(line.size, 4):
                steps[line.size].append(step)
        before = line
    body = sizes.most_common(1)[0][0] if sizes else _USUAL_SIZE
    pitches = {size: _common_step(found) for size, found in steps.items() if size > 0 and len(found) >= _LEAST_SAMPLES}
    body_font = next((name for name, _ in fonts.most_common() if name), "")
    return Typography(
        body,
        pitches,
        bold > 0.5 * total > 0,
        is_mono(body_font),
        frozenset(size for size, weight in long_lines.items() if weight > _PROSE_SHARE * total),
        frozenset(
            name
            for name, weight in fonts.items()
            if name and weight < _RARE_FONT * total and family_of(name) != family_of(body_font)
        ),
    )


@lru_cache(maxsize=1_024)
def is_mono(font: str) -> bool:
    """Whether a font of this name gives all letters one width, as code has."""
    return _MONO.search(font) is not None


def face_of(font: str) -> str:
    """Name of a font without the tag of its subset."""
    return _SUBSET.sub("", font)


def family_of(font: str) -> str:
    """Name of a font without the tag of its subset and without its style.

    Examples
    --------
    >>> family_of("ABCDEF+TimesNewRomanPS-BoldMT"), family_of("Georgia,Italic")
    ('TimesNewRoman', 'Georgia')
    """
    name = _SUBSET.sub("", font)
    return _STYLE.sub("", _STYLE.sub("", name)) or name


def _common_step(steps: list[float]) -> float:
    """The lower quartile: gaps between paragraphs are larger, never smaller, than the line distance."""
    ordered = sorted(steps)
    return median(ordered[: max(1, len(ordered) // 2)])
