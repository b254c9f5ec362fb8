"""Readings of bundled documents, a profile and decisions of its gate, that the tests of reports share; no model."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.gate.made_profiles import profile as made_profile
from tests.reading.made import ByHand, Made, manual
from workbench.documents import Document, PageStatus, open_document
from workbench.gate import GateProfile, ReadGate
from workbench.gate.gate import GateDecision
from workbench.reading import Reading, SparseReader
from workbench.resources import datasets_dir

PAYMENT = "How long does the customer have to pay an invoice?"
"""A question for the agreement."""
DEPTH = "How deep is the water at the north quay?"
"""A question for the harbour manual."""
REVENUE = "How much revenue did the group report?"
"""A question for the annual report."""
REVENUE_ZH = "集团全年营业收入是多少？"
"""A question for the Chinese annual report."""

AGREEMENT = "master-services-agreement.docx"
REPORT = "group-annual-report.pdf"
REPORT_ZH = "集团年度报告.pdf"
MANUAL = "harbor-manual.md"


@cache
def bundled(name: str) -> Document:
    """Return a document of the bundled workload, opened once."""
    folder = datasets_dir() / "dev"
    place = folder / "documents" / name
    return open_document(place if place.exists() else folder / "artifacts" / name)


def words_alone(*, share: float = 0.1, min_tokens: int = 0, **options: Any) -> SparseReader:
    """Return a reader without a model, with the shipped rules, that keeps little."""
    return SparseReader(scorer=None, token_share=share, min_tokens=min_tokens, **options)


@cache
def reading_of(name: str = REPORT, question: str = REVENUE, *, share: float = 0.1, min_tokens: int = 0) -> Reading:
    """Return a reading of a bundled document, made once."""
    return words_alone(share=share, min_tokens=min_tokens).read(bundled(name), question)


def calibrated_reading(
    *relevance: float, threshold: float = 0.5, budget_tokens: int | None = None, **options: Any
) -> Reading:
    """Return a reading of a short manual by hand-set probabilities, the last of which holds for all other blocks."""
    document = manual()
    given = [*relevance, *[relevance[-1] if relevance else 0.1] * len(document)][: len(document)]
    reader = SparseReader(scorer=ByHand(given), **options)
    return reader.read(document, "When does a backup start?", threshold=threshold, budget_tokens=budget_tokens)


def scanned() -> Document:
    """Return a document of three pages of which none has text: a scan, and a blank page."""
    made = Made(name="scan.pdf")
    for status in (PageStatus.NO_TEXT, PageStatus.NO_TEXT, PageStatus.BLANK):
        made.page(status)
    document = made.document()
    document.format = "pdf"
    return document


def profile(**changes: Any) -> GateProfile:
    """Return a profile whose cut is a share of the tokens; ``gate__weights__risk=0.2`` changes a field inside."""
    return made_profile(**changes)


@cache
def shipped_profile() -> GateProfile:
    """Return the profile that was fitted on the bundled workload."""
    return GateProfile.load(datasets_dir() / "dev" / "gate.json")


def gated(reading: Reading, *, force: float = 0.2, native: float = -0.1) -> GateDecision:
    """Return what a gate says of the request of a reading; its thresholds choose the route."""
    chosen = profile(gate__thresholds__native=native, gate__thresholds__force=force)
    return ReadGate.from_profile(chosen).decide(reading.document, reading.question)
