"""What a score carries with it: its scale, its parts, the share that was read, and its ties."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.relevance.scores import RelevanceScores, Scale, sigmoid


def made(logits: list[float]) -> RelevanceScores:
    array = np.array(logits, np.float32)
    return RelevanceScores(
        logits=array,
        relevance=sigmoid(array),
        scale=Scale.UNCALIBRATED,
        parts={"lexical": array.copy()},
        share_read=np.ones(len(array), np.float32),
        scorer="s",
    )


def test_the_order_is_by_logit_and_ties_keep_the_order_of_the_document() -> None:
    scores = made([1.0, 3.0, 1.0, 2.0])
    assert scores.order.tolist() == [1, 3, 0, 2]
    assert scores.tied_share == 0.5


def test_scores_that_saturate_a_probability_are_still_ranked() -> None:
    scores = made([40.0, 60.0, 50.0])
    assert scores.relevance.tolist() == [1.0, 1.0, 1.0]
    assert scores.order.tolist() == [1, 2, 0]
    assert scores.tied_share == 0.0


def test_good_blocks_do_not_become_equal_in_the_sigmoid() -> None:
    logits = np.array([9.0, 9.01, 12.0], np.float32)
    assert len(set(sigmoid(logits).tolist())) == 3
    assert len(set(sigmoid(logits).astype(np.float16).tolist())) < 3


def test_scores_cannot_be_changed_behind_the_back_of_a_reading() -> None:
    scores = made([1.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        scores.logits[0] = 9.0
    with pytest.raises(TypeError, match="does not support item assignment"):
        scores.parts["lexical"] = scores.logits  # type: ignore[index]


def test_the_scale_is_seen_at_a_glance() -> None:
    assert repr(made([0.0, 1.0])) == "RelevanceScores(2 blocks, uncalibrated, best 0.73)"
    assert repr(made([])) == "RelevanceScores(0 blocks, uncalibrated)"
    assert made([]).tied_share == 0.0
