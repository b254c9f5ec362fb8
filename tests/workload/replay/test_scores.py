"""Scores that are remembered are those that were given, and nothing else is asked for twice."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.made import ByHand, Made
from workbench.caching import CacheFolder
from workbench.documents.packing import DamagedPack
from workbench.reading import SparseReader
from workbench.relevance import HybridScorer, RelevanceScores, Scale, Scope
from workbench.workload.replay import RememberingScorer
from workbench.workload.replay.scores import SUFFIX, pack_scores, unpack_scores

ENGLISH = Made().heading("Backups").text("Backups run at night.", "Nobody works on Sunday.").document()
CHINESE = Made(language="zh").heading("差旅制度").text("住宿标准为每晚五百元。", "机票须提前申请。").document()


def assert_equal(one: RelevanceScores, other: RelevanceScores) -> None:
    for field in fields(RelevanceScores):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if field.name == "parts":
            assert list(mine) == list(theirs)
            pairs = [(mine[name], theirs[name]) for name in mine]
        elif isinstance(mine, np.ndarray):
            pairs = [(mine, theirs)]
        else:
            assert mine == theirs, field.name
            continue
        for left, right in pairs:
            assert left.dtype == right.dtype
            np.testing.assert_array_equal(left, right)


@pytest.fixture
def folder(tmp_path: Path) -> CacheFolder:
    return CacheFolder(SUFFIX, tmp_path)


@pytest.mark.parametrize(
    ("document", "question"), [(ENGLISH, "When do backups run?"), (CHINESE, "住宿标准是多少？")], ids=["en", "zh"]
)
@pytest.mark.parametrize("scope", [None, *Scope])
def test_what_is_remembered_is_what_was_scored(folder, document, question, scope) -> None:  # type: ignore[no-untyped-def]
    scorer = HybridScorer(encoder=None)
    first = RememberingScorer(scorer, folder).score(document, question, scope=scope)
    again = RememberingScorer(HybridScorer(encoder=None), folder).score(document, question, scope=scope)
    assert_equal(first, scorer.score(document, question, scope=scope))
    assert_equal(first, again)


def test_a_scorer_is_asked_once_for_a_document_a_question_and_a_scope(folder: CacheFolder) -> None:
    scorer = ByHand([0.1, 0.9, 0.2])
    asking = RememberingScorer(scorer, folder)
    for _ in range(2):
        asking.score(ENGLISH, "When?")
        asking.score(ENGLISH, "When?", scope=Scope.WHOLE)
        asking.score(ENGLISH, "Where?")
        asking.score(CHINESE, "When?")
    assert scorer.asked == [("When?", None), ("When?", Scope.WHOLE), ("Where?", None), ("When?", None)]


def test_another_scorer_remembers_for_itself(folder: CacheFolder) -> None:
    first, second = ByHand([0.1, 0.9, 0.2]), ByHand([0.3, 0.3, 0.3])
    second.fingerprint = "another hand"
    RememberingScorer(first, folder).score(ENGLISH, "When?")
    found = RememberingScorer(second, folder).score(ENGLISH, "When?")
    assert found.relevance.tolist() == [0.3, 0.3, 0.3]


def test_the_same_bytes_cut_in_other_blocks_are_scored_again(folder: CacheFolder) -> None:
    scorer = ByHand([0.5, 0.5])
    whole, parted = Made().text("One. Two.").text("Three.").document(), Made().text("One.", "Two. Three.").document()
    parted.sha256 = whole.sha256
    for document in (whole, parted):
        RememberingScorer(scorer, folder).score(document, "When?")
    assert len(scorer.asked) == 2


def test_a_reader_decides_alike_on_remembered_scores(folder: CacheFolder) -> None:
    plain = SparseReader(scorer=HybridScorer(encoder=None), min_tokens=5)
    asking = SparseReader(scorer=RememberingScorer(HybridScorer(encoder=None), folder), min_tokens=5)
    for _ in range(2):
        reading = asking.read(ENGLISH, "When do backups run?")
        assert reading.kept_text == plain.read(ENGLISH, "When do backups run?").kept_text
    assert asking.read(ENGLISH, "When do backups run?").explain(1).matched  # the words are those of the scorer behind


def test_a_damaged_entry_is_scored_again(folder: CacheFolder, caplog: pytest.LogCaptureFixture) -> None:
    scorer = ByHand([0.1, 0.9, 0.2])
    asking = RememberingScorer(scorer, folder)
    first = asking.score(ENGLISH, "When?")
    (entry,) = folder.folder.glob(f"*{SUFFIX}")
    entry.write_bytes(entry.read_bytes()[:-9] + b"\0" * 9)
    assert_equal(asking.score(ENGLISH, "When?"), first)
    assert len(scorer.asked) == 2
    assert "is damaged" in caplog.text


def test_a_kind_of_scores_that_holds_more_is_not_remembered(folder: CacheFolder) -> None:
    class More(RelevanceScores):
        pass

    class Scorer(ByHand):
        def score(self, document, question, *, scope=None, progress=None):  # type: ignore[no-untyped-def]
            found = super().score(document, question, scope=scope, progress=progress)
            return More(**{field.name: getattr(found, field.name) for field in fields(RelevanceScores)})

    scorer = Scorer([0.1, 0.9, 0.2])
    for _ in range(2):
        assert type(RememberingScorer(scorer, folder).score(ENGLISH, "When?")) is More
    assert len(scorer.asked) == 2


def test_the_vector_of_a_question_is_remembered_also_where_there_is_none(folder: CacheFolder) -> None:
    class Scorer(ByHand):
        def question_vector(self, question: str) -> npt.NDArray[np.float32] | None:  # type: ignore[override]
            self.asked.append((question, None))
            return None if question == "什么？" else np.array([0.6, 0.8], np.float32)

    scorer = Scorer([0.1])
    for _ in range(2):
        found = RememberingScorer(scorer, folder).question_vector("What?")
        assert found is not None
        assert found.tolist() == np.array([0.6, 0.8], np.float32).tolist()
        assert RememberingScorer(scorer, folder).question_vector("什么？") is None
    assert len(scorer.asked) == 2


finite = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(
    values=st.lists(finite, max_size=6),
    notes=st.lists(st.text(), max_size=3),
    names=st.lists(st.text(), max_size=3, unique=True),
    presence=st.none() | st.floats(allow_nan=False),
    nothing=st.none() | st.booleans(),
    alone=st.booleans(),
    calibration=st.none() | st.text(),
)
def test_any_scores_come_back_equal(values, notes, names, presence, nothing, alone, calibration) -> None:  # type: ignore[no-untyped-def]
    logits = np.array(values, np.float32)
    scores = RelevanceScores(
        logits=logits.copy(),
        relevance=logits.astype(np.float64),
        scale=Scale.UNCALIBRATED if calibration is None else Scale.CALIBRATED,
        parts={name: logits.copy() for name in names},
        share_read=np.ones(len(values), np.float32),
        scorer="证据",
        calibration=calibration,
        notes=tuple(notes),
        formula="sigmoid",
        words_alone=alone,
        presence=presence,
        nothing_relevant=nothing,
    )
    data = pack_scores(scores)
    assert_equal(unpack_scores(data), scores)
    assert pack_scores(unpack_scores(data)) == data


def test_what_is_no_pack_of_scores_is_refused() -> None:
    from workbench.documents.packing import pack_arrays

    with pytest.raises(DamagedPack):
        unpack_scores(pack_arrays({}, {"scale": "uncalibrated"}))
