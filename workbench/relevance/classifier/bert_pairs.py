"""A BERT with a head of two classes: the packed forward pass of the encoders, and one vector a pair at its end.

Behind the last layer only the first piece is looked at, so of the last layer only that row is computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import StaleClassifier
from ..encoders.batches import Floats, Ints
from ..encoders.bert import BertForward, Layout, weights_of
from ..encoders.model_files import ModelFiles

if TYPE_CHECKING:
    import torch

_EVEN = 16
_HEAD = ("pooler.dense.weight", "pooler.dense.bias", "classifier.weight", "classifier.bias")


class BertPairs(BertForward):
    """Computes the logits of a batch; matrices are multiplied in ``dtype``, the head in single precision.

    Parameters
    ----------
    files : ModelFiles
        Of a model for which ``encoders.bert.is_plain_bert`` holds, with a head.
    dtype : torch.dtype
    device : str
    budget : int
        Most word pieces of a batch.
    threads : int, optional
        Most threads; as many as torch would use by default.

    Raises
    ------
    DamagedModel
        If the weights are not those of such a model.
    StaleClassifier
        If it has no head.
    """

    def __init__(
        self, files: ModelFiles, *, dtype: torch.dtype, device: str, budget: int, threads: int | None = None
    ) -> None:
        super().__init__(files, pooling="cls", dtype=dtype, device=device, budget=budget, threads=threads)
        weights = weights_of(files)
        if missing := [name for name in _HEAD if name not in weights]:
            raise StaleClassifier(
                f"The classifier in {files.folder} has no head: its weights lack {missing[0]}; export it again."
            )
        self._head = [weights[name].float().to(device) for name in _HEAD]

    def logits(self, pieces: Ints, kinds: Ints, lengths: Ints) -> Floats:
        """Return the logits of a batch, shape (b, 2); see ``PairForward``."""
        import torch

        with torch.inference_mode():
            length = -(-pieces.shape[1] // _EVEN) * _EVEN
            real = np.arange(length) < lengths[:, None]
            layout = Layout(torch.from_numpy(real).to(self._device), self._dtype)
            chosen = real[:, : pieces.shape[1]]
            known, types = (torch.from_numpy(values[chosen]).to(self._device) for values in (pieces, kinds))
            x = self._embedded(known, layout, types)
            for layer in self._layers[:-1]:
                x = self._through(x, self._attention(x, layer, layout), layer)
            starts = torch.from_numpy(np.concatenate([[0], np.cumsum(lengths)[:-1]])).to(self._device)
            x = self._through(x[starts], self._of_first(x, starts, self._layers[-1], layout), self._layers[-1])
            return self._judged(x)

    def _of_first(self, x: torch.Tensor, starts: torch.Tensor, layer: dict[str, Any], layout: Layout) -> torch.Tensor:
        """Return what the first piece of each text sees, shape (b, d)."""
        import torch
        from torch.nn import functional

        batch, length = layout.real.shape
        heads, width = self._heads, x.shape[1]
        weight, bias = layer["query_key_value"]
        rows = x.to(self._dtype)
        query = functional.linear(rows[starts], weight[:width], bias[:width]).view(batch * heads, 1, -1)
        joined = layout.spread(functional.linear(rows, weight[width:], bias[width:]))
        key, value = (
            joined.view(batch, length, 2, heads, -1).permute(2, 0, 3, 1, 4).reshape(2, batch * heads, length, -1)
        )
        scores = torch.bmm(query, key.transpose(1, 2))
        if layout.bias is not None:
            scores.view(batch, heads, 1, length).add_(layout.bias)
        seen = torch.bmm(scores.softmax(-1), value).view(batch, width)
        return functional.linear(seen, *layer["mix"])

    def _judged(self, x: torch.Tensor) -> Floats:
        import torch
        from torch.nn import functional

        pooled_weight, pooled_bias, weight, bias = self._head
        pooled = torch.tanh(functional.linear(x.float(), pooled_weight, pooled_bias))
        found: Floats = functional.linear(pooled, weight, bias).cpu().numpy()
        return found
