"""A replay takes both paths of every request, remembers what is done, and tells what failed."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pandas as pd
import pytest

from tests.workload.replay.made import REQUESTS, Noting, reader_of, workload_in
from workbench.errors import InvalidOption, InvalidWorkload
from workbench.gate.exchange import Exchange
from workbench.gate.signals import SignalOptions
from workbench.reading import Feedback, SparseReader
from workbench.workload import Workload
from workbench.workload.replay import replay
from workbench.workload.replay.outcomes import COLUMNS, SECONDS


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def workload(tmp_path: Path) -> Workload:
    return workload_in(tmp_path / "made")


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(one.drop(columns=list(SECONDS)), other.drop(columns=list(SECONDS)), check_exact=True)
    assert one.attrs == other.attrs


def test_every_request_has_a_row_in_the_order_of_the_workload(workload: Workload) -> None:
    found = replay(workload, reader_of())
    assert {name: str(kind) for name, kind in found.dtypes.items()} == COLUMNS
    assert found["request"].tolist() == [request["id"] for request in REQUESTS]
    assert found["document"].tolist()[1] == "制度.txt"
    assert found["turn"].tolist() == [1, 1, 1, 2, 1, 1]
    assert found["scope"].tolist()[5] == "aggregate"
    assert found["language"].tolist()[1] == "zh"
    assert (found["recall_native"].dropna() == 1.0).all()
    assert found["s"].between(0, 1).all()
    assert found["c"].between(0, 1).all()
    assert found["r"].between(0, 1).all()
    assert found["seconds_sparse"].gt(0).all()
    assert found.attrs["outcomes"] == 1
    assert found.attrs["workload"] == {"name": workload.name, "fingerprint": workload.fingerprint}
    assert found.attrs["reader"]["scorer"] == "shared words 1"
    assert found.attrs["options"] == SignalOptions().to_dict()
    assert found.attrs["failed"] == []


def test_evidence_decides_the_quality_and_what_is_not_there_is_told(workload: Workload) -> None:
    found = replay(workload, reader_of()).set_index("request")
    assert (found.loc["depots-1", "recall_sparse"], found.loc["depots-1", "quality_sparse"]) == (1.0, 1.0)
    assert found.loc["depots-2", "evidence"] == 2
    assert found.loc["depots-2", "evidence_unresolved"] == 1
    assert "1 of 2 pieces of evidence stands nowhere in it." in found.loc["depots-2", "reasons"]
    unanswerable = found.loc["rules-2"]
    assert math.isnan(unanswerable["recall_native"])
    assert (unanswerable["quality_native"], unanswerable["quality_sparse"]) == (1.0, 1.0)
    assert "It is not answerable, so there is no evidence to find." in unanswerable["reasons"]
    assert set(found["quality_kind"]) == {"evidence recall"}


@pytest.mark.parametrize("resent", [1.0, 0.1])
def test_tokens_can_be_recomputed_from_the_observations(workload: Workload, resent: float) -> None:
    exchange = Exchange(resent_share=resent)
    for row in replay(workload, reader_of(), options=SignalOptions(exchange=exchange)).itertuples():
        told = json.loads(str(row.observations))
        for path in ("native", "sparse"):
            before = told[f"before_{path}"]
            tokens = exchange.tokens(told["question_tokens"] + before, told[path])
            if before:
                tokens -= (1 - resent) * (exchange.prompt_tokens + before)
            assert tokens == pytest.approx(getattr(row, f"tokens_{path}"))
        assert (row.turn > 1) == (told["before_sparse"] > 0)


def test_the_sparse_path_is_the_same_without_the_gold(tmp_path: Path, workload: Workload) -> None:
    bare = [{**request, "evidence": [], "answerable": True} for request in REQUESTS]
    blind = replay(workload_in(tmp_path / "bare", bare), reader_of(), cache=False)
    seeing = replay(workload, reader_of(), cache=False)
    for name in ("observations", "tokens_sparse", "tokens_native", "tokens_kept", "rounds", "fell_back", "s", "c", "r"):
        assert blind[name].tolist() == seeing[name].tolist()
    assert blind["recall_sparse"].isna().all()
    assert not seeing["recall_sparse"].isna().all()


def test_a_second_replay_asks_nobody(tmp_path: Path, workload: Workload) -> None:
    first = replay(workload, reader_of(Noting(tmp_path / "notes")))
    asked = Noting(tmp_path / "notes").asked()
    again = replay(workload, reader_of(Noting(tmp_path / "notes")))
    assert Noting(tmp_path / "notes").asked() == asked
    pd.testing.assert_frame_equal(first, again, check_exact=True)  # seconds as well: they are those of the first
    assert len(list((tmp_path / "cache").glob("*.outcome"))) == len(REQUESTS)


def test_without_resuming_only_the_scores_are_remembered(tmp_path: Path, workload: Workload) -> None:
    noting = Noting(tmp_path / "notes")
    first = replay(workload, reader_of(noting))
    asked = noting.asked()
    same(replay(workload, reader_of(noting), resume=False), first)
    assert noting.asked() == asked


def test_without_a_cache_nothing_is_stored(tmp_path: Path, workload: Workload) -> None:
    noting = Noting(tmp_path / "notes")
    first = replay(workload, reader_of(noting), cache=False)
    asked = noting.asked()
    same(replay(workload, reader_of(noting), cache=False), first)
    assert noting.asked() == asked * 2
    assert not [*(tmp_path / "cache").glob("*.outcome"), *(tmp_path / "cache").glob("*.scores")]


def test_another_cut_is_replayed_on_the_remembered_scores(tmp_path: Path, workload: Workload) -> None:
    noting = Noting(tmp_path / "notes")
    narrow = replay(workload, reader_of(noting))
    asked = noting.asked()
    wide = replay(workload, SparseReader(scorer=noting, token_share=0.9, min_tokens=0))
    assert noting.asked() == asked
    assert (wide["tokens_kept"] >= narrow["tokens_kept"]).all()
    assert (wide["tokens_kept"] > narrow["tokens_kept"]).any()


def test_only_what_decides_an_outcome_replays_it(tmp_path: Path, workload: Workload) -> None:
    noting = Noting(tmp_path / "notes")
    replay(workload, reader_of(noting))
    asked = noting.asked()
    told = [
        {**request, "label": "new", "scenario": "pdf_report_qa", "id": f"n-{request['id']}"} for request in REQUESTS
    ]
    renamed = replay(workload_in(tmp_path / "made", told), reader_of(noting), advisory_share=0.25)
    assert noting.asked() == asked
    assert set(renamed["label"]) == {"new"}
    assert set(renamed["advisory_sparse"]) == {0.25}
    assert renamed["request"].tolist()[0] == "n-depots-1"
    (tmp_path / "made" / "制度.txt").write_text("住宿标准为每晚九百元。\n\n机票须提前三天申请。", "utf-8")
    changed = replay(workload, reader_of(noting))
    assert noting.asked() == [*asked, "住宿标准是多少？", "出差可以带宠物吗？"]
    assert changed["evidence_unresolved"].tolist()[1] == 1
    assert "None of its evidence stands in the document" in changed["reasons"][1]


def test_marks_are_heard_and_their_outcomes_are_not_remembered(own_cache: Path, workload: Workload) -> None:
    plain = replay(workload, reader_of())
    feedback = Feedback()
    document = workload.open("depots.txt")
    feedback.no_use(document, "How many pumps does Turku keep?", [2])
    reader = reader_of()
    reader.feedback = feedback
    stored = len(list(own_cache.glob("*.outcome")))
    assert plain["recall_sparse"].tolist()[0] == 1.0
    assert replay(workload, reader)["recall_sparse"].tolist()[0] == 0.0
    assert len(list(own_cache.glob("*.outcome"))) == stored


@pytest.mark.parametrize("data", [b"", b"{", b"{}", b"[]", b'{"s": 1}', b"\xff"])
def test_a_damaged_outcome_is_replayed(
    tmp_path: Path, workload: Workload, data: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    first = replay(workload, reader_of())
    for entry in (tmp_path / "cache").glob("*.outcome"):
        entry.write_bytes(data)
    same(replay(workload, reader_of()), first)
    assert "is damaged" in caplog.text


@pytest.mark.parametrize("processes", [1, 2])
def test_a_request_that_fails_is_in_no_row_and_told(
    tmp_path: Path, workload: Workload, processes: int, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "made" / "pumps.csv").unlink()
    found = replay(workload, reader_of(), processes=processes)
    assert found["request"].tolist() == [request["id"] for request in REQUESTS[:5]]
    ((request, reason),) = [failed.values() for failed in found.attrs["failed"]]
    assert request == "table-1"
    assert "there is no file or folder 'pumps.csv'" in reason.lower()
    assert "1 of 6 requests of made could not be replayed and are in no row: table-1: " in caplog.text
    assert found.attrs["workload"]["fingerprint"] is None


def test_an_artifact_that_is_damaged_fails_its_requests_alone(tmp_path: Path) -> None:
    requests = [*REQUESTS[:1], {"id": "scan", "artifact": "scan.pdf", "question": "Who signed?"}]
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "scan.pdf").write_bytes(b"%PDF-1.7\nnothing that could be read")
    found = replay(workload_in(tmp_path / "made", requests), reader_of())
    assert found["request"].tolist() == ["depots-1"]
    assert [failed["request"] for failed in found.attrs["failed"]] == ["scan"]
    assert "scan.pdf" in found.attrs["failed"][0]["reason"]


def test_a_replay_without_any_outcome_is_an_error(tmp_path: Path, workload: Workload) -> None:
    for name in ("depots.txt", "制度.txt", "pumps.csv"):
        (tmp_path / "made" / name).unlink()
    message = r"None of the 6 requests of 'made' could be replayed \(depots-1: There is no .*; and 3 more\); mend them"
    with pytest.raises(InvalidWorkload, match=message):
        replay(workload, reader_of())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"advisory_share": 1.5}, r"advisory_share is 1.5; give a number from 0 to 1\."),
        ({"advisory_share": True}, r"advisory_share is True; give a number from 0 to 1\."),
        ({"processes": 0}, r"processes is 0; give a whole number from 1 to 64\."),
        ({"processes": 1.5}, r"processes is 1.5; give a whole number from 1 to 64\."),
        ({"options": Exchange()}, r"options is of type Exchange; give SignalOptions, or None\."),
        ({"reader": "gate.json"}, r"reader is of type str; give a SparseReader, or None\."),
    ],
)
def test_what_cannot_be_asked_is_refused_before_any_work(workload: Workload, given, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidOption, match=message):
        replay(workload, **given)


def test_what_is_no_workload_or_an_empty_one_is_refused(workload: Workload) -> None:
    with pytest.raises(InvalidOption, match=r"A replay needs a Workload, not str; load one with load_workload\."):
        replay("datasets/dev")  # type: ignore[arg-type]
    with pytest.raises(InvalidWorkload, match=r"has no requests, so there is nothing to replay; add some\."):
        replay(workload.filter(split="test"))


def test_a_workload_in_memory_is_replayed_alike(workload: Workload) -> None:
    held = Workload.of(workload.requests, {key: workload.open(key) for key in workload.documents}, name=workload.name)
    one, other = replay(workload, reader_of()), replay(held, reader_of(), processes=2)
    assert one["observations"].tolist() == other["observations"].tolist()


def test_the_embedded_model_replays_the_documents_that_are_shipped(sample_dir: Path) -> None:
    requests = [
        {"id": "1", "artifact": "harbor-manual.md", "question": "What triggers a backup?",
         "evidence": [{"quote": "More than 4 GiB of changes have gathered since the last backup"}]},
        {"id": "2", "artifact": "harbor-manual.md", "question": "What about its bandwidth?",
         "turns": ["What triggers a backup?"], "evidence": [{"quote": "at most 60 % of the link's measured capacity"}]},
        {"id": "3", "artifact": "差旅制度.txt", "question": "住宿费每晚最多多少？",
         "evidence": [{"quote": "住宿费每晚不超过五百元"}]},
    ]  # fmt: skip
    from workbench.workload.requests import request_of

    workload = Workload.of([request_of(request) for request in requests], name="shipped", folder=sample_dir)
    found = replay(workload)
    assert (found["recall_sparse"] == 1.0).all()
    assert found["evidence_unresolved"].sum() == 0
