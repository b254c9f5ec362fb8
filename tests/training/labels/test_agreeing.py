"""Agreement beyond chance, with an interval over documents and the blocks on which people differ."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from workbench.documents import Document
from workbench.errors import InvalidLabels
from workbench.training.labels import VALUES, Label, LabelValue, agreement

from .made_labels import label_of


def labels_of(document: Document, first: list[LabelValue], second: list[LabelValue], documents: int = 4) -> list[Label]:
    """One label of each of two annotators on one block after another, on several documents in turn."""
    base = label_of(document)
    found = []
    for rank, values in enumerate(zip(first, second, strict=True)):
        for name, value in zip(("ann", "bob"), values, strict=True):
            sha256 = f"{rank % documents:064d}"
            found.append(
                replace(base, id=f"{rank} {name}", document=sha256, block_id=rank, annotator=name, value=value)
            )
    return found


@settings(max_examples=25)
@given(pairs=st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES)), min_size=2, max_size=30))
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[LabelValue, LabelValue]], document: Document) -> None:
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    assume(len({*first, *second}) > 1)
    (pair,) = agreement(labels_of(document, first, second)).pairs
    expected = cohen_kappa_score([str(one) for one in first], [str(other) for other in second])
    np.testing.assert_allclose(pair.kappa, expected, atol=1e-12)
    assert pair.confusion.sum() == len(pairs) == pair.items
    assert len(pair.disagreements) == sum(one is not other for one, other in pairs)
    assert np.isnan(pair.low) or pair.low <= pair.high


def test_the_interval_is_over_documents_and_holds_kappa(document: Document) -> None:
    first = [VALUES[rank % 3] for rank in range(60)]
    second = [VALUES[(rank + (rank % 7 == 0)) % 3] for rank in range(60)]
    labels = labels_of(document, first, second, documents=12)
    pair = agreement(labels).pair("bob", "ann")
    assert (pair.items, pair.documents) == (60, 12)
    assert pair.low < pair.kappa < pair.high
    assert agreement(labels).pairs[0].low == pair.low, "the same seed draws the same documents"
    assert f"kappa {pair.kappa:.2f} [{pair.low:.2f}, {pair.high:.2f}] on 60 blocks of 12 documents" in pair.report()
    assert pair.confusion_frame().loc["evidence", "evidence"] == pair.confusion[0, 0]
    assert "evidence" in pair.report().splitlines()[1]


def test_one_document_has_no_interval_and_says_so(document: Document) -> None:
    labels = labels_of(document, list(VALUES), list(reversed(VALUES)), documents=1)
    (pair,) = agreement(labels).pairs
    assert np.isnan(pair.low)
    assert "one document, so there is no interval over documents; label another one." in pair.report()


def test_one_value_throughout_has_no_kappa_and_says_so(document: Document) -> None:
    (pair,) = agreement(labels_of(document, [VALUES[0]] * 4, [VALUES[0]] * 4)).pairs
    assert np.isnan(pair.kappa)
    assert pair.observed == 1.0
    assert "kappa not defined" in pair.report()
    assert "Both gave one and the same value throughout" in pair.report()


def test_disagreements_have_both_labels_and_the_resolution(document: Document) -> None:
    labels = [label_of(document, 1), label_of(document, 1, "not relevant", "bob"), label_of(document, 2, "unsure")]
    (one,) = agreement(labels).disagreements
    assert (one.first.value, one.second.value, one.resolution) == ("evidence", "not relevant", None)
    resolved = label_of(document, 1, "useful context", "carol")
    found = agreement([*labels, resolved])
    of_both = found.pair("ann", "bob").disagreements
    assert [one.resolution for one in of_both] == [resolved]
    assert len(found.pairs) == 3
    assert one.item == (document.sha256, labels[0].question, 1, labels[0].block_sha256)


def test_only_some_values_or_annotators_can_be_compared(document: Document) -> None:
    labels = labels_of(document, list(VALUES), [VALUES[0], VALUES[2], VALUES[2], VALUES[0], VALUES[4]])
    (pair,) = agreement(labels, values=["evidence", "not relevant"]).pairs
    assert (pair.items, pair.values) == (2, (LabelValue.EVIDENCE, LabelValue.NOT_RELEVANT))
    assert agreement(labels, annotators=["ann"]).pairs == ()
    with pytest.raises(InvalidLabels, match="There are no labels of carol; the annotators are ann, bob"):
        agreement(labels, annotators=["ann", "carol"])
    with pytest.raises(InvalidLabels, match="is no value of a label; give one of evidence"):
        agreement(labels, values=["good"])
    with pytest.raises(InvalidLabels, match="no labels of ann and carol together; the annotators are ann, bob"):
        agreement(labels).pair("ann", "carol")


def test_nothing_to_compare_is_told(document: Document) -> None:
    assert agreement([]).report() == "There are labels of fewer than two annotators, so there is nothing to compare."
    (pair,) = agreement([label_of(document, 1), label_of(document, 2, annotator="bob")]).pairs
    assert pair.report() == "ann and bob: no block has a label of both"
    frame = agreement([label_of(document, 1), label_of(document, 1, annotator="bob")]).to_frame()
    assert frame[["first", "second", "items", "disagreements"]].to_numpy().tolist() == [["ann", "bob", 1, 0]]


def test_the_latest_label_of_an_annotator_counts(document: Document) -> None:
    labels = [label_of(document, 1, value, name) for value, name in product(["unsure", "evidence"], ["ann", "bob"])]
    (pair,) = agreement(labels).pairs
    assert (pair.items, pair.observed) == (1, 1.0)
