"""One vector of the vectors of a text's word pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch


def pooled(states: torch.Tensor, real: torch.Tensor, pooling: str) -> npt.NDArray[np.float32]:
    """Return vectors of length 1, shape (b, d).

    Parameters
    ----------
    states : Tensor, shape (b, l, d)
    real : Tensor of bool, shape (b, l)
        False for padding.
    pooling : str
        "mean" of the real pieces, or "cls": the first one.
    """
    from torch.nn import functional

    states = states.float()
    # The length of a vector is made 1, so that a sum is as good as a mean.
    vectors = states[:, 0] if pooling == "cls" else states.masked_fill(~real[:, :, None], 0.0).sum(1)
    found: npt.NDArray[np.float32] = functional.normalize(vectors).cpu().numpy()
    return found
