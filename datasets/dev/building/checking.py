"""Whether every quote of the requests stands in its artifact, as the workbench reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.documents import BlockKind, Document, open_collection, open_document
from workbench.documents.quotes import find_quote, fold

_CELLS = re.compile(r"\s\|\s")


@dataclass(slots=True)
class Checked:
    """What was found for the requests of one artifact."""

    slug: str
    artifact: str
    files: int = 0
    pages: int = 0
    tokens: int = 0
    headings: int = 0
    requests: int = 0
    quotes: int = 0
    missing: list[str] = field(default_factory=list)
    ambiguous: list[str] = field(default_factory=list)


def opened(path: Path) -> dict[str, Document]:
    """Return the documents of an artifact by their names inside it; a single file has the name ""."""
    if path.is_dir() or path.suffix == ".zip":
        collection = open_collection(path)
        return {document.name: document for document in collection}
    return {"": open_document(path)}


def check(slug: str, artifact: Path, requests: list[dict[str, Any]]) -> Checked:
    """Look for every quote of the requests about one artifact."""
    documents = opened(artifact)
    done = Checked(slug, artifact.name, len(documents), requests=len(requests))
    for document in documents.values():
        done.pages += len(document.pages)
        done.tokens += document.tokens
        done.headings += sum(block.kind is BlockKind.HEADING for block in document.blocks)
    for request in requests:
        for piece in request["evidence"]:
            done.quotes += 1
            places = places_of(documents, piece)
            said = f"{request['id']}: {piece['quote']!r}" + (f" in {piece['file']}" if piece["file"] else "")
            if not places:
                done.missing.append(said)
            elif places > 1:
                done.ambiguous.append(f"{said} ({places} places)")
    return done


def places_of(documents: dict[str, Document], piece: dict[str, Any]) -> int:
    """Return in how many places a piece of evidence stands."""
    wanted = piece["file"]
    chosen = [document for name, document in documents.items() if wanted is None or _is_named(name, wanted)]
    found = sum(len(find_quote(document, piece["quote"])) for document in chosen)
    return found or sum(rows_with(document, _CELLS.split(piece["quote"])) for document in chosen)


def rows_with(document: Document, cells: list[str]) -> int:
    """Return in how many table rows all these texts are cells."""
    if len(cells) < 2:
        return 0
    wanted = {fold(cell) for cell in cells} - {""}
    rows = (block for block in document.blocks if block.cells)
    return sum(wanted <= {fold(cell.text) for cell in block.cells} for block in rows)


def _is_named(name: str, wanted: str) -> bool:
    return name == wanted or name.endswith("/" + wanted)
