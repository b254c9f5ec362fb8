"""A read is closed by what an agent can see."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reading.made import Made
from workbench.documents import Document
from workbench.gate.intent import Intent
from workbench.gate.preview import preview_of
from workbench.relevance.scores import Scope
from workbench.workload.replay.closure import ClosureRule

REPORT = (
    Made()
    .heading("Sales")
    .text("Net sales rose in the north.", "The south was flat.")
    .heading("Costs")
    .text("Freight was dearer.")
    .table(["Depot", "Tons"], ["Oslo", "40"], ["Bergen", "25"])
    .table(["Ship", "Crew"], ["Astrid", "9"])
    .document()
)
SALES, NORTH, SOUTH, COSTS, FREIGHT, TONS, HEAD, OSLO, BERGEN, CREW, SHIPS, ASTRID = range(12)
RULES = Made(language="zh").heading("差旅制度").text("住宿标准为每晚五百元。", "机票须提前三天申请。").document()


def judged(document: Document, intent: Intent, *kept: int, context: tuple[int, ...] = ()) -> tuple[bool, str]:
    rule = ClosureRule(document, preview_of(document))
    chosen = np.zeros(len(document), bool)
    chosen[list(kept)] = True
    seen = chosen.copy()
    seen[list(context)] = True
    found = rule.judge(intent, seen, chosen)
    return found.closed, found.reason


def asked(scope: Scope, *needs: str) -> Intent:
    return Intent("", scope=scope, needs=needs)


@pytest.mark.parametrize("scope", Scope)
def test_nothing_kept_closes_nothing(scope: Scope) -> None:
    assert judged(REPORT, asked(scope)) == (False, "nothing was kept")


@pytest.mark.parametrize("scope", [Scope.POINT, Scope.SEVERAL])
def test_a_point_is_closed_once_every_need_is_named(scope: Scope) -> None:
    intent = asked(scope, "net sales of the north", "what freight cost")
    assert judged(REPORT, intent, NORTH) == (False, "no kept block names 'what freight cost'")
    assert judged(REPORT, intent, NORTH, FREIGHT) == (True, "every need was met")


def test_a_need_that_stands_nowhere_is_given_up() -> None:
    intent = asked(Scope.POINT, "dividends", "net sales")
    assert judged(REPORT, intent, SOUTH) == (False, "no kept block names 'net sales'")
    assert judged(REPORT, intent, NORTH) == (True, "of 2 needs, 1 is nowhere in it, and all others were met")


def test_one_chinese_character_alone_names_nothing() -> None:
    heading, stay, flight = range(3)
    intent = asked(Scope.POINT, "住宿标准")
    assert judged(RULES, intent, flight) == (False, "no kept block names '住宿标准'")
    assert judged(RULES, intent, heading, stay) == (True, "every need was met")


def test_an_aggregate_is_closed_once_the_tables_that_were_met_are_whole() -> None:
    intent = asked(Scope.AGGREGATE)
    what = "rows of the tables that were met"
    assert judged(REPORT, intent, OSLO, context=(TONS, HEAD)) == (False, f"of 3 {what}, 1 is missing")
    assert judged(REPORT, intent, OSLO, BERGEN, context=(TONS, HEAD)) == (True, f"all {what} were kept")
    # A row that is only context opens no table of its own.
    assert judged(REPORT, intent, OSLO, BERGEN, context=(HEAD, SHIPS))[0]
    assert not judged(REPORT, intent, OSLO, BERGEN, ASTRID, context=(HEAD,))[0]


def test_an_aggregate_without_a_table_is_closed_once_its_sections_are_whole() -> None:
    intent = asked(Scope.AGGREGATE)
    what = "blocks of the sections that were met"
    assert judged(REPORT, intent, NORTH, context=(SALES,)) == (False, f"of 2 {what}, 1 is missing")
    assert judged(REPORT, intent, NORTH, SOUTH, context=(SALES,)) == (True, f"all {what} were kept")


def test_the_whole_is_closed_once_everything_with_text_is_there() -> None:
    intent = asked(Scope.WHOLE)
    text = (SALES, NORTH, SOUTH, COSTS, FREIGHT, HEAD, OSLO, BERGEN, SHIPS, ASTRID)
    assert judged(REPORT, intent, *text) == (True, "all blocks of the document were kept")
    assert judged(REPORT, intent, *text[1:]) == (False, "of 10 blocks of the document, 1 is missing")


def test_running_lines_are_no_part_of_the_whole() -> None:
    from workbench.documents import BlockKind

    document = Made().text("Confidential", kind=BlockKind.HEADER).text("Net sales rose.").document()
    assert judged(document, asked(Scope.WHOLE), 1)[0]


def test_a_table_that_goes_on_over_pages_is_one_table() -> None:
    document = Made().table(["Depot", "Tons"], ["Oslo", "40"]).page().table(["Bergen", "25"], headers=0).document()
    rows = [1, 2, 4]
    document.columns.continues[3] = 0
    intent = asked(Scope.AGGREGATE)
    assert not judged(document, intent, *rows[:2])[0]
    assert judged(document, intent, *rows)[0]
