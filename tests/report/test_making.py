"""Readings to a report: what is checked first, what stands in it, and that equal input gives equal bytes."""

from __future__ import annotations

import html
import re
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.report.made import (
    AGREEMENT,
    MANUAL,
    PAYMENT,
    REPORT,
    REPORT_ZH,
    REVENUE,
    REVENUE_ZH,
    bundled,
    gated,
    reading_of,
    scanned,
    shipped_profile,
    words_alone,
)
from workbench.errors import InvalidOption, StaleProfile, WorkbenchError
from workbench.report import Report, report_on
from workbench.report.contents import AnswerSaid, AnswersSaid
from workbench.report.making import side_names
from workbench.report.wording import FOLDER, saying
from workbench.wording import LANGUAGES, section_of

BACKUP = "What triggers a backup?"
MEASURED = "What was measured?"


def manual(question: str = BACKUP, **options: Any) -> wb.Reading:
    return reading_of(MANUAL, question, min_tokens=200, **options)


def plain(report: Report) -> str:
    """The words of a page, without its markup."""
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", report.html, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def research(question: str = MEASURED) -> wb.Reading:
    return reading_of("research-report.pdf", question)


def test_equal_input_gives_equal_bytes() -> None:
    made = [report_on(words_alone(share=0.1).read(bundled("research-report.pdf"), MEASURED)) for _ in range(2)]
    assert made[0].html == made[1].html
    assert made[0].html.count("data:image/") == len(research().document.pages)


def test_a_picture_stands_in_the_file_once_however_many_questions_there_are() -> None:
    two = report_on([research(), research("Who wrote it?")])
    assert two.html.count("data:image/") == len(research().document.pages)


def test_no_picture_is_drawn_that_nobody_wants() -> None:
    made = report_on(reading_of(REPORT, REVENUE), pictures=False)
    assert "data:image/" not in made.html
    assert 'id="r1-p53"' in made.html


def test_a_file_that_was_moved_costs_the_pictures_and_the_report_says_why(tmp_path: Path, project_dir: Path) -> None:
    file = tmp_path / "moved.pdf"
    shutil.copy(project_dir / "datasets" / "dev" / "artifacts" / "sensor-patent.pdf", file)
    reading = words_alone().read(wb.open_document(file), MEASURED)
    file.unlink()
    made = report_on(reading)
    assert "data:image/" not in made.html
    assert "moved.pdf" in plain(made)
    assert "no picture" in plain(made).lower()


def test_each_reading_has_a_section_and_only_two_of_one_document_stand_side_by_side() -> None:
    readings = [manual(), manual("How long are backups kept?"), manual("Who may restore?")]
    assert 'id="r1"' in report_on(readings[0]).html
    three = report_on(readings).html
    assert all(f'id="r{number}"' in three for number in (1, 2, 3))
    assert 'id="c1"' not in three
    assert 'id="c1"' in report_on(readings[:2]).html
    assert 'id="c1"' not in report_on(readings[:2], comparison=False).html
    assert 'id="c1"' not in report_on([manual(), reading_of(AGREEMENT, PAYMENT)], pictures=False).html


def compared(report: Report) -> dict[str, list[str]]:
    """The table of figures of the comparison: name -> left, right, difference."""
    part = report.html[report.html.index('id="c1-figures"') : report.html.index('id="c1-losses"')]
    rows = re.findall(r"<tr>\s*<th scope=\"row\">(.*?)</th>(.*?)</tr>", part, flags=re.DOTALL)
    return {name: [html.unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", cells)] for name, cells in rows}


def test_a_comparison_says_what_the_readings_say_where_the_gate_reads_whole() -> None:
    readings = [manual(), manual("Who may restore?")]
    native = [gated(reading, native=0.98, force=0.99) for reading in readings]
    total = readings[0].saving.tokens_total
    found = compared(report_on(readings, gates=native))
    assert found["tokens that the model reads"] == [f"{total:,} of {total:,}"] * 2 + ["0"]
    assert found["saved a year"][:2] == ["USD 0", "USD 0"]
    assert found["the gate says"][:2] == ["read it whole", "read it whole"]
    one = compared(report_on(readings, gates=[None, native[1]]))
    assert one["saved a year"][0] != "USD 0" and one["saved a year"][1] == "USD 0"
    assert "the gate says" not in compared(report_on(readings))


def test_the_gate_of_a_profile_speaks_in_the_comparison_as_well() -> None:
    reader = wb.SparseReader.from_profile(shipped_profile())
    readings = [reader.read(bundled(MANUAL), asked) for asked in (BACKUP, "Who may restore?")]
    found = compared(report_on(readings, profile=shipped_profile()))
    assert found["the gate says"][:2] == ["read it whole", "read it whole"]
    assert found["saved a year"][:2] == ["USD 0", "USD 0"]


def test_the_evidence_of_one_question_is_no_loss_of_the_other() -> None:
    left, right = manual(), manual("Who may restore?")
    text = left.basis.has_text
    mine = np.flatnonzero(left.decision.kept & ~right.decision.kept & text).tolist()[:3]
    other = np.flatnonzero(right.decision.kept & ~left.decision.kept & text).tolist()[:2]
    words = plain(report_on([left, right], gold=[mine, other]))
    assert "of marked evidence that" not in words
    assert "“First question” keeps 3 of 3 blocks of its marked evidence" in words
    assert "“Second question” keeps 2 of 2 blocks of its marked evidence" in words


def test_of_two_questions_the_difference_comes_after_the_answers() -> None:
    page = report_on([manual(), manual("Who may restore?")]).html
    assert page.index('href="#c1"') < page.index('id="r1"') < page.index('id="r2"') < page.index('id="c1"')
    budget = report_on([manual(), manual().with_budget(300)]).html
    assert budget.index('id="c1"') < budget.index('id="r1"')


def test_what_differs_in_the_cut_alone_is_called_two_readings() -> None:
    for other in (manual().with_budget(300), manual().with_token_share(0.5), manual()):
        words = plain(report_on([manual(), other]))
        assert "Two readings of one document" in words
        assert "Two profiles" not in words
    rules = wb.SparseReader(scorer=None, rules="legal", token_share=0.5, min_tokens=200)
    assert "Two readings of one document" in plain(report_on([manual(), rules.read(bundled(MANUAL), BACKUP)]))


def test_pictures_take_no_more_room_than_they_are_given() -> None:
    reading = research()
    full = report_on(reading)
    size = sum(map(len, re.findall(r'href="(data:image/[^"]+)"', full.html)))
    assert size > 20_000
    half = report_on(reading, picture_bytes=size // 2)
    assert 0 < sum(map(len, re.findall(r'href="(data:image/[^"]+)"', half.html))) <= size // 2
    assert "data:image/" not in report_on(reading, picture_bytes=0).html
    with pytest.raises(InvalidOption, match="is -1; give a whole number of at least 0"):
        report_on(reading, picture_bytes=-1)


def test_the_order_of_marked_blocks_leaves_the_bytes_as_they_are() -> None:
    left, right = manual(), manual("Who may restore?")
    gold = np.flatnonzero(left.decision.kept).tolist()
    made = [report_on([left, right], gold=[ids, set(ids)]).html for ids in (gold, gold[::-1])]
    assert made[0] == made[1]


def test_a_price_table_can_be_made_of_public_names() -> None:
    prices = wb.PriceTable((wb.Price("house model", 7.5),), currency="EUR", requests_per_day=3)
    assert "house model" in plain(report_on(manual(), prices=prices))


def test_two_rule_tables_are_named_by_their_tables() -> None:
    left = manual()
    right = wb.SparseReader(scorer=None, rules="legal", token_share=0.1, min_tokens=200).read(left.document, BACKUP)
    made = report_on([left, right])
    assert "Rules technical" in plain(made)
    assert "Rules legal" in plain(made)


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_sides_of_one_name_are_told_apart(language: str) -> None:
    say = saying("making", language)
    left, right = side_names(["dev", "dev"], say)
    assert left != right
    assert left.startswith("dev")
    assert side_names(["dev", "test"], say) == ("dev", "test")


def test_what_it_was_made_with_is_told_each_once() -> None:
    reading = manual()
    made = report_on([reading, manual("How long are backups kept?")], comparison=False)
    for value in (reading.document.sha256, reading.scores.scorer, reading.structure.sha256):
        assert plain(made).count(value) == 1
    assert "o200k_base" in plain(made)
    assert f"Made with SparseRead Workbench {wb.__version__}." in plain(made)


def test_a_date_stands_in_it_only_where_one_is_given() -> None:
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", plain(report_on(manual())))
    made = report_on(manual(), made_on=date(2026, 3, 9), language="zh")
    assert f"由 SparseRead Workbench {wb.__version__} 于 2026-03-09 生成。" in plain(made)


def test_the_title_is_the_documents_name_or_what_is_given() -> None:
    assert report_on(manual()).title == "What was kept and skipped of harbor-manual.md"
    made = report_on(manual(), title=" </title><script>alert(1)</script> ")
    assert made.title == "</title><script>alert(1)</script>"
    assert "<script>alert(1)" not in made.html


def test_nothing_of_a_document_or_a_question_is_markup(tmp_path: Path) -> None:
    attack = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
    file = tmp_path / "a<b>&'.md"
    try:
        file.write_text(
            f"# {attack}\n\nWhat is {attack} for?\n\n- {attack} {{{{ 7 * 7 }}}}\n\n\u202egnihton\n", "utf-8"
        )
    except OSError:
        pytest.skip("this system has no such file names")
    reading = words_alone(min_tokens=10).read(wb.open_document(file), f"What is {attack} for?")
    made = report_on([reading, reading.with_token_share(1.0)], title=attack)
    assert "<img src=x" not in made.html
    assert "<script>alert" not in made.html
    assert "{{ 7 * 7 }}" in plain(made)
    assert "a<b>" not in made.html


def test_a_profile_tells_its_figures_and_its_gate_decides() -> None:
    profile = shipped_profile()
    reading = wb.SparseReader.from_profile(profile).read(bundled(MANUAL), BACKUP)
    made = report_on(reading, profile=profile)
    assert profile.fingerprint in made.html
    decision = wb.ReadGate.from_profile(profile).decide(reading.document, BACKUP)
    own = report_on(reading, profile=profile, gates=[decision])
    assert own.html == made.html
    assert report_on(reading, profile=profile, gates=[None]).html != made.html


def test_the_gate_of_a_caller_is_told_without_a_profile() -> None:
    reading = manual()
    native = gated(reading, native=0.98, force=0.99)
    assert native.route.value == "native"
    assert plain(report_on(reading, gates=[native])) != plain(report_on(reading))


def test_figures_of_another_scorer_are_refused() -> None:
    with pytest.raises(StaleProfile) as refused:
        report_on(manual(), profile=shipped_profile())
    assert str(refused.value) == (
        "The reading of harbor-manual.md was not made with the scorer of the profile 'dev'; read with "
        "SparseReader.from_profile, or leave the profile out."
    )


def test_marked_evidence_is_told_kept_or_lost() -> None:
    reading = manual()
    skipped = np.flatnonzero(~reading.decision.kept).tolist()
    without, lost = report_on(reading), report_on(reading, gold=skipped[:2])
    assert plain(lost) != plain(without)
    both = report_on([reading, manual("Who may restore?")], gold=[skipped[:1], ()], comparison=False)
    assert 'id="r2"' in both.html
    assert report_on(reading, gold=np.array(skipped[:2])).html == lost.html


def test_answers_stand_in_the_report_as_text() -> None:
    whole = AnswerSaid("<i>an operator</i>", 900, 4, 1.25, 1.0, "Right.")
    kept = AnswerSaid("", 0, 0, 0.0, None, "", "No answer: the model said nothing.")
    said = AnswersSaid("wise <b>", whole, kept, "an operator", "Only the whole document was answered from.")
    made = report_on(manual(), answers=[said])
    assert "<i>an operator</i>" in plain(made)
    assert "<i>an operator</i>" not in made.html
    assert "No answer: the model said nothing." in plain(made)


def test_a_scan_says_that_it_needs_ocr() -> None:
    made = report_on(words_alone().read(scanned(), "What is it about?"))
    assert "OCR" in plain(made)


def test_a_reading_makes_its_report_itself(tmp_path: Path) -> None:
    reading = reading_of(REPORT_ZH, REVENUE_ZH)
    out = tmp_path / "报告.html"
    made = reading.report(out, language="zh", title="年报", pictures=False)
    assert out.read_text("utf-8") == made.html
    assert made.html == report_on(reading, language="zh", title="年报", pictures=False).html
    assert made.title == "年报"
    with pytest.raises(WorkbenchError, match="cannot be written"):
        reading.report(tmp_path / "none" / "out.html", pictures=False)


def test_a_report_is_shown_in_a_frame_that_is_apart_from_the_notebook() -> None:
    made = report_on(manual())
    assert repr(made) == f"Report('What was kept and skipped of harbor-manual.md', {len(made.html.encode()):,} bytes)"
    frame = made._repr_html_()
    assert frame.startswith('<iframe sandbox="allow-scripts" srcdoc="&lt;!DOCTYPE html&gt;')
    assert "<script" not in frame


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"readings": []}, "A report needs a reading; give one, or several."),
        ({"readings": ["x"]}, "A report is made of readings, not of str; give what SparseReader.read returns."),
        ({"language": "de"}, "language is 'de'; choose from en, zh."),
        ({"title": "  "}, "title is '  '; give a text, or None for the name of the document."),
        ({"gates": [None, None]}, "gates has 2 entries for 1 reading; give one each."),
        ({"answers": [None, None]}, "answers has 2 entries for 1 reading; give one each."),
        ({"gold": [99_999]}, "gold names block 99999, and harbor-manual.md has 53 blocks, from 0 on; give ids of its"),
        ({"gold": [(1,), (2,)]}, "gold has 2 entries for 1 reading; give one each."),
        ({"gold": ["a"]}, "gold names block 'a', and harbor-manual.md has 53 blocks"),
        ({"gold": [True]}, "gold names block True, and harbor-manual.md has 53 blocks"),
        ({"gold": [1.5]}, "gold names block 1.5, and harbor-manual.md has 53 blocks"),
        ({"gold": 3}, "gold is 3; give ids of blocks, or a collection of them for each reading."),
        ({"prices": {"models": []}}, "prices is of type dict; give a PriceTable, or None."),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_drawn(
    given: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.report.making.Pictures", lambda *_, **__: pytest.fail("pages were drawn"))
    values = {"readings": manual(), **given}
    with pytest.raises(InvalidOption) as refused:
        report_on(values.pop("readings"), **values)
    assert str(refused.value).startswith(message)


def test_gold_of_several_readings_is_one_collection_each() -> None:
    with pytest.raises(InvalidOption, match="gold is one collection for 2 readings; give a collection for each"):
        report_on([manual(), manual("Who may restore?")], gold=[1, 2])


def test_both_languages_have_the_same_words_to_fill_in() -> None:
    english, chinese = (section_of(FOLDER, "making", language) for language in LANGUAGES)
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", chinese[key]))
