"""Weights: strongest boost times strongest damping, pins win, and every rule that spoke is told."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.structure.drafts import document_of
from workbench.errors import AnchorMismatch
from workbench.structure import Match, Rule, RuleTable, RuleVoice, match_rules, weigh

DOCUMENT = document_of(
    ("heading", "Force majeure 不可抗力", 2),
    "Nobody pays for an act of God.",
    ("table_row", "Total\t5"),
    ("footer", "Page 1"),
    "Nothing to see.",
)

TABLE = RuleTable(
    "mine",
    (
        Rule("titles", Match(kinds=("heading",)), 3.0, reason="Titles tell."),
        Rule(
            "majeure", Match(keywords=("force majeure", "不可抗力", "act of god")), 5.0, pin=True, reason="Never drop."
        ),
        Rule("rows", Match(kinds=("table_row",)), 1.5, reason="Numbers."),
        Rule("numbers", Match(features=("number",)), 1.2, reason="Digits."),
        Rule("furniture", Match(features=("furniture",)), 0.1, reason="Repeated."),
        Rule("short", Match(features=("h2", "footer")), 0.5, reason="Short."),
        Rule("neutral", Match(kinds=("paragraph",)), 1.0, reason="Says nothing."),
    ),
)


def test_the_strongest_boost_is_multiplied_by_the_strongest_damping() -> None:
    weights = weigh(DOCUMENT, TABLE)
    #         heading     pinned     table  row       footer     nothing
    assert weights.weights.tolist() == pytest.approx([5.0 * 0.5, 5.0, 1.0, 1.5, 1.2 * 0.1, 1.0])
    assert weights.pinned.tolist() == [True, True, False, False, False, False]
    names = [rule.name for rule in TABLE.rules]
    assert weights.boost.tolist() == [1, 1, -1, names.index("rows"), names.index("numbers"), -1]
    assert weights.damping.tolist() == [names.index("short"), -1, -1, -1, names.index("furniture"), -1]
    assert weights.pinned_by.tolist() == [1, 1, -1, -1, -1, -1]
    assert weights.weights.dtype == np.float64
    assert weights.table == "mine"
    assert weights.sha256 == TABLE.sha256
    assert weights.notes == ()
    assert repr(weights) == "StructureWeights('mine', 4 of 6 blocks, 2 pinned)"


def test_the_trace_tells_who_spoke_and_who_won() -> None:
    weights = weigh(DOCUMENT, TABLE)
    assert weights.trace(0) == (
        RuleVoice("titles", 3.0, False, "Titles tell.", won=False),
        RuleVoice("majeure", 5.0, True, "Never drop.", won=True),
        RuleVoice("short", 0.5, False, "Short.", won=True),
    )
    assert weights.trace(5) == (RuleVoice("neutral", 1.0, False, "Says nothing.", won=False),)
    assert weights.trace(2) == ()
    with pytest.raises(AnchorMismatch, match=r"made\.txt has no block 6; its blocks are 0 to 5\."):
        weights.trace(6)


def test_the_blocks_of_a_rule_can_be_asked_for() -> None:
    weights = weigh(DOCUMENT, TABLE.enabled("rows", False))
    assert weights.spoken_for("furniture").tolist() == [False] * 4 + [True, False]
    assert not weights.spoken_for("rows").any()
    assert not weights.spoken_for("gone").any()


def test_the_product_is_clipped() -> None:
    table = RuleTable(
        "mine", (Rule("a", Match(kinds=("footer",)), 0.05), Rule("b", Match(features=("furniture",)), 0.07))
    )
    assert weigh(DOCUMENT, table).weights[4] == 0.05


def test_of_equal_weights_the_first_in_the_table_wins() -> None:
    heading = Match(kinds=("heading",))
    rules = [Rule(name, heading, weight, pin=True) for name, weight in (("a", 2.0), ("b", 2.0), ("c", 0.5), ("d", 0.5))]
    weights = weigh(DOCUMENT, RuleTable("mine", tuple(rules)))
    assert (weights.boost[0], weights.damping[0], weights.pinned_by[0]) == (0, 2, 0)
    assert [voice.won for voice in weights.trace(0)] == [True, False, True, False]


def test_a_document_without_blocks_has_no_weights() -> None:
    weights = weigh(document_of(), TABLE)
    assert len(weights) == 0
    assert weights.weights.shape == (0,)


def test_weights_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        weigh(DOCUMENT, TABLE).weights[0] = 9


def test_only_changed_conditions_are_looked_at_again() -> None:
    document = document_of("a 5", "b")
    matches = match_rules(document, RuleTable("mine", (Rule("a", Match(features=("number",)), 2.0),)))
    edited = RuleTable("mine", (Rule("renamed", Match(features=("number",)), 0.5, pin=True),))
    assert matches.weigh(edited).weights.tolist() == [0.5, 1.0]
    assert matches.weigh(edited).spoken_for("renamed") is matches.weigh(edited).spoken_for("renamed")
    other = RuleTable("mine", (Rule("a", Match(keywords=("b",)), 3.0),))
    assert matches.weigh(other).weights.tolist() == [1.0, 3.0]


def test_a_rule_that_takes_too_long_is_silent_and_named() -> None:
    document = document_of("a" * 3_000 + "!", "fine")
    table = RuleTable(
        "mine", (Rule("slow", Match(pattern=("(a+)+$",)), 0.1), Rule("all", Match(kinds=("paragraph",)), 2.0))
    )
    weights = weigh(document, table)
    assert weights.weights.tolist() == [2.0, 2.0]
    assert weights.notes == (
        "The rule 'slow' is silent here: its pattern '(a+)+$' takes more than 0.25 s for one block, or too long for "
        "all; write it without nested repetitions.",
    )
    assert weigh(document, table.enabled("slow", False)).notes == ()


MATCHES = (
    Match(kinds=("heading",)),
    Match(kinds=("paragraph", "heading")),
    Match(features=("number",)),
    Match(keywords=("act of god",)),
    Match(features=("furniture",)),
    Match(levels=(2,)),
    Match(keywords=("nobody matches this",)),
)
RULES = st.lists(
    st.tuples(
        st.sampled_from(MATCHES),
        st.one_of(st.floats(0.05, 5.0), st.sampled_from([0.05, 0.5, 1.0, 2.0, 5.0])),
        st.booleans(),
        st.booleans(),
    ),
    max_size=12,
).map(
    lambda drawn: RuleTable(
        "drawn", tuple(Rule(f"r{n}", m, w, pin=pin, enabled=on) for n, (m, w, pin, on) in enumerate(drawn))
    )
)


@given(RULES)
def test_weights_are_what_a_plain_look_at_every_rule_gives(table: RuleTable) -> None:
    weights = weigh(DOCUMENT, table)
    for block in range(len(DOCUMENT)):
        voices = weights.trace(block)
        speaking = {voice.rule for voice in voices}
        assert speaking == {rule.name for rule in table.rules if weights.spoken_for(rule.name)[block]}
        said = [rule.weight for rule in table.rules if rule.name in speaking]
        assert all(rule.enabled for rule in table.rules if rule.name in speaking)
        boost, damping = max([1.0, *said]), min([1.0, *said])
        assert weights.weights[block] == max(0.05, min(5.0, boost * damping))
        assert weights.pinned[block] == any(rule.pin for rule in table.rules if rule.name in speaking)
        winners = [voice.weight for voice in voices if voice.won and not voice.pin]
        assert set(winners) <= {boost, damping}
    assert ((weights.weights >= 0.05) & (weights.weights <= 5.0)).all()


@given(RULES, st.data())
def test_lowering_a_weight_never_raises_a_block_and_raising_it_never_lowers_one(
    table: RuleTable, data: st.DataObject
) -> None:
    if not len(table):
        return
    rule = data.draw(st.sampled_from(table.rules))
    lower = data.draw(st.floats(0.05, rule.weight))
    before, after = weigh(DOCUMENT, table), weigh(DOCUMENT, table.with_weight(rule.name, lower))
    assert (after.weights <= before.weights).all()
    assert (after.pinned == before.pinned).all()


@given(st.sampled_from(MATCHES), st.floats(1.0, 5.0), st.floats(0.05, 1.0), RULES)
def test_a_boost_that_becomes_a_damping_never_raises_a_block(
    match: Match, high: float, low: float, table: RuleTable
) -> None:
    crossing = Rule("crossing", match, high)
    before = weigh(DOCUMENT, table.with_rule(crossing))
    after = weigh(DOCUMENT, table.with_rule(replace(crossing, weight=low)))
    assert (after.weights <= before.weights).all()


@given(RULES, st.data())
def test_the_order_of_rules_changes_no_weight(table: RuleTable, data: st.DataObject) -> None:
    rules = data.draw(st.permutations(table.rules))
    one, other = weigh(DOCUMENT, table), weigh(DOCUMENT, RuleTable("drawn", tuple(rules)))
    assert one.weights.tobytes() == other.weights.tobytes()
    assert one.pinned.tobytes() == other.pinned.tobytes()


@given(RULES)
def test_a_disabled_rule_is_as_one_that_is_not_there(table: RuleTable) -> None:
    without = RuleTable("drawn", tuple(rule for rule in table.rules if rule.enabled))
    one, other = weigh(DOCUMENT, table), weigh(DOCUMENT, without)
    assert one.weights.tobytes() == other.weights.tobytes()
    assert one.sha256 == other.sha256
    assert [one.trace(block) for block in range(len(one))] == [other.trace(block) for block in range(len(one))]


@settings(max_examples=20)
@given(RULES)
def test_pins_win_whatever_else_is_said(table: RuleTable) -> None:
    pin = Rule("pin", Match(keywords=("act of god",)), 0.05, pin=True)
    weights = weigh(DOCUMENT, table.with_rule(pin))
    assert weights.pinned[1]


SPACY = """
import json, sys
from tests.structure.drafts import document_of
from workbench.structure import Match, Rule, RuleTable, rules_for, weigh
document = document_of("However, it will restart.", "5 %", document_type="general")
parsed = Rule("parsed", Match(features=("but_clause",)), 2.0, enabled={enabled})
weights = weigh(document, RuleTable("mine", (Rule("cheap", Match(features=("but_marker", "date")), 2.0), parsed)))
print(json.dumps([weights.weights.tolist(), sorted(set(sys.modules) & {{"spacy", "torch", "regex", "ruamel.yaml"}})]))
"""


@pytest.mark.parametrize(("enabled", "loaded"), [(False, []), (True, ["spacy"])])
def test_sentences_are_parsed_only_for_a_rule_that_is_enabled(enabled: bool, loaded: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SPACY.format(enabled=enabled)], capture_output=True, text=True, check=True, timeout=120
    )
    weights, modules = json.loads(done.stdout.splitlines()[-1])
    assert weights == [2.0, 1.0]
    assert [name for name in modules if name == "spacy"] == loaded
    assert "ruamel.yaml" not in modules
