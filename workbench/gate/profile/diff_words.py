"""What the fields of a gate profile are called where two profiles are compared."""

from __future__ import annotations

_WORDS = {
    "schema_version": "the version of the file's fields",
    "created_by": "who calibrated",
    "workbench": "the version of the workbench",
    "gate.weights.exposure": "the weight of exposure, ws",
    "gate.weights.cost": "the weight of cost, wc",
    "gate.weights.risk": "the weight of risk, wr",
    "gate.thresholds.native": "the native threshold, θn",
    "gate.thresholds.force": "the force threshold, θf",
    "gate.advisory_share": "the share of advisory requests that read sparsely",
    "gate.quality_tolerance": "the mean quality loss that was accepted",
    "block.cut.kind": "the kind of block cut",
    "block.cut.value": "the block threshold",
    "block.cut.recall_floor": "the recall floor",
    "block.cut.share": "the share of the tokens that is kept",
    "block.cut.min_tokens": "the tokens that are kept at least",
    "models.scorer": "the scorer",
    "models.encoder.name": "the encoder",
    "models.encoder.fingerprint": "the weights of the encoder",
    "models.classifier.name": "the classifier",
    "models.classifier.fingerprint": "the weights of the classifier",
    "models.tokenizer": "the tokenizer",
    "workload.name": "the workload",
    "workload.fingerprint": "the content of the workload",
}

_OPTIONS = {
    "exchange.prompt_tokens": "the tokens that every call carries",
    "exchange.call_tokens": "the tokens that a call writes",
    "exchange.resent_share": "the price of a token that is sent again",
    "exchange.max_rounds": "the most sparse rounds",
    "exchange.growth": "how much more each round keeps",
    "exchange.context_tokens": "the most tokens of a native read",
    "least_tokens": "the tokens that a first reading is expected to keep at least",
    "share": "the share of the tokens that a first reading is expected to keep",
    "anchors": "the tokens of anchors for each token that is kept",
    "missing_terms": "what is missed where no term of the question is found",
    "reader_cost": "the reader's cost of a token",
}
_BY_SCOPE = {"unclosed": "the chance that a round is not enough", "missed": "the share that is missed"}


def words_of(field: str) -> str:
    """Return what a field is called; a field that nobody has named is called as the file calls it.

    Parameters
    ----------
    field : str
        Its path in the file, with points.

    Examples
    --------
    >>> words_of("gate.options.missed.whole"), words_of("block.offsets.legal")
    ('the share that is missed, scope whole', 'the offset of legal documents')
    """
    if field in _WORDS:
        return _WORDS[field]
    path, _, last = field.rpartition(".")
    if path == "block.offsets":
        return f"the offset of {last} documents"
    if path.startswith("workload.splits."):
        return f"the {last} of the split {path.removeprefix('workload.splits.')}"
    if field.startswith("gate.options."):
        return _option_words(field.removeprefix("gate.options."))
    return field


def _option_words(name: str) -> str:
    if name in _OPTIONS:
        return _OPTIONS[name]
    what, _, scope = name.rpartition(".")
    return f"{_BY_SCOPE[what]}, scope {scope}" if what in _BY_SCOPE else f"the constant {name} of the signals"
