"""Progress is shown when a task takes long, where somebody looks, and goes away again."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import pytest

from workbench.documents import progress
from workbench.documents.progress import (
    LineReporter,
    OutputReporter,
    default_reporter,
    progress_line,
    set_reporter,
    showing,
)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Screen:
    """Remembers what was shown."""

    def __init__(self) -> None:
        self.labels: list[str] = []
        self.shown: list[tuple[int, int, float]] = []
        self.closed = 0

    def __call__(self, label: str) -> Screen:
        self.labels.append(label)
        return self

    def update(self, done: int, total: int, seconds: float) -> None:
        self.shown.append((done, total, seconds))

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def screen() -> Iterator[Screen]:
    screen = Screen()
    set_reporter(screen)
    yield screen
    set_reporter(None)


def test_a_quick_task_shows_nothing(screen: Screen) -> None:
    clock = Clock()
    with showing("Reading a.pdf", True, clock=clock) as report:
        for page in range(100):
            clock.now += 0.0099
            report(page, 100)
    assert (screen.labels, screen.shown, screen.closed) == ([], [], 0)


def test_a_long_task_is_shown_after_a_second_and_not_too_often(screen: Screen) -> None:
    clock = Clock()
    with showing("Reading a.pdf", True, clock=clock) as report:
        for page in range(30):
            clock.now += 0.1
            report(page, 30)
    assert screen.labels == ["Reading a.pdf"]
    assert screen.shown[0][:2] in {(11, 30), (12, 30)}
    assert screen.shown[0][2] >= 1.0
    assert len(screen.shown) <= 11
    assert screen.closed == 1


def test_the_start_of_a_worker_is_no_work(screen: Screen) -> None:
    clock = Clock()
    with showing("Reading a.pdf", True, clock=clock) as report:
        for _ in range(25):
            clock.now += 0.1
            report(0, 12)
        for page in range(1, 13):
            clock.now += 0.03
            report(page, 12)
    assert screen.shown == []


def test_what_gets_nowhere_is_shown_in_the_end(screen: Screen) -> None:
    clock = Clock()
    with showing("Reading a.docx", True, clock=clock) as report:
        for _ in range(40):
            clock.now += 0.1
            report(0, 0)
    assert screen.shown[0][:2] == (0, 0)
    assert 2.9 < screen.shown[0][2] < 3.2


def test_a_task_that_is_about_to_end_does_not_flash(screen: Screen) -> None:
    clock = Clock()
    with showing("Reading a.pdf", True, clock=clock) as report:
        for page in range(1, 14):
            clock.now += 0.1
            report(page, 13)
    assert screen.shown == []


def test_a_task_of_unknown_length_is_shown_after_a_second_of_work(screen: Screen) -> None:
    clock = Clock()
    with showing("Reading a.jsonl", True, clock=clock) as report:
        for row in range(1, 15):
            clock.now += 0.1
            report(row, 0)
    assert screen.shown[0][0] in {11, 12}


def test_it_is_taken_away_when_the_task_is_interrupted(screen: Screen) -> None:
    clock = Clock()

    def interrupted() -> None:
        with showing("Reading a.pdf", True, clock=clock) as report:
            clock.now += 5
            report(1, 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert screen.closed == 1


def test_false_shows_nothing_however_long(screen: Screen) -> None:
    clock = Clock()
    with showing("Reading a.pdf", False, clock=clock) as report:
        clock.now += 50
        report(1, 2)
    assert screen.shown == []


def test_a_log_file_gets_nothing_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not progress.wanted(None)
    assert progress.wanted(True)


def test_a_terminal_is_somebody_who_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert progress.wanted(None)
    assert not progress.wanted(False)


def test_a_kernel_is_found_without_importing_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert not progress.in_notebook()
    ipython = ModuleType("IPython")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=object())  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    assert progress.in_notebook()
    ipython.get_ipython = lambda: None  # type: ignore[attr-defined]
    assert not progress.in_notebook()


class Output:
    """Stands for an output of a cell: what it showed, in order."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def display(self, data: dict[str, str], *, raw: bool, display_id: bool) -> Output:
        assert raw
        assert display_id
        assert self.shown == []
        self.shown.append(data["text/plain"])
        return self

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.shown.append(data["text/plain"])


def test_in_a_notebook_one_output_is_updated_and_left_empty() -> None:
    output = Output()
    reporter = OutputReporter("Reading a\x1b.pdf", output.display)
    reporter.update(1, 2, 3.2)
    reporter.update(2, 2, 4.4)
    reporter.close()
    assert output.shown == [
        "Reading a?.pdf  ############------------  1/2  3 s",
        "Reading a?.pdf  ########################  2/2  4 s",
        "",
    ]


def test_in_a_notebook_nothing_shown_leaves_no_output() -> None:
    output = Output()
    OutputReporter("Reading", output.display).close()
    assert output.shown == []


def test_a_kernel_shows_an_output_and_all_else_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    display = ModuleType("IPython.display")
    display.display = Output().display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(progress, "in_notebook", lambda: False)
    assert isinstance(default_reporter("Reading"), LineReporter)
    monkeypatch.setattr(progress, "in_notebook", lambda: True)
    assert isinstance(default_reporter("Reading"), OutputReporter)
    monkeypatch.delitem(sys.modules, "IPython.display")
    assert isinstance(default_reporter("Reading"), LineReporter)


def test_the_line_is_written_over_and_cleared() -> None:
    stream = io.StringIO()
    line = LineReporter("Reading a\x1b[31m\n.pdf", stream)
    line.update(1, 2, 1.2)
    line.update(2, 2, 1.4)
    line.close()
    text = stream.getvalue()
    assert text.count("\r") == 4
    assert "\n" not in text
    assert "\x1b" not in text
    assert "Reading a?[31m?.pdf  ############------------  1/2  1 s" in text
    assert text.endswith(" \r")


def test_a_line_that_was_never_written_is_not_cleared() -> None:
    stream = io.StringIO()
    LineReporter("Reading", stream).close()
    assert stream.getvalue() == ""


def test_a_long_name_does_not_wrap_the_line() -> None:
    stream = io.StringIO()
    LineReporter("Reading " + "x" * 200, stream).update(1, 2, 3.0)
    assert len(stream.getvalue()) < 100
    assert "xxx…  #" in stream.getvalue()


def test_more_done_than_there_is_fills_the_bar() -> None:
    assert progress_line("R", 7, 5, 0) == "R  ########################  7/5  0 s"


def test_importing_documents_imports_no_notebook() -> None:
    code = (
        "import sys, workbench.documents\n"
        "heavy = {'IPython', 'ipywidgets', 'plotly', 'pandas', 'rich', 'tqdm', 'torch', 'spacy'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
