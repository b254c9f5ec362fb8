"""What templates need beside a report's contents: here, the cells of kept rows under each other."""

from __future__ import annotations

import pytest

from workbench.report.views import _aligned


def test_a_row_with_an_empty_cell_keeps_its_columns_though_another_holds_a_tab() -> None:
    rows = [(["alpha", "12", "good"], (0, 2, 3)), (["beta", "Rome", "x", "y"], (0, 1, 3))]
    assert _aligned(rows) == (("alpha", None, "12", "good"), ("beta", "Rome", None, "x\ty"))


@pytest.mark.parametrize("columns", [(), (-1, 0), (1, 1), (0, 1, 2)])
def test_cells_stand_in_their_order_where_their_columns_are_not_known(columns: tuple[int, ...]) -> None:
    assert _aligned([(["a", "b"], columns)]) == (("a", "b"),)
