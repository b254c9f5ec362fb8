"""Audits that somebody made to mislead or to harm: refused in one plain sentence, before they cost anything."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.reading.audited import (
    ASKED,
    SUFFIXES,
    TABLE,
    bundled,
    calibrated,
    column_edited,
    edited,
    refused,
    with_feedback,
)
from tests.reading.made import Made, SharedWords
from workbench.errors import InvalidAudit
from workbench.reading import Audit, SparseReader, deciding, load_audit
from workbench.reading.audit import parquet_file, possible, sealing
from workbench.relevance.scores import Scale

KEY = b"a key of thirty-two bytes, say.."


def pages(count: Any, **listed: Any) -> dict[str, Any]:
    return {"count": count, "no text layer": [], "blank": [], "unreadable": [], **listed}


def rule(**values: Any) -> dict[str, Any]:
    return {"name": "alarms", "weight": 1.7, "pin": False, "reason": "", **values}


def edited_facts(audit: Audit, **facts: Any) -> Audit:
    return replace(audit, facts={**audit.facts, **facts})


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("parent", 7, "block 5 stands under heading 7, which comes later"),
        ("table", 99, "block 5 has 99 as table, and there are the blocks 0 to 9"),
        ("continues", -2, "block 5 has -2 as continues, and there are the blocks 0 to 9"),
        ("page", 0, "block 5 has 0 as page, and the document has 1"),
        ("kind", "poem", "block 5 has 'poem' as kind"),
        ("scored_relevance", 1.5, "the relevance 1.5; it must be a number from 0 to 1"),
        ("rules", "unheard x 2*", "block 5 has 'unheard x 2*' as rules, which never spoke"),
        ("tokens", 2**40, "block 5 has 1099511627776 as tokens"),
        ("tokens", -1, "block 5 has -1 as tokens"),
        ("share_read", 1.25, "block 5 has 1.25 as share_read"),
        ("start_char", 999_999, "block 5 has a text of 38 characters, and stands from 999999 to "),
        ("start_char", -1, "block 5 has a text of 38 characters, and stands from -1 to "),
        ("end_char", 2**40, "to 1099511627776"),
        ("end_char", 0, "block 5 has a text of 38 characters, and stands from "),
        ("continues", 7, "block 5 continues block 7, which comes later"),
        ("feedback", 0.0, "block 5 has 0.0 as feedback, beyond 0 to 1"),
        ("feedback", -1.0, "block 5 has -1.0 as feedback, beyond 0 to 1"),
        ("feedback", 5.0, "block 5 has 5.0 as feedback, beyond 0 to 1"),
        ("feedback", 0.5, "blocks have feedback, and no part of their logits is called feedback"),
        ("scored_logit", 1e300, "block 5 has inf as scored_logit"),
        ("part_by hand", -1e300, "block 5 has -inf as part_by hand"),
        ("focus", "x", "block 5 has 'x' as focus"),
        ("focus", "", "block 5 has '' as focus"),
    ],
)
def test_impossible_inputs_are_refused_though_they_are_sealed(
    column: str, value: Any, words: str, tmp_path: Path
) -> None:
    path = edited(calibrated().audit(), column, 5, value).save(tmp_path / "audit.json")
    with pytest.raises(
        InvalidAudit, match=r"because its inputs are impossible .*; it was not made by a reading\.$"
    ) as told:
        load_audit(path)
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("fact", "value", "words"),
    [
        ("cut", {"kind": "threshold", "value": 7.0, "scale": "calibrated"}, "threshold is 7.0; give a number from 0"),
        ("cut", {}, "the cut is no value, neither a threshold nor a token share"),
        ("cut", {"kind": []}, "the cut is a list, neither a threshold nor a token share"),
        ("cut", {"kind": "threshold"}, "the cut does not consist of kind, value and scale"),
        ("cut", {"kind": "threshold", "value": True, "scale": ""}, "the cut has True as value"),
        ("cut", {"kind": "threshold", "value": 1, "scale": "kilograms"}, "the scale of the cut is 'kilograms', which"),
        ("budget_tokens", 0, "budget_tokens is 0; give a whole number of at least 1"),
        ("scope", "everything", "the scope is 'everything', which is none"),
        ("scale", "kilograms", "the scale is 'kilograms', which is none"),
        ("type_offset", 0.5, "the offset is 0.5, beyond ±0.08"),
        ("encoder", {"name": 7, "fingerprint": ""}, "the encoder has 7 as name"),
        ("classifier", {}, "the classifier does not consist of name and fingerprint"),
        ("pages", {"count": 1}, "the list of pages does not consist of count, no text layer, blank and unreadable"),
        ("pages", pages(10**12), "the document has 1000000000000 pages; 100,000 are the most"),
        ("pages", pages("1"), "the list of pages has '1' as count"),
        ("pages", pages(1, blank=[2]), "page 2 is listed, and the document has 1"),
        ("pages", pages(1, blank=["1"]), "page '1' is listed, and the document has 1"),
        ("pages", pages(1, blank=[1], unreadable=[1]), "a page is listed twice"),
        ("rules_spoken", [7], "the rule 1 of those that spoke does not consist of name, weight, pin and reason"),
        ("rules_spoken", [{"name": "alarms"}], "the rule 1 of those that spoke does not consist of name, weight, pin"),
        ("rules_spoken", [rule(weight="x")], "the rule 1 of those that spoke has 'x' as weight"),
        ("rules_spoken", [rule(weight=90.0)], "weight"),
        ("rules_spoken", [rule(), rule()], "alarms"),
    ],
)
def test_an_impossible_fact_is_refused_in_plain_words(fact: str, value: Any, words: str, tmp_path: Path) -> None:
    audit = edited_facts(column_edited(calibrated().audit(), "rules", ""), **{fact: value})
    with pytest.raises(
        InvalidAudit, match=r"because its inputs are impossible \([^\n]+\); it was not made by a reading\.$"
    ) as told:
        load_audit(audit.save(tmp_path / "audit.json"))
    assert words in str(told.value)
    assert not re.search(r"object is not|subscriptable|KeyError|\('|unhashable|NoneType", str(told.value))


@pytest.mark.parametrize("ranges", ["5-2", "0-9999", "0-5 3-8", "x", "0-5  6-8", "1_0-11"])
def test_an_impossible_focus_is_refused(ranges: str) -> None:
    audit = edited(calibrated().with_focus({5: ((3, 8),)}).audit(), "focus", 5, ranges)
    with pytest.raises(InvalidAudit, match="cannot be decided again"):
        audit.check()


def test_a_small_parquet_file_that_would_fill_the_memory_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    path = calibrated().audit().save(tmp_path / "audit.parquet")
    schema = pq.read_schema(path)
    one = pq.read_table(path)
    longer = one.set_column(one.schema.get_field_index("text"), schema.field("text"), pa.array(["x" * 200_000] * 10))
    pq.write_table(longer, path)
    assert refused(path) == "it was written by another program than this one"
    monkeypatch.setattr(parquet_file, "MAX_BYTES", 1 << 20)
    pq.write_table(longer, path, use_dictionary=False, compression="zstd")
    assert path.stat().st_size < 30_000
    assert refused(path) == "its columns have more than 1 MB"


def nothing_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on a column that is read is a mistake."""

    def read(_: Any) -> Any:
        raise AssertionError("columns were read")

    monkeypatch.setattr(parquet_file, "_batches", read)


def test_columns_that_are_not_those_of_an_audit_are_refused_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    path = calibrated().audit().save(tmp_path / "audit.parquet")
    bomb = pa.table({"parent": pa.nulls(5_000_000, pa.int64())}).replace_schema_metadata(pq.read_schema(path).metadata)
    pq.write_table(bomb, path, use_dictionary=False, compression="zstd")
    assert path.stat().st_size < 100_000
    nothing_read(monkeypatch)
    assert refused(path).startswith("it has no column 'block_id', 'continues', 'end_char'")


@pytest.mark.parametrize(("told", "words"), [(10, "it has 20,000 rows, and its facts tell of 10 blocks"),
                                             (20_000, "its columns have more than 4 MB")])  # fmt: skip
def test_rows_that_cost_nothing_in_the_file_cost_memory(
    told: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values that are not there are eight bytes each, as those that are: 20,000 rows of 33 columns have over 5 MB."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    path = edited_facts(calibrated().audit(), blocks=told).save(tmp_path / "audit.parquet")
    schema = pq.read_schema(path)
    empty = {"int64": 0, "double": 0.0, "string": "", "bool": False}
    rows = pa.table(
        [
            pa.nulls(20_000, field.type) if field.nullable else pa.array([empty[str(field.type)]] * 20_000, field.type)
            for field in schema
        ],
        schema=schema,
    )
    pq.write_table(rows, path, use_dictionary=False, compression="zstd")
    stored = pq.read_metadata(path).row_group(0)
    assert sum(stored.column(at).total_uncompressed_size for at in range(stored.num_columns)) < 4 << 20
    monkeypatch.setattr(parquet_file, "MAX_BYTES", 4 << 20)
    nothing_read(monkeypatch)
    assert refused(path) == words


def test_more_rows_than_a_file_says_of_itself_are_not_read_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = calibrated().audit().save(tmp_path / "audit.parquet")
    monkeypatch.setattr(parquet_file, "_check_size", lambda *_: None)
    monkeypatch.setattr(parquet_file, "MAX_BYTES", 100)
    assert refused(path) == "its columns have more than 0 MB"


def nested(depth: int) -> Any:
    return json.loads("[" * depth + "]" * depth)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_facts_that_are_nested_deeply_are_refused(suffix: str, tmp_path: Path) -> None:
    """Each level of a fact could be read, and the seal of them all could not be computed."""
    audit = calibrated().audit()
    for depth in (3, 900):
        object.__setattr__(audit, "facts", {**audit.facts, "encoder": {"name": nested(depth), "fingerprint": ""}})
        audit.__dict__["seal"] = "0" * 64
        path = audit.save(tmp_path / f"audit{suffix}")
        assert refused(path) == "its facts are nested more deeply than any that a reading writes"


def test_a_value_that_is_nested_deeply_is_refused(tmp_path: Path) -> None:
    found = json.loads(calibrated().audit().to_json())
    path = tmp_path / "audit.json"
    found["blocks"][5]["margin"] = nested(900)
    path.write_text(json.dumps(found))
    assert refused(path) == "block 5 has a list as margin"
    path.write_text(json.dumps({**found, "facts": {**found["facts"], "layout": nested(1)}}))
    assert refused(path) == "it has the layout a list, and this version of workbench reads layout 2"


def test_a_seal_or_a_signature_that_only_begins_right_is_another_one(tmp_path: Path) -> None:
    audit = calibrated().audit().signed(KEY)
    found, path = json.loads(audit.to_json()), tmp_path / "audit.json"
    assert sealing.same(audit.seal, audit.seal) and not sealing.same(audit.seal, audit.seal[:-1])
    path.write_text(json.dumps({**found, "seal": f"{audit.seal[:-1]}{'0' if audit.seal[-1] != '0' else '1'}"}))
    assert refused(path, key=KEY).startswith("it was changed after it was sealed")
    assert audit.signature is not None
    path.write_text(json.dumps({**found, "signature": f"{audit.signature[:-1]}x"}))
    assert refused(path, key=KEY) == "it was not signed with this key"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("factor", [1e-300, 5e-324])
def test_feedback_that_leaves_nothing_of_a_block_is_refused_without_a_warning(factor: float, tmp_path: Path) -> None:
    audit = edited(edited(with_feedback().audit(), "scored_relevance", 5, 1e-300), "feedback", 5, factor)
    audit = replace(
        audit,
        rows=tuple(
            tuple(
                1e-300 if name == "scored_relevance" else value for name, value in zip(audit.columns, row, strict=True)
            )
            for row in audit.rows
        ),
    )
    with pytest.raises(InvalidAudit, match=r"inputs are impossible \(block 5 has -inf as logit\)"):
        load_audit(audit.save(tmp_path / "audit.json"))


def chain(column: str, audit: Audit) -> Audit:
    """Each block is linked to the one before it."""
    for block in range(1, len(audit)):
        audit = edited(audit, column, block, block - 1)
    return audit


@pytest.mark.parametrize(
    ("column", "limit", "words"),
    [
        ("parent", "DEEPEST_HEADING", "more than 3 headings stand under each other"),
        ("continues", "LONGEST_CHAIN", "more than 3 tables continue each other"),
    ],
)
def test_links_that_would_be_walked_for_ever_are_refused(
    column: str, limit: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = chain(column, calibrated().audit())
    audit.decided_again()
    monkeypatch.setattr(possible, limit, 3)
    with pytest.raises(InvalidAudit, match=words):
        audit.decided_again()


def test_titles_that_would_fill_the_memory_when_they_are_joined_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    audit = chain("parent", calibrated().audit())
    monkeypatch.setattr(possible, "MOST_SECTION_CHARS", 500)
    with pytest.raises(InvalidAudit, match="the titles of its sections have no room in memory"):
        audit.decided_again()


def test_tokens_are_counted_again_and_not_believed() -> None:
    audit = calibrated(threshold=0.4).audit()
    (told,) = edited(audit, "tokens", 3, 1).check()
    assert told == f"block 3, tokens: here 1, decided again {audit.rows[3][audit.columns.index('tokens')]}"


@pytest.mark.parametrize("tokens", [0, 1])
def test_false_tokens_do_not_make_a_budget_drop_block_after_block(tokens: int, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Made().text(*(f"An alarm number {number} sounds when tank {number} is full." for number in range(400)))
    reader = SparseReader(scorer=SharedWords(Scale.CALIBRATED), rules=TABLE)
    audit = reader.read(document.document(), ASKED, threshold=0.1, budget_tokens=900).audit()
    assert 10 < audit.facts["blocks_kept"] < 390
    rendered, render = [], deciding.render
    monkeypatch.setattr(deciding, "render", lambda *args: rendered.append(1) or render(*args))  # type: ignore[func-returns-value]
    told = column_edited(audit, "tokens", tokens).check()
    assert len(rendered) < 10
    assert len(told) == 400 and all(", tokens: here " in sentence for sentence in told)


def test_parts_that_do_not_add_up_to_the_logit_are_told() -> None:
    reading = SparseReader(scorer=None).read(bundled("harbor-manual.md"), "What triggers a backup?")
    audit = reading.audit()
    assert len(audit.facts["parts"]) > 1 and audit.check() == ()
    name = f"part_{audit.facts['parts'][0]}"
    at = audit.columns.index(name)
    block = next(block for block, row in enumerate(audit.rows) if row[at])
    (told,) = edited(audit, name, block, audit.rows[block][at] + 0.5).check()
    logit = audit.rows[block][audit.columns.index("scored_logit")]
    assert told.startswith(f"block {block}, scored_logit: here {logit:g}, its parts add up to ")


def test_the_docs_name_what_a_check_cannot_see(project_dir: Path) -> None:
    """Each of these is edited, sealed again and not noticed: the docs must say so."""
    audit = calibrated(threshold=0.4).audit()
    skipped, at = 3, {name: number for number, name in enumerate(audit.columns)}
    stored = audit.rows[skipped][at["text"]]
    assert audit.rows[skipped][at["status"]] == "skipped" and "90 days" in stored
    assert edited(audit, "text", skipped, stored.replace("90 days", "80 days")).check() == ()
    kinds = {"features": "lies", "share_read": 0.25, "kind": "footnote", "start_char": 0, "end_char": 999_999}
    for column, value in kinds.items():
        assert edited(audit, column, skipped, value).check() == (), column
    for fact, value in (("question", "Why?"), ("notes", ["All is well."]), ("language", "zh"), ("presence", 1.0)):
        assert edited_facts(audit, **{fact: value}).check() == (), fact
    section = (project_dir / "docs" / "reading.md").read_text("utf-8").partition("**What `check()` cannot prove.**")[2]
    section = section.partition("**What the seal proves.**")[0]
    for word in (*kinds, "question", "notes", "language", "presence"):
        assert f"`{word}`" in section, word
