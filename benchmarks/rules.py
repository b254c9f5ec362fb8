"""What each rule of the shipped tables does to the evidence, with its weight and with the weight that the seed gave it.

``python -m benchmarks.rules --write`` puts the tables into ``docs/rules.md``, between its two marks; without it they
are printed. Weights were chosen on the half "choose" of the documents of every set; what they do is told for the half
"report". The score is the best one that needs no training and no model but MiniLM: BM25 and cosine, standardised in
each document and added, with a fifth of the two neighbours' scores; BM25 alone for documents in Chinese.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from benchmarks.baselines import MiniLm, bm25
from benchmarks.evidence_sets import SETS, Case, Half, data_folder, load
from benchmarks.retrieval import Floats, Notion, needed_for, needs, recalled_at
from benchmarks.rule_effects import Bools, Question, RuleFigures, figures_of, priorities, questions_of
from workbench.documents import Document
from workbench.structure import Rule, RuleTable, load_rules, weigh

NEIGHBOURS = 0.2
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
PAGE = Path(__file__).resolve().parents[1] / "docs" / "rules.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


@dataclass(frozen=True, slots=True)
class Effect:
    """Tokens for 95 % recall and recall at 20 % of the tokens, both in percent."""

    needed: float
    recalled: float

    def minus(self, other: Effect) -> Effect:
        """Return the difference, in percentage points."""
        return Effect(self.needed - other.needed, self.recalled - other.recalled)


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
        minilm = MiniLm(case for case in self.cases if case.language != "zh")
        found = []
        for case in self.cases:
            score = standardised(bm25(case))
            if case.language != "zh":
                score = score + standardised(np.asarray(minilm(case), np.float64))
            found.append(with_neighbours(score))
        return found

    @cached_property
    def questions(self) -> list[Question]:
        """What ``figures_of`` needs, in the order of the cases."""
        return questions_of(self.cases, self.scores)

    def of_types(self, types: Iterable[str]) -> list[int]:
        """Return the ranks of the cases whose document is of one of the types."""
        return [rank for rank, case in enumerate(self.cases) if case.document.document_type.value in types]

    def effect(self, ranks: Sequence[int], weights: Sequence[Floats] | None = None) -> Effect:
        """Return what a ranking by priority reaches on some of the cases; all weights are 1 by default."""
        score_of = {
            id(self.cases[rank]): priorities(self.scores[rank], 1.0 if weights is None else weights[at])
            for at, rank in enumerate(ranks)
        }
        found = needs([self.cases[rank] for rank in ranks], lambda case: score_of[id(case)], Notion.ANY)
        return Effect(float(needed_for(found.share, RECALL)[0]), float(recalled_at(found.share, SHARE)[0]))


def standardised(values: Floats) -> Floats:
    """Return values with mean 0 and standard deviation 1."""
    result: Floats = (values - values.mean()) / (values.std() + 1e-9)
    return result


def with_neighbours(score: Floats) -> Floats:
    """Return a score with a fifth of the two neighbours' scores added."""
    padded = np.concatenate([[0.0], score, [0.0]])
    result: Floats = score + NEIGHBOURS * (padded[:-2] + padded[2:])
    return result


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
    """Yield a row a set: no rules, the seed's table, the default table, the tables of the documents' types."""
    yield "| set | questions | no rules | seed | default | table of the type |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for ground in found:
        ranks = range(len(ground.cases))
        cells = [ground.effect(ranks)]
        for choose in (lambda _: "seed", lambda _: "default", table_of):
            tables = [load_rules(choose(case.document)) for case in ground.cases]
            weights = [weigh(case.document, table).weights for case, table in zip(ground.cases, tables, strict=True)]
            cells.append(ground.effect(ranks, weights))
        shown = " | ".join(f"{cell.needed:.1f} / {cell.recalled:.1f}" for cell in cells)
        yield f"| {ground.name} | {len(ground.cases)} | {shown} |"


def table_of(document: Document) -> str:
    """Return the name of the table for a document's type."""
    name = document.document_type.value
    return name if name in (*TYPES, *UNMEASURED) else "default"


def seed_rows(chosen: Sequence[Ground], told: Sequence[Ground]) -> Iterator[str]:
    """Yield a row for each rule of the seed and each set that it touches: alone, with the seed's weight and ours."""
    yield (
        "| rule | set | blocks | with evidence | tokens | evidence | more than expected "
        "| seed's weight | T95, R@20 | our weight | T95, R@20 |"
    )
    yield "|" + " --- |" * 11
    reported = {ground.name: ground for ground in told}
    seed = load_rules("seed")
    for rule in seed.rules:
        for ground in chosen:
            figures = figures_of(ground.questions, [touched_by(rule, case.document) for case in ground.cases])
            if not figures.blocks:
                continue
            cells = [rule.name, ground.name, *_counts(figures), _ratio(figures)]
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
    change = ground.effect(ranks, weights).minus(ground.effect(ranks))
    return f"{change.needed:+.1f}, {change.recalled:+.1f}"


def type_rows(name: str, chosen: Sequence[Ground], told: Sequence[Ground]) -> Iterator[str]:
    """Yield a row for each rule of a table, over the documents of its type; for ``default``, over all."""
    types = None if name == "default" else (name,)
    chosen, told = ([g for g in some if g.name in SETS_OF_TYPE.get(name, SETS)] for some in (chosen, told))
    yield (
        "| rule | blocks | with evidence | tokens | evidence | found / expected | more than expected | supports "
        "| weight | T95, R@20 | verdict |"
    )
    yield "|" + " --- |" * 11
    for rule in own_rules(name):
        figures = pooled(chosen, rule, types)
        weight = f"{rule.weight:g}" + (", pinned" if rule.pin else "") + ("" if rule.enabled else ", off")
        if not figures.blocks:
            yield f"| {rule.name} | 0 | | | | | | | {weight} | | not measured: touches no such document |"
            continue
        cells = [rule.name, *_counts(figures), f"{figures.found:.1f} / {figures.expected:.1f}", _ratio(figures)]
        cells += [f"{figures.supported:.2f}", weight, _mean_change(told, rule, types), verdict(rule, figures)]
        yield "| " + " | ".join(cells) + " |"


def own_rules(name: str) -> list[Rule]:
    """Return the rules of a table that it does not take over from ``default`` as they are."""
    table = load_rules(name)
    if name == "default":
        return list(table.rules)
    inherited = set(load_rules("default").rules)
    return [rule for rule in table.rules if rule not in inherited]


def _mean_change(told: Sequence[Ground], rule: Rule, types: Sequence[str] | None) -> str:
    """What a rule does alone, as the mean over the sets that it touches."""
    changes = []
    for ground in told:
        ranks = list(range(len(ground.cases))) if types is None else ground.of_types(types)
        if len(ranks) < FEW_QUESTIONS or not any(touched_by(rule, ground.cases[rank].document).any() for rank in ranks):
            continue
        weights = alone(ground, ranks, rule, rule.weight)
        changes.append(ground.effect(ranks, weights).minus(ground.effect(ranks)))
    if not changes:
        return "no such document in this half"
    needed, recalled = (np.mean([getattr(change, part) for change in changes]) for part in ("needed", "recalled"))
    return f"{needed:+.1f}, {recalled:+.1f}"


def verdict(rule: Rule, figures: RuleFigures) -> str:
    """Say in a word whether the evidence is where the rule sends the reader."""
    if np.isnan(figures.low) or figures.low <= 1.0 <= figures.high:
        return "not settled"
    if rule.weight == 1.0 or not rule.enabled:
        return "more evidence there" if figures.ratio > 1 else "less evidence there"
    return "helps" if (figures.ratio > 1) == (rule.weight > 1) else "hurts"


def _counts(figures: RuleFigures) -> list[str]:
    shares = [f"{100 * share:.1f} %" for share in (figures.share_of_tokens, figures.share_of_evidence)]
    return [f"{figures.blocks:,}", f"{figures.gold_blocks:,}", *shares]


def _ratio(figures: RuleFigures) -> str:
    return f"x {figures.ratio:.2f} [{figures.low:.2f}, {figures.high:.2f}]"


def report(names: Sequence[str], data: Path) -> Iterator[str]:
    """Yield the lines of the page's figures."""
    chosen, told = grounds("choose", names, data), grounds("report", names, data)
    for title, found in (("report", told), ("choose", chosen)):
        yield f'\n### Whole tables, half "{title}" (T95 / R@20)\n'
        yield from whole_tables(found)
    yield "\n### The rules of the seed, set by set\n"
    yield from seed_rows(chosen, told)
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
