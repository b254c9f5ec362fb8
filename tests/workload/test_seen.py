"""What a classifier was trained on is no basis for a promise."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.training.exporting.made import checkpoint_at, tiny_base_at
from tests.workload.made_depots import depots_in
from workbench.reading import SparseReader
from workbench.relevance.classifier import Classifier
from workbench.relevance.hybrid import HybridScorer
from workbench.training.exporting import export_classifier
from workbench.workload import Workload
from workbench.workload.fitting import ProfileFit, fit_profile
from workbench.workload.replay import load_outcomes, save_outcomes
from workbench.workload.seen import unseen


@pytest.fixture(scope="module")
def workload(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return depots_in(tmp_path_factory.mktemp("depots"), documents=9, paragraphs=60, test=2)


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Classifier:
    place = tmp_path_factory.mktemp("made")
    checkpoint = checkpoint_at(place / "step-000010", base=tiny_base_at(place / "tiny-bert"))
    export_classifier(checkpoint, place / "classifier", onnx=False, progress=False)
    return Classifier.open(place / "classifier", backend="torch-fp32")


def scorer_that_saw(classifier: Classifier, workload: Workload, keys: Iterable[str] | None) -> HybridScorer:
    """A scorer with the classifier as if it had been trained on some documents; None: nobody knows."""
    training = {} if keys is None else {"documents": {"train": [workload.artifacts.sha256(key) for key in keys]}}
    stage = Classifier(
        classifier.path, replace(classifier.manifest, training=training, candidates=4), backend="torch-fp32"
    )
    return HybridScorer(None, second_stage=stage)


def fitted(classifier: Classifier, workload: Workload, keys: Iterable[str] | None) -> ProfileFit:
    reader = SparseReader(scorer=scorer_that_saw(classifier, workload, keys))
    return fit_profile(workload, reader, recall=0.7, promise=0.9, quality_tolerance=0.05, processes=1, progress=False)


def test_documents_of_the_training_are_left_out_where_enough_others_remain(
    classifier: Classifier, workload: Workload
) -> None:
    fit = fitted(classifier, workload, ["depot-0.txt", "depot-1.txt", "depot-8.txt"])
    assert set(fit.outcomes["document"]) == {f"depot-{number}.txt" for number in range(2, 8)}
    assert fit.profile.workload.splits["dev"].documents == 5
    assert fit.profile.workload.fingerprint == workload.fingerprint
    note = (
        "Left out, for the classifier was trained on or chosen by 3 of the 9 documents; all that was fitted or judged "
        "rests on the other 6."
    )
    assert note in fit.profile.notes
    assert "Left out, for the classifier was trained on or chosen by 3 of" in fit.report()
    assert any(figure.sample == "out of sample" for figure in fit.profile.figures)


def test_where_too_few_others_remain_every_figure_is_in_sample_and_nothing_is_promised(
    classifier: Classifier, workload: Workload, tmp_path: Path
) -> None:
    fit = fitted(classifier, workload, workload.documents)
    assert {figure.sample for figure in fit.profile.figures} == {"in sample"}
    assert not any(promise.kept for promise in fit.profile.promises)
    assert fit.choice.headline == () and fit.result.out_of_sample == ()
    assert {figure.split for figures in fit.result.baselines.values() for figure in figures} == {"in sample"}
    assert fit.blocks is not None and not fit.blocks.promised and fit.blocks.risk.index is None
    (note,) = [note for note in fit.profile.notes if note.startswith("All figures are in sample")]
    assert "the classifier was trained on or chosen by 9 of the 9 documents, and 0 others to fit on are too few" in note
    assert fit.report().startswith("All figures are in sample and nothing is promised: the classifier was trained")
    assert "NO PROMISE" in fit.report() and "<- promised" not in fit.report()
    again = load_outcomes(save_outcomes(fit.outcomes, tmp_path / "outcomes.csv"))
    assert again.attrs["in_sample"] == note


def test_where_nobody_knows_nothing_is_promised_and_that_is_said(classifier: Classifier, workload: Workload) -> None:
    found = unseen(workload, scorer_that_saw(classifier, workload, None))
    assert found.workload.documents == workload.documents
    (note,) = found.notes
    assert note == found.unpromised
    assert note.startswith("It is not known on which documents the classifier was trained, so figures may be in sample")


def test_documents_that_are_only_judged_are_left_out_as_well(classifier: Classifier, workload: Workload) -> None:
    found = unseen(workload, scorer_that_saw(classifier, workload, workload.documents[:8]))
    assert found.in_sample and found.workload.documents == (*workload.documents[:7], "depot-8.txt")


def test_what_was_not_trained_or_has_seen_others_leaves_all_as_it_is(
    classifier: Classifier, workload: Workload
) -> None:
    for scorer in (HybridScorer(None), scorer_that_saw(classifier, workload, [])):
        found = unseen(workload, scorer)
        assert (found.workload, found.in_sample, found.unpromised, found.notes) == (workload, "", "", ())


def test_a_document_of_several_files_is_known_again(classifier: Classifier, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "audit.zip", "w") as archive:
        archive.writestr("a.txt", "The pump was checked in May.")
        archive.writestr("b.txt", "The crane was checked in June.")
    (tmp_path / "workload.jsonl").write_text(
        '{"id": "1", "artifact": "audit.zip", "question": "When?", "scenario": "long_document_qa"}\n', "utf-8"
    )
    from workbench.workload import load_workload

    loaded = load_workload(tmp_path)
    sha256 = loaded.open("audit.zip").sha256
    training = {"documents": {"train": [sha256]}}
    stage = Classifier(classifier.path, replace(classifier.manifest, training=training), backend="torch-fp32")
    assert unseen(loaded, HybridScorer(None, second_stage=stage)).in_sample
