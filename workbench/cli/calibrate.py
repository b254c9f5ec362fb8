"""``workbench calibrate``: from a workload, or from a table of outcomes, to a gate profile and its report."""

from __future__ import annotations

import getpass
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printing import printable

if TYPE_CHECKING:
    from ..gate.profile import GateProfile
    from ..workload import Workload

TABLES = (".parquet", ".csv")
"""Suffixes of a table of outcomes; anything else is a workload."""


@dataclass(frozen=True)
class _Found:
    """What a calibration found: the profile, None where outcomes name no reader; the report; both as plain values."""

    profile: GateProfile | None
    report: str
    values: dict[str, Any]
    outcomes: Any = None


@click.command()
@click.argument("workload", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="JSON", help="The profile.")
@click.option("--tolerance", type=float, default=0.01, metavar="LOSS", help="Mean quality that may be lost [0.01].")
@click.option(
    "--recall", type=float, metavar="SHARE", help="Recall floor of the block threshold [the best of several]."
)
@click.option("--promise", type=float, metavar="LOSS", help="Loss on a new document to promise [none].")
@click.option("--advisory", type=float, default=0.5, metavar="P", help="Advisory requests that read sparsely [0.5].")
@click.option("--folds", type=click.IntRange(2), default=5, metavar="N", help="Groups of documents held out [5].")
@click.option("--seed", type=click.IntRange(0), default=0, metavar="N", help="Decides folds and draws [0].")
@click.option("--name", default="", help="Name of the profile [that of the workload].")
@click.option("--by", default=None, metavar="NAME", help="Who calibrates [the user of this machine].")
@click.option("--report", type=click.Path(path_type=Path), metavar="FILE", help="The report [OUTPUT with .txt].")
@click.option("--outcomes", type=click.Path(path_type=Path), metavar="TABLE", help="Keep outcomes: .parquet or .csv.")
@click.option("--rules", metavar="TABLE", help="Rule table: a YAML file, or a name [that of the document's type].")
@click.option("--model", metavar="NAME", help="Folder or name of another encoder; nothing is fetched.")
@click.option("--no-model", is_flag=True, help="Structure first: words and rules alone decide.")
@click.option("--classifier", metavar="FOLDER", help="A trained classifier as the second stage.")
@click.option("--tokenizer", metavar="NAME", help="What counts tokens [o200k_base].")
@click.option("--processes", type=click.IntRange(1), metavar="N", help="Processes that score blocks [one a core].")
@click.option("--progress/--no-progress", default=None, help="Show progress [in a terminal].")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def calibrate(workload: Path, output: Path, report: Path | None, as_json: bool, **others: Any) -> None:
    """Fit a gate profile on WORKLOAD, and write it with its report.

    WORKLOAD is a folder with a workload.jsonl, such as datasets/dev, or a table of outcomes (.parquet, .csv). What has
    been read once is remembered, so that a second calibration takes seconds. Documents that the classifier was trained
    on are left out; where too few others remain, every figure is in sample and nothing is promised, and that is said.

    Exit codes: 0 written, 1 nothing can be fitted, 2 the command was not understood.
    """
    import json

    _check_apart(
        {
            "WORKLOAD": workload,
            "--output": output,
            "--report": report if report is not None else output.with_suffix(".txt"),
            "--outcomes": others["outcomes"],
        }
    )
    before = _profile_at(output)
    _check_folders(output, report, others["outcomes"])
    found = _of_table(workload, others) if workload.suffix in TABLES else _of_workload(workload, others)
    place = report if report is not None else output.with_suffix(".txt")
    written = [place]
    if found.profile is not None:
        found.profile.save(output)
        written.insert(0, output)
    _write(place, found.report)
    if others["outcomes"] is not None and found.outcomes is not None:
        from ..workload.replay import save_outcomes

        save_outcomes(found.outcomes, others["outcomes"])
        written.append(others["outcomes"])
    click.echo(json.dumps(found.values, indent=1) if as_json else found.report)
    if found.profile is None:
        click.echo("warning: the outcomes name no reader, so there is a report and no profile.", err=True)
    elif before is not None and not as_json:
        click.echo(f"\nAgainst the profile that was there:\n{printable_diff(before, found.profile)}")
    click.echo(f"wrote {', '.join(printable(str(path)) for path in written)}", err=True)


def printable_diff(before: GateProfile, after: GateProfile) -> str:
    """Return what decides otherwise than before, a line each."""
    found = [printable(str(one)) for one in before.diff(after).differences if one.decides]
    return "\n".join(f"  {line}" for line in found) or "  it decides alike"


def _of_workload(path: Path, others: dict[str, Any]) -> _Found:
    from ..workload import load_workload
    from ..workload.fitting import fit_profile
    from .choices import Choices

    reader = Choices(
        **{name: others[name] for name in ("rules", "model", "no_model", "classifier", "tokenizer", "progress")}
    ).reader()
    loaded: Workload = load_workload(path)
    fit = fit_profile(
        loaded,
        reader,
        quality_tolerance=others["tolerance"],
        recall=others["recall"],
        promise=others["promise"],
        advisory_share=others["advisory"],
        folds=others["folds"],
        seed=others["seed"],
        name=others["name"],
        created_by=others["by"] or _user(),
        processes=others["processes"],
        progress=others["progress"],
    )
    return _Found(fit.profile, fit.report(), {"profile": _plain(fit.profile), **fit.result.to_dict()}, fit.outcomes)


def _of_table(path: Path, others: dict[str, Any]) -> _Found:
    from ..calibration import calibrate as fit
    from ..calibration.profiles import profile_of
    from ..documents.progress import showing
    from ..errors import CalibrationRefused
    from ..workload.replay import load_outcomes
    from ..workload.seen import result_in_sample

    asked = [
        f"--{name.replace('_', '-')}"
        for name in ("recall", "rules", "model", "no_model", "classifier", "tokenizer", "outcomes")
        if others[name]
    ]
    if asked:
        raise click.UsageError(f"{', '.join(asked)}: outcomes are fitted on as they are; give a workload for that.")
    outcomes = load_outcomes(path)
    in_sample = str(outcomes.attrs.get("in_sample") or "")
    with showing("Calibrating", others["progress"]) as report:
        result = fit(
            outcomes,
            quality_tolerance=others["tolerance"],
            folds=others["folds"],
            seed=others["seed"],
            promise=None if in_sample else others["promise"],
            progress=report,
        )
    if in_sample:
        result = result_in_sample(result, in_sample)
    try:
        profile = profile_of(result, name=others["name"], created_by=others["by"] or _user())
    except CalibrationRefused:
        profile = None
    return _Found(profile, result.report(), {"profile": _plain(profile), **result.to_dict()})


def _plain(profile: GateProfile | None) -> Any:
    """The rules would bury everything else."""
    return None if profile is None else profile.model_dump(mode="json", exclude={"rules": {"tables"}})


def _profile_at(output: Path) -> GateProfile | None:
    """Return the profile that would be replaced; a file that is none is not."""
    from ..errors import InvalidOption, InvalidProfile
    from ..gate.profile import GateProfile

    if output.suffix != ".json":
        raise InvalidOption(f"The profile {output.name} must end in .json.")
    if not output.exists():
        return None
    try:
        return GateProfile.load(output)
    except InvalidProfile as error:
        raise InvalidOption(
            f"{output.name} is there already, and is no gate profile; give another file with -o, or remove it."
        ) from error


def _check_apart(files: dict[str, Path | None]) -> None:
    """One must not be written over another."""
    from ..errors import InvalidOption

    taken: dict[Path, str] = {}
    for name, file in files.items():
        if file is None:
            continue
        place = file.resolve()
        if place in taken:
            raise InvalidOption(f"{taken[place]} and {name} are one file, {file.name}; give each a name of its own.")
        taken[place] = name


def _check_folders(*files: Path | None) -> None:
    """Before minutes of work, not after them."""
    from ..errors import FileMissing

    for file in files:
        if file is not None and not file.absolute().parent.is_dir():
            raise FileMissing(f"There is no folder {file.parent} to write {file.name} into; make it first.")


def _write(path: Path, text: str) -> None:
    """Write a report, at once or not at all."""
    from ..errors import InvalidOption
    from ..structure.atomic import write_text

    write_text(path, text + "\n", error=InvalidOption)


def _user() -> str:
    """Return who calibrates, where the system knows."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
