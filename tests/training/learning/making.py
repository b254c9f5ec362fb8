"""Short written documents with questions, and a training that takes seconds."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

from safetensors.torch import load_file

from tests.training.made_questions import asked, pages
from workbench.relevance.encoders.model_files import TOKENIZER_FILES
from workbench.training.learning import Trained, find_base
from workbench.training.options import TrainingOptions
from workbench.training.question import Question

THINGS = (
    ("pump", "pressure", "6 bar"),
    ("boiler", "temperature", "80 degrees"),
    ("valve", "torque", "12 newton metres"),
    ("filter", "area", "3 square metres"),
    ("motor", "speed", "1,450 turns a minute"),
    ("tank", "volume", "900 litres"),
    ("sensor", "range", "4 kilometres"),
    ("lamp", "brightness", "700 lumens"),
)
FILLINGS = (
    "Read these instructions before the {thing} is unpacked.",
    "The {thing} was made in Gdansk by hand.",
    "Nobody may open the {thing} while it runs.",
    "Clean the {thing} with a dry cloth once a week.",
    "Spare parts of the {thing} are listed on the last page.",
    "The {measure} of the {thing} is checked by a service engineer.",
)


def questions(count: int = len(THINGS), *, first: int = 0) -> list[Question]:
    """One question a document; its evidence is block 3."""
    found = []
    for thing, measure, value in THINGS[first : first + count]:
        texts = [filling.format(thing=thing, measure=measure) for filling in FILLINGS]
        texts.insert(3, f"In operation the {measure} of the {thing} is at most {value}.")
        document = pages(*texts, name=f"{thing}.txt")
        found.append(asked(document, f"What {measure} may the {thing} have?", 3))
    return found


def quick(**chosen: Any) -> TrainingOptions:
    """Options of a training of a few seconds."""
    given: dict[str, Any] = {
        "epochs": 2,
        "learning_rate": 5e-3,
        "rank": 4,
        "alpha": 8.0,
        "batch": 2,
        "negatives": 3,
        "max_tokens": 48,
        "validations": 3,
        "validation_candidates": 4,
        "patience": 0,
        "device": "cpu",
        "precision": "fp32",
    }
    return TrainingOptions(**{**given, **chosen})


def hash_of(checkpoint: Path) -> str:
    """The hash of everything that a checkpoint's model computes with."""
    digest = hashlib.sha256()
    for file in ("model.safetensors", "adapter/adapter_model.safetensors", "optimizer.safetensors"):
        for name, tensor in sorted(load_file(checkpoint / file).items()):
            digest.update(f"{file} {name}".encode() + tensor.numpy().tobytes())
    return digest.hexdigest()


def last_of(trained: Trained) -> str:
    """The hash of the last checkpoint of a training."""
    (last,) = trained.folder.parent.glob(f"step-{trained.history[-1].step:06d}")
    return hash_of(last)


def tiny_base_at(folder: Path, *, kind: str = "bert") -> Path:
    """A model of two small layers with drawn weights, and MiniLM's tokenizer."""
    import torch
    from transformers import BertConfig, BertModel, DistilBertConfig, DistilBertModel

    sizes = {"vocab_size": 30_522, "max_position_embeddings": 128, "initializer_range": 0.2}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        if kind == "bert":
            config = BertConfig(
                hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, **sizes
            )
            BertModel(config).save_pretrained(folder)
        else:
            config = DistilBertConfig(dim=32, n_layers=2, n_heads=4, hidden_dim=64, **sizes)
            DistilBertModel(config).save_pretrained(folder)
    packaged = find_base().folder
    for name in TOKENIZER_FILES:
        if (packaged / name).is_file():
            shutil.copy(packaged / name, folder / name)
    return folder
