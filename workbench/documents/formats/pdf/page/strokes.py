"""Painted paths of a page, as rectangles: the rules of its tables; and how many images it shows."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import repeat

import numpy as np
import numpy.typing as npt

from .geometry import PageGeometry
from .pdfium import OBJECT_FORM, OBJECT_IMAGE, OBJECT_PATH, Handle, calls, run_calls

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
    found = [np.zeros((0, 4), np.float32)]
    images: list[float] = []
    _collect(page, found, images, depth=0, left=_MOST_OBJECTS)
    boxes = geometry.to_visible(np.concatenate(found))
    inside = (boxes[:, 2] > 0) & (boxes[:, 0] < geometry.width) & (boxes[:, 3] > 0) & (boxes[:, 1] < geometry.height)
    area = max(1.0, geometry.width * geometry.height)
    return Strokes(boxes[inside], len(images), min(1.0, max(images, default=0.0) / area))


def _collect(
    holder: Handle, found: list[npt.NDArray[np.float32]], images: list[float], *, depth: int, left: int
) -> None:
    """Append the boxes of paths to ``found`` and the areas of images to ``images``."""
    pdfium = calls()
    in_form = depth > 0
    count = int((pdfium.FPDFFormObj_CountObjects if in_form else pdfium.FPDFPage_CountObjects)(holder))
    get = pdfium.FPDFFormObj_GetObject if in_form else pdfium.FPDFPage_GetObject
    handles = list(map(get, repeat(holder, min(count, left)), range(count)))
    kinds = list(map(pdfium.FPDFPageObj_GetType, handles))
    paths = [handle for handle, kind in zip(handles, kinds, strict=True) if kind == OBJECT_PATH]
    if paths:
        filled, stroked = _draw_modes(paths)
        boxes = _bounds(paths)
        thin = (boxes[:, 2] - boxes[:, 0] < THIN) | (boxes[:, 3] - boxes[:, 1] < THIN)
        # A filled area without an outline is a shade, no rule: shaded rows are read by their cells.
        found.append(boxes[stroked | (filled & thin)])
    pictures = [handle for handle, kind in zip(handles, kinds, strict=True) if kind == OBJECT_IMAGE]
    if pictures:
        boxes = _bounds(pictures)
        images.extend(((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])).tolist())
    if depth < _DEEPEST_FORM:
        for handle, kind in zip(handles, kinds, strict=True):
            if kind == OBJECT_FORM:
                _collect_form(handle, found, images, depth=depth + 1, left=left - len(handles))


def _draw_modes(paths: list[Handle]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Whether each path is filled, and whether it is stroked."""
    modes = np.zeros((len(paths), 2), np.int32)
    at = range(modes.ctypes.data, modes.ctypes.data + 8 * len(paths), 8)
    run_calls(map(calls().FPDFPath_GetDrawMode, paths, at, range(at.start + 4, at.stop + 4, 8)))
    return modes[:, 0] != 0, modes[:, 1] != 0


def _bounds(handles: list[Handle]) -> npt.NDArray[np.float32]:
    """Left, bottom, right, top of page objects, in the space of what holds them."""
    boxes = np.zeros((len(handles), 4), np.float32)
    first, end = boxes.ctypes.data, boxes.ctypes.data + 16 * len(handles)
    sides = (range(first + side, end + side, 16) for side in (0, 4, 8, 12))
    run_calls(map(calls().FPDFPageObj_GetBounds, handles, *sides))
    return boxes


def _collect_form(
    form: Handle, found: list[npt.NDArray[np.float32]], images: list[float], *, depth: int, left: int
) -> None:
    """Objects of a form stand in its own space: map them by the form's matrix (PDF 32000-1, 8.10.1)."""
    inner: list[npt.NDArray[np.float32]] = []
    inner_images: list[float] = []
    if left > 0:
        _collect(form, inner, inner_images, depth=depth, left=left)
    matrix = (ctypes.c_float * 6)()
    if not (inner or inner_images) or not calls().FPDFPageObj_GetMatrix(form, ctypes.addressof(matrix)):
        return
    a, b, c, d, e, f = matrix
    images.extend(area * abs(a * d - b * c) for area in inner_images)
    for boxes in inner:
        corners_x, corners_y = boxes[:, [0, 2, 0, 2]], boxes[:, [1, 3, 3, 1]]
        x, y = a * corners_x + c * corners_y + e, b * corners_x + d * corners_y + f
        found.append(np.stack((x.min(1), y.min(1), x.max(1), y.max(1)), axis=1).astype(np.float32))
