"""``workbench gate``: whether it pays to read an artifact sparsely for a question, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printing import printable
from .blocks import reading_options

if TYPE_CHECKING:
    from ..gate import GateDecision
    from ..gate.profile import GateProfile

LABEL_WIDTH = 22


@click.command()
@click.argument("artifact", type=click.Path(path_type=Path))
@click.argument("question")
@click.option("--profile", type=click.Path(path_type=Path), metavar="JSON", help="Gate profile [that of datasets/dev].")
@click.option("--scope", metavar="SCOPE", help="What is asked for: point, several, aggregate or whole.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--preview", "show_preview", is_flag=True, help="Print what an agent is shown before it decides.")
@reading_options
def gate(
    artifact: Path,
    question: str,
    profile: Path | None,
    scope: str | None,
    as_json: bool,
    show_preview: bool,
    **limits: Any,
) -> None:
    """Print whether it pays to read ARTIFACT sparsely, and why.

    The route is force, advisory or native; what would change it is told as well.

    ARTIFACT is a file, a folder or an archive. Nothing is scored: a gate decides before anything is read.

    Exit codes: 0 decided, 1 it could not be opened or the profile is none, 2 the command was not understood.
    """
    from ..documents import open_artifact
    from ..documents.options import ReadOptions
    from ..gate import ReadGate
    from .opening import cache_chosen

    if limits["password"] == "-":
        limits["password"] = click.prompt("Password", hide_input=True, err=True)
    chosen = profile_or_shipped(profile)
    with cache_chosen(limits["cache"]):
        options = ReadOptions(**{name: value for name, value in limits.items() if value is not None})
        document = open_artifact(artifact, options=options)
    for warning in document.warnings:
        click.echo(f"warning: {printable(str(warning))}", err=True)
    decision = ReadGate.from_profile(chosen).decide(document, question, scope=scope)
    if as_json:
        click.echo(json.dumps({**decision.to_dict(), "explanation": decision.explain().to_dict()}, indent=1))
        return
    _write(decision, chosen, shipped=profile is None)
    if show_preview:
        click.echo(f"\n{printable_lines(decision.preview.text)}")


def profile_or_shipped(path: Path | None) -> GateProfile:
    """Return the profile of a file, or the one that was calibrated on the bundled workload."""
    from ..gate.profile import GateProfile
    from ..resources import datasets_dir

    return GateProfile.load(path if path is not None else datasets_dir() / "dev" / "gate.json")


def printable_lines(text: str) -> str:
    """Return text of a document without what would steer a terminal, its lines kept."""
    return "\n".join(printable(line) for line in text.splitlines())


def _write(decision: GateDecision, profile: GateProfile, *, shipped: bool) -> None:
    from ..calibration.hand_set import is_set_by_hand
    from .reading_view import write_labelled
    from .terminal import console

    made = "set by hand" if is_set_by_hand(profile) else "calibrated"
    source = f"{profile.name}, {made} on {profile.workload.name}"
    lines = [(label, printable(words)) for label, words in decision.explain().lines]
    lines.append(("profile", printable(source + ("; --profile names another" if shipped else ""))))
    write_labelled(console(), lines, width=LABEL_WIDTH)
