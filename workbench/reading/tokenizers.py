"""What counts the tokens of a reading: the tokenizer is named wherever a count is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from ..documents.surrogates import without_surrogates
from ..documents.tokens import TOKENIZER, count_tokens
from ..errors import InvalidOption, MissingDependency, MissingModel

if TYPE_CHECKING:
    from ..documents import Document


class Tokenizer(Protocol):
    """What counts tokens; a person's own class will do."""

    @property
    def name(self) -> str:
        """What to call it where a count is shown."""

    def count(self, texts: Sequence[str]) -> npt.NDArray[np.int32]:
        """Return the tokens of each text on its own, without marks for begin and end."""


class DefaultTokenizer:
    """The tokenizer that documents are counted with."""

    name = TOKENIZER

    def count(self, texts: Sequence[str]) -> npt.NDArray[np.int32]:
        """Return the tokens of each text.

        Examples
        --------
        >>> DefaultTokenizer().count(["Net sales rose.", "净利润"]).tolist()
        [4, 2]
        """
        return count_tokens(texts)


class TransformersTokenizer:
    """A tokenizer of the package transformers.

    Parameters
    ----------
    tokenizer : transformers.PreTrainedTokenizerBase
    name : str
    """

    def __init__(self, tokenizer: Any, name: str) -> None:
        self._tokenizer = tokenizer
        self.name = name

    def count(self, texts: Sequence[str]) -> npt.NDArray[np.int32]:
        """Return the tokens of each text."""
        if not len(texts):
            return np.zeros(0, np.int32)
        found = self._tokenizer([without_surrogates(text) for text in texts], add_special_tokens=False, verbose=False)
        return np.fromiter(map(len, found["input_ids"]), np.int32, len(texts))


def tokenizer_of(value: Any = None) -> Tokenizer:
    """Return a tokenizer for a name, a folder, or an object that counts.

    Parameters
    ----------
    value : str, pathlib.Path, Tokenizer, transformers tokenizer or None
        None and "o200k_base" are the default. Any other name is a folder or a name on a hub, and is opened by
        transformers.

    Raises
    ------
    MissingModel
        If there is no tokenizer of that name.
    MissingDependency
        If transformers is not installed.
    InvalidOption
        For what is no tokenizer.
    """
    if value is None or value == TOKENIZER:
        return DefaultTokenizer()
    if callable(getattr(value, "count", None)) and isinstance(getattr(value, "name", None), str):
        counter: Tokenizer = value
        return counter
    if callable(value) and hasattr(value, "name_or_path"):
        return TransformersTokenizer(value, str(value.name_or_path) or type(value).__name__)
    if isinstance(value, str) or hasattr(value, "__fspath__"):
        return _from_transformers(str(value))
    raise InvalidOption(
        f"tokenizer is of type {type(value).__name__}; give {TOKENIZER!r}, the folder or name of a tokenizer that "
        "transformers can open, or an object with name and count(texts)."
    )


def _from_transformers(name: str) -> Tokenizer:
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise MissingDependency(
            f"The tokenizer {name!r} needs the package transformers; pip install 'sparseread-workbench[model]'."
        ) from error
    try:
        found = AutoTokenizer.from_pretrained(name, trust_remote_code=False, local_files_only=True)
        return TransformersTokenizer(found, name)
    except (OSError, ValueError) as error:
        raise MissingModel(
            f"There is no tokenizer {name!r} on this machine; give {TOKENIZER!r}, or the folder or name of one that "
            "transformers has."
        ) from error


def block_tokens(document: Document, tokenizer: Tokenizer) -> npt.NDArray[np.int64]:
    """Return the tokens of every block, shape (n,); those of the document's own tokenizer are counted already."""
    if tokenizer.name == document.tokenizer:
        return document.columns.tokens.astype(np.int64)
    return tokenizer.count(document.texts).astype(np.int64)
