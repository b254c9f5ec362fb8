"""The widgets inside the bench: made when they are first needed, and kept as the bench is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption
from .base import Widget
from .reading_traits import ReadingWidget

if TYPE_CHECKING:
    from ..reading import Reading
    from ..workspace.bench import Bench
    from ..workspace.jobs import JobState
    from ..workspace.operations import Operation

OF_A_TAB = {"read": ("document", "threshold"), "tune": ("rules", "threshold", "document"), "gate": ("gate", "requests")}
"""What a tab cannot be shown without."""


class Children:
    """Makes the widgets of a bench and hands on what changes.

    Parameters
    ----------
    bench : Bench
        The controller of all of them.
    traits : mapping
        Traits that all of them have: language, channel, workspace.
    """

    def __init__(self, bench: Bench, traits: Mapping[str, Any]) -> None:
        self._bench = bench
        self._opening = _Opening(bench)
        self._traits = dict(traits)
        self._made: dict[str, Any] = {}
        self._wanted: dict[str, None] = {}
        self._makers: Mapping[str, Callable[[], Widget]] = {
            "document": self._document,
            "threshold": self._threshold,
            "page": self._page,
            "rules": self._rules,
            "gate": self._gate,
            "requests": self._requests,
        }

    @property
    def made(self) -> dict[str, Widget]:
        """Those that there are, by name."""
        return dict(self._made)

    def need(self, names: Collection[str]) -> bool:
        """Make widgets that are not there yet, as far as there is something to show in them.

        Returns
        -------
        bool
            Whether one was made.

        Raises
        ------
        InvalidOption
            For an unknown name.
        """
        for name in names:
            if name not in self._makers:
                raise InvalidOption(f"The bench has no widget {name!r:.40}; it has {', '.join(self._makers)}.")
            self._wanted.setdefault(name)
        before = len(self._made)
        for name in self._wanted:
            if name not in self._made and self._can_show(name):
                widget = self._made[name] = self._makers[name]()
                widget.controller = self._opening if name in ("gate", "requests") else self._bench
        return len(self._made) > before

    def follow(self, changed: Collection[str]) -> None:
        """Hand on what has changed on the bench; see ``Bench.watch`` for the names."""
        bench = self._bench
        if {"reading", "document"} & set(changed) and bench.reading is not None:
            self._show_reading(bench.reading)
        if {"rules", "document", "reading"} & set(changed) and "rules" in self._made:
            self._show_rules()
        if "curves" in changed and "threshold" in self._made:
            self._made["threshold"].curves = bench.curves
        if "effects" in changed and "rules" in self._made:
            self._made["rules"].show_effects(bench.effects)
        if {"gate", "outcomes"} & set(changed):
            for name in ("gate", "requests"):
                if name in self._made and bench.judged is not None:
                    self._made[name].show(bench.judged, outcomes=bench.outcomes)
        if {"state", "document", "reading"} & set(changed):
            self._show_state()

    def show_jobs(self) -> None:
        """Hand on how far a job is, to the widget that asks for it."""
        gate = self._made.get("gate")
        if gate is not None:
            job = self._bench.jobs.of("calibrate")
            runs = job is not None and not job.ended
            gate.job = {"kind": "calibrate", **_progress(job)} if job is not None and runs else {}
        rules, effects = self._made.get("rules"), self._bench.jobs.of("effects")
        if rules is not None and effects is not None:
            if effects.ended:
                rules.show_effects(self._bench.effects)
            else:
                rules.show_progress(effects.done, effects.total)

    def _show_reading(self, reading: Reading) -> None:
        for name in ("threshold", "document", "page"):
            widget = self._made.get(name)
            if isinstance(widget, ReadingWidget) and widget.reading is not reading:
                widget.show(reading, gold=self._gold(name))

    def _show_state(self) -> None:
        state = self._bench.state
        if "document" in self._made:
            self._made["document"].pin = -1 if state.pinned is None else state.pinned
        if "requests" in self._made:
            self._made["requests"].filters = dict(state.filters)
        for name in ("gate", "requests"):
            if name in self._made and state.request is not None:
                known = self._bench.judged
                there = known is not None and state.request in set(map(str, known.outcomes.request))
                self._made[name].selected = state.request if there else ""

    def _can_show(self, name: str) -> bool:
        return (self._bench.judged if name in ("gate", "requests") else self._bench.reading) is not None

    def _gold(self, name: str) -> Any:
        """Evidence as blocks; the panel also knows which of them belong to one piece."""
        opened = self._bench.opened
        if name == "threshold" and opened is not None and opened.gold is not None:
            return opened.gold
        return self._bench.gold

    def _document(self) -> Widget:
        from .document_view import DocumentView

        pinned = self._bench.state.pinned
        pin = -1 if pinned is None else pinned
        return DocumentView(self._reading(), gold=self._gold("document"), pin=pin, **self._traits)

    def _threshold(self) -> Widget:
        from .threshold_panel import ThresholdPanel

        return ThresholdPanel(self._reading(), self._bench.curves, gold=self._gold("threshold"), **self._traits)

    def _page(self) -> Widget:
        from .page_view import PageView

        return PageView(self._reading(), gold=self._gold("page"), **self._traits)

    def _rules(self) -> Widget:
        from .rule_table import RuleTable

        bench = self._bench
        widget = RuleTable(self._reading(), effects=bench.effects, key=bench.rule_key, **self._traits)
        self._made["rules"] = widget
        if bench.workload is not None:
            widget.begin, widget.cancel = lambda: bench.need("effects"), lambda: bench.jobs.cancel("effects")
        self._show_rules()
        return widget

    def _gate(self) -> Widget:
        from .gate_view import GateView

        bench = self._bench
        return GateView(bench.judged, workload=bench.workload, **self._traits)

    def _requests(self) -> Widget:
        from .workload_table import WorkloadTable

        bench = self._bench
        return WorkloadTable(bench.judged, workload=bench.workload, filters=dict(bench.state.filters), **self._traits)

    def _show_rules(self) -> None:
        bench = self._bench
        history = {"undo": bench.state.undoable is not None, "redo": bench.state.redoable is not None}
        self._made["rules"].show(bench.reading, table=bench.rule_table, key=bench.rule_key, history=history)

    def _reading(self) -> Reading:
        reading = self._bench.reading
        assert reading is not None
        return reading


def _progress(job: JobState) -> dict[str, Any]:
    return {"done": job.done, "total": job.total, "seconds": job.seconds}


class _Opening:
    """Takes the actions of widgets from which a request is opened: it is shown where it can be read."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def take(self, operation: Operation) -> None:
        """Hand an operation on to the bench."""
        if operation.kind == "open":
            operation = replace(operation, values={"show": "read", **operation.values})
        self._bench.take(operation)
