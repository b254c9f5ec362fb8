"""From what a file says of a label to a label on a block.

A file that the workbench wrote says which block it is. Another one has only a text: that is looked for in the documents
that were given, word by word, and what is not found is left out with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....documents.blocks import FURNITURE, KIND_CODE
from ....documents.quotes import fold, quote_index
from ....errors import WorkbenchError
from ..anchoring import MOST_GROWN
from ..label import Label
from ..positions import in_block, span_in
from ..values import LabelSource, LabelValue, Span, Spans, text_sha256
from .drafts import DETAILS, FACTS, LabelDraft, identity_of, said_by_draft
from .reports import Dropped

if TYPE_CHECKING:
    from ....documents import Document
    from ....documents.quotes import QuoteMatch

_FURNITURE = frozenset(KIND_CODE[kind] for kind in FURNITURE)
NO_DOCUMENT = "the file does not say which block it is of; give its document with documents="
CHANGED = "its text is not the block's any more, as another program leaves it; give the document with documents="
LOST = "its text stands in none of the documents that were given"
WHICH = "its text covers several blocks, and no span says which of them is the evidence"
PART = "its text is only a part of a block, and what is said of the part is not said of the block"
_NOTES = {
    "changed": (
        "{} label differs from what was written; it counts as a new one.",
        "{} labels differ from what was written; they count as new ones.",
    ),
    "timeless": ("{} label had no time; the file's was taken.", "{} labels had no time; the file's was taken."),
    "twice": (
        "{} text stands in several documents; the first of them was taken.",
        "{} texts stand in several documents; the first of them was taken.",
    ),
}
NOWHERE = "a span that does not stand in its block"


class Placing:
    """Puts drafts on blocks, and keeps count of what had to be decided on the way.

    Parameters
    ----------
    documents : sequence of Document
    at : str
        The time of a label whose file says none.
    """

    def __init__(self, documents: Sequence[Document], at: str) -> None:
        self._documents = documents
        self._at = at
        self._exact: dict[int, dict[str, list[int]]] = {}
        self._known_homes: dict[str, list[Document]] = {}
        self._counts: Counter[str] = Counter()

    def labels(self, drafts: Iterable[LabelDraft | Dropped]) -> tuple[list[Label], list[Dropped]]:
        """Return a label for each draft, several where it covers several blocks, and what was left out."""
        labels: list[Label] = []
        dropped: list[Dropped] = []
        for draft in drafts:
            if isinstance(draft, Dropped):
                dropped.append(draft)
                continue
            try:
                for outcome in self._placed(draft):
                    (dropped if isinstance(outcome, Dropped) else labels).append(outcome)  # type: ignore[arg-type]
            except WorkbenchError as error:
                dropped.append(Dropped(draft.where, str(error).rstrip(".")))
        return labels, dropped

    @property
    def notes(self) -> tuple[str, ...]:
        """What had to be decided, a sentence each."""
        return tuple(_NOTES[name][number > 1].format(f"{number:,}") for name, number in sorted(self._counts.items()))

    def _placed(self, draft: LabelDraft) -> Iterator[Label | Dropped]:
        facts = draft.facts
        block_id = facts.get("block_id")
        if isinstance(block_id, int) and facts.get("document") and text_sha256(draft.text) == facts.get("block_sha256"):
            yield self._label(draft, facts["document"], block_id, draft.text, draft.spans, facts)
        elif not self._documents:
            yield Dropped(draft.where, CHANGED if facts.get("document") else NO_DOCUMENT)
        else:
            yield from self._found(draft)

    def _found(self, draft: LabelDraft) -> Iterator[Label | Dropped]:
        """Labels on the blocks with the text of a draft, in the document that it names, else the first that has it."""
        homes = self._homes(draft.text)
        if not homes:
            yield Dropped(draft.where, LOST)
            return
        sha256, name = draft.facts.get("document"), draft.facts.get("document_name")
        named = [document for document in homes if document.sha256 == sha256 or document.name == name]
        self._counts.update(["twice"] if len(homes) > 1 and not named else [])
        document = (named or homes)[0]
        alike = self._alike(document, draft.text)
        if alike:
            wanted = draft.facts.get("block_id")
            yield self._on(draft, document, wanted if wanted in alike else alike[0], draft.spans)
        else:
            yield from self._in_passage(draft, document, quote_index(document).find(draft.text)[0])

    def _in_passage(self, draft: LabelDraft, document: Document, match: QuoteMatch) -> Iterator[Label | Dropped]:
        """Labels on the blocks of a match that is not one whole block, letter by letter."""
        columns = document.columns
        blocks = [block for block in match.blocks if int(columns.kind[block]) not in _FURNITURE] or list(match.blocks)
        whole = [block for block in blocks if _covers(document, match, block)]
        # All blocks of a passage are not relevant if it is not; which of them is the evidence, only spans can say.
        every = draft.value is not LabelValue.EVIDENCE or len(blocks) == 1
        places: dict[int, list[Span]] = {block: [] for block in whole} if every else {}
        if draft.value is LabelValue.EVIDENCE and len(blocks) == 1 and not whole and not draft.spans:
            part = span_in(document, blocks[0], draft.text, (0, len(draft.text)))
            places[blocks[0]] = [part] if part is not None else []
        for span in draft.spans:
            found = _span_places(document, match, draft.text, span)
            if not found:
                yield Dropped(f"{draft.where}, {draft.text[slice(*span)][:40]!r}", NOWHERE)
            for block, place in found:
                places.setdefault(block, []).append(place)
        if not places and not draft.spans:
            yield Dropped(draft.where, PART if every else WHICH)
        # One id is one label; those of several blocks get ids of their own.
        facts = {name: fact for name, fact in draft.facts.items() if name != "id" or len(places) == 1}
        for block, spans in sorted(places.items()):
            yield self._on(replace(draft, facts=facts), document, block, tuple(spans))

    def _on(self, draft: LabelDraft, document: Document, block_id: int, spans: Spans) -> Label:
        block = document.block(block_id)
        facts = {
            **{name: draft.facts[name] for name in (*DETAILS, "request") if name in draft.facts},
            "document_name": document.name,
            "document_type": document.document_type.value,
            "language": document.language.value,
            "start_char": block.anchor.start_char,
            "end_char": block.anchor.end_char,
            "page": block.page,
        }
        return self._label(draft, document.sha256, block_id, block.text, spans, facts)

    def _label(self, draft: LabelDraft, document: str, block_id: int, text: str, spans: Spans, facts: Any) -> Label:
        same = draft.said is None or draft.said == said_by_draft(draft)
        identity = facts.get("id") if same else None
        self._counts.update(["changed"] if not same else [])
        at = draft.at or (facts.get("at") if same else None)
        if not at:
            at = self._at
            self._counts["timeless"] += 1
        known = {name: facts[name] for name in FACTS if name in facts and name not in ("document", "block_id")}
        known.pop("block_sha256", None)
        details = {name: facts[name] for name in ("reason", "scorer", "scores") if name in facts}
        return Label(
            id=identity or identity_of(draft, document, block_id),
            document=document,
            block_id=block_id,
            question=draft.question,
            quote=text,
            spans=spans,
            value=draft.value,
            annotator=draft.annotator,
            note=draft.note,
            at=at,
            source=facts.get("source", LabelSource.PERSON),
            **{"document_name": "", **known},
            **details,
        )

    def _homes(self, text: str) -> list[Document]:
        """The documents in which a text stands; many questions are asked of one text."""
        homes = self._known_homes.get(text)
        if homes is None:
            homes = self._known_homes[text] = [
                document
                for document in self._documents
                if self._alike(document, text) or quote_index(document).find(text)
            ]
        return homes

    def _alike(self, document: Document, text: str) -> list[int]:
        known = self._exact.get(id(document))
        if known is None:
            known = self._exact[id(document)] = {}
            for block, words in enumerate(document.texts):
                if words.strip():
                    known.setdefault(words, []).append(block)
        return known.get(text, [])


def _covers(document: Document, match: QuoteMatch, block_id: int) -> bool:
    """Whether a match holds so much of a block that what is said of the one is said of the other."""
    place = in_block(document, block_id, match.start_char, match.end_char)
    text = document.texts[block_id]
    return place is not None and len(fold(text)) <= MOST_GROWN * len(fold(text[slice(*place)]))


def _span_places(document: Document, match: QuoteMatch, text: str, span: Span) -> list[tuple[int, Span]]:
    """Where the words of a span stand within the match of the text around them; of several, the likeliest."""
    index, wanted = quote_index(document), text[slice(*span)]
    found = [
        place
        for place in index.find(wanted) or index.find(wanted, whole_words=False)
        if match.start_char <= place.start_char and place.end_char <= match.end_char
    ]
    if not found:
        return []
    share = span[0] / len(text)
    wide = match.end_char - match.start_char
    best = min(found, key=lambda place: (abs((place.start_char - match.start_char) / wide - share), place.start_char))
    places = [(block, in_block(document, block, best.start_char, best.end_char)) for block in best.blocks]
    return [(block, place) for block, place in places if place is not None]
