"""The whole bench as one widget: its tabs around the widgets that work alone, too."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets
from ipywidgets import widget_serialization

from ..printing import counted
from ..workspace.bench import Bench
from .base import Widget
from .bench_children import OF_A_TAB, Children
from .bench_data import catalogue_data, foot_data, head_data, jobs_data, profiles_near, route_data, routes_data
from .bench_exchange import comparison_data, export_data
from .presenting_data import prices_data, rendered_data
from .wording import checked_language

if TYPE_CHECKING:
    import pandas as pd

    from ..reading import SparseReader
    from ..workload import Workload

CALLS_SHOWN = 10

_ALL = frozenset(
    {
        "reading",
        "document",
        "rules",
        "gate",
        "outcomes",
        "curves",
        "effects",
        "jobs",
        "state",
        "comparison",
        "saved",
        "labels",
    }
)


class Workbench(Widget):
    """The bench of a workload; what an analyst did is in its folder, and running the cell again brings it back.

    Every method and attribute of ``workbench.workspace.Bench`` is one of the widget as well:
    ``bench.set_threshold(0.4)`` does what a click does.

    Parameters
    ----------
    workload : Workload, optional
    reader : SparseReader, optional
        By default that of the profile beside the workload, else the default one.
    folder : path, optional
        Of the workspace; by default ``.sparseread/<name of the workload>`` below the current folder.
    outcomes : DataFrame, optional
        By default those of the workspace, else those beside the workload.
    annotator : str, optional
        Who labels blocks; by default the environment's SPARSEREAD_ANNOTATOR, else the user of the machine.
    language : str
        "en" or "zh".
    height : int
        In pixels of CSS; 0 for what suits a notebook.
    present : bool
        Whether it opens as ``present()`` shows it.

    Examples
    --------
    >>> wb.Workbench(wb.load_workload("dev"))  # doctest: +SKIP
    """

    script: ClassVar[str] = "workbench"
    sections: ClassVar[tuple[str, ...]] = ("workbench", "presenting")

    children = traitlets.Dict().tag(sync=True, **widget_serialization)
    """Widgets by name: document, threshold, page, rules, gate, requests, annotate, as far as they were needed."""
    tab = traitlets.Unicode("read").tag(sync=True)
    head = traitlets.Dict().tag(sync=True)
    catalogue = traitlets.Dict().tag(sync=True)
    routes = traitlets.Bytes().tag(sync=True)
    """Beside the catalogue, as they change with each move of the gate."""
    route = traitlets.Dict().tag(sync=True)
    foot = traitlets.Dict().tag(sync=True)
    running: traitlets.List[Any] = traitlets.List().tag(sync=True)
    said: traitlets.List[Any] = traitlets.List().tag(sync=True)
    """The last Python calls, newest last."""
    history = traitlets.Dict().tag(sync=True)
    compared = traitlets.Dict().tag(sync=True)
    presenting = traitlets.Bool(False).tag(sync=True)
    """Whether the document at hand has the whole window, in large type."""
    prices = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        workload: Workload | str | Path | None = None,
        *,
        reader: SparseReader | None = None,
        folder: str | Path | None = None,
        outcomes: pd.DataFrame | None = None,
        annotator: str | None = None,
        language: str = "en",
        height: int = 0,
        present: bool = False,
    ) -> None:
        checked_language(language)
        self.bench = Bench(workload, reader=reader, folder=folder, outcomes=outcomes, annotator=annotator)
        shared = {"language": language, "channel": uuid.uuid4().hex, "workspace": str(self.bench.folder)}
        self._children = Children(self.bench, shared)
        # The one lock for all: whoever changes the bench holds it while telling, so a second one could only deadlock.
        self._lock = self.bench.lock
        self._told: set[str] = set()
        self._compared_stale = True
        shown: dict[str, Any] = {"tab": self.bench.state.tab, "presenting": present, "prices": prices_data(language)}
        super().__init__(**shared, height=height, **shown)
        self.controller = self.bench
        self._seen = False
        self._changed(_ALL)
        self._unwatch = self.bench.watch(self._changed)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "bench":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(self.bench, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.bench)})

    def open(self, request: str | None = None, *, show: str | None = None) -> None:
        """Open a request, and perhaps show a tab; without one, the line to the browser, as every widget does."""
        if request is None:
            super().open()
        else:
            self.bench.open(request, show=show)

    def present(self) -> None:
        """Give the document at hand the whole window, in large type; Escape or ``stop_presenting`` ends it."""
        self.presenting = True

    def stop_presenting(self) -> None:
        """Show the bench again."""
        self.presenting = False

    def close(self) -> None:
        """Take the bench off the page, cancel its jobs and let go of the journal."""
        if "_unwatch" in self.__dict__:
            self._unwatch()
            for child in self._children.made.values():
                child.close()
            self.bench.close()
        super().close()

    def answer_need(self, name: str) -> bool:
        """Make the widget that a place on the page is for; say whether it is there."""
        with self._lock:
            self._need((name,))
        return name in self.children

    def answer_rest(self) -> bool:
        """Give what the first look at a document must not wait for: routes, outcomes and what is stale."""
        self._seen = True
        self._changed(_ALL - {"reading", "document"})
        self.bench.need("figures")
        return True

    def answer_curves(self) -> bool:
        """Have the recall curves made, where that takes no minutes; say whether there is a workload for them."""
        if self.bench.workload is None:
            return False
        self.bench.need("curves", by_itself=True)
        return True

    def answer_profiles(self) -> list[dict[str, str]]:
        """Return the gate profiles that lie about; see ``profiles_near``."""
        return profiles_near(self.bench)

    def answer_export_preview(self) -> dict[str, Any]:
        """Return what a profile would say; see ``export_data``."""
        return export_data(self.bench)

    def answer_rendered(self) -> dict[str, Any] | None:
        """Return what a model sees of the reading at hand; see ``rendered_data``."""
        return rendered_data(self.bench.reading)

    def answers_alone(self) -> list[tuple[str, dict[str, Any], Any, list[bytes]]]:
        """Return the questions that a page without a kernel has answers to."""
        return [("rendered", {}, self.answer_rendered(), [])]

    def _need(self, names: Collection[str]) -> None:
        if self._children.need(names):
            self.children = self._children.made

    def _changed(self, changed: frozenset[str]) -> None:
        """Hand on to the browser what has changed; on the thread of the change."""
        if "closed" in changed:
            self.close()
            return
        with self.telling():
            if changed <= {"jobs"}:
                self._show_jobs()
                return
            with self._lock, self.hold_sync():
                self._need(OF_A_TAB.get(self.bench.state.tab, ()))
                self._children.follow(changed)
                for name, value in self._data(changed).items():
                    setattr(self, name, value)
            if "jobs" in changed:
                self._show_jobs()

    def _data(self, changed: frozenset[str]) -> dict[str, Any]:
        bench = self.bench
        state = bench.state
        found: dict[str, Any] = {
            "tab": state.tab,
            "foot": foot_data(bench, briefly=not self._seen),
            "said": list(bench.calls[-CALLS_SHOWN:]),
            "history": {"undo": bench.can_undo, "redo": bench.can_redo},
        }
        if {"document", "reading", "state"} & changed:
            found["head"] = head_data(bench)
        if "comparison" in changed:
            self._compared_stale = True
        if state.tab == "compare" and self._compared_stale:
            # Comparing reads the document again with the other profile: not while nobody looks.
            found["compared"], self._compared_stale = comparison_data(bench), False
        if not self._seen:
            return found
        if {"document", "gate", "outcomes", "state"} & changed:
            found["route"] = route_data(bench.decision)
        if {"gate", "outcomes"} & changed:
            found["catalogue"] = self.catalogue or catalogue_data(bench)
            found["routes"] = routes_data(bench)
        return found

    def _show_jobs(self) -> None:
        # On the thread of the job: what it tells must not mix with what the bench sends meanwhile.
        with self._lock:
            self.running = jobs_data(self.bench)
            self._children.show_jobs()
            for job in self.bench.jobs:
                if job.error and job.id not in self._told:
                    self._told.add(job.id)
                    with self.hold_sync():
                        self.fault, self.details = job.error, job.details

    def __repr__(self) -> str:
        workload = self.bench.workload
        named = "no workload" if workload is None else f"{workload.name!r}, {counted(len(workload), 'request')}"
        return f"Workbench({named}, folder {str(self.bench.folder)!r})"
