"""The models that are trained: a base with an adapter on its layers and, for a classifier, a head."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...errors import DamagedModel, InvalidOption, MissingModel, TrainingRefused
from ...relevance.encoders.transformers_model import silent_transformers
from ..options import TrainingOptions
from .bases import Base
from .computation import device_of

LABELS = {0: "not relevant", 1: "relevant"}
"""The order of a classifier's two logits."""
ADAPTER = "adapter"
ADAPTER_WEIGHTS = "adapter_model.safetensors"
ADAPTER_CONFIG = "adapter_config.json"
_WRAP = "base_model.model."
_POOLER = "pooler"


def classifier_of(base: Base, options: TrainingOptions, start_from: Path | None = None) -> Any:
    """Return a classifier with an adapter on every linear layer of the base, and a new head.

    Parameters
    ----------
    base : Base
    options : TrainingOptions
    start_from : path, optional
        A checkpoint of an encoder adapter over the same base: the classifier's adapter begins as that one.

    Raises
    ------
    MissingModel, DamagedModel
        If transformers cannot load the base.
    TrainingRefused
        If ``start_from`` does not fit.
    """
    from transformers import AutoModelForSequenceClassification

    with _seeded(options.seed):
        model, fresh = _loaded(
            AutoModelForSequenceClassification,
            base,
            options,
            num_labels=len(LABELS),
            id2label=LABELS,
            label2id={name: index for index, name in LABELS.items()},
        )
        inner = f"{model.base_model_prefix}."
        heads = [name for name, module in model.named_children() if f"{name}." != inner and _has_weights(module)]
        if not heads:
            raise TrainingRefused(f"{base.name} got no head from transformers; choose a BERT, RoBERTa or DistilBERT.")
        # The pooler was trained for another task, or is new: it learns with the head.
        heads += [name for name, _ in model.named_modules() if name == f"{inner}{_POOLER}"]
        left = [name for name in fresh if not any(name.startswith(f"{head}.") for head in heads)]
        if left:
            raise DamagedModel(f"The weights of {base.name} lack {left[0]} and {len(left) - 1} more; fetch it again.")
        adapted = _with_adapter(model, options, heads, "SEQ_CLS")
    if start_from is not None:
        _begin_as(adapted, start_from, base, inner)
    return adapted


def encoder_of(base: Base, options: TrainingOptions) -> Any:
    """Return an encoder with an adapter on every linear layer; see ``classifier_of``."""
    from transformers import AutoModel

    with _seeded(options.seed):
        model, fresh = _loaded(AutoModel, base, options)
        left = [name for name in fresh if not name.startswith(f"{_POOLER}.")]
        if left:
            raise DamagedModel(f"The weights of {base.name} lack {left[0]} and {len(left) - 1} more; fetch it again.")
        return _with_adapter(model, options, [], "FEATURE_EXTRACTION")


def _loaded(kind: Any, base: Base, options: TrainingOptions, **settings: Any) -> tuple[Any, list[str]]:
    """Return the model in single precision, and the names of its new weights."""
    import torch
    from safetensors import SafetensorError

    if device_of(options) == "cpu":
        # Backward through the fused attention of processors takes a third of a step; written out, far less.
        settings["attn_implementation"] = "eager"
    try:
        with silent_transformers():
            model, report = kind.from_pretrained(
                base.folder,
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                dtype=torch.float32,
                output_loading_info=True,
                **settings,
            )
    except (SafetensorError, RuntimeError) as error:
        raise DamagedModel(f"The model in {base.folder} cannot be loaded ({_short(error)}); fetch it again.") from error
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise MissingModel(
            f"The model in {base.folder} is none that can be trained here ({_short(error)}); choose an encoder such "
            "as all-MiniLM-L6-v2 or distilbert-base-uncased."
        ) from error
    # Without dropout a step is twice as fast on a processor, and every one can be repeated.
    return model.eval(), sorted(report["missing_keys"])


def _with_adapter(model: Any, options: TrainingOptions, heads: list[str], task: str) -> Any:
    import torch
    from peft import LoraConfig, get_peft_model

    # By their whole names: "all-linear" also lays an adapter on parts of the head, which are then not saved.
    targets = [
        name
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear)
        and not any(name == head or name.startswith(f"{head}.") for head in (*heads, _POOLER))
    ]
    if not targets:
        raise InvalidOption("The model has no linear layer that an adapter could lie on; choose another base.")
    config = LoraConfig(
        task_type=task,
        r=options.rank,
        lora_alpha=options.alpha,  # type: ignore[arg-type]
        lora_dropout=0.0,
        bias="none",
        target_modules=targets,
        modules_to_save=heads or None,
    )
    with warnings.catch_warnings():
        # peft asks transformers in a way that it will give up; nobody here can do anything about it.
        warnings.simplefilter("ignore", FutureWarning)
        return get_peft_model(model, config).eval()


def _begin_as(model: Any, checkpoint: Path, base: Base, inner: str) -> None:
    """Give a classifier's adapter the weights of an encoder's.

    A smaller rank is filled with zeros on the side that counts, and scaled so that the product stays the same.
    """
    import torch

    theirs, said = adapter_weights(checkpoint / ADAPTER)
    settings = json.loads((checkpoint / "training.json").read_text(encoding="utf-8"))
    if settings["base"]["sha256"] != base.sha256:
        raise TrainingRefused(
            f"The encoder in {checkpoint} lies over {settings['base']['name']}, not over {base.name}; train it over "
            "the same base, or start without it."
        )
    config = model.peft_config["default"]
    scale = (said["lora_alpha"] / said["r"]) / (config.lora_alpha / config.r)
    own = {_unnamed(name): weight for name, weight in model.named_parameters() if ".lora_" in name}
    known = {f"{_WRAP}{inner}{name.removeprefix(_WRAP)}": weight for name, weight in theirs.items()}
    if said["r"] > config.r or own.keys() != known.keys():
        raise TrainingRefused(
            f"The adapter in {checkpoint} has rank {said['r']} and {len(known)} matrices, that of the classifier rank "
            f"{config.r} and {len(own)}; give the classifier at least the encoder's rank."
        )
    with torch.no_grad():
        for name, weight in own.items():
            given = known[name].to(weight.dtype)
            if ".lora_A." in name:
                weight[: given.shape[0]] = given
            else:
                weight.zero_()
                weight[:, : given.shape[1]] = given * scale


def adapter_weights(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the tensors of an adapter that peft has saved, and its configuration.

    Raises
    ------
    DamagedModel
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(folder / ADAPTER_WEIGHTS), json.loads((folder / ADAPTER_CONFIG).read_bytes())
    except (OSError, ValueError, SafetensorError) as error:
        raise DamagedModel(f"The adapter in {folder} cannot be read ({_short(error)}); train it again.") from error


def restore(model: Any, folder: Path) -> None:
    """Give a model the weights of an adapter that was saved from one like it.

    Raises
    ------
    DamagedModel
        If they are not those of such a model.
    """
    import torch

    weights, _ = adapter_weights(folder)
    own = {_unnamed(name): one for name, one in model.named_parameters() if one.requires_grad}
    if own.keys() != weights.keys():
        raise DamagedModel(f"The adapter in {folder} is not that of this model; train it again in another folder.")
    with torch.no_grad():
        for name, weight in own.items():
            weight.copy_(weights[name])


def merged_weights(model: Any) -> dict[str, Any]:
    """Return the weights as transformers names them, the adapter added to those that it lies on.

    The model itself is not touched: to add and to take away again would not give the same numbers.
    """
    layers = dict(model.get_base_model().named_modules())
    found: dict[str, Any] = {}
    for name, weight in model.get_base_model().state_dict().items():
        if "lora_" in name or ".original_module." in name:
            continue
        plain = re.sub(r"\.base_layer(?=\.)|\.modules_to_save\.default(?=\.)", "", name)
        merged = weight.detach()
        if name.endswith(".base_layer.weight"):
            merged = merged + layers[name.removesuffix(".base_layer.weight")].get_delta_weight("default").detach()
        found[plain] = merged.cpu().contiguous().clone()
    return found


def _unnamed(name: str) -> str:
    """Return the name under which peft saves a parameter."""
    return name.replace(".modules_to_save.default.", ".").replace(".default.", ".")


def _has_weights(module: Any) -> bool:
    return any(True for _ in module.parameters())


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Draw by a seed, and leave the draws of others as they were."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


def _short(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error))[:200].rstrip(". ")
