"""A page is printed by the Chromium of this machine, whole or not at all, and a missing one is told."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import workbench as wb
from workbench.errors import FileMissing, MissingDependency, WorkbenchError
from workbench.report import pdf
from workbench.report.pdf import browser_here, print_to_pdf

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Two pages</title></head><body>
<p>The quay is twelve metres deep.</p><p style="break-before: page">集团年度报告</p></body></html>"""


@pytest.fixture
def chromium() -> Path:
    try:
        return browser_here()
    except MissingDependency as missing:
        if os.environ.get("SPARSEREAD_REQUIRE_BROWSER") == "1":
            pytest.fail(str(missing))
        pytest.skip(str(missing))


Named = Callable[[str], Path]


def script(folder: Path, body: str) -> Path:
    """A browser that does what a shell script says; "$out" is where the PDF belongs."""
    file = folder / "browser.sh"
    told = 'for one in "$@"; do case "$one" in --print-to-pdf=*) out="${one#--print-to-pdf=}";; esac; done'
    file.write_text(f"#!/bin/sh\n{told}\n{body}\n", "utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def gone(process: int) -> bool:
    """Whether a process that was ended is so; the machine may need a moment."""
    state = Path(f"/proc/{process}/stat")
    for _ in range(100):
        try:
            if state.read_text("utf-8").rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Named:
    if sys.platform == "win32":
        pytest.skip("the browsers of these tests are shell scripts")

    def named(body: str) -> Path:
        file = script(tmp_path, body)
        monkeypatch.setenv(pdf.ENVIRONMENT, str(file))
        return file

    return named


@pytest.mark.browser
def test_the_pdf_has_the_pages_and_the_texts_of_the_page(chromium: Path, tmp_path: Path) -> None:
    assert chromium.is_file()
    out = tmp_path / "Bericht für März.pdf"
    assert print_to_pdf(PAGE, out) == out
    document = wb.open_document(out)
    assert [page.number for page in document.pages] == [1, 2]
    assert document.texts == ("The quay is twelve metres deep.", "集团年度报告")
    assert [file.name for file in tmp_path.iterdir()] == [out.name]


@pytest.mark.browser
def test_nothing_is_asked_for_while_it_prints(chromium: Path, tmp_path: Path) -> None:
    assert chromium.is_file()
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        pictures = "".join(
            f'<img src="http://{host}:{server.server_port}/{host}.png">' for host in ("localhost", "127.0.0.1")
        )
        print_to_pdf(PAGE.replace("<p>", f"{pictures}<p>"), tmp_path / "out.pdf")
    finally:
        server.shutdown()
        server.server_close()
    assert asked == []


def test_a_machine_without_a_browser_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(pdf.ENVIRONMENT, raising=False)
    monkeypatch.setattr(pdf, "_places", lambda: iter([tmp_path / "none"]))
    with pytest.raises(MissingDependency) as missing:
        print_to_pdf(PAGE, tmp_path / "out.pdf")
    assert str(missing.value) == (
        "A PDF is printed by Chromium, Chrome or Edge, and none is on this machine; install one of them, name it in "
        "SPARSEREAD_CHROMIUM, or open the HTML file in a browser and print it there."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_named_browser_that_is_not_there_is_not_replaced_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(pdf.ENVIRONMENT, "/nowhere/chromium")
    with pytest.raises(FileMissing, match="SPARSEREAD_CHROMIUM names /nowhere/chromium, which is no program; name a"):
        print_to_pdf(PAGE, tmp_path / "out.pdf")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("echo 'No usable sandbox!' >&2; exit 1", r" printed no PDF \(No usable sandbox!\); name another browser in"),
        ("exit 0", " printed no PDF; name another browser in SPARSEREAD_CHROMIUM, or open the HTML file"),
        ("printf '%%PDF-1.4\\n%%%%EOF' > \"$out\"", " printed no PDF; "),
        ("printf '%%PDF-1.4\\n/Type /Page\\n' > \"$out\"", " printed no PDF; "),
    ],
)
def test_what_is_no_whole_pdf_is_refused_and_leaves_the_old_file(
    tmp_path: Path, scripted: Named, body: str, why: str
) -> None:
    scripted(body)
    out = tmp_path / "out.pdf"
    out.write_bytes(b"the last one")
    with pytest.raises(WorkbenchError, match=f"browser.sh{why}"):
        print_to_pdf(PAGE, out)
    assert out.read_bytes() == b"the last one"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["browser.sh", "out.pdf"]


WHOLE = "printf '%%PDF-1.4\\n/Type /Page\\n%%%%EOF' > \"$out\""


def test_a_reader_of_the_last_print_never_sees_a_part_of_the_next(tmp_path: Path, scripted: Named) -> None:
    scripted(WHOLE)
    out = tmp_path / "out.pdf"
    out.write_bytes(b"the last one")
    out.chmod(0o640)
    with out.open("rb") as reader:
        print_to_pdf(PAGE, out)
        assert reader.read() == b"the last one"
    assert out.read_bytes().startswith(b"%PDF-1.4")
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert sorted(file.name for file in tmp_path.iterdir()) == ["browser.sh", "out.pdf"]


def test_nothing_is_put_beside_the_output_while_it_prints(tmp_path: Path, scripted: Named) -> None:
    scripted(f'ls -A "{tmp_path}/there" > "{tmp_path}/seen"; {WHOLE}')
    (tmp_path / "there").mkdir()
    print_to_pdf(PAGE, tmp_path / "there" / "out.pdf")
    assert (tmp_path / "seen").read_text("utf-8") == ""


def test_a_browser_from_a_snap_which_sees_no_temporary_folder_prints_beside_the_output(
    tmp_path: Path, scripted: Named
) -> None:
    scripted(f'ls "{tmp_path}/there" > "{tmp_path}/seen"; {WHOLE}; exit; exec /snap/bin/chromium "$@"')
    (tmp_path / "there").mkdir()
    print_to_pdf(PAGE, tmp_path / "there" / "out.pdf")
    assert (tmp_path / "seen").read_text("utf-8").startswith("sparseread-")
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["out.pdf"]


@pytest.mark.browser
def test_a_chromium_that_is_ended_leaves_nothing(
    chromium: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert chromium.is_file()
    # The path of a socket has at most 107 characters, which those of pytest use up.
    with tempfile.TemporaryDirectory() as temporary:
        monkeypatch.setattr(tempfile, "tempdir", temporary)
        monkeypatch.setenv("TMPDIR", temporary)
        monkeypatch.setattr(pdf, "SECONDS", 2.0)
        endless = PAGE.replace("</body>", "<script>while (true) {}</script></body>")
        with pytest.raises(WorkbenchError, match="did not print the page in 2 seconds"):
            print_to_pdf(endless, tmp_path / "out.pdf")
        assert list(Path(temporary).iterdir()) == []


def test_a_browser_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, scripted: Named, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "child"
    scripted(f'sleep 60 & echo $! > "{mark}"; wait')
    monkeypatch.setattr(pdf, "SECONDS", 1.0)
    with pytest.raises(WorkbenchError, match="did not print the page in 1 seconds; open the HTML file in a browser"):
        print_to_pdf(PAGE, tmp_path / "out.pdf")
    assert gone(int(mark.read_text("utf-8")))


def test_a_folder_that_is_not_there_is_told_before_the_browser_starts(tmp_path: Path, scripted: Named) -> None:
    started = tmp_path / "started"
    scripted(f'touch "{started}"')
    with pytest.raises(WorkbenchError, match=r"cannot be written to .*; give a file in a folder that exists and has"):
        print_to_pdf(PAGE, tmp_path / "none" / "out.pdf")
    with pytest.raises(WorkbenchError, match="which is a folder; give the name of a file in it"):
        print_to_pdf(PAGE, tmp_path)
    assert not started.exists()
