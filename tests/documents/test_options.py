"""Options are checked when they are made, and a message names the option, what was given and what is allowed."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from workbench.documents.options import ReadOptions
from workbench.errors import InvalidOption


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("password", b"secret", "password is of type bytes; give a string, or None."),
        ("password", 1234, "password is of type int; give a string, or None."),
        ("max_block_chars", 10, "max_block_chars is 10; give a whole number of at least 64."),
        ("max_block_chars", 512.5, "max_block_chars is 512.5; give a whole number of at least 64."),
        ("max_pages", "5", "max_pages is '5'; give a whole number of at least 1."),
        ("max_pages", True, "max_pages is True; give a whole number of at least 1."),
        ("max_pages", None, "max_pages is None; give a whole number of at least 1."),
        ("max_pages", 0, "max_pages is 0; give a whole number of at least 1."),
        ("max_blocks", 2.0, "max_blocks is 2.0; give a whole number of at least 1."),
        ("max_file_mb", "50", "max_file_mb is '50'; give a number above 0."),
        ("max_file_mb", math.inf, "max_file_mb is inf; give a number above 0."),
        ("max_seconds", False, "max_seconds is False; give a number above 0."),
        ("max_seconds", math.nan, "max_seconds is nan; give a number above 0."),
        ("max_seconds", 1 + 2j, "max_seconds is (1+2j); give a number above 0."),
        ("max_seconds", 10**400, f"max_seconds is 1{'0' * 59}; give a number above 0."),
        ("max_memory_mb", -1, "max_memory_mb is -1; give a number above 0."),
        ("partial", "yes", "partial is 'yes'; give True or False."),
        ("partial", 1, "partial is 1; give True or False."),
        ("isolate", None, "isolate is None; give True or False."),
        ("cache", 0, "cache is 0; give True or False."),
        ("workers", 65, "workers is 65; give a whole number from 0 (automatic) to 64."),
        ("workers", True, "workers is True; give a whole number from 0 (automatic) to 64."),
        ("workers", "4", "workers is '4'; give a whole number from 0 (automatic) to 64."),
    ],
)
def test_a_wrong_type_or_value_is_refused_with_what_is_allowed(name: str, value: Any, message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        ReadOptions.from_mapping({name: value})
    assert str(caught.value) == message


def test_a_long_value_does_not_flood_the_message() -> None:
    with pytest.raises(InvalidOption) as caught:
        ReadOptions.from_mapping({"max_pages": "x" * 10_000})
    assert len(str(caught.value)) < 150


def test_numbers_of_other_libraries_become_plain_ones_that_json_holds() -> None:
    options = ReadOptions(max_pages=np.int64(7), max_seconds=np.float32(2), max_file_mb=20)  # type: ignore[arg-type]
    assert options == ReadOptions(max_pages=7, max_seconds=2.0, max_file_mb=20.0)
    assert json.loads(json.dumps(asdict(options)))["max_pages"] == 7
    assert type(options.max_file_mb) is float


def test_an_unknown_name_is_refused_with_those_that_exist() -> None:
    with pytest.raises(InvalidOption, match=r"^max_page is no option of reading; choose from password, .*max_pages"):
        ReadOptions.from_mapping({"max_page": 3})
