"""Defects are counted one by one, and shown once."""

from __future__ import annotations

from workbench.workload.importers.defects import SHOWN, Defects


def test_each_defect_counts_and_an_example_stands_once() -> None:
    defects = Defects()
    for example in ("row 1", "row 1", "row 2", "", *(f"row {number}" for number in range(3, 12))):
        defects.add("a wrong offset", example)
    (found,) = defects
    assert found.count == 13
    assert found.examples == ("row 1", "row 2", "row 3", "row 4", "row 5")
    assert len(found.examples) == SHOWN
