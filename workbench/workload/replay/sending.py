"""A reader as bytes, for the processes of this replay: models, locks and caches stay here, and are made again there."""

from __future__ import annotations

import io
import logging
import pickle
from types import MappingProxyType
from typing import Any

from ...reading import Feedback, SparseReader
from ...reading.altered import settings_of
from ...relevance.scores import Scorer

_log = logging.getLogger("workbench")


def packed(value: Any) -> bytes | None:
    """Return a value that may hold a reader as bytes, or None if a part of it cannot be sent.

    Only for a process that this one has started, and that runs the same code.
    """
    stream = io.BytesIO()
    try:
        _Pickler(stream).dump(value)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        # What pickle raises for a lock, an open file, a class inside a function.
        _log.info("a reader cannot be sent to another process (%s)", error)
        return None
    return stream.getvalue()


def unpacked(data: bytes) -> Any:
    """Return the value of ``packed``."""
    return pickle.loads(data)


class _Pickler(pickle.Pickler):
    """Knows how what cannot be pickled is made again from what can."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) is SparseReader:
            return _reader, (value.scorer, settings_of(value))
        if type(value) is Feedback and (value.path is not None or not len(value)):
            return Feedback, (value.path,)
        if type(value) is MappingProxyType:
            return _proxy, (dict(value),)
        return _model(value)


def _model(value: Any) -> Any:
    from ...relevance.encoders import TransformerEncoder, default_encoder
    from ...relevance.hybrid import HybridScorer

    if type(value) is HybridScorer:
        settings = {
            name: getattr(value, name)
            for name in (
                "second_stage",
                "second_stage_weight",
                "combination",
                "candidates",
                "passage_options",
                "lexical_options",
                "fusion_options",
            )
        }
        return _hybrid, (value.encoder, settings)
    if type(value) is TransformerEncoder and value is default_encoder():
        return default_encoder, ()
    return NotImplemented


def _reader(scorer: Scorer, settings: dict[str, Any]) -> SparseReader:
    return SparseReader(scorer=scorer, **settings)


def _proxy(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


def _hybrid(encoder: Any, settings: dict[str, Any]) -> Any:
    from ...relevance.hybrid import HybridScorer

    return HybridScorer(encoder, **settings)
