"""From pdfium's page space to points from the visible page's top left corner."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .pdfium import Handle, calls

Array = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PageGeometry:
    """The visible part of a page: the crop box cut to the media box, then turned.

    Attributes
    ----------
    left, bottom, right, top : float
        The visible rectangle in PDF user space (points, y upwards).
    rotation : int
        Quarter turns clockwise, 0 to 3.
    """

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    @property
    def width(self) -> float:
        """Width of the page as displayed, in points."""
        return self.right - self.left if self.rotation % 2 == 0 else self.top - self.bottom

    @property
    def height(self) -> float:
        """Height of the page as displayed, in points."""
        return self.top - self.bottom if self.rotation % 2 == 0 else self.right - self.left

    def to_visible(self, boxes: Array) -> Array:
        """Turn boxes (n, 4) of left, bottom, right, top in user space into x0, top, x1, bottom."""
        left, bottom, right, top = boxes.T
        if self.rotation == 0:
            turned = (left - self.left, self.top - top, right - self.left, self.top - bottom)
        elif self.rotation == 1:
            turned = (bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        elif self.rotation == 2:
            turned = (self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        else:
            turned = (self.top - top, self.right - right, self.top - bottom, self.right - left)
        return np.stack(turned, axis=1)


def page_geometry(page: Handle) -> PageGeometry:
    """Read the visible rectangle and rotation of a page."""
    pdfium = calls()
    rectangle = (ctypes.c_float * 4)()
    rotation = int(pdfium.FPDFPage_GetRotation(page)) % 4
    if pdfium.FPDF_GetPageBoundingBox(page, ctypes.addressof(rectangle)):
        left, top, right, bottom = rectangle
    else:
        width, height = float(pdfium.FPDF_GetPageWidthF(page)), float(pdfium.FPDF_GetPageHeightF(page))
        if rotation % 2:
            width, height = height, width
        left, top, right, bottom = 0.0, height, width, 0.0
    return PageGeometry(left, bottom, right, top, rotation)


def turn_upright(boxes: Array, direction: int, width: float, height: float) -> Array:
    """Turn visible boxes so that text of a ``direction`` (quarter turns clockwise) reads from left to right."""
    x0, top, x1, bottom = boxes.T
    if direction == 0:
        return boxes
    turned: tuple[Any, ...]
    if direction == 1:
        turned = (top, width - x1, bottom, width - x0)
    elif direction == 2:
        turned = (width - x1, height - bottom, width - x0, height - top)
    else:
        turned = (height - bottom, x0, height - top, x1)
    return np.stack(turned, axis=1)
