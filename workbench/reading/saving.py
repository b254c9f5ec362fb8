"""What a reading saves, in tokens of a named tokenizer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Saving:
    """Tokens kept against tokens that reading everything costs.

    Attributes
    ----------
    tokens_kept : int
        Of all kept blocks, context and pinned ones among them; of blocks in focus only their ranges.
    tokens_total : int
        Of all blocks.
    share_skipped : float
        In [0, 1]; 0 for a document without tokens.
    rendered_tokens : int
        Of ``Reading.kept_text`` as a whole, with its anchors and coverage line.
    budget_tokens : int or None
        The budget that was asked for.
    tokenizer : str
        What the counts were made with.
    """

    tokens_kept: int
    tokens_total: int
    share_skipped: float
    rendered_tokens: int
    budget_tokens: int | None
    tokenizer: str

    @property
    def tokens_skipped(self) -> int:
        """Tokens of the document that are not kept."""
        return self.tokens_total - self.tokens_kept

    def __str__(self) -> str:
        budget = f" of a budget of {self.budget_tokens:,}" if self.budget_tokens is not None else ""
        saved = f"{100 * self.share_skipped:.0f} % skipped" if self.tokens_skipped else "nothing skipped"
        return (
            f"{self.tokens_kept:,} of {self.tokens_total:,} tokens kept, {saved}; "
            f"{self.rendered_tokens:,} as rendered{budget} ({self.tokenizer})"
        )
