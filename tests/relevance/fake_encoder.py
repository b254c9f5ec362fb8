"""An encoder with vectors set by hand, so that every score is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from workbench.documents.source import Report
from workbench.relevance.encoders import TextKind, WindowVectors


class FakeEncoder:
    """Looks the angle of a text up; a text with a list of angles is read in as many windows.

    Parameters
    ----------
    angles : mapping of str to float or list of float
        In degrees.
    share_read : mapping of str to float
        For the texts that are not read to their end.
    """

    name = "fake"
    computation = "by hand"
    dimensions = 2
    max_tokens = 8

    def __init__(
        self,
        angles: Mapping[str, float | list[float]],
        share_read: Mapping[str, float] | None = None,
        fingerprint: str = "f1",
    ) -> None:
        self.angles = angles
        self.shares = share_read or {}
        self.fingerprint = fingerprint
        self.encoded: list[str] = []
        """The passages that were computed, in order."""

    def encode(self, texts: Sequence[str], *, kind: TextKind, report: Report | None = None) -> npt.NDArray[np.float32]:
        """Return the vector of each text's only window."""
        found: npt.NDArray[np.float32] = self.encode_windows(texts, kind=kind, report=report).vectors  # type: ignore[assignment]
        return found

    def encode_windows(self, texts: Sequence[str], *, kind: TextKind, report: Report | None = None) -> WindowVectors:
        """Return the vectors of each text's windows."""
        if kind == "passage":
            self.encoded += texts
        angles = [self.angles[text] for text in texts]
        lists = [angle if isinstance(angle, list) else [angle] for angle in angles]
        radians = np.radians(np.array([angle for found in lists for angle in found], np.float64))
        vectors = np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)
        first = np.concatenate([[0], np.cumsum([len(found) for found in lists])]).astype(np.int64)
        if report is not None:
            report(len(texts), len(texts))
        return WindowVectors(vectors, first, np.array([self.shares.get(text, 1.0) for text in texts], np.float32))
