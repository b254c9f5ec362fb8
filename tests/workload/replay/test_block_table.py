"""The scores of every block, with the evidence: the same numbers that the reader decides by."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.workload.replay.made import REQUESTS, Noting, reader_of, workload_in
from workbench.errors import InvalidWorkload
from workbench.gate.intent import intent_of
from workbench.reading import SparseReader
from workbench.workload import Evidence, Request, Workload
from workbench.workload.replay import BlockScores, block_scores, collect_block_scores, replay


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def workload(tmp_path: Path) -> Workload:
    return workload_in(tmp_path / "made")


def test_every_block_of_every_request_has_its_numbers(workload: Workload) -> None:
    reader = reader_of()
    scores, evidence = block_scores(workload, reader)
    assert list(scores) == [
        "question", "document", "document_type", "block", "score", "weight", "pinned", "tokens", "label"
    ]  # fmt: skip
    assert list(scores["question"].unique()) == [request["id"] for request in REQUESTS]
    for request in workload.requests:
        document = workload.open(request)
        mine = scores[scores["question"] == request.id]
        intent = intent_of(request.question, scope=request.scope, action=request.action)
        basis = reader.basis(document, intent.question, scope=intent.scope)
        assert mine["block"].tolist() == list(range(len(document)))
        assert mine["score"].tolist() == basis.scored.logits.astype(np.float64).tolist()
        assert mine["weight"].tolist() == basis.structure.weights.tolist()
        assert mine["tokens"].tolist() == document.columns.tokens.tolist()
    assert scores["score"].dtype == np.float64
    assert list(evidence) == ["question", "document", "document_type", "piece", "score"]


def test_labels_and_pieces_are_those_of_the_gold(workload: Workload) -> None:
    scores, evidence = block_scores(workload, reader_of())
    labelled = scores[scores["label"]]
    assert labelled.groupby("question", observed=True)["block"].apply(list).to_dict() == {
        "depots-1": [2], "rules-1": [0], "depots-2": [5], "depots-3": [6], "table-1": [8]
    }  # fmt: skip
    assert evidence["question"].tolist() == ["depots-1", "rules-1", "depots-2", "depots-3", "table-1"]
    # A piece of one block is recalled up to the score of that block.
    assert evidence["score"].tolist() == labelled["score"].tolist()


def test_they_come_from_the_scores_that_a_replay_remembers(tmp_path: Path, workload: Workload) -> None:
    noting = Noting(tmp_path / "notes")
    replay(workload, reader_of(noting))
    asked = noting.asked()
    block_scores(workload, reader_of(noting))
    # Of the follow-up the replay has asked for both turns; here only its last question counts.
    assert noting.asked() == asked


@pytest.mark.parametrize("cache", [True, False])
def test_two_processes_and_no_cache_give_the_same(tmp_path: Path, workload: Workload, cache: bool) -> None:
    one = block_scores(workload, reader_of(), processes=1, cache=False)
    noting = Noting(tmp_path / "notes")
    other = block_scores(workload, reader_of(noting), processes=2, cache=cache)
    for mine, theirs in zip(one, other, strict=True):
        pd.testing.assert_frame_equal(mine, theirs, check_exact=True)
    assert len(noting.asked()) == len(REQUESTS)


def test_in_memory_they_are_compact(workload: Workload) -> None:
    found = collect_block_scores(workload, reader_of())
    assert repr(found) == "BlockScores(6 requests, 79 blocks)"
    one = found.requests[0]
    assert (one.request, one.document, one.split) == ("depots-1", "depots.txt", "dev")
    assert (one.logits.dtype, one.weights.dtype, one.eligible.dtype) == (np.float32, np.float64, np.bool_)
    assert one.gold.recall(one.labels) == 1.0
    assert one.eligible.all()
    table = found.requests[-1]
    assert not table.eligible[0]  # a table has no text of its own


def test_a_pin_recalls_at_any_threshold_and_a_block_without_text_at_none(workload: Workload) -> None:
    one = collect_block_scores(workload, reader_of()).requests[0]
    (block,) = np.flatnonzero(one.labels)
    assert one.needed(one.logits).tolist() == [one.logits[block]]
    mask = np.arange(len(one)) == block
    assert replace(one, pinned=mask).needed(one.logits).tolist() == [np.inf]
    assert replace(one, eligible=~mask).needed(one.logits).tolist() == [-np.inf]


def test_a_request_that_fails_is_left_out_and_named(workload: Workload, caplog: pytest.LogCaptureFixture) -> None:
    assert workload.folder is not None
    (workload.folder / "制度.txt").unlink()
    found = collect_block_scores(workload, reader_of(), processes=2)
    assert [one.request for one in found.requests] == ["depots-1", "depots-2", "depots-3", "table-1"]
    assert [request for request, _ in found.failed] == ["rules-1", "rules-2"]
    assert "2 requests of 'made' could not be scored (rules-1: There is no file" in caplog.text
    for name in ("depots.txt", "pumps.csv"):
        (workload.folder / name).unlink()
    with pytest.raises(InvalidWorkload, match=r"All 6 requests of 'made' could not be scored .*; mend them and score"):
        collect_block_scores(workload, reader_of())


def test_no_request_at_all_gives_empty_tables() -> None:
    scores, evidence = BlockScores((), "by hand").to_frames()
    assert (len(scores), len(evidence)) == (0, 0)
    assert (scores["label"].dtype, scores["score"].dtype, evidence["score"].dtype) == (np.bool_, np.float64, np.float64)


CONTRACTS = ("KNOWLABS,INC_08_15_2005-EX-10-INTELLECTUAL", "GULFSOUTHMEDICALSUPPLYINC_12_24_1997")
REPORTS = ("FOOTLOCKER_2022_8K_dated-2022-05-20", "AMCOR_2023Q4_EARNINGS")


@pytest.mark.data
@pytest.mark.parametrize("name", ["cuad", "financebench"])
def test_real_documents_are_scored_and_replayed(data_dir: Path, name: str) -> None:
    folder = data_dir / name
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    requests = list(contract_requests(rows) if name == "cuad" else report_requests(rows))
    workload = Workload.of(requests, name=name, folder=folder)
    reader = SparseReader(scorer=None)
    outcomes = replay(workload, reader)
    scores, evidence = block_scores(workload, reader)
    assert outcomes["request"].tolist() == list(scores["question"].unique())
    pieces = outcomes["evidence"] - outcomes["evidence_unresolved"]
    assert len(evidence) == pieces.sum() > 0
    assert (outcomes["recall_native"].dropna() == 1.0).all()
    assert outcomes["recall_sparse"].mean() > 0.5
    by_document = scores.groupby("question", observed=True)["tokens"].sum()
    assert by_document.to_dict() == dict(zip(outcomes["request"], outcomes["tokens_artifact"], strict=True))


def contract_requests(rows):  # type: ignore[no-untyped-def]
    chosen = [row for row in rows if row["evidence"] and any(part in row["contract_pdf"] for part in CONTRACTS)]
    for number, row in enumerate(chosen):
        evidence = [Evidence(quote=quote) for quote in row["evidence"]]
        question = f"{row['category']}: {row['question']}"
        yield Request(id=f"c{number}", artifact=row["contract_pdf"], question=question, evidence=evidence)


def report_requests(rows):  # type: ignore[no-untyped-def]
    for number, row in enumerate(row for row in rows if row["doc_name"] in REPORTS):
        pieces = [(piece["evidence_text"], piece["evidence_page_num"] + 1) for piece in row["evidence"]]
        evidence = [Evidence(quote=text, page=page) for text, page in pieces]
        artifact = f"pdfs/{row['doc_name']}.pdf"
        yield Request(id=f"f{number}", artifact=artifact, question=row["question"], evidence=evidence)
