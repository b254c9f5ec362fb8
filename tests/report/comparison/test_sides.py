"""What is compared with what: one ruler for both sides, one opened document, and what a name costs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.reading.made import Made
from tests.reading.strategies import basis_of
from tests.report.made import MANUAL, bundled, words_alone
from workbench import ReadOptions, open_document
from workbench.documents import Document
from workbench.errors import InvalidOption
from workbench.reading import Reading, TokenShare
from workbench.reading.cuts import Threshold
from workbench.reading.reading import reading_of
from workbench.report.comparison.comparing import ComparisonContents, SectionBeside, compared
from workbench.report.comparison.sides import Sides
from workbench.resources import datasets_dir

QUESTION = "What triggers a backup?"
PLACE = datasets_dir() / "dev" / "documents" / MANUAL


class Letters:
    """Counts letters: many more than any other tokenizer finds tokens."""

    name = "letters"

    def count(self, texts: Sequence[str]) -> npt.NDArray[np.int64]:
        return np.array([len(text) for text in texts], np.int64)


def two(left: Reading, right: Reading, **options: object) -> ComparisonContents:
    return compared(left, right, **{"names": ("A", "B"), "what": "settings", **options})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def reading() -> Reading:
    return words_alone(min_tokens=200).read(bundled(MANUAL), QUESTION)


@pytest.fixture
def renamed(tmp_path: Path) -> Document:
    return open_document(Path(shutil.copy(PLACE, tmp_path / "the-manual-of-the-harbour-office-as-of-may.md")))


def test_a_side_that_was_counted_with_another_tokenizer_is_counted_again(reading: Reading) -> None:
    counted = reading_of(
        basis_of(reading.document, reading.scores.relevance.tolist(), scale=reading.scores.scale, tokenizer=Letters()),
        TokenShare(0.1, 200),
    )
    sides = Sides(reading, counted, ("A", "B"))
    ruler = reading.basis.tokenizer
    assert sides.read[1] == int(ruler.count([counted.kept_text])[0]) < counted.saving.rendered_tokens
    kept = counted.decision.kept
    assert sides.costs[1][kept].tolist() == reading.basis.tokens[kept].tolist()
    found = two(reading, counted)
    assert ("what counts tokens", "o200k_base", "letters") in [(c.name, c.left, c.right) for c in found.changes]
    assert found.assumption.endswith("B was decided with counts of letters; both are counted alike here.")


def test_a_kept_text_that_is_longer_than_the_document_skips_nothing(reading: Reading) -> None:
    whole = reading.with_token_share(TokenShare(1.0, 1))
    every = reading_of(whole.basis, Threshold(0.0, whole.scores.scale), None)
    sides = Sides(every, every, ("A", "B"))
    assert sides.read[0] > sides.total
    assert sides.share_skipped(0) == 0.0
    (share,) = (row for row in two(every, every).figures if row.name == "share skipped")
    assert share.left == "0\u00a0%"


def test_one_file_that_was_cut_into_blocks_otherwise_is_refused(reading: Reading) -> None:
    other = open_document(PLACE, options=ReadOptions(max_block_chars=200))
    assert other.sha256 == reading.document.sha256 and len(other) != len(reading)
    with pytest.raises(InvalidOption) as refused:
        Sides(reading, words_alone().read(other, QUESTION), ("A", "B"))
    assert str(refused.value) == (
        f"harbor-manual.md was opened with other options for each reading, so that block numbers mean other texts (53 "
        f"and {len(other)} blocks); read one opened document twice."
    )


def test_context_comes_after_what_needs_it_however_well_it_fits() -> None:
    made = Made().page().heading("Prices").text("Three euro.", "Four euro.").document()
    # The heading fits best, and a rule takes it below the cut.
    none, some = (
        reading_of(basis_of(made, [high, high * 0.8, high * 0.7], weights=[0.1, 1.0, 1.0]), Threshold(0.5))
        for high in (0.0, 0.9)
    )
    found = two(none, some)
    assert [block.block_id for block in found.losses[0].blocks] == [1, 2, 0]
    (section,) = found.sections
    assert isinstance(section, SectionBeside)


def test_a_name_is_told_for_it_stands_in_the_line_of_coverage(reading: Reading, renamed: Document) -> None:
    other = words_alone(min_tokens=200).read(renamed, QUESTION)
    found = two(reading, other)
    assert [(change.name, change.left, change.right) for change in found.changes] == [
        ("the name of the file", "harbor-manual.md", renamed.name)
    ]
    assert found.changes[0].effect == "It stands in the line of coverage, whose tokens count."
    more = other.saving.rendered_tokens - reading.saving.rendered_tokens
    assert more > 0
    assert re.fullmatch(
        rf"“B” reads {more} more tokens than “A”: only the line of coverage differs, and both keep the same "
        r"\d+ blocks\.",
        found.verdict,
    )


def test_nothing_differs_is_never_said_beside_a_difference(reading: Reading, renamed: Document) -> None:
    other = words_alone(min_tokens=200).read(renamed, QUESTION)
    for budget in range(300, 420, 10):
        found = two(reading.with_budget(budget), other.with_budget(budget))
        assert found.nothing == ""
        assert not found.verdict.startswith("Nothing was changed")
    changed = reading_of(replace(reading.basis, scored=words_alone().read(renamed, "Who?").scores), reading.cut)
    found = two(reading, changed)
    assert found.changes == ()
    assert found.nothing == (
        "Question, rules, cut and model are the same, and still the two decide otherwise: the scores differ, or "
        "how the document is built."
    )


def test_what_stands_under_no_heading_is_not_called_a_section() -> None:
    made = Made().page().text("One euro.", "Two euro.").document()
    none, every = (reading_of(basis_of(made, [at, at]), Threshold(0.5)) for at in (0.0, 0.9))
    assert two(none, every).verdict.startswith("“B” reads ")
    assert ": it adds 2 blocks, all under no heading; " in two(none, every).verdict
    assert ": it drops 2 blocks, all under no heading; " in two(every, none).verdict


def test_tokens_are_fewer_and_more(reading: Reading) -> None:
    short = reading.with_token_share(TokenShare(0.05, 50))
    less = reading.saving.rendered_tokens - short.saving.rendered_tokens
    assert less > 1
    assert two(reading, short).verdict.startswith(f"“B” reads {less:,} fewer tokens than “A”: it drops ")
    assert two(short, reading).verdict.startswith(f"“B” reads {less:,} more tokens than “A”: it adds ")


def test_every_other_pair_is_two_readings_of_one_document(reading: Reading) -> None:
    assert two(reading, reading.with_budget(500)).title == "Two readings of one document"
    assert two(reading, reading.with_budget(500), language="zh").title == "同一文档，两次读取"
