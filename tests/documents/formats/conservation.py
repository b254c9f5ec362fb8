"""The check that every format's test makes: no text lost, none twice, every anchor leads back."""

from __future__ import annotations

from workbench.documents.anchors import Piece, join_pieces
from workbench.documents.draft import UNPLACED, Draft, FinishedDraft


def assert_conserves(draft: Draft, *, max_block_chars: int = 512, in_order: bool = True) -> FinishedDraft:
    """Finish a draft and check that its blocks and named exclusions hold all its text, in order.

    Exclusions hold no character of a block, the text of each block is what its pieces spell, and, unless
    ``in_order`` is False, blocks stand in the order of the text layer.
    """
    done = draft.finish(max_block_chars=max_block_chars)
    layer = done.text_layer
    lost = [layer[e.start_char : e.end_char] for e in done.exclusions if e.reason == UNPLACED]
    assert not lost, f"text in no block and no named exclusion: {lost[:5]!r}"
    columns = done.columns
    first = columns.first_piece.tolist()
    before = -1
    for rank, text in enumerate(done.texts):
        low, high = first[rank], first[rank + 1]
        pieces = [
            Piece(*values)
            for values in zip(
                columns.start[low:high].tolist(),
                columns.end[low:high].tolist(),
                columns.joint[low:high].tolist(),
                columns.column[low:high].tolist(),
                strict=True,
            )
        ]
        assert join_pieces(layer, pieces) == text
        for piece in pieces if in_order else ():
            assert piece.start_char >= before, f"block {rank} ({text[:40]!r}) stands before the block above it"
            before = piece.end_char
    taken = bytearray(len(layer))
    for start, end in zip(columns.start.tolist(), columns.end.tolist(), strict=True):
        taken[start:end] = b"\x01" * (end - start)
    for exclusion in done.exclusions:
        shared = any(taken[exclusion.start_char : exclusion.end_char])
        assert not shared, f"{exclusion} holds text of a block"
    return done
