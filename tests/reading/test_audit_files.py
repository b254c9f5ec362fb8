"""An audit's files: what a spreadsheet makes of them, and what is refused when they are read again."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.audited import READINGS, SUFFIXES, calibrated, refused, tables_and_pages
from tests.reading.made import Made
from tests.reading.strategies import basis_of
from workbench.errors import FileMissing, InvalidAudit, InvalidOption
from workbench.printing import FORMULA_STARTS
from workbench.reading import Audit, Threshold, load_audit
from workbench.reading.audit import csv_file, loading
from workbench.reading.audit.columns import FACTS, NULLABLE, kind_of
from workbench.reading.reading import reading_of

KEY = b"a key of thirty-two bytes, say.."
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
NASTY = st.builds(
    "".join, st.lists(st.sampled_from(["'", "''", "=", "+", "\t", "\r", "\n", "\0", '"', ",", ";", "﻿", "🙂", "\ud83d"]))
)


@given(ANY_TEXT | NASTY)
def test_the_escape_of_any_text_is_undone_and_no_cell_is_a_formula(text: str) -> None:
    cell = csv_file.escaped(text)
    assert csv_file.unescaped(cell) == text
    assert not cell.startswith(FORMULA_STARTS)


@given(st.lists(ANY_TEXT | NASTY, max_size=4), ANY_TEXT)
@settings(max_examples=50)
def test_any_text_comes_back_from_every_format(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], name: str
) -> None:
    document = Made(name=name).text(*texts).document()
    audit = reading_of(basis_of(document, [0.7] * len(document)), Threshold(0.65)).audit()
    folder = tmp_path_factory.mktemp("texts")
    for suffix in SUFFIXES:
        again = load_audit(audit.save(folder / f"audit{suffix}"))
        assert again == audit and again.check() == ()


def test_a_table_of_formulas_is_plain_text_for_a_spreadsheet() -> None:
    audit = tables_and_pages().audit()
    rows = list(csv.reader(io.StringIO(audit.to_csv(), newline="")))
    numbers = {at for at, name in enumerate(rows[0]) if name in audit.columns and kind_of(name) in (int, float)}
    for row in rows:
        assert not any(cell.startswith(FORMULA_STARTS) for at, cell in enumerate(row) if at not in numbers)
    texts = [row[rows[0].index("text")] for row in rows]
    assert "'=1+1" in texts and "''=1+1" in texts and "Caf\ufffd" in texts


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", ["threshold and budget", "Chinese", "no blocks"])
def test_equal_readings_give_equal_bytes(name: str, suffix: str, tmp_path: Path) -> None:
    first, second = (READINGS[name]().audit().save(tmp_path / f"{at}{suffix}") for at in range(2))
    assert first.read_bytes() == second.read_bytes()


def test_parquet_has_typed_columns_and_the_facts_in_its_metadata(tmp_path: Path) -> None:
    import pandas as pd
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    audit = calibrated().audit()
    path = audit.save(tmp_path / "audit.parquet")
    assert path.read_bytes() == audit.to_parquet()
    schema = pq.read_schema(path)
    types = {name: str(schema.field(name).type) for name in ("block_id", "text", "margin", "kept", "parent")}
    assert types == {"block_id": "int64", "text": "string", "margin": "double", "kept": "bool", "parent": "int64"}
    assert {name for name in schema.names if schema.field(name).nullable} == NULLABLE
    assert json.loads(schema.metadata[b"workbench_audit"]) == audit.facts
    assert schema.metadata[b"workbench_audit_seal"].decode() == audit.seal
    assert pd.read_parquet(path)["status"].tolist() == audit.to_frame()["status"].tolist()


def test_the_suffix_says_the_format(tmp_path: Path) -> None:
    audit = calibrated().audit()
    assert audit.save(tmp_path / "a.CSV").read_text("utf-8-sig") == audit.to_csv()
    assert audit.save(str(tmp_path / "a.json")).read_text("utf-8") == audit.to_json()
    for act in (audit.save, load_audit):
        with pytest.raises(
            InvalidOption, match=r"^An audit ends in \.csv, \.json or \.parquet, not as 'a\.xlsx'; use one of"
        ):
            act(tmp_path / "a.xlsx")
    with pytest.raises(
        InvalidAudit, match=r"could not be written to .*nowhere/a\.csv \(No such file or directory\); give"
    ):
        audit.save(tmp_path / "nowhere" / "a.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.CSV", "a.json"]


def test_what_is_there_is_replaced_at_once_and_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    calibrated().audit().save(link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o600 and len(load_audit(path)) == 10


def test_what_the_command_prints_can_be_loaded(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from workbench.cli import cli
    from workbench.resources import datasets_dir

    file = str(datasets_dir() / "dev" / "documents" / "harbor-manual.md")
    for suffix in ("csv", "json"):
        done = CliRunner().invoke(cli, ["read", file, "What triggers a backup?", "--no-model", f"--{suffix}"])
        path = tmp_path / f"audit.{suffix}"
        path.write_bytes(done.stdout_bytes)
        assert load_audit(path).check() == ()


def changed_cell(cell: str) -> str:
    """Another cell of the same type."""
    for read in (int, float):
        with suppress(ValueError):
            return str(read(cell) + 1)
    return {"True": "False", "False": "True"}.get(cell, f"{cell}1")


def test_an_edited_cell_is_refused_whichever_it_is(tmp_path: Path) -> None:
    audit = calibrated().audit()
    header, *rows = csv.reader(io.StringIO(audit.to_csv(), newline=""))
    for at, name in enumerate(header):
        edited = [list(row) for row in rows]
        edited[5][at] = changed_cell(edited[5][at])
        stream = io.StringIO()
        csv.writer(stream).writerows([header, *edited])
        path = tmp_path / "audit.csv"
        path.write_text(stream.getvalue(), "utf-8", newline="")
        message = refused(path)
        if name == "block_id":
            assert message == "its rows are not the blocks 0 to 9, each once and in order"
        elif name in audit.columns:
            assert message.startswith("it was changed after it was sealed (its content has the seal "), name
        else:
            assert message.startswith("row 6 below the header is of another audit, or was edited ("), name


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, dict):
        return {**value, "x": 1}
    return [*value, "x"] if isinstance(value, list) else value + 1 if isinstance(value, int | float) else f"{value}x"


def test_an_edited_fact_is_refused_whichever_it_is(tmp_path: Path) -> None:
    found = json.loads(calibrated().audit().to_json())
    assert found["facts"].keys() == FACTS.keys()
    for name, value in found["facts"].items():
        path = tmp_path / "audit.json"
        path.write_text(json.dumps({**found, "facts": {**found["facts"], name: changed(value)}}))
        refused(path)


def test_edited_columns_of_parquet_are_refused(tmp_path: Path) -> None:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    path = calibrated().audit().save(tmp_path / "audit.parquet")
    table = pq.read_table(path)
    at = table.schema.get_field_index("margin")
    changed = table.set_column(at, table.schema.field(at), pa.array([0.5] * 10))
    pq.write_table(changed, path, use_dictionary=False)
    assert refused(path).startswith("it was changed after it was sealed")
    pq.write_table(table.set_column(at, "margin", pa.array(["0.5"] * 10)), path, use_dictionary=False)
    assert refused(path) == "its column 'margin' is of type string, and not double"
    pq.write_table(table.drop_columns(["margin"]), path, use_dictionary=False)
    assert refused(path) == "it has no column 'margin'"
    pq.write_table(table.replace_schema_metadata({}), path)
    assert refused(path) == "it has no facts and no seal in its metadata"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_that_was_cut_off_is_refused_wherever_it_was(suffix: str, tmp_path: Path) -> None:
    path = calibrated().audit().save(tmp_path / f"audit{suffix}")
    data = path.read_bytes()
    for at in {0, 1, 3, len(data) // 3, len(data) // 2, len(data) - 20}:
        path.write_bytes(data[:at])
        refused(path)
    path.write_bytes(os.urandom(3_000))
    refused(path)


CSV_ENDS = ",".join(csv_file.ENDS)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.csv", b"", "its last columns are not document_sha256, profile_sha256, scorer, calibration, rules_sha256,"),
        ("a.csv", b"name,price\nnuts,3\n", "its last columns are not document_sha256"),
        ("a.csv", CSV_ENDS.encode(), "it has no rows, and the first one holds the facts"),
        ("a.csv", f"{CSV_ENDS}\n1,2\n".encode(), "row 1 below the header has 2 cells, and the header has 10"),
        ("a.csv", f'{CSV_ENDS}\n"1,2\n'.encode(), "it cannot be read as CSV (unexpected end of data)"),
        ("a.csv", f"{CSV_ENDS}\n{',' * 9}nothing\n".encode(), "the facts in its first row cannot be read as JSON"),
        ("a.csv", b"\xff\xfe\x00", "it is no text in UTF-8 (its byte 0 is not)"),
        ("a.json", b"{", "it cannot be read as JSON (Expecting property name"),
        ("a.json", b"[" * 100_000, "it cannot be read as JSON (it is nested too deeply)"),
        ("a.json", b"[" + b"9" * 5_000 + b"]", "it cannot be read as JSON (a number in it has too many digits)"),
        ("a.json", b"\xff", "it is no text in UTF-8 (its byte 0 is not)"),
        ("a.json", b"[1]", "it has no facts, seal and blocks"),
        ("a.json", b'{"facts": {}, "seal": "", "blocks": 3}', "its blocks are no list of objects"),
        ("a.json", b'{"facts": {}, "seal": "", "blocks": [{"a": 1}, {}]}', "block 1 has other keys than block 0"),
        ("a.json", b'{"facts": [], "seal": "", "blocks": []}', "its facts name no layout"),
        ("a.json", b'{"facts": {"layout": 1}, "seal": "", "blocks": []}', "it has the layout 1, and this version of"),
        ("a.json", b'{"facts": {"layout": 2}, "seal": "", "blocks": []}', "the fact 'workbench' is missing"),
        ("a.json", b'{"facts": {"layout": NaN}, "seal": "", "blocks": []}', "it cannot be read as JSON (NaN is no num"),
        ("a.parquet", b"PAR1 and nothing else PAR1", "it cannot be read as Parquet ("),
    ],
)  # fmt: skip
def test_what_is_no_audit_is_told_in_one_sentence(name: str, data: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert refused(path).startswith(words)


def with_block(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda found: found["blocks"][5].update(values)


def with_fact(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda found: found["facts"].update(values)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (with_block(tokens="9"), "block 5 has '9' as tokens"),
        (with_block(tokens=9.0), "block 5 has 9.0 as tokens"),
        (with_block(tokens=True), "block 5 has True as tokens"),
        (with_block(margin="x"), "block 5 has 'x' as margin"),
        (with_block(weight=None), "block 5 has no value as weight"),
        (with_block(kept=1), "block 5 has 1 as kept"),
        (with_block(text=None), "block 5 has no value as text"),
        (with_block(margin=10**400), "block 5 has 1000000000"),
        (with_block(text="\ud83d"), "block 5 has '\\ud83d' as text"),
        (with_fact(question="\ud83d"), "its facts hold half a character"),
        (with_fact(blocks=10**12), "its facts tell of 1,000,000,000,000 blocks, and an audit has 500,000 at most"),
        (with_fact(blocks=9), "its rows are not the blocks 0 to 8, each once and in order"),
        (with_fact(question=7), "the fact 'question' is 7"),
        (with_fact(notes=[7]), "the fact 'notes' is no list of texts"),
        (with_fact(parts=["by hand", "=x"]), "it has no column 'part_=x'"),
        (with_fact(parts=[]), "it has the unknown column 'part_by hand'"),
        (with_fact(mood="good"), "it has an unknown fact 'mood'"),
        (lambda found: found.update(seal=7), "it was changed after it was sealed (its content has the seal "),
        (lambda found: found.update(signature=7), "its signature is no text"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(
    change: Callable[[dict[str, Any]], None], words: str, tmp_path: Path
) -> None:
    found = json.loads(calibrated().audit().to_json())
    change(found)
    path = tmp_path / "audit.json"
    path.write_text(json.dumps(found))
    assert refused(path).startswith(words)


def test_an_infinite_number_is_none(tmp_path: Path) -> None:
    path = calibrated().audit().save(tmp_path / "audit.csv")
    header, *rows = csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline=""))
    rows[5][header.index("margin")] = "inf"
    stream = io.StringIO()
    csv.writer(stream).writerows([header, *rows])
    path.write_text(stream.getvalue(), "utf-8", newline="")
    assert refused(path) == "block 5 has inf as margin"
    rows[5][header.index("margin")] = "much"
    stream = io.StringIO()
    csv.writer(stream).writerows([header, *rows])
    path.write_text(stream.getvalue(), "utf-8", newline="")
    assert refused(path) == "row 6 below the header has 'much' as margin"


def test_json_that_another_program_has_written_out_again_is_the_same_audit(tmp_path: Path) -> None:
    """Other indentation, other order of keys, and 1 for 1.0 change nothing that it says."""
    audit = calibrated().audit()
    found = json.loads(audit.to_json())
    found["facts"] = {
        key: int(v) if isinstance(v, float) and v.is_integer() else v for key, v in found["facts"].items()
    }
    found["blocks"] = [
        {key: int(v) if isinstance(v, float) and v.is_integer() else v for key, v in sorted(block.items())}
        for block in found["blocks"]
    ]
    path = tmp_path / "audit.json"
    path.write_text(json.dumps(found, indent=3, sort_keys=True))
    assert load_audit(path) == audit


def test_a_missing_and_a_huge_file_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        FileMissing, match=r"^There is no audit at .*a\.csv; write one with reading\.audit\(\)\.save\(path\)\.$"
    ):
        load_audit(tmp_path / "a.csv")
    path = calibrated().audit().save(tmp_path / "a.json")
    monkeypatch.setattr(loading, "MAX_BYTES", 1 << 10)
    assert refused(path) == "it has more than 0 MB"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_signature_needs_the_key(suffix: str, tmp_path: Path) -> None:
    audit = calibrated().audit()
    path = audit.save(tmp_path / f"a{suffix}", key=KEY)
    found = load_audit(path, key=KEY)
    assert found == audit.signed(KEY) and found.seal == audit.seal and found.signature is not None
    assert load_audit(path).signature == found.signature
    assert refused(path, key=KEY[::-1]) == "it was not signed with this key"
    other = Audit({**audit.facts, "question": "Why?"}, audit.columns, audit.rows, found.signature)
    assert refused(other.save(path), key=KEY) == "it was not signed with this key"
    assert refused(audit.save(path), key=KEY) == "it carries no signature, and a key was given to check one"
    for key, said in ((b"short", "5 bytes"), ("x" * 32, "of type str")):
        with pytest.raises(InvalidOption, match=rf"^The key for the signature is {said}; give at least 16 bytes"):
            audit.save(path, key=key)  # type: ignore[arg-type]


def test_the_python_of_the_docs_gives_what_it_says(
    project_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = (project_dir / "docs" / "reading.md").read_text("utf-8").partition("## The audit\n")[2]
    code = section.partition("```python\n")[2].partition("```")[0]
    (tmp_path / "datasets").symlink_to(project_dir / "datasets")
    monkeypatch.chdir(tmp_path)
    lines = [line for line in code.splitlines() if "# (): " in line]
    assert len(lines) == 2
    for line in lines:
        code = code.replace(line, f"assert {line.partition('#')[0].strip()} == ()")
    exec(compile(code, "docs/reading.md", "exec"), {})
