"""What two readings of one document were told to do otherwise: question, rules, cut, model; in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ...gate.margin import Route
from ...printing import printable, shortened
from ...reading import Reading, Threshold
from ...relevance.scores import Scale
from ..said.numbers import share, with_minus
from ..wording import Say
from .contents import ChangeSaid
from .sides import Sides

if TYPE_CHECKING:
    from ...gate.profile import GateProfile
    from ...structure import Rule, RuleTable

_NAMED_RULES = 6
"""So many rules without an effect are named in a sentence."""
_HASH = 12


def changes_of(sides: Sides, profiles: tuple[GateProfile, GateProfile] | None, say: Say) -> tuple[ChangeSaid, ...]:
    """Return what differs between the two, what decides most first; empty where nothing does.

    Parameters
    ----------
    sides : Sides
    profiles : tuple of GateProfile, optional
        Those that made the readings: what they say of routes and of other types of documents is told as well.
    say : Say
        Words of the section "comparison".
    """
    found = [
        *_texts(sides, say),
        *_rules(sides, say),
        *_settings(sides, say),
        *(_profiles(sides, profiles, say) if profiles else ()),
    ]
    return tuple(found)


def route_words(route: Route | None, say: Say) -> str:
    """Return what a gate says."""
    return say(f"route.{route.value if route else 'none'}")


def only_rules_differ(left: Reading, right: Reading) -> bool:
    """Whether the rules are all that two readings of one document were told to do otherwise."""
    one, other = map(_settings_but_rules, (left, right))
    return left.structure.sha256 != right.structure.sha256 and one == other


def _settings_but_rules(reading: Reading) -> tuple[object, ...]:
    basis, scores = reading.basis, reading.scores
    return (
        reading.question, reading.scope, reading.cut, reading.budget_tokens, reading.offset, reading.document.name,
        scores.scorer, scores.scale, scores.calibration, basis.tokenizer.name,
        {block: voice.factor for block, voice in basis.feedback.items()}, dict(reading.focus or {}),
    )  # fmt: skip


def cut_words(reading: Reading, say: Say) -> str:
    """Return where the line was drawn: the threshold with the offset of the type, or the share of the tokens."""
    cut, offset = reading.cut, reading.offset
    if not isinstance(cut, Threshold):
        return say("cut.share", share=share(cut.share), least=cut.min_tokens)
    scale = "cut.threshold" if cut.scale is Scale.CALIBRATED else "cut.uncalibrated"
    words = say(scale, value=f"{cut.value:g}")
    return words + (say("cut.offset", offset=with_minus(f"{offset:+g}")) if offset else "")


def _texts(sides: Sides, say: Say) -> Iterator[ChangeSaid]:
    left, right = sides.both_readings
    if left.question != right.question:
        yield ChangeSaid(say("change.question"), left.question, right.question)
    name, other = left.document.name, right.document.name
    if name != other:
        yield ChangeSaid(say("change.name"), printable(name), printable(other), say("effect.name"))
    route, against = sides.routes
    if route is not against:
        yield ChangeSaid(say("figure.route"), route_words(route, say), route_words(against, say), say("effect.route"))


def _settings(sides: Sides, say: Say) -> Iterator[ChangeSaid]:
    words: dict[str, Callable[[Reading], str]] = {
        "change.scope": lambda reading: say(f"scope.{reading.scope or 'none'}"),
        "change.cut": lambda reading: cut_words(reading, say),
        "change.budget": lambda reading: _counted("budget", reading.budget_tokens, say),
        "change.scorer": lambda reading: _scorer(reading, say),
        "change.scale": lambda reading: _scale(reading, say),
        "change.tokenizer": lambda reading: printable(reading.basis.tokenizer.name),
        "change.feedback": lambda reading: _counted("feedback", len(reading.basis.feedback) or None, say),
        "change.focus": lambda reading: _counted("focus", len(reading.focus) if reading.focus else None, say),
    }
    for name, of in words.items():
        left, right = map(of, sides.both_readings)
        if left != right:
            yield ChangeSaid(say(name), left, right)
    yield from _of_equal_number(sides, say)


def _of_equal_number(sides: Sides, say: Say) -> Iterator[ChangeSaid]:
    """As many blocks on both sides, and not the same: counts do not show it."""
    voices = [{block: voice.factor for block, voice in side.basis.feedback.items()} for side in sides.both_readings]
    if voices[0] != voices[1] and len(voices[0]) == len(voices[1]):
        yield ChangeSaid(say("change.feedback"), "", "", say("feedback.other"))
    focus = [dict(side.focus or {}) for side in sides.both_readings]
    if focus[0] != focus[1] and len(focus[0]) == len(focus[1]):
        yield ChangeSaid(say("change.focus"), "", "", say("focus.other"))


def _counted(what: str, count: int | None, say: Say) -> str:
    return say(f"{what}.none") if count is None else say(f"{what}.is", n=count)


def _scorer(reading: Reading, say: Say) -> str:
    scorer: Any = reading.basis.scorer
    names = [
        str(part.name) for part in (getattr(scorer, "encoder", None), getattr(scorer, "second_stage", None)) if part
    ]
    called = " + ".join(printable(name) for name in names) or say("scorer.words")
    return say("scorer.is", name=called, fingerprint=reading.scores.scorer[:_HASH])


def _scale(reading: Reading, say: Say) -> str:
    scores = reading.scores
    if scores.scale is Scale.UNCALIBRATED:
        return say("scale.uncalibrated")
    return say("scale.calibrated", fingerprint=(scores.calibration or "")[:_HASH])


def _rules(sides: Sides, say: Say) -> Iterator[ChangeSaid]:
    from ...structure import RuleBook, RuleTable

    left, right = sides.left.structure, sides.right.structure
    if left.sha256 == right.sha256:
        return
    if left.table != right.table:
        yield ChangeSaid(say("change.table"), printable(left.table), printable(right.table))
    tables = RuleTable(left.table, left.rules), RuleTable(right.table, right.rules)
    names = [rule.name for change in RuleBook.of(tables[0]).changes(RuleBook.of(tables[1])) for rule in change.rules]
    if not names:
        yield ChangeSaid(say("change.rules"), "", "", say("rules.order"))
        return
    moved = sides.only_left | sides.only_right
    speaks = {name: left.spoken_for(name) | right.spoken_for(name) for name in names}
    told = sorted(
        (name for name in names if speaks[name].any()),
        key=lambda name: (-int((speaks[name] & moved).sum()), -int(speaks[name].sum()), name),
    )
    for name in told:
        yield _rule(name, tables, int(speaks[name].sum()), int((speaks[name] & moved).sum()), say)
    silent = [name for name in names if not speaks[name].any()]
    if silent:
        shown = say("comma").join(printable(name) for name in silent[:_NAMED_RULES])
        more = say("rules.more", n=len(silent) - _NAMED_RULES) if len(silent) > _NAMED_RULES else ""
        yield ChangeSaid(say("change.silent"), "", "", say("rules.silent", n=len(silent), names=shown + more), True)


def _rule(name: str, tables: tuple[RuleTable, RuleTable], speaks: int, moved: int, say: Say) -> ChangeSaid:
    """What a rule says on both sides, and how many of the blocks that it speaks about are decided otherwise."""
    left, right = (_enabled(table, name) for table in tables)
    effect = say("rule.moved", n=speaks, moved=moved) if moved else say("rule.still", n=speaks)
    if left is not None and right is not None and left.match.sha256 != right.match.sha256:
        effect = say("rule.match") + effect
    called = say("change.rule", name=printable(name))
    return ChangeSaid(called, _factor(left, say), _factor(right, say), effect, not moved)


def _enabled(table: RuleTable, name: str) -> Rule | None:
    return next((rule for rule in table.rules if rule.name == name and rule.enabled), None)


def _factor(rule: Rule | None, say: Say) -> str:
    if rule is None:
        return say("rule.absent")
    return say("rule.pin" if rule.pin else "rule.factor", weight=f"{rule.weight:g}")


def _profiles(sides: Sides, profiles: tuple[GateProfile, GateProfile], say: Say) -> Iterator[ChangeSaid]:
    """What the profiles decide otherwise and the readings do not show: the route, and documents of other types."""
    elsewhere = 0
    tables = tuple(profile.rule_book.table_for(sides.left.document).sha256 for profile in profiles)
    kind = sides.left.document.document_type.value
    for found in profiles[0].diff(profiles[1]).differences:
        if found.field.startswith("gate.") and found.decides:
            yield ChangeSaid(
                _field(found.field, say), _value(found.before, say), _value(found.after, say), say("effect.route")
            )
        elif found.table is not None:
            elsewhere += found.table.kind != kind and tables[0] == tables[1]
        elif found.field.startswith(("block.offsets.", "block.calibration.")):
            elsewhere += not found.field.endswith(f".{kind}")
    if elsewhere:
        yield ChangeSaid(say("change.elsewhere"), "", "", say("effect.elsewhere", n=elsewhere), True)


def _field(field: str, say: Say) -> str:
    option = field.removeprefix("gate.options.")
    return say("field.option", name=option) if option != field else say(f"field.{field}")


def _value(value: Any, say: Say) -> str:
    if value is None:
        return say("none")
    return f"{value:.4g}" if isinstance(value, float) else shortened(str(value), 60)
