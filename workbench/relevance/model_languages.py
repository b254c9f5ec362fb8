"""Which languages a model reads, as far as it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .terms import UNSPACED_RUN
from .units import word_count

if TYPE_CHECKING:
    from ..documents import Document
    from .encoders import Encoder
    from .second_stage import SecondStage


def languages_of(model: Encoder | SecondStage) -> frozenset[str] | None:
    """Return the codes of the languages that a model says it reads; None where it does not say."""
    languages: frozenset[str] | None = getattr(model, "languages", None)
    return languages


def reads(model: Encoder | SecondStage, document: Document) -> bool:
    """Return whether a model reads the language of a document; one that names no languages reads any."""
    languages = languages_of(model)
    return languages is None or document.language.value != "zh" or "zh" in languages


def reads_question(model: Encoder | SecondStage, question: str) -> bool:
    """Return whether a model reads a question, as far as its letters tell: Chinese is seen, French is not."""
    languages = languages_of(model)
    unspaced = sum(map(len, UNSPACED_RUN.findall(question)))
    return languages is None or "zh" in languages or 2 * unspaced <= word_count(question)
