"""Plain text and logs become blocks without losing or changing a character."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.formats.reading import finished, parsed, shown, sniffed
from workbench.documents.formats.text import FORMAT
from workbench.errors import LimitExceeded

FRAGMENTS = st.lists(
    st.sampled_from(
        ["1. Scope\n", "\n", "\r\n", "  ", "- item\n", "(a) part\n", "ARTICLE IV\n", "第三章 总则\n", "===\n", "---\n",
         "中文。\n", "Some prose goes on\n", "    x = 1;\n", "\f", "\r", "Page 3 of 9\n", "Title ..... 12\n",
         "2024-01-01 10:00:00 INFO x\n", "\t", "\u2028", "\x1c", "word", "\u3000"]
    ), max_size=30,
).map("".join)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.text(max_size=300) | FRAGMENTS)
def test_no_text_is_lost_or_changed(tmp_path: Path, content: str) -> None:
    finished(FORMAT, tmp_path / "a.txt", content, max_block_chars=64)


def test_wrapped_lines_read_as_running_text(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.txt", "Net  sales\r\n  rose well-\r\nabove plan.\r\n\r\n价格上\r\n涨了。\r\n")
    assert shown(done) == [("paragraph", "Net  sales rose well-above plan."), ("paragraph", "价格上涨了。")]


@pytest.mark.parametrize(
    ("content", "level"),
    [
        ("Title\n=====\n\nx", 1),
        ("Title\n-----\nx", 2),
        ("ARTICLE IV\nThe parties agree.", 2),
        ("Section 3. Term\n\nx", 3),
        ("ITEM 1A. RISK FACTORS\n\nx", 2),
        ("第三章 经营情况\n本章说明。", 2),
        ("第一节 概述\n\n甲", 3),
        ("RISK FACTORS\n\nx", 2),
        ("2. Term of Agreement\n\nx", 3),
        ("2.1 Renewal\n\nx", 4),
    ],
)
def test_headings_are_recognised(tmp_path: Path, content: str, level: int) -> None:
    assert shown(finished(FORMAT, tmp_path / "a.txt", content))[0][0] == f"heading {level}"


@pytest.mark.parametrize(
    "content",
    [
        "Section 3 of the Act provides that it applies.\n\nx",
        "as required by\nSection 3\nof the Act.",
        "IBM, INC.,\n\nx",
        "2. the buyer pays;\n\nx",
        "第三条规定，公司应当披露信息。\n\nx",
        "AND\n\nx",
    ],
)
def test_what_is_no_clear_heading_stays_text(tmp_path: Path, content: str) -> None:
    assert not any(kind.startswith("heading") for kind, _ in shown(finished(FORMAT, tmp_path / "a.txt", content)))


def test_list_items_keep_their_marks_and_nest_by_style(tmp_path: Path) -> None:
    content = "The buyer:\n(a) pays\n    in full;\n    (i) in cash\n    (ii) at once\n(b) leaves.\n"
    assert shown(finished(FORMAT, tmp_path / "a.txt", content)) == [
        ("paragraph", "The buyer:"),
        ("list_item 1", "(a) pays in full;"),
        ("list_item 2", "(i) in cash"),
        ("list_item 2", "(ii) at once"),
        ("list_item 1", "(b) leaves."),
    ]


def test_indented_code_is_code_and_indented_prose_is_not(tmp_path: Path) -> None:
    content = "Run:\n\n    x = f(1)\n    return x;\n\n    The parties hereto agree as follows;\n"
    assert [kind for kind, _ in shown(finished(FORMAT, tmp_path / "a.txt", content))] == [
        "paragraph",
        "code",
        "paragraph",
    ]


def test_contents_and_page_numbers_have_kinds_of_their_own(tmp_path: Path) -> None:
    content = "Scope ........ 3\nTerm ......... 12\n\nPage 2 of 9\n\n-----\n"
    assert [kind for kind, _ in shown(finished(FORMAT, tmp_path / "a.txt", content))] == [
        "toc_entry",
        "toc_entry",
        "footer",
    ]


def test_a_log_has_one_block_an_entry_and_code_for_what_follows(tmp_path: Path) -> None:
    content = (
        "2024-01-01 10:00:00 INFO start\n2024-01-01 10:00:01 ERROR bad\n  File x\n    line 3\n"
        "2024-01-01 10:00:02 INFO end\n"
    )
    assert shown(finished(FORMAT, tmp_path / "a.log", content)) == [
        ("paragraph", "2024-01-01 10:00:00 INFO start"),
        ("paragraph", "2024-01-01 10:00:01 ERROR bad"),
        ("code", "  File x\n    line 3"),
        ("paragraph", "2024-01-01 10:00:02 INFO end"),
    ]


def test_form_feeds_begin_pages_and_recurring_edges_are_furniture(tmp_path: Path) -> None:
    content = "\f".join(f"RFC 793   Title\n\nText of page {n} differs.\n\nPostel  [Page {n}]\n" for n in range(1, 5))
    done = finished(FORMAT, tmp_path / "a.txt", content)
    assert len(done.pages) == 4
    assert shown(done)[3:6] == [
        ("header", "RFC 793   Title"),
        ("paragraph", "Text of page 2 differs."),
        ("footer", "Postel  [Page 2]"),
    ]


def test_too_many_pages_are_refused_or_left_out_by_name(tmp_path: Path) -> None:
    with pytest.raises(LimitExceeded, match=r"^a\.txt has 4 pages; raise max_pages, or set partial=True"):
        parsed(FORMAT, tmp_path / "a.txt", "a\fb\fc\fd", max_pages=2)
    done = finished(FORMAT, tmp_path / "a.txt", "a\fb\fc\fd", max_pages=2, partial=True)
    assert done.texts == ["a", "b"]
    assert str(done.warnings[0]) == "Only the first 2 of 4 pages of a.txt were read (max_pages)."


def test_time_that_is_up_is_an_error_or_a_named_rest(tmp_path: Path) -> None:
    content = "word\n\n" * 2_000
    with pytest.raises(LimitExceeded, match=r"^a\.txt took longer than 1e-09 s to read"):
        parsed(FORMAT, tmp_path / "a.txt", content, max_seconds=1e-9)
    done = finished(FORMAT, tmp_path / "a.txt", content, max_seconds=1e-9, partial=True)
    assert done.texts == []
    assert done.exclusions[-1].reason == "not read: max_seconds"
    assert [str(warning) for warning in done.warnings] == [
        "Reading a.txt ended after its first part, because its 1e-09 s were up (max_seconds)."
    ]


def test_more_blocks_than_allowed_end_the_reading(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.txt", "word\n\n" * 2_000, max_blocks=10)
    assert len(done.texts) == 11
    assert done.exclusions[-1].reason == "beyond max_blocks"
    assert done.warnings == []


def test_white_space_alone_is_reported(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.txt", " \n\t\n")
    assert done.texts == []
    assert [str(w) for w in done.warnings] == ["a.txt holds only white space; there is nothing to read in it."]


def test_one_endless_line_is_cut_at_sentences(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.txt", "It rose by three percent in May. " * 5_000)
    assert max(map(len, done.texts)) <= 512
    assert all(text.endswith(".") for text in done.texts)


def test_sniffing_accepts_text_and_refuses_binary(tmp_path: Path) -> None:
    assert sniffed(FORMAT, tmp_path / "a.txt", "Hello") == 0.2
    assert sniffed(FORMAT, tmp_path / "a.txt", b"%PDF-1.4") == 0.0


@pytest.mark.data
def test_contracts_keep_their_clauses(tmp_path: Path, data_dir: Path) -> None:
    for path in sorted((data_dir / "cuad" / "full_contract_txt").glob("*.txt")):
        done = finished(FORMAT, tmp_path / "a.txt", path.read_bytes())
        assert max(map(len, done.texts)) <= 512
    titles = [text for kind, text in shown(done) if kind.startswith("heading")]
    assert "Exhibit A" in titles


@pytest.mark.data
def test_chinese_paragraphs_are_cut_at_chinese_stops(tmp_path: Path, data_dir: Path) -> None:
    articles = json.loads((data_dir / "xquad" / "xquad.zh.json").read_text(encoding="utf-8"))["data"]
    contexts = [p["context"] for article in articles for p in article["paragraphs"]]
    done = finished(FORMAT, tmp_path / "a.txt", "\n\n".join(contexts), max_block_chars=128)
    assert len(done.texts) > len(contexts)
    assert max(map(len, done.texts)) <= 128
