"""What the benchmark of the classifier trains, each once: models on folds of documents, and the ones that are judged.

A combination and a calibration need logits of documents that the models have not seen, so the documents of the half
that is trained on are dealt to folds: each fold is scored by models trained on the others. The models that are judged
are trained on all of them.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.calibration.folds import folds_of, halves_of
from workbench.reading import SparseReader
from workbench.relevance import HybridScorer, TransformerEncoder, default_encoder
from workbench.relevance.classifier import Classifier
from workbench.relevance.combination import Combination
from workbench.relevance.encoders import Encoder
from workbench.relevance.recurring import FILE, RecurringQuestions
from workbench.training.calibrating import question_scores
from workbench.training.combining import CombinationFit, combination_fit, hear
from workbench.training.exporting import export_classifier
from workbench.training.learning.classifier_training import train_classifier
from workbench.training.learning.encoder_training import train_encoder
from workbench.training.mining import MiningOptions, mine_hard_negatives
from workbench.training.options import TrainingOptions
from workbench.training.question import Question, Questions
from workbench.training.recurring_training import train_recurring
from workbench.training.splitting import split_questions
from workbench.workload.block_fitting import BlockFit, Floor, fit_blocks

VALIDATION = 0.15
"""Share of the documents by which the best checkpoint is found."""
SEED = 0


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How models are trained.

    Attributes
    ----------
    name : str
        Of the folder.
    mining : MiningOptions or None
        None draws negatives from the document alone.
    with_encoder : bool
        Whether the first stage gets an adapter, which the classifier begins as.
    with_recurring : bool
        Whether the scorer learns questions that recur.
    with_classifier : bool
        Whether there is a second stage.
    classifier, encoder : TrainingOptions
    candidates : int
        Blocks that the classifier looks at.
    """

    name: str
    mining: MiningOptions | None
    with_encoder: bool = True
    with_recurring: bool = True
    with_classifier: bool = True
    classifier: TrainingOptions
    encoder: TrainingOptions
    candidates: int = 100


def recipes(*, quick: bool) -> dict[str, Recipe]:
    """Return the recipe that ships, and those that it is compared with.

    "tf-idf" is the seed's: the most similar fifth of the document by TF-IDF, nothing filtered. "random" has no hard
    negatives at all. Both have the first stage, and everything else, of the one that ships.
    "no recurring questions" has the models of the one that ships, and has not learnt what answers questions that recur.
    "second look" has them as well, and the cross-encoder that looks again at the best candidates of the first stage.
    """
    short: dict[str, Any] = {"epochs": 1, "validations": 1, "validation_questions": 10, "negatives": 3} if quick else {}
    classifier, encoder = TrainingOptions(**short), TrainingOptions.for_encoder(**short)
    ships = Recipe(
        name="first-stage", mining=MiningOptions(), with_classifier=False, classifier=classifier, encoder=encoder
    )
    seeds = MiningOptions(ways=("tf-idf",), margin=-1.0, answers=False, unanswered=0)
    return {
        "trained": ships,
        "no recurring questions": replace(ships, with_recurring=False),
        "second look": replace(ships, name="second-look", with_classifier=True),
        "tf-idf": replace(ships, name="tf-idf", mining=seeds),
        "random": replace(ships, name="random", mining=None, classifier=replace(classifier, hard_share=0.0)),
    }


class Remembering:
    """A second stage that is asked once for each pair: several scorers ask it the same, and so does the next report.

    Parameters
    ----------
    stage : Classifier
    file : pathlib.Path
        Where ``save`` keeps what it said.
    """

    reads_context = True

    def __init__(self, stage: Classifier, file: Path) -> None:
        self._stage, self._file = stage, file
        self.name, self.fingerprint = stage.name, stage.fingerprint
        self.pair_text, self.languages, self.candidates = stage.pair_text, stage.languages, stage.candidates
        self._known: dict[str, list[float]] = json.loads(file.read_text("utf-8")) if file.is_file() else {}

    def score(self, question: str, texts: Sequence[str]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return logits and shares read."""
        keys = [hashlib.sha256(f"{question}\0{text}".encode("utf-8", "surrogatepass")).hexdigest() for text in texts]
        unknown = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if unknown:
            logits, shares = self._stage.score(question, list(unknown.values()))
            told = zip(unknown, logits.tolist(), shares.tolist(), strict=True)
            self._known |= {key: [logit, share] for key, logit, share in told}
        found = np.array([self._known[key] for key in keys], np.float32).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def save(self) -> None:
        """Keep what it said."""
        self._file.write_text(json.dumps(self._known), encoding="utf-8")


@dataclass(frozen=True)
class Models:
    """A first and a second stage that were trained together.

    Attributes
    ----------
    encoder : Encoder
    classifier : Remembering or None
    recurring : RecurringQuestions or None
    seconds : float
        Of mining, training and exporting; of the run that made them.
    """

    encoder: Encoder
    classifier: Remembering | None
    recurring: RecurringQuestions | None
    seconds: float

    def scorer(self, combination: Combination | None = None) -> HybridScorer:
        """Return them as a scorer."""
        return HybridScorer(
            self.encoder, second_stage=self.classifier, combination=combination, recurring=self.recurring
        )

    def save(self) -> None:
        """Keep what the second stage said."""
        if self.classifier is not None:
            self.classifier.save()


def trained(questions: Questions, recipe: Recipe, folder: Path) -> Models:
    """Return models that were trained on some questions, from the folder where they lie there."""
    done, made_of = folder / "done.json", _made_of(questions, recipe)
    if done.is_file() and json.loads(done.read_text(encoding="utf-8"))["made_of"] != made_of:
        raise SystemExit(f"What lies in {folder} was trained otherwise or on other questions; choose another folder.")
    if not done.is_file():
        began = time.perf_counter()
        split = split_questions(questions, validation=VALIDATION, test=0.0, seed=SEED, progress=False)
        print(split.copies)
        encoder, first = None, default_encoder()
        mined = _mined(questions, recipe, first)
        if recipe.with_encoder:
            encoder = train_encoder(
                split.train, split.validation, mined, options=recipe.encoder, folder=folder / "encoder-training"
            )
            print(encoder, flush=True)
        if recipe.with_classifier:
            found = train_classifier(
                split.train,
                split.validation,
                mined,
                start_from=encoder.folder if encoder is not None else None,
                options=recipe.classifier,
                folder=folder / "classifier-training",
            )
            print(found, flush=True)
            export_classifier(found, folder / "classifier", candidates=recipe.candidates, onnx=False, progress=False)
        said = {
            "made_of": made_of,
            "encoder": None if encoder is None else str(encoder.folder.relative_to(folder)),
            "seconds": time.perf_counter() - began,
        }
        done.write_text(json.dumps(said), encoding="utf-8")
    said = json.loads(done.read_text(encoding="utf-8"))
    first = default_encoder() if said["encoder"] is None else TransformerEncoder.open(folder / said["encoder"])
    stage = None
    if recipe.with_classifier:
        stage = Remembering(Classifier.open(folder / "classifier"), folder / "logits.json")
    known = _recurring(questions, first, folder / FILE) if recipe.with_recurring else None
    return Models(first, stage, known, said["seconds"])


def _made_of(questions: Questions, recipe: Recipe) -> str:
    """Return what tells a training from others; what is learnt of recurring questions lies in a file of its own."""
    ids = sorted(f"{one.document_key} {one.id}" for one in questions)
    return hashlib.sha256(repr((replace(recipe, with_recurring=True), ids)).encode()).hexdigest()


def _recurring(questions: Questions, encoder: Encoder, file: Path) -> RecurringQuestions | None:
    """Return what was learnt of questions that recur; nothing is chosen by validation, so all of them are learnt."""
    if file.is_file():
        return RecurringQuestions.load(file)
    began = time.process_time()
    found = train_recurring(questions, encoder, progress=False)
    print(f"{found!r} in {time.process_time() - began:.0f} s of a processor, scoring included", flush=True)
    if found is not None:
        found.save(file)
    return found


def _mined(questions: Questions, recipe: Recipe, encoder: Encoder) -> Any:
    if recipe.mining is None:
        return None
    mined = mine_hard_negatives(questions, scorer=HybridScorer(encoder), options=recipe.mining, progress=False)
    print(mined.report, flush=True)
    return mined


@dataclass(frozen=True)
class Run:
    """Everything that one recipe comes to.

    Attributes
    ----------
    models : Models
        Trained on all documents of the half.
    fit : CombinationFit
        From logits of documents that the models of their fold have not seen.
    blocks : BlockFit
        Maps and a threshold, from the same.
    """

    models: Models
    fit: CombinationFit
    blocks: BlockFit

    @property
    def scorer(self) -> HybridScorer:
        """The scorer that is judged."""
        return self.models.scorer(self.fit.combination)

    def reader(self, floor: Floor) -> SparseReader:
        """Return the reader that is judged, cut for a recall floor."""
        return self.blocks.reader(SparseReader(scorer=self.scorer), self.blocks.cut(floor))


def run_of(questions: Questions, recipe: Recipe, folder: Path, folds: int) -> Run:
    """Train what a recipe needs, and fit combination and calibration across folds of documents."""
    keys = sorted(questions.documents)
    fold_of = dict(zip(keys, folds_of(keys, folds, SEED).tolist(), strict=True))
    aside = aside_of(questions)
    heard, of_fold = [], {}
    for fold in range(max(fold_of.values()) + 1):
        rest = questions.of_documents(key for key in keys if fold_of[key] != fold)
        models = of_fold[fold] = trained(rest, recipe, folder / recipe.name / f"fold-{fold}")
        held = questions.of_documents(key for key in keys if fold_of[key] == fold)
        heard += hear(held, models.scorer(), progress=False)
        models.save()
    # What a promise rests on must not have been fitted on: not the maps, and not the combination.
    fit = combination_fit([one for one in heard if one.question.document_key not in aside], seed=SEED)
    final = trained(questions, recipe, folder / recipe.name / "all")
    readers = {fold: SparseReader(scorer=models.scorer(fit.combination)) for fold, models in of_fold.items()}
    scorer = final.scorer(fit.combination)
    return Run(final, fit, blocks_of(questions, lambda one: readers[fold_of[one.document_key]], scorer))


def untrained_run(questions: Questions) -> tuple[HybridScorer, CombinationFit, BlockFit]:
    """Return a combination without a second stage, fitted on the same questions, and its calibration."""
    aside = aside_of(questions)
    known = Questions(tuple(one for one in questions if one.document_key not in aside))
    fit = combination_fit(hear(known, HybridScorer(default_encoder()), progress=False), seed=SEED)
    scorer = HybridScorer(default_encoder(), combination=fit.combination)
    return scorer, fit, blocks_of(questions, SparseReader(scorer=scorer), scorer)


def aside_of(questions: Iterable[Question]) -> frozenset[str]:
    """Return the half of the documents on which thresholds are fitted, and nothing before them."""
    documents = sorted({one.document_key for one in questions})
    return frozenset(key for key, half in zip(documents, halves_of(documents, SEED).tolist(), strict=True) if half)


def blocks_of(questions: Questions, reader: Any, scorer: HybridScorer) -> BlockFit:
    """Fit maps on one half of the documents, and leave the other half to the threshold: a promise rests on these."""
    scores = question_scores(questions, reader, scorer=scorer.fingerprint, progress=False)
    return fit_blocks(scores, fitted_on="half 'choose' of the evaluation sets", aside=aside_of(questions))
