"""From a trained classifier to the folder that a runtime loads, with or without this package."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...documents.progress import showing
from ...errors import CalibrationRefused, InvalidOption, StaleClassifier
from ...relevance.classifier.adapters import adapted, check_base, stock_logits
from ...relevance.classifier.canaries import INPUTS, LEAST_SPREAD, TOLERANCE, Canary, write_canaries
from ...relevance.classifier.head import head_of
from ...relevance.classifier.manifest import ADAPTER, MANIFEST, BaseModel, Manifest, listed_files
from ...relevance.classifier.onnx_pairs import INT8_MODEL, MODEL
from ...relevance.classifier.opening import Classifier
from ...relevance.classifier.pair_pieces import PairPieces
from ...relevance.encoders.model_files import ModelFiles
from ...relevance.encoders.transformers_model import silent_transformers
from ...relevance.recurring import FILE as RECURRING_FILE
from ...relevance.second_stage import CANDIDATES, checked_combination, checked_stage
from .card import model_card
from .folder import check_target, replaced, sizes_of, write_adapter, write_encoder, write_model
from .onnx_model import (
    Agreement,
    Windows,
    agreement_of,
    check_packages,
    missing_packages,
    reference_logits,
    write_int8,
    write_onnx,
)
from .report import ExportReport
from .sources import Source, source_of

if TYPE_CHECKING:
    from ...documents.source import Report
    from ...relevance.calibrated import Calibration
    from ...relevance.combination import Combination
    from ...relevance.recurring import RecurringQuestions

STOCK = 1e-5
"""Most that a logit of the adapter over its base may differ from one of the merged model, relative to its size."""
_PASSAGES = 6
_VERSIONS = ("torch", "transformers", "peft", "onnx", "onnxruntime")


def export_classifier(
    given: Any,
    path: str | Path,
    *,
    base: str | Path | None = None,
    combination: Combination | None = None,
    recurring: RecurringQuestions | None = None,
    calibration: Calibration | None = None,
    candidates: int = CANDIDATES,
    languages: Iterable[str] | None = None,
    metrics: Any = None,
    name: str = "classifier",
    onnx: bool | None = None,
    notes: Sequence[str] = (),
    trained_on: Iterable[str] | None = None,
    progress: bool | None = None,
) -> ExportReport:
    """Write a classifier as a folder that stock transformers and stock peft load, and ``Classifier.open`` checks.

    Parameters
    ----------
    given : FineTuned, Trained, str or path
        What ``fine_tune`` or ``train_classifier`` returned, or the folder of a checkpoint.
    path : str or path
        The folder; a classifier that lies there is replaced, anything else is not.
    base : str or path, optional
        The model that an adapter lies over, where the checkpoint does not say.
    combination : Combination, optional
        Fitted weights of the parts of a logit; that of ``given`` by default.
    recurring : RecurringQuestions, optional
        What was learnt of recurring questions on the vectors of its encoder; that of ``given`` by default.
    calibration : Calibration, optional
        Maps from logits to probabilities.
    candidates : int
        Blocks that it looks at for a question.
    languages : iterable of str, optional
        Codes of the languages that it reads; those of the base where they are known.
    metrics : Evaluation or DataFrame, optional
        Figures on held-out documents; those of ``given`` by default.
    name : str
        What its part of a logit is called.
    onnx : bool, optional
        Whether to write ONNX as well; by default if its packages are installed.
    notes : sequence of str
        What a reader of the figures must know.
    trained_on : iterable of str, optional
        SHA-256 of the documents that it was trained and chosen on, where the checkpoint does not say; figures and
        promises on these would be in sample.
    progress : bool, optional
        Whether to show progress; by default where somebody looks.

    Returns
    -------
    ExportReport

    Raises
    ------
    InvalidOption
        For a wrong value, too short a window, or if something else lies at ``path``.
    MissingModel, DamagedModel, MissingDependency
        If there is no whole classifier, or a package is missing.
    StaleClassifier
        If it has no head, its labels are in another order, its base is another one, the adapter has no effect, or
        recurring questions were learnt on the vectors of another encoder.
    CalibrationRefused
        If the calibration is that of another classifier.
    """
    if onnx:
        check_packages()
    check_target(Path(path).expanduser().absolute())
    source = source_of(given, base=base, languages=languages, trained_on=trained_on)
    if combination is not None:
        source = replace(source, combination=combination)
    if recurring is not None:
        source = replace(source, recurring=recurring)
    if metrics is not None:
        from .sources import metrics_of

        source = replace(source, metrics=metrics_of(metrics))
    told = [*source.notes, *notes]
    wants_onnx = not missing_packages() if onnx is None else onnx
    if onnx is None and not wants_onnx:
        told.append(f"Without ONNX, for {' and '.join(missing_packages())} are not installed.")
    with showing("Exporting", progress) as report, replaced(Path(path)) as folder:
        manifest, agreement = _filled(
            folder, source, name=name, candidates=candidates, with_onnx=wants_onnx, report=report
        )
        if calibration is not None:
            manifest = _calibrated(folder, manifest, calibration)
            _write_manifest(folder, manifest)
        opened = Classifier.open(folder, backend="torch-fp32")
        has_adapter = source.adapter is not None
        if has_adapter and source.base is not None:
            check_base(source.base.folder, manifest)
        (folder / "README.md").write_text(model_card(manifest, has_adapter=has_adapter, notes=told), encoding="utf-8")
        sizes = sizes_of(folder)
    return ExportReport(
        path=Path(path),
        fingerprint=opened.fingerprint,
        files=sizes,
        agreement=tuple(agreement),
        canaries=len(INPUTS),
        notes=tuple(told),
    )


def _filled(
    folder: Path,
    source: Source,
    *,
    name: str,
    candidates: int,
    with_onnx: bool,
    report: Report,
) -> tuple[Manifest, list[Agreement]]:
    """Fill the folder but for the card, and return its manifest and what was measured."""
    steps = 4
    report(0, steps)
    write_model(source, folder)
    files = ModelFiles.of(folder)
    head_of(files)
    check_window(files, source.max_tokens)
    has_adapter = write_adapter(source, folder)
    if source.encoder is not None:
        write_encoder(source.encoder, folder)
    if source.recurring is not None:
        source.recurring.save(folder / RECURRING_FILE)
    report(1, steps)
    canaries = made_canaries(folder, source.max_tokens)
    write_canaries(folder, canaries)
    if has_adapter and source.base is not None:
        _check_effect(folder, source, canaries)
    report(2, steps)
    agreement = _onnx(folder, files, source.max_tokens) if with_onnx else []
    report(3, steps)
    manifest = Manifest(
        name=name,
        files=listed_files(folder),
        base=BaseModel(**source.base_note),
        pair_text=source.pair_text,
        max_tokens=source.max_tokens,
        candidates=candidates,
        tolerance=TOLERANCE,
        languages=source.languages,
        combination=source.combination,
        encoder=_encoder_note(folder, source),
        recurring=_recurring_note(source),
        training=dict(source.training),
        metrics=source.metrics,
        agreement={one.file: one.as_dict() for one in agreement},
        versions=versions(),
        workbench=_workbench(),
        created=datetime.now(UTC).replace(microsecond=0).isoformat(),
    )
    _write_manifest(folder, manifest)
    checked_stage(Classifier(folder, manifest))
    _check_recurring(folder, manifest)
    report(4, steps)
    return manifest, agreement


def made_canaries(folder: Path, max_tokens: int) -> tuple[Canary, ...]:
    """Return the canaries with their logits, as stock transformers computes them.

    Raises
    ------
    StaleClassifier
        If they are all alike, or no numbers: then nothing was trained, or the training has failed.
    """
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    with silent_transformers():
        model = AutoModelForSequenceClassification.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, trust_remote_code=False
        ).eval()
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    logits = stock_logits(model, tokenizer, INPUTS, max_tokens)
    if not np.isfinite(logits).all():
        raise StaleClassifier("The classifier gives logits that are no numbers; train it again, at a lower rate.")
    if float(np.ptp(logits[:, 1] - logits[:, 0])) < LEAST_SPREAD:
        raise StaleClassifier(
            "The classifier gives all canaries the same logits, so it tells nothing apart; train it for longer, or at "
            "another rate."
        )
    return tuple(
        replace(canary, logits=(float(row[0]), float(row[1]))) for canary, row in zip(INPUTS, logits, strict=True)
    )


def check_window(files: ModelFiles, max_tokens: int) -> None:
    """Refuse windows so short that a plain question does not fit into half of one: they would be cut otherwise here.

    Raises
    ------
    InvalidOption
    """
    pieces = PairPieces.of(files, max_tokens=max_tokens)
    needed = 2 * max(pieces.length(canary.question) for canary in INPUTS)
    if pieces.free < needed:
        raise InvalidOption(
            f"The classifier was trained with max_tokens={max_tokens}, and half of such a window does not hold a plain "
            f"question; train it again with at least {needed + max_tokens - pieces.free}, better 128."
        )


def _check_effect(folder: Path, source: Source, canaries: Sequence[Canary]) -> None:
    """Refuse an adapter that over its base is not the merged model."""
    assert source.base is not None
    model, tokenizer = adapted(source.base.folder, folder / ADAPTER)
    found = stock_logits(model, tokenizer, canaries, source.max_tokens)
    wanted = np.array([canary.logits for canary in canaries], np.float32)
    away = float(np.abs(found - wanted).max())
    if away > STOCK * max(1.0, float(np.abs(wanted).max())):
        raise StaleClassifier(
            f"The adapter over {source.base.name} is not the merged model: their logits differ by up to {away:.2g}, so "
            "one of them was saved without all that was trained; train again."
        )


def _onnx(folder: Path, files: ModelFiles, max_tokens: int) -> list[Agreement]:
    """Write ONNX, and in eight bits where that ranks alike."""
    windows = measured_windows(files, max_tokens)
    wanted = reference_logits(folder, windows)
    write_onnx(files, folder / MODEL)
    whole = agreement_of(folder, MODEL, windows, wanted)
    if not whole.shipped:
        raise StaleClassifier(f"The ONNX model does not rank as the merged one does ({whole}); export with onnx=False.")
    write_int8(folder / MODEL, folder / INT8_MODEL)
    reduced = agreement_of(folder, INT8_MODEL, windows, wanted)
    if not reduced.shipped:
        (folder / INT8_MODEL).unlink()
    return [whole, reduced]


def measured_windows(files: ModelFiles, max_tokens: int) -> Windows:
    """Return the pairs that agreement is measured on: every question with some of the passages of the self-test."""
    from ...relevance.encoders.self_test_texts import PASSAGES, QUESTIONS

    pieces = PairPieces.of(files, max_tokens=max_tokens)
    rows, kinds = [], []
    for index, question in enumerate(QUESTIONS):
        chosen = [PASSAGES[(7 * index + step) % len(PASSAGES)] for step in range(_PASSAGES)]
        windows = pieces.windows(question, chosen)
        rows += windows.pieces
        kinds += windows.kinds
    return rows, kinds


def _encoder_note(folder: Path, source: Source) -> dict[str, Any]:
    if source.encoder is None:
        return {}
    from ...relevance.encoders import TransformerEncoder

    encoder = TransformerEncoder.open(
        folder / "encoder", languages=None if source.languages is None else frozenset(source.languages)
    )
    return {
        "fingerprint": encoder.fingerprint,
        "pooling": encoder.pooling,
        "max_tokens": encoder.max_tokens,
        "languages": None if source.languages is None else list(source.languages),
    }


def _recurring_note(source: Source) -> dict[str, Any]:
    if source.recurring is None:
        return {}
    return {
        "fingerprint": source.recurring.fingerprint,
        "encoder": source.recurring.encoder,
        "questions": len(source.recurring.asked),
        "documents": len(source.recurring.documents),
    }


def _check_recurring(folder: Path, manifest: Manifest) -> None:
    """Refuse recurring questions of another encoder, and a combination that needs some where there are none."""
    made = Classifier(folder, manifest)
    if manifest.recurring:
        made.scorer()
    else:
        checked_combination(manifest.combination, made)


def _calibrated(folder: Path, manifest: Manifest, calibration: Calibration) -> Manifest:
    """Return the manifest with the maps, if they are those of the scorer that is exported."""
    scorer = Classifier(folder, manifest).scorer()
    if scorer.fingerprint != calibration.scorer:
        raise CalibrationRefused(
            f"The calibration was fitted on the scores of {calibration.scorer[:12]}, and the exported classifier with "
            f"its encoder and combination is {scorer.fingerprint[:12]}; calibrate with SparseReader(classifier=…)."
        )
    return replace(manifest, calibration=json.loads(calibration.to_json()))


def add_calibration(path: str | Path, calibration: Calibration) -> Manifest:
    """Write the maps of a calibration into the manifest of an exported classifier; its fingerprint stays.

    Raises
    ------
    StaleClassifier, MissingModel
        If there is no such classifier.
    CalibrationRefused
        If the maps are those of another scorer.
    """
    folder = Path(path).expanduser()
    manifest = _calibrated(folder, Manifest.load(folder), calibration)
    _write_manifest(folder, manifest)
    return manifest


def versions() -> dict[str, str]:
    """Return the versions of the packages that make a classifier, as far as they are installed."""
    found = {}
    for package in _VERSIONS:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _write_manifest(folder: Path, manifest: Manifest) -> None:
    from ...structure.atomic import write_text

    write_text(folder / MANIFEST, manifest.to_json(), error=InvalidOption)


def _workbench() -> str:
    from ... import __version__

    return __version__
