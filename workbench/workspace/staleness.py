"""Why outcomes are not those of the reader at hand: a sentence for each difference that changes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import WorkbenchError
from ..printing import shortened
from ..reading import SparseReader
from ..reading.describing import description_of
from ..relevance.scores import Scale
from ..structure import RuleBook

_MODELS = {
    "scorer": "blocks were scored otherwise",
    "encoder": "the encoder was another one",
    "classifier": "the classifier was another one",
    "tokenizer": "tokens were counted otherwise",
}


def staleness_of(source: Mapping[str, Any], reader: SparseReader, fingerprint: str | None) -> tuple[str, ...]:
    """Return why outcomes do not fit, a sentence each; none where they do.

    Parameters
    ----------
    source : mapping
        What the outcomes say of themselves (``frame.attrs``).
    reader : SparseReader
        As it is tuned now.
    fingerprint : str or None
        Of the workload; None where it cannot be told.
    """
    return tuple(
        f"The outcomes do not fit what is tuned: {said}; replay first."
        for said in _differences(source, reader, fingerprint)
    )


def _differences(source: Mapping[str, Any], reader: SparseReader, fingerprint: str | None) -> Iterator[str]:
    workload = source.get("workload") or {}
    known = workload.get("fingerprint") if isinstance(workload, Mapping) else None
    if fingerprint is not None and known is not None and known != fingerprint:
        yield "requests or artifacts of the workload have changed since"
    said = source.get("reader") or {}
    if not isinstance(said, Mapping) or not said.get("description"):
        yield "they do not say which reader made them"
        return
    yield from _of_reader(json.loads(str(said["description"])), said, reader)


def _of_reader(before: Mapping[str, Any], said: Mapping[str, Any], reader: SparseReader) -> Iterator[str]:
    now = json.loads(json.dumps(description_of(reader)))
    for name, words in _MODELS.items():
        if before["models"].get(name) != now["models"].get(name):
            yield words
            break
    if before["rules"]["sha256"] != now["rules"]["sha256"]:
        yield from _of_rules(before["rules"]["tables"], reader.rule_book)
    threshold = reader.threshold
    if threshold is not None and threshold.scale is Scale.UNCALIBRATED:
        if said.get("threshold") != [threshold.value, threshold.scale.value]:
            yield f"blocks are now cut at the {threshold}"
        return
    old, new = before["block"], now["block"]
    cuts = [{key: value for key, value in block["cut"].items() if key != "recall_floor"} for block in (old, new)]
    if cuts[0] != cuts[1]:
        yield f"blocks were cut at {_cut_words(cuts[0])}, and are now at {_cut_words(cuts[1])}"
    is_threshold = cuts[1]["kind"] == "threshold"
    if is_threshold and old.get("offsets") != new.get("offsets"):
        yield "the offsets of document types were others"
    if is_threshold and old.get("calibration") != new.get("calibration"):
        yield "relevance was calibrated otherwise"


def _of_rules(tables: Mapping[str, Any], book: RuleBook) -> Iterator[str]:
    try:
        yield from RuleBook.from_dict(tables).differences(book)
    except WorkbenchError as error:
        yield f"their rules cannot be read any more ({shortened(str(error), 120)})"


def _cut_words(cut: Mapping[str, Any]) -> str:
    if cut["kind"] == "threshold":
        return f"threshold {cut['value']:g}"
    return f"the best {100 * cut['share']:g} % of the tokens, at least {cut['min_tokens']:,}"
