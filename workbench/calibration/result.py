"""What a calibration found: the rule, its figures and what they rest on."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidOption
from ..gate.margin import ROUTES, GateThresholds, GateWeights
from ..gate.margin_words import routes_in_words
from ..printing import counted
from .bootstrap import Bootstrap
from .figures import Figure, Policy, measured
from .flips import FlipSweep
from .frontier import FrontierPoint
from .outcomes import Codes, Floats, Outcomes
from .promise import Promise
from .reliability import ReliabilityBin
from .rules import Rule

if TYPE_CHECKING:
    import pandas as pd

    from ..gate.profile import GateProfile


@dataclass(frozen=True, eq=False, kw_only=True)
class CalibrationResult:
    """Weights and thresholds, with the figures that justify them.

    Attributes
    ----------
    weights : GateWeights
    thresholds : GateThresholds
    quality_tolerance : float
    out_of_sample : tuple of Figure
        The headline: each request judged by a rule that was not fitted on its document. Empty with one document.
    in_sample : tuple of Figure
        The rule on the requests that it was fitted on.
    test : tuple of Figure
        The rule on rows of the split "test"; empty where there are none.
    baselines : mapping of str to tuple of Figure
        Always force, always native, the size rule and the oracle, on the same requests.
    frontier : tuple of FrontierPoint
    reliability : tuple of ReliabilityBin
    flips : FlipSweep
    promise : Promise
    notes : tuple of str
        What has to be known before the figures.
    outcomes : Outcomes
        The requests it was fitted on.
    fold : array of int64, shape (n,)
        In which fold each request was held out; -1 for none.
    fold_rules : tuple of Rule
        The rule of each fold.
    margins : array of float64, shape (n,)
    margins_out : array of float64, shape (n,), or None
        By the rule of the fold in which the request was held out.
    inside, outside : Policy, Policy or None
        Routes behind ``in_sample`` and ``out_of_sample``.
    oracle : array of float64, shape (n,)
        Tokens that the oracle saves on each request.
    """

    weights: GateWeights
    thresholds: GateThresholds
    quality_tolerance: float
    out_of_sample: tuple[Figure, ...]
    in_sample: tuple[Figure, ...]
    test: tuple[Figure, ...]
    baselines: Mapping[str, tuple[Figure, ...]]
    frontier: tuple[FrontierPoint, ...]
    reliability: tuple[ReliabilityBin, ...]
    flips: FlipSweep
    promise: Promise
    notes: tuple[str, ...]
    outcomes: Outcomes
    fold: Codes
    fold_rules: tuple[Rule, ...]
    margins: Floats
    margins_out: Floats | None
    inside: Policy
    outside: Policy | None
    oracle: Floats
    bootstrap: Bootstrap = field(repr=False)

    def __repr__(self) -> str:
        return f"CalibrationResult({counted(len(self.outcomes), 'request')}: {'; '.join(self._headline())})"

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Every figure of the rule: out of sample, on the split test, in sample."""
        return (*self.out_of_sample, *self.test, *self.in_sample)

    def figure(self, name: str) -> Figure:
        """Return a figure by name, out of sample where there is one, else in sample.

        Raises
        ------
        InvalidOption
            If there is no figure of this name.
        """
        for found in (*self.out_of_sample, *self.in_sample):
            if found.name == name:
                return found
        raise InvalidOption(
            f"There is no figure {name!r:.60}; there are: {', '.join(found.name for found in self.in_sample)}."
        )

    @cached_property
    def profile(self) -> GateProfile:
        """The gate profile that a runtime reads, with the reader that the outcomes name.

        Raises
        ------
        CalibrationRefused
            If they name none; ``workbench.calibration.profiles.profile_of`` takes a description of one.
        """
        from .profiles import profile_of

        return profile_of(self)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a request, in the order of the table.

        Columns: request, document; the labels that the table has; margin and route (the rule itself); fold,
        margin_out_of_sample, route_out_of_sample (by the rule of the fold that held its document out; absent with one
        document); saved and loss (expected tokens and quality), saved_by_oracle and regret (tokens), each of the
        route out of sample where there is one; split (which of the two).
        """
        import pandas as pd

        names = np.array([route.value for route in ROUTES], object)
        policy = self.outside or self.inside
        saved = policy.share * self.outcomes.gain
        documents = np.array(self.outcomes.document.names, object)
        columns: dict[str, Any] = {
            "request": self.outcomes.request,
            "document": documents[self.outcomes.document.codes],
        }
        for name, group in self.outcomes.groups.items():
            columns[name] = np.array(group.names, object)[group.codes]
        columns |= {"margin": self.margins, "route": names[self.inside.routes]}
        if self.outside is not None:
            columns |= {
                "fold": self.fold,
                "margin_out_of_sample": self.margins_out,
                "route_out_of_sample": names[self.outside.routes],
            }
        columns |= {
            "saved": saved,
            "loss": policy.share * self.outcomes.loss,
            "route_of_oracle": np.where(self.oracle > 0, "force", "native"),
            "saved_by_oracle": self.oracle,
            "regret": self.oracle - saved,
            "split": policy.split,
        }
        return pd.DataFrame(columns)

    def by(self, column: str) -> pd.DataFrame:
        """Return the figures told apart by a column: scenario, document_type, language and so on.

        One row a label and figure: label, figure, level, low, high, unit, requests, documents, split, basis; out of
        sample where documents were held out, else in sample.

        Raises
        ------
        InvalidOption
            If the outcomes have no such column.
        """
        import pandas as pd

        rows = [{"label": label, **figure.to_dict()} for label, figures in self.grouped(column) for figure in figures]
        return pd.DataFrame(rows).rename(columns={"name": "figure"})

    def grouped(self, column: str) -> list[tuple[str, tuple[Figure, ...]]]:
        """Return the figures of each label of a column, in the order of the labels; see ``by``."""
        group = self.outcomes.groups.get(column)
        if group is None:
            known = ", ".join(self.outcomes.groups) or "none"
            raise InvalidOption(
                f"The outcomes have no column {column!r:.40} to tell figures apart; there are: {known}."
            )
        policy = self.outside or self.inside
        return [
            (
                group.names[code],
                measured(self.outcomes, policy, self.oracle, self.bootstrap, chosen=group.codes == code),
            )
            for code in sorted(range(len(group.names)), key=lambda code: group.names[code])
            if (group.codes == code).any()
        ]

    def to_frame(self) -> pd.DataFrame:
        """Return every figure: rule, figure, level, low, high, split, basis, unit, requests, documents."""
        import pandas as pd

        rows = [{"rule": "this gate", **figure.to_dict()} for figure in self.figures]
        rows += [{"rule": name, **figure.to_dict()} for name, found in self.baselines.items() for figure in found]
        return pd.DataFrame(rows).rename(columns={"name": "figure"})

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the rows as plain values that JSON can hold."""
        return {
            "weights": self.weights.to_dict(),
            "thresholds": self.thresholds.to_dict(),
            "quality_tolerance": self.quality_tolerance,
            "requests": len(self.outcomes),
            "documents": self.outcomes.documents,
            "figures": [figure.to_dict() for figure in self.figures],
            "baselines": {name: [figure.to_dict() for figure in found] for name, found in self.baselines.items()},
            "groups": {
                name: {label: [figure.to_dict() for figure in found] for label, found in self.grouped(name)}
                for name in ("scenario", "document_type")
                if name in self.outcomes.groups
            },
            "frontier": [point.to_dict() for point in self.frontier],
            "reliability": [found.to_dict() for found in self.reliability],
            "flips": self.flips.to_dict(),
            "promise": self.promise.to_dict(),
            "notes": list(self.notes),
        }

    def report(self) -> str:
        """Return readable tables, at most 80 columns wide."""
        from .report import report_of

        return report_of(self)

    def _headline(self) -> list[str]:
        headline = self.out_of_sample or self.in_sample
        said = [str(figure) for figure in headline if figure.name in ("token reduction", "quality loss")]
        if not self.out_of_sample:
            said.append("nothing out of sample")
        return said

    def _repr_html_(self) -> str:
        at = self.thresholds
        columns = [("out of sample", self.out_of_sample), ("split test", self.test), ("in sample", self.in_sample)]
        shown = [(title, {found.name: found.text() for found in figures}) for title, figures in columns if figures]
        head = _cell("th", "") + "".join(_cell("th", title, "right") for title, _ in shown)
        figures = "".join(
            f"<tr>{_cell('th', found.name)}"
            f"{''.join(_cell('td', texts.get(found.name, ''), 'right') for _, texts in shown)}</tr>"
            for found in self.in_sample
        )
        wide = [
            ("margin", margin_text(self.weights)),
            ("routes", routes_in_words(at.native, at.force)),
            ("promise", str(self.promise)),
            *(("note", note) for note in self.notes),
        ]
        said = "".join(f"<tr>{_cell('th', key)}{_cell('td', value)}</tr>" for key, value in wide)
        title = f"{counted(len(self.outcomes), 'request')}, {counted(self.outcomes.documents, 'document')}"
        caption = f"<caption style='text-align:left'><b>Calibration on {title}</b></caption>"
        # Without these classes a notebook turns "$5 to $9" into a formula.
        return (
            "<div class='mathjax_ignore tex2jax_ignore' style='max-width:64em'>"
            f"<table style='margin:0.5em 0'>{caption}<tr>{head}</tr>{figures}</table>"
            f"<table style='margin:0.5em 0'>{said}</table></div>"
        )


def _cell(tag: str, text: str, align: str = "left") -> str:
    style = f"text-align:{align};white-space:normal;vertical-align:top;font-variant-numeric:tabular-nums"
    return f"<{tag} style='{style}'>{html.escape(text)}</{tag}>"


def margin_text(weights: GateWeights) -> str:
    """Return the margin as a formula."""
    return f"b = {weights.exposure:.4f} s - {weights.cost:.4f} c - {weights.risk:.4f} r"
