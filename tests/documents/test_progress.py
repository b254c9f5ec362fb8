"""Progress is shown when a task takes long, where somebody looks, and goes away again."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents import progress
from workbench.documents.progress import (
    LineReporter,
    OutputReporter,
    default_reporter,
    progress_line,
    reporting,
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


def lines_of(updates: list[tuple[int, int, float]], label: str = "Replaying dev") -> list[str]:
    """Return what a terminal shows, one line an update."""
    stream = io.StringIO()
    reporter = LineReporter(label, stream)
    for update in updates:
        reporter.update(*update)
    return [line.rstrip() for line in stream.getvalue().split("\r")[1:]]


def test_what_is_left_is_told_once_a_task_has_run_for_five_seconds_and_a_twentieth() -> None:
    assert lines_of(
        [(0, 200, 1.0), (8, 200, 4.9), (9, 200, 5.5), (10, 200, 6.0), (100, 200, 41.0), (200, 200, 80.0)]
    ) == [
        "Replaying dev  ------------------------  0/200  1 s",
        "Replaying dev  ------------------------  8/200  5 s",
        "Replaying dev  #-----------------------  9/200  6 s",
        "Replaying dev  #-----------------------  10/200  6 s, about 2 min left",
        "Replaying dev  ############------------  100/200  41 s, about 40 s left",
        "Replaying dev  ########################  200/200  80 s",
    ]


def test_what_was_remembered_from_before_is_no_pace() -> None:
    shown = lines_of([(300, 400, 1.0), (300, 400, 6.0), (310, 400, 11.0), (310, 0, 12.0), (410, 400, 13.0)])
    assert [line.partition("  3")[2] or line for line in shown[1:3]] == ["00/400  6 s", "10/400  11 s, about 90 s left"]
    assert not any("left" in line for line in shown[3:])


def test_an_estimate_is_as_rough_as_it_is() -> None:
    def left(seconds: float) -> str:
        return progress_line("R", 1, 2, 60, left=seconds).partition("60 s, ")[2]

    assert [left(seconds) for seconds in (0.0, 3.2, 10.0, 38.0, 63.0, 100.0, 1_500.0, 5_000.0, 9_000.0, 99_999.0)] == [
        "about 1 s left",
        "about 4 s left",
        "about 10 s left",
        "about 40 s left",
        "about 65 s left",
        "about 2 min left",
        "about 25 min left",
        "about 85 min left",
        "about 2.5 h left",
        "about 27.8 h left",
    ]


def test_in_a_notebook_what_is_left_is_told_too() -> None:
    output = Output()
    reporter = OutputReporter("Reading a.pdf", output.display)
    reporter.update(0, 4, 2.0)
    reporter.update(2, 4, 12.0)
    assert output.shown[1] == "Reading a.pdf  ############------------  2/4  12 s, about 10 s left"


@given(
    st.text(max_size=90),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.floats(0, 10**6),
    st.none() | st.floats(0, 10**6),
)
def test_a_line_fits_in_eighty_columns(label: str, done: int, total: int, seconds: float, left: float | None) -> None:
    reporter = LineReporter(label, io.StringIO())
    line = progress_line(reporter._label, done, total, seconds, left)
    assert sum(2 if unicodedata.east_asian_width(character) in "FW" else 1 for character in line) < 80


def test_a_chinese_name_does_not_wrap_the_line_and_is_cleared() -> None:
    stream = io.StringIO()
    reporter = LineReporter("读取 " + "冷水机组技术手册" * 9, stream)
    reporter.update(0, 2_600, 3.0)
    reporter.update(1_300, 2_600, 43.0)
    reporter.close()
    line = stream.getvalue().split("\r")[2]
    assert line == "读取 冷水机组技术手册冷水机组技…  ####-----  1,300/2,600  43 s, about 40 s left"
    assert stream.getvalue().endswith("\r" + " " * 79 + "\r")


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


def test_who_listens_on_this_thread_is_told_every_step_at_once(screen: Screen) -> None:
    listener, clock = Screen(), Clock()
    with reporting(listener), showing("Reading a.pdf", clock=clock) as report:
        for page in range(3):
            clock.now += 0.01
            report(page, 3)
    assert listener.labels == ["Reading a.pdf"]
    assert [step[:2] for step in listener.shown] == [(0, 3), (1, 3), (2, 3)]
    assert listener.shown[2][2] == pytest.approx(0.03)
    assert listener.closed == 1
    assert screen.labels == []


def test_a_task_that_was_told_to_be_silent_tells_no_listener_either() -> None:
    listener = Screen()
    with reporting(listener), showing("Reading a.pdf", False) as report:
        report(1, 2)
    assert (listener.labels, listener.closed) == ([], 0)


def test_a_silent_task_inside_a_told_one_lets_who_listens_have_a_look() -> None:
    listener, clock = Screen(), Clock()
    with reporting(listener), showing("Mining", clock=clock) as report:
        report(1, 4)
        with showing("Embedding a.pdf", False, clock=clock) as inner:
            for unit in range(30):
                clock.now += 0.05
                inner(unit, 30)
        report(2, 4)
    assert listener.labels == ["Mining"]
    assert {step[:2] for step in listener.shown} == {(1, 4), (2, 4)}
    assert 4 <= len(listener.shown) <= 10
    with showing("Alone", False, clock=clock) as inner:
        clock.now += 5
        inner(1, 2)
    assert listener.labels == ["Mining"]


def test_a_told_task_is_cancelled_in_the_midst_of_a_silent_one() -> None:
    class Enough(Exception):
        """Somebody cancels."""

    class Impatient(Screen):
        def update(self, done: int, total: int, seconds: float) -> None:
            super().update(done, total, seconds)
            if seconds > 1:
                raise Enough

    listener, clock, reached = Impatient(), Clock(), 0
    with pytest.raises(Enough), reporting(listener), showing("Mining", clock=clock) as report:
        report(0, 4)
        with showing("Embedding a.pdf", False, clock=clock) as inner:
            for reached in range(100):
                clock.now += 0.1
                inner(reached, 100)
    assert reached < 15
    assert listener.closed == 1


def test_nobody_listens_to_tasks_of_another_thread(screen: Screen) -> None:
    listener, clock = Screen(), Clock()

    def elsewhere() -> None:
        with showing("Reading b.pdf", True, clock=clock) as report:
            clock.now += 5
            report(1, 2)

    with reporting(listener):
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert (listener.labels, screen.labels) == ([], ["Reading b.pdf"])


def test_what_a_listener_raises_ends_the_task_and_closes_it() -> None:
    class Enough(BaseException):
        """Somebody cancels."""

    class Impatient(Screen):
        def update(self, done: int, total: int, seconds: float) -> None:
            super().update(done, total, seconds)
            raise Enough

    listener = Impatient()
    with pytest.raises(Enough), reporting(listener), showing("Reading a.pdf") as report:
        report(1, 2)
    assert (len(listener.shown), listener.closed) == (1, 1)


def test_listening_ends_with_its_block(screen: Screen) -> None:
    listener, clock = Screen(), Clock()
    with reporting(listener):
        pass
    with showing("Reading a.pdf", True, clock=clock) as report:
        clock.now += 5
        report(1, 2)
    assert (listener.labels, screen.labels) == ([], ["Reading a.pdf"])
