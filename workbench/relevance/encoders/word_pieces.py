"""Texts as word pieces, in windows that a model can read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...documents.surrogates import without_surrogates
from ...errors import DamagedModel, InvalidOption, MissingModel
from .model_files import VOCABULARIES, ModelFiles

Pieces = npt.NDArray[np.int64]

OVERLAP = 32
"""Word pieces that a window shares with the one before: a sentence that one cuts, the other holds for the most part."""
MAX_WINDOWS = 64
"""Windows of one text that are read at most; what is left unread shows in the share read."""

_BERT_SETTINGS = {
    "do_lower_case": "lowercase",
    "strip_accents": "strip_accents",
    "tokenize_chinese_chars": "handle_chinese_chars",
}


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The windows of n texts: ``pieces[first[i]:first[i + 1]]`` are those of text i.

    Attributes
    ----------
    pieces : list of ndarray of int64
        Of each window, with the special pieces around it.
    first : ndarray of int64, shape (n + 1,)
    share_read : ndarray of float32, shape (n,)
    """

    pieces: list[Pieces]
    first: npt.NDArray[np.int64]
    share_read: npt.NDArray[np.float32]


class WordPieces:
    """A model's tokenizer, used one text at a time: no thread of its own, no warning after a fork.

    Parameters
    ----------
    tokenizer : tokenizers.Tokenizer
    max_tokens : int
        Most word pieces of a window, the special ones included.
    """

    def __init__(self, tokenizer: Any, *, max_tokens: int) -> None:
        # Models are published with the truncation and padding of their training.
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.max_tokens = max_tokens
        self._before, self._after = self._specials()

    @classmethod
    def of(cls, files: ModelFiles, *, max_tokens: int) -> WordPieces:
        """Load the tokenizer of a model.

        Raises
        ------
        MissingModel
            If it has none that is fast.
        DamagedModel
            If it is damaged, or that of another model.
        """
        return cls(load_tokenizer(files), max_tokens=max_tokens)

    def windows(self, texts: Sequence[str], prefix: str = "") -> Windows:
        """Cut texts into windows that overlap; a text that fits is one window.

        Parameters
        ----------
        texts : sequence of str
        prefix : str
            Stands before every window.

        Raises
        ------
        InvalidOption
            If the prefix leaves no room for text.
        """
        lead = self._pieces(prefix)
        room = self.max_tokens - len(self._before) - len(self._after) - len(lead)
        if room < 1:
            raise InvalidOption(
                f"The prefix {prefix[:40]!r} has {len(lead)} word pieces, a window only {self.max_tokens}; shorten it."
            )
        before, after = np.array(self._before, np.int64), np.array(self._after, np.int64)
        pieces: list[Pieces] = []
        first = np.zeros(len(texts) + 1, np.int64)
        share = np.ones(len(texts), np.float32)
        for index, text in enumerate(texts):
            whole = np.array(self._pieces(prefix + text), np.int64)
            # The last piece of a prefix may melt into the text.
            shared = next((i for i, (a, b) in enumerate(zip(lead, whole, strict=False)) if a != b), len(lead))
            body = whole[shared:]
            starts = window_starts(len(body), room)
            head = np.concatenate([before, whole[:shared]])
            pieces += [np.concatenate([head, body[start : start + room], after]) for start in starts]
            first[index + 1] = len(pieces)
            if len(body):
                share[index] = min(len(body), starts[-1] + room) / len(body)
        return Windows(pieces, first, share)

    def _pieces(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(without_surrogates(text), add_special_tokens=False).ids
        return found

    def _specials(self) -> tuple[list[int], list[int]]:
        """Return the special pieces that the model wants before and after a text."""
        probe = "a"
        bare = self._tokenizer.encode(probe, add_special_tokens=False).ids
        whole = self._tokenizer.encode(probe, add_special_tokens=True).ids
        for start in range(len(whole) - len(bare) + 1):
            if whole[start : start + len(bare)] == bare:
                return whole[:start], whole[start + len(bare) :]
        return [], []


def load_tokenizer(files: ModelFiles) -> Any:
    """Load the tokenizer of a model, without truncation and padding; errors are those of ``WordPieces.of``."""
    file = files.folder / "tokenizer.json"
    tokenizer = _load(files) if file.is_file() else _convert(files)
    known, wanted = tokenizer.get_vocab_size(), int(files.config.get("vocab_size") or 0)
    # From files that it does not understand, transformers makes a tokenizer that knows no word.
    if wanted and not wanted / 2 <= known <= wanted:
        raise DamagedModel(
            f"The tokenizer in {files.folder} knows {known:,} word pieces and the model {wanted:,}: "
            "they do not belong together; fetch the model again."
        )
    # Models are published with the truncation and padding of their training.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def window_starts(length: int, room: int) -> list[int]:
    """Return where the windows of a text begin; the last one ends with the text.

    Examples
    --------
    >>> window_starts(500, 254), window_starts(10, 254), window_starts(0, 254)
    ([0, 222, 246], [0], [0])
    """
    if length <= room:
        return [0]
    step = room - min(OVERLAP, room // 4)
    starts = list(range(0, length - room, step))[:MAX_WINDOWS]
    return [*starts, length - room] if len(starts) < MAX_WINDOWS else starts


def _load(files: ModelFiles) -> Any:
    try:
        from tokenizers import Tokenizer
        from tokenizers.normalizers import BertNormalizer
    except ImportError as error:
        raise MissingModel(
            "An encoder needs the package tokenizers; install it with: pip install 'sparseread-workbench[model]'"
        ) from error
    try:
        tokenizer = Tokenizer.from_file(str(files.folder / "tokenizer.json"))
    except Exception as error:  # the library raises nothing narrower
        raise DamagedModel(
            f"{files.folder / 'tokenizer.json'} is no tokenizer ({error}); fetch the model again."
        ) from error
    normalizer = tokenizer.normalizer
    if isinstance(normalizer, BertNormalizer):
        # As transformers does: what the settings beside it say goes before.
        said = files.json("tokenizer_config.json")
        for setting, attribute in _BERT_SETTINGS.items():
            if setting in said:
                setattr(normalizer, attribute, said[setting])
        tokenizer.normalizer = normalizer
    return tokenizer


def _convert(files: ModelFiles) -> Any:
    """Return the tokenizer that transformers makes of older files."""
    # Without them it makes one all the same, which knows no word.
    if not any((files.folder / name).is_file() for name in VOCABULARIES):
        raise MissingModel(f"The model in {files.folder} has no tokenizer; fetch it again, with its tokenizer.json.")
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise MissingModel(
            f"The model in {files.folder} has no tokenizer.json, and to make one, transformers is missing; install it "
            "with: pip install 'sparseread-workbench[model]'"
        ) from error
    try:
        found = AutoTokenizer.from_pretrained(files.folder, local_files_only=True, trust_remote_code=False)
        return found.backend_tokenizer
    except (OSError, ValueError, KeyError, AttributeError, ImportError) as error:
        reason = re.sub(r"\s+", " ", str(error))[:200].rstrip(". ")
        raise MissingModel(
            f"The model in {files.folder} has no tokenizer that can be used ({reason}); save it with a tokenizer.json."
        ) from error
