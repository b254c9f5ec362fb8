"""A widget as one HTML file: what is in it, and that nothing in it can get out."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import ipywidgets
import pytest
import traitlets
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import InvalidOption, WorkbenchError
from workbench.widgets.base import Widget
from workbench.widgets.page_export import packed, save_html, to_html

HOSTILE = "</script><script>alert(1)</script><!-- $x$ \u202e \x00 😀 \ud800"


class Holder(Widget):
    """A widget with everything that a state can hold."""

    script: ClassVar[str] = "page_view"
    text = traitlets.Unicode().tag(sync=True)
    data = traitlets.Bytes().tag(sync=True)
    facts = traitlets.Dict().tag(sync=True)
    private = traitlets.Unicode("not for the browser")
    children = traitlets.Dict().tag(sync=True, **ipywidgets.widget_serialization)

    def answers_alone(self) -> Iterator[tuple[str, dict[str, Any], Any, list[bytes]]]:
        yield "page", {"page": 1}, {"state": "drawn"}, [b"\xff" * 3]


def unpacked(data: bytes) -> dict[str, Any]:
    """Return the header of ``packed`` with the bytes in their places."""
    whole = gzip.decompress(data)
    length = int.from_bytes(whole[:4], "little")
    header: dict[str, Any] = json.loads(whole[4 : 4 + length])
    for path, start, size in header.pop("buffers"):
        assert int(start) % 8 == 0
        holder: Any = header
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = whole[int(start) : int(start) + size]
    return header


def test_a_page_holds_the_state_of_a_widget_and_nothing_of_the_notebook() -> None:
    widget = Holder(text=HOSTILE, data=b"\x00\x01", facts={"a": [1, {"b": b"\xfe"}], "bad": float("nan")})
    state = unpacked(packed(widget))["models"]["0"]
    assert (state["text"], state["data"]) == (HOSTILE, b"\x00\x01")
    assert state["facts"] == {"a": [1, {"b": b"\xfe"}], "bad": None}
    assert state["words"]["close"] == "Close"
    assert not {"_esm", "_css", "layout", "private", "_model_module"} & state.keys()


def test_children_come_along_and_each_once() -> None:
    inner = Holder(text="inner")
    middle = Holder(text="middle", children={"leaf": inner})
    outer = Holder(text="outer", children={"first": inner, "second": middle})
    header = unpacked(packed(outer))
    assert header["root"] == "0"
    assert {name: state["text"] for name, state in header["models"].items()} == {
        "0": "outer",
        "1": "inner",
        "2": "middle",
    }
    assert header["models"]["0"]["children"] == {"first": "1", "second": "2"}
    assert header["models"]["2"]["children"] == {"leaf": "1"}


def test_saved_answers_come_along() -> None:
    header = unpacked(packed(Holder()))
    expected = {"name": "page", "values": {"page": 1}, "value": {"state": "drawn"}, "buffers": [b"\xff\xff\xff"]}
    assert header["answers"] == {"0": [expected]}


def test_the_same_state_gives_the_same_file() -> None:
    pages = [to_html(Holder(text="same", data=b"abc", children={"a": Holder(text="inner")})) for _ in range(2)]
    assert pages[0] == pages[1]


PLAIN = st.none() | st.integers() | st.text() | st.binary()
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)


@given(VALUES)
def test_any_state_survives(value: Any) -> None:
    assert unpacked(packed(Holder(facts={"value": value})))["models"]["0"]["facts"] == {"value": value}


def policy_of(page: str) -> dict[str, list[str]]:
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert found is not None
    return {name: values for name, *values in (part.split() for part in html.unescape(found[1]).split(";"))}


def test_a_page_may_reach_nothing_and_run_only_its_own_scripts() -> None:
    page = to_html(Holder(text=HOSTILE), title=HOSTILE)
    policy = policy_of(page)
    assert policy["default-src"] == ["'none'"]
    scripts = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    assert policy["script-src"] == [*(f"'sha256-{digest}'" for digest in hashes), "blob:"]
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", page)
    assert page.count("<script") == page.count("</script>") == 3


def test_a_hostile_title_is_text() -> None:
    page = to_html(Holder(), title=HOSTILE)
    found = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    assert found is not None
    assert "<" not in found[1]
    page.encode("utf-8")


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_says_its_theme_and_language(theme: str, language: str) -> None:
    page = to_html(Holder(language=language), theme=theme)
    assert f'<html lang="{language}" data-theme="{theme}">' in page
    notice = {"en": "allow scripts for this file", "zh": "请允许该文件运行脚本"}[language]
    assert notice in page


def test_another_theme_is_refused() -> None:
    with pytest.raises(InvalidOption, match=r"^theme is 'sepia'; choose from auto, light, dark\.$"):
        to_html(Holder(), theme="sepia")


def test_a_page_is_written_to_a_file(tmp_path: Path) -> None:
    out = save_html(Holder(text="x"), tmp_path / "页.html", title="T")
    assert out == tmp_path / "页.html"
    assert out.read_text(encoding="utf-8") == to_html(Holder(text="x"), title="T")


def test_a_page_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "a.html"
    with pytest.raises(WorkbenchError) as caught:
        save_html(Holder(), out)
    assert str(caught.value) == (
        f"The page cannot be written to {out} (No such file or directory); give a file in a folder that exists and "
        "has room."
    )
