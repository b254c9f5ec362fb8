"""What can be said about a block by its kind, its place and its words; every feature has a name that rules use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..documents.blocks import FURNITURE, BlockKind
from ..errors import InvalidRules
from . import clauses, shapes, wording
from .facts import facts_of
from .keywords import Bools
from .markers import action, but
from .naming import nearest

if TYPE_CHECKING:
    from ..documents import Document

FEATURES_VERSION = 1
"""Raised whenever a feature finds other blocks; part of the hash of every rule table."""

ANY = ("en", "zh", "other")
BOTH = ("en", "zh")


@dataclass(frozen=True, slots=True)
class FeatureDefinition:
    """A feature that rules can name.

    Attributes
    ----------
    name : str
    doc : str
        What has it, in one line.
    languages : tuple of str
        The languages whose words it knows; ``ANY`` where it looks at no words.
    find : callable
        Finds the blocks that have it.
    needs_parse : bool
        Whether sentences are parsed to decide it, which takes seconds in a long document; ``find`` takes a third
        argument then, whether to show progress.
    """

    name: str
    doc: str
    languages: tuple[str, ...]
    find: Callable[..., Bools]
    needs_parse: bool = False


def _all() -> tuple[FeatureDefinition, ...]:
    kinds = {
        BlockKind.HEADING: "a heading of any level",
        BlockKind.PARAGRAPH: "a paragraph",
        BlockKind.LIST_ITEM: "a list item",
        BlockKind.TABLE: "a table as a whole (it has no text of its own; its rows do)",
        BlockKind.TABLE_ROW: "a row of a table, header rows included",
        BlockKind.CODE: "code",
        BlockKind.CAPTION: "the caption of a table or figure",
        BlockKind.FOOTNOTE: "a footnote",
        BlockKind.HEADER: "a running header of a page",
        BlockKind.FOOTER: "a running footer of a page",
        BlockKind.REFERENCE: "an entry of a list of references",
        BlockKind.TOC_ENTRY: "an entry of a table of contents",
        BlockKind.FORM_FIELD: "a field of a form",
    }
    return (
        *(FeatureDefinition(kind.value, doc, ANY, shapes.of_kind(kind)) for kind, doc in kinds.items()),
        *(FeatureDefinition(f"h{n}", f"a heading of level {n}", ANY, shapes.of_level(n)) for n in range(1, 7)),
        FeatureDefinition("furniture", "a running header or footer", ANY, shapes.of_kind(*FURNITURE)),
        FeatureDefinition("table_header", "a row that names the columns of its table", ANY, shapes.table_header),
        FeatureDefinition(
            "numeric_row", "a table row of whose filled cells at least half are numbers", BOTH, shapes.numeric_row
        ),
        FeatureDefinition(
            "total_row",
            "a table row whose label says that it adds up others (total, net income, 合计)",
            BOTH,
            wording.total_row,
        ),
        FeatureDefinition(
            "list_marker", "a list item, or text that begins like one: •, (a), 1., 一、, ③", BOTH, shapes.list_marker
        ),
        FeatureDefinition(
            "clause_number", "text that begins with a clause number: 4.2, Section 7, 第三条", BOTH, shapes.clause_number
        ),
        FeatureDefinition(
            "first_page", "on the first page with text, in documents of several pages", ANY, shapes.first_page
        ),
        FeatureDefinition(
            "last_page", "on the last page with text, in documents of several pages", ANY, shapes.last_page
        ),
        FeatureDefinition("page_top", "in the upper tenth of its page, where pages have a size", ANY, shapes.page_top),
        FeatureDefinition(
            "page_bottom", "in the lower tenth of its page, where pages have a size", ANY, shapes.page_bottom
        ),
        FeatureDefinition(
            "appendix",
            "in a section titled appendix, annex, exhibit, attachment, schedule A, 附录, 附件",
            BOTH,
            wording.appendix,
        ),
        FeatureDefinition(
            "references_section",
            "a reference, or in a section titled references, bibliography, 参考文献",
            BOTH,
            wording.references_section,
        ),
        FeatureDefinition("number", "holds a digit", ANY, wording.number),
        FeatureDefinition("date", "holds a date: May 3, 2018; 2018-05-03; FY2018; 2018年5月3日", BOTH, wording.DATE),
        FeatureDefinition("duration", "holds a length of time: 30 days, 24-month, 三个工作日", BOTH, wording.DURATION),
        FeatureDefinition(
            "amount", "holds an amount of money: $ 1,200; 3 million; 人民币1,200万元", BOTH, wording.AMOUNT
        ),
        FeatureDefinition(
            "percentage", "holds a percentage: 3.5 %, 20 basis points, 百分之三", BOTH, wording.PERCENTAGE
        ),
        FeatureDefinition(
            "measurement", "holds a number with a physical unit: 24 V, 5 mg/kg, 3 毫米", BOTH, wording.MEASUREMENT
        ),
        FeatureDefinition("link", "holds a web or mail address", ANY, wording.LINK),
        FeatureDefinition("question", "asks a question", BOTH, wording.QUESTION),
        FeatureDefinition(
            "modal_verb", "holds a modal verb: shall, must, may, should; 应, 必须, 可以", BOTH, wording.MODAL_VERB
        ),
        FeatureDefinition(
            "obligation", "says that somebody must: shall, must, agrees to; 应当, 必须", BOTH, wording.OBLIGATION
        ),
        FeatureDefinition(
            "prohibition", "says that somebody must not: shall not, prohibited; 不得, 禁止", BOTH, wording.PROHIBITION
        ),
        FeatureDefinition(
            "permission", "says that somebody may: may, is entitled to; 可以, 有权", BOTH, wording.PERMISSION
        ),
        FeatureDefinition("negation", "holds a negation: not, no, without; 不, 未, 无", BOTH, wording.NEGATION),
        FeatureDefinition(
            "condition", "states a condition: if, unless, in the event; 如果, 除非", BOTH, wording.CONDITION
        ),
        FeatureDefinition(
            "exception", "states an exception: except, other than, excluding; 除…外, 除外", BOTH, wording.EXCEPTION
        ),
        FeatureDefinition(
            "defect_word",
            "names a defect: fault, error, exception, failure; 缺陷, 错误, 异常",
            BOTH,
            wording.DEFECT_WORD,
        ),
        FeatureDefinition(
            "defined_term", 'defines a term: "X" means, (the "X"), 以下简称, 是指', BOTH, wording.DEFINED_TERM
        ),
        FeatureDefinition(
            "cross_reference",
            "points elsewhere: under Section 4.2, see Note 7, 按照第五条",
            BOTH,
            wording.CROSS_REFERENCE,
        ),
        FeatureDefinition(
            "signature", "a place to sign: By: ____, IN WITNESS WHEREOF, 签字：", BOTH, wording.SIGNATURE
        ),
        FeatureDefinition(
            "but_marker",
            "holds a word that turns against what was said: but, however, except, provided that; 但, 然而",
            BOTH,
            but,
        ),
        FeatureDefinition(
            "action_marker", "holds an action verb by the words around it: will restart, 将自动触发", BOTH, action
        ),
        FeatureDefinition(
            "but_clause",
            "like but_marker, decided by the parse of the sentence",
            BOTH,
            clauses.but_clause,
            needs_parse=True,
        ),
        FeatureDefinition(
            "action_verb",
            "has an action verb that carries a clause, decided by the parse of the sentence",
            BOTH,
            clauses.action_verb,
            needs_parse=True,
        ),
    )


FEATURES: Mapping[str, FeatureDefinition] = MappingProxyType({entry.name: entry for entry in _all()})


class Features:
    """The features of one document's blocks, each found when it is first asked for and then kept."""

    def __init__(self, document: Document, *, progress: bool | None = None) -> None:
        self._document = document
        self._facts = facts_of(document)
        self._progress = progress

    def __getitem__(self, name: str) -> Bools:
        """Return which blocks have a feature.

        Returns
        -------
        ndarray of bool, shape (n,)
            In the order of the blocks; not to be changed.

        Raises
        ------
        InvalidRules
            If no feature has this name; the message gives the nearest.
        """
        definition = FEATURES.get(name)
        if definition is None:
            raise InvalidRules(f"There is no feature {name!r}{nearest(name, FEATURES)}.")
        asked = (self._document, self._facts, *((self._progress,) if definition.needs_parse else ()))
        return self._facts.feature(name, lambda: definition.find(*asked))

    def of_block(self, block_id: int) -> tuple[str, ...]:
        """Return the names of the features found so far that a block has.

        Raises
        ------
        AnchorMismatch
            If the document has no such block.
        """
        self._document.block(block_id)
        known = self._facts.features
        return tuple(name for name in FEATURES if name in known and known[name][block_id])

    @property
    def parsers(self) -> Mapping[str, str]:
        """For each feature that needs a parse and was found, what decided it, in words."""
        return MappingProxyType(dict(self._facts.parsers))


def features_of(document: Document, names: Iterable[str] = (), *, progress: bool | None = None) -> Features:
    """Return the features of a document's blocks.

    Parameters
    ----------
    document : Document
    names : iterable of str
        Those to find at once; the others are found when they are asked for.
    progress : bool, optional
        Show the parsing of sentences; None where somebody looks.

    Examples
    --------
    >>> from workbench import open_document
    >>> from workbench.resources import datasets_dir
    >>> document = open_document(datasets_dir() / "dev" / "documents" / "harbor-manual.md")
    >>> int(features_of(document)["h1"].sum())
    1
    """
    features = Features(document, progress=progress)
    for name in names:
        features[name]
    return features
