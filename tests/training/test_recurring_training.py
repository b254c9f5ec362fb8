"""Questions that many documents are asked are learnt; others are left alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.learning.making import questions
from tests.training.made_contracts import PLACES, QUICK, contract_zh, contracts, learnt, reads_all
from workbench.errors import InvalidOption
from workbench.relevance.combination import Combination
from workbench.relevance.encoders import default_encoder
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.recurring import RECURRING
from workbench.training.combining import combination_fit, hear
from workbench.training.question import Question
from workbench.training.recurring_training import RecurringOptions, train_recurring


def best_of(scorer: HybridScorer, asked: list[Question]) -> list[int]:
    """The block that ranks first, for each question."""
    return [int(scorer.score(one.document, one.question).order[0]) for one in asked]


def test_the_evidence_of_a_contract_never_seen_is_found_where_its_words_mislead() -> None:
    unseen = contracts(2, first=6)
    wanted = [one.positives[0] for one in unseen]
    plain = best_of(HybridScorer(default_encoder()), unseen)
    assert not any(found == right for found, right in zip(plain, wanted, strict=True))
    assert best_of(HybridScorer(default_encoder(), recurring=learnt()), unseen) == wanted


def test_the_same_holds_in_chinese() -> None:
    asked = [one for place in PLACES[:5] for one in contract_zh(place)]
    found = train_recurring(asked, reads_all(), options=QUICK, progress=False)
    assert found is not None
    unseen = contract_zh(PLACES[6])
    wanted = [one.positives[0] for one in unseen]
    assert best_of(HybridScorer(reads_all()), unseen) != wanted
    assert best_of(HybridScorer(reads_all(), recurring=found), unseen) == wanted


def test_a_seed_decides_the_networks_and_nothing_else_is_touched() -> None:
    short = replace(QUICK, epochs=1, networks=1)
    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    threads = torch.get_num_threads()
    made = [
        train_recurring(contracts(4), default_encoder(), options=replace(short, seed=seed), progress=False)
        for seed in (0, 0, 1)
    ]
    first, again, other = [one.fingerprint for one in made if one is not None]
    assert first == again != other
    assert torch.equal(torch.rand(3), wanted)
    assert torch.get_num_threads() == threads


def test_the_networks_are_those_of_seeds_that_follow_each_other() -> None:
    short = replace(QUICK, epochs=1)
    both = train_recurring(contracts(4), default_encoder(), options=replace(short, networks=2), progress=False)
    second = train_recurring(
        contracts(4), default_encoder(), options=replace(short, networks=1, seed=1), progress=False
    )
    assert both is not None and second is not None
    assert all(np.array_equal(both.networks[name][1:], second.networks[name]) for name in both.networks)


def test_nothing_is_learnt_where_no_question_recurs() -> None:
    """Eight handbooks that are each asked something else, and a question that three documents share."""
    others = questions()
    different = [replace(one, question=text) for one, text in zip(others, DIFFERENT, strict=True)]
    assert train_recurring(different, default_encoder(), progress=False) is None
    assert train_recurring(contracts(3), default_encoder(), progress=False) is None
    assert train_recurring([], default_encoder(), progress=False) is None


DIFFERENT = (
    "How high may the pressure become?",
    "Who painted the ceiling?",
    "Which ships sail in winter?",
    "Why was the election held again?",
    "Where do penguins breed?",
    "What does a violin cost?",
    "When was bread rationed?",
    "Whose horse won the race?",
)


def test_questions_in_a_language_that_the_encoder_does_not_read_are_left_out() -> None:
    asked = [one for place in PLACES[:4] for one in contract_zh(place)]
    assert train_recurring(asked, default_encoder(), progress=False) is None


def test_a_combination_gives_it_a_weight_and_then_needs_it() -> None:
    scorer = HybridScorer(default_encoder(), recurring=learnt())
    heard = hear(contracts(2, first=6), scorer, progress=False)
    found = combination_fit(heard, ridge=0.1)
    assert found.read_after <= found.read_before
    made = Combination(weights={RECURRING: 0.5})
    assert made.needs_recurring
    with pytest.raises(InvalidOption) as caught:
        HybridScorer(default_encoder(), combination=made)
    assert str(caught.value) == (
        "The combination was fitted with recurring questions; give the scorer recurring as well."
    )
    one = contracts(1, first=6)[0]
    whole, half = (
        HybridScorer(default_encoder(), recurring=learnt(), combination=some).score(one.document, one.question)
        for some in (None, made)
    )
    assert np.allclose(half.parts[RECURRING], whole.parts[RECURRING] / 2)
    assert np.allclose(sum(half.parts.values()), half.logits, atol=1e-5)


def test_a_combination_that_never_heard_it_does_without() -> None:
    """New questions alone: it was silent, so it has no weight."""
    scorer = HybridScorer(default_encoder(), recurring=learnt())
    found = combination_fit(hear(questions(4), scorer, progress=False), ridge=0.1)
    assert not found.combination.needs_recurring


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"networks": 0}, "networks is 0; give a whole number from 1 on."),
        ({"epochs": True}, "epochs is True; give a whole number from 1 on."),
        ({"seed": -1}, "seed is -1; give a whole number from 0 on."),
        ({"learning_rate": 0}, "learning_rate is 0; give a number above 0, at most 1."),
        ({"dropout": 1.0}, "dropout is 1.0; give a number from 0 to below 1."),
    ],
)
def test_a_value_out_of_range_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        RecurringOptions(**given)
    assert str(caught.value) == told
