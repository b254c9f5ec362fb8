"""What may be done with an artifact."""

from __future__ import annotations

from enum import StrEnum


class Action(StrEnum):
    """What is to be done with an artifact: to read it, to take its text over, to change it, or to run something."""

    READ = "read"
    COPY = "copy"
    EDIT = "edit"
    EXECUTE = "execute"
