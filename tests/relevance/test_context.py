"""What a block is scored with: headings, table headers, and the units that are embedded for it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.documents import Document, open_document
from workbench.documents.blocks import FURNITURE, BlockKind
from workbench.errors import InvalidOption
from workbench.relevance.context import PassageOptions, Passages, passages
from workbench.relevance.units import end_of, start_of, word_count

Read = Callable[..., Document]

TABLE = """\
# Results

Net sales by segment were as follows.

| Segment | 2018 | 2017 |
| --- | --- | --- |
| Industrial | 12,267 | 11,866 |
| Health care | 6,021 | 5,853 |
| 12 | 13 | 14 |
"""


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def reading(text: str, suffix: str = ".md") -> Document:
        path = tmp_path / f"made{suffix}"
        path.write_text(text, encoding="utf-8")
        return open_document(path)

    return reading


def at(document: Document, text: str) -> int:
    """The block that begins with a text."""
    return next(block for block, found in enumerate(document.texts) if found.startswith(text))


def check(document: Document, found: Passages) -> None:
    """What holds for the passages of every document."""
    assert len(found) == len(document) == len(found.context) == len(found.first) - 1
    assert found.first[0] == 0
    assert found.first[-1] == len(found.unit) == len(found.own)
    assert (np.diff(found.first) >= 0).all()
    assert sorted(set(found.unit.tolist())) == list(range(len(found.units)))
    assert all(unit.strip() for unit in found.units)
    sums = np.add.reduceat(found.own, found.first[:-1][found.has_unit]) if len(found.unit) else found.own
    assert sums == pytest.approx(np.ones(len(sums)), abs=1e-5)
    for block in document.blocks:
        if block.kind in FURNITURE or block.kind is BlockKind.TABLE:
            assert not found.has_unit[block.block_id]
        elif any(map(str.isalpha, block.text)):
            assert found.has_unit[block.block_id]


def test_the_context_is_the_nearest_headings(read: Read) -> None:
    document = read("# One\n\n## Two\n\n### Three\n\n#### Four\n\nThe text.\n")
    text = at(document, "The text.")
    assert passages(document).context[text] == "Two\nThree\nFour"
    assert passages(document, PassageOptions(headings=1)).context[text] == "Four"
    assert passages(document, PassageOptions(headings=0)).context[text] == ""
    assert passages(document).context[0] == ""


def test_the_context_of_a_row_has_the_header_of_its_table(read: Read) -> None:
    document = read(TABLE)
    found = passages(document)
    assert found.context[at(document, "Industrial")] == "Results\nSegment\t2018\t2017"
    assert found.context[at(document, "Segment")] == "Results"


def test_a_caption_names_the_rows_and_the_unit_of_its_table(sample_dir: Path) -> None:
    document = open_document(sample_dir / "release-notes.html")
    caption = next(block for block in document.blocks if block.kind is BlockKind.CAPTION)
    row = next(block for block in document.blocks if block.kind is BlockKind.TABLE_ROW and not block.is_header)
    found = passages(document)
    assert caption.text in found.context[row.block_id].split("\n")
    assert found.units_of(row.block_id)[0].startswith(caption.text)


def test_a_table_is_one_unit_under_what_names_it(read: Read) -> None:
    document = read(TABLE)
    found = passages(document)
    rows = [at(document, start) for start in ("Segment", "Industrial", "Health care", "12")]
    unit = "Results\nSegment 2018 2017\nIndustrial 12,267 11,866\nHealth care 6,021 5,853\n12 13 14"
    assert {found.units_of(row) for row in rows} == {(unit,)}
    assert not found.has_unit[document.columns.table[rows[0]]]


def test_a_long_table_is_several_units_with_the_header_in_each(read: Read) -> None:
    rows = "".join(f"| Item number {rank} of the list | {rank} |\n" for rank in range(40))
    document = read(f"# List\n\n| Name of the item | Count |\n| --- | --- |\n{rows}")
    found = passages(document, PassageOptions(table_words=60))
    assert len(found.units) > 4
    tables = found.units[1:]
    assert all(unit.startswith("List\nName of the item Count") for unit in tables)
    assert all(word_count(unit) <= 60 for unit in tables)
    assert "Item number 39" in tables[-1]
    check(document, found)


def test_a_row_that_is_a_text_has_a_unit_of_its_own(read: Read) -> None:
    long = "The supplier shall deliver the goods in the month that follows the order. " * 3
    document = read(
        f"| Clause | Text |\n| --- | --- |\n| Delivery | {long} |\n| Price | Fixed |\n| Term | One year |\n"
    )
    found = passages(document)
    delivery, price, term = (found.units_of(at(document, start)) for start in ("Delivery", "Price", "Term"))
    assert delivery[0].startswith("Clause Text\nDelivery The supplier")
    assert price == term == ("Clause Text\nPrice Fixed\nTerm One year",)


def test_a_header_that_is_a_text_is_not_repeated(read: Read) -> None:
    header = "What the parties have agreed on in this matter and in all others of its kind"
    document = read(f"| {header} | Since |\n| --- | --- |\n" + "| Delivery of the goods | 2018 |\n" * 8)
    found = passages(document, PassageOptions(table_words=20))
    assert [header in unit for unit in found.units].count(True) == 1
    assert len(found.units) > 1
    check(document, found)


def test_running_lines_and_blocks_without_letters_have_no_unit(sample_dir: Path) -> None:
    document = open_document(sample_dir / "annual-report.pdf")
    kinds = {block.kind for block in document.blocks}
    assert set(FURNITURE) <= kinds
    check(document, passages(document))


def test_a_block_of_digits_has_no_unit(read: Read) -> None:
    document = read("Some words.\n\n1984\n\n* * *\n", ".txt")
    found = passages(document)
    assert [found.units_of(block) for block in range(len(document))][:2] == [("Some words.",), ()]


def test_a_long_block_is_read_in_windows_that_end_with_sentences(read: Read) -> None:
    document = read(" ".join(f"This is sentence number {rank} of the block." for rank in range(12)))
    found = passages(document, PassageOptions(window_words=20))
    units = found.units_of(0)
    assert len(units) > 4
    assert all(unit.rstrip().endswith("block.") for unit in units)
    assert "".join(units) == document.texts[0]
    check(document, found)


def test_a_long_chinese_block_is_read_in_windows(read: Read) -> None:
    document = read("本公司应当在每年三月底之前公布年度报告。" * 20)
    found = passages(document, PassageOptions(window_words=40))
    assert len(found.units) == 10
    assert all(unit.endswith("。") for unit in found.units)
    check(document, found)


def test_the_short_items_of_a_list_share_a_unit_with_the_line_that_leads_to_them(read: Read) -> None:
    document = read("# Kit\n\nIt has:\n\n- a hammer\n- a saw\n\n# 食物\n\n有：\n\n- 面包\n- 水果\n")
    found = passages(document)
    assert found.units == ("Kit", "It has:\na hammer\na saw", "食物", "有：\n面包\n水果")
    check(document, found)
    assert len(passages(document, PassageOptions(list_words=0)).units) == 8


def test_a_long_item_of_a_list_has_a_unit_of_its_own(read: Read) -> None:
    document = read("- a hammer\n- " + "very " * 40 + "long saws\n- nails\n")
    assert [unit.count("\n") for unit in passages(document).units] == [0, 0, 0]


def test_short_blocks_share_a_unit_on_a_page_of_tables_and_nowhere_else(read: Read) -> None:
    document = read(TABLE + "\nAll sales are net.\n\nThe year ends in May.\n")
    last = "All sales are net.\nThe year ends in May."
    assert passages(document).units[-1] == last
    assert passages(document, PassageOptions(table_page=1.0)).units[-1] == "The year ends in May."
    assert passages(document, PassageOptions(merge_words=0)).units[-1] == "The year ends in May."
    prose = read("All sales are net.\n\nThe year ends in May.\n")
    assert len(passages(prose).units) == 2
    assert passages(prose, PassageOptions(table_page=0.0)).units == (last,)


def test_a_shared_unit_has_a_limit_and_ends_with_its_section(read: Read) -> None:
    document = read("# One\n\n" + "- five words are in here\n" * 9 + "\n# Two\n\n- the last one\n")
    found = passages(document, PassageOptions(window_words=20))
    assert [word_count(unit) for unit in found.units] == [1, 20, 20, 5, 1, 3]
    check(document, found)


def test_headings_stand_before_a_unit_where_told(read: Read) -> None:
    document = read("# 制度\n\n## 报销\n\n员工应在十日内提交票据。\n")
    text = at(document, "员工")
    assert passages(document).units_of(text) == ("员工应在十日内提交票据。",)
    found = passages(document, PassageOptions(unit_headings=2))
    assert found.units_of(text) == ("制度 > 报销\n员工应在十日内提交票据。",)


def test_neighbours_stand_around_a_unit_where_told(read: Read) -> None:
    document = read("One two three four five.\n\nThe block.\n\nSix seven eight nine ten.\n", ".txt")
    found = passages(document, PassageOptions(overlap_ratio=0.2))
    assert found.units_of(1) == ("five.\nThe block.\nSix seven",)
    assert document.texts[1] == "The block."
    assert passages(document).units_of(1) == ("The block.",)


@pytest.mark.parametrize("text", ["", "a", "净利润增长了百分之三", "one two three", "unbroken" * 9])
@pytest.mark.parametrize("ratio", [0.0, 0.2, 0.5])
def test_the_ends_of_a_text_cut_no_word(text: str, ratio: float) -> None:
    assert text.startswith(start_of(text, ratio))
    assert text.endswith(end_of(text, ratio))
    assert set(start_of(text, ratio).split()) <= set(text.split()) | {start_of(text, ratio)}


def test_the_best_unit_decides_and_blocks_without_one_have_the_given_score(read: Read) -> None:
    document = read("First. " * 30 + "\n\n1984\n\nLast one.\n", ".txt")
    found = passages(document, PassageOptions(window_words=20))
    scores = np.linspace(0.1, 0.9, len(found.units), dtype=np.float32)
    best = found.best(scores, -1.0)
    assert best[1] == -1.0
    assert best[-1] == pytest.approx(0.9)
    assert best[0] == pytest.approx(float(scores[-2]))


def test_the_share_read_of_a_block_is_that_of_its_units(read: Read) -> None:
    document = read("First. " * 30 + "\n\n1984\n", ".txt")
    found = passages(document, PassageOptions(window_words=20))
    assert found.share_read(np.ones(len(found.units), np.float32)).tolist() == pytest.approx([1.0, 0.0])
    assert found.share_read(np.full(len(found.units), 0.5, np.float32)).tolist() == pytest.approx([0.5, 0.0])


def test_an_empty_document_has_no_units(read: Read) -> None:
    document = read("| |\n| --- |\n| 1 |\n")
    found = passages(document)
    assert found.units == ()
    assert found.best(np.zeros(0, np.float32), 0.0).tolist() == [0.0] * len(document)
    assert found.share_read(np.zeros(0, np.float32)).tolist() == [0.0] * len(document)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"headings": -1}, "headings is -1; give a whole number from 0 on."),
        ({"table_words": 5}, "table_words is 5; give a whole number from 20 on."),
        ({"merge_words": True}, "merge_words is True; give a whole number from 0 on."),
        ({"table_page": 1.5}, "table_page is 1.5; give a number from 0 to 1."),
        ({"overlap_ratio": 0.7}, "overlap_ratio is 0.7; give a number from 0 to 0.5."),
    ],
)
def test_options_have_a_range(options: dict[str, int], message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        PassageOptions(**options)
    assert str(caught.value) == message


def test_other_options_have_another_key() -> None:
    keys = {
        PassageOptions(**{name: value}).key() for name, value in (("headings", 1), ("merge_words", 9), ("headings", 2))
    }
    assert len(keys | {PassageOptions().key()}) == 4
    assert PassageOptions().key() == PassageOptions(headings=3).key()


OPTIONS = st.builds(
    PassageOptions,
    headings=st.integers(0, 4),
    unit_headings=st.integers(0, 3),
    overlap_ratio=st.sampled_from([0.0, 0.2, 0.5]),
    merge_words=st.sampled_from([0, 5, 30]),
    list_words=st.sampled_from([0, 5, 30]),
    table_page=st.sampled_from([0.0, 0.2, 1.0]),
    table_words=st.integers(20, 60),
    row_words=st.integers(1, 30),
    window_words=st.integers(20, 60),
)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_bundled_documents_are_read_whole_with_all_options(sample_dir: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(path.name for path in sample_dir.iterdir())))
    document = open_document(sample_dir / name)
    options = data.draw(OPTIONS)
    found = passages(document, options)
    check(document, found)
    again = passages(document, options)
    assert (again.units, again.context) == (found.units, found.context)
    assert again.unit.tobytes() == found.unit.tobytes()
    for block, (low, high) in enumerate(pairwise(found.first.tolist())):
        if high - low == 1 and found.own[low] == 1.0 and document.columns.table[block] == -1:
            assert document.texts[block] in found.units[found.unit[low]]
