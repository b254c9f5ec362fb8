"""Other documents give negatives only where the very same question is known to have no answer in them."""

from __future__ import annotations

from typing import Any

from tests.training.made_questions import HandScores, asked, pages
from workbench.training.mining import Mined, MiningOptions, mine_hard_negatives
from workbench.training.question import Question
from workbench.training.questions import Questions

LAW = "Governing law: which law governs the contract?"
HOME = pages(
    "This contract is governed by the laws of the state of Ohio.", "Fees.", name="home.txt", document_type="legal"
)
AWAY = pages("Fees are due.", "Taxes follow the law.", "Records are kept.", name="away.txt", document_type="legal")
THIRD = pages("Nothing on courts.", "Notices go by post.", name="third.txt", document_type="legal")
SCORES = {
    "home": [3.0, 0.0],
    "away": [1.0, 5.0, 2.0],
    "third": [2.0, 1.0],
    "paper": [2.0, 1.0],
    "twin": [1.0, 9.0, 3.0],
}


def mine(questions: list[Question], hopeless: list[Question], **options: Any) -> Mined:
    everything = Questions(tuple(questions), tuple(hopeless))
    return mine_hard_negatives(everything, scorer=HandScores(**SCORES), options=MiningOptions(**options))


QUESTION = asked(HOME, LAW, 0, name="law")


def found(mined: Mined, name: str = "law") -> list[tuple[str, int]]:
    return [(one.document_key, one.block) for one in mined.unanswered[name]]


def test_the_highest_blocks_of_documents_without_an_answer_are_negatives() -> None:
    mined = mine([QUESTION], [asked(AWAY, LAW.upper(), name="away"), asked(THIRD, LAW, name="third")])
    assert found(mined) == [("away.txt", 1), ("away.txt", 2), ("third.txt", 0), ("third.txt", 1)]
    assert mined.unanswered["law"][0].request == "away"
    assert str(mined.report).endswith("From documents that do not answer: 4 blocks; unanswered moves that.")
    assert found(mine([QUESTION], [asked(AWAY, LAW, name="away")], unanswered=1)) == [("away.txt", 1)]
    assert found(mine([QUESTION], [asked(AWAY, LAW, name="away")], unanswered=0)) == []


def test_a_document_that_answers_the_question_or_of_which_nobody_knows_gives_none() -> None:
    assert found(mine([QUESTION, asked(AWAY, LAW, 0, name="other")], [])) == []
    assert found(mine([QUESTION], [asked(AWAY, "What are the fees?", name="fees")])) == []


def test_another_type_or_set_gives_none() -> None:
    paper = pages("On courts.", "On posts.", name="paper.txt", document_type="medical")
    hopeless = [asked(paper, LAW, name="paper"), asked(AWAY, LAW, name="set", set_name="another")]
    assert found(mine([QUESTION], hopeless)) == []


def test_a_block_that_says_what_the_evidence_says_is_none_even_there() -> None:
    twin = pages("Fees.", HOME.texts[0].upper(), "Law and order.", name="twin.txt", document_type="legal")
    assert found(mine([QUESTION], [asked(twin, LAW, name="twin")])) == [("twin.txt", 2), ("twin.txt", 0)]


def test_an_unsure_block_is_none_there() -> None:
    assert ("away.txt", 1) not in found(mine([QUESTION], [asked(AWAY, LAW, name="away", unsure=(1,))]))


def test_questions_of_one_kind_learn_from_different_documents() -> None:
    second = asked(pages("Ohio law governs.", "Fees.", name="home.md", document_type="legal"), LAW, 0, name="second")
    hopeless = [asked(AWAY, LAW, name="away"), asked(THIRD, LAW, name="third")]
    mined = mine([QUESTION, second], hopeless, unanswered=2)
    assert {key for key, _ in found(mined)} != {key for key, _ in found(mined, "second")}
