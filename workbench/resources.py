"""Where the files that are not code lie: at the top of a checkout, inside the package once it is installed."""

from __future__ import annotations

from pathlib import Path

from .errors import FileMissing

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "data"


def rules_dir() -> Path:
    """Return the folder of the rule tables.

    Raises
    ------
    FileMissing
        If the installation does not hold it.

    Examples
    --------
    >>> (rules_dir() / "README.md").is_file()
    True
    """
    return _folder("rules")


def datasets_dir() -> Path:
    """Return the folder of the bundled workloads; ``dev`` lies in it.

    Raises
    ------
    FileMissing
        If the installation does not hold it.

    Examples
    --------
    >>> sorted(path.name for path in (datasets_dir() / "dev" / "documents").glob("harbor*"))
    ['harbor-manual.md']
    """
    return _folder("datasets")


def checkout_dir() -> Path | None:
    """Return the top folder of the checkout that this package runs from, or None for an installed one."""
    top = _PACKAGE.parent
    return top if (top / "pyproject.toml").is_file() and (top / "rules").is_dir() else None


def _folder(name: str) -> Path:
    checkout = checkout_dir()
    folder = _INSTALLED / name if checkout is None else checkout / name
    if not folder.is_dir():
        raise FileMissing(f"The folder {name} of the workbench is not at {folder}; install sparseread-workbench again.")
    return folder
