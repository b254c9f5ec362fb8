"""Workloads with a profile that was calibrated on them, by a reader without a model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from tests.workload.made_depots import depots_in
from workbench.calibration import calibrate
from workbench.calibration.profiles import profile_of
from workbench.gate import GateProfile
from workbench.gate.signal_options import SignalOptions
from workbench.reading import SparseReader
from workbench.workload import Workload, load_workload
from workbench.workload.replay import replay

ASTRAY = "When is the night frost announced?"
NOWHERE = "The roof was painted by Ada Holm in the spring of 1911."


@dataclass(frozen=True)
class Made:
    """A workload with everything that its story needs."""

    workload: Workload
    reader: SparseReader
    outcomes: pd.DataFrame
    profile: GateProfile


def narrow_reader() -> SparseReader:
    """Return a reader that keeps so little that it loses evidence now and then."""
    return SparseReader(scorer=None, token_share=0.02, min_tokens=60)


def made_in(folder: Path, *, documents: int = 5, paragraphs: int = 150, test: int = 0) -> Made:
    """Write depots with some requests that lose evidence, replay them, and calibrate a profile on them."""
    workload, reader = (
        hidden_in(depots_in(folder, documents=documents, paragraphs=paragraphs, test=test)),
        narrow_reader(),
    )
    options = SignalOptions(share=0.02, least_tokens=60)
    outcomes = replay(workload, reader, options=options, processes=1, progress=False)
    result = calibrate(outcomes, quality_tolerance=0.2, draws=200)
    return Made(workload, reader, outcomes, profile_of(result, name="depots"))


def hidden_in(workload: Workload) -> Workload:
    """Ask of the first two documents what leads a reader elsewhere, and of the second for what is nowhere in it."""
    assert workload.folder is not None
    boats = [workload.request(f"{number}-boats").evidence[0].quote for number in (0, 1)]
    pumps = workload.request("1-pumps").evidence[0].quote
    common = {"scenario": "pdf_report_qa", "scope": "point", "question": ASTRAY}
    more = [
        {**common, "id": "0-hidden", "artifact": "depot-0.txt", "evidence": [{"quote": boats[0]}]},
        {**common, "id": "1-hidden", "artifact": "depot-1.txt", "evidence": [{"quote": boats[1]}, {"quote": pumps}]},
        {**common, "id": "1-nowhere", "artifact": "depot-1.txt", "evidence": [{"quote": NOWHERE}]},
    ]
    with (workload.folder / "workload.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in more)
    return load_workload(workload.folder)


def forcing(profile: GateProfile) -> GateProfile:
    """Return a profile that forces whatever no constraint holds, set by hand: it has no figures."""
    return _with_thresholds(profile, -2.0, -1.9)


def native(profile: GateProfile) -> GateProfile:
    """Return a profile that leaves everything native."""
    return _with_thresholds(profile, 1.9, 2.0)


def _with_thresholds(profile: GateProfile, low: float, high: float) -> GateProfile:
    thresholds = profile.gate.thresholds.model_copy(update={"native": low, "force": high})
    gate = profile.gate.model_copy(update={"thresholds": thresholds})
    return profile.model_copy(update={"gate": gate, "figures": ()})
