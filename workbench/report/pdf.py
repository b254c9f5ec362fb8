"""A page to a PDF by the Chromium of this machine: it opens one file of ours, and reaches nobody."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..errors import FileMissing, MissingDependency, WorkbenchError
from ..printing import shortened
from ..structure.atomic import write_bytes

ENVIRONMENT = "SPARSEREAD_CHROMIUM"
"""Environment variable that names the browser to print with."""
SECONDS = 180.0
"""Longest time for one document."""
NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge",
    "microsoft-edge-stable", "msedge",
)  # fmt: skip
"""What the browsers are called on the path."""
_ON_MACOS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_ON_WINDOWS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
_ARGUMENTS = (
    "--headless",
    "--disable-gpu",
    # In a container the shared memory is too small for a long page.
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    # The page asks for nothing, and its policy forbids it; this holds for the browser itself.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-pdf-header-footer",
)
_PAGE = re.compile(rb"/Type\s*/Page\b")
_NOISE = re.compile(r"dbus|Fontconfig|^\s*$|unexpected operator", re.IGNORECASE)


def print_to_pdf(html: str, path: str | Path) -> Path:
    """Print a page to a PDF, and return its path; a file that is there is replaced when the new one is whole.

    Parameters
    ----------
    html : str
        A whole page that needs nothing else.
    path : str or pathlib.Path

    Raises
    ------
    MissingDependency
        If there is no Chromium, Chrome or Edge on this machine.
    FileMissing
        If the one that ``SPARSEREAD_CHROMIUM`` names is not there.
    WorkbenchError
        If it fails or takes too long, or the file cannot be written.
    """
    out = Path(path).expanduser().absolute()
    browser = browser_here()
    _check_place(out)
    # A Chromium from a snap sees the home folder and not the temporary one, which all others get.
    beside = out.parent if _is_snap(browser) else None
    with _folder(out, beside) as folder, _folder(out, None) as profile:
        page, printed = folder / "report.html", folder / "report.pdf"
        try:
            page.write_text(html, encoding="utf-8", newline="\n")
        except OSError as error:
            raise _cannot_write(page, error) from error
        try:
            told = _run([str(browser), *_arguments(profile, printed), page.as_uri()], profile / "told.txt")
        finally:
            _drop_socket(profile)
        _check_pdf(printed, browser, told)
        _put(printed, out)
    return out


def browser_here() -> Path:
    """Return the browser that prints: the one that ``SPARSEREAD_CHROMIUM`` names, else the first that is found.

    Raises
    ------
    MissingDependency
        If there is none.
    FileMissing
        If the one that is named is not there.
    """
    named = os.environ.get(ENVIRONMENT, "").strip()
    if named:
        found = shutil.which(Path(named).expanduser())
        if found is None:
            raise FileMissing(f"{ENVIRONMENT} names {named}, which is no program; name a Chromium, Chrome or Edge.")
        return Path(found)
    for place in _places():
        if place.is_file():
            return place
    raise MissingDependency(
        "A PDF is printed by Chromium, Chrome or Edge, and none is on this machine; install one of them, name it in "
        f"{ENVIRONMENT}, or open the HTML file in a browser and print it there."
    )


def _places() -> Iterator[Path]:
    yield from (Path(found) for name in NAMES if (found := shutil.which(name)) is not None)
    if sys.platform == "darwin":
        yield from (top / name for top in (Path("/Applications"), Path.home() / "Applications") for name in _ON_MACOS)
    if sys.platform == "win32":
        tops = [os.environ.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
        yield from (Path(top) / name for top in tops if top for name in _ON_WINDOWS)


def _arguments(profile: Path, printed: Path) -> list[str]:
    # Chromium refuses to run its sandbox as root, which is who one is in most containers.
    as_root = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    return [*_ARGUMENTS, *as_root, f"--user-data-dir={profile}", f"--print-to-pdf={printed}"]


def _is_snap(browser: Path) -> bool:
    """Whether a browser is a snap, or a script that starts one."""
    if "snap" in (*browser.parts, *browser.resolve().parts):
        return True
    try:
        with browser.open("rb") as stream:
            head = stream.read(4096)
    except OSError:
        return False
    return head.startswith(b"#!") and b"/snap/" in head


def _check_place(out: Path) -> None:
    """Refuse, before the browser starts, where no file can be put."""
    if out.is_dir():
        raise WorkbenchError(f"The PDF cannot be written to {out}, which is a folder; give the name of a file in it.")
    try:
        with tempfile.TemporaryFile(dir=out.parent):
            pass
    except OSError as error:
        raise _cannot_write(out, error) from error


@contextlib.contextmanager
def _folder(out: Path, place: Path | None) -> Iterator[Path]:
    """Give a folder that is gone afterwards."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="sparseread-", dir=place, ignore_cleanup_errors=True)
    except OSError as error:
        raise _cannot_write(out, error) from error
    with folder as name:
        yield Path(name)


def _put(printed: Path, out: Path) -> None:
    try:
        write_bytes(out, printed.read_bytes())
    except OSError as error:
        raise _cannot_write(out, error) from error


def _run(command: list[str], told: Path) -> str:
    """Run the browser within its time, and return what it said."""
    process: subprocess.Popen[bytes] | None = None
    with told.open("wb") as said:
        try:
            # A group of its own: a wrapper script and the helpers of the browser end with it.
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )
            process.wait(SECONDS)
        except OSError as error:
            raise WorkbenchError(
                f"{command[0]} cannot be started ({error.strerror or error}); name another browser in {ENVIRONMENT}."
            ) from error
        except subprocess.TimeoutExpired:
            raise WorkbenchError(
                f"{command[0]} did not print the page in {SECONDS:,.0f} seconds; open the HTML file in a browser and "
                "print it there, or make the report without its pages."
            ) from None
        finally:
            if process is not None:
                _end(process)
    return told.read_text(encoding="utf-8", errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _drop_socket(profile: Path) -> None:
    """Remove the folder of a socket that a Chromium leaves beside its profile when it is ended."""
    with contextlib.suppress(OSError):
        folder = (profile / "SingletonSocket").readlink().parent
        for name in ("SingletonSocket", "SingletonCookie"):
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()


def _check_pdf(printed: Path, browser: Path, told: str) -> None:
    """Refuse what is no whole PDF with a page: a browser may fail and say that it has done well."""
    data = printed.read_bytes() if printed.is_file() else b""
    if data.startswith(b"%PDF-") and b"%%EOF" in data[-1024:] and _PAGE.search(data):
        return
    lines = [line for line in told.splitlines() if not _NOISE.search(line)]
    why = f" ({shortened(lines[-1], 300).rstrip('.')})" if lines else ""
    raise WorkbenchError(
        f"{browser} printed no PDF{why}; name another browser in {ENVIRONMENT}, or open the HTML file in a browser "
        "and print it there."
    )


def _cannot_write(out: Path, error: OSError) -> WorkbenchError:
    return WorkbenchError(
        f"The PDF cannot be written to {out} ({error.strerror or error}); give a file in a folder that exists and has "
        "room."
    )
