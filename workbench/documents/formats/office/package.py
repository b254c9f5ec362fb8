"""Parts of an Office Open XML file and how they refer to each other.

Names of elements and attributes are compared without their namespace, so that the strict and the transitional
variant of the standard, and macro-enabled files and templates, are all read alike.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from ....errors import DamagedFile
from ...source import ParseContext, Source
from .archive import check_archive

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

POINT = 12_700
"""English Metric Units in a point."""


class Relation(NamedTuple):
    """A reference from one part to another: the last word of its type, and the other part's name."""

    kind: str
    target: str


class OfficePackage:
    """An Office file that passed ``check_archive``; a context manager.

    Raises
    ------
    WorkbenchError
        On creation, whatever ``check_archive`` raises.
    """

    def __init__(self, source: Source, context: ParseContext) -> None:
        check_archive(source, context.options)
        self.name = source.name
        self.archive = zipfile.ZipFile(source.path)
        self._names = {name.lower(): name for name in self.archive.namelist()}

    def __enter__(self) -> OfficePackage:
        return self

    def __exit__(self, *exc: object) -> None:
        self.archive.close()

    def main_part(self) -> str:
        """Return the name of the part that the package begins with.

        Raises
        ------
        DamagedFile
        """
        for relation in self.relations("").values():
            if relation.kind == "officeDocument" and self.has(relation.target):
                return relation.target
        raise DamagedFile(f"{self.name} has no main document part; get a fresh copy of it.")

    def has(self, part: str) -> bool:
        """Whether the archive holds a part; names of parts do not distinguish case."""
        return part.lower() in self._names

    def open(self, part: str) -> IO[bytes]:
        """Open a part for reading.

        Raises
        ------
        DamagedFile
            If the archive has no such part.
        """
        found = self._names.get(part.lower())
        if found is None:
            raise DamagedFile(f"{self.name} lacks its part {part!r:.80}; get a fresh copy of it.")
        return self.archive.open(found)

    def xml(self, part: str) -> Element:
        """Parse one XML part, without entities, document types or network.

        Raises
        ------
        DamagedFile
        """
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        with self.open(part) as stream:
            data = stream.read()
        try:
            root: Element | None = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            raise broken_part(self.name, part, error) from error
        if root is None:
            raise DamagedFile(f"{self.name} has an empty part {part!r:.80}; get a fresh copy of it.")
        return root

    def relations(self, part: str) -> dict[str, Relation]:
        """Return the relations of a part ("" for the package) by id; links to the outside are left out."""
        folder, name = posixpath.split(part)
        listing = posixpath.join(folder, "_rels", f"{name}.rels")
        if not self.has(listing):
            return {}
        found: dict[str, Relation] = {}
        for element in self.xml(listing):
            if local(element) != "Relationship" or element.get("TargetMode") == "External":
                continue
            target = unquote(str(element.get("Target") or ""))
            path = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = str(element.get("Type") or "").rpartition("/")[2]
            found[str(element.get("Id") or "")] = Relation(kind, path)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """Return the parts that ``part`` refers to by one kind of relation, if they exist."""
        return [r.target for r in self.relations(part).values() if r.kind == kind and self.has(r.target)]


def broken_part(name: str, part: str, error: Exception) -> DamagedFile:
    """Return the error for a part that is no well-formed XML."""
    reason = str(error).splitlines()[0][:120].rstrip(".") if str(error) else type(error).__name__
    return DamagedFile(f"{name} has a damaged part {part!r:.80} ({reason}); get a fresh copy of it.")


def local(element: Element) -> str:
    """Return an element's name without its namespace; "" for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element | None, name: str) -> str | None:
    """Return an attribute by its name without namespace, or None."""
    if element is None:
        return None
    plain = element.get(name)
    if plain is not None:
        return str(plain)
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return None


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first descendant along a path of names, or None."""
    for name in path:
        if element is None:
            return None
        element = next((found for found in element if local(found) == name), None)
    return element


def descendants(element: Element, name: str) -> Iterator[Element]:
    """Yield all descendants of one name, in document order."""
    return element.iter("{*}" + name)


def is_on(element: Element | None) -> bool:
    """Whether a switch element (``w:b``, ``w:tblHeader``) is present and not turned off."""
    return element is not None and (attribute(element, "val") or "true").lower() not in ("0", "false", "off", "none")


def number(text: str | None, default: int = 0) -> int:
    """Return a whole number from an attribute, or the default for anything else; huge ones are cut."""
    try:
        return max(-(2**31), min(2**31, int(float(text or ""))))
    except (ValueError, OverflowError):
        return default


def alternative(element: Element) -> Element | None:
    """Return the branch of ``mc:AlternateContent`` to read: both say the same, so only one may be."""
    choice = child(element, "Choice")
    return choice if choice is not None else child(element, "Fallback")
