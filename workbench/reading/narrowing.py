"""What a follow-up keeps: the sentences of the anchors, and of better blocks outside them, that fit its question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..printing import shortened
from ..relevance.lexical import LexicalIndex
from ..relevance.scores import RelevanceScores
from .coverage import coverage_line
from .focus import Room, Sentences, can_be_in_focus, chosen_sentences, contexts_of, focus_of, ranked_sentences, standard
from .followup_options import FollowUpOptions
from .reading import Reading, reading_of
from .saving import Saving
from .sessions import SessionState

if TYPE_CHECKING:
    from .decision import Focus

OUTSIDE_SHARE = 0.5
"""Tokens of the best blocks outside the anchors that compete with them, as a share of the topic's first reading."""

STANDING_ALONE = 0.25
"""Share of the weight of the question before where a question stands alone: it may be on something else after all."""
_SLACK = 1.1
"""Parts cost less together than apart, so a little more is chosen than fits, and the weakest dropped."""

_TRIES = 20
"""Sentences that are tried one by one where none fits with its headings."""

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Score = Callable[[str], RelevanceScores]


@dataclass(frozen=True, eq=False)
class Narrowed:
    """What a follow-up keeps.

    Attributes
    ----------
    focus : mapping
    outside : tuple of int
        Ids of the blocks in focus that were no anchors.
    notes : tuple of str
    """

    focus: Focus
    outside: tuple[int, ...]
    notes: tuple[str, ...]


def anchors_in(reading: Reading, state: SessionState) -> Mask:
    """Return which blocks are anchors that have sentences, bool, shape (n,)."""
    found = np.zeros(len(reading.document), bool)
    found[list(state.anchor_blocks)] = True
    return found & can_be_in_focus(reading.document)


def narrowed(
    reading: Reading, state: SessionState, *, score: Score, semantic: bool, refers: bool, options: FollowUpOptions
) -> Narrowed:
    """Choose what a follow-up keeps.

    Parameters
    ----------
    reading : Reading
        Of the whole document, for this question.
    state : SessionState
        Before this question, with at least one anchor that has sentences.
    score : callable
        Scores the document for another text.
    semantic : bool
        Whether scores know more than words; without that a sentence needs one of the words, or one beside it.
    refers : bool
        Whether the question refers back.
    options : FollowUpOptions
    """
    anchors = anchors_in(reading, state)
    if state.first_tokens <= options.least_tokens:
        return _whole(reading, anchors, state.first_tokens)
    weight = options.previous_weight if refers else STANDING_ALONE * options.previous_weight
    before = state.questions[-1] if weight else ""
    voices = _block_voices(reading, before, score, weight)
    preference = options.reference_preference if refers else options.anchor_preference
    rivals = _rivals(reading, anchors, voices, state.first_tokens) if options.widen else np.zeros(len(anchors), bool)
    sentences = Sentences.of(reading.document, np.flatnonzero(anchors | rivals).tolist())
    index = LexicalIndex.of(
        sentences.texts, reading.document.language.value, context=contexts_of(reading.document, sentences)
    )
    lexical = index.scores(reading.question).astype(np.float64)
    if before:
        lexical += weight * index.scores(before)
    order = ranked_sentences(sentences, lexical, voices + preference * anchors, hits_only=not semantic)
    limit = _limit(reading, state, options)
    focus = _fitting(
        reading,
        sentences,
        order,
        limit=limit,
        per_block=options.sentences_per_block,
        first_tokens=state.first_tokens,
    )
    outside = tuple(block for block in focus if not anchors[block])
    notes = _notes(reading, focus, outside, int(anchors.sum()), limit)
    if before:
        notes.append(f'The question before, "{shortened(before, 60)}", counted {weight:g} times as much.')
    if not lexical.any():
        notes.append(
            "No word of the question stands there, so the sentences were chosen by the scores of their blocks."
        )
    return Narrowed(focus, outside, tuple(notes))


def _whole(reading: Reading, anchors: Mask, tokens: int) -> Narrowed:
    texts = reading.document.texts
    focus = {block: ((0, len(texts[block])),) for block in np.flatnonzero(anchors).tolist()}
    note = f"The first reading of the topic has no more than {tokens:,} tokens, so its blocks were kept whole."
    return Narrowed(focus, (), (note,))


def _block_voices(reading: Reading, before: str, score: Score, weight: float) -> Floats:
    """Return how well each block fits the question and, with less weight, the one before, in standard deviations."""
    among = can_be_in_focus(reading.document)
    asked = standard(reading.scores.logits, among) + np.log(reading.structure.weights)
    if not before:
        return standard(asked, among)
    return standard(asked + weight * standard(score(before).logits, among), among)


def _rivals(reading: Reading, anchors: Mask, voices: Floats, first_tokens: int) -> Mask:
    """Return the best blocks outside the anchors, up to a number of tokens."""
    others = np.flatnonzero(can_be_in_focus(reading.document) & ~anchors)
    others = others[np.argsort(-voices[others], kind="stable")]
    spent = np.cumsum(reading.basis.tokens[others])
    found = np.zeros(len(anchors), bool)
    found[others[: int(np.searchsorted(spent, OUTSIDE_SHARE * first_tokens)) + 1]] = True
    return found


def _limit(reading: Reading, state: SessionState, options: FollowUpOptions) -> int:
    """Return the most tokens of the kept text as rendered: never more than the topic's first reading kept."""
    limit = max(options.least_tokens, int(options.token_share * state.first_rendered))
    limit = min(limit, state.first_tokens)
    return limit if reading.budget_tokens is None else min(limit, reading.budget_tokens)


def _fitting(
    reading: Reading,
    sentences: Sentences,
    order: list[int],
    *,
    limit: int,
    per_block: int,
    first_tokens: int,
) -> Focus:
    """Return the best sentences that fit; where none does, the best one that costs no more than the first reading."""
    basis = reading.basis
    line = coverage_line(reading.document, reading.decision)
    taken = chosen_sentences(
        sentences,
        order,
        Room(int(_SLACK * limit), int(basis.tokenizer.count([line])[0]), per_block),
        tokenizer=basis.tokenizer,
        links=basis.links,
        block_tokens=basis.tokens,
    )

    def focus_on(ranks: Sequence[int]) -> tuple[Focus, Saving]:
        focus = focus_of(reading.document, sentences, ranks)
        return focus, reading_of(basis, reading.cut, None, focus).saving

    # The longest beginning that fits.
    fits, too_many = 0, len(taken) + 1
    while too_many - fits > 1:
        middle = len(taken) if too_many > len(taken) else (fits + too_many) // 2
        if focus_on(taken[:middle])[1].rendered_tokens <= limit:
            fits = middle
        else:
            too_many = middle
    if fits:
        return focus_on(taken[:fits])[0]
    tried = (focus_on([rank]) for rank in order[:_TRIES])
    return next((focus for focus, saving in tried if saving.tokens_kept <= first_tokens), {})


def _notes(reading: Reading, focus: Focus, outside: tuple[int, ...], anchors: int, limit: int) -> list[str]:
    ranges = sum(map(len, focus.values()))
    inside = len(focus) - len(outside)
    also = f" and of {_counted(len(outside), 'other block')}" if outside else ""
    notes = [
        f"Kept {_counted(ranges, 'passage')} of {inside:,} of the {_counted(anchors, 'anchor block')}"
        f"{also}, in at most {limit:,} tokens."
    ]
    if outside:
        many = len(outside) > 1
        these = f"blocks {_listed(outside)} fit" if many else f"block {outside[0]} fits"
        notes.append(
            f"Widened: outside the anchors {these} the question better; "
            f"from now on {'they are anchors' if many else 'it is an anchor'} as well."
        )
    pinned = int(reading.structure.pinned.sum())
    if pinned:
        notes.append(
            f"{_counted(pinned, 'pinned block')} of the document stood in the topic's first reading; a follow-up does "
            "not repeat them."
        )
    return notes


def _listed(ids: Iterable[int]) -> str:
    shown = list(ids)
    return ", ".join(map(str, shown[:10])) + (f" and {len(shown) - 10:,} more" if len(shown) > 10 else "")


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
