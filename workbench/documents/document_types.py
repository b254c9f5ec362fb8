"""Which type of document this is, by readable rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .pages import Verdict


def document_type_of(
    texts: Sequence[str], kinds: npt.NDArray[np.uint8], *, name: str, language: str
) -> Verdict:
    """Decide between technical, legal, financial, medical, patent, courseware and general."""
    raise NotImplementedError
