"""The same jobs from a shell; the command is ``workbench``."""

from .app import cli, main

__all__ = ["cli", "main"]
