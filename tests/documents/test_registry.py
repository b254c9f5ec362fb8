"""Formats come from this package and from others; one that does not load harms none of the rest."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents.toy import FORMAT
from workbench.documents import registry
from workbench.documents.registry import format_named, formats, plug_ins
from workbench.errors import UnsupportedFormat


@pytest.fixture(autouse=True)
def _forgetful() -> Iterator[None]:
    formats.cache_clear()
    plug_ins.cache_clear()
    yield
    formats.cache_clear()
    plug_ins.cache_clear()
    sys.modules.pop("extra_formats", None)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with four plug-ins, of which one is sound, on the search path."""
    (tmp_path / "extra_formats.py").write_text("from tests.documents.toy import FORMAT\nNUMBER = 3\n", encoding="utf-8")
    (tmp_path / "broken_format.py").write_text("raise RuntimeError('no such library')\n", encoding="utf-8")
    information = tmp_path / "extra_formats-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: extra-formats\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(
        "[workbench.documents]\nbroken = broken_format:FORMAT\nnumber = extra_formats:NUMBER\n"
        "gone = extra_formats:GONE\nplaything = extra_formats:FORMAT\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_plug_in_that_does_not_load_is_logged_and_left_out(installed: Path, caplog: pytest.LogCaptureFixture) -> None:
    del installed
    names = [known.name for known in formats()]
    assert names == ["toy", *registry.BUILT_IN]
    said = sorted(record.getMessage() for record in caplog.records if record.name == "workbench")
    assert said == [
        "the format plug-in broken (broken_format:FORMAT) was left out: RuntimeError: no such library",
        "the format plug-in gone (extra_formats:GONE) was left out: AttributeError: module 'extra_formats' has no "
        "attribute 'GONE'",
        "the format plug-in number (extra_formats:NUMBER) was left out: it is of type int, not a Format",
    ]
    assert {record.levelname for record in caplog.records if record.name == "workbench"} == {"WARNING"}


def test_a_format_is_found_by_the_name_it_gives_itself(installed: Path) -> None:
    del installed
    assert format_named("toy") == FORMAT
    assert format_named("text").suffixes[0] == ".txt"


def test_every_built_in_format_has_the_name_of_its_module() -> None:
    assert [format_named(name) for name in registry.BUILT_IN] == list(formats())


def test_an_unknown_format_is_refused_with_those_that_exist() -> None:
    with pytest.raises(
        UnsupportedFormat, match=r"^There is no format named 'sgml'; choose from code, delimited, .*xlsx\.$"
    ):
        format_named("sgml")


def test_one_format_is_imported_without_the_others() -> None:
    code = (
        "import sys, json\nfrom workbench.documents.registry import format_named\nformat_named('delimited')\n"
        "print(json.dumps([name for name in sys.modules if name.startswith('workbench.documents.formats.')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in json.loads(done.stdout)}
    assert "delimited" in loaded
    assert loaded & set(registry.BUILT_IN) == {"delimited"}
