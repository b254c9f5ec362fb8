"""Documents of a workload that the models of a reader were trained on: nothing that rests on them may be promised."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..calibration.block_thresholds import Estimate
from ..calibration.figures import IN_SAMPLE
from ..calibration.risk import documents_needed
from ..errors import WorkbenchError
from ..printing import counted
from ..reading.classifiers import Seen, seen_by

if TYPE_CHECKING:
    from ..calibration.block_thresholds import BlockThreshold
    from ..calibration.choosing import Choice
    from ..calibration.figures import Figure
    from ..calibration.result import CalibrationResult
    from ..relevance.scores import Scorer
    from .workload import Workload

LEAST_UNSEEN = 5
"""Documents of the split "dev" that no model was trained on, from which on everything is fitted on them alone."""
_JOINED = {".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz"}


@dataclass(frozen=True, eq=False, kw_only=True)
class Unseen:
    """What a calibration may rest on.

    Attributes
    ----------
    workload : Workload
        Without the documents that a model was trained on, where enough others remain.
    in_sample : str
        Why every figure of the split "dev" is in sample; "" where none is.
    unpromised : str
        Why nothing can be promised; "" where something might be.
    notes : tuple of str
        What must be said in the profile and in the report.
    """

    workload: Workload
    in_sample: str = ""
    unpromised: str = ""
    notes: tuple[str, ...] = ()


def unseen(workload: Workload, scorer: Scorer) -> Unseen:
    """Leave out the documents that the models of a scorer were trained on, or say that everything is in sample.

    A model learns its documents by heart: its scores there are better than they will be on any other, so maps, a
    threshold and a promise that rest on them do not hold.
    """
    about = seen_by(scorer)
    if not about.name:
        return Unseen(workload=workload)
    seen = _seen_of(workload, about)
    rest = [key for key in workload.documents if key not in seen]
    fitted_on = set(workload.split("dev").documents)
    unknown = () if about.known else (_not_known(about),)
    said = f"the {about.name} was trained on or chosen by {len(seen):,} of the {len(workload.documents):,} documents"
    if fitted_on & seen and len(fitted_on - seen) < LEAST_UNSEEN:
        others = counted(len(fitted_on - seen), "other")
        why = (
            f"All figures are in sample and nothing is promised: {said}, and {others} to fit on "
            f"{'is' if len(fitted_on - seen) == 1 else 'are'} too few ({LEAST_UNSEEN} are needed); calibrate on "
            "documents that it has not seen."
        )
        # What is only judged is judged on the others all the same.
        kept = [key for key in workload.documents if key in fitted_on or key not in seen]
        return Unseen(workload=workload.of_documents(kept), in_sample=why, unpromised=why, notes=(why, *unknown))
    if not seen:
        return Unseen(workload=workload, unpromised=unknown[0] if unknown else "", notes=unknown)
    note = f"Left out, for {said}; all that was fitted or judged rests on the other {len(rest):,}."
    return Unseen(
        workload=workload.of_documents(rest), unpromised=unknown[0] if unknown else "", notes=(note, *unknown)
    )


def _seen_of(workload: Workload, about: Seen) -> set[str]:
    found = set()
    for key in workload.documents if about.documents else ():
        try:
            if _sha256s(workload, key) & about.documents:
                found.add(key)
        except WorkbenchError:
            continue  # it cannot be read, and the replay says so
    return found


def _sha256s(workload: Workload, key: str) -> set[str]:
    """Return the hash of an artifact, and that of its document where several files are joined into one."""
    found = {workload.artifacts.sha256(key)}
    held = key in workload.artifacts.documents
    if not held and (workload.path_of(key).is_dir() or workload.path_of(key).suffix.lower() in _JOINED):
        found.add(workload.open(key).sha256)
    return found


def _not_known(about: Seen) -> str:
    return (
        f"It is not known on which documents the {about.name} was trained, so figures may be in sample, and nothing is "
        "promised; train it again, or export it with trained_on."
    )


def result_in_sample(result: CalibrationResult, *why: str) -> CalibrationResult:
    """Return a result without figures out of sample: folds hold documents out of the gate, not out of the model."""
    return replace(
        unpromised(result, *why),
        out_of_sample=(),
        outside=None,
        margins_out=None,
        baselines={name: _in_sample(figures) for name, figures in result.baselines.items()},
    )


def unpromised(result: CalibrationResult, *why: str) -> CalibrationResult:
    """Return a result with notes, and of which nothing can be promised."""
    promise = replace(result.promise, alpha=None, control=None, promise_documents=0, reachable=1.0)
    return replace(result, promise=promise, notes=(*why, *result.notes))


def choice_in_sample(choice: Choice) -> Choice:
    """Return a choice whose figures are in sample."""
    candidates = {name: _in_sample(figures) for name, figures in choice.candidates.items()}
    return replace(choice, candidates=candidates, headline=())


def blocks_unpromised(blocks: BlockThreshold, *, in_sample: bool) -> BlockThreshold:
    """Return a block threshold of which nothing can be promised, and whose figures are perhaps in sample."""
    alpha = 1 - blocks.recall
    risk = replace(
        blocks.risk,
        index=None,
        reachable=1.0,
        documents=0,
        documents_needed=documents_needed(alpha),
    )
    found = replace(blocks, promised=False, risk=risk, by_type=blocks.by_type.assign(promised=False))
    if not in_sample:
        return found
    nothing = Estimate(float(np.nan))
    return replace(found, out_of_sample=nothing, kept_out_of_sample=nothing)


def _in_sample(figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
    return tuple(replace(figure, split=IN_SAMPLE) for figure in figures)
