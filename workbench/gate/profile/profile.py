"""The gate profile: everything that a calibration found, in one file that a runtime reads."""

from __future__ import annotations

import hashlib
import html
import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, ValidationError

from ...errors import FileMissing, InvalidProfile, InvalidRules, StaleCalibration
from ...printing import printable, shortened
from ...structure.atomic import write_text
from ..margin_words import routes_in_words
from .figures import figures_page, figures_text
from .migrations import SCHEMA_VERSION, migrated
from .parts import (
    BlockPart,
    FigurePart,
    GatePart,
    ModelsPart,
    Part,
    PromisePart,
    RulesPart,
    ThresholdCut,
    WorkloadPart,
)

if TYPE_CHECKING:
    from ...relevance.calibrated import Calibration
    from ...structure import RuleBook
    from .diff import ProfileDiff

MAX_BYTES = 32 << 20
"""A larger file is no profile."""
SCHEMA_FILE = Path(__file__).with_name("profile.schema.json")
"""JSON Schema of a profile, for programs in other languages."""
_DECIDES = ("gate", "block", "rules", "models")
_SHOWN_ERRORS = 3


class GateProfile(Part):
    """A calibration as a runtime uses it: weights, thresholds, rules, fingerprints, and the figures that justify them.

    ``SparseReader.from_profile`` and ``ReadGate.from_profile`` need nothing else, but the model that it names.

    Attributes
    ----------
    schema_version : int
    name : str
    created : datetime
    created_by : str
    workbench : str
        Version that made it.
    gate : GatePart
    block : BlockPart
    rules : RulesPart
    models : ModelsPart
    workload : WorkloadPart
    figures : tuple of FigurePart
    promises : tuple of PromisePart
    notes : tuple of str
        What a reader of the figures must know.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    name: str = Field(min_length=1, max_length=200)
    created: datetime
    created_by: str = ""
    workbench: str
    gate: GatePart
    block: BlockPart
    models: ModelsPart
    workload: WorkloadPart
    figures: tuple[FigurePart, ...] = ()
    promises: tuple[PromisePart, ...] = ()
    notes: tuple[str, ...] = ()
    rules: RulesPart

    @property
    def fingerprint(self) -> str:
        """SHA-256 of everything that decides a request; figures, names and dates do not."""
        said = self.model_dump(mode="json", include=set(_DECIDES))
        # The tables explain themselves as well; only what they decide counts, and a tolerance decides nothing.
        said["gate"].pop("quality_tolerance")
        said["rules"] = said["rules"]["sha256"]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode("ascii")).hexdigest()

    @property
    def rule_book(self) -> RuleBook:
        """The rule tables.

        Raises
        ------
        InvalidProfile
            If they do not have the hash that the profile names: somebody has edited the one and not the other.
        """
        from ...structure import RuleBook

        try:
            book = RuleBook.from_dict(self.rules.tables)
        except InvalidRules as error:
            raise InvalidProfile(f"The rules of the profile {self.name!r} cannot be read: {error}") from error
        if book.sha256 != self.rules.sha256:
            raise InvalidProfile(
                f"The rules in the profile {self.name!r} are not those that it was calibrated with (their hash is "
                f"{book.sha256[:12]}, and it names {self.rules.sha256[:12]}); calibrate again with these rules."
            )
        return book

    @property
    def calibration(self) -> Calibration | None:
        """The maps from scores to probabilities, or None.

        Raises
        ------
        InvalidProfile
            If they are none of this version.
        """
        from ...relevance.calibrated import Calibration

        if self.block.calibration is None:
            return None
        try:
            return Calibration.from_json(json.dumps(self.block.calibration))
        except StaleCalibration as error:
            raise InvalidProfile(f"The maps of the profile {self.name!r} cannot be read: {error}") from error

    def to_json(self) -> str:
        """Return the file's text; equal profiles give equal text."""
        return json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"

    def save(self, path: str | Path) -> Path:
        """Write it, at once or not at all, and return the path.

        Raises
        ------
        InvalidProfile
            If it cannot be written.
        """
        target = Path(path)
        write_text(target, self.to_json(), error=InvalidProfile)
        return target

    @classmethod
    def load(cls, path: str | Path) -> GateProfile:
        """Read a profile.

        Raises
        ------
        FileMissing
            If there is no file.
        InvalidProfile
            If it is no profile, of a newer version, or holds a value outside its range.
        """
        source = Path(path)
        if not source.is_file():
            raise FileMissing(f"There is no gate profile at {source}; make one with workbench calibrate.")
        if source.stat().st_size > MAX_BYTES:
            raise InvalidProfile(f"{source.name} has more than {MAX_BYTES >> 20} MB, and is no gate profile.")
        return cls.from_json(source.read_bytes(), name=source.name)

    @classmethod
    def from_json(cls, text: str | bytes, *, name: str = "The text") -> GateProfile:
        """Read the text of ``to_json``; ``name`` is what messages call it.

        Raises
        ------
        InvalidProfile
            As ``load``.
        """
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidProfile(
                f"{name} is no JSON ({shortened(str(error), 80)}), so it is no gate profile."
            ) from None
        if not isinstance(found, dict) or "schema_version" not in found:
            raise InvalidProfile(f"{name} is no gate profile: it has no schema_version.")
        try:
            profile = cls.model_validate_json(json.dumps(migrated(found, name)))
        except ValidationError as error:
            raise InvalidProfile(f"{name} is no gate profile of version {SCHEMA_VERSION}: {_told(error)}.") from None
        _ = profile.rule_book, profile.calibration
        return profile

    def diff(self, other: GateProfile) -> ProfileDiff:
        """Compare with another profile: in words, and as a table."""
        from .diff import diff_of

        return diff_of(self, other)

    def facts(self) -> list[tuple[str, str]]:
        """Return what it says as labelled lines, for people; the figures are a table of their own."""
        weights, at = self.gate.weights, self.gate.thresholds
        cut = self.block.cut
        if isinstance(cut, ThresholdCut):
            floor = f", for a recall of {cut.recall_floor:g}" if cut.recall_floor is not None else ""
            kept = f"priority of at least {cut.value:.4g}{floor}"
        else:
            kept = f"the best {100 * cut.share:g} % of the tokens, at least {cut.min_tokens:,}"
        offsets = ", ".join(f"{kind} {value:+.3f}" for kind, value in sorted(self.block.offsets.items()))
        sizes = ", ".join(
            f"{name}: {split.requests:,} requests on {split.documents:,} documents"
            for name, split in self.workload.splits.items()
        )
        tolerance = self.gate.quality_tolerance
        accepted = [] if tolerance is None else [("tolerance", f"mean quality loss of at most {tolerance:g}")]
        encoder = self.models.encoder.name if self.models.encoder else "none: words alone"
        classifier = f", classifier {self.models.classifier.name}" if self.models.classifier else ""
        return [
            (
                "profile",
                f"{self.name}, {self.created:%Y-%m-%d %H:%M}{f' by {self.created_by}' if self.created_by else ''}",
            ),
            ("margin", f"{weights.exposure:.3f} s - {weights.cost:.3f} c - {weights.risk:.3f} r"),
            ("routes", routes_in_words(at.native, at.force)),
            *accepted,
            ("blocks", kept + (f"; offsets: {offsets}" if offsets else "")),
            ("model", f"{encoder}{classifier}; tokens by {self.models.tokenizer}"),
            ("workload", f"{self.workload.name} ({sizes})"),
            *(("note", note) for note in self.notes),
        ]

    def __repr__(self) -> str:
        return f"GateProfile({self.name!r}, workload {self.workload.name!r}, {self.fingerprint[:12]})"

    def __str__(self) -> str:
        said = "\n".join(f"{label:<9} {printable(words)}" for label, words in self.facts())
        return f"{said}\n\n{figures_text(self.figures)}" if self.figures else said

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{label}</th>"
            f"<td style='text-align:left;white-space:normal'>{html.escape(printable(words))}</td></tr>"
            for label, words in self.facts()
        )
        figures = figures_page(self.figures) if self.figures else ""
        # Without these classes a notebook turns "$5 to $9" into a formula.
        facts = f"<table style='margin:0.5em 0'>{rows}</table>"
        return f"<div class='mathjax_ignore tex2jax_ignore' style='max-width:64em'>{facts}{figures}</div>"


def _told(error: ValidationError) -> str:
    """Name the fields that are wrong, in words that say what is allowed."""
    found = error.errors(include_url=False)
    said = []
    for problem in found[:_SHOWN_ERRORS]:
        where = ".".join(str(part) for part in problem["loc"]) or "the profile"
        given = problem.get("input")
        value = f" (it is {given!r:.40})" if isinstance(given, str | int | float | bool | None) else ""
        said.append(f"{where}: {problem['msg'].removeprefix('Value error, ').rstrip('.')}{value}")
    more = f"; and {len(found) - _SHOWN_ERRORS} more" if len(found) > _SHOWN_ERRORS else ""
    return "; ".join(said) + more


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a profile."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **GateProfile.model_json_schema()}
