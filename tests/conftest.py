"""Fixtures that every test may use."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# A suite that a shell starts in the background is deaf to Ctrl-C, and so would be the programs that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says something of the machine, not of the code.
settings.register_profile("workbench", deadline=None)
settings.load_profile("workbench")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The shared evaluation data: SPARSEREAD_DATA, else ../shared/data beside the project."""
    folder = Path(os.environ.get("SPARSEREAD_DATA") or ROOT.parent / "shared" / "data")
    if not (folder / "README.md").is_file():
        reason = f"evaluation data not found at {folder}; set SPARSEREAD_DATA to its folder"
        if os.environ.get("SPARSEREAD_REQUIRE_DATA") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


@pytest.fixture(scope="session")
def project_dir() -> Path:
    """The top folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def sample_dir() -> Path:
    """The documents that the project ships."""
    return ROOT / "datasets" / "dev" / "documents"


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the tests out of the user's cache, in this process and in those that it starts."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARSEREAD_CACHE", str(folder))
        yield folder
