"""A picture of a page in few bytes: as few colours as do it justice, and where none do, as a photograph.

A page is mostly paper, ink and perhaps a tint. Six to sixteen colours without loss keep its letters sharp in about two
thirds of the bytes that a lossy picture needs, which puts a haze around every letter. Photographs and grainy scans have
too many colours for that. ``benchmarks/report.py`` has the figures.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from PIL.Image import Image

COLOURS = (6, 8, 12, 16)
"""How many colours are tried; sixteen are four bits a pixel."""
FAR, MOST_FAR = 30.0, 0.004
"""How far a pixel may be from its colour, and the share of pixels that may be farther."""
MOST_MEAN = 4.0
"""How far pixels may be from their colours on average: more is grain, which costs more without loss than with it."""
LOSSY_QUALITY = 25

_ROUNDS = 8
_BITS = 5
"""Of each channel, by which pixels are counted."""
# Luma and chroma (BT.601); chroma counts twice, so that a thin coloured bar is not taken for grey.
_SPACE = np.array([[0.299, 0.587, 0.114], [-0.338, -0.662, 1.0], [1.0, -0.838, -0.162]]).T

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _Counted:
    """The colours of a picture, alike ones together: the bin of each pixel; of each bin number, pixels and mean."""

    of_pixel: Ints
    bins: Ints
    pixels: Floats
    mean: Floats


def picture_bytes(image: Image) -> bytes:
    """Return a picture as a WebP file; the same picture gives the same bytes.

    Parameters
    ----------
    image : PIL.Image.Image
        RGB.
    """
    out = io.BytesIO()
    found = _with_few_colours(image)
    if found is None:
        image.save(out, format="WEBP", quality=LOSSY_QUALITY, method=4)
    else:
        found.save(out, format="WEBP", lossless=True, quality=60, method=4)
    return out.getvalue()


def _with_few_colours(image: Image) -> Image | None:
    """Return the picture in the fewest colours that do it justice, or None if none of ``COLOURS`` do."""
    from PIL import Image as Images

    pixels = np.asarray(image)
    counted = _counted(pixels)
    for count in COLOURS:
        colours, own, off = _palette(counted, count)
        total = counted.pixels.sum()
        if counted.pixels[off > FAR].sum() <= MOST_FAR * total and (off * counted.pixels).sum() <= MOST_MEAN * total:
            table = np.zeros((1 << 3 * _BITS, 3), np.uint8)
            table[counted.bins] = colours[own]
            return Images.fromarray(table[counted.of_pixel].reshape(pixels.shape))
    return None


def _counted(pixels: npt.NDArray[np.uint8]) -> _Counted:
    channels = (pixels >> (8 - _BITS)).astype(np.intp)
    of_pixel = (channels[..., 0] << 2 * _BITS | channels[..., 1] << _BITS | channels[..., 2]).ravel()
    counts = np.bincount(of_pixel, minlength=1 << 3 * _BITS)
    bins = np.flatnonzero(counts)
    flat = pixels.reshape(-1, 3)
    sums = [np.bincount(of_pixel, weights=flat[:, channel], minlength=len(counts))[bins] for channel in range(3)]
    return _Counted(of_pixel, bins, counts[bins].astype(np.float64), np.stack(sums, 1) / counts[bins, None])


def _palette(counted: _Counted, count: int) -> tuple[npt.NDArray[np.uint8], Ints, Floats]:
    """Return colours, that of each bin, and how far each bin is from it."""
    places = counted.mean @ _SPACE
    # By the root of their number: else paper takes all colours, and none is left for a chart.
    weights = np.sqrt(counted.pixels)
    centres = _far_apart(places, weights, int(counted.pixels.argmax()), count)
    for _ in range(_ROUNDS):
        own = _distances(places, centres).argmin(1)
        centres = np.array([_mean(places, weights, own == rank, centres[rank]) for rank in range(len(centres))])
    own = _distances(places, centres).argmin(1)
    colours = np.array([_colour(counted, weights, own == rank) for rank in range(len(centres))]).round()
    distances = _distances(places, colours @ _SPACE)
    own = distances.argmin(1)
    return colours.astype(np.uint8), own, np.sqrt(distances[np.arange(len(own)), own])


def _far_apart(places: Floats, weights: Floats, first: int, count: int) -> Floats:
    """Return the most frequent colour, and one after the other those that are the farthest from all before."""
    chosen = [first]
    nearest = ((places - places[first]) ** 2).sum(1)
    while len(chosen) < min(count, len(places)):
        chosen.append(int((nearest * weights).argmax()))
        nearest = np.minimum(nearest, ((places - places[chosen[-1]]) ** 2).sum(1))
    return places[chosen]


def _distances(places: Floats, centres: Floats) -> Floats:
    found: Floats = ((places[:, None] - centres[None]) ** 2).sum(2)
    return found


def _mean(places: Floats, weights: Floats, own: npt.NDArray[np.bool_], otherwise: Floats) -> Floats:
    found: Floats = np.average(places[own], axis=0, weights=weights[own]) if own.any() else otherwise
    return found


def _colour(counted: _Counted, weights: Floats, own: npt.NDArray[np.bool_]) -> Floats:
    """Return the colour of some bins: that of most of their pixels if there is one, so that paper stays white."""
    if not own.any():
        return np.zeros(3)
    members = np.flatnonzero(own)
    top = members[counted.pixels[members].argmax()]
    if 2 * counted.pixels[top] > counted.pixels[members].sum():
        found: Floats = counted.mean[top]
        return found
    return _mean(counted.mean, weights, own, counted.mean[top])
