"""What stands outside the body of a Word document: headers, footers, notes, comments, charts and diagrams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...blocks import BlockKind
from ...draft import Draft
from ..office.package import OfficePackage, Relation, alternative, attribute, descendants, local
from .styles import Styles
from .text import read_paragraph

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_COUNTED: tuple[tuple[str, str, str], ...] = (
    ("comments", "comments", "{name} holds {count} comments, which are not part of its text."),
    ("deleted", "tracked_changes", "{name} holds {count} tracked deletions, which were not read."),
    ("inserted", "tracked_changes", "{name} holds {count} tracked insertions, which were read as text."),
    ("hidden", "hidden_text", "{name} holds {count} passages of hidden text, which are excluded."),
    ("chunks", "embedded_document", "{name} embeds {count} documents that were not read; open them by themselves."),
)


class Furniture:
    """Headers, footers and notes of a document, which lie in parts of their own."""

    def __init__(
        self, package: OfficePackage, relations: Mapping[str, Relation], styles: Styles, body: Element | None
    ) -> None:
        self._package = package
        self._styles = styles
        self._headers = self._referenced(relations, body, "headerReference")
        self._footers = self._referenced(relations, body, "footerReference")

    def add_headers(self, draft: Draft) -> None:
        """Write each distinct line of the headers once."""
        self._add_lines(draft, self._headers, BlockKind.HEADER)

    def add_footers(self, draft: Draft) -> None:
        """Write each distinct line of the footers once."""
        self._add_lines(draft, self._footers, BlockKind.FOOTER)

    def add_notes(self, draft: Draft, main: str, kind: str) -> None:
        """Write the notes of one kind ("footnote" or "endnote"), one block each, in the order of their part."""
        rank = 0
        for part in self._package.related(main, f"{kind}s"):
            for note in self._package.xml(part):
                if local(note) != kind or (attribute(note, "type") or "normal") != "normal":
                    continue
                rank += 1
                text = "\n".join(_lines(note, self._styles))
                if text.strip():
                    draft.add(BlockKind.FOOTNOTE, draft.write(text), locator=f"{kind} {rank}")
                    draft.write("\n")

    def comments(self, main: str) -> int:
        """Return the number of comments."""
        return sum(
            1
            for part in self._package.related(main, "comments")
            for comment in self._package.xml(part)
            if local(comment) == "comment"
        )

    def _referenced(self, relations: Mapping[str, Relation], body: Element | None, name: str) -> list[str]:
        found: dict[str, None] = {}
        for reference in descendants(body, name) if body is not None else ():
            relation = relations.get(attribute(reference, "id") or "")
            if relation is not None and self._package.has(relation.target):
                found[relation.target] = None
        return list(found)

    def _add_lines(self, draft: Draft, parts: list[str], kind: BlockKind) -> None:
        seen: set[str] = set()
        for rank, part in enumerate(parts, start=1):
            for line in _lines(self._package.xml(part), self._styles):
                key = " ".join(line.split())
                if key and key not in seen:
                    seen.add(key)
                    draft.add(kind, draft.write(line), locator=f"{kind.value} {rank}")
                    draft.write("\n")


def _lines(container: Element, styles: Styles) -> list[str]:
    """Return the texts of all paragraphs below an element, text boxes after the paragraph that anchors them."""
    lines: list[str] = []
    for element in container:
        name = local(element)
        if name == "p":
            found = read_paragraph(element, styles)
            lines.append(found.text)
            for box in found.boxes:
                lines += _lines(box, styles)
        elif name == "AlternateContent":
            branch = alternative(element)
            lines += _lines(branch, styles) if branch is not None else []
        elif name not in ("del", "moveFrom"):
            lines += _lines(element, styles)
    return lines


def warn_of_counts(draft: Draft, name: str, counts: Counter[str]) -> None:
    """Tell the reader what a document holds that its text does not show, or shows although it is unconfirmed."""
    for key, code, message in _COUNTED:
        if counts[key]:
            draft.warn(code, message.format(name=name, count=counts[key]))
