"""Scores that are remembered: a scorer in front of another one, and what it keeps on disk.

Scoring is the slow part of a replay. A document that was scored for a question needs neither model nor index for it
again, whatever threshold, rule table or gate is tried on the scores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ...caching import CacheFolder, key_of
from ...documents.columns import BlockColumns
from ...documents.packing import DamagedPack, pack_arrays, pack_text, unpack_arrays
from ...relevance.scores import RelevanceScores, Scale, Scope, Scorer

if TYPE_CHECKING:
    from ...documents import Document

SUFFIX = ".scores"
LAYOUT = 1
"""Raised whenever the stored layout changes; part of the key."""

Floats = npt.NDArray[np.float32]

_SCORES = ("logits", "relevance", "share_read")
_TEXTS = ("scorer", "calibration", "notes", "formula", "words_alone", "presence", "nothing_relevant")


class RememberingScorer:
    """A scorer that asks another one, and never twice for the same.

    Parameters
    ----------
    scorer : Scorer
        What scores where nothing is remembered; it is not touched otherwise.
    folder : CacheFolder, optional
        Where scores are kept; by default the user's cache.

    Examples
    --------
    >>> from workbench.relevance import HybridScorer
    >>> RememberingScorer(HybridScorer(encoder=None)).fingerprint == HybridScorer(encoder=None).fingerprint
    True
    """

    def __init__(self, scorer: Scorer, folder: CacheFolder | None = None) -> None:
        self.scorer = scorer
        self.folder = folder or CacheFolder(SUFFIX)
        self._keys: WeakKeyDictionary[Document, str] = WeakKeyDictionary()

    @property
    def fingerprint(self) -> str:
        """That of the scorer: what is remembered is what it would give."""
        return self.scorer.fingerprint

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        """Prepare the scorer."""
        self.scorer.prepare(document, progress=progress)

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        """Return the remembered scores of every block, or score them and remember that."""
        key = self.key(document, question, scope)
        found = self._remembered(key, len(document))
        if found is None:
            found = self.scorer.score(document, question, scope=scope, progress=progress)
            # Scores of a kind that holds more than is stored would not come back as they are.
            if type(found) is RelevanceScores:
                self.folder.store(key, pack_scores(found))
        return found

    def question_vector(self, question: str) -> Floats | None:
        """Return the remembered vector of a question, or ask for it; None without a semantic model."""
        key = key_of("question vector", LAYOUT, self.fingerprint, question)
        data = self.folder.load(key)
        if data is not None:
            try:
                vector = unpack_arrays(data)[0].get("vector")
            except DamagedPack as error:
                self.folder.drop(key, str(error))
            else:
                return vector
        vector = self.scorer.question_vector(question)
        self.folder.store(key, pack_arrays({} if vector is None else {"vector": vector}, {}))
        return vector

    def matched(self, document: Document, question: str, block_id: int) -> tuple[Any, ...]:
        """Return the words that a block was found by, if the scorer can tell."""
        ask = getattr(self.scorer, "matched", None)
        return () if ask is None else tuple(ask(document, question, block_id))

    def remembers(self, document: Document, question: str, scope: Scope | None = None) -> bool:
        """Return whether the scorer need not be asked."""
        return self.folder.file(self.key(document, question, scope)).is_file()

    def key(self, document: Document, question: str, scope: Scope | None = None) -> str:
        """Return the key of everything that decides the scores."""
        known = self._keys.get(document)
        if known is None:
            known = self._keys[document] = document_key(document)
        return key_of("scores", LAYOUT, self.fingerprint, known, question, None if scope is None else scope.value)

    def _remembered(self, key: str, blocks: int) -> RelevanceScores | None:
        data = self.folder.load(key)
        if data is None:
            return None
        try:
            found = unpack_scores(data)
        except DamagedPack as error:
            self.folder.drop(key, str(error))
            return None
        return found if len(found) == blocks else None

    def __reduce__(self) -> tuple[Any, ...]:
        return RememberingScorer, (self.scorer, self.folder)

    def __repr__(self) -> str:
        return f"RememberingScorer({self.scorer!r})"


def document_key(document: Document) -> str:
    """Return the hash of all that a scorer can see of a document: bytes, text, blocks and language.

    The bytes alone do not tell how they were cut into blocks, and another version of a format may read another text.
    """
    digest = hashlib.sha256(f"{document.sha256} {document.language.value} {document.document_type.value} ".encode())
    for name in BlockColumns.names():
        array = getattr(document.columns, name)
        digest.update(f"{name} {array.shape} ".encode() + array.tobytes())
    digest.update(pack_text(document.text_layer).tobytes())
    return digest.hexdigest()


def pack_scores(scores: RelevanceScores) -> bytes:
    """Return scores as bytes; equal scores give equal bytes."""
    names = list(scores.parts)
    arrays: dict[str, npt.NDArray[Any]] = {name: getattr(scores, name) for name in _SCORES}
    arrays |= {f"part_{rank}": scores.parts[name] for rank, name in enumerate(names)}
    meta = {name: getattr(scores, name) for name in _TEXTS}
    return pack_arrays(arrays, {**meta, "scale": scores.scale.value, "parts": names})


def unpack_scores(data: bytes) -> RelevanceScores:
    """Return the scores of ``pack_scores``: equal in every array, note and flag.

    Raises
    ------
    DamagedPack
        If the bytes are damaged, or of another layout.
    """
    arrays, meta = unpack_arrays(data)
    try:
        return _scores(arrays, meta)
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedPack(f"{type(error).__name__}: {error}") from error


def _scores(arrays: Mapping[str, npt.NDArray[Any]], meta: Mapping[str, Any]) -> RelevanceScores:
    return RelevanceScores(
        logits=arrays["logits"],
        relevance=arrays["relevance"],
        scale=Scale(meta["scale"]),
        parts={name: arrays[f"part_{rank}"] for rank, name in enumerate(meta["parts"])},
        share_read=arrays["share_read"],
        scorer=meta["scorer"],
        calibration=meta["calibration"],
        notes=tuple(meta["notes"]),
        formula=meta["formula"],
        words_alone=meta["words_alone"],
        presence=meta["presence"],
        nothing_relevant=meta["nothing_relevant"],
    )


def remembering(scorer: Scorer | None) -> RememberingScorer:
    """Return a scorer that asks another one once; that of ``SparseReader()`` by default."""
    if scorer is None:
        from ...reading import SparseReader

        scorer = SparseReader().scorer
    return scorer if isinstance(scorer, RememberingScorer) else RememberingScorer(scorer)
