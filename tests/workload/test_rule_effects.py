"""What a rule does is what happens when it is switched off, in the document at hand and over a workload."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.workload.made_depots import depots_in
from tests.workspace.made import TABLE as HOUSE
from tests.workspace.made import house_in
from workbench import SparseReader, open_document
from workbench.reading import Threshold, TokenShare
from workbench.reading.altered import altered
from workbench.relevance.scores import Scale, uncalibrated
from workbench.structure import Match, Rule, RuleBook, RuleTable
from workbench.workload import Workload
from workbench.workload.replay import BlockScores, collect_block_scores
from workbench.workload.replay.replaying import intent_for
from workbench.workload.rule_effects import rule_effects, touched_blocks, workload_effects

CUT = 0.9
TABLE = RuleTable(
    "mine",
    (
        Rule("houses", Match(keywords=("keeps",)), 3.0, reason="What a house has."),
        Rule("boats", Match(keywords=("boats",)), 1.5, reason="Weaker than houses: never decides alone."),
        Rule("visitors", Match(keywords=("visitors",)), 0.2, reason="Nobody asks."),
        Rule("timetables", Match(keywords=("timetables",)), 1.0, pin=True, reason="Kept."),
        Rule("nothing", Match(keywords=("不可抗力",)), 5.0, reason="Is nowhere."),
        Rule("silent", Match(keywords=("yard",)), 5.0, enabled=False, reason="Off."),
    ),
)


@pytest.fixture(scope="module")
def workload(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return depots_in(tmp_path_factory.mktemp("depots"), documents=4, paragraphs=50)


@pytest.fixture(scope="module")
def reader() -> SparseReader:
    return SparseReader(scorer=None, rules=TABLE, threshold=Threshold(CUT, scale=Scale.UNCALIBRATED))


@pytest.fixture(scope="module")
def scores(workload: Workload, reader: SparseReader) -> BlockScores:
    return collect_block_scores(workload, reader, processes=1, progress=False)


@pytest.mark.parametrize("cut", ["threshold", "share"])
@pytest.mark.parametrize("budget", [None, 400])
def test_in_a_document_an_effect_is_the_difference_of_two_readings(
    workload: Workload, reader: SparseReader, cut: str, budget: int | None
) -> None:
    document = workload.open(workload.requests[0], progress=False)
    reading = reader.read(document, "How many boats does the house keep?", budget_tokens=budget)
    if cut == "share":
        reading = reading.with_token_share(TokenShare(0.1, 100))
    effects = rule_effects(reading, TABLE)
    assert list(effects) == list(TABLE.names)
    for rule in TABLE.rules:
        other = reading.with_rules(TABLE.enabled(rule.name, False))
        effect = effects[rule.name]
        assert effect.kept == int(other.decision.kept.sum()) - int(reading.decision.kept.sum())
        assert effect.tokens == other.saving.tokens_kept - reading.saving.tokens_kept
        assert effect.touched == int(reading.structure.spoken_for(rule.name).sum())
    assert effects["nothing"].touched == effects["silent"].touched == 0
    assert any(effect.tokens for effect in effects.values())
    assert rule_effects(reading, TABLE, ["boats"]) == {"boats": effects["boats"]}
    assert touched_blocks(reading.structure) == {
        name: effect.touched for name, effect in effects.items() if name != "silent"
    }


def test_effects_are_those_of_the_table_that_is_given(workload: Workload, reader: SparseReader) -> None:
    document = workload.open(workload.requests[0], progress=False)
    reading = reader.read(document, "How many boats does the house keep?")
    table = TABLE.with_weight("houses", 1.0)
    assert rule_effects(reading, table) == rule_effects(reading.with_rules(table), table)


def test_over_a_workload_an_effect_is_the_difference_of_two_replays(
    workload: Workload, reader: SparseReader, scores: BlockScores
) -> None:
    told: list[tuple[int, int]] = []
    effects = workload_effects(scores, workload, reader, TABLE, progress=lambda *at: told.append(at))
    assert told == [(number, 4) for number in range(5)]
    assert (effects.documents, effects.requests, effects.in_sample) == (4, 32, False)
    assert effects.table_sha256 == TABLE.sha256
    assert list(effects.rules) == [name for name in TABLE.names if name != "silent"]
    before = figures_of(scores)
    for name in ("houses", "visitors", "timetables"):
        effect = effects.rules[name]
        other = altered(reader, rules=TABLE.enabled(name, False))
        after = figures_of(collect_block_scores(workload, other, processes=1, progress=False))
        assert effect.recall.value == pytest.approx(np.mean(after[0]) - np.mean(before[0]))
        assert effect.tokens.value == pytest.approx(sum(after[1]) / sum(before[1]) - 1)
        assert effect.recall.low <= effect.recall.value <= effect.recall.high
        assert effect.tokens.low <= effect.tokens.value <= effect.tokens.high
    assert effects.rules["houses"].recall.value < 0
    assert effects.rules["houses"].touched == 40
    assert effects.rules["timetables"].tokens.high < 0
    assert effects.rules["nothing"].recall.value == effects.rules["nothing"].tokens.value == 0.0
    assert effects.rules["nothing"].documents == 0


def figures_of(scores: BlockScores) -> tuple[list[float], list[float]]:
    """Recall of each document, and tokens kept in it."""
    recalls: dict[str, list[float]] = {}
    tokens: dict[str, float] = {}
    for one in scores.requests:
        priority = uncalibrated(one.logits) * one.weights
        if len(one.gold):
            recalls.setdefault(one.document, []).append(float((one.needed(priority) >= CUT).mean()))
        kept = (one.eligible & (priority >= CUT)) | one.pinned
        tokens[one.document] = tokens.get(one.document, 0.0) + float(one.tokens[kept].sum())
    return [float(np.mean(recalls[name])) for name in sorted(recalls)], [tokens[name] for name in sorted(tokens)]


def test_under_a_share_the_best_blocks_are_kept(workload: Workload, scores: BlockScores) -> None:
    reader = SparseReader(scorer=None, rules=TABLE, token_share=0.1, min_tokens=50)
    effects = workload_effects(scores, workload, reader, TABLE)
    assert effects.rules["houses"].recall.value <= 0
    assert effects.rules["timetables"].tokens.value < 0


@pytest.mark.parametrize("cut", ["threshold", "share"])
def test_over_a_workload_blocks_are_kept_as_the_reader_keeps_them(tmp_path: Path, cut: str) -> None:
    house = house_in(tmp_path / "house")
    keys = Rule("keys", Match(keywords=("key", "钥匙")), 3.0, reason="Asked for.")
    table = replace(HOUSE, rules=(*HOUSE.rules, keys))
    options = {"threshold": Threshold(0.5, scale=Scale.UNCALIBRATED)} if cut == "threshold" else {"token_share": 0.25}
    reader = SparseReader(scorer=None, rules=table, min_tokens=0, **options)  # type: ignore[arg-type]
    scored = collect_block_scores(house, reader, processes=1, progress=False)
    effects = workload_effects(scored, house, reader, table)
    told = {one.request for one in scored.requests}

    def kept(rules: RuleTable) -> int:
        found = 0
        for request in house:
            intent = intent_for(request)
            reading = altered(reader, rules=rules).read(house.open(request), intent.question, scope=intent.scope)
            found += reading.saving.tokens_kept if request.id in told else 0
        return found

    before = kept(table)
    for rule in table.rules:
        after = kept(table.enabled(rule.name, False))
        assert effects.rules[rule.name].tokens.value == pytest.approx(after / before - 1), rule.name
    assert any(effect.tokens.value for effect in effects.rules.values())


def test_a_table_is_measured_on_the_documents_that_it_serves(workload: Workload, scores: BlockScores) -> None:
    kinds = {one.document_type for one in scores.requests}
    book = RuleBook({"*": RuleTable("other"), **dict.fromkeys(kinds, TABLE)})
    reader = SparseReader(scorer=None, rules=book)
    none = workload_effects(scores, workload, reader, TABLE, table_key="*")
    assert (none.documents, none.requests) == (0, 0)
    assert math.isnan(none.rules["houses"].recall.value)
    some = workload_effects(scores, workload, reader, TABLE, table_key=sorted(kinds)[0])
    assert some.documents >= 1


def test_whoever_is_told_the_progress_can_end_the_work(
    workload: Workload, reader: SparseReader, scores: BlockScores
) -> None:
    class Enough(Exception):
        pass

    def progress(done: int, _total: int) -> None:
        if done == 2:
            raise Enough

    with pytest.raises(Enough):
        workload_effects(scores, workload, reader, TABLE, progress=progress)


def test_chinese_rules_have_effects_too(tmp_path: Path) -> None:
    path = tmp_path / "制度.txt"
    path.write_text("\n\n".join(["员工出差须先填写申请。", "住宿费上限为每晚五百元。", "食堂在一楼。"] * 5), "utf-8")
    table = RuleTable("制度", (Rule("住宿", Match(keywords=("住宿费",)), 3.0, reason="常被问到。"),))
    reading = SparseReader(scorer=None, rules=table).read(open_document(path), "住宿费上限是多少？")
    assert rule_effects(reading, table)["住宿"].touched == 5
