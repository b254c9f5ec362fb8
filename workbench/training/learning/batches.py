"""Texts as rows of word pieces, rows of a like length computed together, and gradients without a large graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...documents.surrogates import without_surrogates
from ...errors import DamagedModel
from ...relevance.encoders.batches import plan

if TYPE_CHECKING:
    from torch import Tensor

    from .bases import Base

Row = Mapping[str, list[int]]
"""One text as the model wants it: "input_ids" and perhaps "token_type_ids"."""

CHUNK_TOKENS = 2_048
"""Most word pieces, padding included, that are computed together."""
GRAPH_TOKENS = 6_144
"""Most word pieces whose intermediate values are held at once: some 3 GB for six layers of 384 dimensions."""
_EVEN = 16
"""Rows are padded to a multiple of this: products in half precision are twice as fast so."""


def tokenizer_of(base: Base) -> Any:
    """Return the tokenizer of a base.

    Raises
    ------
    DamagedModel
        If there is none that gives word pieces with their places.
    """
    from transformers import AutoTokenizer

    try:
        found = AutoTokenizer.from_pretrained(base.folder, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, KeyError, AttributeError, ImportError) as error:
        reason = " ".join(str(error).split())[:200].rstrip(". ")
        raise DamagedModel(
            f"The tokenizer of {base.name} cannot be loaded ({reason}); fetch the model again."
        ) from error
    if not getattr(found, "is_fast", False) or found.pad_token_id is None:
        raise DamagedModel(
            f"{base.name} has no tokenizer.json with padding; save its tokenizer again, or choose another."
        )
    return found


def pair_rows(tokenizer: Any, question: str, texts: Sequence[str], limit: int) -> list[Row]:
    """Return the rows of a question with each of some texts, cut at the end of the text.

    Of a question that fills more than half of a row, the beginning is read, as when a classifier is used.
    """
    asked = without_surrogates(question)
    half = (limit - tokenizer.num_special_tokens_to_add(pair=True)) // 2
    offsets = tokenizer(asked, add_special_tokens=False, return_offsets_mapping=True, verbose=False)["offset_mapping"]
    if len(offsets) > half:
        asked = asked[: offsets[half - 1][1]]
    return _rows(tokenizer, [asked] * len(texts), list(map(without_surrogates, texts)), limit, "only_second")


def text_rows(tokenizer: Any, texts: Sequence[str], limit: int) -> list[Row]:
    """Return the rows of some texts, cut at their ends."""
    return _rows(tokenizer, list(map(without_surrogates, texts)), None, limit, True)


def _rows(tokenizer: Any, first: list[str], second: list[str] | None, limit: int, cut: str | bool) -> list[Row]:
    if not first:
        return []
    found = tokenizer(first, second, truncation=cut, max_length=limit, return_attention_mask=False)
    names = [name for name in tokenizer.model_input_names if name in found]
    return [{name: found[name][rank] for name in names} for rank in range(len(first))]


def lengths_of(rows: Sequence[Row]) -> npt.NDArray[np.int64]:
    """Return how many word pieces each row has."""
    return np.array([len(row["input_ids"]) for row in rows], np.int64)


def chunks_of(rows: Sequence[Row]) -> list[npt.NDArray[np.intp]]:
    """Return ranks of rows that are computed together, the longest first."""
    return plan(-(-lengths_of(rows) // _EVEN) * _EVEN, CHUNK_TOKENS)


def inputs_of(tokenizer: Any, rows: Sequence[Row], device: str) -> dict[str, Tensor]:
    """Return the rows as the tensors that a model is called with, padded."""
    padded = tokenizer.pad([dict(row) for row in rows], pad_to_multiple_of=_EVEN, return_tensors="pt")
    return {name: value.to(device) for name, value in padded.items()}


def grouped(sizes: Sequence[int], limit: int) -> Iterator[list[int]]:
    """Yield runs of ranks whose sizes add up to at most ``limit``; one that is larger stands alone.

    Examples
    --------
    >>> list(grouped([3, 4, 2, 9, 1], 7))
    [[0, 1], [2], [3], [4]]
    """
    run: list[int] = []
    total = 0
    for rank, size in enumerate(sizes):
        if run and total + size > limit:
            yield run
            run, total = [], 0
        run.append(rank)
        total += size
    if run:
        yield run


def computed(rows: Sequence[Row], compute: Callable[[Sequence[Row]], Tensor], between: Callable[[], None]) -> Tensor:
    """Return what a model gives for some rows, in their order, without gradients; shape (rows, …)."""
    import torch

    chunks = chunks_of(rows)
    found = []
    with torch.inference_mode():
        for chunk in chunks:
            between()
            found.append(compute([rows[rank] for rank in chunk]))
        return torch.cat(found)[_back(chunks)]


def backward(
    rows: Sequence[Row], compute: Callable[[Sequence[Row]], Tensor], loss_of: Callable[[Tensor], Tensor]
) -> float:
    """Add the gradients of a loss of all rows, and return the loss.

    What does not fit into one graph is computed twice: without a graph for the loss and its gradient by each row's
    result, and again a chunk at a time for the gradients of the weights. Without dropout both give the same.

    Parameters
    ----------
    rows : sequence of Row
    compute : callable
        Gives results of shape (rows, …).
    loss_of : callable
        Gives one number for the results of all rows, in their order.
    """
    import torch

    chunks = chunks_of(rows)
    back = _back(chunks)
    if int(lengths_of(rows).sum()) <= GRAPH_TOKENS:
        loss = loss_of(torch.cat([compute([rows[rank] for rank in chunk]) for chunk in chunks])[back])
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())
    with torch.no_grad():
        found = torch.cat([compute([rows[rank] for rank in chunk]) for chunk in chunks])[back]
    results = found.detach().requires_grad_()
    loss = loss_of(results)
    loss.backward()  # type: ignore[no-untyped-call]
    slopes = results.grad
    assert slopes is not None
    for chunk in chunks:
        part = compute([rows[rank] for rank in chunk])
        part.backward(slopes[torch.as_tensor(chunk)])  # type: ignore[no-untyped-call]
    return float(loss.detach())


def _back(chunks: Sequence[npt.NDArray[np.intp]]) -> Tensor:
    """Return the ranks that put the results of chunks in the order of the rows."""
    import torch

    return torch.from_numpy(np.argsort(np.concatenate(chunks), kind="stable"))
