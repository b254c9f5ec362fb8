"""Program text is cut between definitions, never inside a line that fits."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.formats.reading import finished, shown, sniffed
from workbench.documents.formats.code import FORMAT

FRAGMENTS = st.lists(
    st.sampled_from(
        ["def f():\n", "    return 1\n", "\n", "class A:\n", "  x\n", "# c\n", "@d\n", "}\n", "\f", "\r", "a=1;"]
    ),
    max_size=40,
).map("".join)


@pytest.mark.parametrize("name", ["a.py", "a.js"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.text(max_size=300) | FRAGMENTS)
def test_no_text_is_lost_or_changed(tmp_path: Path, name: str, content: str) -> None:
    finished(FORMAT, tmp_path / name, content, max_block_chars=64)


def test_python_is_cut_at_its_definitions(tmp_path: Path) -> None:
    content = '"""Doc."""\n\nimport os\n\n\n# why\n@cached\ndef f(a):\n    return a\n\n\nclass B:\n    x = 1\n'
    done = finished(FORMAT, tmp_path / "a.py", content)
    assert done.texts == [
        '"""Doc."""\n\nimport os',
        "# why\n@cached\ndef f(a):\n    return a",
        "class B:\n    x = 1",
    ]
    assert done.locators == ["", "def f", "class B"]
    assert done.pages[0].label == "Python"


def test_a_long_class_is_cut_at_its_methods(tmp_path: Path) -> None:
    methods = "".join(f"    def m{n}(self):\n        return '{'x' * 100}'\n\n" for n in range(4))
    done = finished(FORMAT, tmp_path / "a.py", f"class C:\n    k = 1\n\n{methods}", max_block_chars=64)
    assert done.locators == ["class C", "def C.m0", "def C.m1", "def C.m2", "def C.m3"]
    assert done.texts[1].startswith("    def m0")


def test_unsound_python_is_cut_at_blank_lines(tmp_path: Path) -> None:
    assert finished(FORMAT, tmp_path / "a.py", "def f(:\n\n  x\n\nprint 1\n").texts == ["def f(:\n\n  x", "print 1"]


def test_other_languages_are_cut_at_the_margin(tmp_path: Path) -> None:
    content = "function a() {\n\n  x();\n\n}\n\nfunction b() {}\n"
    assert finished(FORMAT, tmp_path / "a.js", content).texts == ["function a() {\n\n  x();\n\n}", "function b() {}"]


def test_minified_code_is_cut_inside_its_line(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.js", "f(1);" * 1_000, max_block_chars=64)
    assert max(map(len, done.texts)) <= 256
    assert all(text.endswith(";") for text in done.texts)


def test_hostile_nesting_is_read(tmp_path: Path) -> None:
    content = "x = " + "(" * 50_000 + "1" + ")" * 50_000
    assert "".join(finished(FORMAT, tmp_path / "a.py", content).texts) == content.replace("x = ", "x = ")


def test_every_block_is_code(tmp_path: Path) -> None:
    assert {kind for kind, _ in shown(finished(FORMAT, tmp_path / "a.sql", "SELECT 1;\n\nSELECT 2;"))} == {"code"}


def test_sniffing_believes_known_suffixes(tmp_path: Path) -> None:
    assert sniffed(FORMAT, tmp_path / "a.py", "x") >= 0.2
    assert sniffed(FORMAT, tmp_path / "run", "#!/bin/sh\nls\n") >= 0.2
    assert sniffed(FORMAT, tmp_path / "a.txt", "Dear all,\n\nhello.\n") < 0.2
    assert sniffed(FORMAT, tmp_path / "a.py", b"\x7fELF\x00\x00") == 0.0
