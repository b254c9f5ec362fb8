"""Replay a workload: both paths of every request, as a table of outcomes."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from ...caching import CacheFolder
from ...documents.progress import showing
from ...errors import InvalidOption, InvalidWorkload
from ...gate.signal_options import SignalOptions
from ...printing import counted, printable, shortened
from ...reading import SparseReader
from ..workload import Workload
from .keys import outcome_keys, reader_values
from .options import checked_processes, checked_share, chosen_processes
from .outcomes import COLUMNS, SCHEMA, outcomes_frame
from .replaying import SAID_BY_REQUEST, SUFFIX, Failed, Replayer, Row, Task, described
from .running import by_document, run

if TYPE_CHECKING:
    import pandas as pd

    from ..endpoint.ceiling import Ceiling
    from ..endpoint.options import Endpoint

_FAILURES_SHOWN = 3

_log = logging.getLogger("workbench")


def replay(
    workload: Workload,
    reader: SparseReader | None = None,
    *,
    options: SignalOptions | None = None,
    advisory_share: float = 0.5,
    processes: int | None = None,
    cache: bool = True,
    resume: bool = True,
    progress: bool | None = None,
    endpoint: Endpoint | None = None,
    ceiling: Ceiling | None = None,
) -> pd.DataFrame:
    """Take both paths of every request of a workload, and return what they cost and yield.

    Without a model that answers, quality is evidence recall: the share of the gold evidence that an agent has seen.
    What has been replayed is remembered, request by request, so that a second replay takes milliseconds each, and one
    that was killed goes on where it was.

    Parameters
    ----------
    workload : Workload
    reader : SparseReader, optional
        Reads on the sparse path; one with the embedded model by default.
    options : SignalOptions, optional
        What the signals expect, and in ``exchange`` what calls carry: on both paths the same is counted.
    advisory_share : float
        Probability that an advisory request takes the sparse path.
    processes : int, optional
        How many processes share the documents; by default as many as there are cores, at most 4, where there is work on
        at least 4 documents, else this one alone. The table does not depend on it.
    cache : bool
        Whether outcomes and scores are remembered on disk, and those that are there used.
    resume : bool
        False replays every request anew, on the scores that are remembered.
    progress : bool, optional
        Whether progress is shown; by default in terminals and notebooks.
    endpoint : Endpoint, optional
        A language model that is asked on both paths, as ``ask_workload`` does: its grades are the quality then. Text of
        the documents is sent to it; without one nothing is sent anywhere.
    ceiling : Ceiling, optional
        The most that asking may cost.

    Returns
    -------
    DataFrame
        One row a request, in the order of the workload; columns and attrs are listed in
        ``workbench.workload.replay.outcomes``. A request that could not be replayed is in no row, but with the reason
        in ``attrs["failed"]``, and a warning is logged.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range.
    InvalidWorkload
        If there is no request, or none could be replayed.
    MissingDependency, EndpointFailed, CostCeiling
        Where an endpoint is given, as ``ask_workload`` raises them.

    Examples
    --------
    >>> import workbench as wb
    >>> from workbench.workload import load_workload
    >>> outcomes = replay(load_workload("datasets/dev"))  # doctest: +SKIP
    """
    reader, signal_options = checked_input(workload, reader, options)
    share, asked = checked_share(advisory_share), checked_processes(processes)
    keys = outcome_keys(workload, reader, signal_options.to_dict()) if cache else [None] * len(workload.requests)
    folder = CacheFolder(SUFFIX)
    found: dict[int, Row | Failed] = {}
    tasks = []
    for index, (request, key) in enumerate(zip(workload.requests, keys, strict=True)):
        row = _remembered(folder, key) if resume and key is not None else None
        if row is None:
            tasks.append(Task(index, request, key))
        else:
            found[index] = row
    groups = by_document(tasks)
    total = len(workload.requests)
    with showing(f"Replaying {printable(workload.name)}", progress) as report:
        replayer = Replayer(workload, reader, signal_options, cache=cache)
        count = chosen_processes(asked, len(groups))
        done = run(replayer, groups, what="outcomes", processes=count, tick=lambda: report(len(found), total))
        # An interrupt may come outside the generator, whose processes must end all the same.
        with closing(done):
            for task, outcome in done:
                found[task.index] = outcome
                report(len(found), total)
    outcomes = _table(workload, reader, signal_options, share, [found[index] for index in range(total)])
    if endpoint is None:
        return outcomes
    from ..endpoint.asking import ask_workload

    return ask_workload(workload, outcomes, reader, endpoint, ceiling=ceiling, cache=cache, progress=progress)


def checked_input(
    workload: Workload, reader: SparseReader | None, options: SignalOptions | None
) -> tuple[SparseReader, SignalOptions]:
    """Return what a replay needs, with the defaults for what was not given.

    Raises
    ------
    InvalidOption
        For a value of the wrong type.
    InvalidWorkload
        If there is no request.
    """
    if not isinstance(workload, Workload):
        raise InvalidOption(f"A replay needs a Workload, not {type(workload).__name__}; load one with load_workload.")
    if reader is not None and not isinstance(reader, SparseReader):
        raise InvalidOption(f"reader is of type {type(reader).__name__}; give a SparseReader, or None.")
    if options is not None and not isinstance(options, SignalOptions):
        raise InvalidOption(f"options is of type {type(options).__name__}; give SignalOptions, or None.")
    if not workload.requests:
        raise InvalidWorkload(
            f"The workload {workload.name!r} has no requests, so there is nothing to replay; add some."
        )
    return reader or SparseReader(), options or SignalOptions()


def _remembered(folder: CacheFolder, key: str) -> Row | None:
    data = folder.load(key)
    if data is None:
        return None
    try:
        row: Row = json.loads(data)
        missing = COLUMNS.keys() - row.keys() - SAID_BY_REQUEST
    except (ValueError, AttributeError) as error:
        folder.drop(key, str(error))
        return None
    if missing:
        folder.drop(key, f"it has no {min(missing)}")
        return None
    return row


def _table(
    workload: Workload, reader: SparseReader, options: SignalOptions, share: float, found: Sequence[Row | Failed]
) -> pd.DataFrame:
    rows, failed = [], []
    for request, outcome in zip(workload.requests, found, strict=True):
        if isinstance(outcome, Failed):
            failed.append({"request": request.id, "reason": outcome.reason})
        else:
            rows.append(described(request, outcome, share))
    if failed:
        _tell(workload, failed, none_left=not rows)
    attrs: dict[str, Any] = {
        "outcomes": SCHEMA,
        "workload": {"name": workload.name, "fingerprint": _fingerprint(workload)},
        "reader": reader_values(reader),
        "options": options.to_dict(),
        "advisory_share": share,
        "failed": failed,
    }
    return outcomes_frame(rows, attrs)


def _fingerprint(workload: Workload) -> str | None:
    """Return the workload's fingerprint, None where an artifact is gone: its requests are among the failed ones."""
    from ...errors import WorkbenchError

    try:
        return workload.fingerprint
    except (WorkbenchError, OSError):
        return None


def _tell(workload: Workload, failed: Sequence[dict[str, str]], *, none_left: bool) -> None:
    shown = "; ".join(f"{one['request']}: {shortened(one['reason'], 200)}" for one in failed[:_FAILURES_SHOWN])
    more = f"; and {len(failed) - _FAILURES_SHOWN:,} more" if len(failed) > _FAILURES_SHOWN else ""
    if none_left:
        raise InvalidWorkload(
            f"None of the {counted(len(failed), 'request')} of {workload.name!r} could be replayed ({shown}{more}); "
            "mend them and replay again."
        )
    _log.warning(
        "%d of %d requests of %s could not be replayed and are in no row: %s%s",
        len(failed),
        len(workload.requests),
        printable(workload.name),
        shown,
        more,
    )
