"""What is told of the reading is counted as it is said: the same draws, the same evidence, the same cuts."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import answerability, reading, reading_cuts, reading_speed
from benchmarks.baselines import METHODS
from benchmarks.evidence_sets import SETS, Case
from benchmarks.reading import OURS, PRIORITY, Judged, Skipped, best_of, difference
from benchmarks.reading_sets import ABSTAINING, AIMS, JUDGED, SHORT, UNANSWERABLE, Aim, Readings
from benchmarks.retrieval import Estimate, Needs, figures
from benchmarks.rules import SETS_OF_TYPE
from tests.relevance.fake_encoder import FakeEncoder
from tests.structure.drafts import document_of
from workbench.errors import CalibrationRefused
from workbench.reading import SparseReader, TokenShare
from workbench.relevance.calibrated import ANY_TYPE
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.scores import Scale, Scope

ENGLISH = ["Backups are triggered every night.", "The committee discussed lunch.", "Invoice 4711 was paid in May."]
CHINESE = ["备份每天夜里触发。", "委员会讨论了午餐。", "四月的账单已经付清。"]


def case_of(
    texts: list[str], question: str, block: int, *, key: str = "d", answerable: bool = True, half: str = "choose"
) -> Case:
    language = "en" if texts[0].isascii() else "zh"
    return Case(
        set_name="made",
        case_id=f"{key}/{question}",
        document_key=key,
        document=document_of(*texts, language=language),
        question=question,
        language=language,
        gold=((block,),) if answerable else (),
        also=((),) if answerable else (),
        answerable=answerable,
        origin=key,
        half=half,  # type: ignore[arg-type]
    )


def words_alone(share: float = 0.2, least: int = 0) -> Readings:
    return Readings(SparseReader(scorer=None, token_share=share, min_tokens=least))


def needs_of(share: list[float], origin: list[int]) -> Needs:
    count = len(share)
    return Needs(
        np.array(share),
        np.array(origin),
        tuple(np.array([*share, 100.0]) for _ in range(count)),
        np.full(count, 1_000.0),
        np.ones(count, np.int64),
    )


def judged_of(aim: Aim, shares: dict[str, float]) -> Judged:
    found = {name: needs_of([shares[name]] * 4, [0, 0, 1, 1]) for name in (*METHODS, *OURS)}
    best = best_of({name: found[name] for name in METHODS})
    return Judged(
        aim,
        {name: figures(one, resamples=20) for name, one in found.items()},
        best,
        {name: difference(found[name], found[best], resamples=20) for name in OURS},
    )


SHARES = {"BM25": 30.0, "MiniLM": 20.0, "chunks": 40.0, "relevance alone": 12.0, "relevance x weight": 10.0}


# Aims --------------------------------------------------------------------------------------------


def test_every_set_with_evidence_has_exactly_one_row_that_stands_for_it() -> None:
    answerable = {name for name in SETS if not name.endswith(UNANSWERABLE)}
    main = [aim.set_name for aim in AIMS if aim.main]
    assert sorted(main) == sorted(answerable) == sorted(JUDGED)
    assert {name + UNANSWERABLE for name in ABSTAINING} == {name for name in SETS if name.endswith(UNANSWERABLE)}
    assert set(SHORT) < answerable
    assert {name for names in SETS_OF_TYPE.values() for name in names} < answerable


def test_an_aim_names_the_scope_that_it_tells() -> None:
    assert Aim("loogle_long").name == "loogle_long"
    assert Aim("loogle_long", scope=Scope.SEVERAL).name == "loogle_long, scope several"


def test_an_aim_without_a_number_is_met_below_the_best_baseline_and_one_with_a_number_up_to_it() -> None:
    below, number = Aim("cuad"), Aim("cuad", most=10.0)
    assert (judged_of(below, SHARES).met, judged_of(below, SHARES).bound) == ("yes", 20.0)
    assert judged_of(below, SHARES | {PRIORITY: 20.04}).met == "equal"
    assert judged_of(below, SHARES | {PRIORITY: 20.1}).met == "no"
    assert judged_of(number, SHARES).met == "yes"
    assert judged_of(number, SHARES | {PRIORITY: 10.1}).met == "no"


def test_the_best_baseline_needs_the_fewest_tokens() -> None:
    ways = {"a": needs_of([5.0, 90.0], [0, 1]), "b": needs_of([50.0, 60.0], [0, 1])}
    assert best_of(ways) == "b"
    assert best_of({"x": ways["a"], "y": ways["a"]}) == "x"


@given(st.lists(st.floats(0, 100), min_size=2, max_size=12))
def test_a_ranking_is_no_better_than_itself_on_any_draw_of_documents(share: list[float]) -> None:
    found = needs_of(share, list(range(len(share))))
    assert difference(found, found, resamples=30) == Estimate(0.0, 0.0, 0.0)


def test_a_difference_is_taken_on_the_same_documents() -> None:
    one, other = needs_of([10.0, 80.0], [0, 1]), needs_of([15.0, 85.0], [0, 1])
    assert difference(one, other, resamples=50) == Estimate(-5.0, -5.0, -5.0)
    alone = difference(needs_of([10.0], [0]), needs_of([15.0], [0]))
    assert (alone.value, np.isnan(alone.low)) == (-5.0, True)


# Tables ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [reading.needed_rows, reading.more_rows])
def test_every_row_has_a_cell_for_each_head(rows: object) -> None:
    lines = "\n".join(rows([judged_of(Aim("cuad"), SHARES), judged_of(Aim("xquad"), SHARES)])).split("\n")  # type: ignore[operator]
    assert len(lines) == 4
    assert len({line.count("|") for line in lines}) == 1


def test_a_row_says_what_is_aimed_at_and_whether_it_is_met() -> None:
    found = list(reading.needed_rows([judged_of(Aim("cuad"), SHARES), judged_of(Aim("xquad", most=9.0), SHARES)]))
    assert found[1].endswith("| 10.0 [10.0, 10.0] | -10.0 [-10.0, -10.0] | under MiniLM | yes |")
    assert found[2].endswith("| 9 | no |")


def test_what_is_skipped_is_told_as_mean_and_maximum_with_and_without_short_documents() -> None:
    some = [judged_of(Aim("cuad"), SHARES), judged_of(Aim("xquad"), SHARES | {PRIORITY: 30.0})]
    head, _, every, longer = "\n".join(reading.skipped_rows(some)).split("\n")
    assert "seed" in head
    assert every.startswith("| all 2 sets |")
    assert "| 80.0 (90.0, cuad) | 76 (92) |" in every
    assert "| 90.0 (90.0, cuad) | 76 (92) |" in longer
    assert str(Skipped.of({"a": 1.0, "b": 3.0})) == "2.0 (3.0, b)"


def test_tables_are_put_between_the_two_marks_of_the_page() -> None:
    page = f"above\n{reading.BEGIN}\nold\n{reading.END}\nbelow\n"
    assert reading.replaced(page, "new") == f"above\n{reading.BEGIN}\nnew\n\n{reading.END}\nbelow\n"
    assert reading.replaced(reading.replaced(page, "a"), "b") == reading.replaced(page, "b")


# What is kept ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("texts", "question"), [(ENGLISH, "When are backups triggered?"), (CHINESE, "备份何时触发？")])
def test_a_piece_is_recalled_when_a_block_of_one_of_its_places_is_kept(texts: list[str], question: str) -> None:
    right, wrong = case_of(texts, question, 0), case_of(texts, question, 1, key="e")
    readings = words_alone(0.05)
    assert reading_cuts.recalled(right, readings(right)) == [True]
    assert reading_cuts.recalled(wrong, readings(wrong)) == [False]
    kept = reading_cuts.kept_of([(right, readings(right)), (wrong, readings(wrong))], resamples=50)
    assert kept.recall.value == 50.0
    assert 0.0 < kept.share.value < 60.0


def test_a_reading_is_made_once_a_question_and_told_the_scope() -> None:
    case = case_of(ENGLISH, "When are backups triggered?", 0)
    readings = Readings(SparseReader(scorer=None), Scope.SEVERAL)
    assert readings(case) is readings(case)
    assert readings(case).scope is Scope.SEVERAL
    assert np.argmax(readings.relevance(case)) == np.argmax(readings.priority(case)) == 0


def test_a_mean_has_an_interval_over_documents_and_none_for_one_document() -> None:
    found = reading_cuts.mean_percent([(("s", "a"), 1.0), (("s", "b"), 0.0), (("s", "b"), 1.0)])
    assert found.value == pytest.approx(200 / 3)
    assert found.low <= found.value <= found.high
    assert np.isnan(reading_cuts.mean_percent([(("s", "a"), 1.0)]).low)
    assert np.isnan(reading_cuts.mean_percent([]).value)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.floats(0.05, 1.0))
def test_a_threshold_recalls_what_it_must_and_is_the_highest_that_does(best: list[float], recall: float) -> None:
    values = np.array(best)
    found = reading_cuts.threshold_for(values, recall)
    assert (values >= found).mean() >= recall - 1e-9
    assert (values > found).mean() < recall


def labelled() -> list[Case]:
    """Questions whose words stand in the block that answers them, on documents of seven blocks."""
    names = ["pump", "valve", "motor", "sensor", "filter", "engine", "heater"]
    texts = [f"The {name} of unit {rank} is checked each week by the staff." for rank, name in enumerate(names)]
    return [
        case_of(texts, f"How often is the {name} checked?", rank, key=f"{half}-{rank}", half=half)
        for half in ("choose", "report")
        for rank, name in enumerate(names)
    ]


def test_a_fitted_threshold_recalls_the_evidence_that_it_was_fitted_on() -> None:
    cases, readings = labelled(), words_alone()
    found = reading_cuts.fitted(cases[:7], readings, name="made")
    assert found.threshold.scale is Scale.CALIBRATED
    assert found.calibration.fitted_on == "made"
    assert set(found.calibration.maps) == {ANY_TYPE}
    pairs = [(case, reading_cuts.calibrated(case, readings, found.calibration, found.threshold)) for case in cases]
    assert all(one.scores.scale is Scale.CALIBRATED for _, one in pairs)
    kept = reading_cuts.kept_of(pairs)
    assert kept.recall.value >= 95.0
    assert kept.share.value < 50.0


def test_no_map_is_fitted_on_scores_that_say_nothing() -> None:
    cases = [case_of(ENGLISH, "zebra?", 0, key=str(rank)) for rank in range(6)]
    with pytest.raises(CalibrationRefused, match=r"are \(nearly\) the same"):
        reading_cuts.fitted(cases, words_alone(), name="made")


def test_what_the_model_does_not_read_is_calibrated_by_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["水泵", "阀门", "电机", "传感器", "滤网", "引擎", "加热器"]
    texts = [f"第{rank}单元的{name}每周由员工检查一次。" for rank, name in enumerate(names)]
    cases = [
        case_of(texts, f"{name}多久检查？", rank, key=f"{half}-{rank}", half=half)
        for half in ("choose", "report")
        for rank, name in enumerate(names)
    ]
    encoder = FakeEncoder({})
    monkeypatch.setattr(encoder, "languages", frozenset({"en"}), raising=False)
    monkeypatch.setattr(reading_cuts, "SHORT_PIECES", 5)
    readings = Readings(SparseReader(scorer=HybridScorer(encoder)))
    _, _, row, *_ = reading_cuts.calibrated_rows({"made": cases}, readings)
    assert row.startswith("| made, words alone | 7 | ")
    assert " 100.0 " in row


def test_a_refused_calibration_is_told_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case_of(ENGLISH, "zebra?", 0, key=str(rank)) for rank in range(6)]
    monkeypatch.setattr(reading_cuts, "SHORT_PIECES", 5)
    _, line, row, _ = reading_cuts.calibrated_rows({"made": cases}, words_alone())
    assert row.startswith("| made | 6 | refused: The scores of all 18 blocks are (nearly) the same")
    assert row.count("|") == line.count("|")


def test_a_set_with_few_pieces_gets_no_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = {"made": labelled()}
    assert len(list(reading_cuts.calibrated_rows(cases, words_alone()))) == 2
    monkeypatch.setattr(reading_cuts, "SHORT_PIECES", 5)
    rows = list(reading_cuts.calibrated_rows(cases, words_alone()))
    assert [row.split(" | ")[0] for row in rows[2:]] == ["| made", "| type general", "| mean of the sets"]
    assert len({row.count("|") for row in rows}) == 1


def test_readings_without_calibration_are_told_for_longer_documents_as_well() -> None:
    cases = [
        case_of(ENGLISH, "When are backups triggered?", 0),
        case_of(ENGLISH * 150, "Who discussed lunch?", 1, key="e"),
    ]
    readings = Readings(SparseReader(scorer=None, token_share=TokenShare().share))
    *_, row, mean = reading_cuts.plain_rows({"empty": [], "made": cases}, readings)
    assert mean.startswith("| mean of the sets |  |  | 100.0 | ")
    assert row.startswith("| made | 2 | 1 | 100.0")
    assert not row.endswith("| - | - |")


# Questions without an answer ---------------------------------------------------------------------


def test_the_curve_is_of_the_number_that_is_given() -> None:
    good = [case_of(ENGLISH, question, 0, key=question) for question in "abcd"]
    bad = [case_of(ENGLISH, question, 0, key=question, answerable=False) for question in "efgh"]
    number = dict(zip("abcdefgh", [9, 8, 7, 3, 4, 2, 1, 0], strict=True))
    found = answerability.curve(good, bad, lambda case: float(number[case.question]), resamples=40)
    assert (found.answerable, found.unanswerable) == (4, 4)
    assert found.area.value == pytest.approx(100 * 15 / 16)
    assert found.caught[1.0].value == 75.0
    assert found.caught[30.0].value == 100.0
    assert [one.value <= other.value for one, other in pairwise(found.caught.values())] == [True] * 6
    assert found.area.low <= found.area.value <= found.area.high


def test_what_is_said_is_counted_for_answerable_and_unanswerable_questions() -> None:
    good, bad = [case_of(ENGLISH, "Who discussed lunch?", 1)], [case_of(ENGLISH, "x?", 0, answerable=False)]
    asked: list[str] = []

    def unanswerable(name: str) -> list[Case]:
        asked.append(name)
        return bad

    _, _, judged, other = answerability.said_rows(unanswerable, {"cuad": good, "xquad": good}, words_alone())
    assert asked == ["cuad_unanswerable"]
    assert judged.startswith("| cuad | 0 of 1: 0.0 % | ")
    assert other == "| xquad | 0 of 1: 0.0 % | - |"


# Times -------------------------------------------------------------------------------------------


def test_a_row_of_times_is_met_by_its_quantile() -> None:
    taken = ((0.010, 0.02), (0.020, 0.02), (0.200, 0.02))
    assert str(reading_speed.Row("x", 0.15, taken)) == "| x | 150 ms | 20 ms | yes | 10 ms to 200 ms | 20 ms |"
    assert "| no |" in str(reading_speed.Row("x", 0.15, taken, 0.95))
    assert "|  | 20 ms |  |" in str(reading_speed.Row("x", None, taken))
    assert reading_speed.seconds(8.0) == "8 s"


def test_only_what_is_known_stays_in_the_cache(tmp_path: Path) -> None:
    for name in ("a.blocks", "a.vectors", "a.backend"):
        (tmp_path / name).write_bytes(b"x")
    reading_speed.forget(tmp_path, (".blocks", ".backend"))
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.backend", "a.blocks"]


def test_a_process_that_fails_is_told_with_its_last_word() -> None:
    with pytest.raises(RuntimeError, match=r"^parse of nowhere\.pdf failed: \['.*nowhere\.pdf"):
        reading_speed.run("parse", "nowhere.pdf", environment=os.environ | {"PYTHONPATH": str(reading_speed.ROOT)})
