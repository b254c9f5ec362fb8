"""Evidence is found in every way that is stated and in no other; what is not found is listed with the reason."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.reading.made import Made
from workbench.documents import BlockKind, Document, join_documents, open_document
from workbench.errors import InvalidOption
from workbench.workload import Evidence, Gold, GoldPiece, Request, Workload, resolve, resolve_all
from workbench.workload.gold import Way

LEASE = (
    Made(name="lease.txt", language="en")
    .page()
    .heading("Lease")
    .text("Running title", kind=BlockKind.HEADER)
    .text("Rent is due on the first day of May.", "The deposit equals three months of rent.")
    .table(
        ["Unit", "Floor", "Rent"],
        ["A1", "2", "1.5"],
        ["A15", "2", "15"],
        ["B2 east wing", "", "4,086"],
        ["C3 north wing of the mill", "7", "9"],
    )
    .page()
    .text(
        "租金应于每年五月一日支付。", "Rent is due on the first day of May.", "Café terrace fees are 20 euro a month."
    )
    .document()
)
ROWS = {text: block for block, text in enumerate(LEASE.texts)}


def found(*evidence: Evidence | str, document: Document = LEASE, **changed: Any) -> Gold:
    pieces = [Evidence(quote=piece) if isinstance(piece, str) else piece for piece in evidence]
    request = Request(id="q", artifact="a.txt", question="When?", evidence=pieces, **changed)
    return resolve(request, document)


def only(gold: Gold) -> GoldPiece:
    assert gold.unresolved == ()
    (piece,) = gold.pieces
    return piece


def reason(gold: Gold) -> str:
    assert gold.pieces == ()
    (lost,) = gold.unresolved
    return lost.reason


def texts(piece: GoldPiece, document: Document = LEASE) -> list[list[str]]:
    return [[document.texts[block] for block in place] for place in piece.places]


# Ways


def test_a_quote_has_every_place_where_it_stands() -> None:
    piece = only(found("due on the first day of  MAY"))
    assert (piece.way, len(piece.places)) == (Way.EXACT, 2)
    assert texts(piece) == [["Rent is due on the first day of May."]] * 2
    assert texts(only(found("每年五月一日"))) == [["租金应于每年五月一日支付。"]]


def test_a_page_leaves_the_places_on_it() -> None:
    piece = only(found(Evidence(quote="first day of May", page=2)))
    assert [LEASE.block(place[0]).page for place in piece.places] == [2]
    assert only(found(Evidence(quote="Caf terrace fees", page=2))).way is Way.EXACT


def test_a_quote_on_another_page_is_not_resolved_and_told_where_it_stands() -> None:
    assert reason(found(Evidence(quote="deposit equals three months", page=2))) == (
        "'deposit equals three months' stands on page 1, not where the evidence says."
    )
    assert reason(found(Evidence(quote="rent", page=3))) == "lease.txt has no page 3; it has 2 pages."


@pytest.mark.parametrize(
    ("quote", "row"),
    [
        ("A1 | 2 | 1.5", "A1\t2\t1.5"),
        ("A15 | 2 | 15", "A15\t2\t15"),
        ("A1 | 1.5", "A1\t2\t1.5"),
        ("1.5 | A1", "A1\t2\t1.5"),
        ("15 | A15", "A15\t2\t15"),
        ("| A15 | 15 |", "A15\t2\t15"),
        ("east wing | 4,086", "B2 east wing\t4,086"),
        ("4,086 | east wing", "B2 east wing\t4,086"),
    ],
)
def test_cells_of_a_row_joined_by_bars_are_found_in_their_row(quote: str, row: str) -> None:
    piece = only(found(quote))
    assert (piece.way, texts(piece)) == (Way.EXACT, [[row]])


@pytest.mark.parametrize("quote", ["A1 | 15", "A15 | 1.5", "A1 | 4,086", "B2 | 4", "wing | 2"])
def test_cells_of_different_rows_are_no_row(quote: str) -> None:
    assert reason(found(quote)) == f"'{quote}' stands in no block of lease.txt that can hold evidence."


def test_several_rows_and_sentences_are_one_place_of_their_parts() -> None:
    piece = only(found("Rent is due on the first day of May. <omitted> 9 | C3 north wing of the mill"))
    assert (piece.way, [len(place) for place in piece.places]) == (Way.JOINED, [2])
    assert [LEASE.texts[block] for block in piece.places[0]][-1] == "C3 north wing of the mill\t7\t9"


def test_a_page_read_in_another_order_is_found_by_its_blocks() -> None:
    document = Made().page().text("Sales grew to 500 million.", "Costs fell to 300 million.", "Fine.").document()
    quote = "Costs fell to 300 million. Sales grew to 500 million."
    assert only(found(Evidence(quote=quote, page=1), document=document)).places == ((0, 1),)


def test_a_quote_in_other_words_has_the_fewest_blocks_that_hold_half_of_it() -> None:
    piece = only(found("The deposit equals three months of payments"))
    assert (piece.way, texts(piece)) == (Way.SIMILAR, [["The deposit equals three months of rent."]])
    assert reason(found("Nothing of this kind was ever agreed upon by anybody")).endswith("that can hold evidence.")


def test_running_lines_hold_no_evidence_and_signs_are_no_quote() -> None:
    assert reason(found("Running title")) == "'Running title' stands in no block of lease.txt that can hold evidence."
    assert reason(found("— !")) == "'— !' has no letter or digit to look for."


def test_an_anchor_leads_to_its_blocks_unless_it_holds_other_words() -> None:
    block = LEASE.blocks[ROWS["The deposit equals three months of rent."]]
    at = (block.anchor.start_char + 4, block.anchor.end_char)
    for quote in ("", "deposit equals"):
        piece = only(found(Evidence(quote=quote, anchor=at)))  # type: ignore[arg-type]
        assert (piece.way, piece.places) == (Way.ANCHOR, ((block.block_id,),))
    stale = only(found(Evidence(quote="五月一日", anchor=at)))  # type: ignore[arg-type]
    assert (stale.way, texts(stale)) == (Way.EXACT, [["租金应于每年五月一日支付。"]])
    beyond = Evidence(anchor=(90_000, 90_001))  # type: ignore[arg-type]
    assert reason(found(beyond)) == "There is no block with content at the anchor of lease.txt."


def test_a_page_alone_is_recalled_by_a_block_that_says_the_answer_or_else_by_any() -> None:
    evidence = Evidence(page=2)
    assert texts(only(found(evidence, answer="20 euro a month"))) == [["Café terrace fees are 20 euro a month."]]
    assert len(only(found(evidence, answer="20")).places) == 3
    assert len(only(found(evidence)).places) == 3
    assert only(found(evidence)).way is Way.PAGE
    empty = Made(name="x").page().text("One.").page().document()
    assert reason(found(Evidence(page=2), document=empty)) == "There is no block with content at page 2 of x."


def test_files_of_a_collection_have_their_own_pages_and_characters() -> None:
    joined = join_documents([LEASE, LEASE, Made(name="sub/制度.txt").text("First day of May.").document()], name="set")
    joined_names = [file.name for file in joined.files]
    assert joined_names == ["lease.txt", "lease.txt", "sub/制度.txt"]
    third = only(found(Evidence(quote="first day of May", file="sub/制度.txt"), document=joined))
    assert texts(third, joined) == [["First day of May."]]
    assert only(found(Evidence(quote="first day of May", file="制度.txt"), document=joined)).places == third.places
    assert only(found(Evidence(anchor=(0, 5), file="制度.txt"), document=joined)).places == third.places  # type: ignore[arg-type]
    first = only(found(Evidence(quote="first day of May", file="lease.txt", page=2), document=joined))
    assert [joined.block(place[0]).page for place in first.places] == [2]
    assert len(only(found("first day of May", document=joined)).places) == 5
    assert reason(found(Evidence(quote="五月", file="sub/制度.txt"), document=joined)).startswith(
        "'五月' stands on lease.txt, page 2"
    )
    assert reason(found(Evidence(quote="x", file="no.txt"), document=joined)) == (
        "set has no file 'no.txt', or several of that name."
    )
    assert reason(found(Evidence(quote="x", file="制度.txt", page=2), document=joined)) == (
        "sub/制度.txt has no page 2; it has 1 page."
    )


def test_an_artifact_without_blocks_has_no_places() -> None:
    for document in (join_documents([], name="empty"), Made(name="empty").document()):
        gold = found("due in May", Evidence(page=1), Evidence(quote="x | y"), document=document)
        assert (len(gold.pieces), len(gold.unresolved)) == (0, 3)
        assert math.isnan(gold.recall(np.zeros(len(document), np.bool_)))


# Recall


def gold_of(tokens: list[int], *pieces: list[list[int]]) -> Gold:
    """A gold of pieces, each with its places."""
    made = [GoldPiece(Evidence(quote="x"), Way.EXACT, tuple(map(tuple, places))) for places in pieces]
    return Gold("q", tuple(made), (), np.array(tokens, np.int32))


def test_a_piece_is_recalled_by_half_the_tokens_of_one_of_its_places() -> None:
    gold = gold_of([10, 9, 1, 4], [[0, 1, 2]], [[3], [2]], [[1, 2]])
    assert gold.recalled(np.array([1, 0, 0, 0], bool)).tolist() == [True, False, False]
    assert gold.recalled(np.array([0, 1, 0, 0], bool)).tolist() == [False, False, True]
    assert gold.recalled(np.array([0, 0, 1, 0], bool)).tolist() == [False, True, False]
    assert gold.recall(np.array([0, 1, 1, 0], bool)) == 1.0
    assert gold.recall(np.array([1, 0, 0, 1], bool), np.array([1, 9, 1, 4])) == pytest.approx(1 / 3)
    assert gold.blocks == (0, 1, 2, 3)


def test_needed_is_the_highest_threshold_that_recalls() -> None:
    gold = gold_of([10, 9, 1, 4], [[0, 1, 2]], [[3], [2]], [[1, 2]])
    assert gold.needed(np.array([0.2, 0.9, 0.8, 0.1])).tolist() == [0.8, 0.8, 0.9]
    assert gold.needed(np.array([0.2, np.inf, -np.inf, np.nan])).tolist() == [0.2, -np.inf, np.inf]
    assert gold_of([0, 5], [[0]]).needed(np.array([0.3, 0.4])).tolist() == [np.inf]


def test_without_pieces_there_is_no_recall_and_nothing_needed() -> None:
    gold = gold_of([1, 2])
    assert math.isnan(gold.recall(np.array([True, True])))
    assert gold.needed(np.array([0.1, 0.2])).shape == (0,)
    assert gold_of([]).needed(np.zeros(0)).shape == (0,)


def test_arrays_of_another_document_are_refused() -> None:
    gold = gold_of([1, 2], [[0]])
    told = r"^kept has the shape \(3,\), but the document of request 'q' has 2 blocks; give one entry for each\.$"
    with pytest.raises(InvalidOption, match=told):
        gold.recall(np.ones(3, bool))
    with pytest.raises(InvalidOption, match=r"^scores has the shape \(1,\)"):
        gold.needed(np.ones(1))
    with pytest.raises(InvalidOption, match=r"^tokens has the shape"):
        gold.recall(np.ones(2, bool), np.ones(5))


SCORES = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, np.inf, -np.inf, np.nan])


@given(st.data())
def test_recall_at_a_threshold_is_the_share_of_pieces_that_need_no_less(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 7))
    tokens = data.draw(st.lists(st.integers(0, 9), min_size=count, max_size=count))
    place = st.lists(st.integers(0, count - 1), min_size=1, max_size=4, unique=True)
    pieces = data.draw(st.lists(st.lists(place, min_size=1, max_size=3), max_size=4))
    scores = np.array(data.draw(st.lists(SCORES, min_size=count, max_size=count)))
    threshold = data.draw(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.3, 0.75, 1.0, 2.0]))
    assume(pieces)
    gold = gold_of(tokens, *pieces)
    assert gold.recall(scores >= threshold) == np.mean(gold.needed(scores) >= threshold)
    order = np.random.default_rng(count).permutation(len(pieces))
    assert gold_of(tokens, *[pieces[at] for at in order]).needed(scores).tolist() == gold.needed(scores)[order].tolist()


# Showing


def test_the_table_lists_what_has_a_place_and_what_has_none() -> None:
    gold = found("three months of rent", Evidence(quote="six months of rent and more", page=1))
    frame = gold.to_frame()
    assert frame["way"].tolist() == ["exact", ""]
    assert frame["blocks"].tolist() == [[ROWS["The deposit equals three months of rent."]], []]
    assert frame["reason"].tolist()[1].endswith("that can hold evidence.")
    assert repr(gold) == "Gold('q', 1 piece, 1 unresolved)"


def test_a_workload_is_resolved_with_each_document_opened_once() -> None:
    requests = [
        Request(id=str(rank), artifact=artifact, question="?", evidence=[Evidence(quote="first day of May")])
        for rank, artifact in enumerate(["b", "a", "b"])
    ]
    golds = resolve_all(Workload.of(requests, documents={"a": LEASE, "b": LEASE}), progress=False)
    assert list(golds) == ["0", "1", "2"]
    assert [len(gold.pieces) for gold in golds.values()] == [1, 1, 1]


@pytest.mark.data
def test_quotes_of_a_filing_are_found_on_their_page(data_dir: Path) -> None:
    import json

    lines = (data_dir / "financebench" / "questions.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["doc_name"] == "BESTBUY_2019_10K"]
    document = open_document(data_dir / "financebench" / "pdfs" / "BESTBUY_2019_10K.pdf", progress=False)
    evidence = [
        Evidence(quote=item["evidence_text"], page=item["evidence_page_num"] + 1)
        for row in rows
        for item in row["evidence"]
    ]
    gold = found(*evidence, document=document)
    assert evidence and not gold.unresolved
    pages = [{document.block(block).page for block in piece.places[0]} for piece in gold.pieces]
    assert [piece.evidence.page for piece in gold.pieces] == [min(found_on) for found_on in pages]
