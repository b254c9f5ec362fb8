"""Everything that an analyst does, as Python calls: each is one operation, and a click in the browser does the same."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from .jobs import JobState
from .operations import Operation
from .profiling import Profiles

if TYPE_CHECKING:
    import pandas as pd

    from ..calibration import CalibrationResult
    from .comparing import Comparison

Place = str | PathLike[str]


class Actions(Profiles, abc.ABC):
    """The calls; what takes the operations is in ``Bench``."""

    @abc.abstractmethod
    def take(self, operation: Operation, *, wait: bool = False) -> None:
        """Do what an operation says."""

    def _act(self, kind: str, /, **values: Any) -> None:
        self.take(Operation(kind, values), wait=True)

    def open(self, request: str, *, show: str | None = None) -> None:
        """Open a request of the workload, and perhaps show a tab; it is read when this returns."""
        self._act("open", request=request, **({} if show is None else {"show": show}))

    def ask(self, question: str, artifact: Place | None = None) -> None:
        """Ask a question of one's own, about an artifact of the workload or a file; by default the document at hand."""
        self._act("ask", question=question, **({} if artifact is None else {"artifact": fspath(artifact)}))

    def show(self, tab: str) -> None:
        """Show a tab: read, tune, gate, compare, export or annotate."""
        self._act("show", tab=tab)

    def pin(self, block: int | None) -> None:
        """Let the explanation of a block stay, or none."""
        self._act("pin", block=block)

    def filter(self, **filters: Any) -> None:
        """Filter the table of requests; None takes a filter away."""
        self._act("filter", **filters)

    def set_threshold(self, value: float) -> None:
        """Keep the blocks whose priority is at least a threshold, on the scale of the scores."""
        self._act("set_cut", kind="threshold", value=value)

    def set_share(self, value: float) -> None:
        """Keep the best blocks up to a share of the tokens."""
        self._act("set_cut", kind="share", value=value)

    def set_offset(self, document_type: str, value: float) -> None:
        """Move the threshold for one type of document, by at most 0.08."""
        self._act("set_offset", document_type=document_type, value=value)

    def set_budget(self, tokens: int | None) -> None:
        """Allow the kept text so many tokens; None for any number."""
        self._act("set_budget", tokens=tokens)

    def edit_rule(self, rule: str, /, *, table: str | None = None, **fields: Any) -> None:
        """Change fields of a rule, in one step: name, weight, pin, enabled, reason, match (a mapping as in a file)."""
        if len(fields) == 1:
            ((field, value),) = fields.items()
            self._edit(table, do="set", rule=rule, field=field, value=value)
        else:
            names = sorted(fields, key=lambda name: name == "name")
            self._edit(table, do="set", rule=rule, fields={name: fields[name] for name in names})

    def add_rule(self, rule: Mapping[str, Any], *, before: str | None = None, table: str | None = None) -> None:
        """Add a rule, a mapping as in a rule file, behind the others or before one."""
        self._edit(table, do="add", rule=dict(rule), **({} if before is None else {"before": before}))

    def duplicate_rule(self, rule: str, *, table: str | None = None) -> None:
        """Add a copy of a rule behind it."""
        self._edit(table, do="duplicate", rule=rule)

    def remove_rule(self, rule: str, *, table: str | None = None) -> None:
        """Take a rule out."""
        self._edit(table, do="remove", rule=rule)

    def move_rule(self, rule: str, before: str | None, *, table: str | None = None) -> None:
        """Move a rule before another one, or with None to the end."""
        self._edit(table, do="move", rule=rule, before=before)

    def _edit(self, table: str | None, **edit: Any) -> None:
        self._act("edit_rules", table=table or self.rule_key, edit=edit)

    def save_rules(self, path: Place, *, fingerprint: str | None = None) -> None:
        """Write the rule table at hand to a YAML file; comments of a file that is there stay where they can.

        With the fingerprint of ``prepared_rules`` anything but what that has shown is refused.
        """
        self._act("save_rules", path=fspath(path), **({} if fingerprint is None else {"fingerprint": fingerprint}))

    def set_weights(self, exposure: float, cost: float, risk: float) -> None:
        """Set ws, wc and wr of the gate by hand; they are scaled so that they sum to one."""
        self._act("set_weights", exposure=exposure, cost=cost, risk=risk)

    def set_gate(self, native: float, force: float) -> None:
        """Set the thresholds of the gate by hand."""
        self._act("set_gate", native=native, force=force)

    def set_tolerance(self, value: float) -> None:
        """Set the mean loss that a calibration may cost."""
        self._act("set_tolerance", value=value)

    def calibrate(self, *, wait: bool = True) -> CalibrationResult | JobState | None:
        """Fit weights and thresholds of the gate on the outcomes.

        Returns
        -------
        CalibrationResult or JobState
            The state of the job, if nobody waits for it.
        """
        self._act("calibrate")
        return self._waited("calibrate", wait) or self.judged

    def replay(self, *, wait: bool = True) -> pd.DataFrame | JobState | None:
        """Replay the workload with the reader as it is tuned.

        Returns
        -------
        DataFrame or JobState
            The outcomes; the state of the job, if nobody waits for it.
        """
        self._act("replay")
        state = self._waited("replay", wait)
        return self.outcomes if state is None else state

    def _waited(self, kind: str, wait: bool) -> JobState | None:
        if not wait:
            return self.jobs.of(kind)
        self.jobs.wait(kind)
        return None

    def cancel(self, job: str) -> None:
        """End a job, by its id or its kind."""
        self._act("cancel", job=job)

    def compare(self, path: Place) -> Comparison | None:
        """Compare with a gate profile."""
        self._act("compare", path=fspath(path))
        return self.comparison

    def export_profile(self, path: Place, *, name: str = "", by: str = "") -> None:
        """Write the gate profile of what is tuned."""
        if self.jobs.is_running("figures"):
            self.jobs.wait("figures")
        self._act(
            "export_profile", path=fspath(path), **{key: said for key, said in (("name", name), ("by", by)) if said}
        )

    def undo(self) -> None:
        """Take back what was tuned last."""
        self._act("undo")

    def redo(self) -> None:
        """Do again what was taken back."""
        self._act("redo")

    def wait(self, timeout: float | None = None) -> None:
        """Wait until every job has ended."""
        self.jobs.wait_for_all(timeout)
