"""The story of a workload: what reading less saves and loses over many requests, told with single ones in full."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...documents.progress import showing
from ...errors import InvalidOption
from ...printing import printable
from ...wording import checked_language
from ..contents import ReadingContents
from ..report import Report
from ..said.names import type_name
from ..wording import saying
from .basis import StoryBasis, basis_of
from .cases import KINDS, case_said, chosen_cases, is_changed, missing_cases, paths_of
from .contents import LostRequest, NotJudged, StoryCase, StoryContents
from .figures import figures_said, groups_said, quality_word, scenario_name, shipped_said, tokens_of_headline
from .headline import (
    fingerprints_said,
    groups_of,
    headline_said,
    lost_said,
    notes_said,
    told_beside,
    told_loss,
    told_shipped,
)
from .losses import lost_request, lost_rows, not_judged, not_read, unresolved_rows
from .paths import Retaken, Unread, retaken
from .requests import costlier, left_alone, missed_savings

if TYPE_CHECKING:
    import pandas as pd

    from ...gate.profile import GateProfile
    from ...reading import SparseReader
    from ...workload import Workload
    from ...workload.gold import Gold
    from ..pages.facts import Pictures
    from ..prices import PriceTable


def report_on_workload(
    workload: Workload | str | Path,
    profile: GateProfile | str | Path,
    *,
    outcomes: pd.DataFrame | None = None,
    reader: SparseReader | None = None,
    language: str = "en",
    title: str | None = None,
    prices: PriceTable | None = None,
    pictures: bool = True,
    progress: bool | None = None,
) -> Report:
    """Make the report of a workload under a gate profile, for people who open no notebook.

    It has the headline with its interval, the scenarios, the best, a typical and the worst case in full, every request
    that lost evidence, and what the gate left to be read whole. Only the documents of the cases, of requests that lost
    evidence, and of evidence that was not found are opened. Equal input gives equal output, byte for byte.

    Parameters
    ----------
    workload : Workload or path
        A workload, or its folder.
    profile : GateProfile or path
        Its rule is applied: weights, thresholds, hard constraints.
    outcomes : DataFrame, optional
        Of ``replay``, with the profile's reader. By default ``outcomes.parquet`` beside the workload if it fits, else
        the workload is replayed.
    reader : SparseReader, optional
        The profile's by default; another one must decide alike.
    language : {"en", "zh"}
    title : str, optional
    prices : PriceTable, optional
        What money is reckoned with until the reader of the report changes it; by default the table that ships.
    pictures : bool
        Whether the pages of the cases are drawn.
    progress : bool, optional

    Raises
    ------
    InvalidOutcomes
        If the outcomes are of another workload or another reader, or not of every request; the message names the
        difference.
    StaleProfile
        If the reader is not the profile's.
    InvalidOption
        For a value of the wrong type or outside its range.
    WorkbenchError
        If workload or profile cannot be read. An artifact that is gone is listed, if there are outcomes.

    Examples
    --------
    >>> import workbench as wb
    >>> report = wb.report_on_workload("datasets/dev", "datasets/dev/gate.json")  # doctest: +SKIP
    >>> report.save("story.html")  # doctest: +SKIP
    """
    from ..prices import PriceTable
    from .page import rendered_story

    checked_language(language)
    if title is not None and not (isinstance(title, str) and title.strip()):
        raise InvalidOption(f"title is {title!r:.40}; give a text, or None for the name of the workload.")
    if prices is not None and not isinstance(prices, PriceTable):
        raise InvalidOption(f"prices is of type {type(prices).__name__}; give a PriceTable, or None.")
    basis = basis_of(workload, profile, outcomes=outcomes, reader=reader, progress=progress)
    contents = story_of(basis, language=language, title=title, pictures=pictures, progress=progress)
    return Report(contents.title, rendered_story(contents, prices=prices))


def story_of(
    basis: StoryBasis,
    *,
    language: str = "en",
    title: str | None = None,
    pictures: bool = True,
    progress: bool | None = None,
) -> StoryContents:
    """Return what the story of a workload says, as plain data; see ``report_on_workload``.

    Raises
    ------
    InvalidOption
        For a language without words.
    """
    from ... import __version__
    from ..pages.facts import Pictures

    say = saying("story", language)
    figures, shipped = figures_said(basis, say), shipped_said(basis, say)
    drawn = Pictures(parts=len(KINDS), progress=progress) if pictures else Pictures.none()
    opened = _opened(basis, language, drawn, progress)
    groups = groups_of(figures)
    tokens_whole, tokens_read = tokens_of_headline(basis, figures)
    named = partial(type_name, say=saying("contents", language))
    return StoryContents(
        title=printable(title or say("title", workload=basis.workload.name)),
        language=language,
        workload=basis.workload.name,
        profile=basis.profile.name,
        requests=len(basis.outcomes),
        evident=int(basis.evident.sum()),
        quality=say(f"quality.{quality_word(basis)}"),
        headline=headline_said(basis, figures[0], say),
        told=tuple(told_beside(figures, say)),
        told_loss=tuple(told_loss(basis, say)),
        figures=figures,
        shipped=shipped,
        told_shipped=tuple(told_shipped(basis, shipped, len(opened.lost), say)),
        tokens_whole=tokens_whole,
        tokens_read=tokens_read,
        scenarios=groups_said(basis, "scenario", say, named=partial(scenario_name, say=say)),
        types=groups_said(basis, "document_type", say, named=named),
        groups_basis=groups.basis,
        groups_sample=groups.sample_words,
        cases=opened.cases,
        cases_missing=opened.missing,
        lost=opened.lost,
        lost_words=lost_said(basis, len(opened.lost), say),
        not_judged=opened.not_judged,
        not_read=not_read(opened.not_read, say),
        left_alone=left_alone(basis, say),
        missed=missed_savings(basis, say),
        costlier=costlier(basis, say),
        notes=tuple(notes_said(basis, opened.read, opened.changed, say)),
        pictures=dict(drawn.found),
        fingerprints=tuple(fingerprints_said(basis, say)),
        made=say("made", version=__version__),
    )


@dataclass(frozen=True, eq=False)
class _Opened:
    """What documents are opened for; ``read`` requests were read again, and ``changed`` of them come out otherwise."""

    cases: tuple[StoryCase, ...]
    missing: tuple[str, ...]
    lost: tuple[LostRequest, ...]
    not_judged: tuple[NotJudged, ...]
    not_read: tuple[Unread, ...]
    read: int
    changed: int


def _opened(basis: StoryBasis, language: str, pictures: Pictures, progress: bool | None) -> _Opened:
    """Return the cases, what was lost, and what was not judged, document by document."""
    say, say_contents = saying("story", language), saying("contents", language)
    chosen = chosen_cases(paths_of(basis))
    losing, unresolved = lost_rows(basis), unresolved_rows(basis)
    rows = sorted({*chosen.values(), *losing, *unresolved})
    at = {str(basis.outcomes.request[row]): row for row in rows}
    shown_as = partial(_reading_of, basis=basis, language=language, pictures=pictures)
    cases: dict[str, StoryCase] = {}
    lost: dict[int, LostRequest] = {}
    golds: dict[str, Gold] = {}
    unread: list[Unread] = []
    changed = 0
    with showing(say("progress", workload=printable(basis.workload.name)), progress) as report:
        for found in retaken(basis, [basis.workload.request(name) for name in at], report):
            row = at[found.request.id]
            if row in losing:
                lost[row] = lost_request(basis, row, found, say, say_contents)
            if isinstance(found, Unread):
                unread.append(found)
                continue
            golds[found.request.id] = found.gold
            changed += is_changed(basis, row, found)
            for kind in (kind for kind, case in chosen.items() if case == row):
                cases[kind] = case_said(basis, kind, row, found, shown_as, say, say_contents)
    return _Opened(
        cases=tuple(cases[kind] for kind in KINDS if kind in cases),
        missing=missing_cases(basis, chosen, {at[one.request.id] for one in unread}, say),
        lost=tuple(lost[row] for row in losing),
        not_judged=not_judged(basis, golds, say),
        not_read=tuple(unread),
        read=len(rows) - len(unread),
        changed=changed,
    )


def _reading_of(found: Retaken, kind: str, *, basis: StoryBasis, language: str, pictures: Pictures) -> ReadingContents:
    from ..pages.facts import page_facts
    from ..reading_contents import reading_contents

    return reading_contents(
        found.reading,
        key=kind,
        language=language,
        profile=basis.profile,
        gate=found.decision,
        gold=found.gold.blocks,
        pages=page_facts(found.reading, language=language, pictures=pictures),
    )
