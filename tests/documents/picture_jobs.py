"""A renderer that fails on the page that the name of a file tells: "crash-2.pdf", "hang-5.pdf"; 0 is all pages."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from workbench.documents.source import ParseContext
from workbench.documents.workers import render


def pictures(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Draw pages as ``render.pictures`` does, but for that one."""
    how, _, number = Path(arguments["name"]).stem.rpartition("-")
    if int(number) in (0, *(page for page, _, _ in arguments["pages"])):
        if how == "crash":
            os.kill(os.getpid(), signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        time.sleep(60)
    return render.pictures(arguments, context)
