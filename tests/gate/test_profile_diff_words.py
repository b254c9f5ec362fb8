"""Every field of a gate profile has words, so that a comparison names none as the file does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from tests.gate.made_profiles import profile
from workbench.gate.profile import GateProfile
from workbench.gate.profile.diff import _is_quiet
from workbench.gate.profile.diff_words import words_of
from workbench.gate.signal_options import SignalOptions

INSIDE = {
    "gate.options": SignalOptions().to_dict(),
    "block.offsets": {"legal": 0.01, "财务": 0.02},
    "workload.splits": {"dev": {"requests": 1, "documents": 1}},
}
"""What mappings hold whose keys no model names."""


def models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in models_in(part)]


def fields_of(model: type[BaseModel], above: str = "") -> Iterator[str]:
    for name, info in model.model_fields.items():
        path = f"{above}.{name}" if above else name
        if _is_quiet(path):
            continue
        if path in INSIDE:
            yield from leaves_of(INSIDE[path], path)
            continue
        inside = models_in(info.annotation)
        for part in inside:
            yield from fields_of(part, path)
        if not inside:
            yield path


def leaves_of(values: dict[str, Any], above: str) -> Iterator[str]:
    for name, value in values.items():
        path = f"{above}.{name}"
        if isinstance(value, dict):
            yield from leaves_of(value, path)
        else:
            yield path


FIELDS = sorted(set(fields_of(GateProfile)))


def test_all_fields_are_looked_at() -> None:
    assert {"block.cut.share", "block.cut.value", "models.classifier.name", "gate.options.missed.whole"} < set(FIELDS)


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_has_words_of_its_own(field: str) -> None:
    assert words_of(field) != field
    assert "the constant " not in words_of(field)


def test_no_two_fields_have_the_same_words_but_a_model_and_its_name() -> None:
    words = [words_of(field) for field in FIELDS]
    assert sorted(words) == sorted(set(words))


def test_a_constant_of_another_version_is_named_as_the_file_does() -> None:
    assert words_of("gate.options.patience") == "the constant patience of the signals"


def test_a_mapping_is_told_by_its_keys() -> None:
    diff = profile(block__offsets={"legal": 0.01}).diff(profile(block__cut__share=0.1, block__offsets={"legal": 0.02}))
    assert diff.sentences == (
        "the share of the tokens that is kept: 0.2 -> 0.1",
        "the offset of legal documents: 0.01 -> 0.02",
    )


def test_another_tolerance_decides_nothing() -> None:
    before, after = profile(), profile(gate__quality_tolerance=0.02)
    diff = before.diff(after)
    assert diff.sentences == ("the mean quality loss that was accepted: none -> 0.02",)
    assert diff.decides_alike
    assert before.fingerprint == after.fingerprint
