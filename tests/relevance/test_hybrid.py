"""The scorer as a whole, with the embedded model on real text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from tests.reading.made import Made
from workbench.documents import Document
from workbench.relevance.encoders import default_encoder
from workbench.relevance.fusion import FusionOptions
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.presence import EMBEDDED_MODEL, NOTHING_BELOW
from workbench.relevance.scores import Scale, Scope
from workbench.relevance.second_stage import HandWritten


@pytest.fixture(scope="module")
def manual(sample_dir: Path) -> Document:
    return wb.open_document(sample_dir / "harbor-manual.md")


@pytest.fixture(scope="module")
def scorer() -> HybridScorer:
    return HybridScorer(default_encoder())


def block_with(document: Document, text: str) -> int:
    (found,) = (block for block, said in enumerate(document.texts) if text in said)
    return found


def test_the_answer_of_a_question_ranks_first(scorer: HybridScorer, manual: Document) -> None:
    scores = scorer.score(manual, "How long are backups kept before they are removed?")
    assert block_with(manual, "keeps the backups of the last 14 days") in scores.order[:8].tolist()
    assert scores.scale is Scale.UNCALIBRATED
    assert scores.calibration is None


def test_other_words_for_the_same_thing_are_found(scorer: HybridScorer, manual: Document) -> None:
    scores = scorer.score(manual, "What makes a copy of the data start by itself?")
    words = HybridScorer(None).score(manual, "What makes a copy of the data start by itself?")
    answer = block_with(manual, "A backup of a machine begins when")
    assert scores.order.tolist().index(answer) < words.order.tolist().index(answer)
    assert scores.order.tolist().index(answer) < 15


def test_parts_add_up_to_the_logit(scorer: HybridScorer, manual: Document) -> None:
    question = "How long are backups kept? Answer with the rule that the manual gives for them."
    scores = scorer.score(manual, question, scope=Scope.SEVERAL)
    assert set(scores.parts) == {"semantic", "question_parts", "lexical", "neighbours", "page_tables", "own_words"}
    assert np.allclose(sum(scores.parts.values()), scores.logits, atol=1e-5)
    assert (np.diff(scores.relevance[np.argsort(scores.logits)]) >= 0).all()


def test_two_runs_and_two_processes_worth_of_caches_give_equal_bytes(manual: Document) -> None:
    one, other = (HybridScorer(default_encoder()).score(manual, "When is data removed?") for _ in range(2))
    assert one.logits.tobytes() == other.logits.tobytes()
    assert one.scorer == other.scorer


def test_the_items_of_a_list_are_read_with_the_line_that_leads_to_them(scorer: HybridScorer, manual: Document) -> None:
    scores = scorer.score(manual, "What triggers a backup?")
    lead = block_with(manual, "A backup of a machine begins when")
    assert np.ptp(scores.parts["semantic"][lead : lead + 5]) == 0


def test_the_fingerprint_holds_every_constant(scorer: HybridScorer) -> None:
    others = [
        HybridScorer(None),
        HybridScorer(default_encoder(), fusion_options=FusionOptions(lexical=0.4)),
        HybridScorer(default_encoder(), second_stage=HandWritten(lambda *_: 1.0, name="a", version="1")),
    ]
    prints = {scorer.fingerprint, *(other.fingerprint for other in others)}
    assert len(prints) == 4
    assert HybridScorer(default_encoder()).fingerprint == scorer.fingerprint


def test_a_second_stage_looks_again_at_the_best_candidates(manual: Document) -> None:
    seen: list[str] = []

    def rule(_: str, text: str) -> float:
        seen.append(text)
        return float("Sunday" in text)

    stage = HandWritten(rule, name="says_sunday", version="1")
    scorer = HybridScorer(None, second_stage=stage, second_stage_weight=5.0)
    scores = scorer.score(manual, "When are backups removed?")
    assert "Sunday" in manual.texts[int(scores.order[0])]
    assert len(seen) == min(50, len(manual))
    assert np.allclose(sum(scores.parts.values()), scores.logits, atol=1e-5)


def test_a_chinese_document_is_scored_by_words_and_says_so(scorer: HybridScorer) -> None:
    document = (
        Made(language="zh")
        .heading("备份")
        .text("系统每天凌晨两点自动开始备份。", "天气很好。", "管理员可以手动删除旧的文件。")
        .document()
    )
    scores = scorer.score(document, "备份什么时候开始？")
    assert scores.order[0] == 1
    assert "semantic" not in scores.parts
    assert any("does not read the language of this document (zh)" in note for note in scores.notes)


def test_a_question_without_a_known_word_says_so(scorer: HybridScorer, manual: Document) -> None:
    scores = scorer.score(manual, "Zyxgrp qwvb?")
    assert any(note.startswith("No word of the question stands in this document ('") for note in scores.notes)
    assert scores.parts["lexical"].tolist() == [0.0] * len(manual)


def test_a_document_without_blocks_has_no_scores(scorer: HybridScorer) -> None:
    scores = scorer.score(Made().document(), "What is it?")
    assert len(scores) == 0
    assert scores.order.tolist() == []


def test_matched_words_are_told_with_what_they_add(scorer: HybridScorer, manual: Document) -> None:
    block = block_with(manual, "keeps the backups of the last 14 days")
    found = scorer.matched(manual, "How many days are backups kept?", block)
    assert {match.term for match in found} >= {"day", "backup"}
    assert all(match.contribution > 0 for match in found)


def test_without_an_encoder_there_is_no_question_vector(scorer: HybridScorer) -> None:
    assert HybridScorer(None).question_vector("What is it?") is None
    vector = scorer.question_vector("What is it?")
    assert vector is not None
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5


def test_the_cut_for_nothing_relevant_belongs_to_the_embedded_model() -> None:
    assert default_encoder().fingerprint == EMBEDDED_MODEL


def test_a_question_about_something_else_finds_nothing(scorer: HybridScorer, manual: Document) -> None:
    scores = scorer.score(manual, "Who composed the soundtrack of the film about penguins?")
    assert scores.nothing_relevant is True
    assert scores.presence is not None
    assert scores.presence < NOTHING_BELOW


def test_a_question_that_is_answered_finds_something(scorer: HybridScorer, manual: Document) -> None:
    assert scorer.score(manual, "What triggers a backup?").nothing_relevant is False


def test_without_meaning_only_no_word_at_all_is_nothing(manual: Document) -> None:
    words = HybridScorer(None)
    assert words.score(manual, "Zyxgrp qwvb?").nothing_relevant is True
    assert words.score(manual, "backup penguins").nothing_relevant is False


def test_another_encoder_cannot_tell(manual: Document) -> None:
    class Renamed:
        languages = None

        def __init__(self) -> None:
            self.inner = default_encoder()
            self.fingerprint = "another"

        def __getattr__(self, name: str) -> object:
            return getattr(self.inner, name)

    scores = HybridScorer(Renamed()).score(manual, "Who composed the soundtrack of the film?")  # type: ignore[arg-type]
    assert scores.nothing_relevant is None
