"""Plain text and logs become blocks without losing or changing a character."""

from __future__ import annotations

import json
from itertools import pairwise
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
        ("Aim\n=====\n\nx", 1),
        ("Aims\n-----\nx", 2),
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
    """Levels are told by what stands above: a title of level 1 and a heading of each level between."""
    above = "North Company\n\nPART I\n\nMarket\n------\n\nSection 1. Aim\n\n"
    kinds = [kind for kind, _ in shown(finished(FORMAT, tmp_path / "a.txt", f"{above}{content}"))]
    assert kinds[:4] == ["heading 1", "heading 2", "heading 3", "heading 4"]
    assert kinds[4] == f"heading {level + 1}"
    assert shown(finished(FORMAT, tmp_path / "b.txt", content))[0][0] == "heading 1"


TITLES = [
    ("NORTHFIELD COOPERATIVE\nTRAVEL AND EXPENSES POLICY\n\n", "NORTHFIELD COOPERATIVE TRAVEL AND EXPENSES POLICY"),
    ("Travel policy of the cooperative\n\n", "Travel policy of the cooperative"),
    ("\n\nEmployment Agreement with Acme Inc.\n\n", "Employment Agreement with Acme Inc."),
    ("北田合作社差旅与报销制度\n\n", "北田合作社差旅与报销制度"),
    ("2024 年年度报告\n（修订版）\n\n", "2024 年年度报告（修订版）"),
]


@pytest.mark.parametrize(("top", "title"), TITLES)
def test_lines_alone_at_the_top_are_the_title_above_all_headings(tmp_path: Path, top: str, title: str) -> None:
    body = "1. PURPOSE\n\nSome text.\n\n1.1 Scope\n\nMore text.\n\n2. APPROVAL\n\nAll else.\n"
    done = shown(finished(FORMAT, tmp_path / "a.txt", top + body))
    assert [block for block in done if block[0].startswith("heading")] == [
        ("heading 1", title),
        ("heading 2", "1. PURPOSE"),
        ("heading 3", "1.1 Scope"),
        ("heading 2", "2. APPROVAL"),
    ]


@pytest.mark.parametrize(
    "top",
    [
        "This policy says what is paid.",
        "此制度规定差旅费用的报销。",
        "the travel policy",
        "Dear Ms Smith",
        "From: Ilse Marttinen",
        "- Travel",
        "x = compute(1)",
        "Name      Price",
        "Travel\nand\nexpenses\npolicy",
        "12 345",
        "A",
    ],
)
def test_other_first_lines_are_no_title(tmp_path: Path, top: str) -> None:
    kinds = [kind for kind, _ in shown(finished(FORMAT, tmp_path / "a.txt", f"{top}\n\nSome text.\n"))]
    assert not kinds[0].startswith("heading")


def test_a_line_alone_is_no_title_of_anything(tmp_path: Path) -> None:
    assert shown(finished(FORMAT, tmp_path / "a.txt", "Travel policy\n")) == [("paragraph", "Travel policy")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=FRAGMENTS)
def test_headings_begin_at_one_and_leave_no_level_out(tmp_path: Path, content: str) -> None:
    kinds = [kind for kind, _ in shown(finished(FORMAT, tmp_path / "a.txt", content))]
    levels = [0, *(int(kind.split()[1]) for kind in kinds if kind.startswith("heading"))]
    assert all(1 <= after <= before + 1 for before, after in pairwise(levels))


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


def test_clauses_need_no_blank_lines(tmp_path: Path) -> None:
    content = (
        "SERVICE AGREEMENT\nARTICLE I\nDEFINITIONS\nSection 1.1 Terms. The following terms apply\nto all of it.\n"
        "Section 1.2 Other. More terms apply here and so on.\nARTICLE II\nPayment\nSection 2.1 Fees\n"
        "The Client shall pay the fees.\nARTICLE III - TERM\nIt is a year.\n"
    )
    assert shown(finished(FORMAT, tmp_path / "a.txt", content)) == [
        ("heading 1", "SERVICE AGREEMENT"),
        ("heading 2", "ARTICLE I DEFINITIONS"),
        ("paragraph", "Section 1.1 Terms. The following terms apply to all of it."),
        ("paragraph", "Section 1.2 Other. More terms apply here and so on."),
        ("heading 2", "ARTICLE II Payment"),
        ("heading 3", "Section 2.1 Fees"),
        ("paragraph", "The Client shall pay the fees."),
        ("heading 2", "ARTICLE III - TERM"),
        ("paragraph", "It is a year."),
    ]


def test_chinese_clauses_need_no_blank_lines(tmp_path: Path) -> None:
    content = (
        "采购合同\n\n第一章 总则\n第一条 本合同由双方签订。\n第二条 甲方应当支付价款；乙方应当\n交付货物。\n"
        "第二章 价款与支付\n第三条 合同总价为人民币100万元。\n（一）首付款30%；\n（二）尾款70%。\n第三章 违约责任\n"
    )
    assert shown(finished(FORMAT, tmp_path / "a.txt", content)) == [
        ("heading 1", "采购合同"),
        ("heading 2", "第一章 总则"),
        ("paragraph", "第一条 本合同由双方签订。"),
        ("paragraph", "第二条 甲方应当支付价款；乙方应当交付货物。"),
        ("heading 2", "第二章 价款与支付"),
        ("paragraph", "第三条 合同总价为人民币100万元。"),
        ("list_item 1", "（一）首付款30%；"),
        ("list_item 1", "（二）尾款70%。"),
        ("heading 2", "第三章 违约责任"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "The price is payable at the times and in the manner that are set out in\nSection 4.2 of this Agreement.",
        "The price is payable at the times that are set out in\nSection 4.2. Each party bears the costs of its own.",
        "Nothing in this Agreement limits the rights of the Buyer under\nARTICLE IV\nor those of any third party.",
        "Each party may end the Agreement by written notice to the other as\nprovided in Section 3,\nSection 5 "
        "Termination and Section 7 Notices, whichever of them applies to the case.",
        "甲方未按照约定支付价款的，乙方有权依照本合同的约定解除合同，并按\n第三条 价款\n的规定要求赔偿。",
        "甲方未按照约定支付价款的，乙方有权解除合同。\n第三条的规定不受影响。",
    ],
)
def test_wrapped_sentences_that_mention_a_clause_stay_whole(tmp_path: Path, content: str) -> None:
    assert [kind for kind, _ in shown(finished(FORMAT, tmp_path / "a.txt", content))] == ["paragraph"]


def test_a_title_that_goes_on_with_its_text_is_no_heading(tmp_path: Path) -> None:
    content = "Section 1.1 Terms. The following terms apply.\n\nSection 1.2 Other. More of them.\n"
    assert [kind for kind, _ in shown(finished(FORMAT, tmp_path / "a.txt", content))] == ["paragraph", "paragraph"]


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


@pytest.mark.parametrize(
    "entry",
    [
        "\x1b[32m2024-01-01 10:00:00\x1b[0m \x1b[1mINFO\x1b[0m worker {} started",
        "[\x1b[1;33mWARN\x1b[0m] worker {} waits",
        "\x1b[90m10:00:00\x1b[39m worker {} \x1b[38;5;9mfailed\x1b[0m\a",
    ],
)
def test_a_log_in_colours_is_a_log(tmp_path: Path, entry: str) -> None:
    entries = [entry.format(number) for number in range(5)]
    for line_break in ("\n", "\r"):
        done = finished(FORMAT, tmp_path / "a.log", line_break.join(entries))
        assert done.texts == entries


def test_a_carriage_return_alone_ends_a_line(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.txt", "Some text that\rgoes on.\r\rMore text.\r")
    assert done.texts == ["Some text that goes on.", "More text."]


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
