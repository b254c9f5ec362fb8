"""What of a model is trained, by name and count: shown before the start, and refused without a head."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ...errors import TrainingRefused

_WRAPPERS = re.compile(r"^base_model\.model\.|\.default(?=\.|$)|\.modules_to_save(?=\.|$)")
_LAYER = re.compile(r"(?<=\.)\d+(?=\.)")


class Part(NamedTuple):
    """Parameters of one kind: those of all layers together.

    Attributes
    ----------
    name : str
        As in the model, with "*" for the number of a layer.
    tensors, numbers : int
        How many tensors, and how many numbers they hold.
    is_head : bool
        Whether it belongs to the head, which is trained and saved as a whole.
    """

    name: str
    tensors: int
    numbers: int
    is_head: bool


@dataclass(frozen=True, slots=True)
class TrainableParts:
    """What is trained and what is not.

    Attributes
    ----------
    parts : tuple of Part
        What is trained: the adapter in the order of the model, then the head.
    frozen : int
        Numbers that stay as they are.
    needs_head : bool
        Whether the model has a head at all; an encoder has none.
    """

    parts: tuple[Part, ...]
    frozen: int
    needs_head: bool = True

    @property
    def trained(self) -> int:
        """Numbers that are trained."""
        return sum(part.numbers for part in self.parts)

    @property
    def head(self) -> tuple[str, ...]:
        """Names of the head's parts."""
        return tuple(part.name for part in self.parts if part.is_head)

    def to_dict(self) -> dict[str, Any]:
        """Return it as a dict that JSON can hold."""
        return asdict(self) | {"parts": [part._asdict() for part in self.parts]}

    def __str__(self) -> str:
        """Return the table that is shown before the start."""
        width = max(len(part.name) for part in self.parts)
        lines = [f"{'trained':<{width}}  tensors     numbers"]
        lines += [
            f"{part.name:<{width}}  {part.tensors:>7,}  {part.numbers:>10,}{'  head' if part.is_head else ''}"
            for part in self.parts
        ]
        share = self.trained / (self.trained + self.frozen)
        total = f"{self.trained:,} of {self.trained + self.frozen:,} numbers are trained ({share:.1%})"
        return "\n".join([*lines, f"{total}; the others stay as they are."])

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def trainable_parts(model: Any, *, needs_head: bool | None = None) -> TrainableParts:
    """Return what of a model would be trained.

    Parameters
    ----------
    model : torch.nn.Module
        A model with an adapter by peft, or any other.
    needs_head : bool, optional
        Whether it must have a head; by default whether transformers gave it labels to tell apart.

    Raises
    ------
    TrainingRefused
        If nothing is trained, or a part of the head is not trained and saved as a whole: then an adapter lies on it
        (as the target "all-linear" may do), or it stays as it was drawn.
    """
    wanted = _has_labels(model) if needs_head is None else needs_head
    counts: dict[str, list[int]] = {}
    frozen = 0
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            found = counts.setdefault(_shown(name), [0, 0])
            found[0] += 1
            found[1] += parameter.numel()
        else:
            frozen += parameter.numel()
    heads = (*_head_names(model), *_saved_names(model)) if wanted else ()
    parts = [Part(name, found[0], found[1], _belongs(name, heads)) for name, found in counts.items()]
    if not parts:
        raise TrainingRefused("Nothing of the model is trained: all its parameters are frozen; put an adapter on it.")
    if wanted:
        _check_head(model, heads)
    return TrainableParts(tuple(sorted(parts, key=lambda part: part.is_head)), frozen, wanted)


def _check_head(model: Any, heads: tuple[str, ...]) -> None:
    """Refuse a model whose head would not be saved."""
    has_adapter, saved = hasattr(model, "peft_config"), _saved_names(model)
    for head in heads:
        inside = [(name, one) for name, one in model.named_parameters() if _belongs(_shown(name), (head,))]
        if any("lora_" in name for name, _ in inside):
            raise TrainingRefused(
                f"An adapter lies on {head}, a part of the head; name the layers of the adapter without it, and give "
                f"{head} to modules_to_save."
            )
        is_saved = not has_adapter or any(head == name or head.endswith(f".{name}") for name in saved)
        trained = [one.requires_grad for name, one in inside if ".original_module." not in name]
        if not is_saved or not trained or not all(trained):
            raise TrainingRefused(
                f"The head's part {head} would be neither trained nor saved; give it to modules_to_save."
            )


def _head_names(model: Any) -> tuple[str, ...]:
    """Return the names of the modules behind the encoder: what a checkpoint of the encoder alone does not have."""
    inner = _inner(model)
    prefix = getattr(inner, "base_model_prefix", "")
    return tuple(
        name for name, module in inner.named_children() if name != prefix and any(True for _ in module.parameters())
    ) or ("classifier",)


def _saved_names(model: Any) -> list[str]:
    """Return the names of the modules that are saved whole with an adapter."""
    configs = getattr(model, "peft_config", None) or {}
    there = {name for name, _ in _inner(model).named_modules()}
    named = [name for config in configs.values() for name in config.modules_to_save or ()]
    return [name for name in dict.fromkeys(named) if name in there]


def _inner(model: Any) -> Any:
    """Return the model as transformers has it, without what peft wraps around it."""
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def _has_labels(model: Any) -> bool:
    return type(_inner(model)).__name__.endswith("ForSequenceClassification")


def _belongs(name: str, heads: Iterable[str]) -> bool:
    return any(name == head or name.startswith(f"{head}.") for head in heads)


def _shown(name: str) -> str:
    return _LAYER.sub("*", _WRAPPERS.sub("", name))
