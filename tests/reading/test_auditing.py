"""The audit holds every block and number, and is safe in a spreadsheet."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path

import workbench
from tests.reading.made import CHINESE, Made, SharedWords, manual
from tests.reading.strategies import basis_of
from workbench.reading.audit import FINGERPRINTS
from workbench.reading.cuts import Threshold
from workbench.reading.reader import SparseReader
from workbench.reading.reading import reading_of
from workbench.relevance.scores import Scale
from workbench.structure import Match, Rule, RuleTable

TABLE = RuleTable(
    "test", (Rule("alarms", Match(keywords=("alarm",)), 2.0), Rule("tanks", Match(keywords=("tank",)), 1.5))
)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_block_and_every_number_is_there() -> None:
    document = manual()
    reader = SparseReader(scorer=SharedWords(Scale.CALIBRATED), rules=TABLE)
    reading = reader.read(document, "When does an alarm sound?", threshold=0.5, scope="point")
    audit = reading.audit()
    rows = rows_of(audit.to_csv())
    assert [row["text"] for row in rows] == list(document.texts)
    assert len(audit) == 10 and list(rows[0]) == [*audit.columns, *FINGERPRINTS, "seal", "signature", "facts"]
    assert json.loads(rows[0]["facts"]) == audit.facts and not any(row["facts"] for row in rows[1:])
    assert {row["seal"] for row in rows} == {audit.seal}
    row = rows[5]
    assert {name: row[name] for name in ("status", "kept", "tokens", "tokens_kept", "section", "scale")} == {
        "status": "kept",
        "kept": "True",
        "tokens": "9",
        "tokens_kept": "9",
        "section": "The plant > Alarms",
        "scale": "calibrated",
    }
    assert row["rules"] == "alarms x 2*; tanks x 1.5"
    assert float(row["priority"]) == float(row["relevance"]) * float(row["weight"]) == reading.priority[5]
    assert float(row["margin"]) == float(row["priority"]) - float(row["threshold"]) - float(row["offset"])
    assert float(row["logit"]) == float(row["part_by hand"])
    assert document.text_layer[int(row["start_char"]) : int(row["end_char"])] == row["text"]
    assert sum(int(row["tokens"]) for row in rows) == audit.facts["tokens"] == document.tokens
    assert sum(int(row["tokens_kept"]) for row in rows) == audit.facts["tokens_kept"]
    assert rows[9]["tokens_kept"] == "0" and rows[9]["status"] == "skipped"


def test_the_fingerprints_tell_what_it_was_made_with() -> None:
    reader = SparseReader(scorer=SharedWords(Scale.CALIBRATED), rules=TABLE)
    audit = reader.read(manual(), "When does an alarm sound?").audit()
    assert {name: audit.facts[name] for name in FINGERPRINTS} == {
        "document_sha256": manual().sha256,
        "profile_sha256": None,
        "scorer": "shared words 1",
        "calibration": "by hand",
        "rules_sha256": TABLE.sha256,
        "tokenizer": "o200k_base",
        "workbench": workbench.__version__,
    }
    assert audit.facts["question"] == "When does an alarm sound?" and audit.facts["cut_in_words"] == "threshold 0.65"
    assert audit.facts["cut"] == {"kind": "threshold", "value": 0.65, "scale": "calibrated"}
    other = reader.read(manual(), "When does an alarm sound?").with_rules(TABLE.with_weight("alarms", 1.2))
    assert other.audit().facts["rules_sha256"] != TABLE.sha256


def test_no_cell_is_a_formula_and_no_text_breaks_a_row() -> None:
    nasty = ["=1+1", "+A1", "-2 %", "@SUM(A1)", "＝1", 'say "a,b"', "two\nlines", "Caf\udce9"]
    made = Made(name="=cmd.txt").heading("=HYPERLINK(1)")
    document = made.text(*nasty).document()
    reading = reading_of(basis_of(document, [0.9] * len(document)), Threshold(0.65))
    rows = rows_of(reading.audit().to_csv())
    assert [row["text"] for row in rows[1:]] == [
        "'=1+1",
        "'+A1",
        "'-2 %",
        "'@SUM(A1)",
        "'＝1",
        'say "a,b"',
        "two\nlines",
        "Caf\ufffd",
    ]
    assert rows[1]["section"] == "'=HYPERLINK(1)"
    assert all(float(row["margin"]) > 0 for row in rows)
    low = reading_of(basis_of(document, [0.1] * len(document)), Threshold(0.65))
    assert rows_of(low.audit().to_csv())[0]["margin"].startswith("-0.55")


def test_json_and_frame_hold_the_same() -> None:
    reading = reading_of(basis_of(manual(CHINESE, language="zh"), [0.1, 0.9] * 5), Threshold(0.65), 60)
    audit = reading.audit()
    found = json.loads(audit.to_json())
    assert found["facts"] == audit.facts and found["facts"]["budget_tokens"] == 60
    assert [block["text"] for block in found["blocks"]] == list(reading.document.texts)
    frame = audit.to_frame()
    assert list(frame.columns) == list(audit.columns) and frame.attrs["document_sha256"] == reading.document.sha256
    assert frame["text"].tolist() == [block["text"] for block in found["blocks"]]
    assert repr(audit) == f"Audit('manual.txt', 10 blocks, 33 columns, seal {audit.seal[:12]})"


def test_files_are_written_as_spreadsheets_read_them(tmp_path: Path) -> None:
    audit = reading_of(basis_of(manual(CHINESE, language="zh"), [0.9] * 10), Threshold(0.65)).audit()
    table, data = tmp_path / "audit.csv", tmp_path / "audit.json"
    text = audit.to_csv(table)
    audit.to_json(data)
    assert table.read_bytes().startswith(b"\xef\xbb\xbf") and table.read_text("utf-8-sig") == text
    assert json.loads(data.read_text("utf-8"))["facts"]["document"] == "manual.txt"


def test_a_reading_of_nothing_can_be_audited() -> None:
    audit = reading_of(basis_of(Made().page().document(), []), Threshold(0.65)).audit()
    (row,) = rows_of(audit.to_csv())
    assert row["block_id"] == row["text"] == "" and json.loads(row["facts"]) == audit.facts
    assert json.loads(audit.to_json())["blocks"] == []
    assert len(audit.to_frame()) == 0


def test_a_block_has_the_features_that_its_rules_may_name() -> None:
    rules = RuleTable("test", (Rule("acting", Match(features=("action_marker",)), 1.5),))
    audit = SparseReader(scorer=SharedWords(), rules=rules).read(manual(), "When does an alarm sound?").audit()
    row = dict(zip(audit.columns, audit.rows[2], strict=True))
    assert row["features"].split() == ["paragraph", "number", "duration", "percentage"]
    assert row["parent"] == 1 and row["section"] == "The plant > Backups" and row["is_header"] is False
    assert "action_verb" not in audit.facts["features"]
    parsed = rules.rules[0], Rule("parsed", Match(features=("action_verb",)), 0.9)
    deep = SparseReader(scorer=SharedWords(), rules=RuleTable("deep", parsed)).read(manual(), "What sounds?").audit()
    assert "action_verb" in deep.facts["features"] and "but_clause" not in deep.facts["features"]


def test_what_was_asked_is_there_as_data() -> None:
    made = manual(document_type="legal")
    reader = SparseReader(scorer=SharedWords(Scale.CALIBRATED), rules=TABLE, offsets={"legal": 0.05})
    reading = reader.read(made, "When does an alarm sound?", scope="point", budget_tokens=90)
    facts = reading.audit().facts
    told = {
        name: facts[name] for name in ("scope", "type_offset", "offset", "budget_tokens", "pages", "tokens_rendered")
    }
    assert told == {
        "scope": "point",
        "type_offset": 0.05,
        "offset": 0.05,
        "budget_tokens": 90,
        "pages": {"count": 1, "no text layer": [], "blank": [], "unreadable": []},
        "tokens_rendered": reading.saving.rendered_tokens,
    }
    assert facts["rules_spoken"] == [
        {"name": "alarms", "weight": 2.0, "pin": False, "reason": ""},
        {"name": "tanks", "weight": 1.5, "pin": False, "reason": ""},
    ]
    assert facts["kept_text_sha256"] == hashlib.sha256(reading.kept_text.encode()).hexdigest()


def test_the_models_are_named_where_a_scorer_has_some() -> None:
    class Encoder:
        name, fingerprint = "MiniLM", "e" * 64

    class WithModel(SharedWords):
        encoder = Encoder()

    facts = SparseReader(scorer=WithModel()).read(manual(), "When does an alarm sound?").audit().facts
    assert facts["encoder"] == {"name": "MiniLM", "fingerprint": "e" * 64} and facts["classifier"] is None
