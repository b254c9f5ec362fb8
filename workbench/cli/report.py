"""``workbench report``: skipped versus kept as one file, for people who decide."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printing import counted, printable
from .blocks import reading_options
from .choices import Choices, choice_options
from .read import NOTHING_RELEVANT, check_room
from .replay import asking_options, ceiling_of, endpoint_of
from .report_files import ReportFiles

if TYPE_CHECKING:
    from ..gate import GateDecision, GateProfile
    from ..reading import Reading
    from ..report import PriceTable
    from ..report.contents import AnswersSaid
    from ..workload.endpoint import Ceiling, Endpoint

OF_A_WORKLOAD = frozenset(
    {"workload", "profile", "outcomes", "output", "pdf", "language", "prices", "requests_per_day", "progress"}
)
"""Parameters that a story of a workload takes; all others are of a document."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.argument("questions", nargs=-1, metavar="[QUESTION]...")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="HTML", help="The report, as one file.")
@click.option("--pdf", type=click.Path(path_type=Path), metavar="PDF", help="The report as printed by Chromium.")
@click.option(
    "--audit", type=click.Path(path_type=Path), metavar="TABLE", help="Every block, as .csv, .json or .parquet."
)
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", help="Words of the report [en].")
@click.option("--title", metavar="TEXT", help="Title of the report [the name of the document].")
@click.option("--prices", type=click.Path(path_type=Path), metavar="JSON", help="Price table [the one that ships].")
@click.option("--requests-per-day", type=int, metavar="N", help="Requests a day that money is reckoned for.")
@click.option("--no-pages", is_flag=True, help="Draw no pages: a smaller file.")
@click.option("--against-profile", type=click.Path(path_type=Path), metavar="JSON", help="Show another profile beside.")
@click.option("--against-rules", metavar="TABLE", help="Show another rule table beside.")
@click.option("--gold", multiple=True, metavar="ANSWER", help="Expected answer, one a question; grades the model's.")
@click.option("--workload", type=click.Path(path_type=Path), metavar="DIR", help="Tell the story of a workload.")
@click.option("--outcomes", type=click.Path(path_type=Path), metavar="TABLE", help="Its outcomes [replayed now].")
@choice_options
@reading_options
@asking_options
@click.pass_context
def report(context: click.Context, /, file: Path | None, questions: tuple[str, ...], **others: Any) -> None:
    """Write a report on what is kept and skipped of FILE.

    It is one HTML file that loads nothing, for people who decide: what is kept for each QUESTION, what is skipped, why,
    and what that saves. Of two questions it shows the difference as well. With --workload and --profile it tells the
    story of a whole workload.

    Exit codes: 0 written, 3 written and nothing in FILE is relevant, 1 it could not be read or written, 2 the command
    was not understood.
    """
    files = ReportFiles(
        **{name: others.pop(name) for name in ("output", "pdf", "audit")}, transcript=others["transcript"]
    )
    if others["workload"] is not None:
        _check_story(context, others)
        _write_story(files, others)
        return
    if others.pop("outcomes") is not None:
        raise click.UsageError("--outcomes are those of a workload; give --workload as well, or leave them out.")
    del others["workload"]
    if file is None or not questions:
        raise click.UsageError("Give a file and at least one question, or --workload with --profile.")
    _write_report(files, file, questions, others)


def _check_story(context: click.Context, others: dict[str, Any]) -> None:
    """Refuse what has no meaning for a workload."""
    from click.core import ParameterSource

    given = [
        parameter
        for parameter in context.command.params
        if parameter.name is not None
        and parameter.name not in OF_A_WORKLOAD
        and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        and context.params[parameter.name] not in (None, ())
    ]
    if given:
        names = ", ".join(one.human_readable_name if isinstance(one, click.Argument) else one.opts[-1] for one in given)
        raise click.UsageError(f"A story of a workload takes no {names}; leave that out, or leave --workload out.")
    if others["profile"] is None:
        raise click.UsageError(
            "A story of a workload is told of a profile: give --profile; workbench calibrate makes one."
        )


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What a report of a document shows, beside what was chosen for the reading."""

    language: str
    title: str | None
    prices: Path | None
    requests_per_day: int | None
    no_pages: bool
    against_profile: Path | None
    against_rules: str | None
    gold: tuple[str, ...]

    def check(self, questions: Sequence[str], asking: dict[str, Any]) -> None:
        """Refuse what contradicts itself, before any work."""
        if self.title is not None and not self.title.strip():
            raise click.UsageError("--title is empty; give a text, or leave it out.")
        if self.against_profile is not None and self.against_rules is not None:
            raise click.UsageError("Give one of --against-profile and --against-rules.")
        if (self.against_profile or self.against_rules) and len(questions) > 1:
            raise click.UsageError("--against-profile and --against-rules take one question; two are compared anyway.")
        if not self.gold:
            return
        if asking["llm_base_url"] is None:
            raise click.UsageError("--gold grades the answers of a model: give --llm-base-url and --llm-model as well.")
        if len(self.gold) != len(questions):
            raise click.UsageError(
                f"There are {counted(len(questions), 'question')} and {counted(len(self.gold), 'expected answer')}; "
                "give --gold once for each, in their order."
            )


def _write_story(files: ReportFiles, others: dict[str, Any]) -> None:
    from ..gate.profile import GateProfile
    from ..report import report_on_workload
    from ..workload import load_workload
    from ..workload.replay import load_outcomes

    folder: Path = others["workload"]
    artifacts = folder if folder.is_dir() else folder.parent
    files.check([folder, artifacts, others["profile"], others["prices"], others["outcomes"]])
    made = report_on_workload(
        load_workload(folder),
        GateProfile.load(others["profile"]),
        outcomes=None if others["outcomes"] is None else load_outcomes(others["outcomes"]),
        language=others["language"],
        prices=_prices(others["prices"], others["requests_per_day"], others["language"]),
        progress=others["progress"],
    )
    files.write(made, smaller=["a workload of fewer requests"])


def _write_report(files: ReportFiles, file: Path, questions: Sequence[str], others: dict[str, Any]) -> None:
    from ..documents.options import ReadOptions
    from ..gate.profile import GateProfile
    from ..relevance.questions import checked_question
    from ..report import report_on
    from ..report.making import decisions_of
    from .opening import cache_chosen, one_document

    asking = {name: others.pop(name) for name in list(others) if name.startswith("llm_") or name == "transcript"}
    choices = Choices(**{name: others.pop(name) for name in Choices.__dataclass_fields__})
    shown = Contents(**{name: others.pop(name) for name in Contents.__dataclass_fields__})
    shown.check(questions, asking)
    if files.audit is not None and len(questions) > 1:
        raise click.UsageError("--audit is of one reading: give one question.")
    _check_questions(questions)
    files.check([*_inputs(file, choices, shown), None if others["item"] is None else file / others["item"]])
    endpoint, ceiling = endpoint_of(asking), ceiling_of(asking)
    prices = _prices(shown.prices, shown.requests_per_day, shown.language)
    profile = None if choices.profile is None else GateProfile.load(choices.profile)
    asked = [checked_question(question) for question in questions]
    with cache_chosen(others["cache"]):
        against = _Against(shown, choices)
        reader = choices.reader()
        document = one_document(file, others.pop("item"), others)
        readings = [choices.read(reader, document, question) for question in asked]
        for reading in readings:
            check_room(reading)
        decided = decisions_of(profile, readings)
        made = report_on(
            readings,
            language=shown.language,
            title=shown.title,
            profile=profile,
            gates=decided,
            prices=prices,
            pictures=not shown.no_pages,
            comparison=against.beside(readings[0], profile, decided[0], prices),
            answers=[] if endpoint is None else _answers(readings, endpoint, ceiling, asking, shown, choices.progress),
            made_on=date.today(),
            options=ReadOptions(**{name: value for name, value in others.items() if value is not None}),
            progress=choices.progress,
        )
        files.write(made, readings[0], smaller=_smaller(questions, shown))
    if all(reading.is_empty for reading in readings):
        sys.stderr.flush()
        click.get_current_context().exit(NOTHING_RELEVANT)


def _inputs(file: Path, choices: Choices, shown: Contents) -> list[Path | None]:
    named = (choices.rules, shown.against_rules, choices.model, choices.classifier)
    others = [Path(name) for name in named if name is not None]
    return [file, shown.prices, shown.against_profile, choices.profile, choices.calibration, *others]


def _check_questions(questions: Sequence[str]) -> None:
    """Refuse the second of two files, which would be answered as if it were asked."""
    for number, question in enumerate(questions, start=1):
        # A question may be longer than any name, at which a path would raise.
        if os.path.isfile(question):  # noqa: PTH113
            raise click.UsageError(
                f"Question {number} is {printable(question)}, which is a file, and a report is of one; call the "
                "command once for each file, and put every question in quotes."
            )


def _smaller(questions: Sequence[str], shown: Contents) -> list[str]:
    """Return what makes the page smaller."""
    ways = [] if shown.no_pages else ["--no-pages"]
    return [*ways, *(["fewer questions"] if len(questions) > 1 else [])] or ["a shorter document"]


def _prices(path: Path | None, requests_per_day: int | None, language: str) -> PriceTable | None:
    """Return the price table that is named, with the requests a day that are; None for the one that ships."""
    if path is None and requests_per_day is None:
        return None
    from ..report.prices import PriceTable, shipped_prices

    table = shipped_prices(language) if path is None else PriceTable.load(path)
    return table if requests_per_day is None else replace(table, requests_per_day=requests_per_day)


def _answers(
    readings: list[Reading],
    endpoint: Endpoint,
    ceiling: Ceiling,
    asking: dict[str, Any],
    shown: Contents,
    progress: bool | None,
) -> list[AnswersSaid]:
    """Ask a model every question from the whole document and from what was kept; one ceiling holds for all."""
    from ..report.said.answers import answers_of
    from ..workload.endpoint.ceiling import Account

    account = Account(ceiling)
    return [
        answers_of(
            reading, endpoint, gold=gold, language=shown.language, account=account,
            transcript=asking["transcript"], progress=progress,
        )
        for reading, gold in zip(readings, shown.gold or [None] * len(readings), strict=True)
    ]  # fmt: skip


class _Against:
    """What the question is decided by beside: opened before the document is read, so that a mistake is told at once."""

    def __init__(self, shown: Contents, choices: Choices) -> None:
        from ..gate.profile import GateProfile
        from ..structure import rule_book_of

        self._shown, self._choices = shown, choices
        self._profile = None if shown.against_profile is None else GateProfile.load(shown.against_profile)
        self._book = None if shown.against_rules is None else rule_book_of(shown.against_rules)
        self._reader = None
        if shown.against_profile is not None:
            same = {name: getattr(choices, name) for name in ("budget", "scope", "progress")}
            self._same = Choices(profile=shown.against_profile, **same)
            self._reader = self._same.reader()

    def beside(
        self, reading: Reading, profile: GateProfile | None, gate: GateDecision | None, prices: PriceTable | None
    ) -> Any:
        """Return the comparison; True, which leaves it to the number of questions, where nothing is named.

        Rules have no say in the gate; a profile beside has its own.
        """
        from ..report.comparison.comparing import compared
        from ..report.making import decisions_of, side_names
        from ..report.wording import saying

        say = saying("making", self._shown.language)
        common: dict[str, Any] = {"language": self._shown.language, "prices": prices}
        if self._book is not None:
            other = reading.with_rules(self._book.table_for(reading.document))
            names = [say("side.rules", name=one.structure.table) for one in (reading, other)]
            return compared(reading, other, names=side_names(names, say), what="rules", gates=(gate, gate), **common)
        if self._reader is None or self._profile is None:
            return True
        other = self._same.read(self._reader, reading.document, reading.question)
        left = say("side.options") if profile is None else say("side.profiles", name=profile.name)
        names = [left, say("side.profiles", name=self._profile.name)]
        both = None if profile is None else (profile, self._profile)
        (against,) = decisions_of(self._profile, [other])
        return compared(
            reading,
            other,
            names=side_names(names, say),
            what="profiles",
            profiles=both,
            gates=(gate, against),
            **common,
        )
