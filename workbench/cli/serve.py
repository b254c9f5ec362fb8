"""``workbench serve``: the bench as a page, for people without Jupyter."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from ..errors import InvalidOption, MissingDependency
from ..printing import printable
from .servers import run

HOST = "127.0.0.1"
FIRST_PORT, PORTS = 8866, 50
JUPYTER_DIR = Path(__file__).resolve().parent / "jupyter"
"""What Voilà finds on its path: the template of the page."""

# The folder of the person who serves is where workspace, rule files and profiles are looked for.
CELL = """\
import os

from workbench.widgets import Workbench
from workbench.workload import load_workload

os.chdir({here!r})
Workbench(load_workload({workload!r}), folder={folder!r}, language={language!r}, present={present!r})
"""


@click.command()
@click.argument("workload", type=click.Path(path_type=Path), required=False)
@click.option("--folder", type=click.Path(path_type=Path), metavar="DIR", help="Workspace [.sparseread/NAME here].")
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", help="Words of the page [en].")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", help="Colours of the page [light].")
@click.option("--present", is_flag=True, help="Open with the document in large type, to present it.")
@click.option("--port", type=click.IntRange(1, 65535), metavar="N", help="Port to listen on [the first free one].")
@click.option("--browser/--no-browser", default=True, help="Open a browser window [yes].")
def serve(
    workload: Path | None,
    folder: Path | None,
    language: str,
    theme: str,
    present: bool,
    port: int | None,
    browser: bool,
) -> None:
    """Show the bench of WORKLOAD as a page.

    Without WORKLOAD it is the bundled one. Only this machine is served; the address holds a token, and nobody without
    it gets in. Ctrl-C ends it; what was done is in the workspace.
    """
    if find_spec("voila") is None:
        raise MissingDependency(
            "Voilà, which serves the bench as a page, is not installed; run: python -m pip install "
            "'sparseread-workbench[lab]' (or make serve in a checkout)."
        )
    source = checked_workload(workload)
    chosen, token = free_port(port), secrets.token_urlsafe(24)
    address = f"http://{HOST}:{chosen}/?token={token}"
    with tempfile.TemporaryDirectory(prefix="sparseread-") as place:
        page = Path(place) / "bench.ipynb"
        shown = notebook(source, folder=folder, language=language, present=present)
        page.write_text(json.dumps(shown), encoding="utf-8")
        code = run(
            voila_command(page, port=chosen, theme=theme),
            environment=voila_environment(token),
            started=lambda: _announce(address, chosen, browser),
        )
    sys.exit(code)


def checked_workload(workload: Path | None) -> Path:
    """Return where a workload lies, the bundled one for None, and load it: mistakes are told before a page opens.

    Raises
    ------
    WorkbenchError
        What ``load_workload`` raises.
    """
    from ..resources import datasets_dir
    from ..workload import load_workload

    source = datasets_dir() / "dev" if workload is None else workload
    load_workload(source)
    return source


def notebook(workload: Path, *, folder: Path | None, language: str, present: bool = False) -> dict[str, Any]:
    """Return the notebook whose only cell shows the bench, as its file holds it."""
    source = CELL.format(
        here=str(Path.cwd()),
        workload=str(workload.resolve()),
        folder=None if folder is None else str(folder.resolve()),
        language=language,
        present=present,
    )
    cell: dict[str, Any] = {"cell_type": "code", "id": "bench", "metadata": {}, "execution_count": None, "outputs": []}
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return {
        "cells": [cell | {"source": source.splitlines(keepends=True)}],
        "metadata": {"title": "SparseRead Workbench", "kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def voila_command(page: Path, *, port: int, theme: str) -> list[str]:
    """Return the command that serves one notebook to this machine alone."""
    return [
        sys.executable,
        "-m",
        "voila",
        str(page),
        "--no-browser",
        "--token",
        "--template=sparseread",
        f"--theme={theme}",
        f"--port={port}",
        f"--Voila.ip={HOST}",
        "--Voila.port_retries=0",
        "--Voila.log_level=WARN",
        "--VoilaConfiguration.allow_template_override=NO",
        "--VoilaConfiguration.show_tracebacks=True",
    ]


def voila_environment(token: str) -> dict[str, str]:
    """Return the variables of the server: the token, which so stands in no list of processes, and our template."""
    paths = [str(JUPYTER_DIR), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    return {"JUPYTER_TOKEN": token, "JUPYTER_PATH": os.pathsep.join(paths)}


def free_port(wanted: int | None) -> int:
    """Return the wanted port, or without one the first that is free.

    Raises
    ------
    InvalidOption
        If somebody else listens there.
    """
    for port in range(FIRST_PORT, FIRST_PORT + PORTS) if wanted is None else (wanted,):
        with socket.socket() as probe, contextlib.suppress(OSError):
            # As the server does it: a port that was in use a moment ago is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((HOST, port))
            return port
    if wanted is None:
        raise InvalidOption(f"No port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1} is free; choose one with --port.")
    raise InvalidOption(f"Port {wanted} cannot be listened on, it may be in use; choose another one with --port.")


def _announce(address: str, port: int, browser: bool) -> None:
    click.echo(f"The bench is served at {printable(address)}\nCtrl-C ends it.", err=True)
    if browser:
        threading.Thread(target=_open, args=(address, port), daemon=True).start()


def _open(address: str, port: int, seconds: float = 60.0) -> None:
    import webbrowser

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=1.0):
            webbrowser.open(address)
            return
        time.sleep(0.1)
