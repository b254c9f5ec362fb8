"""What ``workbench read`` and ``workbench chat`` let a person choose: scorer, rules, cut, budget."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printing import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..documents import Document
    from ..reading import Reading, SparseReader, Threshold
    from ..reading.sessions import Session
    from ..relevance.calibrated import Calibration
    from ..relevance.scores import Scorer


class Count(click.ParamType[int]):
    """How many to print: a number, or all."""

    name = "count"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or fail with what is allowed."""
        if value == "all":
            return sys.maxsize
        if not str(value).isascii() or not str(value).isdigit():
            self.fail(f"{value!r} is no count; give a number from 0 on, or all.", param, ctx)
        return int(value)


_OPTIONS = (
    click.option("--profile", type=click.Path(path_type=Path), metavar="JSON", help="Read as a gate profile says."),
    click.option("--rules", metavar="TABLE", help="Rule table: a YAML file, or a name [that of the document's type]."),
    click.option("--budget", type=int, metavar="N", help="Most tokens of the kept text; never exceeded [none]."),
    click.option("--token-share", type=float, metavar="S", help="Keep the best blocks up to this share [0.2]."),
    click.option("--min-tokens", type=int, metavar="N", help="Tokens kept however small the share is [3000]."),
    click.option("--threshold", type=float, metavar="P", help="Keep by priority instead; needs --calibration."),
    click.option("--uncalibrated", is_flag=True, help="Take --threshold for a position among uncalibrated scores."),
    click.option(
        "--calibration", type=click.Path(path_type=Path), metavar="JSON", help="Makes probabilities of the scores."
    ),
    click.option("--scope", metavar="SCOPE", help="What is asked for: point, several, aggregate or whole."),
    click.option("--model", metavar="NAME", help="Folder or name of another encoder; nothing is fetched."),
    click.option("--no-model", is_flag=True, help="Structure first: words and rules alone decide."),
    click.option("--classifier", metavar="FOLDER", help="A trained classifier as the second stage."),
    click.option("--tokenizer", metavar="NAME", help="What counts tokens [o200k_base]."),
    click.option("--item", metavar="NAME", help="The document to open in a folder or archive."),
    click.option("--progress/--no-progress", default=None, help="Show progress [in a terminal]."),
)


def choice_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of ``Choices``, ``--item`` and ``--progress``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What was chosen; None is the default of ``SparseReader``."""

    rules: str | None = None
    budget: int | None = None
    token_share: float | None = None
    min_tokens: int | None = None
    threshold: float | None = None
    uncalibrated: bool = False
    calibration: Path | None = None
    scope: str | None = None
    model: str | None = None
    no_model: bool = False
    classifier: str | None = None
    tokenizer: str | None = None
    progress: bool | None = None
    profile: Path | None = None

    def __post_init__(self) -> None:
        if self.profile is not None:
            self._check_profile()
        if self.model is not None and self.no_model:
            raise click.UsageError("Give --model or --no-model, not both.")
        if self.classifier is not None and (self.model is not None or self.no_model):
            other = "--no-model" if self.no_model else "--model"
            raise click.UsageError(f"A classifier comes with an encoder of its own; leave {other} out.")
        if self.uncalibrated and self.threshold is None:
            raise click.UsageError("--uncalibrated says what --threshold is meant for; give that as well.")
        if self.threshold is None:
            return
        if self.token_share is not None or self.min_tokens is not None:
            raise click.UsageError("A reading has one cut: give --threshold, or --token-share with --min-tokens.")
        if not self.uncalibrated and self.calibration is None:
            raise click.UsageError(
                "A threshold is meant for calibrated relevance: give --calibration, cut by --token-share, or say with "
                "--uncalibrated that you mean a position among these scores."
            )

    def _check_profile(self) -> None:
        """A profile decides the cut and the maps; what else is named must be what it names."""
        decided = ("token_share", "min_tokens", "threshold", "calibration")
        given = [f"--{name.replace('_', '-')}" for name in decided if getattr(self, name) is not None]
        if given:
            raise click.UsageError(f"--profile decides how blocks are cut; leave {', '.join(given)} out.")

    def reader(self) -> SparseReader:
        """Return a reader; the model is loaded when the first block is scored."""
        from ..reading import AUTO, SparseReader
        from ..reading.cuts import MIN_TOKENS, TOKEN_SHARE

        scorer: Any = AUTO
        if self.no_model:
            scorer = None
        elif self.model is not None:
            scorer = _scorer_with(self.model)
        if self.profile is not None:
            return SparseReader.from_profile(self.profile, **self._beside_a_profile(scorer))
        return SparseReader(
            scorer=scorer,
            classifier=self.classifier,
            rules=self.rules,
            calibration=_calibration(self.calibration),
            tokenizer=self.tokenizer,
            token_share=TOKEN_SHARE if self.token_share is None else self.token_share,
            min_tokens=MIN_TOKENS if self.min_tokens is None else self.min_tokens,
        )

    def _beside_a_profile(self, scorer: Any) -> dict[str, Any]:
        from ..relevance.hybrid import HybridScorer

        beside: dict[str, Any] = {"rules": self.rules}
        if self.classifier is not None:
            beside["classifier"] = self.classifier
        if self.tokenizer is not None:
            beside["tokenizer"] = self.tokenizer
        if self.no_model:
            beside["scorer"] = HybridScorer(encoder=None)
        elif self.model is not None:
            beside["scorer"] = scorer
        return beside

    def read(
        self, reader: SparseReader, document: Document, question: str, *, session: Session | None = None
    ) -> Reading:
        """Read, and tell a threshold on the wrong scale in terms of the shell."""
        from ..errors import ScaleMismatch

        try:
            return reader.read(
                document,
                question,
                session=session,
                budget_tokens=self.budget,
                threshold=self._cut(),
                scope=self.scope,
                progress=self.progress,
            )
        except ScaleMismatch as error:
            raise ScaleMismatch(self._mismatch(document)) from error

    def _cut(self) -> Threshold | None:
        from ..reading import Threshold
        from ..relevance.scores import Scale

        if self.threshold is None:
            return None
        return Threshold(self.threshold, scale=Scale.UNCALIBRATED if self.uncalibrated else Scale.CALIBRATED)

    def _mismatch(self, document: Document) -> str:
        kind, name = document.document_type.value, printable(document.name)
        if self.uncalibrated:
            return f"The scores of {name} are calibrated, so its threshold is a probability; leave --uncalibrated out."
        return (
            f"The calibration has nothing for {kind} documents, so the scores of {name} are uncalibrated; cut by "
            "--token-share, or say with --uncalibrated that you mean a position among these scores."
        )


def _scorer_with(model: str) -> Scorer:
    from ..errors import MissingModel
    from ..relevance.encoders import TransformerEncoder
    from ..relevance.hybrid import HybridScorer

    try:
        return HybridScorer(encoder=TransformerEncoder.open(model))
    except MissingModel as error:
        if Path(model).expanduser().is_dir() or isinstance(error.__cause__, ImportError):
            raise
        raise MissingModel(
            f"There is no folder {model}, and no model of that name was fetched before; give --model the folder of a "
            "transformer, or leave it out."
        ) from error


def _calibration(path: Path | None) -> Calibration | None:
    if path is None:
        return None
    from ..errors import FileMissing, StaleCalibration
    from ..relevance.calibrated import Calibration

    try:
        text = path.expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise FileMissing(f"The calibration {path} cannot be read ({error.strerror}); check the path.") from error
    except UnicodeDecodeError as error:
        raise StaleCalibration(f"{path.name} is no calibration, for it is not UTF-8; calibrate again.") from error
    try:
        return Calibration.from_json(text)
    except StaleCalibration as error:
        raise StaleCalibration(f"{path.name}: {error}") from error
