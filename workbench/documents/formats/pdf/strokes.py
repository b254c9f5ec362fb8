"""Painted paths of a page, as rectangles: the rules of its tables; and how many images it shows."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .geometry import PageGeometry
from .pdfium import OBJECT_FORM, OBJECT_IMAGE, OBJECT_PATH, Handle, calls

THIN = 2.0
"""A rectangle that is thinner than this, in points, is a rule."""
_MOST_OBJECTS = 20_000  # beyond it a page is a drawing; its paths say nothing about tables
_DEEPEST_FORM = 8


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """What a page paints besides text.

    Attributes
    ----------
    box : ndarray of float32, shape (r, 4)
        Rectangles around rules and outlines: x0, top, x1, bottom, points of the visible page.
    images : int
    image_share : float
        Share of the page that its largest image covers.
    """

    box: npt.NDArray[np.float32]
    images: int
    image_share: float = 0.0


def read_strokes(page: Handle, geometry: PageGeometry) -> Strokes:
    """Collect the painted paths and count the images of a page."""
    found: list[tuple[float, float, float, float]] = []
    images: list[float] = []
    _collect(page, found, images, depth=0, left=_MOST_OBJECTS)
    boxes = geometry.to_visible(np.array(found, np.float32).reshape(-1, 4))
    inside = (
        (boxes[:, 2] > 0) & (boxes[:, 0] < geometry.width) & (boxes[:, 3] > 0) & (boxes[:, 1] < geometry.height)
    )
    area = max(1.0, geometry.width * geometry.height)
    return Strokes(boxes[inside], len(images), min(1.0, max(images, default=0.0) / area))


def _collect(
    holder: Handle, found: list[tuple[float, float, float, float]], images: list[float], *, depth: int, left: int
) -> None:
    """Append the boxes of paths to ``found`` and the areas of images to ``images``."""
    pdfium = calls()
    in_form = depth > 0
    count = int((pdfium.FPDFFormObj_CountObjects if in_form else pdfium.FPDFPage_CountObjects)(holder))
    get = pdfium.FPDFFormObj_GetObject if in_form else pdfium.FPDFPage_GetObject
    kind_of, bounds_of, mode_of = pdfium.FPDFPageObj_GetType, pdfium.FPDFPageObj_GetBounds, pdfium.FPDFPath_GetDrawMode
    sides, mode = (ctypes.c_float * 4)(), (ctypes.c_int * 2)()
    at, mode_at = ctypes.addressof(sides), ctypes.addressof(mode)
    for index in range(min(count, left)):
        handle = get(holder, index)
        kind = kind_of(handle)
        if kind == OBJECT_PATH:
            mode_of(handle, mode_at, mode_at + 4)
            if (mode[0] or mode[1]) and bounds_of(handle, at, at + 4, at + 8, at + 12):
                x0, y0, x1, y1 = sides
                # A filled area without an outline is a shade, no rule: shaded rows are read by their cells.
                if mode[1] or x1 - x0 < THIN or y1 - y0 < THIN:
                    found.append((x0, y0, x1, y1))
        elif kind == OBJECT_IMAGE:
            known = bounds_of(handle, at, at + 4, at + 8, at + 12)
            images.append((sides[2] - sides[0]) * (sides[3] - sides[1]) if known else 0.0)
        elif kind == OBJECT_FORM and depth < _DEEPEST_FORM:
            _collect_form(handle, found, images, depth=depth + 1, left=left - index)


def _collect_form(
    form: Handle, found: list[tuple[float, float, float, float]], images: list[float], *, depth: int, left: int
) -> None:
    """Objects of a form stand in its own space: map them by the form's matrix (PDF 32000-1, 8.10.1)."""
    inner: list[tuple[float, float, float, float]] = []
    inner_images: list[float] = []
    _collect(form, inner, inner_images, depth=depth, left=left)
    matrix = (ctypes.c_float * 6)()
    if not (inner or inner_images) or not calls().FPDFPageObj_GetMatrix(form, ctypes.addressof(matrix)):
        return
    a, b, c, d, e, f = matrix
    images.extend(area * abs(a * d - b * c) for area in inner_images)
    for x0, y0, x1, y1 in inner:
        xs = (a * x0 + c * y0 + e, a * x1 + c * y1 + e, a * x0 + c * y1 + e, a * x1 + c * y0 + e)
        ys = (b * x0 + d * y0 + f, b * x1 + d * y1 + f, b * x0 + d * y1 + f, b * x1 + d * y0 + f)
        found.append((min(xs), min(ys), max(xs), max(ys)))
