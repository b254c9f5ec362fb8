"""What was skipped, by section."""

from __future__ import annotations

from tests.reading.made import CHINESE, FOOTER, Made, manual
from tests.reading.strategies import basis_of
from workbench.reading.cuts import Threshold, TokenShare
from workbench.reading.reading import reading_of
from workbench.relevance.scores import Scale


def test_skipped_blocks_are_counted_by_section() -> None:
    reading = reading_of(basis_of(manual(), [0.0, 0.1, 0.9, 0.2, 0.3, 0.4, 0.5, 0.1, 0.1, 0.2]), Threshold(0.65))
    skipped = reading.skipped
    assert [section.titles for section in skipped] == [
        ("The plant", "Backups"),
        ("The plant", "Alarms"),
        ("The plant", "Cleaning"),
    ]
    # A heading belongs to the section that it opens; that of a kept block is context.
    assert [section.block_ids for section in skipped] == [(3,), (4, 5, 6), (7, 8, 9)]
    assert [section.tokens for section in skipped] == [12, 22, 14]
    assert skipped[1].best_relevance == skipped[1].best_priority == 0.5
    assert skipped.top(2) == (6, 5) and skipped.top(0) == ()
    assert repr(skipped) == (
        "Skipped(7 blocks in 3 sections, 48 tokens)\n"
        "  The plant > Backups (p1): 1 block, 12 tokens, best priority 0.20\n"
        "  The plant > Alarms (p1): 3 blocks, 22 tokens, best priority 0.50\n"
        "  The plant > Cleaning (p1): 3 blocks, 14 tokens, best priority 0.20"
    )


def test_what_has_no_section_has_a_name_all_the_same() -> None:
    made = Made().page().text("Preface.").heading("One").text("Text.").text("Page 1", kind=FOOTER).page()
    document = made.text("More.").text("Page 2", kind=FOOTER).document()
    reading = reading_of(basis_of(document, [0.1] * 6, scale=Scale.UNCALIBRATED), TokenShare(0.01, 0))
    assert [(section.title, section.block_ids, section.pages) for section in reading.skipped] == [
        ("One", (1, 2, 4), (1, 2)),
        ("(running headers and footers)", (3, 5), (1, 2)),
    ]
    nothing = reading_of(basis_of(document, [0.0] * 6), Threshold(0.5)).skipped
    assert nothing[0].title == "(no section)"


def test_the_frame_has_a_row_a_section() -> None:
    reading = reading_of(basis_of(manual(CHINESE, language="zh"), [0.0] * 10), Threshold(0.5))
    frame = reading.skipped.to_frame()
    assert list(frame.columns) == [
        "section",
        "blocks",
        "tokens",
        "best_relevance",
        "best_priority",
        "first_page",
        "last_page",
        "block_ids",
    ]
    assert frame["section"].tolist() == ["工厂手册", "工厂手册 > 备份", "工厂手册 > 报警", "工厂手册 > 清洁"]
    assert frame["tokens"].sum() == reading.saving.tokens_total
    empty = reading_of(basis_of(manual(), [1.0] * 10), Threshold(0.5)).skipped
    assert len(empty) == 0 and len(empty.to_frame()) == 0 and empty.block_ids == () and empty.tokens == 0


def test_titles_are_escaped() -> None:
    document = Made().heading("<b>$1</b>").text("x").document()
    found = reading_of(basis_of(document, [0.0, 0.0]), Threshold(0.5)).skipped._repr_html_()
    assert "&lt;b&gt;$1&lt;/b&gt;" in found and "mathjax_ignore tex2jax_ignore" in found


def test_many_sections_are_shortened_in_the_repr() -> None:
    made = Made()
    for number in range(20):
        made.heading(f"Section {number}").text("Text.")
    reading = reading_of(basis_of(made.document(), [0.0] * 40), Threshold(0.5))
    assert repr(reading.skipped).splitlines()[-1] == "  … and 8 more sections"
