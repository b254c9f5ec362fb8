"""The gate profile of what is on the bench, and the bench beside another profile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InvalidOption, StaleProfile
from ..reading import Reading
from ..relevance.scores import Scale
from .contents import Contents
from .exporting import profile_as_tuned
from .opened import Opened
from .state import BenchState

if TYPE_CHECKING:
    from ..gate.profile import GateProfile
    from .comparing import Comparison


class Profiles(Contents):
    """The contents with profiles made of them; nothing here changes what an analyst has done."""

    @property
    def comparison(self) -> Comparison | None:
        """The bench beside the profile that it is compared with, as it is tuned now; None where that cannot be told."""
        if self._state.compared is None:
            return None
        return self._quietly(lambda: self._compared(self._state, self._opened, self._reading))

    def _compared(self, state: BenchState, opened: Opened | None, reading: Reading | None) -> Comparison:
        from ..gate.profile import GateProfile
        from .comparing import compared

        path = Path(state.compared or "").expanduser()
        stamp = path.stat().st_mtime_ns if path.is_file() else None
        tuned = state.tuned
        return self._known(
            "comparison",
            (path, stamp, tuned, reading, self._outcomes_version, self.judged),
            lambda: compared(
                path,
                GateProfile.load(path),
                self.profile_now(),
                self.outcomes,
                self.judged_in_sample,
                tuned.rule,
                opened,
                reading,
                self._began.reader,
            ),
        )

    def profile_now(self, *, name: str = "", by: str = "", export: bool = False) -> GateProfile:
        """Return the gate profile of what is tuned.

        Parameters
        ----------
        name, by : str
        export : bool
            Whether outcomes of another reader are refused.

        Raises
        ------
        InvalidOption
            Without outcomes, or while their figures are being made.
        StaleProfile
            If outcomes of another reader are refused.
        CalibrationRefused
            If the cut is one that no profile can hold.
        """
        self._required_outcomes()
        self._refuse_unsayable_cut()
        if export and self.stale:
            raise StaleProfile(self.stale[0])
        if export and self._state.tuned.origin == "calibrated" and self.jobs.is_running("figures"):
            raise InvalidOption(
                "The figures of the calibration are being made again, which takes seconds; export when they are there."
            )
        result, began = self.judged, self._began.state.tuned
        if result is None:
            raise InvalidOption(
                "No figures can be made of these outcomes, and a profile needs some; replay the workload first."
            )
        calibrated = self._began.reader.calibration is not None
        return profile_as_tuned(
            result,
            self.reader,
            tuned=self._state.tuned,
            began=began,
            profile=self.profile,
            calibrated=calibrated,
            name=name,
            by=by,
        )

    def _refuse_unsayable_cut(self) -> None:
        """A reader of a scorer that gives probabilities itself has a threshold, and no share."""
        opened, cut = self._opened, self._state.tuned.cut
        if opened is None or cut is None or cut.kind != "share" or self._began.reader.calibration is not None:
            return
        if opened.basis.scored.scale is Scale.CALIBRATED:
            raise InvalidOption(
                "The scorer gives calibrated relevance, which a reader cuts at a threshold; set one (set_threshold)."
            )
