"""Labels for tools that tag tokens, such as spaCy: the words of a block, and its evidence as ranges of them.

A label a line of JSON. Characters are the truth, so this is written and never read: a span that cuts a word grows to
hold it, and every span that did, or has no word, is told. A block that is no evidence is one without spans.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..aligning import aligned_spans, tokens_of
from ..label import Label
from ..values import LabelValue
from .files import Written, plain_json
from .reports import Dropped

NAME = "token spans"
_NEGATIVE = (LabelValue.NOT_RELEVANT, LabelValue.HARD_NEGATIVE)
_WHICH = "it does not say which words are the evidence"
_NO_ROOM = "a tagger learns from evidence and from blocks without any, no other values"


def write(labels: Sequence[Label]) -> Written:
    """Return the file of some labels.

    Each line has id, question, text, value, annotator, document, block_id; tokens (text, start, end, id) and spans
    (start, end: characters of the text, end exclusive; token_start, token_end: ids, the last one inclusive; label).
    """
    rows: list[str] = []
    dropped: list[Dropped] = []
    notes: list[str] = []
    for label in labels:
        evidence = label.value is LabelValue.EVIDENCE
        if not evidence and label.value not in _NEGATIVE:
            dropped.append(Dropped(f"label {label.id}", _NO_ROOM))
            continue
        text = label.quote
        found = aligned_spans(text, label.spans if evidence else (), "expand")
        for (start, end), reason in found.dropped:
            dropped.append(Dropped(f"label {label.id}, {start}-{end} {text[start:end]!r:.40}", reason))
        if evidence and not found.spans:
            dropped.extend([] if found.dropped else [Dropped(f"label {label.id}", _WHICH)])
            continue
        for (start, end), (first, last) in found.moved:
            notes.append(
                f"Label {label.id}: the span {start}-{end} {text[start:end]!r:.40} cut a word and is now "
                f"{first}-{last} {text[first:last]!r:.40}."
            )
        rows.append(
            plain_json(
                {
                    **{name: getattr(label, name) for name in ("id", "question", "annotator", "document", "block_id")},
                    "text": text,
                    "value": label.value.value,
                    "tokens": [
                        {"text": text[start:end], "start": start, "end": end, "id": rank}
                        for rank, (start, end) in enumerate(tokens_of(text))
                    ],
                    "spans": [
                        {
                            "start": span.start_char,
                            "end": span.end_char,
                            "token_start": span.start_token,
                            "token_end": span.end_token - 1,
                            "label": LabelValue.EVIDENCE.value,
                        }
                        for span in found.spans
                    ],
                }
            )
        )
    return Written("".join(f"{row}\n" for row in rows), len(rows), tuple(dropped), tuple(notes))
