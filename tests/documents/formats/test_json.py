"""JSON becomes blocks that are slices of the file, found by their JSONPath."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.formats.reading import finished, parsed, shown, sniffed
from workbench.documents.formats.json import FORMAT
from workbench.documents.formats.json.scan import JsonError, scan
from workbench.errors import DamagedFile

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=120),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=12), inner, max_size=6),
    max_leaves=40,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(value=VALUES, indent=st.sampled_from([None, 2]), readable=st.booleans())
def test_no_text_is_lost_or_changed(tmp_path: Path, value: object, indent: int | None, readable: bool) -> None:
    content = json.dumps(value, indent=indent, ensure_ascii=not readable)
    done = finished(FORMAT, tmp_path / "a.json", content, max_block_chars=64)
    spans = {done.text_layer[e.start_char : e.end_char] for e in done.exclusions}
    assert all(set(span) <= set("{}[],: \n") for span in spans)


@settings(deadline=None, max_examples=300)
@given(content=st.text(alphabet='{}[]",:\\ 0129-+.eEtrufalsn\n', max_size=12))
def test_the_scanner_accepts_what_json_accepts(content: str) -> None:
    try:
        json.loads(content)
        sound = True
    except ValueError:
        sound = False
    try:
        list(scan(content, 0, len(content)))
        accepted = True
    except JsonError:
        accepted = False
    assert accepted == sound


def test_keys_of_the_outermost_object_are_blocks(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.json", '{"name": "The whole story of it", "n": 3, "odd key": [1, 2]}')
    assert shown(done) == [
        ("paragraph", '"name": "The whole story of it"'),
        ("code", '"n": 3'),
        ("code", '"odd key": [1, 2]'),
    ]
    assert done.locators == ["$.name", "$.n", "$['odd key']"]


def test_elements_of_the_outermost_array_are_blocks(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.json", '[{"a": 1}, "two", [3]]')
    assert done.texts == ['{"a": 1}', '"two"', "[3]"]
    assert done.locators == ["$[0]", "$[1]", "$[2]"]


def test_a_long_value_is_descended_into_and_its_key_leads_its_first_block(tmp_path: Path) -> None:
    long = "It rose by three percent. " * 8
    content = json.dumps({"items": [{"name": "a", "text": long}, {"name": "b"}]})
    done = finished(FORMAT, tmp_path / "a.json", content, max_block_chars=100)
    assert done.texts[0] == '"items" "name": "a"'
    assert done.texts[1].startswith('"text": "It rose')
    assert done.texts[-1] == '{"name": "b"}'
    assert done.locators[0] == "$.items[0].name"
    assert set(done.locators[1:-1]) == {"$.items[0].text"}
    assert done.locators[-1] == "$.items[1]"
    assert max(map(len, done.texts)) <= 100


def test_numbers_of_a_long_array_go_together(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.json", json.dumps({"v": list(range(100))}), max_block_chars=64)
    assert done.texts[0].startswith('"v" 0, 1, 2')
    assert len(done.texts) < 10
    assert done.locators[0].startswith("$.v[0:")


def test_malformed_json_is_refused_with_line_and_column(tmp_path: Path) -> None:
    with pytest.raises(
        DamagedFile,
        match=r"^a\.json is not valid JSON: a key in quotes is expected in line 2, column 9; mend it, or rename it to",
    ):
        parsed(FORMAT, tmp_path / "a.json", '{"a": 1,\n "b": 2,}')


def test_json_that_ends_too_early_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile, match=r"a comma or \] is expected, but the text ends in line 1, column 6;"):
        parsed(FORMAT, tmp_path / "a.json", "[1, 2")


def test_hostile_nesting_is_read(tmp_path: Path) -> None:
    depth = 100_000
    done = finished(FORMAT, tmp_path / "a.json", "[" * depth + '"deep"' + "]" * depth)
    assert len(done.texts) == 1
    assert done.texts[0].strip("[]") == '"deep"'
    assert "…" in done.locators[0]
    content = '{"a":1,"b":' * 3_000 + "0" + "}" * 3_000
    assert len(finished(FORMAT, tmp_path / "a.json", content).texts) > 100


def test_a_file_without_values_is_reported(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.json", "[]")
    assert [str(w) for w in done.warnings] == ["a.json holds no values; there is nothing to read in it."]


@pytest.mark.parametrize(
    ("name", "content", "sure"),
    [
        ("a.json", '{"a": 1}', True),
        ("a.json", '{"a": "' + "x" * 20_000 + '"}', True),
        ("a.json", "[" + "12345, " * 2_000 + "1]", True),
        ("a.json", "42", True),
        ("a.txt", "42", False),
        ("a.json", '{"a": 1,}', True),
        ("a.json", "{name: 1}", False),
        ("a.json", "not json", False),
        ("a.json", '{"a": 1}\n{"a": 2}\n', False),
        ("a.json", b"%PDF-1.4", False),
    ],
)
def test_sniffing_scans_the_head(tmp_path: Path, name: str, content: str | bytes, sure: bool) -> None:
    score = sniffed(FORMAT, tmp_path / name, content)
    assert score >= 0.2 if sure else score == 0


@pytest.mark.data
def test_every_context_of_a_question_set_is_found(tmp_path: Path, data_dir: Path) -> None:
    path = data_dir / "xquad" / "xquad.zh.json"
    done = finished(FORMAT, tmp_path / "a.json", path.read_bytes())
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    contexts = sum(len(article["paragraphs"]) for article in articles)
    assert len({locator for locator in done.locators if locator.endswith(".context")}) >= 0.9 * contexts
    assert max(map(len, done.texts)) <= 600
