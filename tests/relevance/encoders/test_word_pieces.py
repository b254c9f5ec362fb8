"""Word pieces are those of transformers, and windows leave nothing out."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import DamagedModel, InvalidOption, MissingModel
from workbench.relevance.encoders.model_files import ModelFiles
from workbench.relevance.encoders.word_pieces import MAX_WINDOWS, OVERLAP, WordPieces, window_starts

TEXTS = [
    "What triggers a backup?",
    "Net sales fell by 4.7 % to $30.1 billion; §4.2(a) of Form 10-K",
    "什么会触发备份?当可用空间低于15%时开始备份。",
    "naïve Ångström “quotes” — 😀\tand\ntabs",
    "",
    "x" * 300,
]


@pytest.fixture(scope="module")
def words(minilm_dir: Path) -> WordPieces:
    return WordPieces.of(ModelFiles.of(minilm_dir), max_tokens=256)


def test_pieces_are_those_of_transformers(words: WordPieces, minilm_dir: Path) -> None:
    from transformers import AutoTokenizer

    theirs = AutoTokenizer.from_pretrained(minilm_dir)(TEXTS)["input_ids"]
    assert [window.tolist() for window in words.windows(TEXTS).pieces] == theirs


def test_settings_beside_the_tokenizer_go_before_it(
    tiny_bert: Path, copy_of: Callable[[Path], Path], words: WordPieces
) -> None:
    from transformers import AutoTokenizer

    folder = copy_of(tiny_bert)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | {"do_lower_case": False}))
    cased = WordPieces.of(ModelFiles.of(folder), max_tokens=64).windows(["A Backup"]).pieces[0].tolist()
    assert cased == AutoTokenizer.from_pretrained(folder)(["A Backup"])["input_ids"][0]
    assert cased != words.windows(["A Backup"]).pieces[0].tolist()


def test_a_tokenizer_is_made_from_older_files(tiny_bert: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(tiny_bert)
    (folder / "tokenizer.json").unlink()
    made = WordPieces.of(ModelFiles.of(folder), max_tokens=64).windows(["A backup, 备份"])
    assert made.pieces[0].tolist() == [101, 1037, 10200, 1010, 100, 100, 102]


def test_a_model_without_any_tokenizer_is_named(tiny_bert: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(tiny_bert)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        (folder / name).unlink()
    with pytest.raises(MissingModel, match=r"The model in .*copy has no tokenizer; fetch it again, with its tokenizer"):
        WordPieces.of(ModelFiles.of(folder), max_tokens=64)


def test_a_tokenizer_of_another_model_is_named(tiny_bert: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(tiny_bert)
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nbackup\n")
    with pytest.raises(DamagedModel, match=r"knows 6 word pieces and the model 30,522: they do not belong together;"):
        WordPieces.of(ModelFiles.of(folder), max_tokens=64)


def test_a_tokenizer_that_cannot_be_made_is_named(tiny_bert: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(tiny_bert)
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").write_text("{")
    with pytest.raises(MissingModel, match=r"has no tokenizer that can be used \(.*\); save it with a tokenizer.json"):
        WordPieces.of(ModelFiles.of(folder), max_tokens=64)


def test_a_damaged_tokenizer_is_named(tiny_bert: Path, copy_of: Callable[[Path], Path]) -> None:
    folder = copy_of(tiny_bert)
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(DamagedModel, match=r"tokenizer.json is no tokenizer \(.*\); fetch the model again"):
        WordPieces.of(ModelFiles.of(folder), max_tokens=64)


def test_a_lone_surrogate_is_a_character_like_any_other(words: WordPieces) -> None:
    assert len(words.windows(["Caf\udce9 au lait"]).pieces[0]) > 2


@given(st.integers(0, 30_000), st.integers(1, 600))
def test_windows_cover_a_text_up_to_the_last_one_allowed(length: int, room: int) -> None:
    starts = window_starts(length, room)
    assert starts[0] == 0
    assert len(starts) <= MAX_WINDOWS
    assert sorted(set(starts)) == starts
    for before, after in pairwise(starts):
        assert before + room >= after + min(OVERLAP, room // 4)
    assert starts[-1] + room >= length or len(starts) == MAX_WINDOWS


def test_a_long_text_is_read_in_windows_that_overlap(words: WordPieces) -> None:
    text = " ".join(f"word{number}" for number in range(400))
    whole = WordPieces(words._tokenizer, max_tokens=10**6).windows([text]).pieces[0]
    windows = words.windows([text, "short"])
    assert windows.first.tolist() == [0, len(windows.pieces) - 1, len(windows.pieces)]
    assert windows.share_read.tolist() == [1.0, 1.0]
    assert all(len(window) == 256 and window[0] == 101 and window[-1] == 102 for window in windows.pieces[:-1])
    joined = windows.pieces[0][:-1].tolist()
    for window in windows.pieces[1:-2]:
        joined += window[1 + OVERLAP : -1].tolist()
    rest = len(whole) - 1 - len(joined)
    joined += windows.pieces[-2][-1 - rest :].tolist()
    assert joined == whole.tolist()


def test_what_is_beyond_the_last_window_shows_in_the_share_read(words: WordPieces) -> None:
    windows = words.windows(["pump " * 30_000, "pump"])
    assert len(windows.pieces) == MAX_WINDOWS + 1
    read = (MAX_WINDOWS - 1) * (254 - OVERLAP) + 254
    assert windows.share_read.tolist() == pytest.approx([read / 30_000, 1.0])


def test_every_window_begins_with_the_prefix(words: WordPieces) -> None:
    lead = words.windows(["passage:"]).pieces[0][1:-1].tolist()
    windows = words.windows(["pump " * 600], "passage: ").pieces
    assert len(windows) == 3
    assert all(window[1 : 1 + len(lead)].tolist() == lead for window in windows)
    assert np.array_equal(
        words.windows(["a pump"], "passage: ").pieces[0], words.windows(["passage: a pump"]).pieces[0]
    )


def test_a_prefix_longer_than_a_window_is_refused(words: WordPieces) -> None:
    with pytest.raises(InvalidOption, match=r"The prefix 'very .*' has 300 word pieces, a window only 256; shorten it"):
        words.windows(["text"], "very " * 300)


def test_no_text_has_no_window(words: WordPieces) -> None:
    nothing = words.windows([])
    assert (nothing.pieces, nothing.first.tolist(), nothing.share_read.tolist()) == ([], [0], [])
