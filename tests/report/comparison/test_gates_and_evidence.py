"""What a gate that reads a document whole leaves of a comparison, and whose evidence is lost."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.made import AGREEMENT, MANUAL, PAYMENT, bundled, gated, words_alone
from workbench.errors import InvalidOption
from workbench.gate.gate import GateDecision
from workbench.reading import Reading, Threshold
from workbench.report.comparison.comparing import ComparisonContents, FigureRow, compared
from workbench.report.reading_contents import reading_contents

BACKUP, RESTORE = "What triggers a backup?", "Who may restore?"


@pytest.fixture(scope="module")
def pair() -> tuple[Reading, Reading]:
    reader = words_alone(min_tokens=200)
    return reader.read(bundled(MANUAL), BACKUP), reader.read(bundled(MANUAL), RESTORE)


def native(reading: Reading) -> GateDecision:
    found = gated(reading, native=0.98, force=0.99)
    assert found.route.value == "native"
    return found


def two(left: Reading, right: Reading, **options: object) -> ComparisonContents:
    return compared(left, right, **{"names": ("A", "B"), "what": "questions", **options})  # type: ignore[arg-type]


def figures(found: ComparisonContents) -> dict[str, FigureRow]:
    return {row.name: row for row in found.figures}


def only(left: Reading, right: Reading) -> list[int]:
    """Blocks with text that the left side keeps and the right side skips."""
    return np.flatnonzero(left.decision.kept & ~right.decision.kept & left.basis.has_text).tolist()


def test_blocks_pages_and_tokens_are_those_of_the_readings(pair: tuple[Reading, Reading]) -> None:
    found = figures(two(*pair))
    for side, reading in zip(("left", "right"), pair, strict=True):
        saving = reading_contents(reading).saving
        assert getattr(found["blocks kept"], side) == f"{saving.blocks_kept:,} of {saving.blocks_total:,}"
        assert getattr(found["pages touched"], side) == f"{saving.pages_touched:,} of {saving.pages_total:,}"
        assert getattr(found["tokens that the model reads"], side) == f"{saving.rendered:,} of {saving.tokens_total:,}"


def test_two_sides_that_are_read_whole_save_and_lose_nothing(pair: tuple[Reading, Reading]) -> None:
    left, right = pair
    mine = only(left, right)
    found = two(left, right, gates=(native(left), native(right)), gold=(mine, mine))
    total = left.saving.tokens_total
    tokens, money = (figures(found)[name] for name in ("tokens that the model reads", "saved a year"))
    assert (tokens.left, tokens.right, tokens.difference) == (*[f"{total:,} of {total:,}"] * 2, "0")
    assert (money.left, money.right) == ("USD 0", "USD 0")
    assert found.verdict.startswith(
        "“B” reads as many tokens as “A”: the gate has both read whole. Read sparsely, “B” would drop "
    )
    assert found.losses[1].sentence == (
        f"“B” is read whole and loses nothing; read sparsely, it would lose {len(mine)} blocks of marked evidence that "
        "“A” keeps."
    )
    assert found.evidence.endswith("What is read whole loses nothing: these are counts of a sparse read.")
    assert found.notes == (
        "The gate says that for both this document is read whole: then nothing is saved, and the blocks below are "
        "those that a sparse read would keep.",
    )
    assert "blocks kept" not in figures(found)
    assert figures(found)["blocks that a sparse read would keep"].left.startswith(f"{kept(left)} of ")


def test_one_side_that_is_read_whole_is_said_to_be(pair: tuple[Reading, Reading]) -> None:
    left, right = pair
    found = two(left, right, gates=(None, native(right)))
    more = left.saving.tokens_total - left.saving.rendered_tokens
    assert found.verdict.startswith(
        f"“B” reads {more:,} more tokens than “A”: the gate has “B” read whole. Read sparsely, “B” would drop "
    )
    same = two(left, left, gates=(None, native(left)))
    assert same.verdict.endswith(f"Read sparsely, both would keep the same {kept(left)} blocks.")


def kept(reading: Reading) -> int:
    return reading_contents(reading).saving.blocks_kept


def test_routes_that_differ_are_an_effect_also_where_the_blocks_are_the_same() -> None:
    left = words_alone(min_tokens=200).read(bundled(AGREEMENT), PAYMENT)
    advisory, force = gated(left, native=-0.99, force=0.99), gated(left, native=-0.99, force=-0.98)
    assert (advisory.route.value, force.route.value) == ("advisory", "force")
    found = two(left, left, gates=(advisory, force))
    assert found.nothing == ""
    assert [(change.name, change.left, change.right) for change in found.changes] == [
        ("the gate says", "either will do", "read sparsely")
    ]
    assert found.verdict == (
        f"“B” keeps exactly what “A” keeps: {kept(left)} blocks. Only what the gate says of them differs."
    )


def test_the_evidence_of_one_question_is_no_loss_of_the_other(pair: tuple[Reading, Reading]) -> None:
    left, right = pair
    mine, other = only(left, right)[:3], only(right, left)[:2]
    found = two(left, right, gold=(mine, other))
    assert found.evidence == (
        "“A” keeps 3 of 3 blocks of its marked evidence, “B” keeps 2 of 2 blocks of its marked evidence. "
        "What is evidence for one side only is no loss of the other."
    )
    assert "lost" not in found.verdict and found.verdict.endswith(
        "“A” keeps 3 of 3 blocks of its marked evidence, “B” keeps 2 of 2 blocks of its marked evidence."
    )
    for loss in found.losses:
        assert loss.sentence.endswith("none of them is marked as evidence for it.")
    assert not any(block.gold[1] for block in found.losses[1].blocks)
    assert [block.block_id for block in found.losses[1].blocks if block.gold[0]] == [] or True


def test_the_own_evidence_of_a_side_that_only_the_other_keeps_is_its_loss(pair: tuple[Reading, Reading]) -> None:
    left, right = pair
    lost = only(left, right)[:2]
    found = two(left, right, gold=((), lost))
    assert found.losses[1].sentence == "“B” loses 2 blocks of marked evidence that “A” keeps."
    assert [block.gold for block in found.losses[1].blocks][:3] == [(False, True), (False, True), (False, False)]
    assert found.evidence.startswith("“A” has no marked evidence, “B” keeps 0 of 2 blocks of its marked evidence. ")
    assert "evidence" not in found.losses[0].sentence


def test_evidence_in_a_block_without_text_is_left_to_its_rows(pair: tuple[Reading, Reading]) -> None:
    left, right = pair
    tables = np.flatnonzero(~left.basis.has_text).tolist()
    assert tables
    assert two(left, right, gold=tables).evidence.startswith("Nobody marked evidence")


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([True], "gold names block True, and harbor-manual.md has 53 blocks, from 0 on; give ids of its blocks."),
        (["a"], "gold names block 'a', and harbor-manual.md has 53 blocks"),
        ([1.5], "gold names block 1.5, and harbor-manual.md has 53 blocks"),
        ([-1], "gold names block -1, and harbor-manual.md has 53 blocks"),
        (([1], [53]), "gold names block 53, and harbor-manual.md has 53 blocks"),
        (([1], [2], [3]), "gold has 3 entries for 2 readings; give one each."),
        (([1], 2), "gold holds both ids of blocks and collections of them; give one kind."),
        (7, "gold is 7; give ids of blocks, or a collection of them for each reading."),
    ],
)
def test_gold_that_names_no_block_is_refused(pair: tuple[Reading, Reading], gold: object, message: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        two(*pair, gold=gold)
    assert str(refused.value).startswith(message)


def test_ids_of_numpy_are_ids(pair: tuple[Reading, Reading]) -> None:
    mine = only(*pair)
    assert two(*pair, gold=np.array(mine)) == two(*pair, gold=mine)


def test_a_side_that_keeps_nothing_saves_nothing(pair: tuple[Reading, Reading]) -> None:
    left, _ = pair
    nothing = left.with_threshold(Threshold(1.0, scale=left.scores.scale))
    assert nothing.is_empty
    rows = {row.name: row for row in two(left, nothing).figures}
    assert rows["share skipped"].right == "0\xa0%"
    assert rows["saved a year"].right.endswith(" 0")
