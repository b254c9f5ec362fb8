"""Likeness by words is TF-IDF as others know it, in English and Chinese, and nothing divides by zero."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from workbench.documents import open_document
from workbench.relevance.terms import analyse
from workbench.training.mining import TermVectors

TEXTS = st.lists(st.text(st.sampled_from("ab 租金。1\n"), max_size=12), max_size=8)


def of_scikit_learn(texts: list[str], language: str) -> np.ndarray:
    found = TfidfVectorizer(analyzer=lambda text: analyse(text, language)).fit_transform(texts)
    return (found @ found.T).toarray()


@pytest.mark.parametrize(("name", "language"), [("harbor-manual.md", "en"), ("差旅制度.txt", "zh")])
def test_similarity_is_that_of_scikit_learn(sample_dir: Path, name: str, language: str) -> None:
    texts = list(open_document(sample_dir / name, isolate=False).texts)
    found = np.array([TermVectors(texts, language).similarity(block) for block in range(len(texts))])
    assert np.allclose(found, of_scikit_learn(texts, language), atol=1e-12)


@given(TEXTS)
def test_similarity_is_between_nothing_and_the_same(texts: list[str]) -> None:
    vectors = TermVectors(texts, "zh")
    found = np.array([vectors.similarity(block) for block in range(len(texts))]).reshape(len(texts), len(texts))
    assert np.isfinite(found).all()
    assert ((found >= 0) & (found <= 1)).all()
    assert np.allclose(found, found.T)
    for block, text in enumerate(texts):
        assert np.isclose(found[block, block], 1.0 if analyse(text, "zh") else 0.0)


def test_without_any_term_nothing_is_alike() -> None:
    vectors = TermVectors(["", " ", "…"], "en")
    assert (len(vectors), vectors.similarity(0).tolist()) == (3, [0.0, 0.0, 0.0])
    assert len(TermVectors([], "en")) == 0


def test_chinese_is_compared_by_characters_and_pairs() -> None:
    similarity = TermVectors(["押金为三个月租金", "租金应于五月支付", "不得饲养宠物"], "zh").similarity(0)
    assert similarity[1] > similarity[2]
