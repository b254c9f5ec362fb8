"""Options of mining are checked before any work, and what is wrong is said in one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.errors import InvalidOption
from workbench.training.mining import MiningOptions


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ways": ("tfidf",)}, "There is no way 'tfidf' to mine; choose from tf-idf, encoder, classifier"),
        ({"ways": ()}, r"ways is \(\); name one or more of tf-idf, encoder, classifier, each once"),
        ({"ways": ("encoder", "encoder")}, "each once"),
        ({"share": 0}, "share is 0; give a share of the blocks above 0 and up to 1"),
        ({"share": 20}, "share is 20"),
        ({"share": float("nan")}, "share is nan"),
        ({"margin": 2}, "margin is 2; give a share of the range of scores from -1 to 1"),
        ({"per_positive": 0}, "per_positive is 0; give a whole number of blocks from 1 on"),
        ({"per_positive": 2.5}, "per_positive is 2.5"),
        ({"borderline": -1}, "borderline is -1; give a whole number of blocks from 0 on"),
        ({"unanswered": True}, "unanswered is True"),
        ({"answers": 1}, "answers is 1; give True or False"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        MiningOptions(**given)


def test_one_way_may_be_given_as_a_text() -> None:
    assert MiningOptions(ways="encoder").ways == ("encoder",)  # type: ignore[arg-type]
