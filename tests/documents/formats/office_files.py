"""Office files made by hand, for what the libraries cannot write: footnotes, content controls, merges, bombs."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from workbench.documents.anchors import Piece
from workbench.documents.blocks import KINDS, BlockKind
from workbench.documents.draft import Draft, FinishedDraft
from workbench.documents.options import ReadOptions
from workbench.documents.registry import Format
from workbench.documents.source import ParseContext, Source

from .conservation import assert_conserves

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def write_zip(path: Path, members: Mapping[str, str | bytes]) -> Path:
    """Write a ZIP archive of the given members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def relations(entries: Mapping[str, tuple[str, str]]) -> str:
    """Return a relationships part: id -> (last word of the type, target)."""
    items = "".join(f'<Relationship Id="{i}" Type="{REL}/{t}" Target="{p}"/>' for i, (t, p) in entries.items())
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{items}</Relationships>'
    )


def content_types(overrides: Mapping[str, str]) -> str:
    """Return a content types part."""
    items = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in overrides.items())
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{items}</Types>'
    )


def word_file(
    path: Path,
    body: str,
    *,
    parts: Mapping[str, str] | None = None,
    links: Mapping[str, tuple[str, str]] | None = None,
    main_type: str = WORD_MAIN,
) -> Path:
    """Write a Word file from the XML of its body; ``parts`` lie in "word/" and are linked by ``links``."""
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": content_types({"word/document.xml": main_type}),
        "_rels/.rels": relations({"rId1": ("officeDocument", "word/document.xml")}),
        "word/document.xml": f"<w:document {W} {R} {MC}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(links or {}),
    }
    members.update({f"word/{name}": content for name, content in (parts or {}).items()})
    return write_zip(path, members)


def workbook_file(
    path: Path, sheets: Mapping[str, str], *, styles: str = "", strings: str = "", properties: str = ""
) -> Path:
    """Write a workbook from the XML inside each sheet's ``worksheet`` element."""
    names = list(sheets)
    listed = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="s{i}"/>' for i, name in enumerate(names, 1))
    links = {f"s{i}": ("worksheet", f"worksheets/sheet{i}.xml") for i in range(1, len(names) + 1)}
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": content_types({}),
        "_rels/.rels": relations({"rId1": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": f'<workbook xmlns="{main}" {R}>{properties}<sheets>{listed}</sheets></workbook>',
    }
    for number, inner in enumerate(sheets.values(), 1):
        members[f"xl/worksheets/sheet{number}.xml"] = f'<worksheet xmlns="{main}" {R}>{inner}</worksheet>'
    if styles:
        links["st"] = ("styles", "styles.xml")
        members["xl/styles.xml"] = f'<styleSheet xmlns="{main}">{styles}</styleSheet>'
    if strings:
        links["ss"] = ("sharedStrings", "sharedStrings.xml")
        members["xl/sharedStrings.xml"] = f'<sst xmlns="{main}">{strings}</sst>'
    members["xl/_rels/workbook.xml.rels"] = relations(links)
    return write_zip(path, members)


def read(parser: Format | Callable[[Source, ParseContext], Draft], path: Path, **options: object) -> FinishedDraft:
    """Parse a file and check that no text is lost."""
    parse = parser.parse if isinstance(parser, Format) else parser
    draft = parse(Source(path), ParseContext(ReadOptions.from_mapping(dict(options))))
    return assert_conserves(draft)


def kinds(done: FinishedDraft) -> list[BlockKind]:
    """Return the kind of every block."""
    return [KINDS[code] for code in done.columns.kind.tolist()]


def blocks(done: FinishedDraft) -> list[tuple[str, int, str]]:
    """Return kind, level and text of every block."""
    return [
        (kind.value, level, text)
        for kind, level, text in zip(kinds(done), done.columns.level.tolist(), done.texts, strict=True)
    ]


def texts_of(done: FinishedDraft, kind: BlockKind) -> list[str]:
    """Return the texts of the blocks of one kind."""
    return [text for text, found in zip(done.texts, kinds(done), strict=True) if found is kind]


def cells_of(done: FinishedDraft, block: int) -> dict[int, str]:
    """Return the cells of a row by column."""
    columns = done.columns
    found: dict[int, str] = {}
    for at in range(int(columns.first_piece[block]), int(columns.first_piece[block + 1])):
        piece = Piece(int(columns.start[at]), int(columns.end[at]), int(columns.joint[at]), int(columns.column[at]))
        text = done.text_layer[piece.start_char : piece.end_char]
        found[piece.column] = f"{found[piece.column]} {text}" if piece.column in found else text
    return found


def rows(done: FinishedDraft) -> list[tuple[bool, dict[int, str], str]]:
    """Return for every table row whether it is a header, its cells and its place."""
    return [
        (bool(done.columns.is_header[block]), cells_of(done, block), done.locators[block])
        for block, kind in enumerate(kinds(done))
        if kind is BlockKind.TABLE_ROW
    ]


def warnings(done: FinishedDraft) -> dict[str, str]:
    """Return the messages of the warnings by code."""
    counted = Counter(warning.code for warning in done.warnings)
    assert all(count == 1 for count in counted.values()), counted
    return {warning.code: warning.message for warning in done.warnings}
