"""Pages that work from a disk and ask nobody for anything: a policy that lets only their own scripts run."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence

_END_OF_SCRIPT = re.compile(r"<(?=/script|!--)", re.IGNORECASE)
_END_OF_STYLE = re.compile(r"<(?=/style|!--)", re.IGNORECASE)


def inline_script(text: str) -> str:
    """Return a script as it may stand in a page: a parser of HTML looks for its end in strings and comments too."""
    return _END_OF_SCRIPT.sub(r"<\\", text).replace("\r\n", "\n")


def inline_style(text: str) -> str:
    """Return a style sheet as it may stand in a page."""
    return _END_OF_STYLE.sub(r"<\\", text)


def policy_of(scripts: Sequence[str], *, blobs: bool = False) -> str:
    """Return a Content-Security-Policy under which nothing is loaded, and only these scripts run.

    Parameters
    ----------
    scripts : sequence of str
        As they stand in the page.
    blobs : bool
        Whether the scripts make scripts and pictures of their own, of what the page holds.
    """
    hashes = [base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii") for script in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes) or "'none'"
    made = " blob:" if blobs else ""
    return (
        f"default-src 'none'; script-src {allowed}{made}; style-src 'unsafe-inline'; img-src data:{made}; "
        "base-uri 'none'; form-action 'none'"
    )
