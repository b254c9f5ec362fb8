"""The classifier against what was not trained: trained on half "choose", judged on half "report" and on sets left out.

``python -m benchmarks.classifier train`` trains (about 25 minutes on two cores), ``... report`` judges what was trained
and prints the tables; without a step it does both. ``--ablations`` trains the recipe also with the negatives of the
seed, with random ones, and with a second stage; ``--curve`` trains it on parts of the documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.classifier_runs import SEED, Recipe, Run, recipes, run_of, untrained_run
from benchmarks.classifier_sets import (
    OUT_OF_DOMAIN,
    QUICK,
    TRAINED_ON,
    questions_of_sets,
    things_of_set,
)
from workbench.calibration.folds import shuffled
from workbench.reading import SparseReader
from workbench.relevance import FusionOptions, HybridScorer, default_encoder
from workbench.relevance.combination import Combination
from workbench.relevance.scores import Scorer
from workbench.training.evaluating import Evaluation, Things, evaluate_classifier
from workbench.training.question import Question, Questions
from workbench.workload.block_fitting import BlockFit, Floor

UNTRAINED = ("words", "meaning", "words and meaning", "with rules")
COMBINED, CLASSIFIER = "combination alone", "trained"
SECOND_LOOK = "second look"
WITHOUT = "no recurring questions"
FLOORS = (Floor(0.95, promise=True), Floor(0.95), Floor(0.98))
SEED_DROPPED, SEED_SPREAD = 63.0, 0.5
HALF, TWO_THIRDS = 1 / 2, 2 / 3


def untrained_scorers() -> dict[str, Scorer | SparseReader]:
    """Return the stages that ship without training."""
    meaning = FusionOptions(lexical=0, parts=0, neighbours=0, table_neighbours=0, table_page=0, several=0, own_words=0)
    return {
        "words": HybridScorer(None),
        "meaning": HybridScorer(default_encoder(), fusion_options=meaning),
        "words and meaning": HybridScorer(default_encoder()),
        "with rules": SparseReader(),
    }


def judge(
    questions: Iterable[Question], scorers: Mapping[str, Scorer | SparseReader], things: Things | None = None
) -> dict[str, Evaluation]:
    """Return an evaluation a set; ``things`` for all of them, or as each set is published."""
    by_set: dict[str, list[Question]] = {}
    for one in questions:
        by_set.setdefault(one.set_name, []).append(one)
    return {
        name: evaluate_classifier(some, scorers, things=things or things_of_set(name), progress=False)
        for name, some in by_set.items()
    }


# Tables ------------------------------------------------------------------------------------------


def ranking_rows(found: Mapping[str, Evaluation], sets: Iterable[str], aims: bool) -> Iterator[str]:
    """Yield a row a set: tokens for 95 % of the evidence by every scorer, and as a part of the best untrained."""
    some = [name for name in sets if name in found]
    if not some:
        return
    names = found[some[0]].names
    yield f"| set | questions | documents | {' | '.join(names)} | of the best untrained |"
    yield "|" + " --- |" * (len(names) + 4)
    for name in some:
        one = found[name]
        figures = {scorer: one.figure(scorer, "tokens_95") for scorer in names}
        best = min(figures[scorer].value for scorer in UNTRAINED)
        share = figures[names[-1]].value / best
        met = f" ({_aim(share) if aims else ('not worse' if share <= 1 else 'WORSE')})"
        cells = [name, f"{len(one.questions):,}", str(one.documents), *map(str, figures.values())]
        yield f"| {' | '.join(cells)} | {share:.2f}{met} |"


def _aim(share: float) -> str:
    return "half" if share <= HALF else "two thirds" if share <= TWO_THIRDS else "short of two thirds"


def figure_rows(found: Mapping[str, Evaluation]) -> Iterator[str]:
    """Yield a row a set and scorer with all figures of the ranking."""
    yield "| set | scorer | average precision | recall at 5 % | at 10 % | at 20 % | tokens for 95 % | for 99 % |"
    yield "|" + " --- |" * 8
    for name, one in found.items():
        for scorer in one.names:
            columns = ("average_precision", "recall_5", "recall_10", "recall_20", "tokens_95", "tokens_99")
            yield f"| {name} | {scorer} | {' | '.join(str(one.figure(scorer, column)) for column in columns)} |"


def cut_rows(found: Mapping[str, Evaluation], reader: str, floor: Floor) -> Iterator[str]:
    """Yield a row a set: what the calibrated cut does to documents never seen."""
    columns = ["evidence kept", "within 1 point of the floor", "blocks without evidence skipped"]
    columns += ["blocks decided rightly", "tokens kept", "calibration error"]
    yield f"| set, {reader}, {floor} | documents | {' | '.join(columns)} |"
    yield "|" + " --- |" * 8
    told = []
    for name, one in found.items():
        figures = [one.figure(reader, column) for column in ("recall", "dropped", "accuracy", "tokens_kept")]
        recall, *rest = figures
        error = one.figure(reader, "calibration_error").value
        met = "yes" if recall.value >= 100 * floor.recall - 1 else f"NO ({recall.value - 100 * floor.recall:+.1f})"
        yield f"| {name} | {one.documents} | {recall} | {met} | {' | '.join(map(str, rest))} | {error:.2f} |"
        told.append([figure.value for figure in figures])
    recall, dropped, right, kept = np.mean(told, axis=0).tolist()
    spread = float(np.std([row[2] for row in told]))
    cells = [f"{recall:.1f}", "", f"{dropped:.1f} (seed: {SEED_DROPPED:.0f})"]
    cells += [f"{right:.1f} ± {spread:.1f} (seed: ± {SEED_SPREAD})", f"{kept:.1f}", ""]
    yield f"| mean of the sets | | {' | '.join(cells)} |"


def promise_rows(found: Mapping[str, Evaluation], reader: str, floor: Floor) -> Iterator[str]:
    """Yield a row a document type: the miss rate of its documents against the one that was promised."""
    misses: dict[str, dict[str, list[float]]] = {}
    for one in found.values():
        for question, judged in zip(one.questions, one.judged[reader], strict=True):
            assert judged.recalled is not None
            of_type = misses.setdefault(question.document_type, {})
            of_type.setdefault(question.document_key, []).append(float(1 - judged.recalled.mean()))
    yield f"| document type, {reader}, {floor} | documents | miss rate (mean over documents) | promised |"
    yield "|" + " --- |" * 4
    every = [float(np.mean(values)) for of_type in misses.values() for values in of_type.values()]
    for name, rates in [
        *((n, [float(np.mean(v)) for v in misses[n].values()]) for n in sorted(misses)),
        ("all", every),
    ]:
        kept = "kept" if np.mean(rates) <= 1 - floor.recall + 1e-9 else "NOT KEPT"
        yield f"| {name} | {len(rates)} | {100 * np.mean(rates):.1f} | at most {100 * (1 - floor.recall):.0f}: {kept} |"


# Steps -------------------------------------------------------------------------------------------


def parts_of(questions: Questions, share: float) -> Questions:
    """Return the questions on a share of the documents of each set, at least two; more hold all that fewer hold."""
    chosen: list[str] = []
    for name in dict.fromkeys(one.set_name for one in questions):
        keys = sorted({one.document_key for one in questions if one.set_name == name})
        order = shuffled(keys, SEED, "curve")
        chosen += [keys[at] for at in order[: max(2, round(share * len(keys)))].tolist()]
    return questions.of_documents(chosen)


def save(runs: Iterable[Run]) -> None:
    """Keep what the classifiers said, so that another report need not ask them again."""
    for run in runs:
        run.models.save()


def _curve(questions: Questions, recipe: Recipe, folder: Path, share: float, folds: int) -> Run:
    part = replace(recipe, name=f"{recipe.name}-{100 * share:.0f}")
    return run_of(parts_of(questions, share), part, folder, folds)


def report(questions: Questions, runs: Mapping[str, Run], choose: Questions, *, all_figures: bool) -> Iterator[str]:
    """Yield the tables."""
    combined, fit, blocks = untrained_run(choose)
    main = runs[CLASSIFIER]
    scorers: dict[str, Scorer | SparseReader] = {**untrained_scorers(), COMBINED: SparseReader(scorer=combined)}
    # No training at all: evidence per token is what a cut by tokens wants.
    scorers["per token"] = HybridScorer(default_encoder(), combination=Combination(features={"length": -1.0}))
    scorers["trained encoder"] = HybridScorer(main.models.encoder)
    scorers["trained, not combined"] = main.models.scorer()
    scorers |= {name: SparseReader(scorer=run.scorer) for name, run in runs.items() if name != CLASSIFIER}
    scorers[CLASSIFIER] = SparseReader(scorer=main.scorer)
    found = judge(questions, scorers)
    yield f"Trained on {choose!r} in {main.models.seconds / 60:.1f} minutes."
    yield f"{main.fit!r}; without a second stage {fit!r}.\n"
    yield "### In domain: percent of the tokens for 95 % of the evidence, documents never seen\n"
    yield from ranking_rows(found, [name for name in TRAINED_ON if name in found], aims=True)
    yield "\n### Out of domain: sets that nothing was trained on\n"
    yield from ranking_rows(found, OUT_OF_DOMAIN, aims=False)
    if all_figures:
        yield "\n### All figures of the rankings\n"
        yield from figure_rows(found)
    yield "\n### What was fitted\n"
    yield from ("| kind | name | weight |", "|" + " --- |" * 3)
    yield from (
        f"| {kind} | {name} | {weight:.3f} |" for kind, name, weight in main.fit.to_frame().itertuples(index=False)
    )
    yield "\n### The calibrated cut\n"
    yield from _cuts(questions, {CLASSIFIER: (main.blocks, main.scorer), COMBINED: (blocks, combined)})


def _cuts(questions: Questions, fits: Mapping[str, tuple[BlockFit, HybridScorer]]) -> Iterator[str]:
    inside = [one for one in questions if one.set_name in TRAINED_ON]
    for name, (blocks, scorer) in fits.items():
        for note in blocks.notes:
            yield f"- {note}"
        for floor in FLOORS:
            cut = blocks.cut(floor)
            if floor.promise:
                yield from (f"- {line}" for line in blocks.threshold(floor).notes)
                said = "promised" if cut.promised else f"NO PROMISE: {cut.risk.refusal()}"
                yield f"- {name}, {floor}: threshold {cut.threshold:.4f}, {said}\n"
            reader = blocks.reader(SparseReader(scorer=scorer), cut)
            judged = judge(inside, {name: reader}, Things.HALVES)
            yield from (*cut_rows(judged, name, floor), "")
            if cut.promised:
                yield from (*promise_rows(judged, name, floor), "")


def main() -> None:
    """Train, report, or both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", nargs="?", choices=["train", "report", "both"], default="both")
    parser.add_argument("--train-folder", type=Path, default=Path("classifier-runs"), help="where what is trained lies")
    parser.add_argument("--folds", type=int, default=2, help="groups of documents for combination and calibration")
    parser.add_argument("--ablations", action="store_true", help="also other negatives, and a second look")
    parser.add_argument("--curve", type=float, nargs="*", default=[], help="also on these shares of the documents")
    parser.add_argument("--all-figures", action="store_true")
    parser.add_argument("--most", type=int, help="most questions of a set that are judged, from all documents alike")
    parser.add_argument("--second-look", action="store_true", help="also with the cross-encoder as a second stage")
    parser.add_argument(
        "--quick", action="store_true", help="three documents of three sets, 30 questions each, one epoch"
    )
    parser.add_argument("--data", type=Path)
    chosen = parser.parse_args()
    limit, most = (3, 30) if chosen.quick else (None, chosen.most)
    inside = [name for name in TRAINED_ON if not chosen.quick or name in QUICK]
    outside = [name for name in OUT_OF_DOMAIN if not chosen.quick or name in QUICK]
    choose = questions_of_sets(inside, "choose", data=chosen.data, limit=limit, most=most if chosen.quick else None)
    known = recipes(quick=chosen.quick)
    folder: Path = chosen.train_folder
    runs = {
        name: run_of(choose, recipe, folder, chosen.folds)
        for name, recipe in known.items()
        if chosen.ablations or name in (CLASSIFIER, WITHOUT) or (chosen.second_look and name == SECOND_LOOK)
    }
    for share in chosen.curve:
        runs[f"on {100 * share:.0f} %"] = _curve(choose, known[CLASSIFIER], folder, share, chosen.folds)
    save(runs.values())
    if chosen.step == "train":
        return
    asked = Questions.joined(
        [
            questions_of_sets(inside, "report", data=chosen.data, limit=limit, most=most),
            questions_of_sets(outside, "all", data=chosen.data, limit=limit, most=most),
        ]
    )
    for line in report(asked, runs, choose, all_figures=chosen.all_figures):
        print(line, flush=True)
    save(runs.values())


if __name__ == "__main__":
    main()
