"""``workbench lab``: JupyterLab on the tour."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import click

from ..errors import MissingDependency
from .servers import run

# JupyterLab asks the network for news, extensions and newer releases of itself unless it is told not to.
QUIET = (
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.news_url=None",
    "--LabApp.extension_manager=readonly",
)


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), metavar="N", help="Port to listen on [the first free one].")
@click.option("--browser/--no-browser", default=True, help="Open a browser window [yes].")
def lab(port: int | None, browser: bool) -> None:
    """Open JupyterLab on the tour, the first notebook.

    Without a checkout there are no notebooks; then it opens in the current folder.
    """
    if find_spec("jupyterlab") is None:
        raise MissingDependency(
            "JupyterLab is not installed; run: python -m pip install 'sparseread-workbench[lab]' (or make lab in a "
            "checkout)."
        )
    sys.exit(run(lab_command(first_notebook(), port=port, browser=browser)))


def first_notebook() -> Path:
    """Return the first notebook of the checkout, else the current folder."""
    from ..resources import checkout_dir

    checkout = checkout_dir()
    notebooks = sorted((checkout / "notebooks").glob("[0-9]*.ipynb")) if checkout else []
    if notebooks:
        return notebooks[0]
    click.echo("No checkout here, so no notebooks: JupyterLab opens in the current folder.", err=True)
    return Path.cwd()


def lab_command(start: Path, *, port: int | None, browser: bool) -> list[str]:
    """Return the command that starts JupyterLab on a notebook or folder."""
    command = [sys.executable, "-m", "jupyterlab", str(start), *QUIET]
    if start.is_file():
        command.append(f"--ServerApp.root_dir={start.parents[1]}")
        # The address that the server prints is its default one: who opens no browser here needs that of the notebook.
        command.append(f"--LabApp.default_url=/lab/tree/{quote(start.relative_to(start.parents[1]).as_posix())}")
    if port is not None:
        command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if not browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # In a container everything runs as root, and Jupyter refuses that unless it is told.
        command.append("--allow-root")
    return command
