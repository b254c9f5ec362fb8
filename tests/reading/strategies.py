"""Documents, scores and cuts for property tests, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from tests.reading.made import FOOTER, HEADER, ByHand, Made, scores_of, weights_of
from workbench.documents import Document, PageStatus
from workbench.reading.basis import Basis
from workbench.reading.tokenizers import DefaultTokenizer, Tokenizer, block_tokens
from workbench.relevance.scores import Scale

WORDS = {
    "en": (
        "backup",
        "the",
        "of 3.5 %",
        "$1,234",
        "ABC-123",
        "doesn't",
        "=SUM(A1)",
        "Ünïcödé",
        "</td>",
        "naïve 🙂",
        "\udce9",
    ),
    "zh": ("备份", "系统", "三千万元", "2018年5月3日", "不可抗力", "，但是", "。", "A4纸", "（一）", "净利润"),
}


@st.composite
def texts(draw: st.DrawFn, language: str) -> str:
    """A few words, sometimes many."""
    words = draw(st.lists(st.sampled_from(WORDS[language]), min_size=1, max_size=12))
    return (" " if language == "en" else "").join(words) * draw(st.sampled_from([1, 1, 1, 8]))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Headings, paragraphs, running lines and tables on some pages."""
    language = draw(st.sampled_from(["en", "zh"]))
    made = Made(language=language).page()
    count = draw(st.integers(0, 14))
    for kind in draw(st.lists(st.sampled_from("hhpppptfxbn"), min_size=count, max_size=count)):
        if kind == "h":
            made.heading(draw(texts(language)), draw(st.integers(1, 4)))
        elif kind == "p":
            made.text(draw(texts(language)))
        elif kind in "fx":
            made.text(draw(texts(language)), kind=FOOTER if kind == "f" else HEADER)
        elif kind == "t":
            rows = draw(st.integers(1, 4))
            made.table(*[[draw(texts(language)), "12"] for _ in range(rows)], headers=draw(st.integers(0, 1)))
        elif kind == "b":
            made.page()
        else:
            made.page(PageStatus.NO_TEXT).page()
    return made.document()


def basis_of(
    document: Document,
    relevance: Sequence[float],
    *,
    weights: Sequence[float] | None = None,
    pinned: Collection[int] = (),
    scale: Scale = Scale.CALIBRATED,
    offset: float = 0.0,
    tokenizer: Tokenizer | None = None,
) -> Basis:
    """What a reading is decided from, with numbers given by hand."""
    counter = tokenizer or DefaultTokenizer()
    count = len(document)
    return Basis(
        document=document,
        question="What?",
        scope=None,
        scored=scores_of(relevance, scale),
        structure=weights_of(document, weights or [1.0] * count, [block in pinned for block in range(count)]),
        scorer=ByHand(relevance, scale),
        tokenizer=counter,
        tokens=block_tokens(document, counter),
        offset=offset,
    )


@dataclass(frozen=True)
class Case:
    """A document and its numbers."""

    document: Document
    relevance: list[float]
    weights: list[float]
    pinned: list[bool]
    scale: Scale

    def basis(self, *, offset: float = 0.0, tokenizer: Tokenizer | None = None) -> Basis:
        """What a reading of it is decided from."""
        pinned = [block for block, pin in enumerate(self.pinned) if pin]
        return basis_of(
            self.document,
            self.relevance,
            weights=self.weights,
            pinned=pinned,
            scale=self.scale,
            offset=offset,
            tokenizer=tokenizer,
        )


@st.composite
def cases(draw: st.DrawFn, scale: Scale | None = None, *, pins: bool = True) -> Case:
    """Relevances with many ties, weights of a rule table, a few pins."""
    document = draw(documents())
    count = len(document)
    relevance = draw(
        st.lists(st.sampled_from(np.linspace(0, 1, 11).tolist()) | st.floats(0, 1), min_size=count, max_size=count)
    )
    weights = draw(
        st.lists(st.sampled_from([0.05, 0.1, 0.5, 1.0, 1.0, 1.0, 1.5, 3.0, 5.0]), min_size=count, max_size=count)
    )
    pinned = [draw(st.integers(0, 9)) == 0 and pins for _ in range(count)]
    return Case(document, relevance, weights, pinned, scale or draw(st.sampled_from(Scale)))
