"""What document types add to a threshold, and for which of them a promise holds by itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.calibration.test_block_thresholds import drawn
from workbench.calibration.block_fits import Evidence
from workbench.calibration.block_thresholds import cut_of, fit_threshold
from workbench.calibration.score_tables import checked_scores
from workbench.calibration.type_offsets import LARGEST_OFFSET, offset_notes, type_offsets


def narrow(documents: int, seed: int, kind: str, *, shift: float = 0.0) -> pd.DataFrame:
    """Scores that differ by less than an offset may."""
    found = drawn(documents, seed, shift=shift, kind=kind)
    found["score"] = 0.5 + 0.1 * (found["score"] - 0.5)
    return found


def miss_rate(scores: pd.DataFrame, kind: str, at: float) -> float:
    table = checked_scores(scores)
    return float(Evidence.of(table, table.document_type == table.types.index(kind)).missed(at))


def test_types_with_documents_enough_are_promised_their_own_recall() -> None:
    scores = pd.concat([narrow(40, 1, "legal"), narrow(40, 2, "technical", shift=1.5)])
    fitted = fit_threshold(scores, recall=0.9)
    rows = fitted.by_type.set_index("document_type")
    assert rows["promised"].all()
    assert fitted.offsets["legal"] < 0 < fitted.offsets["technical"]
    for kind in ("legal", "technical"):
        n, at = 40, fitted.threshold + fitted.offsets[kind]
        assert (n * miss_rate(scores, kind, at) + 1) / (n + 1) <= 0.1 + 1e-9
    assert "The promise holds for each type by itself: legal, technical." in fitted.notes
    assert rows["wanted_offset"].to_dict() == pytest.approx(fitted.offsets)


def test_a_type_may_rise_only_where_the_others_carry_the_promise_without_it() -> None:
    scores = pd.concat([narrow(40, 1, "technical", shift=1.5), narrow(6, 2, "legal")])
    fitted = fit_threshold(scores, recall=0.9)
    assert fitted.promised
    assert fitted.by_type.set_index("document_type")["promised"].to_dict() == {"legal": False, "technical": True}
    assert fitted.offsets["technical"] == 0.0
    assert fitted.offsets["legal"] <= 0.0
    assert (
        "The promise holds by itself for technical, and only over all types together for legal (6 documents)."
        in fitted.notes
    )


def test_a_promise_of_too_few_documents_a_type_is_pooled_and_said_to_be() -> None:
    scores = pd.concat([narrow(7, 1, "legal"), narrow(7, 2, "technical")])
    fitted = fit_threshold(scores, recall=0.9)
    assert fitted.promised
    assert not fitted.by_type["promised"].any()
    assert (
        "The promise holds over all types together, for no type has documents enough of its own: "
        "legal (7 documents), technical (7 documents)."
    ) in fitted.notes


def test_where_the_data_wants_more_than_the_largest_offset_it_is_said() -> None:
    scores = pd.concat([drawn(8, 1, shift=-1.5, kind="legal"), drawn(60, 2, shift=3.0, kind="technical")])
    fitted = fit_threshold(scores, recall=0.9, promise=False)
    row = fitted.by_type.set_index("document_type").loc["legal"]
    assert row["offset"] == -LARGEST_OFFSET
    assert row["wanted_offset"] < -LARGEST_OFFSET
    said = (
        f"legal: the data wants an offset of {row['wanted_offset']:+.3f} for a recall of 90 %, and -0.08 is the most; "
        "fit a map on more documents of the type, or lower the floor for it."
    )
    assert said in fitted.notes


def test_few_documents_have_no_offset_and_one_type_has_none() -> None:
    few = checked_scores(pd.concat([narrow(20, 1, "legal"), narrow(3, 2, "technical")]))
    found = type_offsets(few, 0.5, 0.9, promised=False)
    assert found["technical"].offset == 0.0
    assert np.isnan(found["technical"].wanted)
    assert "technical: fewer than 5 documents with evidence, so no offset." in offset_notes(found, 0.9, promised=False)
    assert set(cut_of(few, 0.9, promise=False).offsets) == {"legal"}
    assert type_offsets(checked_scores(narrow(20, 1, "legal")), 0.5, 0.9, promised=True) == {}
