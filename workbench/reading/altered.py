"""A reader, or a reading, that differs from another in some of its settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption
from .reader import SparseReader
from .reading import Reading, reading_of

if TYPE_CHECKING:
    from ..gate.profile import GateProfile
    from ..structure import RuleBook, RuleTable


def settings_of(reader: SparseReader) -> dict[str, Any]:
    """Return what a reader was made of, without its scorer, as ``SparseReader`` takes it."""
    return {
        "rules": reader.rules,
        "threshold": reader.threshold,
        "token_share": reader.share.share,
        "min_tokens": reader.share.min_tokens,
        "offsets": reader.offsets,
        "calibration": reader.calibration,
        "tokenizer": reader.tokenizer,
        "feedback": reader.feedback,
    }


def altered(reader: SparseReader, **changes: Any) -> SparseReader:
    """Return a reader with the scorer and the settings of another one, but for the changes."""
    found = SparseReader(**{"scorer": reader.scorer, **settings_of(reader), **changes})
    # Its readings say in what they depart from the profile.
    found.profile = reader.profile
    return found


def altered_reading(
    reading: Reading,
    *,
    rules: RuleBook | RuleTable | str | Path | None = None,
    profile: GateProfile | str | Path | None = None,
) -> Reading:
    """Decide the same question on the same document otherwise; budget, scope, focus and feedback stay.

    Parameters
    ----------
    reading : Reading
    rules : RuleBook, RuleTable, str or pathlib.Path, optional
        Other rules, as ``SparseReader`` takes them; with a profile, in place of those of the profile.
    profile : GateProfile, str or pathlib.Path, optional
        A profile, or the file of one: its models, maps, rules and cut decide. The scorer of the reading is used where
        it is the one that the profile names.

    Raises
    ------
    InvalidOption
        If neither is given.
    InvalidRules, FileMissing
        If there is no such table, or it has a mistake.
    InvalidProfile, StaleProfile, MissingModel, MissingDependency
        If there is no such profile, or what it was made with is not at hand.

    Examples
    --------
    >>> from workbench import SparseReader, open_document
    >>> from workbench.resources import datasets_dir
    >>> document = open_document(datasets_dir() / "dev" / "documents" / "harbor-manual.md")
    >>> reading = SparseReader(scorer=None).read(document, "What triggers a backup?")
    >>> altered_reading(reading, rules="legal").structure.table
    'legal'
    """
    if rules is None and profile is None:
        raise InvalidOption("Nothing was given to decide otherwise by; give rules, a profile, or both.")
    found = reading if profile is None else _by_profile(reading, profile)
    if rules is None:
        return found
    from ..structure import rule_book_of

    return found.with_rules(rule_book_of(rules).table_for(reading.document))


def _by_profile(reading: Reading, profile: GateProfile | str | Path) -> Reading:
    from ..gate.profile import GateProfile

    known = profile if isinstance(profile, GateProfile) else GateProfile.load(profile)
    same = reading.basis.scorer.fingerprint == known.models.scorer
    # The path and not what was loaded: a classifier may lie beside it.
    reader = SparseReader.from_profile(profile, scorer=reading.basis.scorer if same else None)
    found = reader.read(reading.document, reading.question, scope=reading.scope, progress=False)
    return reading_of(found.basis.heard(reading.basis.feedback), found.cut, reading.budget_tokens, reading.focus)
