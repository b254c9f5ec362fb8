"""Public evaluation sets as questions on documents of the workbench, with the blocks that hold the evidence."""

from __future__ import annotations

from .cases import Case, Half, Item, Scope, Turn
from .catalogue import SETS, data_folder, load

__all__ = ["SETS", "Case", "Half", "Item", "Scope", "Turn", "data_folder", "load"]
