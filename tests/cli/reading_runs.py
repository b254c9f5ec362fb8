"""Runs of ``workbench read``, and the readings that they must agree with."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

import workbench as wb
from workbench.cli import cli

QUESTION = "What triggers a backup?"
ASKED = "国内差旅由谁审批？"
LEAST = 200


def run(*arguments: object, columns: int = 100, model: bool = False, **environment: str) -> Result:
    """Run the command; without the model, which takes seconds to load, unless it is asked for."""
    options = [] if model else ["--no-model"]
    environment = {"COLUMNS": str(columns), **environment}
    return CliRunner().invoke(cli, ["read", *map(str, arguments), *options], env=environment)


def reading_of(path: Path, question: str = QUESTION, **options: object) -> wb.Reading:
    reader = wb.SparseReader(scorer=None, min_tokens=LEAST)
    return reader.read(wb.open_document(path), question, **options)  # type: ignore[arg-type]


def squeezed(text: str) -> str:
    return " ".join(text.split())
