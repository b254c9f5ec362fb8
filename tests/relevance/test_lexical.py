"""BM25 in two fields: every score is a sum of named contributions, and no hit is zero."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import InvalidOption
from workbench.relevance.lexical import LexicalIndex, LexicalOptions
from workbench.relevance.terms import analyse, question_terms

TEXTS = (
    "The backup is triggered when the disk is full.",
    "",
    "Backups are kept for thirty days; a backup can be restored.",
    "触发备份的条件是磁盘已满。",
    "12 34",
)
CONTEXT = ("Triggers", "Triggers", "Retention of backups", "备份", "")


def bm25(texts: tuple[str, ...], question: str, language: str, options: LexicalOptions) -> list[float]:
    """The formula as the books have it."""
    rows = [analyse(text, language) for text in texts]
    mean = sum(map(len, rows)) / len(rows)
    scores = []
    for row in rows:
        counts = Counter(row)
        score = 0.0
        for term in question_terms(question, language):
            holders = sum(term in other for other in rows)
            weight = math.log(1 + (len(rows) - holders + 0.5) / (holders + 0.5))
            length = 1 - options.b + options.b * len(row) / mean
            if counts[term]:
                score += weight * counts[term] / (counts[term] + options.k1 * length)
        scores.append(score)
    return scores


@pytest.mark.parametrize("question", ["What triggers a backup?", "什么触发备份？", "12", "backup 磁盘"])
@pytest.mark.parametrize(
    "options", [LexicalOptions(), LexicalOptions(k1=0.0, b=0.0), LexicalOptions(context_weight=2.0)]
)
def test_scores_are_those_of_the_formula(question: str, options: LexicalOptions) -> None:
    index = LexicalIndex.of(TEXTS, "zh", context=CONTEXT, options=options)
    own, above = (bm25(texts, question, "zh", options) for texts in (TEXTS, CONTEXT))
    expected = np.array(own) + options.context_weight * np.array(above)
    assert index.scores(question) == pytest.approx(expected, rel=1e-5)
    assert index.scores(question).dtype == np.float32


def test_a_block_without_a_term_of_the_question_has_zero() -> None:
    scores = LexicalIndex.of(TEXTS, "en").scores("When are backups triggered?")
    assert (scores > 0).tolist() == [True, False, True, False, False]
    assert scores.argmax() == 0


def test_a_chinese_question_finds_its_block() -> None:
    scores = LexicalIndex.of(TEXTS, "zh").scores("备份何时触发？")
    assert np.flatnonzero(scores).tolist() == [3]


def test_the_heading_above_counts_less_than_the_text() -> None:
    index = LexicalIndex.of(["alpha", "beta", "gamma"], "en", context=["", "alpha", ""])
    scores = index.scores("alpha")
    assert scores[0] > scores[1] > scores[2] == 0.0
    assert [match.field for match in index.matched("alpha", 1)] == ["context"]


@pytest.mark.parametrize("texts", [[], [""], ["", "…"]])
def test_texts_without_terms_have_zero(texts: list[str]) -> None:
    index = LexicalIndex.of(texts, "en", context=texts)
    assert index.scores("anything").tolist() == [0.0] * len(texts)
    assert index.unknown_terms("anything") == ("anyth",)
    assert len(index) == len(texts)


def test_a_question_without_known_terms_has_zeros_and_says_so() -> None:
    index = LexicalIndex.of(TEXTS, "en")
    assert not index.scores("Whose giraffe?").any()
    assert index.unknown_terms("Whose giraffe eats backups?") == ("giraff", "eat")
    assert index.unknown_terms("backup") == ()
    assert not index.scores("").any()
    assert index.unknown_terms("") == ()


def test_the_matches_of_a_block_add_up_to_its_score() -> None:
    index = LexicalIndex.of(TEXTS, "en", context=CONTEXT)
    question = "Which backups are kept after retention?"
    scores = index.scores(question)
    for block in range(len(TEXTS)):
        matches = index.matched(question, block)
        assert sum(match.contribution for match in matches) == pytest.approx(float(scores[block]), rel=1e-5)
        assert [match.contribution for match in matches] == sorted((m.contribution for m in matches), reverse=True)
        assert all(match.contribution > 0 for match in matches)
    assert {(match.term, match.field) for match in index.matched(question, 2)} == {
        ("backup", "text"),
        ("backup", "context"),
        ("kept", "text"),
        ("retent", "context"),
    }


def test_without_weight_the_context_is_left_out() -> None:
    options = LexicalOptions(context_weight=0.0)
    assert LexicalIndex.of(TEXTS, "en", context=CONTEXT, options=options).unknown_terms("retention") == ("retent",)


def test_each_text_has_one_context() -> None:
    with pytest.raises(ValueError, match="5 texts have 1 contexts"):
        LexicalIndex.of(TEXTS, "en", context=["one"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k1": -1.0}, "k1 is -1.0; give a number from 0 on."),
        ({"b": 1.5}, "b is 1.5; give a number from 0 to 1."),
        ({"b": math.nan}, "b is nan; give a number from 0 to 1."),
        ({"context_weight": math.inf}, "context_weight is inf; give a number from 0 on."),
    ],
)
def test_constants_have_a_range(options: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        LexicalOptions(**options)
    assert str(caught.value) == message


def test_other_constants_have_another_key() -> None:
    assert LexicalOptions().key() == LexicalOptions(k1=1.2).key() != LexicalOptions(k1=1.5).key()


WORDS = st.lists(st.sampled_from(["cat", "dog", "备份", "10-K", "2018", ""]), max_size=6).map(" ".join)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=8), WORDS)
def test_zero_is_no_hit_and_above_zero_is_one(rows: list[tuple[str, str]], question: str) -> None:
    texts, context = [text for text, _ in rows], [above for _, above in rows]
    index = LexicalIndex.of(texts, "en", context=context)
    asked = set(question_terms(question, "en"))
    hits = [bool(asked & {*analyse(text, "en"), *analyse(above, "en")}) for text, above in rows]
    assert (index.scores(question) > 0).tolist() == hits
    assert index.scores(question).tobytes() == LexicalIndex.of(texts, "en", context=context).scores(question).tobytes()


def test_scores_do_not_change_from_process_to_process() -> None:
    program = (
        "from workbench.relevance.lexical import LexicalIndex\n"
        f"index = LexicalIndex.of({TEXTS!r}, 'zh', context={CONTEXT!r})\n"
        "print(index.scores('backup disk 备份 kept days').tobytes().hex())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
