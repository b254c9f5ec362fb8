"""The fastest backend that ranks alike is chosen, once for a machine and a model."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from workbench.caching import CacheFolder
from workbench.errors import InvalidOption, MissingDependency
from workbench.relevance.encoders import Trial, backends, choose_backend
from workbench.relevance.encoders.backends import backend_for, check_backend, self_test, spearman
from workbench.relevance.encoders.batches import Forward, torch_pool

Ints = npt.NDArray[np.int64]
REFERENCE = Trial("torch-fp32", 1.0, 1.0)


class Fake:
    """A backend whose vectors are the angles of the lengths of the texts, a little off and a little late."""

    budget = 1_000

    def __init__(self, off: float = 0.0, work: int = 0, drift: float = 0.0) -> None:
        self.off, self.work, self.drift = off, work, drift
        self.calls = 0

    def pool(self) -> AbstractContextManager[Executor]:
        return torch_pool(1)

    def __call__(self, pieces: Ints, lengths: Ints) -> npt.NDArray[np.float32]:
        assert pieces.shape[1] == lengths.max()
        self.calls += 1
        started = time.process_time()
        while time.process_time() - started < self.work / 1000:
            pass
        angles = lengths / 40.0 + self.off * np.sin(997.0 * lengths) + self.drift * self.calls
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def cut(texts: Sequence[str]) -> list[Ints]:
    return [np.arange(len(text.split())) for text in texts]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path))
    monkeypatch.setattr(backends, "candidates", lambda: ("torch-fp32", "torch-bf16"))
    return tmp_path


@pytest.mark.parametrize(
    ("trials", "chosen"),
    [
        ([], "torch-fp32"),
        ([Trial("torch-bf16", 0.4, 0.9998)], "torch-bf16"),
        ([Trial("torch-bf16", 0.4, 0.9989)], "torch-fp32"),
        ([Trial("torch-bf16", 2.5, 0.9999)], "torch-fp32"),
        ([Trial("torch-bf16", 0.9, 0.9999)], "torch-fp32"),
        ([Trial("torch-bf16", 0.4, 0.9998), Trial("openvino", 0.3, 0.9999)], "openvino"),
        ([Trial("torch-bf16", 0.4, 0.9998), Trial("openvino", 0.35, 0.9999)], "torch-bf16"),
        ([Trial("torch-bf16", 0.4, 0.9998), Trial("cuda", 0.01, 0.9999)], "cuda"),
        ([Trial("torch-bf16", 0.4, 0.9998), Trial("cuda", 0.01, 0.2)], "torch-bf16"),
        ([Trial("torch-bf16", float("inf"), 0.0), Trial("mps", 0.2, 0.9995)], "mps"),
        ([Trial("torch-bf16", 0.4, 0.9999), Trial("openvino", 0.4, 0.9999)], "torch-bf16"),
    ],
)
def test_the_fastest_that_agrees_is_chosen(trials: list[Trial], chosen: str) -> None:
    assert choose_backend([REFERENCE, *trials]).backend == chosen


def test_an_unknown_backend_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(
        InvalidOption, match="backend is 'int8'; it is one of: auto, torch-fp32, torch-bf16, openvino, cuda, mps"
    ):
        check_backend("int8")


def test_a_device_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(InvalidOption, match="backend is 'cuda', but torch finds no such device here; 'auto' takes"):
        check_backend("cuda")


def test_a_backend_whose_package_is_missing_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingDependency, match="'openvino' needs the package openvino; install it with: pip install"):
        check_backend("openvino")


def test_devices_are_tried_where_torch_reports_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    for cuda, mps, found in ((False, False, ()), (True, False, ("cuda",)), (False, True, ("mps",))):
        monkeypatch.setattr("torch.cuda.is_available", lambda there=cuda: there)
        monkeypatch.setattr("torch.backends.mps.is_available", lambda there=mps: there)
        assert backends.candidates() == ("torch-fp32", "torch-bf16", *found)


def test_the_self_test_tells_who_agrees_and_who_does_not(caplog: pytest.LogCaptureFixture) -> None:
    def load(name: str) -> Forward:
        if name == "cuda":
            raise RuntimeError("CUDA out of memory")
        return {
            "torch-fp32": Fake(work=4),
            "torch-bf16": Fake(off=1e-4, work=1),
            "openvino": Fake(off=3.0),
            "mps": Fake(drift=1e-3),
        }[name]

    with caplog.at_level(logging.WARNING, "workbench"):
        trials = self_test(backends.BACKENDS, load, cut)
    assert [trial.backend for trial in trials] == ["torch-fp32", "torch-bf16", "openvino", "mps"]
    assert trials[0].agreement == 1.0
    assert trials[1].agreement > 0.999
    assert trials[2].agreement < 0.9
    assert trials[3].agreement == 0.0, "what differs from run to run has no place in a reading"
    assert "The backend cuda cannot be used here: CUDA out of memory" in caplog.text


def test_a_slow_candidate_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "WARM_UP", 0.0)
    slow = Fake(work=60)
    trials = self_test(("torch-fp32", "torch-bf16"), lambda name: Fake(work=1) if name == "torch-fp32" else slow, cut)
    assert trials[1] == Trial("torch-bf16", float("inf"), 0.0)
    assert slow.calls == 1


def quick_half(name: str) -> Forward:
    return Fake(work=5 if name == "torch-fp32" else 1)


@pytest.mark.usefixtures("own_cache")
def test_a_choice_is_remembered_for_a_model(caplog: pytest.LogCaptureFixture) -> None:
    loaded: list[str] = []

    def load(name: str) -> Forward:
        loaded.append(name)
        return quick_half(name)

    with caplog.at_level(logging.INFO, "workbench"):
        assert backend_for("model", load, cut) == "torch-bf16"
    assert "Passages are embedded with torch-bf16: " in caplog.text
    assert " times as fast here as torch-fp32, Spearman 1.00000." in caplog.text
    assert backend_for("model", load, cut) == "torch-bf16"
    assert loaded == ["torch-fp32", "torch-bf16"]
    backend_for("another model", load, cut)
    assert loaded == ["torch-fp32", "torch-bf16"] * 2


def test_a_remembered_backend_that_is_gone_is_not_used(
    own_cache: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend_for("model", quick_half, cut)
    (entry,) = own_cache.glob("*.backend")
    CacheFolder(".backend").store(entry.stem, b'{"backend": "cuda"}')
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with caplog.at_level(logging.INFO, "workbench"):
        assert backend_for("model", quick_half, cut) == "torch-bf16"
    assert "torch finds no such device here; 'auto' takes what there is. The self-test is made again." in caplog.text


@pytest.mark.parametrize("stored", [b"", b"[]", b'{"backend": "int8"}', b"\xff\xfe"])
def test_a_choice_that_cannot_be_read_or_used_is_made_again(own_cache: Path, stored: bytes) -> None:
    backend_for("model", quick_half, cut)
    (entry,) = own_cache.glob("*.backend")
    CacheFolder(".backend").store(entry.stem, stored)
    assert backend_for("model", quick_half, cut) == "torch-bf16"
    assert json.loads(entry.read_bytes())["backend"] == "torch-bf16"


def test_rank_correlation() -> None:
    a = np.array([0.1, 0.4, 0.2, 0.9])
    assert spearman(a, -a) == pytest.approx(-1.0)
    assert spearman(a, np.array([1.0, 2.0, 4.0, 9.0])) == pytest.approx(0.8)
    assert spearman(np.array([1.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])) == pytest.approx(0.8660254)
    assert spearman(a, np.array([1.0, np.nan, 2.0, 3.0])) == 0.0
    assert spearman(a, np.ones(4)) == 0.0
