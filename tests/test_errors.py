"""The family of errors."""

from __future__ import annotations

import inspect
import pickle

import pytest

from workbench import errors
from workbench.errors import LimitExceeded, WorkbenchError

FAMILY = [
    value
    for _, value in inspect.getmembers(errors, inspect.isclass)
    if value.__module__ == errors.__name__ and value is not WorkbenchError
]


@pytest.mark.parametrize("error", FAMILY, ids=lambda error: error.__name__)
def test_every_error_is_of_the_family_and_says_when_it_is_raised(error: type[Exception]) -> None:
    assert issubclass(error, WorkbenchError)
    assert error.__doc__


def test_there_is_an_error_for_each_mistake_that_a_person_can_mend() -> None:
    assert len(FAMILY) >= 11


def test_a_limit_survives_the_way_out_of_a_worker() -> None:
    error = LimitExceeded("too long; raise max_pages.", setting="max_pages", limit=10, value=12)
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, LimitExceeded)
    assert (str(again), again.setting, again.limit, again.value) == ("too long; raise max_pages.", "max_pages", 10, 12)
