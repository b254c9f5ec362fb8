"""How many tokens a text costs: the tokenizer is named wherever a count is shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from .surrogates import without_surrogates

TOKENIZER = "o200k_base"
"""Byte-pair encoding of current OpenAI models; the vocabulary comes with a package, so no network is needed."""


def count_tokens(texts: Sequence[str]) -> npt.NDArray[np.int32]:
    """Count the tokens of each text in ``TOKENIZER``.

    Parameters
    ----------
    texts : sequence of str

    Returns
    -------
    ndarray of int32, shape (len(texts),)
        Tokens of each text on its own; special-token spellings count as plain text, a lone surrogate as the
        replacement character.

    Examples
    --------
    >>> count_tokens(["Net sales rose.", ""]).tolist()
    [4, 0]
    """
    encode = _encoding().encode_ordinary

    def count(text: str) -> int:
        try:
            return len(encode(text))
        except TypeError:  # the tokenizer's word for what is no valid Unicode
            return len(encode(without_surrogates(text)))

    return np.fromiter((count(text) if text else 0 for text in texts), np.int32, len(texts))


@lru_cache(maxsize=1)
def _encoding() -> Any:
    import quicktok

    return quicktok.get_encoding(TOKENIZER)
