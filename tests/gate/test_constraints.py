"""Hard constraints: each with its name and a sentence, in a stated order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.gate.constraints import CONSTRAINTS, Constraint, constraint_of
from workbench.gate.exchange import Exchange
from workbench.gate.intent import Action, Intent, intent_of
from workbench.gate.signal_options import SignalOptions
from workbench.gate.signals import signals
from workbench.relevance.scores import Scope

from .made_previews import made

ASKED = Intent("When is the pump serviced?")


def test_a_long_document_and_one_place_have_no_constraint() -> None:
    assert constraint_of(made(), ASKED) is None
    assert constraint_of(made(), Intent("Summarise it.", Scope.WHOLE)) is None


@pytest.mark.parametrize(
    ("preview", "intent", "name", "reason"),
    [
        (
            made(supported=False, why_not="A picture has no blocks."),
            ASKED,
            "unsupported",
            "A picture has no blocks.",
        ),
        (made(0), ASKED, "unsupported", "The artifact has no text that blocks could be chosen from."),
        (
            made(900),
            ASKED,
            "small_file",
            "The artifact has 900 tokens: reading it all costs 1,772 tokens, and the cheapest sparse read 3,952.",
        ),
        (
            made(is_table=True),
            Intent("What is the sum of all hours?", Scope.AGGREGATE),
            "whole_table",
            "The artifact is a table, and the question wants a computation over its rows: one row left out makes it "
            "wrong.",
        ),
        (
            made(is_table=True),
            Intent("把整张表列出来", Scope.WHOLE),
            "whole_table",
            "The artifact is a table, and the question wants all of it: one row left out makes it wrong.",
        ),
        (
            made(),
            Intent("Copy clause 4 exactly.", action=Action.COPY),
            "exact_copy",
            "The text is wanted word for word, so nothing of it may be left out.",
        ),
        (
            made(),
            Intent("Fix the typo.", action=Action.EDIT),
            "edit_or_execute",
            "The artifact is to be edited, which needs the file itself and not a choice of its blocks.",
        ),
        (
            made(),
            Intent("Run it.", action=Action.EXECUTE),
            "edit_or_execute",
            "The artifact is to be executed, which needs the file itself and not a choice of its blocks.",
        ),
    ],
)
def test_each_constraint_has_its_name_and_a_sentence(preview, intent, name, reason) -> None:  # type: ignore[no-untyped-def]
    found = constraint_of(preview, intent)
    assert found == Constraint(name, reason)
    assert str(found) == f"{name}: {reason}"
    assert name in CONSTRAINTS


def test_the_first_constraint_is_named() -> None:
    edit = Intent("Fix it all.", Scope.WHOLE, Action.EDIT)
    said = [
        constraint_of(preview, edit)
        for preview in (
            made(0, is_table=True),
            made(900, is_table=True),
            made(is_table=True),
            made(),
        )
    ]
    assert [found.name for found in said if found] == ["unsupported", "small_file", "whole_table", "edit_or_execute"]


def test_looking_up_one_row_of_a_table_is_no_whole_table() -> None:
    assert constraint_of(made(is_table=True), ASKED) is None


@settings(deadline=None)
@given(st.integers(1, 20_000), st.integers(0, 2_000), st.integers(0, 5_000))
def test_what_is_small_can_save_nothing_on_the_sparse_path(tokens: int, preview_tokens: int, least: int) -> None:
    options = SignalOptions(least_tokens=least)
    preview = made(tokens, preview_tokens=preview_tokens)
    found = signals(preview, ASKED, options)
    if constraint_of(preview, ASKED, options) is not None:
        assert found.s.value - found.c.value <= 1e-9


def test_what_is_small_depends_on_what_calls_carry() -> None:
    preview = made(6_000)
    assert constraint_of(preview, ASKED) is None
    heavy = constraint_of(preview, ASKED, SignalOptions(exchange=Exchange(prompt_tokens=3_000)))
    assert heavy is not None and heavy.name == "small_file"


@pytest.mark.parametrize("question", ["Translate the manual into German.", "把这份说明书翻译成英文。"])
def test_a_question_in_words_meets_its_constraint(question: str) -> None:
    found = constraint_of(made(), intent_of(question))
    assert found is not None and found.name == "exact_copy"
