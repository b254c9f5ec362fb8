"""The scorer as a whole, with the embedded model on real text."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import workbench as wb
from tests.reading.made import Made
from workbench.documents import BlockKind, Document
from workbench.errors import InvalidOption
from workbench.relevance.calibrated import ANY_TYPE, Calibration, CalibrationMap, Method
from workbench.relevance.encoders import Encoder, WindowVectors, default_encoder
from workbench.relevance.fusion import FusionOptions
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.presence import EMBEDDED_MODEL, NOTHING_BELOW
from workbench.relevance.scores import Scale, Scope
from workbench.relevance.second_stage import HandWritten, Logits


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


def test_a_document_that_is_ready_is_asked_while_another_one_is_embedded(manual: Document) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Waits:
        languages = None

        def __getattr__(self, name: str) -> object:
            return getattr(default_encoder(), name)

        def encode_windows(self, texts: Sequence[str], **options: Any) -> WindowVectors:
            begun.set()
            assert go_on.wait(60)
            return default_encoder().encode_windows(texts, **options)

    scorer = HybridScorer(cast("Encoder", Waits()))
    go_on.set()
    scorer.prepare(manual)
    begun.clear()
    go_on.clear()
    other = Made().text("A text that nobody has embedded before: 0f1e2d3c.").document()
    with ThreadPoolExecutor(2) as pool:
        try:
            preparing = pool.submit(scorer.prepare, other, progress=False)
            assert begun.wait(60)
            asked = pool.submit(scorer.score, manual, "When is a question answered that is new?")
            assert len(asked.result(60)) == len(manual)
            assert not preparing.done()
        finally:
            go_on.set()
        preparing.result(60)


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


@pytest.mark.parametrize("name", ["lexical", "semantic", "own_words", "feedback"])
def test_a_second_stage_cannot_take_the_place_of_a_part(name: str) -> None:
    stage = HandWritten(lambda *_: 0.0, name=name, version="1")
    with pytest.raises(InvalidOption, match=rf"^The second stage is called '{name}', as a part of the logit is; "):
        HybridScorer(None, second_stage=stage)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -1.0, True])
def test_the_weight_of_a_second_stage_is_a_number_from_0(weight: float) -> None:
    with pytest.raises(InvalidOption, match=r"^second_stage_weight is .*; give a number from 0 on\.$"):
        HybridScorer(None, second_stage_weight=weight)


class Errs:
    """A second stage that gives what it was made with."""

    name, fingerprint = "errs", "errs"

    def __init__(self, logits: list[float]) -> None:
        self.logits = np.array(logits, np.float32)

    def score(self, question: str, texts: Sequence[str]) -> tuple[Logits, Logits]:
        del question, texts
        return self.logits, np.ones(len(self.logits), np.float32)


@pytest.mark.parametrize(
    ("logits", "told"),
    [
        ([1.0], "The second stage 'errs' gave logits of shape (1,) for 2 texts; it must give one for each."),
        ([1.0, np.nan], "The second stage 'errs' gave the logit nan; it must give finite numbers."),
    ],
)
def test_a_second_stage_that_errs_is_told_so(logits: list[float], told: str) -> None:
    document = Made().text("A pump.", "A valve.").document()
    with pytest.raises(InvalidOption) as caught:
        HybridScorer(None, second_stage=Errs(logits)).score(document, "Which pump?")
    assert str(caught.value) == told


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


@pytest.mark.parametrize(
    ("question", "said"),
    [("备份保存多久？", True), ("备份 backup 保存多久？", True), ("What does 备份 mean?", False), ("1,200?", False)],
)
def test_a_question_that_the_model_does_not_read_is_told(
    scorer: HybridScorer, manual: Document, question: str, *, said: bool
) -> None:
    told = (
        "all-MiniLM-L6-v2 does not read the language of the question, so only words that stand in the document as "
        "they are asked for can be found."
    )
    assert (told in scorer.score(manual, question).notes) is said


@pytest.mark.parametrize("question", ["😀", "？？？", "\ud800"])
def test_a_question_without_any_word_says_so_in_a_whole_sentence(question: str, manual: Document) -> None:
    assert "No word of the question stands in this document." in HybridScorer(None).score(manual, question).notes


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
    with pytest.raises(ValueError, match="read-only"):
        vector *= 0


def test_the_cut_for_nothing_relevant_belongs_to_the_embedded_model() -> None:
    assert default_encoder().fingerprint == EMBEDDED_MODEL


def test_a_question_about_something_else_finds_nothing(scorer: HybridScorer, manual: Document) -> None:
    scores = scorer.score(manual, "Who composed the soundtrack of the film about penguins?")
    assert scores.nothing_relevant is True
    assert scores.presence is not None
    assert scores.presence < NOTHING_BELOW


def test_a_question_that_is_answered_finds_something(scorer: HybridScorer, manual: Document) -> None:
    assert scorer.score(manual, "What triggers a backup?").nothing_relevant is False


@pytest.mark.parametrize(
    ("document", "question"),
    [
        (Made().text("12345", "67,890").document(), "67890"),
        (Made().table(["2018", "2019"], ["1,200", "1,300"]).document(), "1,300"),
        (Made().text("Annual report of the harbor", kind=BlockKind.HEADER).document(), "annual report"),
    ],
)
def test_where_nothing_is_embedded_words_tell_what_is_there(
    scorer: HybridScorer, document: Document, question: str
) -> None:
    scores = scorer.score(document, question)
    assert scores.presence is None
    assert scores.nothing_relevant is False
    assert scorer.score(document, "penguins").nothing_relevant is True


@pytest.mark.parametrize("encoder", [True, False])
def test_a_question_about_the_whole_document_is_never_without_evidence(
    scorer: HybridScorer, manual: Document, *, encoder: bool
) -> None:
    asked = scorer if encoder else HybridScorer(None)
    assert asked.score(manual, "Give me an overview", scope=Scope.WHOLE).nothing_relevant is None
    assert asked.score(manual, "Zyxgrp qwvb?").nothing_relevant is True


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


@pytest.mark.parametrize(
    "question", ["What is this about?", "Give me an overview.", "Summarise it", "这份文件讲什么？"]
)
def test_a_question_about_the_whole_is_never_refused(scorer: HybridScorer, manual: Document, question: str) -> None:
    assert scorer.score(manual, question).nothing_relevant is None


@pytest.mark.parametrize("question", ["H-204", "What does H-310 mean?"])
def test_a_code_that_stands_in_the_document_is_not_refused(
    scorer: HybridScorer, manual: Document, question: str
) -> None:
    assert scorer.score(manual, question).nothing_relevant is False


def test_a_chinese_document_is_not_calibrated_by_a_map_for_meaning(scorer: HybridScorer) -> None:
    document = Made(language="zh").text("系统每天凌晨两点自动开始备份。", "天气很好。").document()
    scores = scorer.score(document, "备份什么时候开始？")
    fitted = CalibrationMap(Method.TEMPERATURE, (), (1.0, -3.0), 100, 10)
    mapped = Calibration(scorer.fingerprint, {ANY_TYPE: fitted}, "labels").apply(scores, "general")
    assert mapped.scale is Scale.UNCALIBRATED
    assert mapped.notes[-1].endswith("these are of words alone: uncalibrated.")
