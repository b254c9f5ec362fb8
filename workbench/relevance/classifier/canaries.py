"""A few pairs whose logits are stored with a classifier and computed again when it is opened.

Weights that were loaded without effect (an adapter that did nothing, a head that was drawn anew) raise no error
anywhere; only what comes out tells.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ...errors import StaleClassifier
from .manifest import CANARIES

Floats = npt.NDArray[np.float32]

LEAST = 5
"""Canaries that a classifier must have."""
TOLERANCE = 1e-3
"""Most that a logit may differ: processors round differently, by a hundredth of this."""
LEAST_SPREAD = 1e-4
"""Canaries whose logits lie closer together tell no model from another."""
_OPPOSITE = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """One pair and its logits.

    Attributes
    ----------
    what : str
        Which kind of input it stands for.
    question, text : str
    logits : tuple of two floats
        Of "not relevant" and "relevant", as stock transformers computes them in single precision with
        ``truncation="only_second"`` at the manifest's ``max_tokens``.
    """

    what: str
    question: str
    text: str
    logits: tuple[float, float] = (0.0, 0.0)


INPUTS = (
    Canary(
        what="with the evidence",
        question="What triggers a backup?",
        text="Operation > Backups\nA backup is started when the free space of the primary volume falls below 15 "
        "percent, when the battery takes over the supply, or by the schedule.",
    ),
    Canary(
        what="without the evidence",
        question="What triggers a backup?",
        text="Operation > Cleaning\nWipe the housing with a dry cloth; do not use solvents.",
    ),
    Canary(
        what="table row",
        question="What was the capital expenditure of the year?",
        text="Cash flow statement > millions 2018 2017\nPurchases of property, plant and equipment\t(1,577)\t(1,373)",
    ),
    Canary(
        what="without context",
        question="Who has to approve a transfer of personal data?",
        text="Transfers of personal data need the approval of the data protection officer.",
    ),
    Canary(
        what="Chinese", question="备份在什么情况下启动？", text="运行 > 备份\n可用空间低于 15 % 时，系统自动启动备份。"
    ),
    Canary(what="empty text", question="When may the landlord end the lease?", text=""),
    Canary(
        what="long",
        question="When may the landlord end the lease?",
        text="Lease > Termination\n"
        + "The landlord may terminate this lease by written notice of thirty days if the tenant fails to pay two "
        "instalments of rent in a row and does not pay them within fourteen days of a reminder. " * 24,
    ),
)
"""The pairs of every export."""


def write_canaries(folder: Path, canaries: Sequence[Canary]) -> None:
    """Write them into the folder of a classifier."""
    said = [asdict(canary) | {"logits": list(canary.logits)} for canary in canaries]
    (folder / CANARIES).write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_canaries(folder: Path) -> tuple[Canary, ...]:
    """Read them.

    Raises
    ------
    StaleClassifier
        If there are none, too few, or some that cannot be read.
    """
    file = folder / CANARIES
    if not file.is_file():
        raise StaleClassifier(
            f"The classifier in {folder} lacks {CANARIES}, so nothing tells whether it computes what it was trained "
            "to; export it again."
        )
    try:
        found = tuple(
            Canary(
                what=str(one["what"]),
                question=str(one["question"]),
                text=str(one["text"]),
                logits=(float(one["logits"][0]), float(one["logits"][1])),
            )
            for one in json.loads(file.read_bytes())
        )
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise StaleClassifier(f"{file} cannot be read ({error}); export the classifier again.") from error
    if len(found) < LEAST:
        raise StaleClassifier(f"{file} holds {len(found)} canaries; at least {LEAST} are needed: export again.")
    return found


def check_canaries(canaries: Sequence[Canary], found: Floats, tolerance: float, folder: Path) -> None:
    """Refuse a model that computes other logits than those that are stored.

    Parameters
    ----------
    canaries : sequence of Canary
    found : ndarray of float32, shape (n, 2)
    tolerance : float
    folder : pathlib.Path
        Named in the message.

    Raises
    ------
    StaleClassifier
    """
    wanted = np.array([canary.logits for canary in canaries], np.float32)
    away = np.abs(np.asarray(found, np.float32) - wanted).max(axis=1)
    if bool((away <= tolerance).all()):
        return
    worst = int(np.argmax(np.where(np.isfinite(away), away, np.inf)))
    told = f"the canary {canaries[worst].what!r} has the logits {_pair(found[worst])}, not {_pair(wanted[worst])}"
    if np.abs(found[:, ::-1] - wanted).max() <= max(tolerance, _OPPOSITE * float(np.ptp(wanted))):
        raise StaleClassifier(
            f"The two logits of the classifier in {folder} are swapped ({told}): its label order is not the one that "
            "it was exported with; export it again."
        )
    raise StaleClassifier(
        f"The classifier in {folder} does not compute what it was exported with: {told}; its weights were loaded "
        "without effect or are others, so export it again."
    )


def _pair(logits: npt.ArrayLike) -> str:
    first, second = np.asarray(logits, np.float64).tolist()
    return f"{first:.4f} and {second:.4f}"
