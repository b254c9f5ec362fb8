"""``workbench read``: the blocks of a document that a question needs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .blocks import reading_options
from .choices import Choices, Count, choice_options

if TYPE_CHECKING:
    from ..documents import Document
    from ..reading import Reading

NOTHING_RELEVANT = 3
"""Exit code of a reading that keeps nothing: the document was read, and no block passed the cut."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("question")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: the audit, the kept text, the saving.")
@click.option("--csv", "as_csv", is_flag=True, help="Print every block with its numbers as CSV.")
@click.option("--text", "as_text", is_flag=True, help="Print only the kept text: what a model would see.")
@click.option("--explain", type=int, multiple=True, metavar="BLOCK", help="Print how a block was decided; repeatable.")
@click.option("--kept", type=Count(), default=20, metavar="N", help="Best kept blocks to print, or all [20].")
@click.option("--skipped", type=Count(), default=5, metavar="N", help="Best skipped blocks to print, or all [5].")
@choice_options
@reading_options
def read(
    file: Path,
    question: str,
    as_json: bool,
    as_csv: bool,
    as_text: bool,
    explain: tuple[int, ...],
    kept: int,
    skipped: int,
    item: str | None,
    **others: Any,
) -> None:
    """Print which blocks of FILE are kept for QUESTION, and why.

    Exit codes: 0 something was kept, 3 nothing in it is relevant, 1 it could not be read, 2 the command was not
    understood.
    """
    from . import reading_export, reading_view
    from .opening import cache_chosen, one_document

    if as_json + as_csv + as_text > 1:
        raise click.UsageError("Give one of --json, --csv and --text.")
    if explain and (as_csv or as_text):
        raise click.UsageError("--explain prints words; leave --csv and --text out.")
    choices = Choices(**{name: others.pop(name) for name in Choices.__dataclass_fields__})
    with cache_chosen(others["cache"]):
        from ..relevance.questions import checked_question

        question = checked_question(question)
        reader = choices.reader()
        document = one_document(file, item, others)
        for block in explain:
            _check_block(document, block)
        reading = choices.read(reader, document, question)
    check_room(reading)
    if as_json:
        reading_export.write_json(reading, explain)
    elif as_csv:
        reading_export.write_csv(reading)
    elif as_text:
        reading_export.write_text(reading)
    elif explain:
        reading_view.write_explanations(reading, explain)
    else:
        reading_view.write_reading(reading, kept=kept, skipped=skipped)
    if reading.is_empty:
        sys.stdout.flush()
        click.get_current_context().exit(NOTHING_RELEVANT)


def _check_block(document: Document, block: int) -> None:
    from ..errors import InvalidOption

    if not 0 <= block < len(document):
        has = f"its blocks are 0 to {len(document) - 1:,}" if len(document) else "it has none"
        raise InvalidOption(f"There is no block {block} in {document.name} to explain; {has}.")


def check_room(reading: Reading) -> None:
    """Refuse a budget in which nothing of what passed the cut has room, with one that is large enough."""
    from ..errors import InvalidOption
    from ..reading.notes import no_room

    if reading.is_empty and reading.decision.refused:
        told = no_room(reading.decision, reading.budget_tokens).removesuffix(".")
        raise InvalidOption(f"{told}; give a --budget of at least {least_budget(reading):,}.")


def least_budget(reading: Reading) -> int:
    """Return the smallest budget in which a block has room, of a reading whose budget has room for none."""
    low = high = reading.budget_tokens or 1
    while reading.with_budget(high).is_empty:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if reading.with_budget(middle).is_empty else (low, middle)
    return high
