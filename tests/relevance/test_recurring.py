"""What was learnt of recurring questions: when it speaks, what it adds, and what it is refused for."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.made import Made
from tests.relevance.fake_encoder import FakeEncoder
from tests.training.made_contracts import ASKED, contract, learnt, reads_all
from workbench.errors import InvalidOption, MissingModel, StaleClassifier
from workbench.relevance.encoders import default_encoder
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.recurring import (
    OPEN,
    RECURRING,
    SHAPES,
    SHUT,
    RecurringQuestions,
    gate_of,
)

NEW = "How warm may the boiler become?"


def made(**given: Any) -> RecurringQuestions:
    """Two dimensions, one network that says nothing; documents a, b, c were asked the same, d another thing."""
    sizes = {"s": 1, "d": 2, "h": 3, "k": 4}
    values: dict[str, Any] = {
        "networks": {name: np.zeros([sizes[one] for one in shape], np.float32) for name, shape in SHAPES.items()},
        "asked": np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0.6, 0.8]], np.float16),
        "asked_of": np.array([0, 1, 2, 3, 0], np.int32),
        "documents": ("a", "b", "c", "d"),
        "encoder": "f1",
    }
    return RecurringQuestions(**{**values, **given})


def scorer(**given: Any) -> HybridScorer:
    return HybridScorer(default_encoder(), **given)


def test_a_new_question_adds_exactly_nothing() -> None:
    document = contract("Riga")[0].document
    plain, other = scorer().score(document, NEW), scorer(recurring=learnt()).score(document, NEW)
    assert learnt().gate(scorer().question_vector(NEW)) == 0.0  # type: ignore[arg-type]
    assert not other.parts[RECURRING].any()
    assert np.array_equal(plain.logits, other.logits)
    assert plain.scorer != other.scorer


def test_the_parts_add_up_to_the_logit_with_it() -> None:
    scores = scorer(recurring=learnt()).score(contract("Riga")[0].document, ASKED[0])
    assert scores.parts[RECURRING].any()
    assert np.allclose(sum(scores.parts.values()), scores.logits, atol=1e-4)


def test_what_a_document_was_asked_itself_does_not_count() -> None:
    voice = made()
    asked = np.array([1.0, 0.0], np.float32)
    assert voice.nearness(asked) == pytest.approx(1.0)
    # Of document a two others were asked the same, and the third nearest is d.
    assert voice.nearness(asked, document="a") == pytest.approx(2 / 3)
    assert voice.gate(asked) == 1.0
    assert voice.gate(asked, document="a") == 0.0
    assert voice.gate(asked, document="d") == 1.0


def test_a_question_counts_once_a_document() -> None:
    """Three times the same of one document is no question that recurs."""
    voice = made(asked=np.array([[1, 0]] * 3, np.float16), asked_of=np.zeros(3, np.int32), documents=("a",))
    assert voice.nearness(np.array([1.0, 0.0], np.float32)) == pytest.approx(1 / 3)


@given(st.floats(-1, 1))
def test_the_gate_is_shut_below_and_open_above(nearness: float) -> None:
    found = gate_of(nearness)
    assert 0 <= found <= 1
    assert (found == 0) if nearness <= SHUT else (found == 1) if nearness >= OPEN else True


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_the_gate_never_falls_as_a_question_comes_nearer(one: float, other: float) -> None:
    assert gate_of(min(one, other)) <= gate_of(max(one, other))


def test_numpy_computes_what_torch_trained() -> None:
    import torch

    from workbench.training.recurring_training import RecurringOptions, _Network

    with torch.random.fork_rng():
        torch.manual_seed(3)
        network = _Network(2, RecurringOptions(hidden=3, seen=4, dropout=0.0))
        for values in network.weights:
            torch.nn.init.normal_(values)
    voice = made(networks={name: array[None] for name, array in network.arrays().items()})
    question, blocks = np.array([0.6, -0.8], np.float32), np.array([[0.3, 0.1], [-0.9, 0.2]], np.float32)
    with torch.inference_mode():
        wanted = network(torch.from_numpy(question[None]), torch.from_numpy(blocks))[:, 0].numpy()
    assert np.allclose(voice._told(question, blocks), wanted, atol=1e-5)


def test_a_question_or_a_document_that_the_encoder_does_not_read_gets_nothing() -> None:
    english = contract("Riga")[0].document
    chinese = Made(language="zh").page().text("本协议适用波兰法律。", "天气很好。").document()
    for document, question in ((english, "本协议适用哪国法律？"), (chinese, ASKED[0]), (chinese, "适用哪国法律？")):
        scores = scorer(recurring=learnt()).score(document, question)
        assert scores.words_alone
        assert not scores.parts[RECURRING].any()


def test_a_document_without_text_gets_nothing_and_a_block_without_a_unit_what_the_weakest_has() -> None:
    empty = Made().page().document()
    assert len(scorer(recurring=learnt()).score(empty, ASKED[0]).parts[RECURRING]) == 0
    mixed = Made().page().text("* * *", "The courts apply their own statutes.", "Leather and paper.").document()
    part = scorer(recurring=learnt()).score(mixed, ASKED[0]).parts[RECURRING]
    assert part[0] == part.min()
    assert part[1] == part.max()


def test_it_comes_back_from_its_file_and_from_a_pickle_as_it_was(tmp_path: Path) -> None:
    voice = learnt()
    voice.save(tmp_path / "recurring.safetensors")
    document = contract("Riga")[0].document
    wanted = scorer(recurring=voice).score(document, ASKED[1])
    for other in (RecurringQuestions.load(tmp_path / "recurring.safetensors"), pickle.loads(pickle.dumps(voice))):
        assert other.fingerprint == voice.fingerprint
        found = scorer(recurring=other).score(document, ASKED[1])
        assert np.array_equal(found.logits, wanted.logits)
        assert found.scorer == wanted.scorer
    assert "18 questions of 6 documents" in repr(voice)


def test_another_encoder_is_refused() -> None:
    for encoder, said in ((FakeEncoder({}, fingerprint="f2"), "this is f2"), (None, "there is none")):
        with pytest.raises(StaleClassifier) as caught:
            HybridScorer(encoder, recurring=made())
        assert str(caught.value) == (
            f"What was learnt of recurring questions needs the vectors of the encoder f1, and {said}; give the encoder "
            "that it was trained with, or train again."
        )
    # The same vectors, whatever languages somebody says that they are good for.
    assert HybridScorer(reads_all(), recurring=learnt()).recurring is learnt()
    with pytest.raises(InvalidOption, match=r"^recurring is 'a file'; give RecurringQuestions\.$"):
        HybridScorer(default_encoder(), recurring="a file")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"networks": {}}, "hidden"),
        ({"networks": {**made().networks, "seen": np.zeros((1, 4, 3), np.float32)}}, "seen"),
        ({"networks": {**made().networks, "hidden_bias": np.full((1, 3), np.nan, np.float32)}}, "hidden_bias"),
        ({"asked": np.zeros((5, 2), np.float32)}, "asked"),
        ({"asked_of": np.array([0, 1, 2, 3, 4], np.int32)}, "asked_of"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(given: dict[str, Any], name: str) -> None:
    with pytest.raises(StaleClassifier) as caught:
        made(**given)
    assert str(caught.value) == (
        f"The array {name!r} of what was learnt of recurring questions does not fit; export the classifier again."
    )


def test_a_file_that_is_not_what_was_written_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import load, save

    file = tmp_path / "recurring.safetensors"
    with pytest.raises(MissingModel, match=r"^There is no .*recurring\.safetensors; copy the whole folder"):
        RecurringQuestions.load(file)
    voice = made()
    voice.save(file)
    whole = file.read_bytes()
    arrays = load(whole)
    said = {"schema_version": 1, "encoder": "f1", "documents": ["a", "b", "c", "d"], "fingerprint": voice.fingerprint}
    wrong = [
        (whole[: len(whole) // 2], "cannot be read"),
        (b"", "cannot be read"),
        (save(arrays), "cannot be read"),
        (save(arrays, {RECURRING: json.dumps({**said, "schema_version": 2})}), "has version 2, and this workbench"),
        (save(arrays, {RECURRING: json.dumps({**said, "encoder": "f2"})}), "was changed after it was written"),
        (save({**arrays, "asked": -arrays["asked"]}, {RECURRING: json.dumps(said)}), "was changed after"),
        (save({"asked": arrays["asked"]}, {RECURRING: json.dumps(said)}), "cannot be read"),
    ]
    for data, told in wrong:
        file.write_bytes(data)
        with pytest.raises(StaleClassifier, match=told):
            RecurringQuestions.load(file)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"recurring\.safetensors cannot be written \(No such file or directory\)"):
        made().save(tmp_path / "nowhere" / "recurring.safetensors")
