"""A real JupyterLab in a real Chromium, and everything in them that counts as a failure."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import BrowserContext, Page, Request, Response

# The resolver rule proves that nothing needs the network: every host but this machine fails to resolve.
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)

# News and completion boxes cover what a test clicks on; cells out of sight are not in the page with windowing.
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/completer-extension:manager": {"autoCompletion": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}

TOKEN = "browser-tests"

# A server must not outlive a test run that is killed: it watches its standard input, which closes with the run.
LAUNCH = """
import os, sys, threading
def watch():
    sys.stdin.read()
    os._exit(1)
threading.Thread(target=watch, daemon=True).start()
from jupyterlab.labapp import main
sys.exit(main())
"""

NOTEBOOK_READY = """() => {
  const panel = window.jupyterapp.shell.currentWidget;
  const session = panel && panel.sessionContext;
  return !!(panel && panel.content && panel.content.model && panel.context.isReady && session.isReady
    && session.session && session.session.kernel && session.session.kernel.status === 'idle');
}"""

# Errors in callbacks appear nowhere but in these messages. JupyterLab itself asks each kernel for the state of its
# widgets, and a kernel that has loaded none says that it knows no such target, and no such comm: no fault of ours. (The
# two come in either order, and the first may come before anybody listens.)
LISTEN = """() => {
  window.kernelErrors = [];
  const isAboutWidgets = text => text.startsWith('No such comm');
  window.jupyterapp.shell.currentWidget.sessionContext.iopubMessage.connect((_, message) => {
    if (message.header.msg_type === 'error') {
      window.kernelErrors.push(message.content.ename + ': ' + message.content.evalue);
    }
    const stream = message.header.msg_type === 'stream' && message.content.name === 'stderr';
    if (stream && !isAboutWidgets(message.content.text)) {
      window.kernelErrors.push(message.content.text);
    }
  });
}"""

RUN_ALL = """() => {
  window.ranAll = null;
  window.jupyterapp.commands.execute('notebook:run-all-cells').then(
    () => { window.ranAll = 'done' }, error => { window.ranAll = String(error) });
}"""

ALL_RAN = """() => {
  const panel = window.jupyterapp.shell.currentWidget;
  const cells = [...panel.content.model.cells].filter(c => c.type === 'code' && c.sharedModel.source.trim());
  const failed = cells.some(c => c.outputs.toJSON().some(o => o.output_type === 'error'));
  const idle = panel.sessionContext.session.kernel.status === 'idle';
  return window.ranAll && idle && (failed || cells.every(c => c.executionCount !== null));
}"""

ERRORS = """() => [...window.jupyterapp.shell.currentWidget.content.model.cells].flatMap(cell =>
  cell.type !== 'code' ? [] : cell.outputs.toJSON()
    .filter(output => output.output_type === 'error')
    .map(output => output.ename + ': ' + output.evalue)).concat(window.kernelErrors)"""


EVALUATE = """async code => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const asked = kernel.requestExecute({ code, store_history: false });
  let printed = '';
  let error = null;
  asked.onIOPub = message => {
    if (message.header.msg_type === 'stream' && message.content.name === 'stdout') printed += message.content.text;
    if (message.header.msg_type === 'error') error = message.content.ename + ': ' + message.content.evalue;
  };
  await asked.done;
  if (error) throw new Error(error);
  return JSON.parse(printed);
}"""


@dataclass(frozen=True)
class Server:
    """A running JupyterLab."""

    base: str
    folder: Path
    log: Path

    def request(self, path: str, method: str = "GET") -> Any:
        """Return the answer of the server's own interface."""
        request = urllib.request.Request(f"{self.base}/api/{path}?token={TOKEN}", method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            body = answer.read()
        return json.loads(body) if body else None


@contextlib.contextmanager
def running_lab(folder: Path, state: Path, environment: dict[str, str]) -> Iterator[Server]:
    """Serve a folder; everything that Jupyter writes goes below ``state``."""
    settings = state / "settings"
    settings.mkdir(parents=True)
    (settings / "overrides.json").write_text(json.dumps(SETTINGS))
    port = free_port()
    command = [
        sys.executable,
        "-c",
        LAUNCH,
        "--no-browser",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--allow-root",
        f"--IdentityProvider.token={TOKEN}",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.news_url=None",
        "--LabApp.extension_manager=readonly",
        "--LabApp.expose_app_in_browser=True",
        f"--LabApp.app_settings_dir={settings}",
        "--ServerApp.use_redirect_file=False",
    ]
    log = state / "server.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=jupyter_environment(state) | environment,
            start_new_session=True,
        )
        try:
            server = Server(f"http://127.0.0.1:{port}", folder, log)
            wait_until_up(server, process)
            yield server
        finally:
            stop(process)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def jupyter_environment(state: Path) -> dict[str, str]:
    """Return the environment with every Jupyter folder below ``state``."""
    environment = dict(os.environ)
    environment.pop("JUPYTER_PATH", None)
    return environment | {
        "JUPYTER_CONFIG_DIR": str(state / "config"),
        "JUPYTER_DATA_DIR": str(state / "data"),
        "JUPYTER_RUNTIME_DIR": str(state / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(state / "user-settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(state / "workspaces"),
        "IPYTHONDIR": str(state / "ipython"),
        "JUPYTER_PLATFORM_DIRS": "1",
    }


def wait_until_up(server: Server, process: subprocess.Popen[bytes], seconds: float = 90.0) -> None:
    """Return when the server answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            server.request("status")
        except OSError as error:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"JupyterLab did not start:\n{server.log.read_text()[-4000:]}") from error
            time.sleep(0.1)
        else:
            return


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the server and its kernels."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert process.stdin is not None
    process.stdin.close()


@dataclass
class Guard:
    """What went wrong in the browser, whether or not anybody saw it."""

    faults: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext, page: Page) -> None:
        """Listen to everything that page and network report."""
        page.on("console", lambda m: self._add(f"console: {m.text}") if m.type in ("error", "assert") else None)
        page.on("pageerror", lambda error: self._add(f"page error: {error}"))
        context.on("request", self._request)
        context.on("response", self._response)

    def _request(self, request: Request) -> None:
        url = urllib.parse.urlparse(request.url)
        if url.scheme in ("http", "https", "ws", "wss") and url.hostname != "127.0.0.1":
            self._add(f"request to another host: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._add(f"HTTP {response.status}: {response.request.method} {response.url}")

    def _add(self, fault: str) -> None:
        self.faults.append(fault)


def open_notebook(page: Page, server: Server, path: str, seconds: float = 90.0) -> None:
    """Open a notebook in the single-document view and wait for its kernel."""
    page.goto(f"{server.base}/doc/tree/{urllib.parse.quote(path)}?token={TOKEN}", wait_until="domcontentloaded")
    page.wait_for_function("() => window.jupyterapp !== undefined", timeout=seconds * 1000)
    page.evaluate("async () => { await window.jupyterapp.restored }")
    page.wait_for_function(NOTEBOOK_READY, timeout=seconds * 1000)
    page.evaluate(LISTEN)


def run_all_cells(page: Page, seconds: float = 180.0) -> list[str]:
    """Run every cell and return the errors, also those that no cell shows."""
    page.evaluate(RUN_ALL)
    page.wait_for_function(ALL_RAN, timeout=seconds * 1000)
    errors: list[str] = page.evaluate(ERRORS)
    return errors


def close_notebooks(server: Server) -> None:
    """Shut all kernels down."""
    for session in server.request("sessions"):
        with contextlib.suppress(urllib.error.HTTPError):
            server.request(f"sessions/{session['id']}", method="DELETE")


def run_cells(page: Page, server: Server, name: str, sources: Sequence[str], seconds: float = 180.0) -> list[str]:
    """Write a notebook with these cells, open it, run it, and return the errors, also those that no cell shows."""
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(notebook, server.folder / f"{name}.ipynb")
    open_notebook(page, server, f"{name}.ipynb", seconds)
    return run_all_cells(page, seconds)


def errors_of(page: Page) -> list[str]:
    """Return the errors until now: of cells, and of callbacks, which no cell shows."""
    errors: list[str] = page.evaluate(ERRORS)
    return errors


def in_kernel(page: Page, expression: str) -> Any:
    """Return the value of an expression in the notebook's kernel; JSON must be able to hold it."""
    return page.evaluate(EVALUATE, f"import json as _json\nprint(_json.dumps({expression}), end='')")
