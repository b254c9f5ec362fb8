"""A classifier from its folder: checked before it is used, and quick."""

from __future__ import annotations

import html
import importlib.util
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...errors import MissingDependency, StaleClassifier
from ..encoders.backends import AUTO, REFERENCE
from ..encoders.model_files import ModelFiles
from .backends import backend_for, check_backend, load
from .canaries import check_canaries, read_canaries
from .forwards import PairForward, best_windows, run_pairs
from .head import head_of
from .manifest import ENCODER, ONNX, Manifest, check_files, check_labels, check_unlisted
from .pair_pieces import PairPieces

if TYPE_CHECKING:
    from ..calibrated import Calibration
    from ..combination import Combination
    from ..encoders import TransformerEncoder
    from ..hybrid import HybridScorer
    from ..pair_text import PairTextOptions
    from ..recurring import RecurringQuestions

Floats = npt.NDArray[np.float32]

_NEEDED = ("torch", "tokenizers", "safetensors")


class Classifier:
    """A cross-encoder with two classes as the second stage of a scorer; ``Classifier.open`` makes one.

    Attributes
    ----------
    name : str
        What its part of a logit is called.
    fingerprint : str
        Hash of everything that decides its logits: not of the folder, nor of the backend.
    path : pathlib.Path
        Its folder.
    manifest : Manifest
    reads_context : bool
        True: a block comes with its headings and its table's header (``pair_texts``).
    pair_text : PairTextOptions
    candidates : int
        Blocks that it looks at for a question.
    languages : frozenset of str or None
        Codes of the languages that it reads; None where that is not known.
    max_tokens : int
        Most word pieces of a window; a longer block is read in several, and the best one counts.

    Examples
    --------
    >>> import workbench as wb
    >>> reader = wb.SparseReader(classifier="classifier/")  # doctest: +SKIP
    """

    reads_context = True

    def __init__(self, path: Path, manifest: Manifest, *, backend: str = AUTO) -> None:
        check_backend(backend, path)
        self.path = path
        self.manifest = manifest
        self.name = manifest.name
        self.fingerprint = manifest.fingerprint
        self.pair_text: PairTextOptions = manifest.pair_text
        self.candidates = manifest.candidates
        self.languages = None if manifest.languages is None else frozenset(manifest.languages)
        self.max_tokens = manifest.max_tokens
        self._backend = backend
        self._files = ModelFiles.of(path)
        self._lock = threading.RLock()
        self._forwards: dict[str, PairForward] = {}

    @classmethod
    def open(cls, path: str | Path, *, backend: str = AUTO, base: str | Path | None = None) -> Classifier:
        """Open the folder of a classifier, and refuse one that is not what was exported.

        Parameters
        ----------
        path : str or path
            What ``export_classifier`` wrote.
        backend : str
            "torch-fp32", "torch-bf16", "openvino", "onnx", "onnx-int8", "cuda", "mps", or "auto": the fastest here
            that ranks alike.
        base : str or path, optional
            Folder or name of the model that it was trained from: then the adapter over it is checked as well.

        Raises
        ------
        MissingModel
            If there is no classifier.
        MissingDependency, InvalidOption
            If a package is missing, or the backend is not possible here.
        StaleClassifier
            If a file, the head, the order of the labels, the base, or what it computes is not as it was exported.
        DamagedModel
            If its weights cannot be read.
        """
        if missing := [package for package in _NEEDED if importlib.util.find_spec(package) is None]:
            raise MissingDependency(
                f"A classifier needs {' and '.join(missing)}; install what is missing with: "
                "pip install 'sparseread-workbench[model]'"
            )
        folder = Path(path).expanduser()
        found = cls(folder, Manifest.load(folder), backend=backend)
        found._check()
        if base is not None:
            from .adapters import check_adapter

            check_adapter(folder, found.manifest, base)
        return found

    @cached_property
    def computation(self) -> str:
        """The backend; found by the self-test where "auto" was asked for and none is remembered."""
        if self._backend != AUTO:
            return self._backend
        with self._lock:
            chosen = backend_for(self.fingerprint, self.path, self._forward, self._pieces)
            self._forwards = {name: one for name, one in self._forwards.items() if name == chosen}
            return chosen

    @property
    def combination(self) -> Combination | None:
        """Fitted weights of the parts of a logit."""
        return self.manifest.combination

    @property
    def encoder(self) -> Path | None:
        """Folder of the encoder that was trained for the first stage, if there is one."""
        return self.path / ENCODER if self.manifest.has_encoder else None

    def opened_encoder(self) -> TransformerEncoder | None:
        """Open that encoder.

        Raises
        ------
        StaleClassifier
            If one of its files is not as it was exported.
        """
        if self.encoder is None:
            return None
        from ..encoders import TransformerEncoder

        check_files(self.path, self.manifest.files_of(ENCODER))
        said = self.manifest.encoder
        languages = said.get("languages")
        return TransformerEncoder.open(
            self.encoder,
            pooling=said.get("pooling"),
            max_tokens=said.get("max_tokens"),
            languages=None if languages is None else frozenset(languages),
        )

    @cached_property
    def recurring(self) -> RecurringQuestions | None:
        """What was learnt of recurring questions.

        Raises
        ------
        StaleClassifier
            If its file is not as it was exported.
        """
        if not self.manifest.recurring:
            return None
        from ..recurring import FILE, RecurringQuestions

        found = RecurringQuestions.load(self.path / FILE)
        if found.fingerprint != self.manifest.recurring.get("fingerprint"):
            raise StaleClassifier(
                f"{FILE} of the classifier in {self.path} is that of another classifier; copy the whole folder again."
            )
        return found

    def scorer(self) -> HybridScorer:
        """Return the scorer that it was exported for: its encoder or the packaged one, itself, and what was fitted.

        Raises
        ------
        StaleClassifier
            If recurring questions were learnt on the vectors of another encoder.
        """
        from ..encoders import default_encoder
        from ..hybrid import HybridScorer

        return HybridScorer(
            encoder=self.opened_encoder() or default_encoder(),
            second_stage=self,
            combination=self.combination,
            recurring=self.recurring,
        )

    def calibration(self) -> Calibration | None:
        """Return the maps from logits to probabilities that were exported with it.

        Raises
        ------
        StaleCalibration
            If they are none of this version.
        """
        import json

        from ..calibrated import Calibration

        said = self.manifest.calibration
        return None if said is None else Calibration.from_json(json.dumps(said))

    def score(self, question: str, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the logit of each text, that of its best window, and the share of the text that was read.

        Parameters
        ----------
        question : str
        texts : sequence of str
            As ``pair_texts`` gives them.

        Returns
        -------
        logits, share_read : ndarray of float32, shape (n,)
            The logit is that of "relevant" less that of "not relevant", in single precision on every backend.
        """
        different = list(dict.fromkeys(texts))
        if not different:
            return np.zeros(0, np.float32), np.zeros(0, np.float32)
        windows = self._pieces.windows(question, different)
        logits = run_pairs(self._forward(self.computation), windows.pieces, windows.kinds)
        best = best_windows(logits, windows)
        place = {text: index for index, text in enumerate(different)}
        of_text = np.array([place[text] for text in texts], np.int64)
        return best[of_text], windows.share_read[of_text]

    def _check(self) -> None:
        """Compare with the manifest: the head, the labels, the files, and what is computed of the canaries."""
        head_of(self._files)
        check_labels(self._files.config, self.manifest.labels, self.path)
        canaries = read_canaries(self.path)
        check_files(self.path, self.manifest.files_of())
        check_unlisted(self.path, self.manifest.files)
        rows, kinds = [], []
        for canary in canaries:
            windows = self._pieces.windows(canary.question, [canary.text], most=1)
            rows += windows.pieces
            kinds += windows.kinds
        found = run_pairs(self._forward(REFERENCE), rows, kinds)
        check_canaries(canaries, found, self.manifest.tolerance, self.path)

    def _forward(self, backend: str) -> PairForward:
        with self._lock:
            if backend not in self._forwards:
                if backend.startswith("onnx"):
                    check_files(self.path, self.manifest.files_of(ONNX))
                self._forwards[backend] = load(backend, self._files)
            return self._forwards[backend]

    @cached_property
    def _pieces(self) -> PairPieces:
        return PairPieces.of(self._files, max_tokens=self.max_tokens)

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the folder alone; it was checked here, and what the self-test has chosen is computed there too."""
        backend = self.__dict__.get("computation", self._backend)
        return _made_again, (self.path.absolute(), self.fingerprint, backend)

    def __repr__(self) -> str:
        return f"Classifier({self.name!r}, over {self.manifest.base.name}, {self.fingerprint[:12]})"

    def facts(self) -> list[tuple[str, str]]:
        """Return what it is as labelled lines, for people."""
        said = self.manifest
        return [
            ("classifier", f"{said.name} ({self.fingerprint[:12]}), exported {said.created}"),
            ("base", f"{said.base.name} ({said.base.licence or 'licence not known'})"),
            ("reads", f"{self.candidates} candidates, windows of {self.max_tokens} word pieces"),
            ("languages", "not known" if said.languages is None else ", ".join(said.languages)),
            ("encoder", "trained" if said.has_encoder else "the packaged one"),
            ("combination", "fitted" if said.combination is not None else "none"),
            ("recurring", f"{said.recurring['questions']:,} questions learnt" if said.recurring else "none"),
            ("calibration", "fitted" if said.calibration is not None else "none"),
        ]

    def __str__(self) -> str:
        return "\n".join(f"{label:<12} {words}" for label, words in self.facts())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{label}</th><td style='text-align:left'>{html.escape(words)}</td></tr>"
            for label, words in self.facts()
        )
        return f"<table>{rows}</table>"


def _made_again(path: Path, fingerprint: str, backend: str) -> Classifier:
    manifest = Manifest.load(path)
    if manifest.fingerprint != fingerprint:
        raise StaleClassifier(f"The classifier in {path} was replaced by another one in the meantime; open it again.")
    return Classifier(path, manifest, backend=backend)


def relevance_of(logits: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the sigmoid of logits, in double precision: in less, good pairs would all be 1."""
    values = np.asarray(logits, np.float64)
    found: npt.NDArray[np.float64] = np.exp(-np.logaddexp(0.0, -values))
    return found


def tied_share(logits: npt.ArrayLike) -> float:
    """Return the share of logits that another one equals: their order is chance.

    Examples
    --------
    >>> tied_share([0.5, 1.0, 0.5, 2.0])
    0.5
    """
    _, inverse, counts = np.unique(np.asarray(logits), return_inverse=True, return_counts=True)
    return float((counts[inverse] > 1).mean()) if len(counts) else 0.0
