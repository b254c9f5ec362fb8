"""Questions that are asked of many documents: a small network on frozen vectors has learnt what answers them.

A contract is asked the same forty questions as every other one. What the answer looks like is then known from contracts
whose evidence somebody has marked, and is better known than the words of the question tell. The network speaks as far
as at least three other documents were asked nearly the same; of a question that nobody asked before it says nothing.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption, MissingModel, StaleClassifier

if TYPE_CHECKING:
    from .context import Passages
    from .embeddings import BlockEmbeddings
    from .encoders import Encoder

Floats = npt.NDArray[np.float32]

RECURRING = "recurring"
"""The part of the logit that it adds."""
FILE = "recurring.safetensors"
SCHEMA_VERSION = 1
NEAREST = 3
"""Documents that must have been asked nearly the same."""
SHUT, OPEN = 0.7, 0.95
"""Mean cosine of the nearest questions up to which nothing is said, and from which on it counts in full."""
QUESTION_SCALE, POINT_SCALE, SEEN_SCALE = 8.0, 3.0, 4.0
"""What a vector of length 1 is multiplied with, so that the numbers are of a size that a network learns with."""

SHAPES: Mapping[str, str] = {
    "hidden": "shd",
    "hidden_bias": "sh",
    "direction": "sdh",
    "direction_bias": "sd",
    "seen": "skd",
    "weight": "skh",
    "weight_bias": "sk",
}
"""Arrays of the networks: s networks, d dimensions of a vector, h hidden numbers of a question, k of a block."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RecurringQuestions:
    """What was learnt of questions that recur.

    Attributes
    ----------
    networks : mapping of str to ndarray of float32
        The arrays of ``SHAPES``; their mean says what counts.
    asked : ndarray of float16, shape (m, d)
        Vectors of length 1 of the questions that it was trained on.
    asked_of : ndarray of int32, shape (m,)
        The document of each, a place in ``documents``.
    documents : tuple of str
        SHA-256 of the documents, sorted.
    encoder : str
        Fingerprint of the encoder of all vectors.

    Raises
    ------
    StaleClassifier
        If the arrays do not fit each other, or hold what is no number.
    """

    networks: Mapping[str, Floats]
    asked: npt.NDArray[np.float16]
    asked_of: npt.NDArray[np.int32]
    documents: tuple[str, ...]
    encoder: str

    def __post_init__(self) -> None:
        _check(self)
        for array in self._arrays.values():
            array.flags.writeable = False

    @property
    def dimensions(self) -> int:
        """Of a vector."""
        return int(self.asked.shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything that decides what it says."""
        digest = hashlib.sha256(f"recurring {SCHEMA_VERSION} {self.encoder} {' '.join(self.documents)}".encode())
        for name, array in sorted(self._arrays.items()):
            digest.update(f"\n{name} {array.dtype} {array.shape}\n".encode() + np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def nearness(self, question_vector: npt.NDArray[np.floating], *, document: str = "") -> float:
        """Return how near a question is to those that other documents were asked.

        Parameters
        ----------
        question_vector : ndarray of float32, shape (d,)
            Of length 1.
        document : str
            SHA-256 of the document that is asked; what it was asked in training does not count.

        Returns
        -------
        float
            Mean cosine of the nearest question of each of the three nearest documents; a missing document counts 0.
        """
        best = np.full(len(self.documents), -1.0, np.float32)
        np.maximum.at(best, self.asked_of, self._asked @ np.asarray(question_vector, np.float32))
        others = best[[name != document for name in self.documents]]
        return float(np.sort(others)[::-1][:NEAREST].sum(dtype=np.float64)) / NEAREST

    def gate(self, question_vector: npt.NDArray[np.floating], *, document: str = "") -> float:
        """Return how much it counts, 0 to 1; exactly 0 for a question that is new.

        Parameters
        ----------
        question_vector : ndarray of float32, shape (d,)
        document : str
            SHA-256 of the document that is asked.
        """
        return gate_of(self.nearness(question_vector, document=document))

    def part(
        self,
        question_vector: npt.NDArray[np.floating],
        embeddings: BlockEmbeddings,
        passages: Passages,
        *,
        document: str = "",
    ) -> Floats:
        """Return what it adds to the logit of each of the n blocks of a document.

        Parameters
        ----------
        question_vector : ndarray of float32, shape (d,)
        embeddings : BlockEmbeddings
            Of the units of ``passages``.
        passages : Passages
        document : str
            SHA-256 of the document.

        Returns
        -------
        ndarray of float32, shape (n,)
            Zeros for a new question; a block without a unit has what the weakest block has.
        """
        gate = self.gate(question_vector, document=document)
        part = np.zeros(len(passages), np.float32)
        if gate > 0:
            blocks, vectors = block_vectors(embeddings, passages)
            if len(blocks):
                told = np.float32(gate) * self._told(np.asarray(question_vector, np.float32), vectors)
                part[:] = told.min()
                part[blocks] = told
        return part

    def check_encoder(self, encoder: Encoder | None) -> None:
        """Refuse an encoder whose vectors it does not know.

        Raises
        ------
        StaleClassifier
        """
        if encoder is None or encoder.fingerprint != self.encoder:
            other = "there is none" if encoder is None else f"this is {encoder.fingerprint[:12]}"
            raise StaleClassifier(
                f"What was learnt of recurring questions needs the vectors of the encoder {self.encoder[:12]}, and "
                f"{other}; give the encoder that it was trained with, or train again."
            )

    def save(self, path: str | Path) -> None:
        """Write it as one file of safetensors.

        Raises
        ------
        InvalidOption
            If the file cannot be written.
        """
        from safetensors.numpy import save

        said = {
            "schema_version": SCHEMA_VERSION,
            "encoder": self.encoder,
            "documents": list(self.documents),
            "fingerprint": self.fingerprint,
        }
        arrays = {name: np.ascontiguousarray(array) for name, array in self._arrays.items()}
        target = Path(path).expanduser()
        part = target.with_name(f".{target.name}.part")
        try:
            part.write_bytes(save(arrays, {RECURRING: json.dumps(said)}))
            part.replace(target)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise InvalidOption(
                f"{target} cannot be written ({error.strerror or error}); check the folder and its rights."
            ) from error

    @classmethod
    def load(cls, path: str | Path) -> RecurringQuestions:
        """Read such a file.

        Raises
        ------
        MissingModel
            If there is none.
        StaleClassifier
            If it cannot be read, is of another version, or was changed.
        """
        from safetensors import SafetensorError, safe_open

        file = Path(path).expanduser()
        if not file.is_file():
            raise MissingModel(f"There is no {file}; copy the whole folder of the classifier again.")
        try:
            with safe_open(file, framework="numpy") as opened:
                said = json.loads((opened.metadata() or {})[RECURRING])
                arrays = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 - no mapping
            if said["schema_version"] != SCHEMA_VERSION:
                raise StaleClassifier(
                    f"{file} has version {said['schema_version']!r:.20}, and this workbench reads version "
                    f"{SCHEMA_VERSION}; export the classifier again."
                )
            found = _of(said, arrays)
        except (SafetensorError, OSError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise StaleClassifier(f"{file} cannot be read ({error}); export the classifier again.") from error
        if found.fingerprint != said.get("fingerprint"):
            raise StaleClassifier(f"{file} was changed after it was written; export the classifier again.")
        return found

    @property
    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {**self.networks, "asked": self.asked, "asked_of": self.asked_of}

    @cached_property
    def _asked(self) -> Floats:
        return self.asked.astype(np.float32)

    def _told(self, question: Floats, blocks: Floats) -> Floats:
        """Return the mean of what the networks say of blocks, shape (b,)."""
        arrays = self.networks
        told = np.zeros(len(blocks), np.float64)
        count = len(arrays["hidden"])
        for one in range(count):
            hidden = _gelu(arrays["hidden"][one] @ (QUESTION_SCALE * question) + arrays["hidden_bias"][one])
            direction = arrays["direction"][one] @ hidden + arrays["direction_bias"][one]
            weight = arrays["weight"][one] @ hidden + arrays["weight_bias"][one]
            told += POINT_SCALE * (blocks @ direction) + np.tanh(SEEN_SCALE * (blocks @ arrays["seen"][one].T)) @ weight
        return (told / count).astype(np.float32)

    def __getstate__(self) -> dict[str, Any]:
        return {"networks": dict(self.networks)} | {
            name: getattr(self, name) for name in ("asked", "asked_of", "documents", "encoder")
        }

    def __repr__(self) -> str:
        return (
            f"RecurringQuestions({len(self.asked):,} questions of {len(self.documents)} documents, "
            f"{self.fingerprint[:12]})"
        )


def checked_recurring(recurring: RecurringQuestions | None, encoder: Encoder | None) -> RecurringQuestions | None:
    """Return what was learnt of recurring questions, if it fits an encoder.

    Raises
    ------
    InvalidOption
        If it is something else.
    StaleClassifier
        If it was learnt on other vectors.
    """
    if recurring is not None and not isinstance(recurring, RecurringQuestions):
        raise InvalidOption(f"recurring is {recurring!r:.60}; give RecurringQuestions.")
    if recurring is not None:
        recurring.check_encoder(encoder)
    return recurring


def gate_of(nearness: float) -> float:
    """Return how much is said at a nearness, 0 to 1.

    Examples
    --------
    >>> gate_of(0.7), gate_of(0.825), gate_of(1.0)
    (0.0, 0.5, 1.0)
    """
    return round(min(1.0, max(0.0, (nearness - SHUT) / (OPEN - SHUT))), 6)


def block_vectors(embeddings: BlockEmbeddings, passages: Passages) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return the blocks that have a unit, and the vector of each one's first unit, less the mean of them.

    What all blocks of a document have in common says nothing of any of them.

    Parameters
    ----------
    embeddings : BlockEmbeddings
        Of the units of ``passages``.
    passages : Passages

    Returns
    -------
    blocks : ndarray of intp, shape (b,)
        In reading order.
    vectors : ndarray of float32, shape (b, d)
    """
    units = np.full(len(passages), -1, np.int64)
    units[passages.has_unit] = passages.unit[passages.first[:-1][passages.has_unit]]
    embedded = np.diff(embeddings.first) > 0
    blocks = np.flatnonzero((units >= 0) & embedded[units]) if len(embedded) else np.zeros(0, np.intp)
    rows = embeddings.row[embeddings.first[:-1][units[blocks]]]
    vectors = embeddings.vectors[rows].astype(np.float32)
    return blocks, vectors - vectors.mean(axis=0, dtype=np.float32) if len(blocks) else vectors


def _gelu(values: Floats) -> Floats:
    """Return x times the normal distribution at x, exactly, as torch computes it."""
    below = np.array([math.erf(value / math.sqrt(2.0)) for value in values.tolist()], np.float32)
    gelu: Floats = np.float32(0.5) * values * (np.float32(1.0) + below)
    return gelu


def _of(said: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> RecurringQuestions:
    return RecurringQuestions(
        networks={name: arrays[name] for name in SHAPES},
        asked=arrays["asked"],
        asked_of=arrays["asked_of"],
        documents=tuple(map(str, said["documents"])),
        encoder=str(said["encoder"]),
    )


def _check(voice: RecurringQuestions) -> None:
    """Refuse arrays that do not fit each other."""
    sizes: dict[str, int] = {"d": voice.asked.shape[-1]}
    for name, letters in SHAPES.items():
        array = voice.networks.get(name)
        if array is None or array.dtype != np.float32 or array.ndim != len(letters):
            raise StaleClassifier(_misfit(name))
        if any(sizes.setdefault(letter, size) != size for letter, size in zip(letters, array.shape, strict=True)):
            raise StaleClassifier(_misfit(name))
        if not np.isfinite(array).all():
            raise StaleClassifier(_misfit(name))
    if voice.asked.dtype != np.float16 or voice.asked.ndim != 2 or not np.isfinite(voice.asked).all():
        raise StaleClassifier(_misfit("asked"))
    of = voice.asked_of
    if of.dtype != np.int32 or of.shape != voice.asked.shape[:1] or not len(of) or not sizes["s"]:
        raise StaleClassifier(_misfit("asked_of"))
    if of.min() < 0 or of.max() >= len(voice.documents):
        raise StaleClassifier(_misfit("asked_of"))


def _misfit(name: str) -> str:
    return f"The array {name!r} of what was learnt of recurring questions does not fit; export the classifier again."
