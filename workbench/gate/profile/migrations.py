"""Gate profiles of older versions, brought to the present one step by step.

A new field that may be missing, and decides no request, raises no version: a file without it stays what it was. Any
other change of the fields raises ``SCHEMA_VERSION`` and adds a step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from ...errors import InvalidProfile

SCHEMA_VERSION: Final[Literal[1]] = 1
"""Version of the profiles that this workbench writes."""

Step = Callable[[dict[str, Any]], dict[str, Any]]

STEPS: dict[int, Step] = {}
"""By version: what makes a profile of the next version out of one of it. Version 1 is the first."""


def migrated(values: Mapping[str, Any], name: str, *, steps: Mapping[int, Step] | None = None) -> dict[str, Any]:
    """Return the fields of a profile in the present version.

    Parameters
    ----------
    values : mapping
        As the file has them, with ``schema_version``.
    name : str
        What messages call the file.
    steps : mapping of int to callable, optional
        ``STEPS`` by default.

    Raises
    ------
    InvalidProfile
        If the version is none, is newer, or is so old that no step leads on.
    """
    known = STEPS if steps is None else steps
    found = dict(values)
    version = found.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise InvalidProfile(f"{name} has the schema version {version!r:.40}, which is no number.")
    if version > SCHEMA_VERSION:
        raise InvalidProfile(
            f"{name} is a gate profile of version {version}, and this workbench reads up to version {SCHEMA_VERSION}; "
            "update sparseread-workbench."
        )
    while version < SCHEMA_VERSION:
        if version not in known:
            raise InvalidProfile(
                f"{name} is a gate profile of version {version}, which nothing reads; calibrate again."
            )
        found = known[version](found)
        version += 1
        found["schema_version"] = version
    return found
