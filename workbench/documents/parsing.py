"""From bytes to a document in this process, without cache, limits on memory, or protection from a crash."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import LimitExceeded
from .document import Document
from .document_types import document_type_of
from .draft import Draft, FinishedDraft, Span
from .languages import language_of
from .pages import Verdict
from .registry import Format
from .source import ParseContext, Source
from .tokens import TOKENIZER


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep Python's cycle collector from walking a growing document again and again: a tenth of the time.

    Nothing that a parser makes is cyclic, so reference counts free it all the same.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def parse_document(format: Format, source: Source, context: ParseContext, *, sha256: str) -> Document:  # noqa: A002
    """Parse one artifact with one format; ``sha256`` is the hex digest of its bytes."""
    with collector_paused():
        draft = format.parse(source, context)
        return document_from_draft(draft, format=format, source=source, context=context, sha256=sha256)


def document_from_draft(
    draft: Draft,
    *,
    format: Format,  # noqa: A002
    source: Source,
    context: ParseContext,
    sha256: str,
) -> Document:
    """Finish a draft and decide its type and language.

    Raises
    ------
    LimitExceeded
        If it has more blocks than ``max_blocks`` and ``partial`` is not set.
    """
    limit = context.options.max_blocks
    if len(draft.blocks) > limit:
        if not context.options.partial:
            raise LimitExceeded(
                f"{source.name} has more than {limit:,} blocks; raise max_blocks, or set partial=True to keep "
                "the first ones.",
                setting="max_blocks",
                limit=limit,
                value=len(draft.blocks),
            )
        _truncate(draft, limit)
    done = draft.finish(max_block_chars=context.options.max_block_chars)
    language = language_of(done.texts)
    return Document(
        sha256=sha256,
        name=source.name,
        path=source.path,
        format=format.name,
        text_layer=done.text_layer,
        columns=done.columns,
        pages=done.pages,
        exclusions=done.exclusions,
        warnings=done.warnings,
        document_type=_type_of(done, source.name, language.value),
        language=language,
        tokenizer=TOKENIZER,
        locators=done.locators,
        line_based=draft.line_based,
    )


def _truncate(draft: Draft, limit: int) -> None:
    """Keep the first blocks; the text of the others becomes a listed exclusion."""
    for block in draft.blocks[limit:]:
        for piece in block.pieces:
            draft.exclude(Span(piece.start_char, piece.end_char), "beyond max_blocks")
    draft.warn("truncated", f"Only the first {limit:,} blocks were kept (max_blocks).")
    del draft.blocks[limit:]


def _type_of(done: FinishedDraft, name: str, language: str) -> Verdict:
    return document_type_of(done.texts, done.columns.kind, name=name, language=language)
