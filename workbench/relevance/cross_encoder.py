"""A transformer that reads question and block together: slower and sharper than comparing two vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..documents.surrogates import without_surrogates
from ..errors import DamagedModel, MissingDependency, MissingModel

MAX_TOKENS = 512
STRIDE = 64
"""Tokens that two windows of a long block share."""
MAX_WINDOWS = 32
"""Windows of one block that are read at most; what is left unread shows in the share read."""
BATCH = 16


class CrossEncoder:
    """A sequence classifier with one logit (or two: not relevant, relevant) as a second stage.

    Parameters
    ----------
    model, tokenizer
        As transformers loads them; ``CrossEncoder.open`` does.
    name, fingerprint : str
        What it is called, and the hash of its weights.
    """

    def __init__(self, model: Any, tokenizer: Any, *, name: str, fingerprint: str) -> None:
        self._model = model.eval()
        self._tokenizer = tokenizer
        self.name = name
        self.fingerprint = fingerprint
        self.max_tokens = min(MAX_TOKENS, getattr(model.config, "max_position_embeddings", MAX_TOKENS))
        self._relevant = _relevant_class(model.config)

    @classmethod
    def open(cls, folder: Path | str) -> CrossEncoder:
        """Load a cross-encoder from a folder of transformers files with weights as safetensors.

        Raises
        ------
        MissingDependency
            If torch or transformers is not installed.
        MissingModel
            If the folder does not hold such a model.
        DamagedModel
            If it holds one that cannot be loaded, or that has more than two classes.
        """
        path = Path(folder)
        weights = sorted(path.glob("*.safetensors"))
        if not weights or not (path / "config.json").is_file():
            raise MissingModel(
                f"There is no model at {path}: a folder with config.json, tokenizer files and *.safetensors is needed."
            )
        try:
            from safetensors import SafetensorError
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError as error:
            raise MissingDependency(
                "A cross-encoder needs torch and transformers; install them with: "
                "pip install 'sparseread-workbench[model]'"
            ) from error
        try:
            model, report = AutoModelForSequenceClassification.from_pretrained(
                path, local_files_only=True, use_safetensors=True, trust_remote_code=False, output_loading_info=True
            )
            tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        except (OSError, ValueError, RuntimeError, KeyError, SafetensorError) as error:
            reason = str(error).splitlines()[0]
            raise DamagedModel(f"The model at {path} cannot be loaded ({reason}); fetch it again.") from error
        if model.config.num_labels > 2:
            raise DamagedModel(
                f"The model at {path} has {model.config.num_labels} classes; "
                "a relevance classifier has one logit, or two."
            )
        # What the weights lack, transformers draws: the scores would be chance.
        if missing := sorted(report["missing_keys"]):
            raise DamagedModel(
                f"The model at {path} has no trained head: its weights lack {missing[0]}; give a cross-encoder, or "
                "train one with workbench train."
            )
        digest = hashlib.sha256()
        for file in [*weights, *sorted(path.glob("*.json")), *sorted(path.glob("vocab*"))]:
            digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
        return cls(model, tokenizer, name=path.name, fingerprint=digest.hexdigest())

    def score(self, question: str, texts: Sequence[str]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return the logit of each text, the best of its windows, and the share of the text that was read.

        Of a question that fills more than half of a window, the beginning is read.
        """
        if not texts:
            return np.zeros(0, np.float32), np.zeros(0, np.float32)
        asked, room = self._asked(question)
        shown = [without_surrogates(text) for text in texts]
        encoded = self._tokenizer(
            [asked] * len(shown),
            shown,
            truncation="only_second",
            max_length=self.max_tokens,
            stride=min(STRIDE, room // 2),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        text_of = np.asarray(encoded["overflow_to_sample_mapping"])
        rank = np.arange(len(text_of)) - np.searchsorted(text_of, text_of)
        read = np.flatnonzero(rank < MAX_WINDOWS)
        logits = np.full(len(texts), -np.inf, np.float32)
        np.maximum.at(logits, text_of[read], self._logits(encoded, read))
        return logits, self._share_read(encoded, shown, text_of, read)

    def _asked(self, question: str) -> tuple[str, int]:
        """Return what is read of the question, and the tokens that it leaves to a text in each window."""
        asked = without_surrogates(question)
        free = self.max_tokens - self._tokenizer.num_special_tokens_to_add(pair=True)
        pieces = self._tokenizer(asked, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        offsets = pieces["offset_mapping"][: free // 2]
        if len(offsets) < len(pieces["offset_mapping"]):
            asked = asked[: offsets[-1][1]]
        return asked, free - len(offsets)

    def _logits(self, encoded: Any, windows: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
        import torch

        lengths = np.array([len(encoded["input_ids"][window]) for window in windows])
        found = np.empty(len(windows), np.float32)
        names = [name for name in self._tokenizer.model_input_names if name in encoded]
        with torch.inference_mode():
            for chosen in np.array_split(np.argsort(-lengths, kind="stable"), -(-len(windows) // BATCH)):
                rows = [{name: encoded[name][windows[i]] for name in names} for i in chosen]
                batch = self._tokenizer.pad(rows, return_tensors="pt")
                logits = self._model(**batch).logits.float().numpy()
                sure = logits[:, self._relevant]
                found[chosen] = sure if logits.shape[1] == 1 else sure - logits[:, 1 - self._relevant]
        return found

    @staticmethod
    def _share_read(
        encoded: Any, texts: Sequence[str], text_of: npt.NDArray[np.intp], read: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.float32]:
        """Windows are in order, so the end of the last one read says how far a text was read."""
        ends = np.zeros(len(texts), np.float32)
        for window in read:
            offsets = encoded["offset_mapping"][window]
            of_text = [end for (_, end), part in zip(offsets, encoded.sequence_ids(window), strict=True) if part == 1]
            ends[text_of[window]] = max(ends[text_of[window]], max(of_text, default=0))
        lengths = np.array([max(1, len(text.rstrip())) for text in texts], np.float32)
        share: npt.NDArray[np.float32] = np.minimum(ends / lengths, np.float32(1.0))
        return share


def _relevant_class(config: Any) -> int:
    """Return which of the logits is that of "relevant": the last one, unless the labels say that it is the first."""
    labels = [str(label).strip().lower() for _, label in sorted((config.id2label or {}).items())]
    return 0 if labels in (["relevant", "not relevant"], ["relevant"]) else config.num_labels - 1
