"""What a classifier reads of a block: where it stands, on one line, and then the block itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ..documents.columns import NONE
from ..errors import InvalidOption
from .surroundings import Surroundings
from .terms import UNSPACED_RUN
from .units import word_count

if TYPE_CHECKING:
    from ..documents import Document

BETWEEN = " > "
CUT = "…"

_LEAST = {"headings": 0, "heading_words": 1, "header_words": 0, "context_words": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTextOptions:
    """How much of a block's surroundings stands before it.

    Parameters
    ----------
    headings : int
        Most headings above the block, the nearest ones.
    heading_words : int
        Most words of one heading. A Chinese character is a word.
    header_words : int
        Most words of a table's caption and header rows; 0 leaves them out.
    context_words : int
        Most words of all of it; 0 leaves the block alone. What stands farthest from the block is cut first.

    Raises
    ------
    InvalidOption
        For a value that is no whole number, or too small.
    """

    headings: int = 3
    heading_words: int = 16
    header_words: int = 32
    context_words: int = 48

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InvalidOption(f"{name} is {value!r}; give a whole number from {least} on.")

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> PairTextOptions:
        """Return the options that a manifest holds.

        Raises
        ------
        InvalidOption
            If it names an option that there is not.
        """
        known = [field.name for field in fields(cls)]
        if unknown := sorted(said.keys() - set(known)):
            raise InvalidOption(f"The pair text has no option {unknown[0]!r}; it has: {', '.join(known)}.")
        return cls(**said)

    def as_dict(self) -> dict[str, int]:
        """Return the options by name, as a manifest holds them."""
        return asdict(self)

    def key(self) -> str:
        """Return what tells these options from others, for fingerprints."""
        return "pair text 1 " + " ".join(map(str, astuple(self)))


def pair_texts(document: Document, blocks: Sequence[int], options: PairTextOptions | None = None) -> list[str]:
    """Return what is read of some blocks: the headings above and what names a row's columns, then the block.

    Parameters
    ----------
    document : Document
    blocks : sequence of int
        Ids.
    options : PairTextOptions, optional

    Returns
    -------
    list of str
        One a block, in the order given: ``"section > subsection > header\\nblock"``; the block alone where nothing
        stands above it.
    """
    contexts = pair_contexts(document, options)
    texts = document.texts
    return [f"{contexts[block]}\n{texts[block]}" if contexts[block] else texts[block] for block in blocks]


def pair_contexts(document: Document, options: PairTextOptions | None = None) -> tuple[str, ...]:
    """Return the line before each block of a document, "" for none; made once a document and options."""
    chosen = options or PairTextOptions()
    with _MAKING:
        known = _KNOWN.setdefault(document, {})
        if chosen not in known:
            known[chosen] = _contexts(document, chosen)
        return known[chosen]


# The contexts do not hold the document, so that they go when it goes.
_KNOWN: WeakKeyDictionary[Document, dict[PairTextOptions, tuple[str, ...]]] = WeakKeyDictionary()
_MAKING = Lock()


def _contexts(document: Document, options: PairTextOptions) -> tuple[str, ...]:
    around = Surroundings(document, options.headings)
    texts = document.texts
    made: dict[tuple[int, int], str] = {}
    found = []
    for block in range(len(texts)):
        table = NONE if around.is_header[block] else around.table[block]
        key = (around.parent[block], table)
        if key not in made:
            path = [_on_one_line(texts[heading]) for heading in around.path(block, options.headings)]
            parts = [shortened_words(heading, options.heading_words) for heading in path]
            if table != NONE:
                # The caption above; one below may be that of the next table.
                names = [texts[above] for above in (*around.caption(table)[:1], *around.header(table))]
                parts.append(shortened_words(" ".join(map(_on_one_line, names)), options.header_words))
            made[key] = _joined([part for part in dict.fromkeys(parts) if part], options.context_words)
        found.append(made[key])
    return tuple(found)


def _joined(parts: Sequence[str], limit: int) -> str:
    """Return the parts on one line; where they are too long, the nearest ones, which are last."""
    chosen: list[str] = []
    left = limit
    for part in reversed(parts):
        kept = shortened_words(part, left)
        if kept:
            chosen.append(kept)
        left -= word_count(part)
        if left <= 0:
            break
    return BETWEEN.join(reversed(chosen))


def shortened_words(text: str, limit: int) -> str:
    """Return the beginning of a text of at most ``limit`` words; a character of a script without spaces is one.

    Examples
    --------
    >>> shortened_words("Changes in equity of the group", 3), shortened_words("净利润的变化", 3)
    ('Changes in equity…', '净利润…')
    """
    if limit <= 0:
        return ""
    if word_count(text) <= limit:
        return text
    kept: list[str] = []
    left = limit
    for word in text.split():
        count = word_count(word)
        if count > left:
            kept.extend(_begun(word, left))
            break
        kept.append(word)
        left -= count
        if not left:
            break
    return " ".join(kept) + CUT


def _begun(word: str, left: int) -> list[str]:
    """Return the beginning of a run of unspaced script: its first characters, each of which is a word."""
    run = UNSPACED_RUN.match(word)
    return [run.group()[:left]] if run and left else []


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
