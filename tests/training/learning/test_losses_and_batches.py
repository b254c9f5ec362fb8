"""What is made small, by hand-set numbers; and that computing it in pieces changes nothing."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.learning.making import questions, quick
from workbench.relevance import HybridScorer
from workbench.relevance.pair_text import PairTextOptions
from workbench.training.learning import batches, find_base
from workbench.training.learning.batches import pair_rows, text_rows, tokenizer_of
from workbench.training.learning.candidates import epoch_lists, pools_of
from workbench.training.learning.computation import Computation, device_of, precision_of
from workbench.training.learning.first_stage import FirstStage
from workbench.training.learning.losses import in_batch_losses, list_loss
from workbench.training.learning.models import classifier_of
from workbench.training.learning.pair_learner import PairLearner


def lost(logits: torch.Tensor, relevant: int, beside: float = 0.0, **chosen: Any) -> float:
    """The loss of a list beside whose first candidate the first stage says something, and nothing of the others."""
    first = torch.zeros_like(logits)
    first[0] = beside
    return float(list_loss(logits, first, relevant, quick(**chosen)))


def test_a_list_is_lost_by_the_share_of_its_evidence() -> None:
    logits = torch.tensor([1.0, 0.0, 0.0])
    share = math.e / (math.e + 2)
    assert lost(logits, 1, pointwise=0.0) == pytest.approx(-math.log(share))
    assert lost(logits + 7, 1, pointwise=0.0) == pytest.approx(-math.log(share), abs=1e-6)
    pairs = (math.log1p(math.exp(-1)) + 2 * math.log(2)) / 3
    assert lost(logits, 1, loss="binary") == pytest.approx(pairs)
    assert lost(logits, 1, pointwise=0.2) == pytest.approx(0.2 * pairs - math.log(share))


def test_what_the_first_stage_says_counts_in_the_list_and_not_in_the_pairs() -> None:
    logits = torch.tensor([0.0, 1.0, 0.0])
    whole = math.exp(3)
    assert lost(logits, 1, beside=3.0, pointwise=0.0) == pytest.approx(math.log((whole + math.e + 1) / whole))
    assert lost(logits, 1, beside=3.0, loss="binary") == lost(logits, 1, loss="binary")
    own = torch.zeros(3, requires_grad=True)
    slopes = []
    for says in (0.0, 5.0):
        first = torch.tensor([says, 0.0, 0.0])
        (slope,) = torch.autograd.grad(list_loss(own, first, 1, quick(pointwise=0.0)), own)
        slopes.append(slope.abs().max().item())
    # Where the first stage knows the evidence already, there is little left to learn.
    assert slopes[0] > 10 * slopes[1]


def test_two_blocks_of_evidence_share_the_softmax() -> None:
    assert lost(torch.zeros(4), 2, pointwise=0.0) == pytest.approx(math.log(2))


def test_a_passage_that_is_hidden_is_no_negative() -> None:
    asked, shown = torch.eye(2), torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    own = torch.tensor([0, 1])
    hidden = torch.tensor([[False, False, True], [False, False, False]])
    losses = in_batch_losses(asked, shown, own, hidden, 2.0).tolist()
    assert losses[0] == pytest.approx(math.log1p(math.exp(-2.0)))
    assert losses[1] == pytest.approx(math.log(1 + math.exp(-2.0) + math.exp(-0.4)))


def test_a_long_question_leaves_half_of_the_row_to_the_text(tiny_base: Path) -> None:
    tokenizer = tokenizer_of(find_base(tiny_base))
    (row,) = pair_rows(tokenizer, "why " * 200, ["because " * 200], 43)
    assert len(row["input_ids"]) == 43
    assert row["token_type_ids"].count(1) == 21
    (short,) = text_rows(tokenizer, ["because " * 200], 43)
    assert len(short["input_ids"]) == 43
    # A lone surrogate, which some PDF files hold, is no character of any text.
    assert pair_rows(tokenizer, "why\ud800", ["\ud800"], 43)


@pytest.mark.parametrize("loss", ["listwise", "binary"])
def test_gradients_without_a_whole_graph_are_the_same(
    tiny_base: Path, monkeypatch: pytest.MonkeyPatch, loss: str
) -> None:
    base, options = find_base(tiny_base), quick(loss=loss)
    pools = pools_of(questions(3), None, balance=0.0, what="training").pools
    lists = epoch_lists(pools, options, 0)
    first = FirstStage.of(HybridScorer(encoder=None), pools, progress=False)
    found = []
    for tokens in (100_000, 1):
        monkeypatch.setattr(batches, "GRAPH_TOKENS", tokens)
        monkeypatch.setattr(batches, "CHUNK_TOKENS", 64 if tokens == 1 else 2_048)
        model = classifier_of(base, options)
        learner = PairLearner(model, tokenizer_of(base), options, PairTextOptions(), Computation("cpu", "fp32"), first)
        value = learner.learn(lists, 3.0)
        slopes = [one.grad.numpy() for one in model.parameters() if one.grad is not None]
        found.append((value, slopes))
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-5)
    assert len(found[0][1]) == len(found[1][1]) > 10
    for one, other in zip(found[0][1], found[1][1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-6)


def test_the_faster_precision_is_remembered() -> None:
    seen: list[str] = []

    def work(computation: Computation) -> None:
        seen.append(computation.precision)
        if computation.precision == "bf16":
            raise RuntimeError("no such kernel")

    options = quick(precision="auto")
    assert precision_of(options, "cpu", "a base of this test", work) == "fp32"
    tried = len(seen)
    assert tried >= 2 and {"fp32", "bf16"} == set(seen)
    assert precision_of(options, "cpu", "a base of this test", work) == "fp32"
    assert len(seen) == tried
    assert precision_of(quick(precision="bf16"), "cpu", "another", work) == "bf16"


def test_a_device_that_is_not_there_is_named() -> None:
    from workbench.errors import InvalidOption

    if torch.cuda.is_available():
        pytest.skip("this machine has one")
    with pytest.raises(InvalidOption, match=r"device is 'cuda', which torch does not find here; it finds "):
        device_of(quick(device="cuda"))
