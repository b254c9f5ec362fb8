"""Scripts of widgets: files beside each other that become one module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.widgets import scripts
from workbench.widgets.scripts import STATIC, modules_of, path_of, script_of, sheet_of, styles_of

ENTRIES = sorted(
    path.stem
    for path in STATIC.rglob("*.js")
    if re.search(r"^export (?:async )?function render\(", path.read_text(encoding="utf-8"), re.MULTILINE)
)
FILES = sorted(path.stem for path in STATIC.rglob("*.js"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of scripts in the place of the project's own."""
    monkeypatch.setattr(scripts, "STATIC", tmp_path)
    caches = (script_of, styles_of, modules_of)
    for cached in caches:
        cached.cache_clear()
    yield tmp_path
    for cached in caches:
        cached.cache_clear()


def test_a_file_comes_behind_those_that_it_imports_and_each_once(folder: Path) -> None:
    (folder / "base.js").write_text("export const one = 1;\n")
    (folder / "left.js").write_text('import { one } from "./base.js";\nexport const two = one + one;\n')
    (folder / "top.js").write_text(
        'import { one } from "./base.js";\nimport { two } from "./left.js";\n'
        "export function render() { return one + two; }\n"
    )
    assert modules_of("top") == ("base", "left", "top")
    script = script_of("top")
    assert [script.count(f"const $${name} =") for name in ("base", "left", "top")] == [1, 1, 1]
    assert "const { one } = $$base;" in script
    assert "return { one };" in script
    assert not re.search(r"^(import|export) (?!default)", script, re.MULTILINE)
    assert script.endswith("export default { render: $$top.render };\n")


def test_an_import_over_several_lines_and_under_another_name_is_joined(folder: Path) -> None:
    (folder / "base.js").write_text("export async function load() {}\nexport class Part {}\nexport let n = 1;\n")
    (folder / "top.js").write_text(
        'import {\n  load,\n  Part as Piece,\n} from "./base.js";\nexport function render() { return [load, Piece]; }\n'
    )
    script = script_of("top")
    assert re.search(r"const \{\s+load,\s+Part: Piece,\s+\} = \$\$base;", script)
    assert "return { load, Part, n };" in script


@pytest.mark.parametrize(
    "line",
    [
        'import base from "./base.js";',
        'import * as base from "./base.js";',
        'import { one } from "https://example.org/base.js";',
        "export default 1;",
        "export { one };",
    ],
)
def test_another_form_of_import_or_export_is_refused_by_name(folder: Path, line: str) -> None:
    (folder / "base.js").write_text("export const one = 1;\n")
    (folder / "top.js").write_text(f"{line}\nexport function render() {{}}\n")
    with pytest.raises(ValueError, match=r"^top\.js has .*, which cannot be joined; see script_of for the forms"):
        script_of("top")


def test_a_file_of_another_folder_is_joined_by_its_name(folder: Path) -> None:
    (folder / "shared").mkdir()
    (folder / "gate").mkdir()
    (folder / "shared" / "base.js").write_text("export const one = 1;\n")
    (folder / "gate" / "top.js").write_text(
        'import { one } from "../shared/base.js";\nexport const render = () => one;\n'
    )
    assert "const { one } = $$base;" in script_of("top")
    (folder / "gate" / "lost.js").write_text('import { one } from "./base.js";\nexport const render = () => one;\n')
    with pytest.raises(ValueError, match=r"^lost\.js imports \./base\.js, which is not there; mend the path\.$"):
        script_of("lost")
    (folder / "gate" / "base.js").write_text("export const one = 2;\n")
    with pytest.raises(ValueError, match=r"^There are 2 files base\.js below .*; there must be one\.$"):
        modules_of.__wrapped__("lost")


def test_a_circle_of_imports_is_refused_with_its_way(folder: Path) -> None:
    (folder / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (folder / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(
        ValueError, match=r"^The scripts a -> b -> a import each other in a circle; part one of them\.$"
    ):
        script_of("a")


def test_styles_are_the_theme_and_those_beside_the_joined_files(folder: Path) -> None:
    (folder / "theme.css").write_text(".sr { color: black }")
    (folder / "base.js").write_text("export const one = 1;\n")
    (folder / "base.css").write_text(".sr-base { color: red }")
    (folder / "other.css").write_text(".sr-other { color: blue }")
    (folder / "top.js").write_text('import { one } from "./base.js";\nexport function render() { return one; }\n')
    (folder / "top.css").write_text(".sr-top { color: green }")
    assert styles_of("top") == ".sr { color: black }\n.sr-base { color: red }\n.sr-top { color: green }"


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_widget_of_the_project_joins(entry: str) -> None:
    script = script_of(entry)
    assert script.count("export default") == 1
    assert styles_of(entry).startswith(sheet_of("theme").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FILES)
def test_no_script_makes_markup_or_code_of_text(name: str) -> None:
    text = path_of(name).read_text(encoding="utf-8")
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\b|https?://(?!www\.w3\.org/)"
    )
    assert not re.findall(forbidden, text)


@pytest.mark.parametrize("name", FILES)
def test_what_a_script_imports_is_exported_there(name: str) -> None:
    text = path_of(name).read_text(encoding="utf-8")
    for match in re.finditer(r'^import\s*\{([^}]*)\}\s*from\s*"\./(\w+)\.js";', text, re.MULTILINE):
        there = path_of(match[2]).read_text(encoding="utf-8")
        exported = set(
            re.findall(r"^export\s+(?:async\s+)?(?:function\*?|const|let|class)\s+(\w+)", there, re.MULTILINE)
        )
        wanted = {part.split(" as ")[0].strip() for part in match[1].split(",") if part.strip()}
        assert wanted <= exported, f"{match[2]}.js does not export {sorted(wanted - exported)}"


@pytest.mark.parametrize("path", sorted(STATIC.rglob("*.css")), ids=lambda path: path.stem)
def test_no_style_reaches_beyond_the_widgets(path: Path) -> None:
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"@(?:keyframes)[^{]+\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", text)
    for found in re.findall(r"(?:^|[{}])\s*([^{}@;]+)\{", text):
        for selector in re.split(r",(?![^(]*\))", found):
            assert re.search(r"\.sr\b|\(sr-", selector), f"{path.name}: {selector.strip()}"
    assert "url(" not in text
    assert "@import" not in text
