"""A table of scores from any retriever or reranker, checked row by row."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import FileMissing, InvalidOutcomes
from ..printing import shortened

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

REQUIRED = ("question", "document", "block", "score", "label")
OPTIONAL = ("document_type", "tokens", "pinned")
EVIDENCE = ("question", "document", "piece", "score")
ANY_TYPE = "general"
"""Document type where the table has none."""
_YES, _NO = {"1", "true", "yes", "relevant"}, {"0", "false", "no", "irrelevant", "not relevant"}
_TEXTS = ("question", "document", "block", "document_type", "label", "piece")
_KEYS = ("question", "document", "block")
_MOST_TOKENS = 1e12
"""Of one block: sums of more would not be exact."""
_SHOWN_ROWS = 5


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores of blocks for questions, and at which score each piece of evidence is still recalled.

    Attributes
    ----------
    score : ndarray of float64, shape (n,)
        Of each block for its question, higher is better; finite.
    label, pinned : ndarray of bool, shape (n,)
        Whether the block holds evidence, and whether it is kept whatever its score.
    tokens : ndarray of int64, shape (n,)
    row_question : ndarray of int64, shape (n,)
        Rank of the block's question.
    needed : ndarray of float64, shape (p,)
        For each piece of evidence the highest threshold that recalls it: -inf never, +inf always.
    piece_question : ndarray of int64, shape (p,)
    document, document_type : ndarray of int64, shape (q,)
        Of each question: rank among ``documents`` and ``types``.
    questions, documents, types : tuple of str
    """

    score: Floats
    label: Mask
    pinned: Mask
    tokens: Ints
    row_question: Ints
    needed: Floats
    piece_question: Ints
    document: Ints
    document_type: Ints
    questions: tuple[str, ...]
    documents: tuple[str, ...]
    types: tuple[str, ...]

    @property
    def are_probabilities(self) -> bool:
        """Whether all scores lie in [0, 1]."""
        return bool((self.score >= 0).all() and (self.score <= 1).all())

    @property
    def without_evidence(self) -> int:
        """How many questions have no piece of evidence: they count in what is kept, not in recall."""
        return len(self.questions) - len(np.unique(self.piece_question))


def load_scores(path: str | Path) -> pd.DataFrame:
    """Read a table of scores from CSV, Parquet or JSON lines, by the suffix of the file.

    Raises
    ------
    FileMissing
        If there is no file.
    InvalidOutcomes
        If it is no table.
    """
    import pandas as pd

    source = Path(path)
    if not source.is_file():
        raise FileMissing(f"There is no table of scores at {source}; check the path.")
    try:
        if source.suffix == ".parquet":
            return pd.read_parquet(source)
        if source.suffix == ".jsonl":
            return pd.read_json(source, lines=True, dtype=False)
        # "NA" may be somebody's question; where a number belongs it is none, and refused by its row.
        return pd.read_csv(source, dtype=dict.fromkeys(_TEXTS, str), keep_default_na=False)
    # Lines of JSON that are no objects are a TypeError or AttributeError of pandas.
    except (ValueError, OSError, ImportError, TypeError, AttributeError) as error:
        raise InvalidOutcomes(f"{source.name} is no table of scores ({shortened(str(error), 100)}).") from None


def checked_scores(scores: pd.DataFrame, evidence: pd.DataFrame | None = None) -> ScoreTable:
    """Return the arrays of a table of scores, or name the rows that nothing can be fitted on.

    Parameters
    ----------
    scores : DataFrame
        One row a block and question. Columns question, document, block, score (higher is better; any scale) and
        label (true, 1, yes; false, 0, no); optional document_type, tokens, pinned.
    evidence : DataFrame, optional
        One row a piece of evidence: question, document, piece, score (the highest threshold that recalls it). By
        default each labelled block is a piece of its own.

    Raises
    ------
    InvalidOutcomes
        If a column is missing, or a row holds no finite score, no label, or a block twice.
    """
    _check_columns(scores, REQUIRED, "The table of scores")
    if not len(scores):
        raise InvalidOutcomes("The table of scores has no rows; score the blocks of some questions first.")
    for name in _KEYS:
        _refuse_empty(scores[name], name)
    value = _numbers(scores["score"], "score", finite=True)
    label = _labels(scores["label"], "label")
    keys = _keys(scores)
    codes, questions = _codes(keys)
    _refuse_repeats(scores, codes)
    first = np.unique(codes, return_index=True)[1]
    documents = scores["document"].astype(str).to_numpy()
    document, names = _codes(documents[first])
    kinds = (
        scores["document_type"].astype(str).to_numpy() if "document_type" in scores else np.full(len(scores), ANY_TYPE)
    )
    kind, types = _codes(kinds[first])
    _refuse_two_types(documents, kinds)
    pinned = _labels(scores["pinned"], "pinned") if "pinned" in scores else np.zeros(len(scores), bool)
    tokens = _numbers(scores["tokens"], "tokens", finite=True) if "tokens" in scores else np.ones(len(scores))
    if (tokens < 0).any():
        raise _refused(tokens < 0, "tokens", "is negative")
    odd = (tokens != np.floor(tokens)) | (tokens > _MOST_TOKENS)
    if odd.any():
        raise _refused(odd, "tokens", f"is no whole number up to {_MOST_TOKENS:,.0f}")
    if evidence is None:
        rows = np.flatnonzero(label)
        needed, piece_question = np.where(pinned[rows], np.inf, value[rows]), codes[rows]
    else:
        needed, piece_question = _pieces(evidence, questions)
    return ScoreTable(
        score=value,
        label=label,
        pinned=pinned,
        tokens=tokens.astype(np.int64),
        row_question=codes,
        needed=needed,
        piece_question=piece_question,
        document=document,
        document_type=kind,
        questions=questions,
        documents=names,
        types=types,
    )


def _keys(frame: pd.DataFrame) -> npt.NDArray[Any]:
    """The same words asked of two documents are two questions."""
    return (frame["document"].astype(str) + "\x1f" + frame["question"].astype(str)).to_numpy()


def _pieces(evidence: pd.DataFrame, questions: tuple[str, ...]) -> tuple[Floats, Ints]:
    _check_columns(evidence, EVIDENCE, "The table of evidence")
    ranks = {key: rank for rank, key in enumerate(questions)}
    keys = _keys(evidence)
    unknown = np.array([key not in ranks for key in keys], bool)
    if unknown.any():
        raise _refused(unknown, "question", "has no scores", table="The table of evidence")
    return _numbers(evidence["score"], "score", finite=False), np.array([ranks[key] for key in keys], np.int64)


def _check_columns(frame: pd.DataFrame, needed: tuple[str, ...], what: str) -> None:
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise InvalidOutcomes(f"{what} is of type {type(frame).__name__}; give a DataFrame.")
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InvalidOutcomes(f"{what} has two columns {shortened(str(twice[0]), 40)}; take one of them out.")
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        hint = "; save it with commas, as UTF-8" if len(frame.columns) == 1 and len(needed) > 1 else ""
        raise InvalidOutcomes(
            f"{what} has no column {', '.join(missing)}; it needs {', '.join(needed)}, and has "
            f"{shortened(', '.join(map(str, frame.columns)), 120)}{hint}."
        )


def _numbers(column: pd.Series[Any], name: str, *, finite: bool) -> Floats:
    import pandas as pd

    values = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    wrong = ~np.isfinite(values) if finite else np.isnan(values)
    if wrong.any():
        raise _refused(wrong, name, "is no finite number" if finite else "is no number")
    return values


def _labels(column: pd.Series[Any], name: str) -> Mask:
    said = column.astype(str).str.strip().str.lower().str.removesuffix(".0")
    yes = said.isin(_YES).to_numpy(bool)
    wrong = ~yes & ~said.isin(_NO).to_numpy(bool)
    if wrong.any():
        raise _refused(wrong, name, "is neither true nor false")
    return yes


def _refuse_empty(column: pd.Series[Any], name: str) -> None:
    empty = column.isna().to_numpy(bool) | (column.astype(str) == "").to_numpy(bool)
    if empty.any():
        raise _refused(empty, name, "is empty")


def _refuse_two_types(documents: npt.NDArray[Any], kinds: npt.NDArray[Any]) -> None:
    """Which type such a document has would hang on the order of the rows."""
    document, names = _codes(documents)
    kind, _ = _codes(kinds)
    first = np.zeros(len(names), np.int64)
    first[document[::-1]] = kind[::-1]
    other = kind != first[document]
    if other.any():
        raise _refused(other, "document_type", "is another than before for the same document")


def _refuse_repeats(scores: pd.DataFrame, codes: Ints) -> None:
    import pandas as pd

    repeated = pd.DataFrame({"question": codes, "block": scores["block"].astype(str).to_numpy()}).duplicated()
    if repeated.any():
        raise _refused(repeated.to_numpy(), "block", "stands there twice for one question and document")


def _refused(rows: Mask, column: str, problem: str, *, table: str = "The table of scores") -> InvalidOutcomes:
    found = np.flatnonzero(rows)
    shown = ", ".join(f"{row + 1:,}" for row in found[:_SHOWN_ROWS])
    more = f" and {len(found) - _SHOWN_ROWS:,} more" if len(found) > _SHOWN_ROWS else ""
    return InvalidOutcomes(f"{table}, row {shown}{more}: {column} {problem}; mend or remove them.")


def _codes(values: npt.NDArray[Any]) -> tuple[Ints, tuple[str, ...]]:
    names, codes = np.unique(values.astype(str), return_inverse=True)
    return codes.astype(np.int64), tuple(names.tolist())
