"""How much of a page comes out right: words, evidence, table rows, headings, running lines.

Pure functions of a ``Document`` and of what a person or another parser says about it; the tests assert floors on them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from workbench.documents import BlockKind, Document
from workbench.documents.blocks import FURNITURE, KIND_CODE
from workbench.documents.quotes import fold, quote_index

_NUMBER = re.compile(r"\(?[-+]?\d+(?:,\d{3})*(?:\.\d+)?\)?%?")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_TRAILING_NUMBERS = re.compile(r"((?:\s*\$?\s*(?<!\w)\(?[-+]?\d+(?:,\d{3})*(?:\.\d+)?\)?\s*%?)+)$")
_FILLER = re.compile(r"[\s$%()—–-]*")
_FOOTNOTE_MARK = re.compile(r"(?<=\w)\s?\((?:\d|[a-z])\)$")
_DATE = re.compile(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d+,?)?$",
    re.IGNORECASE,
)
_LONGEST_LABEL = 100


@dataclass(frozen=True, slots=True)
class Counts:
    """What was found, what was said, and what should have been said."""

    hits: int = 0
    said: int = 0
    gold: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.hits + other.hits, self.said + other.said, self.gold + other.gold)

    @property
    def precision(self) -> float:
        """Share of what was said that is right; 1 when nothing was said."""
        return self.hits / self.said if self.said else 1.0

    @property
    def recall(self) -> float:
        """Share of the gold that was said; 1 when there is none."""
        return self.hits / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 1 when there was nothing to find and nothing was said."""
        total = self.said + self.gold
        return 2 * self.hits / total if total else 1.0


@dataclass(frozen=True, slots=True)
class HeadingScores:
    """How headings compare with labels; what was said and is labelled as doubtful is in no count.

    Attributes
    ----------
    detected : Counts
        By their text alone.
    level : Counts
        By text and exact level.
    nested : Counts
        By text and parent, the nearest heading above of a smaller level; only headings that were found, and are
        labelled, are parents, so that a heading which is missing or too much counts once.
    """

    detected: Counts = Counts()
    level: Counts = Counts()
    nested: Counts = Counts()

    def __add__(self, other: HeadingScores) -> HeadingScores:
        return HeadingScores(self.detected + other.detected, self.level + other.level, self.nested + other.nested)


@dataclass(frozen=True, slots=True)
class FurnitureScores:
    """How the running lines of labelled pages compare with the labels.

    Attributes
    ----------
    found : Counts
        Running lines that are in a header or footer, whichever: heads in the margin and numbers amid a page have
        no side.
    on_side : Counts
        Running lines that are in the one that the label names.
    body : Counts
        First and last lines of the body that are in it.
    hidden : Counts
        Lines that nobody sees and that are not in the body.
    pages : Counts
        Pages with a running line on which every line is where it belongs.
    """

    found: Counts = Counts()
    on_side: Counts = Counts()
    body: Counts = Counts()
    hidden: Counts = Counts()
    pages: Counts = Counts()

    def __add__(self, other: FurnitureScores) -> FurnitureScores:
        return FurnitureScores(
            self.found + other.found,
            self.on_side + other.on_side,
            self.body + other.body,
            self.hidden + other.hidden,
            self.pages + other.pages,
        )


@dataclass(frozen=True, slots=True)
class EvidenceScore:
    """How one evidence text stands on its page.

    Attributes
    ----------
    in_layer : bool
        In one run, in the order of the text layer.
    in_blocks : bool
        In one run, in the reading order of the blocks.
    coverage : float
        Share of its letters and digits that stand in runs of at least 20.
    """

    in_layer: bool
    in_blocks: bool
    coverage: float


def page_words(document: Document, page: int) -> list[str]:
    """Return the words that a page's text layer holds, as white space divides them; ``page`` is 1-based."""
    found = document.pages[page - 1]
    return document.text_layer[found.start_char : found.end_char].split()


def placed_words(document: Document, page: int) -> list[str]:
    """Return the words of a page that stand in blocks: its text layer without what is in none."""
    found = document.pages[page - 1]
    kept = np.zeros(found.end_char - found.start_char, np.bool_)
    for low, high in zip(document.columns.start.tolist(), document.columns.end.tolist(), strict=True):
        if low < found.end_char and high > found.start_char:
            kept[max(0, low - found.start_char) : high - found.start_char] = True
    layer = document.text_layer[found.start_char : found.end_char]
    return "".join(letter if keep else " " for letter, keep in zip(layer, kept.tolist(), strict=True)).split()


def word_overlap(ours: Iterable[str], oracle: Iterable[str]) -> float:
    """Return the share of equal words, counted with their multiplicity: twice the common ones over all; 1 for none.

    Examples
    --------
    >>> word_overlap(["net", "sales", "sales"], ["net", "sales", "rose"])
    0.6666666666666666
    """
    one, other = Counter(ours), Counter(oracle)
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def evidence_score(document: Document, text: str, page: int) -> EvidenceScore:
    """Look for an evidence text, which has lost its characters outside ASCII, on a 1-based page."""
    index = quote_index(document)
    in_layer = fold(text, ascii_only=True) in fold(" ".join(placed_words(document, page)), ascii_only=True)
    in_blocks = bool(index.find(text, pages=[page], ascii_only=True, whole_words=False))
    return EvidenceScore(in_layer, in_blocks, index.coverage(text, [page], ascii_only=True))


def evidence_rows(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the table rows that an evidence text spells: a label and at least two numbers that are not all years.

    A label is a line with words; the numbers follow in its own line, or alone in the lines after it.

    Examples
    --------
    >>> evidence_rows("2022\\n2021\\nNet sales\\n$\\n1,200 \\n(35)\\nProfit 7.5 % 8\\nIn 2020 we sold it.")
    [('Net sales', ('1,200', '(35)')), ('Profit', ('7.5', '8'))]
    """
    rows: list[tuple[str, tuple[str, ...]]] = []
    label: str | None = None
    numbers: list[str] = []

    def close() -> None:
        if label and len(numbers) >= 2 and not all(_is_year(number) for number in numbers):
            rows.append((label, tuple(numbers)))

    for line in (raw.strip() for raw in text.split("\n")):
        if not line:
            continue
        if _LETTERS.search(line):
            close()
            label, numbers = _split_label(line)
        elif not _FILLER.fullmatch(_NUMBER.sub("", line)):
            close()
            label, numbers = None, []
        else:
            numbers.extend(_numbers(line))
    close()
    return rows


def row_is_kept(document: Document, page: int, label: str, numbers: Sequence[str]) -> bool:
    """Whether one table row of a page holds the label and all the numbers."""
    wanted, name = Counter(_bare(number) for number in numbers), fold(label, ascii_only=True)
    for text in _texts_on(document, page, (BlockKind.TABLE_ROW,)):
        if name in fold(text, ascii_only=True) and wanted <= Counter(_bare(number) for number in _numbers(text)):
            return True
    return False


def heading_scores(document: Document, label: Mapping[str, Any]) -> HeadingScores:
    """Compare a document's headings with a label.

    The label is ``{"pages": […], "headings": [{"page", "text", "level"}], "doubtful": [{"page", "text"}]}``; pages
    are 1-based. Headings are the same when their letters and digits are, on the same page.
    """
    pages = set(label["pages"])
    gold = [
        _Heading(row["page"], fold(row["text"]), int(row["level"])) for row in label["headings"] if row["page"] in pages
    ]
    doubtful = [(row["page"], fold(row["text"])) for row in label.get("doubtful") or []]
    columns = document.columns
    found = [
        _Heading(int(columns.home_page[index]) + 1, fold(document.texts[index]), int(columns.level[index]))
        for index in np.flatnonzero(columns.kind == KIND_CODE[BlockKind.HEADING]).tolist()
    ]
    said = _without_doubtful([row for row in found if row.page in pages], gold, doubtful)
    return HeadingScores(
        detected=_counts([row[:2] for row in said], [row[:2] for row in gold]),
        level=_counts(said, gold),
        nested=Counts(_well_nested(said, gold), len(said), len(gold)),
    )


def furniture_scores(document: Document, label: Mapping[str, Any]) -> FurnitureScores:
    """Compare a page's running lines with a label.

    The label is ``{"page", "header": […], "footer": […], "first_body_line", "last_body_line", "hidden": […]}``; the
    page is 1-based.
    """
    page = int(label["page"])
    sides = {kind: _Words.of(_texts_on(document, page, (kind,))) for kind in FURNITURE}
    either = _Words.of(_texts_on(document, page, FURNITURE))
    body = _Words.of(_texts_on(document, page, [kind for kind in BlockKind if kind not in FURNITURE]))
    lines = [(kind, line) for kind in FURNITURE for line in label.get(kind.value) or [] if fold(line)]
    edges = [fold(label[key]) for key in ("first_body_line", "last_body_line") if fold(label.get(key) or "")]
    hidden = [line for line in label.get("hidden") or [] if fold(line)]
    scores = FurnitureScores(
        found=_counted([line in either for _, line in lines]),
        on_side=_counted([line in sides[kind] for kind, line in lines]),
        body=_counted([edge in body.text for edge in edges]),
        hidden=_counted([line not in body for line in hidden]),
    )
    right = all(counts.hits == counts.gold for counts in (scores.found, scores.body, scores.hidden))
    return replace(scores, pages=Counts(int(right), 1, 1)) if lines else scores


class _Heading(NamedTuple):
    page: int
    text: str
    level: int


def _without_doubtful(
    said: Sequence[_Heading], gold: Sequence[_Heading], doubtful: Sequence[tuple[int, str]]
) -> list[_Heading]:
    """Leave out what is no labelled heading and says nothing but doubtful lines, or a part of one."""
    waiting = Counter(row[:2] for row in gold)
    kept = []
    for row in said:
        if waiting[row[:2]] > 0:
            waiting[row[:2]] -= 1
        else:
            lines = [text for page, text in doubtful if page == row.page]
            rest = row.text
            for line in sorted(lines, key=len, reverse=True):
                rest = rest.replace(line, "")
            if not rest or any(row.text in line for line in lines):
                continue
        kept.append(row)
    return kept


def _well_nested(said: Sequence[_Heading], gold: Sequence[_Heading]) -> int:
    """Count the labelled headings that were found and have the same parent among those that were found."""
    ranks: dict[tuple[int, str], list[int]] = {}
    for rank, row in enumerate(gold):
        ranks.setdefault(row[:2], []).append(rank)
    levels = {}
    for row in said:
        if waiting := ranks.get(row[:2]):
            levels[waiting.pop(0)] = row.level
    found = sorted(levels)
    ours = _parents([levels[rank] for rank in found])
    labelled = _parents([gold[rank].level for rank in found])
    return sum(one == other for one, other in zip(ours, labelled, strict=True))


def _parents(levels: Sequence[int]) -> list[int]:
    """Return for each heading the rank of the nearest one above of a smaller level, or -1."""
    parents: list[int] = []
    above: list[tuple[int, int]] = []
    for rank, level in enumerate(levels):
        while above and above[-1][0] >= level:
            above.pop()
        parents.append(above[-1][1] if above else -1)
        above.append((level, rank))
    return parents


@dataclass(frozen=True, slots=True)
class _Words:
    """The folded words of some blocks, in which a line is looked for: the number "3" is not in "2023".

    Attributes
    ----------
    text : str
        All words together.
    edges : set of int
        Offsets at which a word begins or ends.
    counts : Counter of str
        How often each word occurs.
    """

    text: str
    edges: frozenset[int]
    counts: Counter[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> _Words:
        words = [word for text in texts for raw in text.split() if (word := fold(raw))]
        edges = [0, *np.cumsum([len(word) for word in words]).tolist()]
        return cls("".join(words), frozenset(edges), Counter(words))

    def __contains__(self, line: object) -> bool:
        """Whether a line stands there in one run of whole words, or in words apart from each other."""
        wanted = fold(str(line))
        at = self.text.find(wanted)
        while at >= 0:
            if at in self.edges and at + len(wanted) in self.edges:
                return True
            at = self.text.find(wanted, at + 1)
        return Counter(word for raw in str(line).split() if (word := fold(raw))) <= self.counts


def _counted(right: Sequence[bool]) -> Counts:
    return Counts(sum(right), len(right), len(right))


def _texts_on(document: Document, page: int, kinds: Iterable[BlockKind]) -> list[str]:
    """Texts of the blocks of some kinds that have a piece on a 1-based page."""
    columns, found = document.columns, document.pages[page - 1]
    wanted = np.isin(columns.kind, [KIND_CODE[kind] for kind in kinds])
    touching = np.flatnonzero((columns.start < found.end_char) & (columns.end > found.start_char))
    blocks = np.unique(np.searchsorted(columns.first_piece, touching, side="right") - 1)
    return [document.texts[index] for index in blocks.tolist() if wanted[index]]


def _counts(said: Sequence[Any], gold: Sequence[Any]) -> Counts:
    return Counts((Counter(said) & Counter(gold)).total(), len(said), len(gold))


def _split_label(line: str) -> tuple[str | None, list[str]]:
    line = _FOOTNOTE_MARK.sub("", line)
    inline = _TRAILING_NUMBERS.search(line)
    label = line[: inline.start()].strip(" $.:") if inline else line.strip(" $.:")
    if not _LETTERS.search(label) or len(label) > _LONGEST_LABEL or _DATE.search(label):
        return None, []
    return label, _numbers(inline.group()) if inline else []


def _numbers(text: str) -> list[str]:
    return [number.rstrip("%") for number in _NUMBER.findall(text)]


def _bare(number: str) -> str:
    """A number's digits and decimal point: parentheses stand in cells of their own in some filings."""
    return number.strip("()+-%").replace(",", "")


def _is_year(number: str) -> bool:
    return re.fullmatch(r"(?:19|20)\d\d", number) is not None
