"""What is known of an artifact before it is read, and that what is shown of it stays small and harmless."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench import open_document
from workbench.documents import Document
from workbench.documents.blocks import BlockKind
from workbench.documents.columns import BlockColumns
from workbench.documents.draft import Draft
from workbench.documents.languages import language_of
from workbench.documents.pages import Page, PageStatus, Verdict
from workbench.documents.tokens import TOKENIZER, count_tokens
from workbench.gate.preview import Preview, preview_of
from workbench.gate.preview.preview import MOST_TOKENS
from workbench.relevance.terms import question_terms

Part = tuple[BlockKind, str, int]
HEADING, PARAGRAPH = BlockKind.HEADING, BlockKind.PARAGRAPH


def document_of(draft: Draft, *, name: str = "made.md", document_format: str = "markdown") -> Document:
    finished = draft.finish(max_block_chars=10_000_000)
    return Document(
        sha256="0" * 64,
        name=name,
        format=document_format,
        text_layer=finished.text_layer,
        columns=finished.columns,
        pages=finished.pages,
        exclusions=finished.exclusions,
        warnings=finished.warnings,
        document_type=Verdict("general", 0.0),
        language=language_of(finished.texts),
        tokenizer=TOKENIZER,
        locators=finished.locators,
    )


def made(parts: Sequence[Part], **kwargs: str) -> Document:
    draft = Draft()
    for kind, text, level in parts:
        draft.add(kind, draft.write(text + "\n\n"), level=level)
    return document_of(draft, **kwargs)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], **kwargs: str) -> Document:
    draft = Draft()
    known = draft.begin_table()
    for rank, cells in enumerate([header, *rows]):
        draft.add_row(known, [draft.write(cell + "\t") for cell in cells], is_header=rank == 0)
    return document_of(draft, **kwargs)


def checked(document: Document) -> Preview:
    """The preview, after what must be true of every one."""
    preview = preview_of(document)
    assert int(count_tokens([preview.text])[0]) == preview.preview_tokens <= MOST_TOKENS
    assert not {"\x1b", "\r", "\u200b", "\u202e", "\x00"} & set(preview.text)
    assert preview.text == preview.text.encode("utf-8").decode("utf-8")
    return preview


def test_a_document_is_shown_with_size_type_outline_tables_and_first_words(sample_dir: Path) -> None:
    preview = checked(open_document(sample_dir / "annual-report.pdf"))
    assert preview.text.splitlines()[0] == (
        "annual-report.pdf: pdf, financial, English; 3 pages, 49 blocks, 819 tokens, 6,201 bytes."
    )
    assert "  2 Traffic (p. 1, 258 tokens)" in preview.text
    assert "1 The year in brief (p. 1, 189 tokens): The year under review was the first" in preview.text
    assert "columns: Kind of goods [text]; 2024 [number]; 2025 [number]; Change [number]" in preview.text
    assert (preview.headings, preview.tables, preview.supported, preview.is_table) == (7, 3, True, False)
    assert preview.columns[:3] == ("Kind of goods", "2024", "2025")
    assert repr(preview) == (
        f"Preview('annual-report.pdf', pdf, financial, 3 pages, 819 tokens, shown in {preview.preview_tokens})"
    )


def test_a_chinese_document_is_shown_with_its_outline(sample_dir: Path) -> None:
    preview = checked(open_document(sample_dir / "差旅制度.txt"))
    assert preview.language == "zh"
    assert "第三章 交通" in preview.text
    assert preview.coverage(question_terms("住宿费每晚不超过多少？", "zh")) == (1.0, ())
    assert preview.coverage(question_terms("住宿费和量子纠缠", "zh"))[1] == ("量子纠缠",)


def test_a_spreadsheet_is_a_table_and_shows_its_schema_and_rows(sample_dir: Path) -> None:
    preview = checked(open_document(sample_dir / "machines.csv"))
    assert preview.is_table
    assert preview.table_share == 1.0
    assert preview.table_rows == 10
    assert "data (GiB) [number]; last backup [date]" in preview.text
    assert "  e.g. ledger-01 | Aarhus | Linux" in preview.text


def test_a_collection_shows_its_inventory() -> None:
    parts: list[Part] = []
    for number in range(1, 6):
        parts += [
            (HEADING, f"logs/day-{number}.txt", 1),
            (HEADING, "Morning", 2),
            (PARAGRAPH, "All was well and the tide came in at six. " * 12, 0),
        ]
    preview = checked(made(parts, name="logs", document_format="collection"))
    assert preview.files == tuple(f"logs/day-{number}.txt" for number in range(1, 6))
    assert preview.text.startswith("logs: collection of files, general, English; 1 page, 15 blocks")
    assert "Files (5):\n- logs/day-1.txt (" in preview.text
    assert "Outline (5 headings):\nMorning (" in preview.text


def test_of_a_large_collection_files_are_shown_from_first_to_last() -> None:
    parts: list[Part] = [(HEADING, f"file-{number:04}.txt", 1) for number in range(3_000)]
    preview = checked(made(parts, name="many", document_format="collection"))
    shown = [line for line in preview.text.splitlines() if line.startswith("- file-")]
    assert len(preview.files) == 3_000
    assert len(shown) > 30
    assert shown[0].startswith("- file-0000.txt")
    assert shown[-1] > "- file-2800"
    assert f"… {3_000 - len(shown):,} more" in preview.text


def test_upper_levels_of_an_outline_come_first() -> None:
    parts: list[Part] = []
    for chapter in range(20):
        parts.append((HEADING, f"Chapter {chapter}", 1))
        for section in range(30):
            parts += [(HEADING, f"Part {chapter}.{section}", 2), (PARAGRAPH, "Water flows downhill. " * 8, 0)]
    text = checked(made(parts)).text
    assert all(f"Chapter {chapter} (" in text for chapter in range(20))
    assert "more" in text.splitlines()[-1]


def test_a_text_without_headings_shows_beginnings_from_all_over() -> None:
    parts: list[Part] = [(PARAGRAPH, f"Remark {number}: the tide came in. " * 5, 0) for number in range(200)]
    text = checked(made(parts)).text
    assert "Beginnings:\nRemark 0: the tide" in text
    assert "Remark 1" in text.splitlines()[-1]


def test_a_small_artifact_has_a_small_preview() -> None:
    small = checked(made([(PARAGRAPH, "The tide came in. " * 40, 0)]))
    large = checked(
        made([(HEADING, "Tide", 1), *[(PARAGRAPH, f"Day {n}. The tide came in. " * 30, 0) for n in range(300)]])
    )
    assert small.preview_tokens <= 240
    assert small.preview_tokens < large.preview_tokens


def test_pages_without_text_are_named_and_too_many_are_not_supported() -> None:
    draft = Draft()
    for status in (PageStatus.TEXT, PageStatus.NO_TEXT, PageStatus.UNREADABLE, PageStatus.NO_TEXT, PageStatus.BLANK):
        draft.begin_page(status=status)
        if status is PageStatus.TEXT:
            draft.add(PARAGRAPH, draft.write("Stamped on arrival.\n"))
    preview = checked(document_of(draft))
    assert "Without text: 3 pages (2-4)." in preview.text
    assert (preview.pages, preview.pages_without_text, preview.supported) == (5, 3, False)
    assert preview.why_not == "3 of its 5 pages have no text, so most of it cannot be searched."


def test_nothing_at_all_is_not_supported() -> None:
    preview = checked(document_of(Draft()))
    assert (preview.tokens, preview.supported, preview.table_share) == (0, False, 0.0)
    assert preview.why_not == "No text can be read from it, so there are no blocks to choose from."
    assert preview.coverage(["tide"]) == (0.0, ("tide",))


def test_warnings_are_shown_once_each() -> None:
    draft = Draft()
    draft.add(PARAGRAPH, draft.write("Text.\n"))
    for number in (1, 1, 2, 3, 4):
        draft.warn("made", f"Part {number} is\ncut off.")
    text = checked(document_of(draft)).text
    assert text.count("Note: Part 1 is cut off.") == 1
    assert "… 1 more note" in text


def test_a_preview_is_made_once_a_document_and_equal_for_equal_ones() -> None:
    parts: list[Part] = [(HEADING, "Tide", 1), (PARAGRAPH, "It came in.", 0)]
    document = made(parts)
    assert preview_of(document) is preview_of(document)
    assert preview_of(made(parts)) == preview_of(document)
    assert (preview_of(made(parts)).vocabulary == preview_of(document).vocabulary).all()


def test_a_preview_can_be_made_by_hand_and_changed() -> None:
    preview = Preview(name="a.pdf", tokens=10_000)
    assert (preview.supported, preview.language, len(preview.vocabulary)) == (True, "en", 0)
    assert dataclasses.replace(preview, tokens=20_000).tokens == 20_000
    assert hash(preview) == hash(Preview(name="a.pdf", tokens=10_000))


def test_markup_of_a_document_is_text_in_a_notebook() -> None:
    preview = checked(made([(HEADING, "<script>alert(1)</script> $x$", 1)], name="<b>.md"))
    assert "<script>" in preview.text
    assert "<script>" not in preview._repr_html_()
    assert "mathjax_ignore" in preview._repr_html_()


def test_a_folder_has_the_size_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.txt").write_text("three")
    document = made([(PARAGRAPH, "one three", 0)])
    assert preview_of(document).size_bytes == len("one three\n\n")
    folder = made([(PARAGRAPH, "one three", 0)])
    folder.path = tmp_path
    assert preview_of(folder).size_bytes == 8
    gone = made([(PARAGRAPH, "one three", 0)])
    gone.path = tmp_path / "gone"
    assert preview_of(gone).size_bytes == len("one three\n\n")


def test_a_million_headings_are_no_more_than_a_preview() -> None:
    count = 1_000_000
    at = np.arange(count, dtype=np.int32)
    columns = BlockColumns(
        kind=np.zeros(count, np.uint8),
        level=(at % 6 + 1).astype(np.uint8),
        parent=np.full(count, -1, np.int32),
        table=np.full(count, -1, np.int32),
        continues=np.full(count, -1, np.int32),
        is_header=np.zeros(count, np.uint8),
        tokens=np.ones(count, np.int32),
        first_piece=np.arange(count + 1, dtype=np.int32),
        start=2 * at,
        end=2 * at + 1,
        joint=np.zeros(count, np.uint8),
        column=np.full(count, -1, np.int16),
        box=np.zeros((0, 4), np.float32),
        home_page=np.zeros(count, np.int32),
    )
    document = Document(
        sha256="0" * 64,
        name="headings.md",
        format="markdown",
        text_layer="H\n" * count,
        columns=columns,
        pages=[Page(1, "", PageStatus.TEXT, 0.0, 0.0, 0, 0, 2 * count)],
        document_type=Verdict("general", 0.0),
        language=Verdict("en", 1.0),
        tokenizer=TOKENIZER,
    )
    preview = checked(document)
    assert preview.headings == count
    assert preview.text.splitlines()[-1].endswith(" more")


@pytest.mark.parametrize(
    "text",
    [
        "x" * 5_000_000,
        "👩‍👩‍👧" * 20_000,
        "\u200b" * 300_000 + "end",
        "a\u0301\u0302\u0303" * 50_000,
        "\ud800" * 500,
        "𠀀" * 100_000,
        "\n" * 99,
    ],
    ids=["one line", "emoji", "zero width", "marks", "surrogates", "rare", "empty"],
)
def test_one_hostile_text_is_no_more_than_a_preview(text: str) -> None:
    for kind in (HEADING, PARAGRAPH):
        checked(made([(kind, text, 1)] * 2, name=text[:3_000]))


def test_a_table_of_ten_thousand_columns_shows_the_first() -> None:
    names = [f"measure {number}" for number in range(10_000)]
    preview = checked(table(names, [[str(number) for number in range(10_000)]] * 3, name="wide\n\x1b[2J.csv"))
    assert len(preview.columns) == 200
    assert "measure 0 [number]; measure 1 [number]" in preview.text
    assert "more columns" in preview.text
    assert preview.text.startswith("wide \ufffd[2J.csv: markdown")


def test_of_many_tables_the_largest_are_shown() -> None:
    draft = Draft()
    for number in range(400):
        known = draft.begin_table()
        draft.add_row(known, [draft.write(f"Depot {number}\t"), draft.write("Date\t")], is_header=True)
        for day in range(50 if number == 300 else 3):
            draft.add_row(known, [draft.write(f"{day},000\t"), draft.write(f"2024-05-{day % 28 + 1:02}\t")])
    preview = checked(document_of(draft))
    assert "Tables (400):" in preview.text
    assert "- 50 rows\n  columns: Depot 300 [number]; Date [date]\n  e.g. 0,000 | 2024-05-01" in preview.text


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                [HEADING, PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CODE, BlockKind.CAPTION, BlockKind.FOOTER]
            ),
            st.text(max_size=60),
            st.integers(1, 6),
        ),
        max_size=30,
    ),
    st.text(max_size=30),
    st.sampled_from(["collection", "markdown"]),
)
def test_whatever_the_blocks_the_preview_is_bounded_and_inert(
    parts: list[Part], name: str, document_format: str
) -> None:
    preview = checked(made(parts, name=name, document_format=document_format))
    assert preview.text.count("\n") < MOST_TOKENS
    assert 0.0 <= preview.table_share <= 1.0


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.text(max_size=12), min_size=1, max_size=6), min_size=1, max_size=12))
def test_whatever_the_cells_the_preview_is_bounded_and_inert(rows: list[list[str]]) -> None:
    checked(table(rows[0], rows[1:]))


@pytest.mark.data
def test_a_long_filing_shows_its_parts_and_covers_its_questions(data_dir: Path) -> None:
    preview = checked(open_document(data_dir / "financebench" / "pdfs" / "BOEING_2022_10K.pdf"))
    assert preview.preview_tokens > 1_000
    assert "Risk Factors" in preview.text
    share, missing = preview.coverage(question_terms("How did Boeing's effective tax rate change in FY2022?", "en"))
    assert share > 0.8, missing
