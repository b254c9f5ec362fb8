"""What an agent has before it when it answers: the text of a document on the native and on the sparse path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...gate.exchange import Exchange
from ...gate.intent import intent_of
from ...gate.preview import preview_of
from ...reading import Bound, SparseReader, Status
from ...reading.coverage import coverage_line
from ...reading.decision import Decision
from ...reading.rendering import render
from ...reading.selection import Reason
from ...reading.tokenizers import block_tokens
from ..replay.closure import ClosureRule
from ..replay.paths import native_path, sparse_path
from ..replay.replaying import intent_for

if TYPE_CHECKING:
    from ...documents import Document
    from ..requests import Request


@dataclass(frozen=True, slots=True)
class Observed:
    """What is observed for one request.

    Attributes
    ----------
    request : Request
    language : str
        Of the question.
    preview : str
    native, sparse : str
        Text of the document on each path: blocks in the order of the document, with anchors.
    tokens, kept : int
        Of all blocks of the document, and of those in ``sparse``.
    fell_back : bool
        Whether the sparse path ended with the whole document, so that both paths answer from it.
    """

    request: Request
    language: str
    preview: str
    native: str
    sparse: str
    tokens: int
    kept: int
    fell_back: bool


def observed(
    document: Document, requests: Sequence[Request], reader: SparseReader, exchange: Exchange
) -> Iterator[Observed]:
    """Take both paths of requests on one document, as a replay does, and give what was seen.

    Parameters
    ----------
    document : Document
    requests : sequence of Request
    reader : SparseReader
    exchange : Exchange
        That of the replay.
    """
    preview = preview_of(document)
    tokens = block_tokens(document, reader.tokenizer)
    rule = ClosureRule(document, preview)
    preview_tokens = int(reader.tokenizer.count([preview.text])[0])
    natives: dict[bytes, str] = {}
    for request in requests:
        intents = [*(intent_of(turn.strip()) for turn in request.turns), intent_for(request)]
        questions = reader.tokenizer.count([found.question for found in intents]).tolist()
        seen = native_path(tokens, questions, exchange).seen
        sparse = sparse_path(
            reader, document, intents, exchange, preview_tokens=preview_tokens, tokens=tokens, rule=rule
        )
        if (known := seen.tobytes()) not in natives:
            natives[known] = text_of(document, seen, tokens)
        yield Observed(
            request,
            intents[-1].language,
            preview.text,
            natives[known],
            text_of(document, sparse.kept, tokens),
            int(tokens.sum()),
            int(tokens[sparse.kept].sum()),
            sparse.fell_back,
        )


def text_of(document: Document, seen: npt.NDArray[np.bool_], tokens: npt.NDArray[np.int64]) -> str:
    """Return some blocks of a document as text, below a line that says how much of it that is.

    Parameters
    ----------
    document : Document
    seen : ndarray of bool, shape (n,)
    tokens : ndarray of int64, shape (n,)
        Of each block.
    """
    status = np.where(seen, np.uint8(Status.KEPT), np.uint8(Status.SKIPPED)).astype(np.uint8)
    decision = Decision(
        threshold=None,
        offset=0.0,
        passed=int(seen.sum()),
        margin=np.full(len(seen), np.nan),
        status=status,
        reason=np.full(len(seen), Reason.UNDER_CUT, np.uint8),
        bound=Bound.TOKEN_SHARE,
        tokens=tokens.copy(),
        costs=tokens.copy(),
        focus=None,
        refused={},
    )
    return render(document, decision, coverage_line(document, decision)).text
