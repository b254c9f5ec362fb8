"""What each rule of the shipped tables does to the evidence, with its weight and with the weight that the seed gave it.

``python -m benchmarks.rules --write`` puts the tables into ``docs/rules.md``, between its two marks; without it they
are printed. Weights were chosen on the half "choose" of the documents of every set; what they do is told for the half
"report". The score is the one that the workbench uses where nothing was trained: ``HybridScorer`` with MiniLM.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from benchmarks.evidence_sets import SETS, Case, Half, data_folder, load
from benchmarks.retrieval import Floats, Needs, Notion, figures, needed_for, needs, recalled_at
from benchmarks.rule_effects import Bools, Question, RuleFigures, figures_of, priorities, questions_of
from workbench.documents import Document
from workbench.relevance.encoders import default_encoder
from workbench.relevance.hybrid import HybridScorer
from workbench.structure import Match, Rule, RuleTable, load_rules, weigh

RECALL, SHARE = 0.95, 20.0
SETS_OF_TYPE = {
    "legal": ("cuad", "policyqa"),
    "financial": ("financebench", "tatqa"),
    "medical": ("covidqa",),
    "technical": ("mmlongbench", "mtrag"),
}
"""Where documents of a type are; the short articles of an encyclopaedia that look like one are left out."""
TYPES = tuple(SETS_OF_TYPE)
UNMEASURED = ("patent", "courseware")
NO_EVIDENCE = "_unanswerable"
FEW_QUESTIONS = 10
CLEAR = 0.05
"""Change of the mean, in percentage points, that is no accident of the arithmetic."""
COMPARED = ("heading", "h1", "h2", "h3", "h4", "but_marker", "but_clause", "action_marker", "action_verb")
"""Features of the seed's rules: headings of other levels, and clauses and verbs by markers and by the parse."""
PAGE = Path(__file__).resolve().parents[1] / "docs" / "rules.md"
NOTIONS = {"financebench": (Notion.FIRST, Notion.ANY, Notion.BLOCKS)}
"""What whole tables are told of, where it is not the pieces of evidence alone."""
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a ranking reaches, all in percent.

    Attributes
    ----------
    needed : float
        Tokens for 95 % recall: hangs on the few pieces that are hardest to find.
    recalled : float
        Recall at 20 % of the tokens.
    mean : float
        Tokens until a piece of evidence is found, as the mean over all pieces.
    """

    needed: float
    recalled: float
    mean: float

    def minus(self, other: Effect) -> Effect:
        """Return the difference, in percentage points."""
        return Effect(self.needed - other.needed, self.recalled - other.recalled, self.mean - other.mean)

    def __str__(self) -> str:
        return f"{self.needed:+.1f}, {self.recalled:+.1f}, {self.mean:+.2f}"


@dataclass(eq=False)
class Ground:
    """The answerable questions of one set and half, with their scores.

    Attributes
    ----------
    name : str
    cases : list of Case
    """

    name: str
    cases: list[Case]

    @cached_property
    def scores(self) -> list[Floats]:
        """The score of each case's blocks."""
        scorer = untrained()
        return [scorer.score(case.document, case.question).logits.astype(np.float64) for case in self.cases]

    @cached_property
    def questions(self) -> list[Question]:
        """What ``figures_of`` needs, in the order of the cases."""
        return questions_of(self.cases, self.scores)

    def of_types(self, types: Iterable[str]) -> list[int]:
        """Return the ranks of the cases whose document is of one of the types."""
        return [rank for rank, case in enumerate(self.cases) if case.document.document_type.value in types]

    def needs(
        self, ranks: Sequence[int], weights: Sequence[Floats] | None = None, notion: Notion = Notion.ANY
    ) -> Needs:
        """Rank the blocks of some cases by priority; all weights are 1 by default."""
        score_of = {
            id(self.cases[rank]): priorities(self.scores[rank], 1.0 if weights is None else weights[at])
            for at, rank in enumerate(ranks)
        }
        return needs([self.cases[rank] for rank in ranks], lambda case: score_of[id(case)], notion)

    def shown(self, notion: Notion, weights: Sequence[Floats] | None = None) -> str:
        """Return what a ranking of all cases reaches: T95 and R@20 with intervals, and the mean."""
        found = self.needs(range(len(self.cases)), weights, notion)
        told = figures(found)
        return f"{told.needed[RECALL]} / {told.recalled[SHARE]} / {found.share.mean():.2f}"

    def effect(self, ranks: Sequence[int], weights: Sequence[Floats] | None = None) -> Effect:
        """Return what a ranking of some of the cases reaches."""
        share = self.needs(ranks, weights).share
        return Effect(float(needed_for(share, RECALL)[0]), float(recalled_at(share, SHARE)[0]), float(share.mean()))


@lru_cache(maxsize=1)
def untrained() -> HybridScorer:
    """Return the scorer of an installation without a trained model, made once a process."""
    return HybridScorer(default_encoder())


def touched_by(rule: Rule, document: Document) -> Bools:
    """Return which blocks a rule matches, shape (blocks,); the engine finds them once a document."""
    return weigh(document, RuleTable("one", (replace(rule, enabled=True),))).spoken_for(rule.name)


def alone(ground: Ground, ranks: Sequence[int], rule: Rule, weight: float) -> list[Floats]:
    """Return the weights of blocks when only one rule speaks."""
    return [np.where(touched_by(rule, ground.cases[rank].document), weight, 1.0) for rank in ranks]


def grounds(half: Half, names: Sequence[str], data: Path) -> list[Ground]:
    """Return the sets that have answerable questions in a half."""
    found = []
    for name in names:
        cases = [case for case in load(name, data=data, half=half) if case.answerable and case.gold]
        if cases:
            found.append(Ground(name, cases))
    return found


def pooled(found: Sequence[Ground], rule: Rule, types: Sequence[str] | None) -> RuleFigures:
    """Return what is in the blocks that a rule touches, over several sets."""
    questions: list[Question] = []
    touched: list[Bools] = []
    for ground in found:
        for rank in range(len(ground.cases)) if types is None else ground.of_types(types):
            questions.append(ground.questions[rank])
            touched.append(touched_by(rule, ground.cases[rank].document))
    return figures_of(questions, touched)


# The tables --------------------------------------------------------------------------------------


def whole_tables(found: Sequence[Ground]) -> Iterator[str]:
    """Yield a row a set and notion: no rules, the seed's table, the default table, the tables of the types."""
    yield "| set | recalled is | questions | no rules | seed | default | table of the type |"
    yield "|" + " --- |" * 7
    for ground in found:
        weights: list[list[Floats] | None] = [None]
        for choose in (lambda _: "seed", lambda _: "default", table_of):
            tables = [load_rules(choose(case.document)) for case in ground.cases]
            weights.append(
                [weigh(case.document, table).weights for case, table in zip(ground.cases, tables, strict=True)]
            )
        for notion in NOTIONS.get(ground.name, (Notion.ANY,)):
            cells = [ground.name, notion.value, str(len(ground.cases))]
            yield "| " + " | ".join([*cells, *(ground.shown(notion, each) for each in weights)]) + " |"


def table_of(document: Document) -> str:
    """Return the name of the table for a document's type."""
    name = document.document_type.value
    return name if name in (*TYPES, *UNMEASURED) else "default"


def seed_rows(chosen: Sequence[Ground], told: Sequence[Ground]) -> Iterator[str]:
    """Yield a row for each rule of the seed and each set that it touches: alone, with the seed's weight and ours."""
    yield (
        "| rule | set | blocks | with evidence | tokens | evidence | more than expected "
        "| seed's weight | T95, R@20, mean | our weight | T95, R@20, mean |"
    )
    yield "|" + " --- |" * 11
    reported = {ground.name: ground for ground in told}
    seed = load_rules("seed")
    for rule in seed.rules:
        for ground in chosen:
            held = figures_of(ground.questions, [touched_by(rule, case.document) for case in ground.cases])
            if not held.blocks:
                continue
            cells = [rule.name, ground.name, *_counts(held), _ratio(held)]
            for table in ("seed", None):
                cells += _alone_cells(reported.get(ground.name), rule.name, table)
            yield "| " + " | ".join(cells) + " |"


def _alone_cells(ground: Ground | None, name: str, table: str | None) -> list[str]:
    """The weights of a rule in the tables of a set's documents, and what it does there alone."""
    if ground is None:
        return ["", "no such document in this half"]
    ranks = range(len(ground.cases))
    rules = [load_rules(table or table_of(case.document)).rule(name) for case in ground.cases]
    weights = [
        np.where(touched_by(rule, case.document), rule.weight if rule.enabled else 1.0, 1.0)
        for case, rule in zip(ground.cases, rules, strict=True)
    ]
    shown = sorted({rule.weight if rule.enabled else 1.0 for rule in rules})
    return [" to ".join(f"{weight:g}" for weight in shown[:1] + shown[1:][-1:]), _change(ground, ranks, weights)]


def _change(ground: Ground, ranks: Sequence[int], weights: Sequence[Floats]) -> str:
    return str(ground.effect(ranks, weights).minus(ground.effect(ranks)))


def type_rows(name: str, chosen: Sequence[Ground], told: Sequence[Ground]) -> Iterator[str]:
    """Yield a row for each rule of a table, over the documents of its type; for ``default``, over all."""
    types = None if name == "default" else (name,)
    chosen, told = ([g for g in some if g.name in SETS_OF_TYPE.get(name, SETS)] for some in (chosen, told))
    yield (
        "| rule | blocks | with evidence | tokens | evidence | found / expected | more than expected | supports "
        "| weight | T95, R@20, mean | verdict |"
    )
    yield "|" + " --- |" * 11
    for rule in own_rules(name):
        held = pooled(chosen, rule, types)
        weight = f"{rule.weight:g}" + (", pinned" if rule.pin else "") + ("" if rule.enabled else ", off")
        if not held.blocks:
            yield f"| {rule.name} | 0 | | | | | | | {weight} | | not measured: touches no such document |"
            continue
        cells = [rule.name, *_counts(held), f"{held.found:.1f} / {held.expected:.1f}", _ratio(held)]
        change = _mean_change(told, rule, types)
        shown = "no such document in this half" if change is None else str(change)
        cells += [f"{held.supported:.2f}", weight, shown, verdict(rule, held, change)]
        yield "| " + " | ".join(cells) + " |"


def feature_rows(chosen: Sequence[Ground]) -> Iterator[str]:
    """Yield a row for each feature that a rule could name instead, over all documents."""
    yield "| feature | blocks | with evidence | tokens | evidence | found / expected | more than expected |"
    yield "|" + " --- |" * 7
    for name in COMPARED:
        held = pooled(chosen, Rule(name, Match(features=(name,))), None)
        if held.blocks:
            found = f"{held.found:.1f} / {held.expected:.1f}"
            yield "| " + " | ".join([f"`{name}`", *_counts(held), found, _ratio(held)]) + " |"


def own_rules(name: str) -> list[Rule]:
    """Return the rules of a table that it does not take over from ``default`` as they are."""
    table = load_rules(name)
    if name == "default":
        return list(table.rules)
    inherited = set(load_rules("default").rules)
    return [rule for rule in table.rules if rule not in inherited]


def _mean_change(told: Sequence[Ground], rule: Rule, types: Sequence[str] | None) -> Effect | None:
    """What a rule does alone, as the mean over the sets that it touches; None where it touches none."""
    changes = []
    for ground in told:
        ranks = list(range(len(ground.cases))) if types is None else ground.of_types(types)
        if len(ranks) < FEW_QUESTIONS or not any(touched_by(rule, ground.cases[rank].document).any() for rank in ranks):
            continue
        weights = alone(ground, ranks, rule, rule.weight)
        changes.append(ground.effect(ranks, weights).minus(ground.effect(ranks)))
    if not changes:
        return None
    rows = np.array([(change.needed, change.recalled, change.mean) for change in changes])
    return Effect(*rows.mean(axis=0).tolist())


def verdict(rule: Rule, held: RuleFigures, change: Effect | None) -> str:
    """Say whether the evidence is where the rule sends the reader: in the half it was chosen on, and in the other."""
    if rule.pin:
        return "kept by decision, not for its evidence"
    if np.isnan(held.low) or held.low <= 1.0 <= held.high:
        return "not settled"
    if rule.weight == 1.0 or not rule.enabled:
        return "more evidence there" if held.ratio > 1 else "less evidence there"
    helps = (held.ratio > 1) == (rule.weight > 1)
    if change is not None and abs(change.mean) >= CLEAR and helps != (change.mean < 0):
        return "the halves disagree"
    return "helps" if helps else "hurts"


def _counts(held: RuleFigures) -> list[str]:
    shares = [f"{100 * share:.1f} %" for share in (held.share_of_tokens, held.share_of_evidence)]
    return [f"{held.blocks:,}", f"{held.gold_blocks:,}", *shares]


def _ratio(held: RuleFigures) -> str:
    return f"x {held.ratio:.2f} [{held.low:.2f}, {held.high:.2f}]"


def report(names: Sequence[str], data: Path) -> Iterator[str]:
    """Yield the lines of the page's figures."""
    chosen, told = grounds("choose", names, data), grounds("report", names, data)
    for title, found in (("report", told), ("choose", chosen)):
        yield f'\n### Whole tables, half "{title}" (T95 / R@20 / mean)\n'
        yield from whole_tables(found)
    yield "\n### The rules of the seed, set by set\n"
    yield from seed_rows(chosen, told)
    yield "\n### Headings, and markers against the parse\n"
    yield from feature_rows(chosen)
    for name in ("default", *TYPES):
        yield f"\n### Rules of `{name}`\n"
        yield from type_rows(name, chosen, told)


def main() -> None:
    """Print the figures, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    answerable = [name for name in SETS if not name.endswith(NO_EVIDENCE)]
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the evaluation data")
    parser.add_argument("--sets", nargs="+", choices=answerable, default=answerable)
    parser.add_argument("--write", action="store_true", help="put the figures into docs/rules.md")
    options = parser.parse_args()
    lines = []
    for line in report(options.sets, options.data):
        lines.append(line)
        print(line, flush=True, file=sys.stderr if options.write else sys.stdout)
    if options.write:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
