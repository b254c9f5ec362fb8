"""The folder of a classifier, written beside its place and put there whole."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...errors import DamagedModel, InvalidOption, StaleClassifier
from ...relevance.classifier.adapters import ADAPTER_WEIGHTS, adapted, check_head
from ...relevance.classifier.manifest import ADAPTER, ENCODER, LABELS, WEIGHTS, is_exported
from ...relevance.encoders.model_files import CONFIG, TOKENIZER_FILES, ModelFiles
from ...relevance.encoders.transformers_model import silent_transformers
from .card import hub_name
from .sources import ADAPTER_CONFIG, Source

POOLING_FILES = (
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "1_Pooling/config.json",
)


@contextmanager
def replaced(target: Path) -> Iterator[Path]:
    """Give an empty folder, and put it in the place of ``target`` when it is filled; on a failure nothing changes.

    Raises
    ------
    InvalidOption
        If something else lies there, or the place cannot be written.
    """
    place = target.expanduser().absolute()
    check_target(place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    except OSError as error:
        raise InvalidOption(
            f"The classifier cannot be written to {place} ({error.strerror or error}); give another folder."
        ) from error
    try:
        yield temporary
        temporary.chmod(0o755)
        for file in temporary.rglob("*"):
            file.chmod(0o755 if file.is_dir() else 0o644)
        _swap(temporary, place)
    except OSError as error:
        raise InvalidOption(
            f"The classifier cannot be written to {place} ({error.strerror or error}); make room, or give another "
            "folder."
        ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def check_target(place: Path) -> None:
    """Refuse to put a classifier where something else lies.

    Raises
    ------
    InvalidOption
    """
    if place.is_dir() and any(place.iterdir()) and not is_exported(place):
        raise InvalidOption(
            f"{place} holds something that is no classifier, and would be replaced; give a new or an empty folder."
        )
    if place.exists() and not place.is_dir():
        raise InvalidOption(f"{place} is a file; a classifier is a folder, so give another name.")


def write_model(source: Source, folder: Path) -> None:
    """Write the merged model, its tokenizer and the order of its labels.

    Raises
    ------
    DamagedModel
        If the checkpoint lacks one of them.
    StaleClassifier
        If its labels are in another order: its logits would be read upside down.
    """
    check_order(source)
    if (source.checkpoint / CONFIG).is_file():
        for name in (CONFIG, WEIGHTS):
            _copied(source.checkpoint, folder, name)
    else:
        _merge(source, folder)
    for name in TOKENIZER_FILES:
        place = next((one for one in _tokenizer_places(source) if (one / name).is_file()), None)
        if place is not None:
            _copied(place, folder, name)
    file = folder / CONFIG
    said = json.loads(file.read_bytes())
    said.pop("_name_or_path", None)  # a path of the machine that trained it
    said["id2label"] = {str(index): label for index, label in enumerate(LABELS)}
    said["label2id"] = {label: index for index, label in enumerate(LABELS)}
    file.write_text(json.dumps(said, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def check_order(source: Source) -> None:
    """Refuse a checkpoint, or the base of an adapter alone, with "relevant" as anything but its second label.

    Raises
    ------
    StaleClassifier
    """
    if (source.checkpoint / CONFIG).is_file():
        names = label_names(source.checkpoint)
        if names and names != LABELS:
            raise StaleClassifier(
                f"The labels of the checkpoint {source.checkpoint} are {_listed(names)}, and its logits are read as "
                f"{_listed(LABELS)}; train it with these, or put them into its {CONFIG} if they say what it was "
                "trained for."
            )
    elif source.base is not None:
        # An adapter says nothing of labels, and its head is its own; a base that names both was trained with them.
        names = label_names(source.base.folder)
        if set(names) == set(LABELS) and names != LABELS:
            raise StaleClassifier(
                f"The labels of the base {source.base.name} are {_listed(names)}, so the adapter over it has them in "
                f"this order, and its logits would be read as {_listed(LABELS)}; train it again, over another base."
            )


def label_names(folder: Path) -> tuple[str, ...]:
    """Return the labels of a model in the order of its logits; none where it does not name them.

    Where ``id2label`` and ``label2id`` contradict each other, the one that does not fit is returned.
    """
    said = ModelFiles.of(folder).config
    by_place, places = (said.get(name) or {} for name in ("id2label", "label2id"))
    if not isinstance(by_place, dict) or not isinstance(places, dict):
        raise DamagedModel(f"The labels in {folder / CONFIG} are no objects; train again, or give another checkpoint.")
    orders = (
        tuple(str(by_place.get(str(place))) for place in range(len(by_place))),
        tuple(name for name, _ in sorted(places.items(), key=lambda one: str(one[1]))),
    )
    named = [names for names in orders if any(name != f"LABEL_{place}" for place, name in enumerate(names))]
    return next((names for names in named if names != LABELS), named[0] if named else ())


def write_adapter(source: Source, folder: Path) -> bool:
    """Write what stock peft loads over the base; return whether there is one.

    Raises
    ------
    StaleClassifier
        If it was saved without its head.
    """
    if source.adapter is None:
        return False
    check_head(source.adapter)
    for name in (ADAPTER_CONFIG, ADAPTER_WEIGHTS):
        _copied(source.adapter, folder / ADAPTER, name)
    file = folder / ADAPTER / ADAPTER_CONFIG
    said = json.loads(file.read_bytes())
    said["base_model_name_or_path"] = hub_name(source.base_note["name"])
    file.write_text(json.dumps(said, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return True


def write_encoder(encoder: Path, folder: Path) -> None:
    """Write the merged encoder of the first stage, with what says how it pools."""
    for name in (CONFIG, WEIGHTS):
        _copied(encoder, folder / ENCODER, name)
    for name in (*TOKENIZER_FILES, *POOLING_FILES):
        if (encoder / name).is_file():
            _copied(encoder, folder / ENCODER, name)


def _listed(labels: Iterable[str]) -> str:
    return ", then ".join(map(repr, labels))


def sizes_of(folder: Path) -> dict[str, int]:
    """Return the bytes of every file by its path inside."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}


def _tokenizer_places(source: Source) -> list[Path]:
    return [source.checkpoint, *([source.base.folder] if source.base is not None else [])]


def _merge(source: Source, folder: Path) -> None:
    """Add an adapter that was saved alone to its base."""
    assert source.adapter is not None
    if source.base is None:
        raise DamagedModel(
            f"The checkpoint {source.checkpoint} is an adapter alone, and does not say over which model; give base."
        )
    model, _ = adapted(source.base.folder, source.adapter)
    with silent_transformers():
        model.merge_and_unload().save_pretrained(folder)


def _copied(source: Path, target: Path, name: str) -> None:
    file = source / name
    if not file.is_file():
        raise DamagedModel(f"The checkpoint {source} lacks {name}; train again, or give another checkpoint.")
    (target / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, target / name)


def _swap(filled: Path, place: Path) -> None:
    """Put a folder in the place of another; whoever looks sees the one or the other, or for a moment none."""
    if not place.exists():
        filled.rename(place)
        return
    away = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    old = away / "old"
    os.rename(place, old)  # noqa: PTH104 - the same call as the next one, which undoes it
    try:
        filled.rename(place)
    except OSError:
        os.rename(old, place)  # noqa: PTH104
        raise
    finally:
        shutil.rmtree(away, ignore_errors=True)
