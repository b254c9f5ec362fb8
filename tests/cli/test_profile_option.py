"""``workbench read --profile``: the cut, the maps and the rules of a calibration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.gate.made_profiles import profile
from workbench.cli import cli
from workbench.relevance.hybrid import HybridScorer

QUESTION = "What happens to a volume that is nearly full?"


@pytest.fixture
def words(tmp_path: Path) -> str:
    """A profile for words alone, which keeps little."""
    made = profile(
        models__scorer=HybridScorer(encoder=None).fingerprint,
        block={"cut": {"kind": "token share", "share": 0.05, "min_tokens": 100}},
    )
    return str(made.save(tmp_path / "gate.json"))


def test_a_profile_reads_as_its_options_would(words: str, sample_dir: Path) -> None:
    manual = str(sample_dir / "harbor-manual.md")
    by_profile = CliRunner().invoke(cli, ["read", manual, QUESTION, "--profile", words, "--json"])
    by_hand = CliRunner().invoke(
        cli, ["read", manual, QUESTION, "--no-model", "--token-share", "0.05", "--min-tokens", "100", "--json"]
    )
    assert by_profile.exit_code == 0, by_profile.output
    one, two = (json.loads(result.output) for result in (by_profile, by_hand))
    assert one["kept_text"] == two["kept_text"]


def test_what_the_profile_decides_cannot_be_given_beside_it(words: str, sample_dir: Path) -> None:
    manual = str(sample_dir / "harbor-manual.md")
    result = CliRunner().invoke(cli, ["read", manual, QUESTION, "--profile", words, "--token-share", "0.3"])
    assert result.exit_code == 2
    assert "--profile decides how blocks are cut; leave --token-share out." in result.output


def test_other_rules_are_refused_with_their_difference(words: str, sample_dir: Path) -> None:
    manual = str(sample_dir / "harbor-manual.md")
    result = CliRunner().invoke(cli, ["read", manual, QUESTION, "--profile", words, "--rules", "seed"])
    assert result.exit_code == 1
    assert result.output.startswith("error: The profile 'made' does not fit this reader: ")
    assert "table for" in result.output
