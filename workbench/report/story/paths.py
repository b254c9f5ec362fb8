"""The sparse path of single requests taken again, so that a story can show what the agent saw and what it did not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...errors import WorkbenchError
from ...gate.exchange import Exchange
from ...gate.gate import GateDecision, ReadGate
from ...gate.intent import Intent, intent_of
from ...gate.preview import Preview, preview_of
from ...reading import Reading, Session, TokenShare
from ...reading.tokenizers import block_tokens
from ...workload.gold import Gold, resolve
from ...workload.replay.closure import ClosureRule
from ...workload.replay.paths import PathTaken, sparse_path, whole_artifact
from ...workload.replay.replaying import intent_for
from ..said.line import Line, level, line_of
from ..said.reasons import Reasons
from ..wording import Say
from .basis import StoryBasis
from .contents import BlockLost, PieceSaid

if TYPE_CHECKING:
    from ...documents import Document
    from ...workload.requests import Request

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class Retaken:
    """A request with its document open, and what the sparse path does.

    Attributes
    ----------
    request : Request
    document : Document
    gold : Gold
    tokens : ndarray of int64, shape (blocks,)
        By the reader's tokenizer.
    path : PathTaken
    whole : ndarray of bool, shape (blocks,)
        Blocks that are seen when the artifact is read whole.
    reading : Reading
        As wide as in the last round.
    is_all_shown : bool
        Whether the reading shows all that the agent saw; it does not after a fallback, or in a dialogue.
    decision : GateDecision
    """

    request: Request
    document: Document
    gold: Gold
    tokens: npt.NDArray[np.int64]
    path: PathTaken
    whole: Mask
    reading: Reading
    is_all_shown: bool
    decision: GateDecision

    @property
    def lost(self) -> tuple[int, ...]:
        """Places of the pieces of evidence that the artifact read whole shows, and the sparse path does not."""
        native, sparse = (self.gold.recalled(seen, self.tokens) for seen in (self.whole, self.path.seen))
        return tuple(np.flatnonzero(native & ~sparse).tolist())


@dataclass(frozen=True, slots=True)
class Unread:
    """A request whose document cannot be read again, with the reason in English."""

    request: Request
    reason: str


def retaken(
    basis: StoryBasis, requests: Sequence[Request], report: Callable[[int, int], None]
) -> Iterator[Retaken | Unread]:
    """Give each request with its sparse path taken again; each document is opened once.

    Parameters
    ----------
    basis : StoryBasis
    requests : sequence of Request
        Given back document by document, not in this order.
    report : callable
        Told how many of how many are done.
    """
    by_document: dict[str, list[Request]] = {}
    for request in requests:
        by_document.setdefault(request.document_key, []).append(request)
    done = 0
    for group in by_document.values():
        report(done, len(requests))
        try:
            opened = _Opened(basis, basis.workload.open(group[0], progress=False))
        except WorkbenchError as error:
            yield from (Unread(request, str(error)) for request in group)
            done += len(group)
            continue
        for request in group:
            yield opened.taken(request)
            done += 1
            report(done, len(requests))


class _Opened:
    """What is made once a document."""

    def __init__(self, basis: StoryBasis, document: Document) -> None:
        self._basis, self._document = basis, document
        self._preview: Preview = preview_of(document)
        self._preview_tokens = int(basis.reader.tokenizer.count([self._preview.text])[0])
        self._rule = ClosureRule(document, self._preview)
        self._tokens = block_tokens(document, basis.reader.tokenizer)
        self._gate = ReadGate.from_profile(basis.profile)

    def taken(self, request: Request) -> Retaken:
        basis, intent = self._basis, intent_for(request)
        exchange = basis.options.exchange
        earlier = [intent_of(turn.strip()) for turn in request.turns]
        path = sparse_path(
            basis.reader,
            self._document,
            [*earlier, intent],
            exchange,
            preview_tokens=self._preview_tokens,
            tokens=self._tokens,
            rule=self._rule,
        )
        reading = self._widened(self._first(earlier, intent), path, exchange)
        shown = reading.decision.kept & (2 * reading.decision.costs >= reading.decision.tokens)
        return Retaken(
            request=request,
            document=self._document,
            gold=resolve(request, self._document),
            tokens=self._tokens,
            path=path,
            whole=whole_artifact(self._tokens, exchange)[0],
            reading=reading,
            is_all_shown=bool((path.seen <= shown).all()),
            decision=self._gate.decide(self._preview, intent, prepared=bool(request.turns)),
        )

    def _first(self, earlier: Sequence[Intent], last: Intent) -> Reading:
        """Return what the first round of a request reads, after the earlier questions of its dialogue."""
        session = Session("report", "dialogue") if earlier else None
        read = self._basis.reader.read
        for intent in earlier:
            read(self._document, intent.question, session=session, scope=intent.scope, progress=False)
        return read(self._document, last.question, session=session, scope=last.scope, progress=False)

    def _widened(self, reading: Reading, path: PathTaken, exchange: Exchange) -> Reading:
        """Return the reading of the last round: each one keeps ``growth`` times the tokens of those before."""
        total = int(self._tokens.sum())
        for _ in range(path.rounds - 1):
            kept = int(self._tokens[reading.decision.kept].sum())
            share = min(1.0, exchange.growth * kept / total) if total and kept else 1.0
            reading = reading.with_focus(None).with_token_share(TokenShare(share, min_tokens=0))
        return reading


def pieces_said(found: Retaken, say: Say) -> tuple[PieceSaid, ...]:
    """Return every piece of evidence that was found in the document, and of a lost one what was not seen, and why.

    Parameters
    ----------
    found : Retaken
    say : callable
        Words of the section "contents", which tells reasons.
    """
    seen, lost = found.gold.recalled(found.path.seen, found.tokens), set(found.lost)
    reasons, line = Reasons(found.reading, say), line_of(found.reading)
    pages = found.document.columns.home_page
    said = []
    for number, piece in enumerate(found.gold.pieces):
        place = min(piece.places, key=lambda blocks: _tokens_missing(found, blocks))
        missing = _missing(found, place) if number in lost else []
        said.append(
            PieceSaid(
                quote=piece.evidence.quote or found.document.texts[place[0]],
                page=int(pages[place[0]]) + 1,
                kept=bool(seen[number]),
                blocks=place,
                missing=tuple(_block_lost(found, block, line, reasons) for block in missing),
            )
        )
    return tuple(said)


def _block_lost(found: Retaken, block: int, line: Line | None, reasons: Reasons) -> BlockLost:
    priority = float(found.reading.priority[block])
    shown, line_shown = line.against(priority) if line is not None else (level(priority), "")
    return BlockLost(
        block_id=block,
        page=int(found.document.columns.home_page[block]) + 1,
        tokens=int(found.tokens[block]),
        priority=shown,
        line=line_shown,
        why=reasons.of(block),
    )


def _missing(found: Retaken, place: Sequence[int]) -> list[int]:
    return [block for block in place if not found.path.seen[block]]


def _tokens_missing(found: Retaken, place: Sequence[int]) -> int:
    """Tokens of a place that were not seen: the place that costs least to keep is the one that is told."""
    return int(found.tokens[_missing(found, place)].sum())
