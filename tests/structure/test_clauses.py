"""But-clauses and action verbs: by the parse where a model is installed, by marker words where none is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.structure.drafts import document_of, has
from workbench.caching import CacheFolder
from workbench.documents import open_document
from workbench.structure import Match, Rule, RuleTable, clauses, decisions, features_of, weigh
from workbench.structure.facts import facts_of
from workbench.structure.markers import BUT_WORDS

ENGLISH = clauses.installed_model("English")
needs_model = pytest.mark.skipif(ENGLISH is None, reason="no English spaCy pipeline is installed")


@pytest.fixture
def without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(clauses.MODELS, "English", ("no-such-english-pipeline",))
    monkeypatch.setitem(clauses.MODELS, "Chinese", ("no-such-chinese-pipeline",))


TURNING = (
    "The tenant pays the rent, but the landlord pays the taxes.",
    "But the foregoing does not apply to Buyer.",
    "The Buyer may, however, reject the goods.",
    "He may terminate this Agreement; provided that he gives notice.",
    "The fee is due on signing, provided, however, that no fee is due in 2018.",
    "Notwithstanding Section 4, the Seller is not liable.",
    "Except as set forth in Annex A, no warranty is given.",
    "No person but the tenant may enter the premises.",
    "Although the price is fixed, taxes may change it.",
    "This includes fees but for the avoidance of doubt excludes taxes.",
)
STRAIGHT = (
    "The term includes, but is not limited to, software.",
    "Costs, including but not limited to travel, are borne by Buyer.",
    "It was nothing but an error.",
    "However small the amount, it is due.",
    "The services provided by the Supplier are listed below.",
    "The information that the Customer provided was wrong.",
    "Not only the seller but also the buyer signs.",
    "Save your work before you leave.",
)
ACTING = (
    "The system automatically triggers a retry.",
    "Press the red button.",
    "When the disk is full, the agent stops and notifies the operator.",
    "The Buyer shall pay the invoice.",
    "The contract is terminated by notice.",
    "If the pump fails, close the valve.",
)
RESTING = (
    "The stop of the pump was sudden.",
    "The report of the auditor is on page 5.",
    "The company sold its business in 2018.",
    "The colour of the button is red.",
    "It is a secure and open market.",
)


@needs_model
@pytest.mark.parametrize(
    ("feature", "sentences", "expected"),
    [
        ("but_clause", TURNING, True),
        ("but_clause", STRAIGHT, False),
        ("action_verb", ACTING, True),
        ("action_verb", RESTING, False),
    ],
)
def test_the_parse_decides_where_a_word_alone_would_not(
    feature: str, sentences: tuple[str, ...], expected: bool
) -> None:
    found = has(document_of(*sentences), feature)
    assert [sentence for sentence, holds in zip(sentences, found, strict=True) if holds is not expected] == []


@needs_model
def test_one_sentence_makes_its_block_count_and_furniture_never_does() -> None:
    document = document_of(
        "The fee is 5. It is due at once. But no fee is due in May.",
        ("footer", "But not here"),
        ("code", "x = 1  # but not here"),
        "Nothing.",
    )
    assert has(document, "but_clause") == [True, False, False, False]


@needs_model
def test_what_parsed_the_sentences_stands_in_the_notes() -> None:
    document = document_of("However, it works.", "但上述义务不适用。", "The cat sat.")
    features = features_of(document, ["but_clause"])
    assert features["but_clause"].tolist() == [True, True, False]
    model = f"spaCy {ENGLISH.package} {ENGLISH.version}" if ENGLISH else ""
    if clauses.installed_model("Chinese") is None:
        expected = f"English by {model}; Chinese by marker words, for zh_core_web_sm is not installed"
        assert features.parsers == {"but_clause": expected}
        table = RuleTable("mine", (Rule("but", Match(features=("but_clause",)), 2.0),))
        assert weigh(document, table).notes == (f"but_clause was decided for {expected}.",)


@needs_model
def test_a_text_without_the_words_is_not_parsed() -> None:
    document = document_of("The cat sat.", "猫坐着。")
    features = features_of(document, ["but_clause", "action_verb"])
    assert features.parsers == {}
    assert not features["but_clause"].any()


@needs_model
def test_verdicts_are_kept_on_disk_and_a_damaged_file_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path))
    sentences = (*TURNING, *STRAIGHT)
    first = has(document_of(*sentences), "but_clause")
    (entry,) = tmp_path.glob(f"*{clauses.SUFFIX}")
    monkeypatch.setattr(clauses, "_loaded", None)  # a second look needs no model
    assert has(document_of(*sentences), "but_clause") == first
    monkeypatch.undo()
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path))
    entry.write_bytes(entry.read_bytes()[:-9] + b"damaged!!")
    assert has(document_of(*sentences), "but_clause") == first
    assert CacheFolder(clauses.SUFFIX).info().entries == 1


@needs_model
def test_another_text_or_kind_has_verdicts_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path))
    for made in ("But it fails.", "But it works.", ("list_item", "But it works.")):
        has(document_of(made), "but_clause")
    assert CacheFolder(clauses.SUFFIX).info().entries == 3


@needs_model
def test_a_block_of_many_sentences_is_read_to_the_one_that_decides() -> None:
    text = "The costs include but are not limited to travel. " * 30 + "But nothing is owed in May."
    assert has(document_of(text, text.replace("But nothing", "Nothing")), "but_clause") == [True, False]


@needs_model
def test_beyond_the_limit_words_decide_and_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path))
    monkeypatch.setattr(clauses, "MAX_SENTENCES", 2)
    document = document_of("But one.", "But two.", "But three.", "nothing but four")
    features = features_of(document, ["but_clause"])
    assert features["but_clause"].tolist() == [True, True, True, False]
    assert features.parsers["but_clause"].endswith(", after the first 2 of 4 sentences by marker words")


@needs_model
@pytest.mark.parametrize("text", ["but " * 3_000, "but\udce9 it fails", "x" * 5_000 + " but y", "But" + "但" * 5_000])
def test_odd_text_is_parsed_without_harm(text: str) -> None:
    assert len(has(document_of(text), "but_clause")) == 1


@pytest.mark.usefixtures("without_models")
def test_without_a_model_words_decide_and_it_is_said() -> None:
    document = document_of(*TURNING, *STRAIGHT, "但上述义务不适用。", "不但快，而且好。")
    features = features_of(document, ["but_clause"])
    assert features["but_clause"].tolist() == features["but_marker"].tolist()
    assert features["but_clause"].tolist()[:10] == [True] * 9 + [True]
    assert features["but_clause"].tolist()[-2:] == [True, False]
    assert features.parsers["but_clause"] == (
        "English by marker words, for no-such-english-pipeline is not installed; "
        "Chinese by marker words, for no-such-chinese-pipeline is not installed"
    )


def test_a_package_that_holds_no_pipeline_is_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy")
    monkeypatch.setitem(clauses.MODELS, "Chinese", ("numpy",))
    features = features_of(document_of("但上述义务不适用。", "不但快。"), ["but_clause"])
    assert features["but_clause"].tolist() == [True, False]
    assert features.parsers == {"but_clause": "Chinese by marker words, for numpy cannot be loaded"}


def parsed(words: list[str], tags: list[str], deps: list[str], heads: list[int]) -> Any:
    """A sentence with a parse set by hand, as the Chinese pipeline gives one."""
    spacy = pytest.importorskip("spacy")
    return spacy.tokens.Doc(spacy.blank("zh").vocab, words=words, tags=tags, deps=deps, heads=heads)


def test_a_chinese_turning_word_counts_where_it_joins_clauses() -> None:
    turning = parsed(
        ["但", "上述", "义务", "不", "适用"],
        ["AD", "DT", "NN", "AD", "VV"],
        ["advmod", "det", "nsubj", "neg", "ROOT"],
        [4, 2, 4, 4, 4],
    )
    name = parsed(["但", "先生", "签字"], ["NR", "NN", "VV"], ["compound:nn", "nsubj", "ROOT"], [1, 2, 2])
    both = parsed(
        ["不但", "快", "而且", "好"], ["CC", "VA", "AD", "VA"], ["cc", "ROOT", "advmod", "conj"], [1, 1, 3, 1]
    )
    assert decisions.has_but_clause_zh(turning)
    assert not decisions.has_but_clause_zh(name)
    assert not decisions.has_but_clause_zh(both)


def test_a_chinese_action_verb_counts_where_it_carries_a_clause() -> None:
    acting = parsed(
        ["系统", "将", "自动", "触发", "重试"],
        ["NN", "AD", "AD", "VV", "NN"],
        ["nsubj", "advmod", "advmod", "ROOT", "dobj"],
        [3, 3, 3, 3, 3],
    )
    noun = parsed(
        ["备份", "周期", "很", "长"], ["NN", "NN", "AD", "VA"], ["compound:nn", "nsubj", "advmod", "ROOT"], [1, 3, 3, 3]
    )
    assert decisions.has_action_zh(acting)
    assert not decisions.has_action_zh(noun)


@pytest.mark.data
@needs_model
def test_words_and_parse_agree_on_the_but_clauses_of_a_real_contract(data_dir: Path) -> None:
    (path,) = (data_dir / "cuad" / "full_contract_txt").glob("RemarkHoldings*.txt")
    document = open_document(path)
    features = features_of(document, ["but_clause", "but_marker"])
    candidates = facts_of(document).texts.holding(BUT_WORDS)
    assert candidates.sum() > 30
    agreed = features["but_clause"][candidates] == features["but_marker"][candidates]
    assert np.mean(agreed) > 0.95
