"""The real sets: what README.md of the evaluation data counts is what an import reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.workload import load_workload
from workbench.workload.importers import import_workload

Expected = tuple[int, int, int, dict[str, int]]

SETS: dict[str, tuple[str, str, Expected]] = {
    "xquad": ("squad", "xquad", (1712, 1712, 0, {})),
    "cmrc": ("squad", "cmrc2018", (1518, 1518, 0, {"an answer that does not stand in its paragraph": 84})),
    "drcd": ("squad", "drcd", (736, 736, 0, {})),
    "policyqa": ("squad", "policyqa", (1507, 2469, 0, {"the same words asked of several segments of a policy": 483})),
    "covidqa": ("squad", "covidqa", (490, 490, 0, {"an answer at a wrong offset": 52})),
    "tatqa": ("tatqa", "tatqa", (900, 1085, 0, {"a paragraph range that gives another text than the fact": 12})),
    "loogle": ("loogle", "loogle", (68, 118, 2, {"questions written as a Python literal in a text": 6})),
    "mtrag": ("mtrag", "mtrag_un", (210, 352, 0, {"a conversation without passages": 40})),
}


@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_the_defects_of_a_set_of_texts_are_counted(name: str, data_dir: Path, tmp_path: Path) -> None:
    importer, folder, (requests, evidence, unresolved, defects) = SETS[name]
    report = import_workload(importer, data_dir / folder, tmp_path / "out", progress=False)
    assert (report.requests, report.evidence, report.unresolved) == (requests, evidence, unresolved)
    kinds = {defect.kind.split(";")[0]: defect.count for defect in report.defects}
    assert {kind: kinds.get(kind) for kind in defects} == defects
    assert len(load_workload(tmp_path / "out")) == requests


@pytest.mark.data
@pytest.mark.parametrize(("name", "unresolved"), [("financebench", 0), ("cuad", 0), ("mmlongbench", 9)])
def test_the_evidence_of_pdfs_is_found_but_on_pages_without_text(
    name: str, unresolved: int, data_dir: Path, tmp_path: Path
) -> None:
    report = import_workload(name, data_dir / name, tmp_path / "out", limit=1, progress=False)
    assert report.documents == 1
    assert report.evidence > 0
    assert report.unresolved == unresolved


@pytest.mark.data
def test_defects_are_those_of_the_documents_that_are_imported(data_dir: Path, tmp_path: Path) -> None:
    report = import_workload("financebench", data_dir / "financebench", tmp_path / "out", limit=2, check=False)
    assert {defect.count for defect in report.defects} == {report.evidence}
