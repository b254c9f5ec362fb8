"""The widgets inside the bench: made when they are first needed, and kept as the bench is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption
from .base import Widget
from .reading_traits import ReadingWidget, SelectingWidget

if TYPE_CHECKING:
    from ..gate.gate import GateDecision
    from ..reading import Reading, SparseReader
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
        self._traits = dict(traits)
        self._selected: dict[str, str] = {}
        self._made: dict[str, Any] = {}
        self._wanted: dict[str, None] = {}
        self._read_by: tuple[Any, ...] = ()
        self._makers: Mapping[str, Callable[[], Widget]] = {
            "document": self._document,
            "threshold": self._threshold,
            "page": self._page,
            "rules": self._rules,
            "gate": self._gate,
            "requests": self._requests,
            "annotate": self._annotator,
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
                widget.controller = (_OwnDoor if name == "annotate" else _Door)(self._bench, widget)
        if len(self._made) == before:
            return False
        self._show_state()
        return True

    def follow(self, changed: Collection[str]) -> None:
        """Hand on what has changed on the bench; see ``Bench.watch`` for the names."""
        bench = self._bench
        if {"reading", "document"} & set(changed) and bench.reading is not None:
            self._show_reading(bench.reading)
        if {"rules", "document", "reading"} & set(changed) and "rules" in self._made:
            self._show_rules()
        if {"curves", "state", "reading"} & set(changed):
            self._show_curves()
        if {"effects", "state", "reading", "document", "rules"} & set(changed) and "rules" in self._made:
            self._show_effects()
        if {"gate", "outcomes"} & set(changed):
            for name in ("gate", "requests"):
                if name in self._made and bench.judged is not None:
                    self._made[name].show(bench.judged, outcomes=bench.outcomes)
        if {"labels", "document", "reading"} & set(changed):
            self._show_labels()
        if {"state", "document", "reading", "rules"} & set(changed):
            self._show_reader()
        if {"state", "document", "reading"} & set(changed):
            self._show_state()

    def show_jobs(self) -> None:
        """Hand on how far a job is, to the widget that asks for it."""
        gate = self._made.get("gate")
        if gate is not None:
            job = self._bench.jobs.of("calibrate")
            runs = job is not None and not job.ended
            gate.job = {"kind": "calibrate", **_progress(job)} if job is not None and runs else {}
        panel = self._made.get("threshold")
        if panel is not None:
            panel.curves_offered = self._bench.are_curves_offered
        rules, effects = self._made.get("rules"), self._bench.jobs.of("effects")
        if rules is not None and effects is not None:
            if effects.ended:
                self._show_effects()
            else:
                rules.show_progress(effects.done, effects.total)

    def _show_curves(self) -> None:
        bench, panel = self._bench, self._made.get("threshold")
        if panel is not None:
            if panel.curves is not bench.curves:
                panel.curves = bench.curves
            panel.curves_fresh = bench.is_fresh("curves")
            panel.curves_offered = bench.are_curves_offered

    def _show_effects(self) -> None:
        """Show the effects with whether they are of what is tuned now; while others are being made, how far that is."""
        bench, rules = self._bench, self._made["rules"]
        if bench.jobs.is_running("effects"):
            rules.effects_fresh = False
        else:
            rules.show_effects(bench.effects, fresh=bench.is_fresh("effects"))

    def _show_reading(self, reading: Reading) -> None:
        for name in ("threshold", "document", "page"):
            widget = self._made.get(name)
            if isinstance(widget, ReadingWidget) and widget.reading is not reading:
                widget.show(reading, gold=self._gold(name))

    def _show_labels(self) -> None:
        if "document" in self._made:
            self._made["document"].show_labels(self._bench.anchored_labels)

    def _show_reader(self) -> None:
        """Have the annotator know another reader; it is busy only where somebody looks at it."""
        if "annotate" in self._made and self._read_by != (read_by := self._reader_key()):
            self._read_by = read_by
            self._made["annotate"].reader_changed(*self._annotated())

    def _reader_key(self) -> tuple[Any, ...]:
        bench = self._bench
        tuned = bench.state.tuned
        return tuned.cut, dict(tuned.offsets), tuned.tables, bench.reading if bench.workload is None else None

    def _annotated(self) -> tuple[Any, SparseReader]:
        """Return what blocks to label are chosen from, and by what."""
        bench = self._bench
        return bench.workload if bench.workload is not None else self._reading(), bench.queue_reader

    def _show_state(self) -> None:
        state = self._bench.state
        if "document" in self._made:
            self._made["document"].pin = -1 if state.pinned is None else state.pinned
        if "requests" in self._made:
            self._made["requests"].filters = dict(state.filters)
        for name in ("gate", "requests"):
            # A point that somebody looks at stays until another request is opened.
            if name in self._made and state.request is not None and self._selected.get(name) != state.request:
                known = self._bench.judged
                there = known is not None and state.request in set(map(str, known.outcomes.request))
                self._made[name].selected = state.request if there else ""
                self._selected[name] = state.request

    def _can_show(self, name: str) -> bool:
        bench = self._bench
        if name == "annotate":
            return bench.workload is not None or bench.reading is not None
        return (bench.judged if name in ("gate", "requests") else bench.reading) is not None

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
        here = {"labelling": True, "annotator": self._bench.annotator, **self._traits}
        view = DocumentView(self._reading(), gold=self._gold("document"), pin=pin, **here)
        view.show_labels(self._bench.anchored_labels)
        return view

    def _threshold(self) -> Widget:
        from .threshold_panel import ThresholdPanel

        bench = self._bench
        widget = ThresholdPanel(
            self._reading(),
            bench.curves,
            gold=self._gold("threshold"),
            curves_fresh=bench.is_fresh("curves"),
            curves_offered=bench.are_curves_offered,
            **self._traits,
        )
        widget.begin = lambda: bench.need("curves")
        return widget

    def _page(self) -> Widget:
        from .page_view import PageView

        return PageView(self._reading(), gold=self._gold("page"), **self._traits)

    def _rules(self) -> Widget:
        from .rule_table import RuleTable

        bench = self._bench
        widget = RuleTable(self._reading(), effects=bench.effects, key=bench.rule_key, **self._traits)
        self._made["rules"] = widget
        widget.prepare = bench.prepared_rules
        if bench.workload is not None:
            widget.begin, widget.cancel = lambda: bench.need("effects"), lambda: bench.jobs.cancel("effects")
        self._show_rules()
        self._show_effects()
        return widget

    def _gate(self) -> Widget:
        from .gate_view import GateView

        bench = self._bench
        return GateView(bench.judged, workload=bench.workload, decide=self._decision_on, **self._traits)

    def _decision_on(self, request: str) -> GateDecision:
        """Return the decision on the request at hand with the terms of its signals; on others what its row tells."""
        from .gate_data import decision_of

        bench = self._bench
        if bench.request is not None and bench.request.id == request and bench.decision is not None:
            return bench.decision
        judged, gate = bench.judged, self._made["gate"]
        asked = "" if bench.workload is None else bench.workload.request(request).question
        assert judged is not None
        return decision_of(judged, gate.place_of(request), asked)

    def _requests(self) -> Widget:
        from .workload_table import WorkloadTable

        bench = self._bench
        return WorkloadTable(bench.judged, workload=bench.workload, filters=dict(bench.state.filters), **self._traits)

    def _annotator(self) -> Widget:
        """Make the annotator on the workload, without one on the document at hand; its labels are the bench's.

        Its actions wait in a place of their own: what is left there by a dead kernel must not reach the bench.
        """
        from .annotator import Annotator

        bench, traits = self._bench, {name: self._traits[name] for name in ("language", "channel")}
        source, reader = self._annotated()
        self._read_by = self._reader_key()
        return Annotator(source, store=bench.label_store, annotator=bench.annotator, reader=reader, **traits)

    def _show_rules(self) -> None:
        bench = self._bench
        history = {"undo": bench.state.undoable is not None, "redo": bench.state.redoable is not None}
        self._made["rules"].show(
            bench.reading,
            table=bench.rule_table,
            key=bench.rule_key,
            saved=bench.saved_table,
            path=bench.rules_path,
            history=history,
        )

    def _reading(self) -> Reading:
        reading = self._bench.reading
        assert reading is not None
        return reading


def _progress(job: JobState) -> dict[str, Any]:
    return {"done": job.done, "total": job.total, "seconds": job.seconds}


class _Door:
    """Takes the actions of a widget to the bench.

    A request that is opened is shown where it can be read; what was meant for another document than the one that is
    shown by now is left.
    """

    def __init__(self, bench: Bench, widget: Widget) -> None:
        self._bench, self._widget = bench, widget

    def take(self, operation: Operation) -> None:
        """Hand an operation on to the bench."""
        values = dict(operation.values)
        if operation.kind == "open":
            values = {"show": "read", **values}
        with self._bench.lock if operation.kind == "pin" else nullcontext():
            sequence = values.pop("sequence", None) if operation.kind == "pin" else None
            if not (isinstance(self._widget, SelectingWidget) and self._widget.is_stale(sequence)):
                self._bench.take(replace(operation, values=values))


class _OwnDoor:
    """Lets a widget do its actions itself, and has the bench hear that its labels are others."""

    def __init__(self, bench: Bench, widget: Widget) -> None:
        self._bench, self._widget = bench, widget

    def take(self, operation: Operation) -> None:
        """Have the widget do an operation."""
        version = self._bench.label_store.version
        self._widget.do(operation)
        if self._bench.label_store.changed_since(version):
            self._bench.labels_changed()
