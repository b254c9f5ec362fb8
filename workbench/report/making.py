"""Readings to a report: checked first, then as plain data with its pages and pictures, then as one file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ..documents.progress import showing
from ..errors import StaleProfile
from ..printing import printable, shortened
from ..reading import Reading
from ..wording import checked_language
from .checking import check_each, check_options, checked_readings
from .contents import AnswersSaid, Fingerprint, ReportContents
from .marked import checked_gold
from .pages.facts import Pictures, page_facts
from .pages.pictures import BUDGET_BYTES
from .reading_contents import reading_contents
from .rendering import rendered
from .report import Report
from .wording import Say, saying

if TYPE_CHECKING:
    from ..documents import ReadOptions
    from ..gate import GateDecision, GateProfile
    from .comparison.comparing import ComparisonContents
    from .prices import PriceTable

LONGEST_NAME = 40
"""Of a rule table or a document where it is part of a label."""


def report_on(
    readings: Reading | Sequence[Reading],
    *,
    language: str = "en",
    title: str | None = None,
    profile: GateProfile | str | Path | None = None,
    gates: Sequence[GateDecision | None] = (),
    gold: Collection[int] | Sequence[Collection[int]] = (),
    prices: PriceTable | None = None,
    pictures: bool = True,
    picture_bytes: int = BUDGET_BYTES,
    comparison: ComparisonContents | bool = True,
    answers: Sequence[AnswersSaid | None] = (),
    made_on: date | None = None,
    options: ReadOptions | None = None,
    progress: bool | None = None,
) -> Report:
    """Make a report of readings: what was kept and skipped, why, and what it saves, for people who open no notebook.

    Equal input gives equal output, byte for byte; with ``made_on`` of the same day.

    Parameters
    ----------
    readings : Reading or sequence of Reading
        Of one document, or of several.
    language : str
        Of its words, "en" or "zh"; texts of the document are verbatim.
    title : str, optional
        By default the name of the document.
    profile : GateProfile, str or pathlib.Path, optional
        The gate profile that the readings were made with, or its file: its figures and promises are told, and its gate
        decides each request.
    gates : sequence of GateDecision or None, optional
        The gate's decision of each reading; by default those of the profile, and none without one.
    gold : collection of int, optional
        Ids of the blocks that hold evidence, as somebody marked them; for several readings one collection each.
    prices : PriceTable, optional
        What money is reckoned with until the reader changes it; by default the table that ships.
    pictures : bool
        Whether pages are drawn, as far as the format has pages and the file is still there.
    picture_bytes : int
        Most bytes of all pictures in the file; with fewer of them, pages are drawn smaller, skipped ones first.
    comparison : ComparisonContents or bool
        What is shown side by side; True for exactly two readings of one document, False for none.
    answers : sequence of AnswersSaid or None, optional
        What a model answered for each reading; see ``answers_of``.
    made_on : datetime.date, optional
        Stands in the report; by default no date does.
    options : ReadOptions, optional
        Password of the file, and limits for drawing its pages.
    progress : bool, optional
        Whether to show progress of what takes over a second; by default in terminals and notebooks.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range, and for as many gates, answers or evidence as there are no
        readings.
    StaleProfile
        If a reading was not made with the scorer of the profile.
    FileMissing, InvalidProfile
        If there is no such profile.

    Examples
    --------
    >>> import workbench as wb
    >>> report = wb.report_on(reading, prices=wb.PriceTable.load("prices.json"))  # doctest: +SKIP
    >>> report.save("report.html")  # doctest: +SKIP
    """
    from ..gate import GateDecision

    found = checked_readings(readings)
    say = saying("making", checked_language(language))
    check_options(
        title=title, profile=profile, prices=prices, pictures=pictures, picture_bytes=picture_bytes,
        comparison=comparison, made_on=made_on, options=options, progress=progress,
    )  # fmt: skip
    check_each("gates", gates, GateDecision, len(found))
    check_each("answers", answers, AnswersSaid, len(found))
    marked = checked_gold(gold, found)
    chosen = _checked_profile(profile, found)
    decided = list(gates) if gates else decisions_of(chosen, found)
    shown = _beside(found, marked, decided, comparison, language, prices, say)

    drawn = (
        Pictures(found, budget_bytes=picture_bytes, options=options, progress=progress) if pictures else Pictures.none()
    )
    with showing(say("progress", document=printable(found[0].document.name)), progress) as report:
        contents = []
        for number, reading in enumerate(found):
            report(number, len(found))
            contents.append(
                reading_contents(
                    reading,
                    key=f"r{number + 1}",
                    language=language,
                    profile=chosen,
                    gate=decided[number],
                    gold=marked[number],
                    pages=page_facts(reading, language=language, pictures=drawn),
                    answers=answers[number] if answers else None,
                )
            )
    named = printable(title or say("title", document=found[0].document.name))
    whole = ReportContents(
        title=named,
        language=language,
        readings=tuple(contents),
        pictures=drawn.found,
        fingerprints=tuple(_fingerprints(found, chosen, say)),
        made=_made(made_on, say),
    )
    return Report(named, rendered(whole, prices=prices, comparison=shown))


def _checked_profile(profile: GateProfile | str | Path | None, readings: list[Reading]) -> GateProfile | None:
    """Return the profile; its figures would be a lie beside a reading of another scorer."""
    if profile is None:
        return None
    from ..gate.profile import GateProfile

    found = profile if isinstance(profile, GateProfile) else GateProfile.load(Path(profile))
    for reading in readings:
        if reading.basis.scorer.fingerprint != found.models.scorer:
            raise StaleProfile(
                f"The reading of {shortened(reading.document.name, LONGEST_NAME)} was not made with the scorer of the "
                f"profile {found.name!r}; read with SparseReader.from_profile, or leave the profile out."
            )
    return found


def decisions_of(profile: GateProfile | None, readings: Sequence[Reading]) -> list[GateDecision | None]:
    """Return what the gate of a profile says of the request of each reading; None for each without a profile."""
    if profile is None:
        return [None] * len(readings)
    from ..gate import ReadGate

    gate = ReadGate.from_profile(profile)
    return [gate.decide(reading.document, reading.question, scope=reading.scope) for reading in readings]


def _beside(
    readings: list[Reading],
    gold: Sequence[Collection[int]],
    gates: Sequence[GateDecision | None],
    comparison: ComparisonContents | bool,
    language: str,
    prices: PriceTable | None,
    say: Say,
) -> ComparisonContents | None:
    """Return what is shown side by side: what was given, or two readings of one document."""
    if not isinstance(comparison, bool):
        return comparison
    if not comparison or len(readings) != 2 or readings[0].document.sha256 != readings[1].document.sha256:
        return None
    from .comparison.comparing import compared

    left, right = readings
    what, names = _what_differs(left, right, say)
    return compared(
        left, right, names=names, what=what, language=language, gold=gold, prices=prices, gates=(gates[0], gates[1])
    )


def _what_differs(left: Reading, right: Reading, say: Say) -> tuple[str, tuple[str, str]]:
    from .comparison.changes import only_rules_differ

    if left.question != right.question:
        return "questions", (say("side.questions.left"), say("side.questions.right"))
    if not only_rules_differ(left, right):
        return "settings", (say("side.other.left"), say("side.other.right"))
    tables = (left.structure.table, right.structure.table)
    return "rules", side_names([say("side.rules", name=shortened(name, LONGEST_NAME)) for name in tables], say)


def side_names(names: Sequence[str], say: Say) -> tuple[str, str]:
    """Return two names that differ: where they are alike, each says on which side it is."""
    left, right = names
    if left != right:
        return left, right
    return say("side.left", name=left), say("side.right", name=right)


def _fingerprints(readings: list[Reading], profile: GateProfile | None, say: Say) -> Iterator[Fingerprint]:
    """Give what the report was made with, each once."""
    from .. import __version__

    found: dict[tuple[str, str], None] = {}
    for reading in readings:
        basis, scores = reading.basis, reading.scores
        name = shortened(reading.document.name, LONGEST_NAME)
        found[say("fingerprint.document", name=name), reading.document.sha256] = None
        found[say("fingerprint.scorer"), scores.scorer] = None
        if scores.calibration:
            found[say("fingerprint.calibration"), scores.calibration] = None
        found[say("fingerprint.rules", name=shortened(basis.structure.table, LONGEST_NAME)), basis.structure.sha256] = (
            None
        )
        found[say("fingerprint.tokenizer"), basis.tokenizer.name] = None
    if profile is not None:
        found[say("fingerprint.profile", name=shortened(profile.name, LONGEST_NAME)), profile.fingerprint] = None
    found[say("fingerprint.workbench"), __version__] = None
    return (Fingerprint(name, value) for name, value in found)


def _made(on: date | None, say: Say) -> str:
    from .. import __version__

    if on is None:
        return say("made", version=__version__)
    return say("made.on", version=__version__, date=f"{on:%Y-%m-%d}")
