"""A trained classifier in a reader: the scorer that it was exported for, and where a profile finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption, MissingModel, StaleCalibration, StaleClassifier, WorkbenchError

if TYPE_CHECKING:
    from ..relevance.calibrated import Calibration
    from ..relevance.classifier import Classifier
    from ..relevance.cross_encoder import CrossEncoder
    from ..relevance.encoders import Encoder
    from ..relevance.scores import Scorer

MOST_FOLDERS = 500
"""Folders beside a profile that are looked through for its classifier."""


def opened(classifier: Classifier | str | Path) -> Classifier:
    """Return a classifier, opened where its folder was given.

    Raises
    ------
    InvalidOption
        If it is something else.
    MissingModel, MissingDependency, DamagedModel, StaleClassifier
        As ``Classifier.open``.
    """
    from ..relevance.classifier import Classifier

    if isinstance(classifier, Classifier):
        return classifier
    if not isinstance(classifier, str | Path):
        raise InvalidOption(
            f"classifier is of type {type(classifier).__name__}; give the folder that export_classifier wrote, or a "
            "Classifier."
        )
    return Classifier.open(classifier)


def scorer_with(
    classifier: Classifier | str | Path, scorer: Any, calibration: Calibration | None
) -> tuple[Scorer, Calibration | None, tuple[str, ...]]:
    """Return the scorer of a classifier, the maps for its scores, and what must be said of them.

    Raises
    ------
    InvalidOption
        If there is another scorer beside it.
    """
    from .reader import AUTO

    if scorer is not AUTO:
        raise InvalidOption(
            "A classifier comes with a scorer of its own; leave scorer out, or give a scorer that has the classifier "
            "as its second_stage."
        )
    found = opened(classifier)
    made = found.scorer()
    if calibration is not None:
        return made, calibration, ()
    try:
        own = found.calibration()
    except StaleCalibration as error:
        return made, None, (f"The calibration of the classifier cannot be used: {error}",)
    if own is None or own.scorer == made.fingerprint:
        return made, own, ()
    return (
        made,
        None,
        (
            f"The calibration of the classifier {found.name} was fitted on scores that are made otherwise here, so its "
            "scores are uncalibrated; calibrate again.",
        ),
    )


def scorers_with(stage: Classifier, encoder: Callable[[], Encoder | None]) -> Iterator[Scorer]:
    """Yield the scorers that a profile with a classifier may have been made with, the likeliest first.

    Parameters
    ----------
    stage : Classifier
    encoder : callable
        Opens the encoder that the profile names.
    """
    from ..relevance.hybrid import HybridScorer

    yield stage.scorer()
    try:
        first = encoder()
    except WorkbenchError:
        return  # the encoder of the profile is not here, and the difference is told
    learnt = stage.recurring
    if learnt is not None and (first is None or first.fingerprint != learnt.encoder):
        learnt = None
    if stage.combination is not None and (learnt is not None or not stage.combination.needs_recurring):
        yield HybridScorer(first, second_stage=stage, combination=stage.combination, recurring=learnt)
    yield HybridScorer(first, second_stage=stage)


def scorer_of_profile(
    name: str,
    fingerprint: str,
    beside: Path | None,
    *,
    scorer: str,
    encoder: Callable[[], Encoder | None],
) -> Scorer:
    """Return the scorer of a profile with the classifier that it names, from beside it or from where it was.

    Of several folders with the same weights the one is taken whose scorer is that of the profile: a copy may have
    another combination.

    Parameters
    ----------
    name : str
        What the profile calls the classifier.
    fingerprint : str
        Of the classifier.
    beside : pathlib.Path or None
        Folder of the profile.
    scorer : str
        Fingerprint of the scorer.
    encoder : callable
        Opens the encoder that the profile names.

    Returns
    -------
    Scorer
        One with another fingerprint only where the classifier is there, and no scorer with it is that of the profile.

    Raises
    ------
    MissingModel
        If the classifier is in none of the places.
    StaleClassifier
        If it was changed.
    """
    from ..relevance.classifier import Classifier
    from ..relevance.classifier.manifest import Manifest

    other, otherwise = None, None
    spoiled: StaleClassifier | None = None
    for place in _places(name, beside):
        try:
            manifest = Manifest.load(place)
        except WorkbenchError as error:
            other = other or f"the one in {place} cannot be used: {str(error).rstrip('.')}"
            continue
        if manifest.fingerprint != fingerprint:
            other = other or f"the one in {place} is another ({manifest.fingerprint[:12]})"
            continue
        try:
            for made in scorers_with(Classifier.open(place), encoder):
                if made.fingerprint == scorer:
                    return made
                otherwise = otherwise or made
        except StaleClassifier as error:
            spoiled = spoiled or error
    if otherwise is not None:
        return otherwise
    if spoiled is not None:
        raise spoiled
    looked = f"beside {beside}" if beside is not None else "here"
    raise MissingModel(
        f"The profile needs the classifier {name} ({fingerprint[:12]}), and it is not {looked}"
        f"{f'; {other}' if other else ''}: put its folder beside the profile, or give classifier=."
    )


def plain_cross_encoder(name: str, beside: Path | None) -> CrossEncoder | None:
    """Return a cross-encoder that was never exported, if a folder of that name is one."""
    from ..relevance.classifier.manifest import is_exported
    from ..relevance.cross_encoder import CrossEncoder

    for root in (beside, Path()):
        place = None if root is None else root / name
        if place is not None and (place / "config.json").is_file() and not is_exported(place):
            return CrossEncoder.open(place)
    return None


def _places(name: str, beside: Path | None) -> Iterator[Path]:
    """Yield the folders that may be meant, the likeliest first: by name, then any classifier beside the profile."""
    from ..relevance.classifier.manifest import MANIFEST, is_exported

    roots = [root for root in (beside, Path()) if root is not None]
    seen: set[Path] = set()
    named = [root / name for root in roots]
    around = (
        [] if beside is None else sorted(file.parent for file in islice(_manifests(beside, MANIFEST), MOST_FOLDERS))
    )
    for place in (*named, *around):
        wanted = place in named or is_exported(place)
        if wanted and (place / MANIFEST).is_file() and place.resolve() not in seen:
            seen.add(place.resolve())
            yield place


def _manifests(folder: Path, name: str) -> Iterator[Path]:
    yield from folder.glob(f"*/{name}")
    yield from folder.glob(f"*/*/{name}")


@dataclass(frozen=True, slots=True)
class Seen:
    """On which documents the models of a scorer were trained.

    Attributes
    ----------
    documents : frozenset of str
        Their SHA-256, as far as they are known.
    known : bool
        Whether all of them are.
    name : str
        What the trained model is called; "" where nothing was trained here.
    """

    documents: frozenset[str] = frozenset()
    known: bool = True
    name: str = ""


def seen_by(scorer: Any) -> Seen:
    """Return on which documents a scorer's classifier was trained, chosen, or learnt of recurring questions."""
    from ..relevance.classifier import Classifier

    while not hasattr(scorer, "second_stage") and hasattr(scorer, "scorer"):
        scorer = scorer.scorer  # one that remembers what another says
    stage = getattr(scorer, "second_stage", None)
    learnt = getattr(scorer, "recurring", None)
    documents = frozenset() if learnt is None else frozenset(learnt.documents)
    if not isinstance(stage, Classifier):
        return Seen(documents, True, "recurring questions" if learnt is not None else "")
    return Seen(documents | stage.manifest.seen_documents, stage.manifest.knows_documents, stage.name)
