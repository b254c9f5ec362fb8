"""The errors an analyst can meet: one family, one class per mistake that a person can mend.

Every message is one sentence that says what was given, what is allowed and what to do.
"""

from __future__ import annotations

from typing import Any


class WorkbenchError(Exception):
    """Base of every error that the workbench raises on purpose."""


class FileMissing(WorkbenchError):
    """The path does not lead to a file or folder that can be read."""


class EmptyFile(WorkbenchError):
    """The file holds no bytes."""


class UnsupportedFormat(WorkbenchError):
    """No registered format reads this content."""


class DamagedFile(WorkbenchError):
    """The content does not follow its format and cannot be read."""


class EncryptedFile(WorkbenchError):
    """The file needs a password that was not given, or another one."""


class UnsafeFile(WorkbenchError):
    """The file would harm the machine if it were opened: a bomb, or a path that leaves its archive."""


class InvalidOption(WorkbenchError):
    """An option has an unknown name or a value outside its range."""


class AnchorMismatch(WorkbenchError):
    """An anchor does not belong to this document."""


class ParserFailed(WorkbenchError):
    """A parser crashed in its worker process; the kernel and other documents are not affected."""


class MissingDependency(WorkbenchError):
    """A feature needs a package that is not installed."""


class MissingModel(WorkbenchError):
    """A model is neither installed nor at the path that was named."""


class DamagedModel(WorkbenchError):
    """The weights of a model are not those that were published."""


class InvalidRules(WorkbenchError):
    """A rule table has a mistake; the message names the file, the line, the rule and the remedy."""


class InvalidQuestion(WorkbenchError):
    """A question is empty, or longer than any question."""


class ScaleMismatch(WorkbenchError):
    """A cut for calibrated relevance meets scores without calibration, or scores of two scales are compared."""


class CalibrationRefused(WorkbenchError):
    """Scores and labels from which no honest calibration can be fitted."""


class StaleCalibration(WorkbenchError):
    """A calibration was fitted on the scores of another model, or with other options."""


class InvalidWorkload(WorkbenchError):
    """A workload has mistakes; the message names file, line, field and remedy of each."""


class InvalidOutcomes(WorkbenchError):
    """A table of outcomes or scores has rows or columns that nothing can be fitted on."""


class InvalidProfile(WorkbenchError):
    """A gate profile is none, is of a newer version, or holds values outside their range."""


class StaleProfile(WorkbenchError):
    """A gate profile was made with another model, other rules or another tokenizer; the message names each."""


class InvalidAudit(WorkbenchError):
    """An audit cannot be read or written, is of another layout, or was changed after it was sealed."""


class Unreachable(WorkbenchError):
    """A recall floor or a promise that no threshold reaches; the message names the best that is reachable."""


class EndpointFailed(WorkbenchError):
    """The endpoint of a language model cannot be reached, refuses, or answers nonsense."""


class CostCeiling(WorkbenchError):
    """Asking a language model would cost more than was allowed."""


class SessionDenied(WorkbenchError):
    """A session belongs to another user, or its name is no name."""


class SessionStoreFailed(WorkbenchError):
    """The store of the sessions cannot be reached or read."""


class WorkspaceFailed(WorkbenchError):
    """The folder of a workspace cannot be read or written."""


class InvalidLabels(WorkbenchError):
    """A label, or a file of labels, cannot be read: which one, what is wrong with it, and what to do."""


class LabelStoreFailed(WorkbenchError):
    """The file of the labels cannot be read or written."""


class TrainingRefused(WorkbenchError):
    """What is there cannot be divided, mined or trained on: too little of what, and what would do."""


class TrainingFailed(WorkbenchError):
    """A training broke off: at which step, on which rows, and what to do."""


class StaleClassifier(WorkbenchError):
    """A classifier does not fit what it was made with: its base, labels, files or scores."""


class LimitExceeded(WorkbenchError):
    """A limit was reached: its name, the value met, and the setting that raises it.

    Attributes
    ----------
    setting : str
        Name of the field of ``ReadOptions`` that holds the limit.
    limit, value : Any
        The limit in force and the value that met it, in the setting's unit.
    """

    def __init__(self, message: str, *, setting: str, limit: Any, value: Any) -> None:
        super().__init__(message)
        self.setting = setting
        self.limit = limit
        self.value = value

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_limit, (str(self), self.setting, self.limit, self.value)


def _rebuild_limit(message: str, setting: str, limit: Any, value: Any) -> LimitExceeded:
    return LimitExceeded(message, setting=setting, limit=limit, value=value)
