"""Tables of scores from anywhere: read, or refused by row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from workbench.calibration.score_tables import checked_scores, load_scores
from workbench.errors import FileMissing, InvalidOutcomes

GOOD = pd.DataFrame(
    {
        "question": ["1", "1", "2"],
        "document": ["a", "a", "a"],
        "block": [0, 1, 0],
        "score": [0.5, 0.25, -3.0],
        "label": [True, False, False],
    }
)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_a_table_comes_back_from_each_kind_of_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"scores{suffix}"
    if suffix == ".csv":
        GOOD.to_csv(path, index=False)
    elif suffix == ".parquet":
        GOOD.to_parquet(path)
    else:
        GOOD.to_json(path, orient="records", lines=True)
    found = checked_scores(load_scores(path))
    assert found.score.tolist() == [0.5, 0.25, -3.0]
    assert found.label.tolist() == [True, False, False]
    assert len(found.questions) == 2


@pytest.mark.parametrize(("yes", "no"), [("1", "0"), ("True", "false"), ("yes", "No"), (1.0, 0.0), (1, 0)])
def test_labels_are_read_as_people_write_them(yes: object, no: object) -> None:
    assert checked_scores(GOOD.assign(label=[yes, no, no])).label.tolist() == [True, False, False]


def test_one_question_of_two_documents_is_two_questions() -> None:
    found = checked_scores(GOOD.assign(document=["a", "a", "b"], question="same"))
    assert len(found.questions) == 2
    assert found.documents == ("a", "b")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": [0.5, np.nan, 1.0]}, "The table of scores, row 2: score is no finite number; mend or remove them."),
        (
            {"score": [0.5, np.inf, "x"]},
            "The table of scores, row 2, 3: score is no finite number; mend or remove them.",
        ),
        (
            {"label": [1, "maybe", 0]},
            "The table of scores, row 2: label is neither true nor false; mend or remove them.",
        ),
        ({"question": "1"}, "The table of scores, row 3: block stands there twice for one question and document; mend"),
        ({"document": ["a", None, "b"]}, "The table of scores, row 2: document is empty; mend or remove them."),
        ({"question": ["", "1", "2"]}, "The table of scores, row 1: question is empty; mend or remove them."),
        (
            {"document": "a", "document_type": ["x", "y", "x"]},
            "The table of scores, row 2: document_type is another than before for the same document; mend",
        ),
        (
            {"tokens": [1, 0.4, 2]},
            "The table of scores, row 2: tokens is no whole number up to 1,000,000,000,000; mend",
        ),
        ({"tokens": [1, 1e30, 2]}, "The table of scores, row 2: tokens is no whole number up to"),
        ({"tokens": [1, -1, 2]}, "The table of scores, row 2: tokens is negative; mend or remove them."),
    ],
)
def test_what_nothing_can_be_fitted_on_is_named_by_row(change: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidOutcomes) as caught:
        checked_scores(GOOD.assign(**change))
    assert str(caught.value).startswith(message)


def test_a_missing_column_is_named_with_those_that_are_there() -> None:
    with pytest.raises(
        InvalidOutcomes, match=r"^The table of scores has no column score, label; it needs question, .*has"
    ):
        checked_scores(GOOD[["question", "document", "block"]])
    with pytest.raises(InvalidOutcomes, match=r"has no rows"):
        checked_scores(GOOD[:0])


def test_evidence_of_a_question_without_scores_is_refused() -> None:
    evidence = pd.DataFrame({"question": ["9"], "document": ["a"], "piece": [0], "score": [0.1]})
    with pytest.raises(InvalidOutcomes, match=r"^The table of evidence, row 1: question has no scores"):
        checked_scores(GOOD, evidence)


def test_a_file_that_is_no_table_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match="There is no table of scores at"):
        load_scores(tmp_path / "x.csv")
    (tmp_path / "x.parquet").write_bytes(b"PAR1 but not really")
    with pytest.raises(InvalidOutcomes, match=r"^x\.parquet is no table of scores"):
        load_scores(tmp_path / "x.parquet")
    (tmp_path / "x.csv").write_bytes(b"")
    with pytest.raises(InvalidOutcomes, match=r"^x\.csv is no table of scores"):
        load_scores(tmp_path / "x.csv")
    for text in ('{"a": 1}\n[1, 2]\n', "[1]\n", "3\n", '{"a": 1}\nnull\n'):
        (tmp_path / "x.jsonl").write_text(text)
        with pytest.raises(InvalidOutcomes, match=r"table of scores"):
            checked_scores(load_scores(tmp_path / "x.jsonl"))


def test_a_question_that_reads_na_is_a_question(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    GOOD.assign(question=["NA", "NA", "null"]).to_csv(path, index=False)
    assert (
        checked_scores(load_scores(path)).questions == ("a\x1fNA", "a\x1fnull")
        or len(checked_scores(load_scores(path)).questions) == 2
    )


def test_what_is_no_table_is_refused_in_one_sentence() -> None:
    with pytest.raises(InvalidOutcomes, match=r"^The table of scores is of type str; give a DataFrame"):
        checked_scores("scores.csv")  # type: ignore[arg-type]
    with pytest.raises(InvalidOutcomes, match=r"^The table of scores has two columns score; take one"):
        checked_scores(pd.concat([GOOD, GOOD[["score"]]], axis=1))
