"""A reader from a gate profile: the model that it names, its rules and its cut, or the difference in words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption, StaleProfile
from ..printing import shortened
from .cuts import Threshold
from .profile_used import ProfileUsed
from .tokenizers import tokenizer_of

if TYPE_CHECKING:
    from ..gate.profile import GateProfile
    from ..gate.profile.parts import ModelPart
    from ..relevance.encoders import Encoder
    from ..relevance.scores import Scorer

OWN = ("scorer", "classifier", "rules", "tokenizer", "feedback")
"""Arguments of a reader that may be given beside a profile."""


def arguments_of(profile: GateProfile | str | Path, others: Mapping[str, Any]) -> tuple[dict[str, Any], ProfileUsed]:
    """Return the arguments of ``SparseReader`` that a profile stands for, and which profile that is.

    See ``SparseReader.from_profile``.
    """
    from ..gate.profile import GateProfile
    from ..gate.profile.parts import ThresholdCut

    unknown = sorted(set(others) - set(OWN))
    if unknown:
        raise InvalidOption(
            f"{', '.join(unknown)} cannot be given beside a profile, which decides the cut; "
            f"what may be given is {', '.join(OWN)}."
        )
    found = profile if isinstance(profile, GateProfile) else GateProfile.load(profile)
    beside = None if isinstance(profile, GateProfile) else Path(profile).expanduser().absolute().parent
    if others.get("scorer") is not None and others.get("classifier") is not None:
        raise InvalidOption("A classifier comes with a scorer of its own; give classifier or scorer, not both.")
    scorer = others.get("scorer") or _scorer_of(found, others.get("classifier"), beside)
    tokenizer = tokenizer_of(others.get("tokenizer", found.models.tokenizer))
    _refuse_differences(found, scorer, tokenizer.name, others.get("rules"))
    arguments: dict[str, Any] = {
        "scorer": scorer,
        "rules": found.rule_book,
        "tokenizer": tokenizer,
        "feedback": others.get("feedback"),
        "offsets": found.block.offsets,
        "calibration": found.calibration,
    }
    cut = found.block.cut
    if isinstance(cut, ThresholdCut):
        arguments["threshold"] = Threshold(cut.value)
    else:
        arguments |= {"token_share": cut.share, "min_tokens": cut.min_tokens}
    return arguments, ProfileUsed.of(found)


def _scorer_of(profile: GateProfile, given: Any, beside: Path | None) -> Scorer:
    """Return the scorer of the models that a profile names; of a classifier with all that came with it."""
    from ..relevance.hybrid import HybridScorer
    from .classifiers import opened, plain_cross_encoder, scorer_of_profile, scorers_with

    models = profile.models
    if given is None and models.classifier is None:
        return HybridScorer(encoder=_encoder(models.encoder))

    def encoder() -> Encoder | None:
        return _encoder(models.encoder)

    if given is not None:
        stage = opened(given)
        made = (one for one in scorers_with(stage, encoder) if one.fingerprint == models.scorer)
        return next(made, None) or stage.scorer()
    assert models.classifier is not None
    named = models.classifier
    plain = plain_cross_encoder(named.name, beside)
    if plain is not None:
        return HybridScorer(encoder=_encoder(models.encoder), second_stage=plain)
    return scorer_of_profile(named.name, named.fingerprint, beside, scorer=models.scorer, encoder=encoder)


def _encoder(named: ModelPart | None) -> Encoder | None:
    from ..relevance.encoders import TransformerEncoder, default_encoder

    if named is None:
        return None
    default = default_encoder()
    return default if named.name == default.name else TransformerEncoder.open(named.name)


def _refuse_differences(profile: GateProfile, scorer: Scorer, tokenizer: str, rules: Any) -> None:
    differences = []
    if scorer.fingerprint != profile.models.scorer:
        differences.append(_other_model(profile, scorer))
    if tokenizer != profile.models.tokenizer:
        differences.append(f"tokens are counted by {tokenizer}, not by {profile.models.tokenizer}")
    if rules is not None:
        from ..structure import rule_book_of

        differences += profile.rule_book.differences(rule_book_of(rules))
    if differences:
        raise StaleProfile(
            f"The profile {profile.name!r} does not fit this reader: {'; '.join(differences)}; "
            "use what it names, or calibrate again."
        )


def _other_model(profile: GateProfile, scorer: Scorer) -> str:
    """Say in which model two scorers differ; where the models are alike, it is a constant or the version."""
    for role, named in (("encoder", profile.models.encoder), ("second_stage", profile.models.classifier)):
        if not hasattr(scorer, role):
            continue
        mine = getattr(scorer, role)
        called = "classifier" if role == "second_stage" else role
        if mine is None and named is not None:
            return f"it needs the {called} {named.name}, and here is none"
        if mine is not None and named is None:
            return f"it was made without a {called}, and here is {mine.name}"
        if mine is not None and named is not None and mine.fingerprint != named.fingerprint:
            return (
                f"the {called} is {shortened(mine.name, 60)} ({mine.fingerprint[:12]}), "
                f"not {shortened(named.name, 60)} ({named.fingerprint[:12]})"
            )
    return (
        f"the scores are made otherwise ({scorer.fingerprint[:12]}, not {profile.models.scorer[:12]}): "
        f"other options, or another version than {profile.workbench}"
    )
