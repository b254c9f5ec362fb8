"""Files that are nearly right end in labels or in a sentence, never in a traceback."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.training.labels.made_labels import label_of
from workbench.documents import Document
from workbench.errors import WorkbenchError
from workbench.training.labels import read_labels, write_labels
from workbench.training.labels.exchange import FORMATS

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.sampled_from([[], {}, [1], [[]], [{}], {"a": 1}, "\x00", "=1", [None, None], {"start": "x", "end": None}]),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything inside a JSON value."""
    found = [path] if path else []
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        found.extend(places(child, (*path, key)))
    return found


def changed(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    whole = copy.deepcopy(value)
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = by
    return whole


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "csv"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), with_document=st.booleans())
def test_a_value_of_another_kind_is_told_or_left_out(
    form: str, data: st.DataObject, with_document: bool, document: Document, tmp_path: Path
) -> None:
    path = tmp_path / "labels.json"
    label = label_of(document, 1, "not relevant" if form == "squad" else "evidence", spans=[(6, 11)], note="n")
    write_labels([label], path, format=form)
    given_value = json.loads(path.read_text("utf-8"))
    where = data.draw(st.sampled_from(places(given_value)))
    path.write_text(json.dumps(changed(given_value, where, data.draw(ODD))), "utf-8")
    try:
        found = read_labels(path, format=form, documents=[document] if with_document else None)
    except WorkbenchError as error:
        assert str(error).endswith(".")
        return
    assert all(label.quote in document.texts or not with_document for label in found.labels)
    assert all(one.where and one.reason for one in found.dropped)


LONE = "\ud800"


def with_lone_surrogates(value: Any) -> list[Any]:
    """What a file says, each time with one of its texts damaged: names of fields, JSON inside texts, and users too."""
    found = []
    for path in places(value):
        inner = value
        for key in path[:-1]:
            inner = inner[key]
        here = inner[path[-1]]
        if isinstance(path[-1], str):
            whole = changed(value, path, None)
            home = whole
            for key in path[:-1]:
                home = home[key]
            home[path[-1] + LONE] = home.pop(path[-1]) or here
            found.append(whole)
        if isinstance(here, str):
            found += [changed(value, path, LONE), changed(value, path, here + LONE)]
            if here.startswith("{"):
                found += [changed(value, path, json.dumps(one)) for one in with_lone_surrogates(json.loads(here))]
    return found


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "csv"])
def test_half_a_character_anywhere_is_told_or_left_out(form: str, document: Document, tmp_path: Path) -> None:
    path, odd = tmp_path / "labels.json", tmp_path / "odd.json"
    value = "not relevant" if form == "squad" else "evidence"
    label = label_of(document, 1, value, spans=[(6, 11)], note="n", request="r", reason="why", scores={"logit": 1.0})
    write_labels([label], path, format=form)
    for said in with_lone_surrogates(json.loads(path.read_text("utf-8"))):
        odd.write_text(json.dumps(said), "ascii")
        for documents in (None, [document]):
            try:
                found = read_labels(odd, format=form, documents=documents)
            except WorkbenchError as error:
                str(error).encode()
                continue
            found.report().encode()
            json.dumps(found.to_dict(), ensure_ascii=False).encode()
            # What was taken can be written again.
            write_labels(found.labels, tmp_path / "again.json", format=form)


def test_half_a_character_in_the_rows_of_argilla_is_left_out(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    row = {
        "question": "What rose?",
        "text": document.texts[1],
        "label.responses": ["evidence", "evidence", "evidence"],
        "label.responses.users": [f"ann{LONE}", "bob", "cy"],
        "label.responses.status": ["submitted", "submitted", LONE],
        "annotators": [f"ann{LONE}"],
    }
    path.write_text(json.dumps([row]), "ascii")
    found = read_labels(path, format="argilla", documents=document)
    assert [label.annotator for label in found.labels] == ["bob"]
    assert len(found.dropped) == 2
    found.report().encode()


def test_half_a_character_in_a_table_is_named(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    write_labels([label_of(document, 1)], path)
    text = path.read_text("utf-8-sig")
    for at in range(0, len(text), 7):
        path.write_bytes((text[:at] + LONE + text[at:]).encode("utf-8", "surrogatepass"))
        with pytest.raises(WorkbenchError, match=r"^labels\.csv is not UTF-8 \(byte [\d,]+\); save it as UTF-8\.$"):
            read_labels(path, documents=document)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_table_with_a_strange_cell_is_told_or_left_out(
    data: st.DataObject, document: Document, tmp_path: Path
) -> None:
    path = tmp_path / "labels.csv"
    write_labels([label_of(document, 1, spans=[(6, 11)])], path)
    text = path.read_text("utf-8-sig")
    at = data.draw(st.integers(0, len(text) - 1))
    odd = data.draw(st.sampled_from(['"', ",", "\n", "\r", "\x00", "x", "9", "-", "'"]))
    path.write_text(text[:at] + odd + text[at + 1 :], "utf-8")
    try:
        found = read_labels(path, documents=document)
    except WorkbenchError as error:
        assert str(error).endswith(".")
        return
    assert all(label.quote in document.texts for label in found.labels)
