"""A workload: requests on which weights and thresholds are fitted or judged, and the artifacts that they are about."""

from __future__ import annotations

import hashlib
import html
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..documents.collections.archives import clean_name
from ..documents.surrogates import without_surrogates
from ..errors import InvalidOption, InvalidWorkload
from ..printing import counted
from ..structure.naming import nearest
from .artifacts import OpenArtifacts
from .requests import REQUEST_FIELDS, SPLITS, Request

if TYPE_CHECKING:
    import pandas as pd

    from ..documents import Document, ReadOptions


@dataclass(frozen=True, eq=False, kw_only=True)
class Workload:
    """Requests and their artifacts; made by ``load_workload``, or by ``Workload.of`` from objects in memory.

    Attributes
    ----------
    name : str
    requests : tuple of Request
        In the order of the file.
    folder : pathlib.Path or None
        Where the artifacts lie; None for a workload in memory.
    description : str
    """

    name: str
    requests: tuple[Request, ...]
    folder: Path | None = None
    description: str = ""
    artifacts: OpenArtifacts = field(default_factory=OpenArtifacts, repr=False)

    @classmethod
    def of(
        cls,
        requests: Iterable[Request],
        documents: Mapping[str, Document] | None = None,
        *,
        name: str = "in memory",
        description: str = "",
        folder: str | Path | None = None,
    ) -> Workload:
        """Return a workload of objects in memory.

        Parameters
        ----------
        requests : iterable of Request
        documents : mapping of str to Document, optional
            The documents by the artifact that the requests name; needed for every artifact that is in no folder.
        name, description : str
        folder : path, optional
            Where artifacts without a document lie.

        Raises
        ------
        InvalidWorkload
            If two requests have one id, an artifact is in two splits, or one has neither document nor folder.
        """
        entries = tuple(requests)
        place = None if folder is None else Path(folder)
        held = {clean_name(artifact): document for artifact, document in (documents or {}).items()}
        problems = [f"request {request.id!r}, {name}: {problem}" for request, name, problem in clashes(entries)]
        if folder is None:
            missing = dict.fromkeys(r.document_key for r in entries if r.document_key not in held)
            problems += [f"artifact {key!r} has no document; add it to documents" for key in missing]
        if problems:
            raise InvalidWorkload(f"The workload {name!r} has mistakes: {'; '.join(problems[:20])}.")
        return cls(
            name=name,
            requests=entries,
            folder=place,
            description=description,
            artifacts=OpenArtifacts(place, held),
        )

    def __post_init__(self) -> None:
        if self.folder is not None and self.artifacts.folder is None and not self.artifacts.documents:
            object.__setattr__(self, "artifacts", OpenArtifacts(self.folder))

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The keys of the documents that the requests are about, each once, in the order of the requests."""
        return tuple(dict.fromkeys(request.document_key for request in self.requests))

    def open(
        self, request: Request | str, *, options: ReadOptions | None = None, progress: bool | None = None
    ) -> Document:
        """Return the document of a request, or of an artifact.

        A document is opened once while somebody uses it, and the last few are kept.

        Raises
        ------
        FileMissing
            If the artifact does not lie in the workload's folder (any more).
        WorkbenchError
            What ``open_artifact`` raises.
        """
        key = request.document_key if isinstance(request, Request) else request
        return self.artifacts.open(key, options, progress=progress)

    def path_of(self, request: Request | str) -> Path:
        """Return where the artifact of a request lies.

        Raises
        ------
        FileMissing
            If it is in memory, or does not lie in the workload's folder (any more).
        """
        return self.artifacts.path(request.document_key if isinstance(request, Request) else request)

    @property
    def fingerprint(self) -> str:
        """Hex digest of what the requests say and of the artifacts' bytes, wherever they lie.

        Name and description are no part of it. It looks at every artifact each time, so that a changed one changes
        it; files whose size and time of change stay are not read again.
        """
        digest = hashlib.sha256(self._said)
        for key in sorted(self.documents):
            digest.update(f"{key}\0{self.artifacts.sha256(key)}\n".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @cached_property
    def _said(self) -> bytes:
        lines = (json.dumps(request.to_dict(), sort_keys=True) for request in self.requests)
        return hashlib.sha256("\n".join(lines).encode("ascii")).digest()

    def split(self, name: str) -> Workload:
        """Return the requests of one split, "dev" or "test".

        Raises
        ------
        InvalidOption
            For another name.
        """
        if name not in SPLITS:
            raise InvalidOption(f"There is no split {name!r:.60}; choose from {', '.join(SPLITS)}.")
        return self.filter(split=name)

    def filter(self, **wanted: Any) -> Workload:
        """Return the requests whose fields have the wanted values, in their order.

        Parameters
        ----------
        **wanted
            Fields of ``Request``, each with a value, or a list or set of values, any of which will do.

        Raises
        ------
        InvalidOption
            For a name that is no field of a request.

        Examples
        --------
        >>> Workload.of([]).filter(scenario=["pdf_report_qa", "long_document_qa"], answerable=True)
        Workload('in memory', 0 requests on 0 documents)
        """
        for name in wanted:
            if name not in REQUEST_FIELDS:
                raise InvalidOption(f"Requests have no field {name!r}{nearest(name, REQUEST_FIELDS)}.")
        allowed = {
            name: list(value) if isinstance(value, list | set | frozenset | tuple) else [value]
            for name, value in wanted.items()
        }
        return self._with(
            request
            for request in self.requests
            if all(getattr(request, name) in values for name, values in allowed.items())
        )

    def of_documents(self, keys: Collection[str]) -> Workload:
        """Return the requests on some documents, in their order.

        Raises
        ------
        InvalidOption
            For a key that no request has.
        """
        known = set(self.documents)
        for key in keys:
            if key not in known:
                raise InvalidOption(f"No request of {self.name} is about {key!r}{nearest(key, self.documents)}.")
        chosen = set(keys)
        return self._with(request for request in self.requests if request.document_key in chosen)

    def request(self, request_id: str) -> Request:
        """Return the request of an id.

        Raises
        ------
        InvalidOption
            If there is none.
        """
        found = self._by_id.get(request_id)
        if found is None:
            raise InvalidOption(
                f"{self.name} has no request {request_id!r:.80}{nearest(str(request_id), self._by_id)}."
            )
        return found

    @cached_property
    def _by_id(self) -> dict[str, Request]:
        return {request.id: request for request in self.requests}

    def save(self, folder: str | Path) -> Path:
        """Write the requests, and copies of their artifacts, into a folder; return the path of its JSONL file.

        Raises
        ------
        FileMissing
            If an artifact is in memory alone, or is not there any more.
        InvalidWorkload
            If the folder holds another artifact under a name that is needed, or cannot be written.
        """
        from .saving import save_workload

        return save_workload(self, Path(folder))

    def to_frame(self) -> pd.DataFrame:
        """Return one row a request, in order.

        Returns
        -------
        DataFrame
            Columns id, artifact, scenario, split, scope and action ("" where not said), question, answer, answerable,
            evidence (pieces), turns (earlier questions), label.
        """
        import pandas as pd

        rows = [
            (
                request.id,
                request.artifact,
                request.scenario,
                request.split,
                request.scope.value if request.scope else "",
                request.action.value if request.action else "",
                request.question,
                request.answer,
                request.answerable,
                len(request.evidence),
                len(request.turns),
                request.label,
            )
            for request in self.requests
        ]
        return pd.DataFrame([[_shown(cell) for cell in row] for row in rows], columns=list(_COLUMNS))

    def __len__(self) -> int:
        return len(self.requests)

    def __iter__(self) -> Iterator[Request]:
        return iter(self.requests)

    def __repr__(self) -> str:
        counts = f"{counted(len(self), 'request')} on {counted(len(self.documents), 'document')}"
        splits = Counter(request.split for request in self.requests)
        said = "".join(f", {splits[name]:,} {name}" for name in SPLITS if splits[name])
        return f"Workload({self.name!r}, {counts}{said})"

    def _repr_html_(self) -> str:
        rows = [("requests", f"{len(self):,}"), ("documents", f"{len(self.documents):,}")]
        for name in ("split", "scenario", "scope"):
            counts = Counter(getattr(request, name) or "not said" for request in self.requests)
            rows.append((name, ", ".join(f"{count:,} {value}" for value, count in sorted(counts.items()))))
        rows += [("about", self.description)] if self.description else []
        body = "".join(
            f"<tr><th style='text-align:left'>{html.escape(key)}</th>"
            f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
            for key, value in rows
        )
        # Without these classes a notebook turns "$5 to $9" into a formula; lone surrogates it cannot send.
        caption = f"<caption style='text-align:left'><b>{html.escape(self.name)}</b></caption>"
        return without_surrogates(f"<table class='mathjax_ignore tex2jax_ignore'>{caption}{body}</table>")

    def _with(self, requests: Iterable[Request]) -> Workload:
        return replace(self, requests=tuple(requests))


_COLUMNS = (
    "id",
    "artifact",
    "scenario",
    "split",
    "scope",
    "action",
    "question",
    "answer",
    "answerable",
    "evidence",
    "turns",
    "label",
)


def clashes(requests: Iterable[Request]) -> Iterator[tuple[Request, str, str]]:
    """Yield each request that takes another one's id, or puts a document in a second split.

    With the field that is wrong, and what is wrong with it and what to do.
    """
    ids: set[str] = set()
    splits: dict[str, Request] = {}
    for request in requests:
        if request.id in ids:
            yield request, "id", f"{request.id!r} is taken by a request before it; give each an id of its own"
        ids.add(request.id)
        first = splits.setdefault(request.document_key, request)
        if first.split != request.split:
            problem = (
                f"{request.document_key!r} is in {request.split!r} here and in {first.split!r} for request "
                f"{first.id!r}; a document belongs to one split"
            )
            yield request, "split", problem


def _shown(cell: Any) -> Any:
    return without_surrogates(cell) if isinstance(cell, str) else cell
