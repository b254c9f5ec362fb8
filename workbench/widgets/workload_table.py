"""The requests of a workload as a table: filtered, sorted, walked through one by one."""

from __future__ import annotations

from typing import Any, ClassVar

import traitlets

from ..workspace.filters import ORDERS, check_filters
from .gate_traits import OutcomesWidget

__all__ = ["ORDERS", "WorkloadTable"]


class WorkloadTable(OutcomesWidget):
    """Every request with its route, signals, saving, loss and regret.

    Beside a ``GateView`` of the same channel its routes change while sliders move.

    Parameters
    ----------
    outcomes, rule, workload, tolerance, language
        See ``OutcomesWidget``.

    Examples
    --------
    >>> WorkloadTable(outcomes)  # doctest: +SKIP
    """

    script: ClassVar[str] = "workload_table"
    sections: ClassVar[tuple[str, ...]] = ("gate_view", "workload_table")

    filters = traitlets.Dict().tag(sync=True)
    """text, route, group ("" for any), wrong and lost (bool), order (of ``ORDERS``) and falling (bool)."""

    def do_filter(
        self,
        text: str = "",
        route: str = "",
        group: str = "",
        wrong: bool = False,
        lost: bool = False,
        order: str = "",
        falling: bool = False,
    ) -> None:
        """Show some requests in some order.

        Parameters
        ----------
        text : str
            Stands in the id, the question or the name of the document.
        route : str
            "native", "advisory", "force" or "" for any.
        group : str
            A scenario, or what else stands in the column of groups; "" for any.
        wrong : bool
            Only requests that are forced though the oracle leaves them native, or the other way round.
        lost : bool
            Only requests on which the rule loses quality.
        order : str
            One of ``ORDERS``.
        falling : bool

        Raises
        ------
        InvalidOption
            For an unknown route or order, or a value of another type.
        """
        found: dict[str, Any] = {"text": text, "route": route, "group": group, "wrong": wrong, "lost": lost}
        found |= {"order": order, "falling": falling}
        check_filters(found)
        self.filters = found
