"""The gate of a workload: every request as a point, sliders for the rule, and what the rule saves and loses."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from ..errors import InvalidOption
from .gate_data import decision_data, decision_of
from .gate_traits import OutcomesWidget

if TYPE_CHECKING:
    from ..gate.gate import GateDecision
    from ..gate.profile import GateProfile


class CalibrationCancelled(Exception):
    """Somebody asked a running calibration to stop."""


class GateView(OutcomesWidget):
    """All requests of a workload as points, margin against saving, with sliders for weights and thresholds.

    Totals, intervals and routes move in the browser while a slider moves; the kernel confirms them.

    Parameters
    ----------
    outcomes, rule, workload, tolerance, language
        See ``OutcomesWidget``.
    decide : callable, optional
        Gives the decision on a request by its id, with the terms of its signals; without it a decision is made from
        the row of outcomes.

    Examples
    --------
    >>> view = GateView(wb.calibrate(outcomes))  # doctest: +SKIP
    """

    script: ClassVar[str] = "gate_view"
    sections: ClassVar[tuple[str, ...]] = ("gate_view", "workload_table")

    with_plotly = traitlets.Bool(True).tag(sync=True)
    """Whether plotly draws the picture at rest, with zoom; else a canvas draws it alone."""
    job = traitlets.Dict().tag(sync=True)
    """A running calibration: kind, done, total, seconds; empty if none runs."""
    said = traitlets.Dict().tag(sync=True)
    """What was last done with a file: exported {path}, or compared {path, lines, alike, routes}."""

    def __init__(self, *args: Any, decide: Callable[[str], GateDecision] | None = None, **options: Any) -> None:
        self._decide = decide
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        super().__init__(*args, **options)

    def answer_plotly(self) -> tuple[int, list[bytes]]:
        """Return the script of plotly, and its length in bytes."""
        from plotly.offline import get_plotlyjs  # type: ignore[import-untyped]

        script = get_plotlyjs().encode("utf-8")
        return len(script), [script]

    def answer_explain(self, request: str) -> dict[str, Any]:
        """Return the decision on a request as plain values; see ``decision_data``."""
        place = self.place_of(request)
        question = self._questions.get(request, "")
        found = self._decide(request) if self._decide is not None else decision_of(self._shown(), place, question)
        return {**decision_data(found), "request": request, "document": self._document_of(place)}

    def do_calibrate(self) -> None:
        """Fit weights and thresholds within the tolerance, in a thread.

        Raises
        ------
        InvalidOption
            If a calibration runs already, or there is no table to fit on.
        """
        if self._thread is not None and self._thread.is_alive():
            raise InvalidOption("A calibration is running; wait for it, or cancel it first.")
        if self._table is None or len(self._table) == 0:
            raise InvalidOption("There is no table of outcomes to calibrate on; make the view with GateView(outcomes).")
        self._stop.clear()
        self.job = {"kind": "calibrate", "done": 0, "total": 0, "seconds": 0.0}
        self._thread = threading.Thread(target=self._calibrated, args=(self.tolerance,), daemon=True)
        self._thread.start()

    def do_cancel(self, job: str = "calibrate") -> None:
        """Stop a running calibration at its next step."""
        if job == "calibrate":
            self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Return when no calibration runs, or after so many seconds."""
        if self._thread is not None:
            self._thread.join(seconds)

    def do_export_profile(self, path: str, name: str = "", by: str = "") -> None:
        """Write the rule as a gate profile.

        Raises
        ------
        InvalidOption, CalibrationRefused
            Without a path; if the outcomes do not say which reader made them.
        """
        saved = self._profile(name, by).save(_path_of(path))
        self.said = {"kind": "exported", "path": str(saved)}

    def do_compare(self, path: str) -> None:
        """Say what a profile says otherwise than the rule that is shown."""
        from ..calibration.rules import Rule
        from ..gate import ReadGate
        from ..gate.profile import GateProfile

        result = self._shown()
        other = GateProfile.load(_path_of(path))
        gate = ReadGate.from_profile(other)
        routes = Rule(gate.weights, gate.thresholds).routes(result.outcomes)
        found = other.diff(self._profile("", ""))
        self.said = {
            "kind": "compared",
            "path": str(path),
            "lines": list(found.sentences),
            "alike": found.decides_alike,
            "routes": int(np.count_nonzero(routes != result.inside.routes)),
        }

    def do_close_said(self) -> None:
        """Take away what was said of a file."""
        self.said = {}

    def _profile(self, name: str, by: str) -> GateProfile:
        from ..calibration.profiles import profile_of

        return profile_of(self._shown(), name=name, created_by=by)

    def _calibrated(self, tolerance: float) -> None:
        from ..calibration import calibrate

        begun = time.monotonic()

        def report(done: int, total: int) -> None:
            if self._stop.is_set():
                raise CalibrationCancelled
            self.job = {"kind": "calibrate", "done": done, "total": total, "seconds": time.monotonic() - begun}

        try:
            with self.telling(), contextlib.suppress(CalibrationCancelled):
                assert self._table is not None
                self.show(calibrate(self._table, quality_tolerance=tolerance, progress=report))
        finally:
            self.job = {}

    def _document_of(self, place: int) -> str:
        group = self._shown().outcomes.document
        return str(group.names[group.codes[place]])


def _path_of(path: str) -> Path:
    if not str(path).strip():
        raise InvalidOption("The path is empty; give the path of a profile, such as gate.json.")
    return Path(path).expanduser()
