"""Fitted weights of the parts of a logit, and how the scorer uses them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.made import Made
from workbench.documents import BlockKind, Document
from workbench.errors import InvalidOption
from workbench.relevance.block_features import FEATURES, asked_features, block_features
from workbench.relevance.combination import PARTS, Combination
from workbench.relevance.encoders import default_encoder
from workbench.relevance.fusion import standardised
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.pair_text import PairTextOptions
from workbench.relevance.second_stage import Logits, Look, StageScale

QUESTION = "How often is a backup made?"


@pytest.fixture(scope="module")
def manual() -> Document:
    made = Made().page().heading("Backups").text("A backup is made every night.", "It is kept for 14 days.")
    made.heading("Pumps").text("The pump runs on oil.", "Nobody may open the valve.")
    return made.table(("System", "Days"), ("Backup", "14"), ("Pump", "3")).document()


class Longest:
    """A second stage that says how long a text is, and remembers what it was given."""

    name, fingerprint, reads_context = "longest", "longest", True

    def __init__(self, **attributes: Any) -> None:
        self.seen: list[str] = []
        for name, value in attributes.items():
            setattr(self, name, value)

    def score(self, question: str, texts: Sequence[str]) -> tuple[Logits, Logits]:
        del question
        self.seen = list(texts)
        return np.array([len(text) for text in texts], np.float32), np.ones(len(texts), np.float32)


weights = st.dictionaries(st.sampled_from(PARTS), st.floats(0, 10))
features = st.dictionaries(st.sampled_from(FEATURES), st.floats(-10, 10))


@given(weights, features, st.floats(0, 1), st.sampled_from(list(StageScale)))
def test_a_combination_comes_back_from_json_and_from_a_pickle(
    weights: dict[str, float], features: dict[str, float], level: float, scale: StageScale
) -> None:
    made = Combination(weights=weights, features=features, level=level, stage_scale=scale)
    assert Combination.of(json.loads(json.dumps(made.as_dict()))) == made
    assert pickle.loads(pickle.dumps(made)).key() == made.key()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"weights": {"bm25": 1.0}}, f"A combination has no weight 'bm25'; choose from {', '.join(PARTS)}."),
        ({"weights": {"lexical": -1.0}}, "The weight 'lexical' of a combination is -1.0; give a number from 0 on."),
        ({"features": {"length": float("nan")}}, "The feature 'length' of a combination is nan; give a number."),
        ({"features": {"long": 1.0}}, f"A combination has no feature 'long'; choose from {', '.join(FEATURES)}."),
        ({"level": 1.5}, "level is 1.5; give a number from 0 to 1."),
        ({"stage_scale": "rank"}, "stage_scale is 'rank'; choose from 'standardised', 'logit'."),
    ],
)
def test_what_no_combination_has_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        Combination(**given)
    assert str(caught.value) == told


def test_a_field_of_another_version_is_refused() -> None:
    with pytest.raises(InvalidOption, match=r"^A combination has no 'bias'; it has: weights, features, stage_scale, "):
        Combination.of({"weights": {}, "bias": 1.0})


def test_the_parts_that_are_weighed_add_up_to_the_logit(manual: Document) -> None:
    combination = Combination(
        weights={"lexical": 2.0, "semantic": 0.5, "second_stage": 0.25},
        features={"length": -0.5, "table_row": 1.0},
        level=0.5,
    )
    scorer = HybridScorer(default_encoder(), second_stage=Longest(), combination=combination)
    scores, plain = scorer.score(manual, QUESTION), HybridScorer(default_encoder()).score(manual, QUESTION)
    assert {"structure", "longest", "level"} < set(scores.parts)
    assert np.allclose(sum(scores.parts.values()), scores.logits, atol=1e-5)
    assert np.allclose(scores.parts["lexical"], 2 * plain.parts["lexical"])
    assert np.allclose(scores.parts["neighbours"], plain.parts["neighbours"])
    assert len(set(scores.parts["level"].tolist())) == 1


def test_a_level_takes_a_share_of_the_best_logit_from_every_block(manual: Document) -> None:
    plain = HybridScorer(None).score(manual, QUESTION)
    level = HybridScorer(None, combination=Combination(level=0.5)).score(manual, QUESTION)
    assert np.allclose(level.logits, plain.logits - plain.logits.max() / 2, atol=1e-5)
    assert level.order.tolist() == plain.order.tolist()
    assert np.allclose(level.relevance, plain.relevance, atol=1e-5)


def test_a_combination_without_weights_changes_no_logit(manual: Document) -> None:
    plain, same = HybridScorer(None), HybridScorer(None, combination=Combination())
    assert np.array_equal(plain.score(manual, QUESTION).logits, same.score(manual, QUESTION).logits)
    assert plain.fingerprint != same.fingerprint


def test_scores_of_words_alone_are_not_weighed() -> None:
    document = Made(language="zh").page().text("系统每天备份。", "天气很好。").document()
    plain = HybridScorer(default_encoder()).score(document, "何时备份?")
    weighed = HybridScorer(default_encoder(), combination=Combination(weights={"lexical": 9.0}))
    assert np.array_equal(plain.logits, weighed.score(document, "何时备份?").logits)


def test_a_combination_of_a_second_stage_needs_one() -> None:
    with pytest.raises(InvalidOption) as caught:
        HybridScorer(None, combination=Combination(weights={"second_stage": 1.0}))
    assert str(caught.value) == (
        "The combination was fitted with a second stage; give the scorer its second_stage as well."
    )
    with pytest.raises(InvalidOption, match=r"^combination is \{'lexical': 1\.0\}; give a Combination\.$"):
        HybridScorer(None, combination={"lexical": 1.0})  # type: ignore[arg-type]


def test_a_second_stage_that_reads_context_gets_headings_and_table_headers(manual: Document) -> None:
    stage = Longest(pair_text=PairTextOptions(headings=1))
    HybridScorer(None, second_stage=stage).score(manual, QUESTION)
    assert "Backups\nA backup is made every night." in stage.seen
    assert "Pumps > System Days\nBackup 14" in [text.replace("\t", " ") for text in stage.seen]


@pytest.mark.parametrize(("given", "says", "looked_at"), [(None, None, 9), (3, None, 3), (None, 2, 2), (4, 2, 4)])
def test_candidates_are_what_is_given_or_what_the_stage_says(
    manual: Document, given: int | None, says: int | None, looked_at: int
) -> None:
    stage = Longest() if says is None else Longest(candidates=says)
    scorer = HybridScorer(None, second_stage=stage, candidates=given)
    scores = scorer.score(manual, QUESTION)
    assert len(stage.seen) == looked_at
    part = scores.parts["longest"]
    assert (part == part.min()).sum() >= len(manual) - looked_at + 1


@pytest.mark.parametrize("candidates", [0, -1, 2.5, True])
def test_candidates_are_a_whole_number(candidates: Any) -> None:
    with pytest.raises(InvalidOption, match=r"^candidates is .*; give a whole number from 1 on\.$"):
        HybridScorer(None, second_stage=Longest(), candidates=candidates)


def test_a_second_stage_is_not_asked_in_a_language_that_it_does_not_read() -> None:
    document = Made(language="zh").page().text("系统每天备份。", "天气很好。").document()
    stage = Longest(languages=frozenset({"en"}))
    scores = HybridScorer(None, second_stage=stage).score(document, "何时备份?")
    assert stage.seen == []
    assert "longest" not in scores.parts
    assert (
        "longest does not read the language of this document or of the question, so it does not look again."
        in scores.notes
    )


def test_a_look_gives_the_others_what_the_worst_candidate_got() -> None:
    look = Look(np.array([2, 0]), np.array([3.0, 1.0], np.float32))
    assert look.part(4, 2.0).tolist() == [-2.0, -2.0, 2.0, -2.0]
    assert look.part(4, 2.0, StageScale.LOGIT).tolist() == [2.0, 2.0, 6.0, 2.0]
    nothing = Look(np.zeros(0, np.intp), standardised(np.zeros(0, np.float32)))
    assert nothing.part(2, 1.0).tolist() == [0.0, 0.0]


def test_features_say_what_a_block_is(manual: Document) -> None:
    found = block_features(manual)
    assert set(found) == set(FEATURES) - {"number_asked"}
    kinds = [block.kind for block in manual.blocks]
    assert found["heading"].tolist() == [float(kind is BlockKind.HEADING) for kind in kinds]
    assert found["header_row"].sum() == 1
    assert (found["position"][0], found["position"][-1]) == (0.0, 1.0)
    assert all(values.dtype == np.float32 and np.isfinite(values).all() for values in found.values())
    asked = [asked_features(question, found)["number_asked"].sum() for question in (QUESTION, "Who may open it?")]
    assert asked == [found["digits"].sum(), 0.0]


def test_an_empty_document_has_features_and_scores() -> None:
    empty = Made().page().document()
    assert all(len(values) == 0 for values in block_features(empty).values())
    combination = Combination(features={"position": 1.0}, level=1.0)
    assert len(HybridScorer(None, combination=combination).score(empty, QUESTION)) == 0


def test_a_scorer_is_sent_to_another_process_with_its_combination() -> None:
    from workbench.workload.replay.sending import packed, unpacked

    scorer = HybridScorer(None, combination=Combination(weights={"lexical": 2.0}, level=0.25), candidates=7)
    sent = packed(scorer)
    assert sent is not None
    again = unpacked(sent)
    assert again.fingerprint == scorer.fingerprint
    assert again.candidates == 7


class Counting(Longest):
    """Counts how often it is asked."""

    asked = 0

    def score(self, question: str, texts: Sequence[str]) -> tuple[Logits, Logits]:
        self.asked += 1
        return super().score(question, texts)


@pytest.mark.parametrize(
    ("options", "runs"),
    [
        ({"second_stage_weight": 0.0}, 0),
        ({"combination": Combination(weights={"second_stage": 0.0})}, 0),
        ({"combination": Combination(weights={"lexical": 1.0}), "second_stage_weight": 0.0}, 0),
        ({"combination": Combination(weights={"second_stage": 0.5}), "second_stage_weight": 0.0}, 1),
        ({"combination": Combination(weights={"lexical": 1.0})}, 1),
    ],
)
@pytest.mark.parametrize("with_model", [True, False])
def test_a_second_stage_without_a_weight_is_not_run_where_blocks_are_read(
    manual: Document, options: dict[str, Any], runs: int, with_model: bool
) -> None:
    stage = Counting()
    scorer = HybridScorer(default_encoder() if with_model else None, second_stage=stage, **options)
    scores = scorer.score(manual, QUESTION)
    assert stage.asked == runs
    assert (stage.name in scores.parts) is bool(runs)
    assert scores.logits == pytest.approx(sum(scores.parts.values()), abs=1e-5)
    scorer.heard(manual, QUESTION)
    assert stage.asked == runs + 1


def test_one_that_was_found_worth_nothing_is_not_run_by_words_alone_either() -> None:
    stage = Counting()
    document = Made(language="zh").page().text("系统每天备份。", "天气很好。").document()
    scorer = HybridScorer(default_encoder(), second_stage=stage, combination=Combination(weights={"second_stage": 0.0}))
    assert scorer.score(document, "何时备份?").words_alone
    assert stage.asked == 0
