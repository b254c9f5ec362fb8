"""Markdown becomes verbatim blocks; its marks are named exclusions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.formats.reading import finished, shown, sniffed
from workbench.documents.formats.markdown import FORMAT

FRAGMENTS = st.lists(
    st.sampled_from(
        ["# Head\n", "## Head ##\n", "Title\n===\n", "\n", "> quote\n", ">> deep\n", "- item\n", "  - sub\n",
         "1. one\n", "   more\n", "```py\n", "```\n", "    code\n", "| a | b |\n", "|---|---|\n",
         "| 1 | x\\|y |\n", "[^1]: n\n",
         "[l]: http://x\n", "<div>\n", "</div>\n", "<!-- c\n", "-->\n", "***\n", "---\n", "key: v\n", "text  \n", "\t",
         "\r\n", "\r", "word ", "- ", "> ", "* * *\n", "~~~\n", "![a](b)\n", "\0", "\f", "+\n", "#\n", "-\n",
         "- ```\n", "> | a | b |\n> |--|--|\n", "1)  x\n", "\\\n", "&amp;", "中文\n"]
    ), max_size=25,
).map("".join)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(content=st.text(max_size=200) | FRAGMENTS)
def test_no_text_is_lost_or_changed(tmp_path: Path, content: str) -> None:
    finished(FORMAT, tmp_path / "a.md", content, max_block_chars=64)


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        ("# One #\n\nTwo\n===\n\n### Three", [("heading 1", "One"), ("heading 1", "Two"), ("heading 3", "Three")]),
        ("- a\n  b\n  - c\n- d", [("list_item 1", "a b"), ("list_item 2", "c"), ("list_item 1", "d")]),
        ("1. a\n\n   second\n2. b", [("list_item 1", "a"), ("paragraph", "second"), ("list_item 1", "b")]),
        ("> a\n> b\n>> c", [("paragraph", "a b"), ("paragraph", "c")]),
        ("```py\nx = 1\n\n  y\n```\nafter", [("code", "x = 1\n\n  y"), ("paragraph", "after")]),
        ("> ```\n> a\n>   b\n> ```", [("code", " a\n   b")]),
        ("a\n\n    code\n      more", [("paragraph", "a"), ("code", "    code\n      more")]),
        ("---\nt: x\n---\n# H", [("code", "t: x"), ("heading 1", "H")]),
        ("[^1]: Foot *note*\n[^2]: two\n", [("footnote", "[^1]: Foot *note*"), ("footnote", "[^2]: two")]),
        ("[a]: http://x 'T'\n", [("reference", "[a]: http://x 'T'")]),
        ("![Sales](s.png)", [("caption", "![Sales](s.png)")]),
        ("<div>Hi <b>x</b></div>", [("paragraph", "<div>Hi <b>x</b></div>")]),
        ("<img\nsrc=a>\n", [("paragraph", "<img src=a>")]),
        ("价格\n上涨", [("paragraph", "价格上涨")]),
        ("***\n<!-- no -->\n", []),
    ],
)
def test_blocks_are_recognised(tmp_path: Path, content: str, blocks: list[tuple[str, str]]) -> None:
    assert shown(finished(FORMAT, tmp_path / "a.md", content)) == blocks


def test_tables_have_header_rows_and_cells_in_columns(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.md", "| a | b \\| c |\n|---|:-:|\n| 1 |   |\n|  | 2 |\nx | y\n")
    assert shown(done) == [
        ("table", ""),
        ("table_row", "a\tb \\| c"),
        ("table_row", "1"),
        ("table_row", "2"),
        ("table_row", "x\ty"),
    ]
    assert done.columns.is_header.tolist() == [0, 1, 0, 0, 0]
    assert done.columns.column.tolist() == [0, 1, 0, 1, 0, 1]


def test_marks_are_excluded_by_name(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.md", "# H\n\n- a\n\n<!-- c -->\n")
    assert [(done.text_layer[e.start_char : e.end_char].strip(), e.reason) for e in done.exclusions] == [
        ("#", "markup"),
        ("-", "markup"),
        ("<!-- c -->", "comment"),
    ]


def test_the_language_of_code_is_its_locator(tmp_path: Path) -> None:
    assert finished(FORMAT, tmp_path / "a.md", "```python title\nx\n```\n").locators == ["python"]


def test_a_long_text_is_parsed_in_parts_with_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = "# A\n\n- x\n  y\n\n```\n# no heading\n```\n\n## B\n\ntext\n" * 5
    whole = shown(finished(FORMAT, tmp_path / "a.md", content))
    monkeypatch.setattr("workbench.documents.formats.markdown.blocks.CHUNK_CHARS", 10)
    assert shown(finished(FORMAT, tmp_path / "a.md", content)) == whole


def test_sniffing_counts_marks(tmp_path: Path) -> None:
    assert sniffed(FORMAT, tmp_path / "a.md", "plain") >= 0.2
    assert sniffed(FORMAT, tmp_path / "a.txt", "plain") < 0.2
    assert sniffed(FORMAT, tmp_path / "a.txt", "# T\n\n- a\n- b\n\n[x](y)\n") > 0.2
    assert sniffed(FORMAT, tmp_path / "a.md", b"%PDF-1.4") == 0.0
