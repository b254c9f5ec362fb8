"""What is exported: a fine-tuning, one trained classifier, or the folder of a checkpoint."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InvalidOption, MissingModel, StaleClassifier, WorkbenchError
from ...relevance.classifier.adapters import ADAPTER_WEIGHTS
from ...relevance.encoders.model_files import ModelFiles, find_model, sha256_of
from ...relevance.encoders.transformer import DEFAULT_NAME
from ...relevance.pair_text import PairTextOptions
from ..learning.bases import Base, find_base, reads_english_alone

if TYPE_CHECKING:
    from ...relevance.combination import Combination
    from ...relevance.recurring import RecurringQuestions

TRAINING = "training.json"
ADAPTER = "adapter"
ADAPTER_CONFIG = "adapter_config.json"
MAX_TOKENS = 256
"""Window of a classifier whose checkpoint does not say with which it was trained."""
PARTS = ("train", "validation", "test")
NOT_KNOWN = (
    "The checkpoint does not say on which documents it was trained, so nobody can tell which figures are in sample; "
    "give trained_on where you know."
)


@dataclass(frozen=True, kw_only=True)
class Source:
    """What is exported.

    Attributes
    ----------
    checkpoint : pathlib.Path
        The merged model, as stock transformers loads it, or an adapter alone.
    adapter : pathlib.Path or None
        What stock peft loads over the base.
    base : Base or None
        None where the checkpoint does not name one that is here.
    base_note : mapping
        What the checkpoint says of its base: name, sha256, licence.
    max_tokens : int
    pair_text : PairTextOptions
    languages : tuple of str or None
    training : mapping
        Data fingerprint, options, seed, looks.
    encoder : pathlib.Path or None
        Checkpoint of the encoder for the first stage.
    combination : Combination or None
    recurring : RecurringQuestions or None
    metrics : tuple of mapping
    notes : tuple of str
    """

    checkpoint: Path
    adapter: Path | None
    base: Base | None
    base_note: Mapping[str, str]
    max_tokens: int = MAX_TOKENS
    pair_text: PairTextOptions = field(default_factory=PairTextOptions)
    languages: tuple[str, ...] | None = None
    training: Mapping[str, Any] = field(default_factory=dict)
    encoder: Path | None = None
    combination: Combination | None = None
    recurring: RecurringQuestions | None = None
    metrics: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[str, ...] = ()


def source_of(
    given: Any,
    *,
    base: str | Path | None = None,
    languages: Iterable[str] | None = None,
    trained_on: Iterable[str] | None = None,
) -> Source:
    """Look at what is to be exported.

    Parameters
    ----------
    given : FineTuned, Trained, str or path
    base : str or path, optional
        The model that the adapter lies over, where the checkpoint does not say.
    languages : iterable of str, optional
        Codes of the languages that it reads; those of the base where they are known.
    trained_on : iterable of str, optional
        SHA-256 of the documents that it was trained on; those that the split or the checkpoint names where they do.

    Raises
    ------
    InvalidOption
        If it is none of these.
    MissingModel
        If there is no classifier in it.
    """
    trained = getattr(given, "classifier", given)
    folder = Path(trained).expanduser() if isinstance(trained, str | Path) else getattr(trained, "folder", None)
    if not isinstance(folder, Path):
        raise InvalidOption(
            f"What is to be exported is {type(given).__name__}; give what fine_tune or train_classifier returned, or "
            "the folder of a checkpoint."
        )
    folder = best_checkpoint(folder)
    said = _json_of(folder / TRAINING)
    if said.get("kind", "classifier") != "classifier":
        raise InvalidOption(f"In {folder} lies an encoder, not a classifier; give the checkpoint of the classifier.")
    found, note, notes = _base(trained, folder, said, base)
    documents = _documents(getattr(given, "split", None), said, trained_on)
    if "documents" not in documents:
        notes.append(NOT_KNOWN)
    if hasattr(given, "encoder"):
        encoder = getattr(given.encoder, "folder", given.encoder)
    else:
        encoder, told = encoder_beside(folder, said)
        notes += told
    options = said.get("options") or {}
    return Source(
        checkpoint=folder,
        adapter=_adapter(folder),
        base=found,
        base_note=note,
        max_tokens=_window(folder, options),
        pair_text=PairTextOptions.of((said.get("more") or {}).get("texts") or {}),
        languages=_languages(languages, note["name"]),
        training=_training(said) | documents,
        encoder=encoder,
        combination=getattr(given, "combination", None),
        recurring=getattr(given, "recurring", None),
        metrics=metrics_of(getattr(given, "evaluation", None)),
        notes=tuple(notes),
    )


def best_checkpoint(folder: Path) -> Path:
    """Return the best checkpoint of a training's folder, or the folder itself if it is one.

    Raises
    ------
    MissingModel
        If it is neither.
    """
    run = _json_of(folder / "run.json")
    place = folder / str(run["best"]) if run.get("best") else folder
    if not (place / "config.json").is_file() and not (place / ADAPTER_CONFIG).is_file():
        raise MissingModel(
            f"There is no trained classifier in {folder}: it has neither config.json nor {ADAPTER_CONFIG}; give the "
            "folder of a checkpoint."
        )
    return place


def metrics_of(evaluation: Any) -> tuple[dict[str, Any], ...]:
    """Return the rows of an evaluation as plain values; none without one."""
    if evaluation is None:
        return ()
    frame = evaluation.to_frame() if hasattr(evaluation, "to_frame") else evaluation
    rows: list[dict[str, Any]] = json.loads(frame.reset_index(drop=True).to_json(orient="records", double_precision=6))
    return tuple(rows)


def _base(
    trained: Any, folder: Path, said: Mapping[str, Any], given: str | Path | None
) -> tuple[Base | None, dict[str, str], list[str]]:
    """Return the base, if it is here, what is known of it, and what must be said."""
    noted = said.get("base") or {}
    config = _json_of((_adapter(folder) or folder) / ADAPTER_CONFIG)
    name = given or noted.get("name") or config.get("base_model_name_or_path")
    found = getattr(trained, "base", None) if given is None else None
    if not isinstance(found, Base) and name:
        try:
            found = find_base(name) if given else base_here(str(name))
        except WorkbenchError as error:
            if _adapter(folder) is not None and not (folder / "config.json").is_file():
                raise
            return None, _noted(noted, str(name)), [f"The base was not looked at: {error}"]
    if not isinstance(found, Base):
        own = ModelFiles.of(folder)
        return None, {"name": folder.name, "sha256": own.fingerprint(), "licence": ""}, []
    if noted.get("sha256") and noted["sha256"] != found.sha256:
        raise StaleClassifier(
            f"The base {found.name} in {found.folder} is not the one that the checkpoint {folder.name} was trained "
            f"from: a weight is another one (its SHA-256 is {found.sha256[:12]}…, not {noted['sha256'][:12]}…); fetch "
            "that model again."
        )
    return found, {"name": found.name, "sha256": found.sha256, "licence": found.licence}, []


def base_here(name: str) -> Base:
    """Return a base that a file names; no hub is asked for what a person did not name.

    Raises
    ------
    MissingModel
        If it is not on this machine.
    """
    if name == DEFAULT_NAME or Path(name).expanduser().is_dir():
        return find_base(name)
    return replace(find_base(find_model(name, offline=True)), name=name)


def _noted(noted: Mapping[str, Any], name: str) -> dict[str, str]:
    return {
        "name": Path(name).name if Path(name).is_absolute() else name,
        "sha256": str(noted.get("sha256") or "unknown"),
        "licence": str(noted.get("licence") or ""),
    }


def _adapter(folder: Path) -> Path | None:
    for place in (folder / ADAPTER, folder):
        if (place / ADAPTER_CONFIG).is_file():
            return place
    return None


def _window(folder: Path, options: Mapping[str, Any]) -> int:
    wanted = int(options.get("max_tokens") or MAX_TOKENS)
    return min(wanted, ModelFiles.of(folder).positions()) if (folder / "config.json").is_file() else wanted


def _languages(given: Iterable[str] | None, base: str) -> tuple[str, ...] | None:
    if given is not None:
        return tuple(sorted(given))
    return ("en",) if reads_english_alone(base) else None


def _training(said: Mapping[str, Any]) -> dict[str, Any]:
    if not said:
        return {}
    options = dict(said.get("options") or {})
    progress = said.get("progress") or {}
    looks = progress.get("history") or []
    return {
        "data": said.get("data", ""),
        "seed": options.get("seed"),
        "options": options,
        "computation": said.get("computation", ""),
        "steps": progress.get("step"),
        "validation": looks[-1] if looks else None,
    }


def _documents(split: Any, said: Mapping[str, Any], given: Iterable[str] | None) -> dict[str, Any]:
    """Return the hashes of the documents of each part, so that nobody takes figures in sample for others.

    Nothing where neither the person, nor the split, nor the checkpoint says.
    """
    if given is not None:
        return {"documents": {"train": sorted(set(given)), "validation": []}}
    if split is not None:
        parts = {name: sorted({one.sha256 for one in split.part(name).documents.values()}) for name in PARTS}
        return {"documents": parts, "split_seed": split.seed}
    noted = said.get("documents")
    if not isinstance(noted, dict) or not noted.get("train"):
        return {}
    return {"documents": {name: sorted(map(str, noted.get(name) or ())) for name in PARTS}}


def encoder_beside(folder: Path, said: Mapping[str, Any]) -> tuple[Path | None, list[str]]:
    """Return the encoder that a checkpoint was started from, and what must be said of it.

    ``fine_tune`` puts it beside the classifier; it is known by the hash of its adapter.
    """
    wanted = (said.get("more") or {}).get("start_from")
    if not wanted:
        return None, []
    for above in (folder.parent, folder.parent.parent):
        place = above / "encoder"
        best = _json_of(place / "run.json").get("best")
        found = place / str(best) if best else place
        weights = found / ADAPTER / ADAPTER_WEIGHTS
        if weights.is_file() and sha256_of(weights) == wanted:
            return found, []
    return None, [
        "The classifier was started from an encoder that was trained, and that one is not beside it, so the packaged "
        "encoder is its first stage."
    ]


def _json_of(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    try:
        found = json.loads(file.read_bytes())
    except ValueError as error:
        raise MissingModel(f"{file} is no JSON ({error}); train again in another folder.") from error
    return found if isinstance(found, dict) else {}
