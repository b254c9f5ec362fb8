"""Shapes of a slide: where they stand, also inside groups and by their layout, and in which order they are read."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...draft import IntArray, Span
from ..office.package import POINT, OfficePackage, alternative, attribute, child, local, number

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

Rectangle = tuple[float, float, float, float]

_SHAPES = {"sp", "graphicFrame", "pic", "cxnSp"}
_LINE = 9.0
"""Shapes whose tops differ by less than about this many points stand side by side."""


class Mapping(NamedTuple):
    """From the coordinates inside a group to the slide's: offset after scale."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0

    def apply(self, box: Rectangle) -> Rectangle:
        """Return a rectangle in the coordinates of the slide."""
        x0, top, x1, bottom = box
        return (
            x0 * self.scale_x + self.shift_x,
            top * self.scale_y + self.shift_y,
            x1 * self.scale_x + self.shift_x,
            bottom * self.scale_y + self.shift_y,
        )


@dataclass(slots=True)
class Shape:
    """A shape of a slide.

    Attributes
    ----------
    element : Element
    placeholder : str or None
        Type of its placeholder ("" where unsaid), or None when it is none.
    box : tuple of float or None
        x0, top, x1, bottom in points.
    bare_levels : frozenset of int
        0-based levels whose paragraphs have no bullet by its layout or its own list style.
    """

    element: Element
    placeholder: str | None
    box: Rectangle | None
    bare_levels: frozenset[int] = frozenset()

    @property
    def is_title(self) -> bool:
        """Whether it is the slide's title."""
        return self.placeholder in ("title", "ctrTitle")


class _Model(NamedTuple):
    """What a layout or master says about a placeholder."""

    box: Rectangle | None
    bare_levels: frozenset[int]


class Layouts:
    """The placeholders of layouts and masters, each read once."""

    def __init__(self, package: OfficePackage) -> None:
        self._package = package
        self._masters: dict[str, str | None] = {}
        self._models: dict[str, dict[tuple[str, str], _Model]] = {}

    def slide_shapes(self, part: str, slide: Element) -> list[Shape]:
        """Return the shapes of a slide in reading order: titles, then by line from the top, then from the left."""
        tree = child(slide, "cSld", "spTree")
        if tree is None:
            return []
        layout = next(iter(self._package.related(part, "slideLayout")), None)
        found = [self._shape(element, mapping, layout) for element, mapping in _leaves(tree, Mapping())]
        return sorted(found, key=_reading_key)

    def _shape(self, element: Element, mapping: Mapping, layout: str | None) -> Shape:
        holder = _holder(element)
        box = _own_box(element)
        if box is not None:
            box = mapping.apply(box)
        if holder is None:
            return Shape(element, None, box)
        kind = attribute(holder, "type") or ""
        bare = set(_bare_levels(element))
        for model in self._inherited(layout, kind, attribute(holder, "idx") or ""):
            box = box or model.box
            bare |= model.bare_levels
        return Shape(element, kind, box, frozenset(bare))

    def _inherited(self, layout: str | None, kind: str, index: str) -> Iterator[_Model]:
        """Yield the layout's placeholder of the same index, or else type, and then the master's of the same type."""
        if layout is None:
            return
        models = self._of(layout)
        found = models.get(("idx", index)) or models.get(("type", kind or "body"))
        if found is not None:
            yield found
        if layout not in self._masters:
            self._masters[layout] = next(iter(self._package.related(layout, "slideMaster")), None)
        master = self._masters[layout]
        family = {"ctrTitle": "title", "subTitle": "body", "obj": "body", "": "body"}.get(kind, kind)
        if master is not None and (found := self._of(master).get(("type", family))) is not None:
            yield found

    def _of(self, part: str) -> dict[tuple[str, str], _Model]:
        if part not in self._models:
            found = self._models[part] = {}
            tree = child(self._package.xml(part), "cSld", "spTree")
            for element in tree if tree is not None else ():
                holder = _holder(element)
                if holder is None:
                    continue
                model = _Model(_own_box(element), frozenset(_bare_levels(element)))
                index = attribute(holder, "idx")
                if index:
                    found.setdefault(("idx", index), model)
                found.setdefault(("type", attribute(holder, "type") or "body"), model)
        return self._models[part]


def _reading_key(shape: Shape) -> tuple[bool, float, float]:
    if shape.box is None:
        return (not shape.is_title, math.inf, 0.0)
    return (not shape.is_title, shape.box[1] // _LINE, shape.box[0])


def _leaves(tree: Element, mapping: Mapping) -> Iterator[tuple[Element, Mapping]]:
    for element in tree:
        name = local(element)
        if name in _SHAPES:
            yield element, mapping
        elif name == "grpSp":
            yield from _leaves(element, _inside(element, mapping))
        elif name == "AlternateContent":
            branch = alternative(element)
            if branch is not None:
                yield from _leaves(branch, mapping)


def _inside(group: Element, outer: Mapping) -> Mapping:
    """Return the mapping for children: chOff and chExt are laid on off and ext (ISO/IEC 29500-1, 20.1.7.6)."""
    form = child(group, "grpSpPr", "xfrm")
    box, inner = _rectangle(form, "off", "ext"), _rectangle(form, "chOff", "chExt")
    if box is None or inner is None or inner[2] <= inner[0] or inner[3] <= inner[1]:
        return outer
    box = outer.apply(box)
    scale_x = (box[2] - box[0]) / (inner[2] - inner[0])
    scale_y = (box[3] - box[1]) / (inner[3] - inner[1])
    return Mapping(scale_x, scale_y, box[0] - inner[0] * scale_x, box[1] - inner[1] * scale_y)


def _holder(element: Element) -> Element | None:
    """Return the placeholder of a shape, which stands in its first child (nvSpPr, nvPicPr, nvGraphicFramePr)."""
    return child(element[0], "nvPr", "ph") if len(element) else None


def _bare_levels(element: Element) -> Iterator[int]:
    style = child(element, "txBody", "lstStyle")
    for level in style if style is not None else ():
        name = local(level)
        if name.endswith("pPr") and name[3:4].isdigit() and child(level, "buNone") is not None:
            yield int(name[3]) - 1


def _own_box(element: Element) -> Rectangle | None:
    form = child(element, "xfrm")
    return _rectangle(form if form is not None else child(element, "spPr", "xfrm"), "off", "ext")


def _rectangle(form: Element | None, offset: str, extent: str) -> Rectangle | None:
    off, ext = child(form, offset), child(form, extent)
    if off is None or ext is None:
        return None
    x, y = number(attribute(off, "x")) / POINT, number(attribute(off, "y")) / POINT
    return (x, y, x + number(attribute(ext, "cx")) / POINT, y + number(attribute(ext, "cy")) / POINT)


class Places:
    """The boxes of ranges of the text layer, noted in the order they were written."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._found: list[tuple[int, Rectangle]] = []

    def add(self, span: Span, box: Rectangle | None) -> None:
        """Note where a range stands."""
        if box is not None and span.end > span.start:
            self._starts.append(span.start)
            self._found.append((span.end, box))

    def boxes_of(self, starts: IntArray, ends: IntArray) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        """Return the box (n, 4) of the shape or cell that holds each range, nan where none does."""
        boxes = np.full((len(starts), 4), math.nan, np.float32)
        for rank, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            at = bisect_right(self._starts, start) - 1
            if at >= 0 and end <= self._found[at][0]:
                boxes[rank] = self._found[at][1]
        return boxes
