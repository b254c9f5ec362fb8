"""A table of outcomes is checked whole, and what is wrong is named by row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.calibration.made import table, workload
from workbench.calibration import checked_outcomes
from workbench.errors import InvalidOutcomes


def plain(rows: int = 3) -> pd.DataFrame:
    return table([[0.5, 0.1, 0.2]] * rows, [100] * rows, [50] * rows, [0] * rows)


def test_nine_columns_are_enough() -> None:
    outcomes = checked_outcomes(plain())
    assert (len(outcomes), outcomes.documents, outcomes.free.all(), outcomes.chance.tolist()) == (3, 3, True, [0.5] * 3)
    assert repr(outcomes) == "Outcomes(3 requests, 3 documents, 0 under a hard constraint)"


def test_a_gain_in_quality_is_no_negative_loss() -> None:
    frame = plain().assign(quality_native=[0.5, 1.0, 0.5], quality_sparse=[1.0, 0.25, 0.5])
    assert checked_outcomes(frame).loss.tolist() == [0.0, 0.75, 0.0]


@pytest.mark.parametrize("empty", ["", None, float("nan")])
def test_an_empty_constraint_is_none(empty: object) -> None:
    frame = plain().assign(constraint=pd.Series([empty, "small_file", empty], dtype=object))
    assert checked_outcomes(frame).free.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("s", float("nan"), "Column s is no finite number in 1 row of the outcomes (row 2, request 'r00001')"),
        ("c", 1.5, "Column c is no number from 0 to 1 in 1 row of the outcomes (row 2, request 'r00001')"),
        ("r", float("inf"), "Column r is no finite number in 1 row"),
        ("tokens_sparse", -1, "Column tokens_sparse is no number from 0 to 1e+15 in 1 row"),
        ("tokens_native", 1e308, "Column tokens_native is no number from 0 to 1e+15 in 1 row"),
        ("quality_native", 2, "Column quality_native is no number from 0 to 1 in 1 row"),
        ("quality_sparse", None, "replay those requests or leave them out"),
        ("request", "r00000", "Column request stands more than once in 2 rows of the outcomes (row 1, request"),
        ("document", None, "Column document is empty in 1 row of the outcomes (row 2, request 'r00001')"),
    ],
)
def test_a_bad_value_is_refused_by_row(column: str, value: object, message: str) -> None:
    frame = plain()
    frame[column] = frame[column].astype(object)
    frame.loc[1, column] = value
    with pytest.raises(InvalidOutcomes) as raised:
        checked_outcomes(frame)
    assert message in str(raised.value)


def test_many_bad_rows_are_counted() -> None:
    with pytest.raises(InvalidOutcomes, match=r"in 9 rows of the outcomes .*; and 4 more\)"):
        checked_outcomes(plain(9).assign(s=np.nan))


def test_text_where_numbers_belong_is_refused() -> None:
    with pytest.raises(InvalidOutcomes, match="Column s is no finite number"):
        checked_outcomes(plain().assign(s="很高"))


def test_a_table_without_rows_or_columns_is_refused() -> None:
    with pytest.raises(InvalidOutcomes, match="has no rows; replay a workload"):
        checked_outcomes(plain().iloc[:0])
    with pytest.raises(InvalidOutcomes, match="has no column c, tokens_native; it needs request, document, s"):
        checked_outcomes(plain().drop(columns=["c", "tokens_native"]))


def test_a_document_in_two_splits_is_refused() -> None:
    frame = table([[0.5, 0.1, 0.2]] * 2, [9] * 2, [5] * 2, [0] * 2, documents=["手册.pdf"] * 2, split=["dev", "test"])
    with pytest.raises(InvalidOutcomes, match="Column document is in both splits in 2 rows"):
        checked_outcomes(frame)


def test_an_unknown_split_is_refused() -> None:
    with pytest.raises(InvalidOutcomes, match="Column split is neither dev nor test in 3 rows"):
        checked_outcomes(plain().assign(split="train"))


def test_some_rows_keep_their_documents_and_labels() -> None:
    outcomes = checked_outcomes(workload(60, 8))
    chosen = outcomes.document.codes == 2
    part = outcomes.rows(chosen)
    assert part.document.names == (outcomes.document.names[2],)
    assert part.request.tolist() == outcomes.request[chosen].tolist()
    assert len(part.groups["scenario"].names) == 1


def test_what_is_no_table_is_refused_in_one_sentence() -> None:
    with pytest.raises(InvalidOutcomes, match=r"^The outcomes are of type str; give a DataFrame"):
        checked_outcomes("outcomes.csv")  # type: ignore[arg-type]
    with pytest.raises(InvalidOutcomes, match="has two columns s; take one of them out"):
        checked_outcomes(pd.concat([plain(), plain()[["s"]]], axis=1))
    with pytest.raises(InvalidOutcomes, match="Column scenario of the outcomes holds lists"):
        checked_outcomes(plain().assign(scenario=[["a"]] * 3))
