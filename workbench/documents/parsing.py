"""From bytes to a document in this process, without cache, limits on memory, or protection from a crash."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import LimitExceeded
from .document import Document
from .document_types import document_type_of
from .draft import Draft, FinishedDraft
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
    limit, partial = context.options.max_blocks, context.options.partial
    if len(draft.blocks) > limit and not partial:
        raise _too_many(source, limit, len(draft.blocks))
    done = draft.finish(max_block_chars=context.options.max_block_chars, max_blocks=limit if partial else None)
    if len(done.columns) > limit:
        raise _too_many(source, limit, len(done.columns))
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


def _too_many(source: Source, limit: int, found: int) -> LimitExceeded:
    return LimitExceeded(
        f"{source.name} has more than {limit:,} blocks; raise max_blocks, or set partial=True to keep the first ones.",
        setting="max_blocks",
        limit=limit,
        value=found,
    )


def _type_of(done: FinishedDraft, name: str, language: str) -> Verdict:
    return document_type_of(done.texts, done.columns.kind, name=name, language=language)
