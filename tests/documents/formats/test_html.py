"""HTML becomes what a reader of the page sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.formats.conservation import assert_conserves
from tests.documents.formats.reading import finished, shown, sniffed
from workbench.documents.blocks import BlockKind
from workbench.documents.draft import Draft
from workbench.documents.formats.html import FORMAT
from workbench.documents.formats.html.blocks import add_html
from workbench.documents.options import ReadOptions
from workbench.documents.source import ParseContext

TAGS = [
    "p", "div", "b", "table", "tr", "td", "th", "thead", "caption", "ul", "li", "dl", "dt", "dd", "pre", "h1", "h2",
    "label", "select", "option", "textarea", "script", "header", "nav", "body", "html", "title", "figure", "span",
]  # fmt: skip
SOUP = st.lists(
    st.sampled_from(
        [f"<{tag}>" for tag in TAGS]
        + [f"</{tag}>" for tag in TAGS]
        + ["text ", "中文", "<br>", "<input value=v>",
           "<input type=checkbox>", "<td rowspan=3 colspan=2>", "<!-- c -->", "&amp;",
           "\n", "<img alt='one two three'>", "<?x?>", "<", "\0", "\v"]
    ), max_size=40,
).map("".join)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(content=st.text(max_size=100) | SOUP)
def test_soup_is_read_and_all_that_was_written_is_in_blocks(tmp_path: Path, content: str) -> None:
    finished(FORMAT, tmp_path / "a.html", content, max_block_chars=64)


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        ("<h1>A  b</h1>c<h3>d</h3>", [("heading 1", "A b"), ("paragraph", "c"), ("heading 3", "d")]),
        ("<p>a <b>b</b>c<br>d<p>e", [("paragraph", "a bc\nd"), ("paragraph", "e")]),
        ("<ul><li>a<ul><li>b</ul>c<li>d</ul>", [
            ("list_item 1", "a"), ("list_item 2", "b"), ("list_item 1", "c"), ("list_item 1", "d")]),
        ("<dl><dt>t<dd>d</dl>", [("list_item 1", "t"), ("list_item 2", "d")]),
        ("<pre>\nx  y\n  z</pre>", [("code", "x  y\n  z")]),
        ("<figure><img alt='Sales by year'><figcaption>Fig 1</figcaption></figure>", [
            ("caption", "Sales by year"), ("caption", "Fig 1")]),
        ("a<script>b</script>c<style>d</style><template>e</template><p hidden>f</p>g", [("paragraph", "acg")]),
        ("a<span style='color:red;display: none'>b</span>c<!-- d -->e", [("paragraph", "ace")]),
        ("<label>Name</label> <input value=Bob><label>City <select><option>A<option selected>B</select></label>", [
            ("form_field", "Name Bob"), ("form_field", "City B")]),
        ("<input type=checkbox checked> <label>Yes</label><textarea>long</textarea>", [
            ("form_field", "[x] Yes"), ("form_field", "long")]),
        ("<title>T</title><p>a", [("heading 1", "T"), ("paragraph", "a")]),
        ("<title>T</title><h1>H</h1>", [("heading 1", "H")]),
    ],
)  # fmt: skip
def test_blocks_are_recognised(tmp_path: Path, content: str, blocks: list[tuple[str, str]]) -> None:
    assert shown(finished(FORMAT, tmp_path / "a.html", content)) == blocks


def test_page_furniture_is_marked_only_at_the_top_of_the_body(tmp_path: Path) -> None:
    content = (
        "<body><header><h1>T</h1><p>sub</p></header><nav>menu</nav><article><header>by X</header>text</article>"
        "<footer>(c)</footer></body>"
    )
    assert shown(finished(FORMAT, tmp_path / "a.html", content)) == [
        ("heading 1", "T"),
        ("header", "sub"),
        ("header", "menu"),
        ("paragraph", "by X"),
        ("paragraph", "text"),
        ("footer", "(c)"),
    ]


def test_tables_have_header_rows_and_spans_keep_columns(tmp_path: Path) -> None:
    content = (
        "<table><caption>Cap</caption><tr><th>A<th colspan=2>B<th>C<tr><td rowspan=2>x<td>1<td>2<td><p>3</p><p>4</p>"
        "<tr><td>5<td><td>6</table>"
    )
    done = finished(FORMAT, tmp_path / "a.html", content)
    assert shown(done) == [
        ("caption", "Cap"),
        ("table", ""),
        ("table_row", "A\tB\tC"),
        ("table_row", "x\t1\t2\t3\n4"),
        ("table_row", "5\t6"),
    ]
    assert done.columns.is_header.tolist() == [0, 0, 1, 0, 0]
    assert done.columns.column.tolist() == [-1, 0, 1, 3, 0, 1, 2, 3, 1, 3]


def test_a_table_that_arranges_the_page_is_no_table(tmp_path: Path) -> None:
    content = "<table><tr><td><p>a</p><table><tr><th>k<td>v</table></td><td>b</td></tr></table>"
    assert shown(finished(FORMAT, tmp_path / "a.html", content)) == [
        ("paragraph", "a"),
        ("table", ""),
        ("table_row", "k\tv"),
        ("paragraph", "b"),
    ]


@pytest.mark.parametrize("tags", ["<div>", "<b>", "<ul><li>", "<table><tr><td>", "<blockquote>"])
def test_hostile_nesting_loses_no_text(tmp_path: Path, tags: str) -> None:
    done = finished(FORMAT, tmp_path / "a.html", "<p>first</p>" + tags * 100_000 + "deep")
    assert done.texts == ["first", "deep"]
    assert [w.code for w in done.warnings] == ["nesting"]


def test_the_encoding_that_a_page_names_is_believed(tmp_path: Path) -> None:
    content = "<?xml version='1.0' encoding='gb2312'?><html><meta charset=gb2312><p>价格".encode("gbk")
    done = finished(FORMAT, tmp_path / "a.html", content)
    assert done.texts == ["价格"]


def test_locators_are_lines_of_the_source(tmp_path: Path) -> None:
    assert finished(FORMAT, tmp_path / "a.html", "<p>a</p>\n\n<p>b</p>").locators == ["line 1", "line 3"]


def test_a_page_without_text_is_reported(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.html", "<script>write()</script>")
    assert [str(w) for w in done.warnings] == [
        "a.html shows no text; if a script writes the page, save the page as displayed."
    ]


def test_another_format_may_append_html_to_its_draft() -> None:
    draft = Draft()
    draft.add(BlockKind.PARAGRAPH, draft.write("Hello\n"))
    add_html(draft, "<p>Dear all</p>", ParseContext(ReadOptions()), locator_prefix="body")
    done = assert_conserves(draft)
    assert done.texts == ["Hello", "Dear all"]
    assert done.locators == ["", "body line 1"]


@pytest.mark.parametrize(
    ("name", "content", "low"),
    [
        ("a", "<!DOCTYPE html><p>x", 0.95),
        ("a", "<!-- c -->\n<html>", 0.95),
        ("a", "<div><p>x</p></div>", 0.5),
        ("a.html", "no tags", 0.2),
    ],
)
def test_sniffing_finds_html(tmp_path: Path, name: str, content: str, low: float) -> None:
    assert sniffed(FORMAT, tmp_path / name, content) >= low


@pytest.mark.parametrize("content", ["a < b and c > d", b"%PDF-1.4 <html>", '<?xml version="1.0"?><rss></rss>'])
def test_sniffing_refuses_what_is_no_html(tmp_path: Path, content: str | bytes) -> None:
    assert sniffed(FORMAT, tmp_path / "a", content) == 0
