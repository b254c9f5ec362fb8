"""The panel of the cut, without a browser: what its actions do to the reading, and what it sends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import traitlets

from tests.reading.made import CHINESE, ByHand, manual
from workbench.documents import Document
from workbench.errors import InvalidOption
from workbench.reading import Reading, SparseReader, Threshold, TokenShare
from workbench.reading.cuts import Cut
from workbench.reading.deciding import overhead_of
from workbench.relevance.scores import Scale
from workbench.widgets import ThresholdPanel
from workbench.widgets.threshold_panel import evidence_data
from workbench.workload import Evidence, Gold, GoldPiece
from workbench.workload.gold import Way
from workbench.workload.recall_curves import Curve, RecallCurves

QUESTIONS = {"en": "When does a backup start?", "zh": "何时开始备份？"}


def document_of(language: str = "en") -> Document:
    return manual() if language == "en" else manual(CHINESE, name="手册.txt", language="zh")


def reading_in(language: str = "en", scale: Scale = Scale.CALIBRATED, cut: Cut | None = None) -> Reading:
    document = document_of(language)
    reader = SparseReader(scorer=ByHand(np.linspace(0.05, 0.95, len(document)).tolist(), scale), min_tokens=20)
    reading = reader.read(document, QUESTIONS[language])
    return reading if cut is None else reading.with_cut(cut)


def gold_of(document: Document, *places: tuple[int, ...]) -> Gold:
    """One piece of evidence with these places."""
    piece = GoldPiece(Evidence(quote="x"), Way.EXACT, places)
    return Gold("r", (piece,), (), document.columns.tokens)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("scale", list(Scale))
def test_a_threshold_is_drawn_on_the_scale_that_the_scores_have(language: str, scale: Scale) -> None:
    panel = ThresholdPanel(reading_in(language, scale), language=language)
    panel.act("set_cut", kind="threshold", value=0.4)
    assert panel.reading.cut == Threshold(0.4, scale)
    assert panel.cut == {"kind": "threshold", "value": 0.4, "scale": scale.value}
    assert panel.status == panel.reading.status.tobytes()


def test_a_share_keeps_the_least_tokens_of_the_panel() -> None:
    panel = ThresholdPanel(reading_in(scale=Scale.UNCALIBRATED))
    assert panel.min_tokens == 20
    panel.act("set_cut", kind="share", value=0.5)
    assert panel.reading.cut == TokenShare(0.5, 20)
    panel.act("set_cut", kind="threshold", value=0.2)
    panel.act("set_cut", kind="share", value=0.1)
    assert panel.reading.cut == TokenShare(0.1, 20)


def test_an_offset_moves_the_documents_of_its_type_alone() -> None:
    panel = ThresholdPanel(reading_in())
    panel.act("set_offset", document_type="legal", value=-0.05)
    assert panel.reading.offset == 0.0
    panel.act("set_offset", document_type="technical", value=0.03)
    assert panel.reading.offset == panel.offset == 0.03
    assert panel.type_offsets == {"legal": -0.05, "technical": 0.03}
    panel.act("set_offset", document_type="technical", value=0.0)
    assert panel.offset == 0.0
    assert panel.type_offsets["technical"] == 0.0


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("set_cut", {"kind": "rank", "value": 3}, "The kind of a cut is 'rank'; choose from threshold, share."),
        ("set_cut", {"kind": "threshold", "value": 2}, "threshold is 2; give a number from 0 to 1."),
        ("set_cut", {"kind": "share", "value": 0}, "token_share is 0; give a number above 0 and at most 1."),
        ("set_offset", {"document_type": "technical", "value": 0.1}, "give a number from -0.08 to 0.08."),
        ("set_offset", {"document_type": "poem", "value": 0.0}, "offsets names poem; the document types are "),
        ("set_budget", {"tokens": 0}, "budget_tokens is 0; give a whole number of at least 1."),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(kind: str, values: dict[str, Any], message: str) -> None:
    panel = ThresholdPanel(reading_in())
    before = panel.reading
    with pytest.raises(InvalidOption) as error:
        panel.act(kind, **values)
    assert message in str(error.value)
    assert panel.reading is before


def test_a_budget_is_set_and_taken_away() -> None:
    panel = ThresholdPanel(reading_in(cut=Threshold(0.1)))
    panel.act("set_budget", tokens=120)
    assert panel.budget == panel.reading.budget_tokens == 120
    assert panel.figures["rendered_tokens"] <= 120
    panel.act("set_budget", tokens=None)
    assert panel.budget is None
    assert panel.reading.budget_tokens is None


def test_whoever_watches_gets_each_new_reading_until_he_stops() -> None:
    panel = ThresholdPanel(reading_in())
    seen: list[Reading] = []
    stop = panel.on_reading(seen.append)
    panel.act("set_cut", kind="threshold", value=0.3)
    panel.reading = panel.reading.with_threshold(0.2)
    stop()
    stop()
    panel.act("set_cut", kind="threshold", value=0.5)
    assert [found.cut for found in seen] == [Threshold(0.3), Threshold(0.2)]


def test_another_cut_sends_neither_text_nor_scores() -> None:
    panel = ThresholdPanel(reading_in())
    changed: set[str] = set()
    panel.observe(lambda change: changed.add(change["name"]), names=traitlets.All)
    panel.act("set_cut", kind="threshold", value=0.9)
    assert changed == {"status", "cut", "line", "figures", "sequence"}
    assert (panel.text, panel.offsets, panel.reason) == (b"", b"", b"")


def test_what_a_budget_spends_besides_blocks_is_counted_for_both_kinds_of_cut() -> None:
    reading = reading_in()
    panel = ThresholdPanel(reading)
    for kind, cut in (("threshold", Threshold(0.2)), ("share", TokenShare(0.5))):
        overhead = overhead_of(reading.basis, cut)
        spent = {"fixed": overhead.fixed, "run": overhead.run, "block": overhead.block}
        assert panel.answer_overheads()[kind] == spent
        assert overhead.fixed > overhead.run > overhead.block > 0


def test_evidence_stands_in_any_of_its_places() -> None:
    document = document_of()
    gold = gold_of(document, (2, 3), (5,))
    assert np.frombuffer(evidence_data(gold), "<i4").tolist() == [0, 2, 2, 3, 0, 1, 5]
    panel = ThresholdPanel(reading_in(), gold=gold)
    assert panel.evidence == evidence_data(gold)
    assert np.flatnonzero(np.frombuffer(panel.gold, np.uint8)).tolist() == [2, 3]
    blocks = ThresholdPanel(reading_in(), gold=[2, 5])
    assert np.frombuffer(blocks.evidence, "<i4").tolist() == [0, 1, 2, 1, 1, 5]


def test_evidence_stays_with_its_document() -> None:
    panel = ThresholdPanel(reading_in(), gold=[2])
    panel.act("set_cut", kind="threshold", value=0.2)
    assert panel.evidence
    panel.reading = reading_in("zh")
    assert panel.evidence == b""
    panel.show(reading_in("zh"), gold=[3])
    assert np.frombuffer(panel.evidence, "<i4").tolist() == [0, 1, 3]


def test_curves_are_sent_as_plain_values_and_can_come_later() -> None:
    at = np.array([0.1, 1.0])
    nan = np.full(2, np.nan)
    curve = Curve(at, np.array([0.5, 1.0]), nan, nan, at, nan, nan, requests=3, documents=1)
    panel = ThresholdPanel(reading_in())
    assert panel.curve_data == {}
    panel.curves = RecallCurves("dev", None, curve, "out of sample")
    assert json.loads(json.dumps(panel.curve_data))["share"]["recall_low"] == [None, None]
    assert panel.curve_data["threshold"] is None


def test_the_panel_says_what_it_shows() -> None:
    assert repr(ThresholdPanel(reading_in(cut=Threshold(0.5)))) == "ThresholdPanel('manual.txt', threshold 0.5)"


def test_every_word_is_there_in_both_languages(project_dir: Path) -> None:
    folder = project_dir / "workbench" / "widgets" / "words"
    english, chinese = (
        json.loads((folder / f"threshold_panel.{language}.json").read_text("utf-8")) for language in ("en", "zh")
    )
    assert list(english) == list(chinese)
    for key, text in english.items():
        assert {part.split("}")[0] for part in text.split("{")[1:]} == {
            part.split("}")[0] for part in chinese[key].split("{")[1:]
        }, key
