"""A rule table to look at and to change: every edit is checked as the loader checks a file, and can be undone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets

from ..errors import InvalidOption
from ..structure import RuleTable as Table
from ..structure import rule_edits
from ..structure.rule_books import ANY_TYPE
from ..structure.rule_saving import RuleSave, prepared_save
from ..workload.rule_effects import Progress, WorkloadEffects, rule_effects, touched_blocks
from .base import Widget
from .rule_rows import check_data, effects_data, facts_of, measuring_data, options, rows_of
from .rule_sources import opened, python_call, table_of

if TYPE_CHECKING:
    from ..reading import Reading

Measure = Callable[[Table, Progress], WorkloadEffects]
"""Finds out the effects of a table over a workload; see ``workbench.workload.rule_effects.workload_effects``."""


class _Cancelled(Exception):
    """Somebody does not want the effects any more."""


class RuleTable(Widget):
    """The rules of one table with what each of them does.

    Parameters
    ----------
    source : Reading, workbench.structure.RuleTable, str or pathlib.Path
        A reading, whose rules are shown and which is made anew with every edit; or a table, its name or its file.
    effects : WorkloadEffects or callable, optional
        What the rules do over a workload, or what finds it out when somebody asks: it takes a table and a callable
        for progress.
    key : str
        Document type that the table serves in a rule book.
    language : str
        "en" or "zh".

    Examples
    --------
    >>> rules = RuleTable("legal")
    >>> rules.edit_rule("parties", weight=1.5)
    >>> rules.table.rule("parties").weight
    1.5
    >>> rules.undo()
    >>> rules.table.rule("parties").weight
    2.0
    """

    script = "rule_table"
    sections = ("rule_table",)

    rows: traitlets.List[Any] = traitlets.List().tag(sync=True)
    options = traitlets.Dict().tag(sync=True)
    facts = traitlets.Dict().tag(sync=True)
    """name, description, extends, key, path (where it would be saved), document, changed, undo and redo (whether they
    can be done)."""
    effects = traitlets.Dict().tag(sync=True)
    measuring = traitlets.Dict().tag(sync=True)
    """state: "absent", "ready", "running", "done" or "stale"; done, total, requests, documents, in_sample."""
    effects_fresh = traitlets.Bool(False).tag(sync=True)
    """Whether the effects are those of these rules, this cut and these offsets."""
    selected = traitlets.Unicode().tag(sync=True)
    """Name of the selected rule, or ""."""
    call = traitlets.Unicode().tag(sync=True)
    """The Python call that does what was done last; "" where a bench shows it."""
    sequence = traitlets.Int(0).tag(sync=True)
    """Changes last, once for each change of the others."""

    def __init__(
        self,
        source: Reading | Table | str | Path,
        *,
        effects: WorkloadEffects | Measure | None = None,
        key: str = ANY_TYPE,
        language: str = "en",
        **traits: Any,
    ) -> None:
        self._reading, self._table, self._origin = opened(source)
        self._saved = self._table
        self._key = key
        self._past: list[Table] = []
        self._future: list[Table] = []
        self._history: Mapping[str, bool] | None = None
        self._listeners: list[Callable[[Reading], None]] = []
        self._found = None if callable(effects) else effects
        self._fresh: bool | None = None
        self._running = False
        self._place = ""
        self._stop: threading.Event | None = None
        self.measure = effects if callable(effects) else None
        """What finds out the effects over a workload, in a thread of the widget."""
        self.begin: Callable[[], object] | None = None
        """What begins that elsewhere: a bench starts a job, and tells with ``show_progress`` and ``show_effects``."""
        self.cancel: Callable[[], object] | None = None
        """What ends the job of a bench."""
        self.prepare: Callable[[str | None], RuleSave] | None = None
        """What says in a bench what saving to a path would write."""
        super().__init__(language=language, options=options(), **traits)
        self._draw()

    @property
    def table(self) -> Table:
        """The table with all edits; set another one to show that."""
        return self._table

    @table.setter
    def table(self, table: Table) -> None:
        self.show(table=table)

    @property
    def reading(self) -> Reading | None:
        """The reading with these rules, or None where there is a table alone."""
        return self._reading

    @reading.setter
    def reading(self, reading: Reading) -> None:
        self.show(reading)

    def show(
        self,
        reading: Reading | None = None,
        *,
        table: Table | None = None,
        key: str | None = None,
        saved: Table | None = None,
        path: str | None = None,
        history: Mapping[str, bool] | None = None,
    ) -> None:
        """Show another reading or table; whoever keeps the state says what it is.

        Parameters
        ----------
        reading : Reading, optional
            Made with the table.
        table : RuleTable, optional
            By default that of the reading.
        key : str, optional
            Document type that it serves.
        saved : RuleTable, optional
            The table as it is on disk; by default that of before, or of a table of another name itself.
        path : str, optional
            Where it would be saved.
        history : mapping of str to bool, optional
            Whether "undo" and "redo" can be done.
        """
        before = self._table.name
        if reading is not None:
            self._reading = reading
            self._table = table if table is not None else table_of(reading, self._table)
        elif table is not None:
            self._table = table
        if saved is None and self._table.name != before:
            saved, self._origin = self._table, opened(self._table)[2]
        self._saved = self._saved if saved is None else saved
        self._place = self._place if path is None else path
        self._key = key if key is not None else self._key
        self._history = dict(history) if history is not None else self._history
        self._draw()

    def show_effects(self, effects: WorkloadEffects | None, *, fresh: bool | None = None) -> None:
        """Show what the rules do over a workload, and no progress any more.

        Parameters
        ----------
        effects : WorkloadEffects or None
        fresh : bool, optional
            Whether they are of what is tuned now, else they are marked; by default whether they are of this table.
        """
        self._found, self._fresh, self._running = effects, fresh, False
        can = self.measure is not None or self.begin is not None
        with self.hold_sync():
            own = effects is not None and effects.table_sha256 == self._table.sha256
            self.effects_fresh = own and fresh is not False
            self.effects = {} if effects is None else effects_data(effects)
            self.measuring = measuring_data(effects, can=can, fresh=self.effects_fresh)

    def show_progress(self, done: int, total: int) -> None:
        """Show how far the finding out of effects is, in documents, until ``show_effects``."""
        self._running = True
        self.measuring = {"state": "running", "done": done, "total": total}

    def select(self, name: str) -> None:
        """Select a rule.

        Raises
        ------
        InvalidRules
            If there is none of the name.
        """
        self.selected = self._table.rule(name).name

    def on_reading(self, listener: Callable[[Reading], None]) -> Callable[[], None]:
        """Call a function with every new reading; return what ends that.

        Examples
        --------
        >>> rules.on_reading(view.show)  # doctest: +SKIP
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    # --- What a click does, as calls ---

    def edit_rule(self, rule: str, /, **fields: Any) -> None:
        """Set fields of a rule: weight, pin, enabled, reason, match (a mapping as in a rule file), and at last name."""
        self._edit({"do": "set", "rule": rule, "fields": fields})

    def add_rule(self, *, before: str | None = None, **fields: Any) -> None:
        """Add a rule with the fields of a rule file."""
        self._edit({"do": "add", "rule": fields, "before": before})

    def duplicate_rule(self, rule: str) -> None:
        """Put a copy of a rule, under a name of its own, behind it."""
        self._edit({"do": "duplicate", "rule": rule})

    def remove_rule(self, rule: str) -> None:
        """Take a rule out."""
        self._edit({"do": "remove", "rule": rule})

    def move_rule(self, rule: str, *, before: str | None) -> None:
        """Put a rule in front of another one, or at the end."""
        self._edit({"do": "move", "rule": rule, "before": before})

    def undo(self) -> None:
        """Take the last edit back."""
        self.act("undo")

    def redo(self) -> None:
        """Do again what was taken back."""
        self.act("redo")

    def save(self, path: str | Path) -> None:
        """Write the table to a file; ``diff`` shows what would change."""
        self.act("save_rules", path=str(path))

    def diff(self, path: str | Path | None = None) -> str:
        """Return what saving would change, as a unified diff."""
        return self._prepared(path).diff()

    def _edit(self, edit: dict[str, Any]) -> None:
        self.act("edit_rules", table=self._key, edit=edit)

    # --- Actions and questions of the browser ---

    def do_edit_rules(self, edit: Mapping[str, Any], table: str | None = None) -> None:
        """Change the table, if it is the one that is shown."""
        if table is not None and table != self._key:
            raise InvalidOption(f"The table for {table!r:.40} is not shown here; show it first.")
        after = rule_edits.edited(self._table, edit)
        if after == self._table:
            return
        self._past.append(self._table)
        self._future.clear()
        self._become(after)
        self.call = python_call(edit)

    def do_undo(self) -> None:
        """Take the last edit back; with none to take back nothing happens."""
        if self._past:
            self._future.append(self._table)
            self._become(self._past.pop())
            self.call = "rules.undo()"

    def do_redo(self) -> None:
        """Do again what was taken back."""
        if self._future:
            self._past.append(self._table)
            self._become(self._future.pop())
            self.call = "rules.redo()"

    def do_save_rules(self, path: str, fingerprint: str | None = None) -> None:
        """Write the table to a file; with the fingerprint of ``answer_diff`` nothing but what that has shown."""
        save = self._prepared(path)
        save.check(fingerprint)
        save.write()
        self._saved, self._origin = self._table, save.path
        self._draw()
        self.call = f"rules.save({path!r})"

    def do_select_rule(self, name: str) -> None:
        """Select a rule, or none."""
        self.selected = name

    def answer_check(self, edit: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the loader says to an edit, and how many blocks the rule would touch here.

        Returns
        -------
        dict
            See ``check_data``.
        """
        return check_data(self._table, edit, None if self._reading is None else self._reading.document)

    def answer_here(self, rules: list[str]) -> dict[str, list[int]]:
        """Return by how many blocks and tokens more is kept of the document at hand without some rules."""
        if self._reading is None:
            return {}
        found = rule_effects(self._reading, self._table, rules)
        return {name: [effect.kept, effect.tokens] for name, effect in found.items()}

    def answer_diff(self, path: str | None = None) -> dict[str, Any]:
        """Return what saving would change.

        Returns
        -------
        dict
            path, diff, compared_with, complete (whether comments are lost), exists; and fingerprint, for
            ``do_save_rules``.
        """
        save = self._prepared(path)
        return {
            "path": str(path or self._path()),
            "diff": save.diff(),
            "compared_with": save.compared_with,
            "complete": save.complete,
            "exists": save.path.is_file(),
            "fingerprint": save.fingerprint,
        }

    def answer_measure(self) -> bool:
        """Begin to find out the effects over the workload; return whether that begins."""
        if self._stop is not None or (self.begin is None and self.measure is None):
            return False
        self.show_progress(0, 0)
        if self.begin is not None:
            self.begin()
            return True
        stop = self._stop = threading.Event()
        threading.Thread(target=self._measure, args=(self._table, stop), name="rule effects", daemon=True).start()
        return True

    def answer_stop(self) -> bool:
        """End the finding out of effects."""
        if self._stop is not None:
            self._stop.set()
        elif self.cancel is not None:
            self.cancel()
        return True

    def _measure(self, table: Table, stop: threading.Event) -> None:
        def progress(done: int, total: int) -> None:
            if stop.is_set():
                raise _Cancelled
            self.show_progress(done, total)

        found = self._found
        with self.telling():
            try:
                assert self.measure is not None
                found = self.measure(table, progress)
            except _Cancelled:
                pass
            finally:
                self._stop = None
                self.show_effects(found)

    def _prepared(self, path: str | Path | None) -> RuleSave:
        if self.prepare is not None:
            return self.prepare(None if path is None else str(path))
        return prepared_save(self._table, path or self._path(), source=self._origin)

    def _path(self) -> str:
        if self._place:
            return self._place
        return str(self._origin) if isinstance(self._origin, Path) else f"{self._table.name}.yaml"

    def _become(self, table: Table) -> None:
        self._table = table
        if self._reading is not None:
            self._reading = self._reading.with_rules(table)
        self._draw()
        if self._reading is not None:
            for listener in list(self._listeners):
                listener(self._reading)

    def _draw(self) -> None:
        reading = self._reading
        history = self._history or {"undo": bool(self._past), "redo": bool(self._future)}
        with self.hold_sync():
            self.rows = rows_of(
                self._table, None if reading is None else touched_blocks(reading.structure), self._saved
            )
            known = {"key": self._key, "path": self._path(), "changed": self._table != self._saved, **history}
            self.facts = {**facts_of(self._table, reading), **known}
            if self.selected not in self._table.names:
                self.selected = ""
            if not self._running:
                self.show_effects(self._found, fresh=self._fresh)
            self.sequence += 1
