"""Labels from a file into a store: what is new goes in, and what does not is counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...printing import counted
from .label import Label

if TYPE_CHECKING:
    from .store import LabelStore


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What became of labels that came from outside.

    Attributes
    ----------
    added : tuple of Label
    known : int
        Labels that the store has already.
    differing : tuple of Label
        Labels with the id of one in the store that say something else; left out.
    older : tuple of Label
        Labels older than the one in force of the same annotator, block and question; left out.
    """

    added: tuple[Label, ...]
    known: int = 0
    differing: tuple[Label, ...] = ()
    older: tuple[Label, ...] = ()

    def report(self) -> str:
        """Return the counts as text, a line each."""
        lines = [f"added      {counted(len(self.added), 'label')}"]
        if self.known:
            lines.append(f"known      {counted(self.known, 'label')} in the store already")
        if self.differing:
            lines.append(
                f"left out   {counted(len(self.differing), 'label')} with the id of another one in the store; take the "
                "id away, or give a new one"
            )
        if self.older:
            lines.append(f"left out   {counted(len(self.older), 'label')} older than what the annotator said since")
        return "\n".join(lines)


def take_in(store: LabelStore, labels: Iterable[Label]) -> TakenIn:
    """Add labels that came from elsewhere, without undoing what was said since.

    Raises
    ------
    LabelStoreFailed
        If the store cannot be written; none of them is in it then.
    """
    there = {event.id: event.label for event in store.history() if event.label is not None}
    in_force = {label.key: label for label in store.labels()}
    added: dict[str, Label] = {}
    known, differing, older = 0, [], []
    for label in sorted(labels, key=lambda label: label.at):
        if label.id in there or label.id in added:
            same = there.get(label.id) or added[label.id]
            known += same == label
            differing.extend([] if same == label else [label])
        elif label.key in in_force and label.at < in_force[label.key].at:
            older.append(label)
        else:
            added[label.id] = label
            in_force[label.key] = label
    store.add(*added.values())
    return TakenIn(tuple(added.values()), known, tuple(differing), tuple(older))
