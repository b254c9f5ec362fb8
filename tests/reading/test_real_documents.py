"""Readings of documents as people have them, with the rule tables that ship."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.reading.made import SharedWords
from workbench.documents import Document, open_document
from workbench.reading.cuts import Threshold, TokenShare
from workbench.reading.reader import SparseReader
from workbench.reading.reading import Reading
from workbench.relevance.scores import Scale


def check(reading: Reading) -> None:
    """What must be true of any reading."""
    document, kept = reading.document, reading.decision.kept
    assert sorted([*np.flatnonzero(kept).tolist(), *reading.skipped.block_ids]) == list(range(len(document)))
    assert reading.saving.tokens_kept + reading.skipped.tokens == document.tokens
    for piece, at in zip(reading.pieces, reading.rendering.offsets, strict=True):
        verbatim = document.texts[piece.block_id][piece.start : piece.end]
        assert reading.kept_text[at : at + len(verbatim)] == verbatim
        assert document.text_at(document.block(piece.block_id).anchor) == verbatim
    if reading.budget_tokens is not None:
        assert reading.saving.rendered_tokens <= reading.budget_tokens
    assert len(str(reading.explain(len(document) // 2)).splitlines()) > 8


@pytest.mark.parametrize(
    ("name", "question", "answer"),
    [
        ("harbor-manual.md", "What triggers a backup?", "triggers a backup"),
        ("travel-policy.txt", "How much is paid for a hotel night?", "120 euros"),
        ("差旅制度.txt", "住宿费的标准是多少？", "住宿"),
    ],
)
def test_a_bundled_document_is_read(sample_dir: Path, name: str, question: str, answer: str) -> None:
    document = open_document(sample_dir / name)
    reading = SparseReader(scorer=SharedWords(), min_tokens=60).read(document, question)
    check(reading)
    best = reading.document.texts[int(reading.scores.order[0])]
    assert answer in best.lower() and best in reading.kept_text
    assert 0.5 < reading.saving.share_skipped < 1
    check(reading.with_budget(150))


@pytest.fixture(scope="module")
def filing(data_dir: Path) -> Document:
    """A filing of 160 pages."""
    return open_document(data_dir / "financebench" / "pdfs" / "3M_2018_10K.pdf")


@pytest.mark.data
def test_a_filing_is_read_within_its_share_and_its_budgets(filing: Document) -> None:
    reading = SparseReader(scorer=SharedWords()).read(filing, "What is the capital expenditure in fiscal year 2018?")
    check(reading)
    assert reading.saving.share_skipped == pytest.approx(0.8, abs=0.01)
    assert "as running lines" in reading.kept_text.splitlines()[0]
    for budget in (300, 3_000, 12_000):
        found = reading.with_budget(budget)
        check(found)
        assert found.bound == "budget" and found.saving.rendered_tokens > 0.8 * budget


@pytest.mark.data
def test_on_a_filing_a_stricter_cut_never_keeps_more(filing: Document) -> None:
    reading = SparseReader(scorer=SharedWords()).read(filing, "What is the capital expenditure in fiscal year 2018?")
    for budget in (None, 1_000, 8_000):
        before = np.ones(len(filing), bool)
        for value in (0.0, 0.15, 0.3, 0.6, 0.9):
            kept = reading.with_budget(budget).with_threshold(Threshold(value, scale=Scale.UNCALIBRATED)).decision.kept
            assert not (kept & ~before).any()
            before = kept
        for share in (1.0, 0.5, 0.2, 0.05, 0.001):
            kept = reading.with_budget(budget).with_token_share(TokenShare(share, 0)).decision.kept
            before = kept if share == 1.0 else before
            assert not (kept & ~before).any()
            before = kept
