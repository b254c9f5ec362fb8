"""BM25 over the blocks of a document, in two fields: what a block says, and what stands above it.

A score is the BM25 of the text plus a share of the BM25 of the context, so every score is a sum of contributions of
one term in one field each. Zero means that no term of the question stands there: no hit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption
from .terms import analyse, question_terms

if TYPE_CHECKING:
    from bm25s import BM25

Scores = npt.NDArray[np.float32]
Field = Literal["text", "context"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalOptions:
    """Constants of BM25 (Lucene's variant) and the weight of the context.

    Parameters
    ----------
    k1 : float
        From 0 on: how much a repeated term still adds.
    b : float
        0 to 1: how much a long text is held back.
    context_weight : float
        From 0 on: weight of the context, where the text has 1.

    Raises
    ------
    InvalidOption
        For a value outside its range.
    """

    k1: float = 1.2
    b: float = 0.75
    context_weight: float = 0.4

    def __post_init__(self) -> None:
        for name, most in (("k1", np.inf), ("b", 1.0), ("context_weight", np.inf)):
            value = getattr(self, name)
            if not 0.0 <= value <= most or value == np.inf:
                allowed = "from 0 on" if most == np.inf else "from 0 to 1"
                raise InvalidOption(f"{name} is {value!r}; give a number {allowed}.")

    def key(self) -> str:
        """Return what tells these options from others, for fingerprints."""
        return "lexical 1 " + " ".join(map(repr, astuple(self)))


@dataclass(frozen=True, slots=True)
class TermMatch:
    """What one term of a question adds to the score of a block.

    Attributes
    ----------
    term : str
        As it is searched: folded and stemmed.
    field : {"text", "context"}
        Whether the block itself has it, or its headings, caption or table header.
    contribution : float
        Above 0, in the unit of the scores; those of a block add up to its score.
    """

    term: str
    field: Field
    contribution: float


class LexicalIndex:
    """BM25 over texts that are made once and asked often; ``LexicalIndex.of`` makes it."""

    def __init__(self, count: int, language: str, fields: Sequence[_Field], options: LexicalOptions) -> None:
        self._count = count
        self._fields = tuple(fields)
        self.language = language
        self.options = options

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        language: str,
        *,
        context: Sequence[str] | None = None,
        options: LexicalOptions | None = None,
    ) -> LexicalIndex:
        """Return the index of texts.

        Parameters
        ----------
        texts : sequence of str
            Empty ones are allowed; they are never found.
        language : str
            Of the texts, as ``analyse`` takes it.
        context : sequence of str, optional
            What stands around each text, as long as ``texts``.
        options : LexicalOptions, optional

        Examples
        --------
        >>> index = LexicalIndex.of(["Net sales rose by 3 %.", "The board met in May.", ""], "en")
        >>> [round(score, 2) for score in index.scores("How much did net sales rise?").tolist()]
        [0.71, 0.0, 0.0]
        >>> index.unknown_terms("net sales of widgets")
        ('widget',)
        """
        chosen = options or LexicalOptions()
        fields = [_Field.of("text", 1.0, texts, language, chosen)]
        if context is not None and chosen.context_weight > 0:
            if len(context) != len(texts):
                raise ValueError(f"{len(texts)} texts have {len(context)} contexts")
            fields.append(_Field.of("context", chosen.context_weight, context, language, chosen))
        return cls(len(texts), language, fields, chosen)

    def __len__(self) -> int:
        return self._count

    def scores(self, question: str) -> Scores:
        """Return the score of each text, shape (n,); 0 where no term of the question stands."""
        asked = self.asked(question)
        total = np.zeros(self._count, np.float32)
        for field in self._fields:
            field.add_scores(asked, total)
        return total

    def matched(self, question: str, text_id: int) -> tuple[TermMatch, ...]:
        """Return what adds up to the score of one text, greatest first; empty for a score of 0."""
        asked = self.asked(question)
        found = [match for field in self._fields for match in field.matches(asked, text_id)]
        return tuple(sorted(found, key=lambda match: -match.contribution))

    def unknown_terms(self, question: str) -> tuple[str, ...]:
        """Return the terms of a question that no text has; all of them mean that every score is 0."""
        return tuple(term for term in self.asked(question) if not any(term in field for field in self._fields))

    def asked(self, question: str) -> list[str]:
        """Return the terms of a question that are searched for."""
        return question_terms(question, self.language)

    def __repr__(self) -> str:
        return f"LexicalIndex({self._count} texts, {self.language!r})"


class _Field:
    """BM25 over one text of each block, times the field's weight."""

    def __init__(self, name: Field, weight: float, index: BM25 | None) -> None:
        self._name = name
        self._weight = np.float32(weight)
        self._index = index

    @classmethod
    def of(cls, name: Field, weight: float, texts: Sequence[str], language: str, options: LexicalOptions) -> _Field:
        vocabulary: dict[str, int] = {}
        known: dict[str, list[int]] = {}
        rows = []
        for text in texts:
            row = known.get(text)
            if row is None:
                row = known[text] = [vocabulary.setdefault(term, len(vocabulary)) for term in analyse(text, language)]
            rows.append(row)
        if not vocabulary:
            # bm25s divides by the mean length.
            return cls(name, weight, None)
        from bm25s import BM25

        index = BM25(k1=options.k1, b=options.b, method="lucene", backend="numpy", csc_backend="numpy")
        # Numbers, not words: bm25s itself would number the words in the order of a set, which changes from run to run.
        index.index((rows, vocabulary), create_empty_token=False, show_progress=False)
        return cls(name, weight, index)

    def __contains__(self, term: str) -> bool:
        return self._index is not None and term in self._index.vocab_dict

    def add_scores(self, terms: Sequence[str], total: Scores) -> None:
        """Add what the terms contribute, times the weight, to ``total``."""
        if self._index is None:
            return
        ids = self._index.get_tokens_ids(list(terms))
        if ids:
            total += self._weight * self._index.get_scores_from_ids(ids)

    def matches(self, terms: Sequence[str], text_id: int) -> list[TermMatch]:
        """Return what each term contributes to one text, in the order of the terms."""
        if self._index is None:
            return []
        stored = self._index.scores
        found = []
        for term in terms:
            column = self._index.vocab_dict.get(term)
            if column is None:
                continue
            low, high = stored["indptr"][column : column + 2].tolist()
            at = low + int(np.searchsorted(stored["indices"][low:high], text_id))
            if at < high and stored["indices"][at] == text_id:
                found.append(TermMatch(term, self._name, float(self._weight * stored["data"][at])))
        return found
