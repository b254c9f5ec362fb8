"""Ask a model on both paths of every request, and put the grades of its answers in the place of evidence recall."""

from __future__ import annotations

import logging
import os
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...caching import default_folder, key_of
from ...documents.progress import showing
from ...errors import EndpointFailed, InvalidOption, InvalidOutcomes, WorkbenchError
from ...gate.signal_options import SignalOptions
from ...printing import counted, printable, shortened
from ...reading import SparseReader
from ..replay.keys import reader_values
from ..replay.replaying import remembering
from ..replay.replays import checked_input
from ..requests import Request
from ..workload import Workload
from .answers import Answers
from .ceiling import Account, Ceiling
from .client import ChatClient, EndpointUseless
from .exchanges import COLUMNS, Answered, ask
from .options import Endpoint
from .texts import Observed, observed
from .transcript import Transcript

if TYPE_CHECKING:
    import pandas as pd

IN_A_ROW = 5
"""Requests that fail one after the other, with none answered between, before no more are asked."""
_WAITING = 2
"""Requests that are prepared for each one that is asked: their texts are in memory."""
_FAILURES_SHOWN = 3
_CHANGED = "It keeps other blocks than its outcome says; replay the workload anew, and ask again."

_log = logging.getLogger("workbench")


def ask_workload(
    workload: Workload,
    outcomes: pd.DataFrame,
    reader: SparseReader | None,
    endpoint: Endpoint,
    *,
    ceiling: Ceiling | None = None,
    advisory: bool = True,
    transcript: str | os.PathLike[str] | None = None,
    transcript_texts: bool = True,
    cache: bool = True,
    progress: bool | None = None,
) -> pd.DataFrame:
    """Ask a language model to answer every request from what it sees on each path, and grade its answers.

    Text of the workload's documents is sent to the endpoint that is named, and nowhere else. What it answered is
    remembered, so that a second run asks nothing, and one that was stopped goes on where it was.

    Parameters
    ----------
    workload : Workload
    outcomes : DataFrame
        What ``replay`` made of this workload with this reader.
    reader : SparseReader or None
        None for the one with the embedded model.
    endpoint : Endpoint
    ceiling : Ceiling, optional
        The most that this run may cost; no limit by default.
    advisory : bool
        Whether the model is also asked, from the preview alone, which way it would read; where it chooses,
        ``advisory_sparse`` is 0 or 1. Not asked where a constraint decides.
    transcript : str or path, optional
        Where every exchange is added as a line of JSON; by default a file in the cache folder, which
        ``attrs["endpoint"]["transcript"]`` names.
    transcript_texts : bool
        Whether the transcript holds the messages, or only their hashes.
    cache : bool
        Whether answers are remembered on disk, and those that are there used.
    progress : bool, optional
        Whether progress is shown; by default in terminals and notebooks.

    Returns
    -------
    DataFrame
        The outcomes, with ``quality_native``, ``quality_sparse``, ``quality_kind``, ``advisory_sparse`` and ``reasons``
        set anew, and with the columns of ``workbench.workload.endpoint.exchanges.COLUMNS``. A request for which the
        endpoint failed is in no row, but in ``attrs["failed"]``; one that cannot be graded keeps evidence recall.
        ``attrs["endpoint"]`` says who was asked, and what this run spent.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range.
    InvalidOutcomes
        If the outcomes are of another workload or reader.
    MissingDependency
        If the package httpx is not installed.
    EndpointFailed
        If the endpoint refuses every request, or fails for several in a row.
    CostCeiling
        Before a call that might cost more than is left. What was asked so far is remembered.

    Examples
    --------
    >>> from workbench.workload.endpoint import Endpoint
    >>> endpoint = Endpoint(base_url="http://127.0.0.1:8000/v1", model="small")
    >>> graded = ask_workload(workload, replay(workload), None, endpoint)  # doctest: +SKIP
    """
    if not isinstance(endpoint, Endpoint):
        raise InvalidOption(f"endpoint is of type {type(endpoint).__name__}; give an Endpoint.")
    if ceiling is not None and not isinstance(ceiling, Ceiling):
        raise InvalidOption(f"ceiling is of type {type(ceiling).__name__}; give a Ceiling, or None.")
    reader, _ = checked_input(workload, reader, None)
    options, requests = _checked(workload, outcomes, reader)
    file = Path(transcript) if transcript is not None else _default_transcript(workload, endpoint)
    account = Account(ceiling)
    kept = dict(zip(outcomes["request"], outcomes["tokens_kept"], strict=True)) if "tokens_kept" in outcomes else {}
    constrained = set(outcomes.loc[outcomes["constraint"] != "", "request"]) if "constraint" in outcomes else set()
    done: dict[str, Answered | str] = {}
    with (
        ChatClient(endpoint, account) as client,
        Transcript(file, texts=transcript_texts) as written,
        showing(f"Asking {printable(endpoint.model)}", progress) as report,
    ):
        answers = Answers(client, written, cache=cache)
        work = _observed(workload, requests, remembering(reader) if cache else reader, options, kept)
        jobs = _Jobs(answers, {request.id for request in requests if advisory} - constrained)
        # An interrupt may come outside the generator, whose threads must end all the same.
        with closing(jobs.run(work)) as running:
            for request, found in running:
                done[request] = found
                report(len(done), len(requests))
    about = {**endpoint.to_dict(), "spent": account.spent.to_dict(), "transcript": str(file)}
    return _graded(outcomes, done, about)


class _Jobs:
    """Requests that are asked at once, a few of them prepared in advance."""

    def __init__(self, answers: Answers, advised: set[str]) -> None:
        self._answers = answers
        self._advised = advised
        self._in_a_row = 0

    def run(self, work: Iterator[Observed | tuple[str, str]]) -> Generator[tuple[str, Answered | str], None, None]:
        """Give the id of each request with what was answered, or with the reason why nothing was."""
        client = self._answers.client
        pool = ThreadPoolExecutor(int(client.endpoint.parallel), "asking")
        pending: dict[Future[Answered], str] = {}
        try:
            for item in work:
                if isinstance(item, tuple):
                    yield item
                    continue
                job = pool.submit(ask, item, self._answers, advisory=item.request.id in self._advised)
                pending[job] = item.request.id
                while len(pending) >= _WAITING * int(client.endpoint.parallel):
                    yield from self._finished(pending)
            while pending:
                yield from self._finished(pending)
        except BaseException as error:
            client.stop()
            # What is under way is paid for: it is waited for and remembered, unless a person is waiting.
            pool.shutdown(wait=isinstance(error, WorkbenchError), cancel_futures=True)
            raise
        pool.shutdown()

    def _finished(self, pending: dict[Future[Answered], str]) -> Iterator[tuple[str, Answered | str]]:
        for job in wait(pending, return_when=FIRST_COMPLETED).done:
            request = pending.pop(job)
            try:
                found: Answered | str = job.result()
                self._in_a_row = 0
            except EndpointUseless:
                raise
            except EndpointFailed as error:
                found = str(error)
                self._in_a_row += 1
                if self._in_a_row >= IN_A_ROW:
                    raise EndpointFailed(
                        f"{counted(IN_A_ROW, 'request')} failed one after the other, so no more are asked: {error}"
                    ) from None
            yield request, found


def _observed(
    workload: Workload,
    requests: list[Request],
    reader: SparseReader,
    options: SignalOptions,
    kept: dict[str, int],
) -> Iterator[Observed | tuple[str, str]]:
    """Give what is seen for each request, document by document, or its id and why it cannot be read."""
    groups: dict[str, list[Request]] = {}
    for request in requests:
        groups.setdefault(request.document_key, []).append(request)
    for group in groups.values():
        given = 0
        try:
            document = workload.open(group[0], progress=False)
            for seen in observed(document, group, reader, options.exchange):
                given += 1
                known = kept.get(seen.request.id, seen.kept)
                yield seen if known == seen.kept else (seen.request.id, _CHANGED)
        except WorkbenchError as error:
            yield from ((request.id, str(error)) for request in group[given:])


def _checked(workload: Workload, outcomes: pd.DataFrame, reader: SparseReader) -> tuple[SignalOptions, list[Request]]:
    """Return the options of the replay and the requests in its order."""
    advice = "replay the workload with this reader, and give what replay returns"
    attrs = outcomes.attrs
    if "request" not in outcomes or "options" not in attrs or "reader" not in attrs:
        raise InvalidOutcomes(f"These outcomes do not say how they were made; {advice}.")
    values = reader_values(reader)
    if different := sorted(name for name, value in values.items() if attrs["reader"].get(name) != value):
        raise InvalidOutcomes(f"These outcomes were made with another reader ({', '.join(different)}); {advice}.")
    known = {request.id: request for request in workload.requests}
    strange = [name for name in outcomes["request"] if name not in known]
    made_of = attrs.get("workload", {}).get("fingerprint")
    if strange or (made_of is not None and made_of != _fingerprint(workload)):
        which = f" (no request {shortened(str(strange[0]), 60)!r} is in {workload.name!r})" if strange else ""
        raise InvalidOutcomes(f"These outcomes are of another workload{which}; {advice}.")
    return SignalOptions.from_dict(attrs["options"]), [known[name] for name in outcomes["request"]]


def _fingerprint(workload: Workload) -> str | None:
    """Return the workload's fingerprint, None where an artifact is gone: a replay has none then either."""
    try:
        return workload.fingerprint
    except (WorkbenchError, OSError):
        return None


def _graded(outcomes: pd.DataFrame, done: dict[str, Answered | str], about: dict[str, Any]) -> pd.DataFrame:
    """Return the rows that were answered, with what their answers set."""
    import pandas as pd

    answered = {name: found for name, found in done.items() if isinstance(found, Answered)}
    failed = [{"request": name, "reason": done[name]} for name in outcomes["request"] if isinstance(done[name], str)]
    if failed:
        _tell(failed, none_left=not answered)
    frame = outcomes[outcomes["request"].isin(answered)].reset_index(drop=True)
    found = [answered[name] for name in frame["request"]]
    for name in ("quality_native", "quality_sparse", "quality_kind", "advisory_sparse"):
        column = frame[name].tolist()
        values = [one.values.get(name, before) for one, before in zip(found, column, strict=True)]
        frame[name] = pd.Series(values, dtype=outcomes[name].dtype)
    if "reasons" in frame:
        reasons = [
            " ".join([before, *one.reasons]).strip() for before, one in zip(frame["reasons"], found, strict=True)
        ]
        frame["reasons"] = pd.Series(reasons, dtype=outcomes["reasons"].dtype)
    for name, kind in COLUMNS.items():
        frame[name] = pd.Series([one.values[name] for one in found], dtype=kind)
    about["tokens"] = sum(one.tokens for one in found)
    frame.attrs = {**outcomes.attrs, "endpoint": about, "failed": [*outcomes.attrs.get("failed", []), *failed]}
    return frame


def _tell(failed: list[dict[str, Any]], *, none_left: bool) -> None:
    shown = "; ".join(f"{one['request']}: {shortened(str(one['reason']), 300)}" for one in failed[:_FAILURES_SHOWN])
    more = f"; and {len(failed) - _FAILURES_SHOWN:,} more" if len(failed) > _FAILURES_SHOWN else ""
    if none_left:
        raise EndpointFailed(f"None of the {counted(len(failed), 'request')} was answered ({shown}{more}).")
    _log.warning("%s without an answer, in no row: %s%s", counted(len(failed), "request"), shown, more)


def _default_transcript(workload: Workload, endpoint: Endpoint) -> Path:
    identity = key_of(workload.name, endpoint.base_url, endpoint.model)[:16]
    return default_folder() / "transcripts" / f"{identity}.jsonl"
