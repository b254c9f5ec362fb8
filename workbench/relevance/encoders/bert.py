"""BERT's forward pass, written down: what the default model needs, without the seconds that transformers takes to load.

The word pieces of a batch lie in one matrix without padding; only attention, which needs each text by itself, has some.
That, and attention as plain products of matrices, makes it a fifth faster than transformers, which stays the reference:
the tests hold this to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import DamagedModel
from .batches import Floats, Ints, torch_pool
from .model_files import ModelFiles
from .pooling import pooled

if TYPE_CHECKING:
    import torch

_PREFIX = "bert."
_LAYER = "encoder.layer.{}."
_EVEN = 16
"""In attention, texts are padded to a multiple of this many pieces: products in half precision are twice as fast so."""


def is_plain_bert(files: ModelFiles) -> bool:
    """Return whether a model is a BERT without any of the variations that this forward pass leaves out."""
    config = files.config
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and not config.get("is_decoder", False)
        and len(files.weights) == 1
    )


class BertForward:
    """Computes the vectors of a batch; matrices are multiplied in ``dtype``, all else is done in single precision.

    Parameters
    ----------
    files : ModelFiles
        Of a model for which ``is_plain_bert`` holds.
    pooling : str
        "mean" or "cls".
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
    """

    def __init__(
        self,
        files: ModelFiles,
        *,
        pooling: str,
        dtype: torch.dtype,
        device: str,
        budget: int,
        threads: int | None = None,
    ) -> None:
        self.budget = budget
        self._threads = threads
        self._pooling = pooling
        self._dtype = dtype
        self._device = device
        self._heads = int(files.config["num_attention_heads"])
        self._epsilon = float(files.config.get("layer_norm_eps", 1e-12))
        weights = weights_of(files)
        try:
            self._embeddings = [
                weights[f"embeddings.{name}_embeddings.weight"].float().to(device)
                for name in ("word", "position", "token_type")
            ]
            self._first_norm = self._norm(weights, "embeddings.")
            self._layers = [
                self._layer(weights, _LAYER.format(layer)) for layer in range(int(files.config["num_hidden_layers"]))
            ]
        except KeyError as error:
            raise DamagedModel(
                f"The model in {files.folder} is no BERT: its weights lack {error.args[0]}; fetch it again."
            ) from error

    def pool(self) -> AbstractContextManager[Executor]:
        """Give the threads that may call it."""
        return torch_pool(self._threads)

    def __call__(self, pieces: Ints, lengths: Ints) -> Floats:
        """Return vectors of length 1, shape (b, d); see ``Forward``."""
        import torch

        with torch.inference_mode():
            length = -(-pieces.shape[1] // _EVEN) * _EVEN
            real = np.arange(length) < lengths[:, None]
            layout = Layout(torch.from_numpy(real).to(self._device), self._dtype)
            known = pieces[real[:, : pieces.shape[1]]]
            states = self._states(torch.from_numpy(known).to(self._device), layout)
            vectors: Floats = pooled(layout.spread(states).view(*real.shape, -1), layout.real, self._pooling)
            return vectors

    def _states(self, pieces: torch.Tensor, layout: Layout) -> torch.Tensor:
        """Return the states of t real pieces behind the last layer, shape (t, d)."""
        x = self._embedded(pieces, layout)
        for layer in self._layers:
            x = self._through(x, self._attention(x, layer, layout), layer)
        return x

    def _embedded(self, pieces: torch.Tensor, layout: Layout, kinds: torch.Tensor | None = None) -> torch.Tensor:
        """Return the states before the first layer; ``kinds`` are the types of the pieces, 0 for all by default."""
        from torch.nn import functional

        words, positions, types = self._embeddings
        x = functional.embedding(pieces, words) + functional.embedding(layout.position, positions)
        return self._normed(x + (types[0] if kinds is None else functional.embedding(kinds, types)), self._first_norm)

    def _through(self, x: torch.Tensor, seen: torch.Tensor, layer: Mapping[str, Any]) -> torch.Tensor:
        """Return the states behind a layer, from those before it and from what its attention has seen."""
        from torch.nn import functional

        x = self._normed(x + seen, layer["attention_norm"])
        inner = functional.gelu(functional.linear(x.to(self._dtype), *layer["up"]))
        return self._normed(x + functional.linear(inner, *layer["down"]), layer["output_norm"])

    def _attention(self, x: torch.Tensor, layer: Mapping[str, Any], layout: Layout) -> torch.Tensor:
        import torch
        from torch.nn import functional

        batch, length = layout.real.shape
        heads, width = self._heads, x.shape[1]
        joined = layout.spread(functional.linear(x.to(self._dtype), *layer["query_key_value"]))
        split = joined.view(batch, length, 3, heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = split.reshape(3, batch * heads, length, -1)
        scores = torch.bmm(query, key.transpose(1, 2))
        if layout.bias is not None:
            scores.view(batch, heads, length, length).add_(layout.bias)
        seen = torch.bmm(scores.softmax(-1), value).view(batch, heads, length, -1)
        return functional.linear(layout.gather(seen.transpose(1, 2).reshape(-1, width)), *layer["mix"])

    def _normed(self, x: torch.Tensor, norm: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        from torch.nn import functional

        return functional.layer_norm(x, (x.shape[-1],), *norm, self._epsilon)

    def _layer(self, weights: Mapping[str, torch.Tensor], prefix: str) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
        attention = prefix + "attention."
        weight, bias = self._linear(weights, *(f"{attention}self.{name}" for name in ("query", "key", "value")))
        width = weight.shape[1]
        scale = (width // self._heads) ** -0.5
        weight[:width] *= scale
        bias[:width] *= scale
        return {
            "query_key_value": (weight.to(self._dtype), bias.to(self._dtype)),
            "mix": self._reduced(weights, attention + "output.dense"),
            "attention_norm": self._norm(weights, attention + "output."),
            "up": self._reduced(weights, prefix + "intermediate.dense"),
            "down": self._reduced(weights, prefix + "output.dense"),
            "output_norm": self._norm(weights, prefix + "output."),
        }

    def _linear(self, weights: Mapping[str, torch.Tensor], *names: str) -> tuple[torch.Tensor, torch.Tensor]:
        """Return weight and bias of a linear layer, or of several as one."""
        import torch

        weight = torch.cat([weights[f"{name}.weight"] for name in names])
        bias = torch.cat([weights[f"{name}.bias"] for name in names])
        return weight.float().to(self._device), bias.float().to(self._device)

    def _reduced(self, weights: Mapping[str, torch.Tensor], name: str) -> tuple[torch.Tensor, torch.Tensor]:
        weight, bias = self._linear(weights, name)
        return weight.to(self._dtype), bias.to(self._dtype)

    def _norm(self, weights: Mapping[str, torch.Tensor], prefix: str) -> tuple[torch.Tensor, torch.Tensor]:
        weight, bias = (weights[f"{prefix}LayerNorm.{name}"].float().to(self._device) for name in ("weight", "bias"))
        return weight, bias


class Layout:
    """Where the t real pieces of a batch stand among the b x l of the padded one.

    Parameters
    ----------
    real : Tensor of bool, shape (b, l)
    dtype : torch.dtype
        Of attention's scores.
    """

    def __init__(self, real: torch.Tensor, dtype: torch.dtype) -> None:
        import torch

        self.real = real
        flat = real.view(-1)
        self._where = flat.nonzero().view(-1)
        self.position = self._where % real.shape[1]
        self.bias: torch.Tensor | None = None
        if len(self._where) < real.numel():
            # Padding repeats the piece before it, which the bias hides; to write zeros would take longer.
            self._source = (flat.cumsum(0) - 1).clamp_(min=0)
            hidden = torch.zeros(real.shape, dtype=dtype, device=real.device).masked_fill_(~real, -torch.inf)
            self.bias = hidden[:, None, None, :]

    def spread(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the rows of the real pieces with anything for the padding between, shape (b * l, …)."""
        return rows if self.bias is None else rows.index_select(0, self._source)

    def gather(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the rows of the real pieces alone, shape (t, …)."""
        return rows if self.bias is None else rows.index_select(0, self._where)


def weights_of(files: ModelFiles) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        found = load_file(files.weights[0])
    except (SafetensorError, OSError, ValueError) as error:
        raise DamagedModel(f"{files.weights[0]} cannot be read ({error}); fetch the model again.") from error
    return {name.removeprefix(_PREFIX): weight for name, weight in found.items()}
