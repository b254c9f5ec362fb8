"""What is the same for every format once its blocks are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents import open_document
from workbench.errors import LimitExceeded


@pytest.fixture
def one_paragraph(tmp_path: Path) -> Path:
    path = tmp_path / "one.txt"
    path.write_text("This is a sentence about blocks. " * 300, encoding="utf-8")
    return path


def test_a_long_paragraph_counts_as_the_blocks_that_it_is_cut_into(one_paragraph: Path) -> None:
    with pytest.raises(LimitExceeded) as caught:
        open_document(one_paragraph, max_blocks=10, isolate=False, cache=False)
    assert (
        str(caught.value)
        == "one.txt has more than 10 blocks; raise max_blocks, or set partial=True to keep the first ones."
    )
    assert (caught.value.setting, caught.value.limit) == ("max_blocks", 10)


def test_a_partial_document_has_no_more_blocks_than_asked_for_and_loses_no_text(one_paragraph: Path) -> None:
    document = open_document(one_paragraph, max_blocks=10, partial=True, isolate=False, cache=False)
    assert len(document) == 10
    assert [str(warning) for warning in document.warnings] == ["Only the first 10 blocks were kept (max_blocks)."]
    left_out = document.excluded("beyond max_blocks")
    assert "".join([*document.texts, left_out]).replace(" ", "").replace("\n", "") == (
        document.text_layer.replace(" ", "")
    )
