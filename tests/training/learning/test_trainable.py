"""What is trained is listed by name and count, and always with the head."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.training.learning.making import quick
from workbench.errors import TrainingRefused
from workbench.training.learning import find_base, trainable_parts
from workbench.training.learning.models import classifier_of, encoder_of


def stock(base: Path, **settings: Any) -> Any:
    """A classifier as people make one with peft by hand."""
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=2)
    return get_peft_model(model, LoraConfig(r=2, **settings))


def test_the_table_names_every_part_and_its_count(tiny_base: Path) -> None:
    parts = trainable_parts(classifier_of(find_base(tiny_base), quick()))
    said = str(parts)
    assert re.search(r"bert\.encoder\.layer\.\*\.attention\.self\.query\.lora_A\.weight +2 +256\n", said)
    assert re.search(r"classifier\.weight +1 +64  head", said)
    assert said.splitlines()[-1] == (
        f"{parts.trained:,} of {parts.trained + parts.frozen:,} numbers are trained (0.5%); the others stay as they "
        "are."
    )
    assert parts.trained == sum(part.numbers for part in parts.parts)
    assert parts.to_dict()["parts"][0]["tensors"] == 2


def test_an_encoder_has_no_head_and_no_adapter_on_the_pooler(tiny_base: Path) -> None:
    parts = trainable_parts(encoder_of(find_base(tiny_base), quick()))
    assert parts.head == ()
    assert not any("pooler" in part.name for part in parts.parts)


def test_all_linear_on_a_part_of_the_head_is_refused(tiny_distilbert: Path) -> None:
    with pytest.raises(
        TrainingRefused,
        match=r"An adapter lies on pre_classifier, a part of the head; name the layers of the adapter without it",
    ):
        trainable_parts(stock(tiny_distilbert, target_modules="all-linear", modules_to_save=["score"]))


def test_a_head_that_would_not_be_saved_is_refused(tiny_distilbert: Path) -> None:
    with pytest.raises(
        TrainingRefused,
        match=r"The head's part pre_classifier would be neither trained nor saved; give it to modules_to_save\.",
    ):
        trainable_parts(stock(tiny_distilbert, target_modules=["q_lin", "v_lin"]))


def test_a_model_of_which_nothing_is_trained_is_refused(tiny_base: Path) -> None:
    model = classifier_of(find_base(tiny_base), quick())
    for parameter in model.parameters():
        parameter.requires_grad = False
    with pytest.raises(TrainingRefused, match="Nothing of the model is trained: all its parameters are frozen"):
        trainable_parts(model)
