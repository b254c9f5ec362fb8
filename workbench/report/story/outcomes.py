"""The outcomes that a story rests on: those that were given, those beside the workload, or those of a replay."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...calibration.outcomes import checked_outcomes
from ...errors import InvalidOutcomes, StaleProfile, WorkbenchError
from ...gate.profile import GateProfile
from ...gate.signal_options import SignalOptions
from ...printing import counted, printable
from ...reading import SparseReader
from ...workload import Workload
from ...workload.replay import load_outcomes, replay
from ...workload.replay.keys import reader_values
from ...workload.replay.outcomes import COLUMNS
from ...workload.replay.replaying import described

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from ...workload.requests import Request

OUTCOMES = "outcomes.parquet"
_SHORT = 12
_SAID = ("scenario", "artifact", "document", "answerable", "split", "turn", "label")
"""Columns that only repeat what a request says."""

_log = logging.getLogger("workbench")


def outcomes_for(
    workload: Workload, profile: GateProfile, reader: SparseReader, options: SignalOptions, progress: bool | None
) -> tuple[pd.DataFrame, str]:
    """Return the outcomes beside a workload, or of a replay where these do not fit, and why they do not.

    The reason is in English and "" where there is none; it is logged as well, before the replay begins.
    """
    file = None if workload.folder is None else workload.folder / OUTCOMES
    why = ""
    if file is not None and file.is_file():
        found, why = _beside(file, workload, reader, options)
        if found is not None:
            return found, ""
        _log.warning("%s is not used, and %s is replayed: %s", file.name, printable(workload.name), printable(why))
    share = profile.gate.advisory_share
    return replay(workload, reader, options=options, advisory_share=share, progress=progress), why


def _beside(
    file: Path, workload: Workload, reader: SparseReader, options: SignalOptions
) -> tuple[pd.DataFrame | None, str]:
    try:
        frame = load_outcomes(file)
        problem = _misfit(frame, workload, reader, options)
    except WorkbenchError as error:
        return None, str(error)
    return (None, f"{problem}.") if problem else (frame, "")


def refuse_others(frame: pd.DataFrame, workload: Workload, reader: SparseReader, options: SignalOptions) -> None:
    """Refuse outcomes that are not those of every request of this workload, by this reader.

    Raises
    ------
    InvalidOutcomes
        The message names the difference.
    """
    problem = _misfit(frame, workload, reader, options)
    if problem:
        raise InvalidOutcomes(f"{problem}; replay the workload with the profile's reader, or leave the outcomes out.")


def fingerprint_of(workload: Workload) -> str | None:
    """Return the fingerprint of a workload, or None where a file of it is gone."""
    try:
        return workload.fingerprint
    except WorkbenchError:
        return None


def failed_of(frame: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    """Return the requests that could not be replayed, each with the reason."""
    listed = frame.attrs.get("failed")
    said = [one for one in listed if isinstance(one, Mapping) and "request" in one] if isinstance(listed, list) else []
    return tuple((str(one["request"]), str(one.get("reason", ""))) for one in said)


def reader_of(profile: GateProfile, given: GateProfile | str | Path, reader: SparseReader | None) -> SparseReader:
    """Return the profile's reader, with the models of the one that was given.

    Raises
    ------
    StaleProfile
        If that one decides otherwise.
    """
    if reader is None:
        return SparseReader.from_profile(given)
    own = SparseReader.from_profile(
        profile, scorer=reader.scorer, rules=reader.rule_book, tokenizer=reader.tokenizer, feedback=reader.feedback
    )
    others = _differences(reader_values(reader), reader_values(own))
    if others:
        raise StaleProfile(
            f"The reader is not that of the profile {profile.name!r}: it has another {', another '.join(others)}; give "
            "SparseReader.from_profile of the profile, or no reader."
        )
    return own


_PARTS = {
    "scorer": "model",
    "calibration": "calibration",
    "rules": "rule table",
    "threshold": "threshold",
    "share": "token share",
    "offsets": "offset of a document type",
    "tokenizer": "tokenizer",
}


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the names of the settings in which two readers differ."""
    left, right = (json.loads(json.dumps(dict(values))) for values in (one, other))
    if left.get("calibration") is None and right.get("calibration") is None:
        # A threshold for calibrated relevance decides nothing without a calibration.
        left["threshold"] = right["threshold"] = None
    return [words for name, words in _PARTS.items() if left.get(name) != right.get(name)]


def _misfit(frame: pd.DataFrame, workload: Workload, reader: SparseReader, options: SignalOptions) -> str:
    """Return why outcomes are not of this workload and reader, without a full stop, or ""."""
    checked_outcomes(frame)
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        return f"The outcomes have no column {', '.join(missing)}, which a replay gives"
    source = frame.attrs
    of, by, made_with = (source.get(name) for name in ("workload", "reader", "options"))
    if not of or not by or not made_with:
        return "The outcomes do not say which workload and which reader they were made of"
    if others := _of_another(of, workload) or _other_requests(frame, workload):
        return others
    if different := _differences(by, reader_values(reader)):
        return f"The outcomes were made by a reader with another {', another '.join(different)} than the profile's"
    if SignalOptions.from_dict(made_with) != options:
        return "The outcomes hold gate signals that were made with other constants than the profile's"
    return ""


def _of_another(of: Mapping[str, Any], workload: Workload) -> str:
    """Return why outcomes are of another workload; where a file of it is gone, its name has to do."""
    own = fingerprint_of(workload)
    is_same = of.get("name") == workload.name if own is None else of.get("fingerprint") == own
    if is_same:
        return ""
    theirs, ours = (str(found or "unknown")[:_SHORT] for found in (of.get("fingerprint"), own))
    return f"The outcomes are of the workload {of.get('name')!r:.60} ({theirs}), not of {workload.name!r} ({ours})"


def _other_requests(frame: pd.DataFrame, workload: Workload) -> str:
    """Return which request the outcomes leave out, add or tell otherwise: some of them would tell another story."""
    requests = {request.id: request for request in workload.requests}
    rows, failed = [str(name) for name in frame["request"]], [name for name, _ in failed_of(frame)]
    named = {*rows, *failed}
    if unknown := [name for name in (*rows, *failed) if name not in requests]:
        count = counted(len(unknown), "request")
        return f"The outcomes hold {count} that the workload {workload.name!r} has not, first {unknown[0]!r:.60}"
    if absent := [name for name in requests if name not in named]:
        count = f"{len(absent):,} of the {counted(len(requests), 'request')}"
        return f"The outcomes leave out {count} of the workload {workload.name!r}, first {absent[0]!r:.60}"
    if len(named) < len(rows) + len(failed):
        both = next(name for name in (*rows, *failed) if (*rows, *failed).count(name) > 1)
        return f"The outcomes have the request {both!r:.60} twice, as a row and as one that could not be replayed"
    for name in _SAID:
        for request, found in zip(rows, frame[name].tolist(), strict=True):
            if found != (said := _said_of(requests[request], name)):
                return (
                    f"The outcomes say {found!r:.60} where the request {request!r:.60} of the workload says "
                    f"{said!r:.60} ({name})"
                )
    return ""


def _said_of(request: Request, column: str) -> object:
    return described(request, {}, 0.0)[column]
