"""Long work beside the analyst: it is followed, ended, and what goes wrong in it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from workbench.documents.progress import showing
from workbench.errors import CalibrationRefused, InvalidOption
from workbench.workspace import Jobs, JobState, JobStatus
from workbench.workspace.jobs import Report


class Followed:
    """Jobs, and every state that was told."""

    def __init__(self) -> None:
        self.states: list[JobState] = []
        self.jobs = Jobs(self._told)
        self.results: list[Any] = []

    def _told(self) -> None:
        self.states += self.jobs.states

    def start(self, kind: str, work: Callable[[Report], Any], **others: Any) -> JobState:
        return self.jobs.start(kind, work, self.results.append, **others)


@pytest.fixture
def followed() -> Followed:
    return Followed()


def test_a_result_arrives_and_the_steps_are_told(followed: Followed) -> None:
    def work(report: Report) -> str:
        for done in range(4):
            report(done, 3)
        return "found"

    followed.start("calibrate", work)
    state = followed.jobs.wait("calibrate")
    assert (state.status, state.done, state.total, state.error) == (JobStatus.DONE, 3, 3, "")
    assert followed.results == ["found"]
    told = [(one.status, one.done) for one in followed.states]
    assert (JobStatus.RUNNING, 0) in told
    assert told[-1] == (JobStatus.DONE, 3)


def test_what_shows_progress_inside_is_followed_and_its_outermost_task_is_told(followed: Followed) -> None:
    def work(_report: Report) -> None:
        with showing("Replaying house", True) as outer:
            outer(1, 2)
            with showing("Reading 住房.md", True) as inner:
                inner(5, 9)
            outer(2, 2)

    followed.start("replay", work)
    followed.jobs.wait("replay")
    assert {one.label for one in followed.states} == {"", "Replaying house"}
    assert {one.total for one in followed.states} == {0, 2}


def test_a_job_that_is_cancelled_ends_at_its_next_step_and_gives_no_result(followed: Followed) -> None:
    begun, gone_on = threading.Event(), threading.Event()

    def work(_report: Report) -> str:
        begun.set()
        gone_on.wait(10)
        with showing("Replaying", True) as step:
            step(1, 2)
        return "never"

    state = followed.start("replay", work)
    assert begun.wait(10)
    assert followed.jobs.cancel(state.id)
    gone_on.set()
    assert followed.jobs.wait("replay").status is JobStatus.CANCELLED
    assert followed.results == []
    assert not followed.jobs.cancel(state.id)


def test_no_handler_of_errors_keeps_a_cancelled_job_alive(followed: Followed) -> None:
    begun, gone_on = threading.Event(), threading.Event()

    def work(report: Report) -> str:
        begun.set()
        gone_on.wait(10)
        try:
            report(1, 2)
        except Exception:
            return "swallowed"
        return "never"

    state = followed.start("replay", work)
    assert begun.wait(10)
    followed.jobs.cancel(state.kind)
    gone_on.set()
    assert followed.jobs.wait("replay").status is JobStatus.CANCELLED


def test_a_mistake_that_a_person_can_mend_is_the_sentence_of_the_job(followed: Followed) -> None:
    def work(_report: Report) -> None:
        raise CalibrationRefused("There is no evidence; add some.")

    followed.start("calibrate", work)
    with pytest.raises(CalibrationRefused, match=r"^There is no evidence; add some\.$"):
        followed.jobs.wait("calibrate")
    (state,) = followed.jobs
    assert (state.status, state.error, state.details) == (JobStatus.FAILED, "There is no evidence; add some.", "")


def test_a_fault_of_ours_is_told_with_its_traceback(followed: Followed) -> None:
    def work(_report: Report) -> None:
        raise ZeroDivisionError("by nothing")

    followed.start("calibrate", work)
    with pytest.raises(ZeroDivisionError):
        followed.jobs.wait("calibrate")
    (state,) = followed.jobs
    assert state.error == "Something went wrong here that should not: ZeroDivisionError: by nothing"
    assert "Traceback" in state.details
    assert state.to_dict()["status"] == "failed"


def test_what_goes_wrong_when_the_result_arrives_is_told_as_well() -> None:
    jobs = Jobs(lambda: None)

    def arrived(_found: str) -> None:
        raise CalibrationRefused("Nobody takes it.")

    jobs.start("calibrate", lambda _report: "found", arrived)
    with pytest.raises(CalibrationRefused):
        jobs.wait("calibrate")
    assert [one.error for one in jobs] == ["Nobody takes it."]


def test_a_second_job_of_a_kind_waits_for_nobody_and_is_refused(followed: Followed) -> None:
    gone_on = threading.Event()
    followed.start("replay", lambda _report: gone_on.wait(10))
    with pytest.raises(InvalidOption, match=r"^The job replay is running already; wait for it, or cancel it first\.$"):
        followed.start("replay", lambda _report: None)
    gone_on.set()
    followed.jobs.wait_for_all()
    followed.start("replay", lambda _report: "again")
    followed.jobs.wait_for_all()
    assert followed.results == [True, "again"]


def test_jobs_of_one_lane_run_one_after_the_other_and_a_waiting_one_can_be_cancelled(followed: Followed) -> None:
    gone_on, order = threading.Event(), []

    def first(_report: Report) -> None:
        gone_on.wait(10)
        order.append("first")

    followed.start("curves", first, lane="background")
    followed.start("effects", lambda _report: order.append("second"), lane="background")
    followed.start("calibrate", lambda _report: order.append("asked"))
    followed.jobs.wait("calibrate")
    effects = followed.jobs.of("effects")
    assert effects is not None
    assert effects.status is JobStatus.WAITING
    followed.jobs.cancel("effects")
    assert followed.jobs.wait("effects").status is JobStatus.CANCELLED
    gone_on.set()
    followed.jobs.wait_for_all()
    assert order == ["asked", "first"]


def test_who_waits_too_long_is_told(followed: Followed) -> None:
    gone_on = threading.Event()
    followed.start("replay", lambda _report: gone_on.wait(10))
    with pytest.raises(InvalidOption, match=r"^The job replay has not ended after 0\.01 s; wait longer, or cancel it"):
        followed.jobs.wait("replay", 0.01)
    with pytest.raises(InvalidOption, match="has not ended after"):
        followed.jobs.wait_for_all(0.01)
    gone_on.set()
    followed.jobs.wait_for_all()


def test_a_job_that_is_none_is_told(followed: Followed) -> None:
    with pytest.raises(InvalidOption, match=r"^There is no job 'tea'; there are: none\.$"):
        followed.jobs.cancel("tea")
    assert followed.jobs.of("tea") is None
    assert len(followed.jobs) == 0


def test_a_job_may_take_the_place_of_one_of_its_kind_and_the_other_is_lost(followed: Followed) -> None:
    begun, go_on = threading.Event(), threading.Event()
    lost: list[str] = []

    def first(report: Report) -> str:
        begun.set()
        go_on.wait(20)
        report(1, 2)
        return "first"

    followed.start("curves", first, lost=lambda: lost.append("first"))
    assert begun.wait(20)
    followed.start("curves", lambda _report: "second", lost=lambda: lost.append("second"), instead=True)
    go_on.set()
    followed.jobs.wait("curves")
    assert (followed.results, lost) == (["second"], ["first"])
