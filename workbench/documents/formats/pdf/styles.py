"""What is ordinary in a document: the size of its running text and the distance of its lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from .text_lines import TextLine

_USUAL_SIZE, _USUAL_PITCH = 10.0, 1.2  # points; of the size
_LEAST_SAMPLES = 4


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
    """

    body_size: float
    pitches: dict[float, float]
    body_bold: bool

    def pitch(self, size: float) -> float:
        """Usual line distance of text of a size, in points."""
        return self.pitches.get(size) or _USUAL_PITCH * max(size, 4.0)


def typography_of(lines: Sequence[TextLine]) -> Typography:
    """Measure lines that are neither furniture nor rows of a table."""
    sizes: Counter[float] = Counter()
    bold = total = 0
    steps: dict[float, list[float]] = defaultdict(list)
    before: TextLine | None = None
    for line in lines:
        if line.kind is not None or line.direction != 0:
            continue
        weight = len(line.text)
        if len(line.pieces) <= 3:
            sizes[line.size] += weight
            bold += weight if line.bold else 0
            total += weight
        if before is not None and before.page == line.page and before.region == line.region and before.size == line.size:
            step = line.top - before.top
            if 0.5 * line.size < step < 3 * max(line.size, 4):
                steps[line.size].append(step)
        before = line
    body = sizes.most_common(1)[0][0] if sizes else _USUAL_SIZE
    pitches = {
        size: _common_step(found) for size, found in steps.items() if size > 0 and len(found) >= _LEAST_SAMPLES
    }
    return Typography(body, pitches, bold > 0.5 * total > 0)


def _common_step(steps: list[float]) -> float:
    """The lower quartile: gaps between paragraphs are larger, never smaller, than the line distance."""
    ordered = sorted(steps)
    return median(ordered[: max(1, len(ordered) // 2)])
