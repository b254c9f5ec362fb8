"""Equal questions that are asked at once: computed once, and equal for all, in threads and in processes."""

from __future__ import annotations

import hashlib
import multiprocessing
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from tests.reading.sessions.conftest import Kept
from tests.reading.sessions.dialogues import Words, handbook, kept_of, reader_with, said, session_in
from workbench.reading import Reading, followups
from workbench.reading.stores import open_store
from workbench.relevance.scores import RelevanceScores

ASKERS = 6
PROCESSES = 3
QUESTION = {"en": "How exactly is it triggered?", "zh": "那具体怎么触发？"}
FIRST = {"en": "When does a backup begin?", "zh": "备份策略规定何时开始备份？"}


def at_once(kept: Kept, language: str, scorer: Words) -> list[Reading]:
    """The readings of one question by several askers who begin together."""
    gate = threading.Barrier(ASKERS)
    readings: list[Reading] = []

    def ask() -> None:
        reader, session, document = reader_with(scorer), session_in(kept.again()), handbook(language)
        gate.wait(60)
        readings.append(reader.read(document, QUESTION[language], session=session))

    threads = [threading.Thread(target=ask) for _ in range(ASKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return readings


@pytest.mark.parametrize("language", QUESTION)
def test_threads_compute_an_equal_question_once(kept: Kept, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followups, "WAIT_SECONDS", 60.0)
    reader_with(Words()).read(handbook(language), FIRST[language], session=session_in(kept.store))
    scorer = Words()
    readings = at_once(kept, language, scorer)
    assert len(readings) == ASKERS
    assert scorer.asked.count(QUESTION[language]) == 1
    assert len({reading.kept_text for reading in readings}) == 1
    assert len({reading.scores.logits.tobytes() for reading in readings}) == 1
    assert sum(said(reading).startswith("The session remembers") for reading in readings) == ASKERS - 1
    state = session_in(kept.store).state
    assert state is not None
    assert state.turn == 2


def test_who_has_waited_in_vain_computes_and_comes_to_the_same(kept: Kept) -> None:
    document, session = handbook(), session_in(kept.store)
    reader_with(Words()).read(document, FIRST["en"], session=session)
    before = kept.store.load(session.key)
    scorer = Words()
    with session.locked() as mine:
        assert mine
        late = reader_with(scorer).read(document, QUESTION["en"], session=session_in(kept.again()))
    assert scorer.asked.count(QUESTION["en"]) == 1
    after = kept.store.load(session.key)
    assert after is not None
    assert before is not None
    # The same from the same state, by somebody who did not have to wait.
    assert kept.store.save(session.key, before, replacing=after)
    alone = reader_with(Words()).read(document, QUESTION["en"], session=session)
    assert (alone.kept_text, alone.notes) == (late.kept_text, late.notes)
    assert kept.store.load(session.key) == after


def test_the_wait_is_a_tenth_of_a_second() -> None:
    assert followups.WAIT_SECONDS == 0.1


def test_an_answer_never_overwrites_a_later_one(kept: Kept) -> None:
    document, session = handbook(), session_in(kept.store)
    reader = reader_with(Words())
    reader.read(document, FIRST["en"], session=session)

    class Interrupted(Words):
        def score(self, *args: object, **options: object) -> RelevanceScores:
            if not self.asked:
                reader.read(document, "Which key encrypts each backup?", session=session)
            return super().score(*args, **options)  # type: ignore[arg-type]

    slow = reader_with(Interrupted()).read(document, "How long is it kept?", session=session_in(kept.again()))
    assert said(slow).startswith("Follow-up")
    state = session.state
    assert state is not None
    assert state.questions == (FIRST["en"], "Which key encrypts each backup?")


def test_a_failure_while_computing_leaves_the_session_free(kept: Kept) -> None:
    class Failing(Words):
        def score(self, *_: object, **__: object) -> RelevanceScores:
            raise RuntimeError("no")

    document, session = handbook(), session_in(kept.store)
    with pytest.raises(RuntimeError, match="no"):
        reader_with(Failing()).read(document, FIRST["en"], session=session)
    scorer = Words()
    assert said(reader_with(scorer).read(document, FIRST["en"], session=session)).startswith("First question")
    with session.locked() as mine:
        assert mine


class Noting(Words):
    """Writes a line to a file for every question that it scores."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def score(self, document: object, question: str, **options: object) -> RelevanceScores:
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(f"{question}\n")
        return super().score(document, question, **options)  # type: ignore[arg-type]


_GATE: list[Barrier] = []


def begin(gate: Barrier) -> None:
    """What each process does once; on a busy machine an answer may take more than a tenth of a second."""
    _GATE.append(gate)
    followups.WAIT_SECONDS = 60.0


def ask(where: str, language: str, file: str) -> tuple[str, str, list[str]]:
    """What each process does: wait for the others, and ask."""
    document, session = handbook(language), session_in(open_store(where))
    reader = reader_with(Noting(Path(file)))
    _GATE[0].wait(120)
    reading = reader.read(document, QUESTION[language], session=session)
    return reading.kept_text, hashlib.sha256(reading.scores.logits.tobytes()).hexdigest(), kept_of(reading)


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, context, initializer=begin, initargs=(context.Barrier(PROCESSES),)) as pool:
        yield pool


@pytest.mark.parametrize(("language", "evidence"), [("en", "It is triggered when"), ("zh", "系统触发备份")])
def test_processes_compute_an_equal_question_once(
    shared: Kept, language: str, evidence: str, processes: ProcessPoolExecutor, tmp_path: Path
) -> None:
    store = open_store(shared.where)
    reader_with(Words()).read(handbook(language), FIRST[language], session=session_in(store))
    file = tmp_path / "asked.txt"
    waiting = [processes.submit(ask, shared.where, language, str(file)) for _ in range(PROCESSES)]
    found = [answer.result(120) for answer in waiting]
    assert file.read_text("utf-8").splitlines().count(QUESTION[language]) == 1
    assert all(answer == found[0] for answer in found)
    assert evidence in found[0][0]
