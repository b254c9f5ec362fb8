"""The model card of an exported classifier, in the hub's format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...relevance.classifier.manifest import Manifest

_HUB_NAMES = {"all-MiniLM-L6-v2": "sentence-transformers/all-MiniLM-L6-v2"}
_SHOWN_ROWS = 40
_COLUMNS = {
    "by": "by",
    "group": "group",
    "scorer": "scorer",
    "questions": "questions",
    "documents": "documents",
    "average_precision": "average precision",
    "recall_10": "recall at 10 % of the tokens",
    "tokens_95": "tokens at 95 % recall, %",
    "tokens_99": "tokens at 99 % recall, %",
    "calibration_error": "calibration error, points",
}
"""Columns of an evaluation that the card shows, with their heads; the manifest has all."""


def hub_name(base: str) -> str:
    """Return what the hub calls a base."""
    return _HUB_NAMES.get(base, base)


def model_card(manifest: Manifest, *, has_adapter: bool, notes: Iterable[str] = ()) -> str:
    """Return the text of ``README.md``: a YAML header, what it is, how it is loaded, and what was measured.

    Parameters
    ----------
    manifest : Manifest
    has_adapter : bool
        Whether there is a folder ``adapter/``.
    notes : iterable of str
        What a reader of the figures must know.
    """
    parts = [_header(manifest, has_adapter), _what(manifest), _use(manifest, has_adapter), _figures(manifest.metrics)]
    parts += [_files(manifest, has_adapter), _training(manifest)]
    told = [f"- {note}" for note in notes]
    if told:
        parts.append("## Notes\n\n" + "\n".join(told))
    return "\n\n".join(part for part in parts if part) + "\n"


def _header(manifest: Manifest, has_adapter: bool) -> str:
    lines = ["---"]
    if manifest.languages:
        lines += ["language:", *(f"- {code}" for code in manifest.languages)]
    if manifest.base.licence:
        lines.append(f"license: {manifest.base.licence}")
    lines += [
        f"base_model: {_quoted(hub_name(manifest.base.name))}",
        f"base_model_relation: {'adapter' if has_adapter else 'finetune'}",
        "library_name: transformers",
        "pipeline_tag: text-classification",
        "tags:",
        "- cross-encoder",
        "- relevance",
        "- sparseread-workbench",
    ]
    return "\n".join([*lines, "---"])


def _what(manifest: Manifest) -> str:
    return (
        f"# {manifest.name}\n\n"
        f"Says how likely a block of a document holds evidence for a question. It is {manifest.base.name}, trained "
        "further as a cross-encoder with two classes: "
        + ", ".join(f"{index} is *{label}*" for index, label in enumerate(manifest.labels))
        + ".\n\nA block comes as `section > subsection > table header`, a line feed, and the block itself. A window "
        f"has {manifest.max_tokens} word pieces, the question included; of a longer block the best window counts."
    )


def _use(manifest: Manifest, has_adapter: bool) -> str:
    stock = f"""## Use

With the SparseRead Workbench, which checks files and canaries, and cuts long blocks into windows:

```python
import workbench as wb

reader = wb.SparseReader(classifier="classifier/")
```

With transformers alone:

```python
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

model = AutoModelForSequenceClassification.from_pretrained("classifier/").eval()
tokenizer = AutoTokenizer.from_pretrained("classifier/")
pairs = tokenizer(
    [question] * len(texts),
    texts,
    truncation="only_second",
    max_length={manifest.max_tokens},
    padding=True,
    return_tensors="pt",
)
with torch.inference_mode():
    logits = model(**pairs).logits
scores = logits[:, 1] - logits[:, 0]
```"""
    if not has_adapter:
        return stock
    return (
        stock
        + f"""

The adapter over its base, with peft; without `num_labels` the head would not fit:

```python
from peft import PeftModel

base = AutoModelForSequenceClassification.from_pretrained("{hub_name(manifest.base.name)}", num_labels=2)
model = PeftModel.from_pretrained(base, "classifier/adapter").eval()
```"""
    )


def _figures(metrics: Sequence[Mapping[str, Any]]) -> str:
    if not metrics:
        return "## Figures\n\nNothing was measured on held-out documents when this was exported."
    there = set().union(*metrics)
    columns = [name for name in _COLUMNS if name in there] or sorted(there)
    lines = [f"| {' | '.join(_COLUMNS.get(name, name) for name in columns)} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(_cell(row, name) for name in columns)} |" for row in metrics[:_SHOWN_ROWS]]
    if len(metrics) > _SHOWN_ROWS:
        lines.append(f"\n{len(metrics) - _SHOWN_ROWS:,} more rows are in `manifest.json`.")
    told = "On documents that were in no part of the training, with intervals over documents:"
    return f"## Figures\n\n{told}\n\n" + "\n".join(lines)


def _files(manifest: Manifest, has_adapter: bool) -> str:
    lines = ["## Files\n", "- `model.safetensors`, `config.json`, the tokenizer: the merged model"]
    if has_adapter:
        lines.append("- `adapter/`: what was trained, with the head, for peft")
    if manifest.has_encoder:
        lines.append("- `encoder/`: the encoder that was trained for the first stage")
    if manifest.recurring:
        lines.append(
            f"- `recurring.safetensors`: what was learnt of {manifest.recurring['questions']:,} questions on "
            f"{manifest.recurring['documents']:,} documents; it speaks where nearly the same is asked of another one, "
            "and of a new question it says nothing"
        )
    for name, said in manifest.agreement.items():
        if said.get("shipped"):
            lines.append(
                f"- `{name}`: Spearman {said['spearman']:.5f} against the merged model on {said['pairs']} pairs, "
                f"probability differs by at most {said['largest_difference']:.2g}"
            )
    lines += ["- `canaries.json`: inputs with their logits", "- `manifest.json`: hashes, settings, figures"]
    return "\n".join(lines)


def _training(manifest: Manifest) -> str:
    said = manifest.training
    base = manifest.base
    lines = [
        "## Training\n",
        f"- base: {base.name}, SHA-256 `{base.sha256}`, licence {base.licence or 'not known'}",
        f"- training data: fingerprint `{said.get('data') or 'not known'}`",
        f"- seed: {said.get('seed') if said.get('seed') is not None else 'not known'}",
        f"- fingerprint: `{manifest.fingerprint}`",
        "- versions: " + ", ".join(f"{name} {version}" for name, version in manifest.versions.items()),
    ]
    return "\n".join(lines)


def _cell(row: Mapping[str, Any], name: str) -> str:
    value, low, high = row.get(name), row.get(f"{name}_low"), row.get(f"{name}_high")
    if value is None:
        return ""
    said = f"{value:.4g}" if isinstance(value, float) else str(value)
    if low is not None and high is not None:
        said += f" ({low:.4g} to {high:.4g})"
    return said.replace("|", "\\|").replace("\n", " ")


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
