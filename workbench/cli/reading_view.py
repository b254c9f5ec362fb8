"""A reading on a terminal: what was kept and skipped, with its numbers, as wide as the terminal is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

import click
from rich.console import Console
from rich.text import Text

from ..printing import counted, printable
from .terminal import console
from .wrapping import fitted, wrapped

if TYPE_CHECKING:
    from ..reading import Explanation, Reading

KEPT_SHOWN = 20
SKIPPED_SHOWN = 5
MOST_LINES = 24
"""Lines of one block: a paragraph fits at 80 columns; a listing of 200 lines would hide what stands around it."""
BEST = 3
"""Blocks whose numbers stand out."""
LEAST_TEXT = 16
"""Cells of the text column on the narrowest terminal."""
LABEL_WIDTH = 9
GAP = 2
NUMBERS_WIDTH = len("0.000 = 0.000 x 0.00")
MORE = "--kept all prints them, --text what a model sees."


class Row(NamedTuple):
    """One block on the screen; its lines are wrapped already, those of ``small`` stand below the others.

    ``front`` is the style of anchor and numbers, ``style`` that of the text.
    """

    anchor: str
    numbers: str = ""
    lines: Sequence[str] = ()
    small: Sequence[str] = ()
    front: str = ""
    style: str = ""


def write_reading(reading: Reading, *, kept: int = KEPT_SHOWN, skipped: int = SKIPPED_SHOWN) -> None:
    """Print a reading: facts, kept blocks, saving, top skipped blocks, notes; why nothing was kept comes first.

    Parameters
    ----------
    reading : Reading
    kept : int
        Most kept blocks that are printed, the best ones; context of theirs comes on top.
    skipped : int
        Most skipped blocks that are printed.
    """
    screen = console()
    write_facts(reading, screen)
    write_kept(reading, kept, screen)
    if reading.is_empty:
        _write_notes_below(reading, screen)
    click.echo()
    write_labelled(screen, [("saving", str(reading.saving))], style="bold")
    write_skipped(reading, skipped, screen)
    if not reading.is_empty:
        _write_notes_below(reading, screen)


def write_facts(reading: Reading, screen: Console) -> None:
    """Print the document with its type and language, the question, the cut and what ended the keeping, the scale."""
    from ..reading import Bound

    document = reading.document
    about = (
        f"{printable(document.name)}: {document.document_type.value}, {document.language.value}, "
        f"{counted(len(document.pages), 'page')}, {counted(len(document), 'block')}, "
        f"{counted(int(reading.decision.tokens.sum()), 'token')}"
    )
    budget = "" if reading.budget_tokens is None else f", budget {counted(reading.budget_tokens, 'token')}"
    moved = reading.threshold is not None and (reading.offset or reading.bound is Bound.TOKEN_SHARE)
    at = f", at priority {_cut_at(reading):.3f}" if moved else ""
    write_labelled(screen, [("document", about), ("question", printable(reading.question))])
    write_labelled(screen, [("cut", f"{reading.cut}{budget}; bound: {reading.bound.value}{at}")])
    write_labelled(screen, [("rules", printable(reading.structure.table))])
    write_labelled(screen, [("scores", scale_words(reading))], style="" if _calibrated(reading) else "bold")


def scale_words(reading: Reading) -> str:
    """Return what the numbers mean; scores without calibration are not to be overlooked."""
    if _calibrated(reading):
        return "calibrated: relevance is a probability"
    return "UNCALIBRATED: they order the blocks of this document, and are no probabilities"


def write_kept(reading: Reading, most: int, screen: Console, *, more: str = MORE) -> None:
    """Print the best kept blocks and their context, in the order of the document; ``more`` says how to see others."""
    if reading.is_empty or not most:
        return
    shown, left_out = best_kept(reading, most)
    what = f"the best {most:,} of {len(reading.kept_ids):,} and their context, " if left_out else ""
    _write_title(screen, f"KEPT, {what}in document order", "priority = relevance x weight")
    widths = _widths(reading, screen)
    best = sorted(reading.kept_ids, key=lambda block: (-reading.priority[block], block))[:BEST]
    rows = []
    for rank, block in enumerate(shown):
        if rank and reading.basis.has_text[shown[rank - 1] + 1 : block].any():
            rows.append(Row("…", front="dim"))
        rows.append(_kept_row(reading, block, widths[-1], stands_out=block in best))
    _write_rows(screen, rows, widths)
    if left_out:
        words = f"{counted(left_out, 'more kept block')}: {more}"
        click.echo("\n" + "\n".join(wrapped(words, screen.width)))


def best_kept(reading: Reading, most: int) -> tuple[list[int], int]:
    """Return the ids of the best kept blocks with their context, rising, and how many kept ones were left out."""
    import numpy as np

    ids = np.array(reading.kept_ids, np.intp)
    pinned = np.isin(ids, reading.pinned_ids)
    best = ids[np.lexsort((ids, -reading.priority[ids], ~pinned))][:most]
    context = np.flatnonzero(reading.basis.links.of_all(best))
    kept = context[reading.decision.kept[context]]
    shown = np.union1d(best, kept)
    return shown[reading.basis.has_text[shown]].tolist(), len(ids) - int(np.isin(ids, shown).sum())


def write_skipped(reading: Reading, most: int, screen: Console) -> None:
    """Print the skipped blocks of the highest priority, each with its reason."""
    from ..reading.reasons import reason_of

    top = [block for block in reading.skipped.top(len(reading)) if reading.basis.has_text[block]]
    if not top or not most:
        return
    best = f"the best {most:,} of {len(top):,}" if most < len(top) else f"all {len(top):,}"
    _write_title(screen, f"SKIPPED, {best}")
    widths = _widths(reading, screen)
    rows = [
        Row(
            anchor_of(reading, block),
            _numbers(reading, block),
            [fitted(_on_one_line(reading.document.texts[block][: 4 * widths[-1]]), widths[-1])],
            small=wrapped(printable(reason_of(reading.basis, reading.decision, block)), widths[-1]),
        )
        for block in top[:most]
    ]
    _write_rows(screen, rows, widths)


def _write_notes_below(reading: Reading, screen: Console) -> None:
    if reading.notes:
        click.echo()
    write_notes(reading.notes, screen)


def write_notes(notes: Sequence[str], screen: Console) -> None:
    """Print what must be known, a sentence each."""
    write_labelled(screen, [("note", printable(note)) for note in notes])


def write_explanations(reading: Reading, blocks: Sequence[int]) -> None:
    """Print the facts of a reading, and the calculation behind each of some blocks."""
    screen = console()
    write_facts(reading, screen)
    for block in blocks:
        write_explanation(reading.explain(block), screen)


def write_explanation(explanation: Explanation, screen: Console) -> None:
    """Print the calculation behind one block."""
    _write_title(screen, f"Block {explanation.block_id}: {explanation.status.name.lower()}")
    write_labelled(screen, [(label, printable(words)) for label, words in explanation.lines])


def anchor_of(reading: Reading, block: int) -> str:
    """Return where a block stands, as the kept text says it."""
    return f"p{int(reading.document.columns.home_page[block]) + 1} #{block}"


def _cut_at(reading: Reading) -> float:
    return (reading.threshold or 0.0) + reading.offset


def _calibrated(reading: Reading) -> bool:
    from ..relevance.scores import Scale

    return reading.scores.scale is Scale.CALIBRATED


def _kept_row(reading: Reading, block: int, width: int, *, stands_out: bool) -> Row:
    from ..reading import Status

    status = Status(int(reading.status[block]))
    lines = _block_lines(reading, block, width)
    anchor = anchor_of(reading, block)
    if status is Status.CONTEXT:
        return Row(anchor, "context", lines, front="dim", style="dim")
    pinned = "\npinned" if status is Status.PINNED else ""
    return Row(anchor, _numbers(reading, block) + pinned, lines, front="bold" if stands_out else "")


def _numbers(reading: Reading, block: int) -> str:
    relevance, weight = reading.scores.relevance[block], reading.structure.weights[block]
    return f"{reading.priority[block]:.3f} = {relevance:.3f} x {weight:.2f}"


def _block_lines(reading: Reading, block: int, width: int) -> list[str]:
    ranges = reading.focus.get(block) if reading.focus else None
    text = reading.document.texts[block]
    if ranges is not None:
        text = " … ".join(text[start:end] for start, end in ranges)
    lines = [line for part in text.split("\n") for line in _part_lines(part, width)]
    if len(lines) > MOST_LINES:
        return [*lines[: MOST_LINES - 1], f"… and {counted(len(lines) - MOST_LINES + 1, 'more line')}"]
    return lines


def _part_lines(part: str, width: int) -> list[str]:
    """Wrap one line of a text; the blanks in front of a line of a listing are part of it."""
    indent = " " * min(len(part) - len(part.lstrip(" ")), width // 2)
    return [indent + line for line in wrapped(_on_one_line(part), width - len(indent))]


def _on_one_line(text: str) -> str:
    return printable(text.replace("\t", " | "))


def _widths(reading: Reading, screen: Console) -> tuple[int, int, int]:
    anchor = len(f"p{len(reading.document.pages)} #{len(reading)}")
    return anchor, NUMBERS_WIDTH, max(LEAST_TEXT, screen.width - anchor - NUMBERS_WIDTH - 2 * GAP)


def _write_title(screen: Console, title: str, more: str = "") -> None:
    click.echo()
    fits = len(title) + len(more) + 2 <= screen.width
    joint = "" if not more else "; " if fits else "\n"
    _write_line(screen, Text.assemble(("\n".join(wrapped(title, screen.width)), "bold"), (f"{joint}{more}", "dim")))


def _write_rows(screen: Console, rows: Iterable[Row], widths: Sequence[int]) -> None:
    """Print rows; no line ends in blanks."""
    left = [width + GAP for width in widths[:2]]
    for row in rows:
        lines = [*((line, row.style) for line in row.lines), *((line, "dim") for line in row.small)]
        columns = zip_longest([row.anchor], row.numbers.split("\n"), lines)
        for anchor, numbers, (words, style) in ((a or "", n or "", w or ("", "")) for a, n, w in columns):
            front = f"{anchor:<{left[0]}}{numbers:<{left[1]}}"
            _write_line(screen, Text.assemble((front if words else front.rstrip(), row.front), (words, style)))


def write_labelled(
    screen: Console, rows: Sequence[tuple[str, str]], *, style: str = "", width: int = LABEL_WIDTH
) -> None:
    """Print a label and words a row, the words wrapped beside the label."""
    indent = width + GAP
    for label, words in rows:
        text = Text(f"{label:<{indent}}", style="dim")
        lines = wrapped(words, max(LEAST_TEXT, screen.width - indent))
        _write_line(screen, Text.assemble(text, (f"\n{' ' * indent}".join(lines), style)))


def _write_line(screen: Console, text: Text) -> None:
    screen.print(text, no_wrap=True, overflow="ignore", crop=False)
