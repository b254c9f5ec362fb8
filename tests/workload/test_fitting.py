"""From a workload to a profile, the whole way, with words alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.workload.made_depots import depots_in
from workbench.errors import CalibrationRefused, InvalidOption
from workbench.gate import GateProfile, ReadGate
from workbench.reading import SparseReader
from workbench.relevance.calibrated import ANY_TYPE
from workbench.workload import Workload, load_workload
from workbench.workload.block_fitting import Floor, fit_blocks, table_of
from workbench.workload.fitting import ProfileFit, fit_profile
from workbench.workload.replay import collect_block_scores


@pytest.fixture(scope="module")
def workload(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return depots_in(tmp_path_factory.mktemp("depots"), documents=9, test=2)


@pytest.fixture(scope="module")
def fit(workload: Workload) -> ProfileFit:
    return fit_profile(workload, SparseReader(scorer=None), quality_tolerance=0.02, processes=1, name="depots")


def test_the_gate_forces_what_pays_and_leaves_the_whole_to_the_native_way(fit: ProfileFit) -> None:
    routes = fit.result.frame.set_index("request")["route_out_of_sample"]
    point = routes[[name for name in routes.index if not name.endswith(("none", "all"))]]
    whole = routes[[name for name in routes.index if name.endswith("all")]]
    assert (point == "force").mean() > 0.9
    assert (whole == "native").all()


def test_the_headline_is_out_of_sample_and_the_split_test_is_only_judged(fit: ProfileFit) -> None:
    reduction = {
        (figure.name, figure.sample): figure
        for figure in fit.profile.figures
        if figure.name.startswith("token reduction")
    }
    assert reduction["token reduction", "out of sample"].value > 0.2
    assert reduction["token reduction, split test", "out of sample"].value > 0.2
    assert fit.profile.workload.splits["dev"].documents == 7
    assert fit.profile.workload.splits["test"].documents == 2
    assert set(fit.result.frame["document"]) == {f"depot-{number}.txt" for number in range(7)}
    assert len(fit.outcomes) == 72


def test_a_reader_and_a_gate_from_the_saved_profile_decide_as_the_calibrated_ones(
    fit: ProfileFit, workload: Workload, tmp_path: Path
) -> None:
    path = fit.profile.save(tmp_path / "gate.json")
    reader, gate = SparseReader.from_profile(path), ReadGate.from_profile(path)
    request = workload.request("0-pumps")
    document = workload.open(request)
    assert not reader.read(document, request.question).is_empty
    outcome = fit.outcomes.set_index("request").loc["0-pumps"]
    decision = gate.decide(document, request.question, scope=request.scope)
    assert decision.signals.as_array().tolist() == pytest.approx(outcome[["s", "c", "r"]].tolist())


def test_a_second_fit_is_equal_but_for_its_date(fit: ProfileFit, workload: Workload) -> None:
    again = fit_profile(workload, SparseReader(scorer=None), quality_tolerance=0.02, processes=1, name="depots")
    assert again.profile.model_copy(update={"created": fit.profile.created}) == fit.profile
    assert again.report() == fit.report()


def test_a_recall_floor_that_is_asked_for_gives_a_calibrated_threshold(workload: Workload, tmp_path: Path) -> None:
    fit = fit_profile(workload, SparseReader(scorer=None), recall=0.8, processes=1)
    assert fit.choice.name == "recall 0.8, promised"
    assert fit.blocks is not None
    assert fit.blocks.promised
    assert fit.profile.block.cut.kind == "threshold"
    loaded = GateProfile.load(fit.profile.save(tmp_path / "gate.json"))
    reading = SparseReader.from_profile(loaded).read(
        workload.open("depot-0.txt"), "How many pumps does the house keep?"
    )
    assert reading.scores.calibration is not None
    assert "House 0 keeps" in reading.kept_text
    assert "promise        on a new document of this kind at least 80 %" in fit.report()


def test_a_floor_that_too_few_documents_can_promise_is_met_and_said_not_to_be_promised(workload: Workload) -> None:
    fit = fit_profile(workload, SparseReader(scorer=None), recall=0.95, processes=1)
    assert fit.choice.name == "recall 0.95"
    (note,) = [note for note in fit.profile.notes if note.startswith("Recall 0.95 is not promised: ")]
    assert "with 4 documents set aside, half of all, the best that can be promised is 0.800" in note
    assert [promise.kept for promise in fit.profile.promises] == [False]


def test_the_cut_is_chosen_without_the_documents_that_a_promise_rests_on(workload: Workload) -> None:
    fit = fit_profile(workload, SparseReader(scorer=None), promise=0.3, processes=1)
    promised = fit.result.promise
    assert (promised.kept, promised.fit_documents, promised.promise_documents) == (True, 3, 4)
    assert {figures[0].documents for figures in fit.choice.candidates.values()} == {3}


def test_the_threshold_of_a_fold_knows_nothing_of_its_documents(workload: Workload) -> None:
    scores = collect_block_scores(workload, SparseReader(scorer=None), processes=1)
    others = fit_blocks(scores, fitted_on="x", documents=set(workload.documents) - {"depot-0.txt"})
    assert {found.document for found in others.requests} == set(workload.documents) - {"depot-0.txt"}
    assert others.table.documents == tuple(sorted(set(workload.documents) - {"depot-0.txt"}))
    assert others.calibration.maps[ANY_TYPE].documents == 8


def test_what_a_threshold_keeps_is_what_the_reader_keeps(workload: Workload) -> None:
    reader = SparseReader(scorer=None)
    fitted = fit_blocks(collect_block_scores(workload, reader, processes=1), fitted_on="x")
    cut = fitted.cut(Floor(0.8))
    request = workload.request("3-boats")
    reading = fitted.reader(reader, cut).read(workload.open(request), request.question, scope=request.scope)
    table = table_of([found for found in fitted.requests if found.request == "3-boats"], fitted.calibration)
    assert len(reading.kept_ids) == int((table.score >= cut.threshold).sum())
    assert np.isin(reading.kept_ids, np.flatnonzero(reading.priority >= cut.threshold)).all()


def test_few_labels_cut_by_a_share_and_say_so(tmp_path: Path) -> None:
    small = depots_in(tmp_path, documents=1)
    fit = fit_profile(small.filter(id=["0-pumps", "0-none"]), SparseReader(scorer=None), processes=1)
    assert fit.profile.block.cut.kind == "token share"
    assert any(
        note.startswith("Cut by token share, for relevance cannot be calibrated: ") for note in fit.profile.notes
    )
    assert any("so none can be held out" in note for note in fit.profile.notes)
    with pytest.raises(
        CalibrationRefused, match=r"^No map from scores to probabilities can be fitted: There are \d blocks"
    ):
        fit_profile(small.filter(id=["0-pumps"]), SparseReader(scorer=None), recall=0.9, processes=1)


def test_a_floor_outside_its_range_is_refused_before_any_work(workload: Workload) -> None:
    with pytest.raises(InvalidOption, match=r"^recall is 1\.2; give a number between 0 and 1\.$"):
        fit_profile(workload, recall=1.2)


@pytest.mark.data
def test_the_whole_way_on_filings(data_dir: Path, tmp_path: Path) -> None:
    from workbench.workload.importers import import_workload

    import_workload("financebench", data_dir / "financebench", tmp_path / "f", limit=4, progress=False)
    fit = fit_profile(load_workload(tmp_path / "f"), SparseReader(scorer=None), quality_tolerance=0.1, processes=1)
    assert fit.profile.workload.splits["dev"].documents == 4
    assert fit.result.figure("token reduction").split == "out of sample"
