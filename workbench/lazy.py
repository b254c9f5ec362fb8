"""Names of a package that are loaded when they are first used, so that importing the package is quick."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loaded_when_used(
    package: dict[str, Any], homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and the ``__dir__`` of a package (PEP 562).

    Parameters
    ----------
    package : dict
        The ``globals()`` of its ``__init__``, with an ``__all__``.
    homes : mapping of str to str
        The module of each name, from the package.
    """
    own = package["__name__"]

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {own!r} has no attribute {name!r}")
        value = package[name] = getattr(import_module(f".{homes[name]}", own), name)
        return value

    def names() -> list[str]:
        return sorted(package["__all__"])

    return load, names
