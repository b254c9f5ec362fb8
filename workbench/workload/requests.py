"""One entry of a workload: an artifact, a question on it, and what must be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from ..documents.collections.archives import clean_name
from ..errors import InvalidWorkload
from ..gate.intent import Action
from ..printing import shortened
from ..relevance.scores import Scope
from ..structure.naming import nearest
from .checks import (
    anchor_problem,
    choice_problem,
    id_problem,
    kind_of,
    page_problem,
    path_problem,
    question_problem,
    switch_problem,
    text_problem,
    texts_problem,
)

SCENARIOS = ("long_document_qa", "pdf_report_qa", "multi_file_audit", "structured_analysis", "native_fit")
SPLITS = ("dev", "test")
SCOPES = tuple(scope.value for scope in Scope)
ACTIONS = tuple(action.value for action in Action)

Problem = tuple[str, str]
"""A field, and what is wrong with it and what to do, without a full stop."""


class CharRange(NamedTuple):
    """A range of a document's text layer (code points, end exclusive)."""

    start_char: int
    end_char: int


class RequestProblems(InvalidWorkload):
    """The mistakes of one request, before it is known where it stands.

    Attributes
    ----------
    problems : tuple of (str, str)
        Each as its field and what is wrong with it.
    """

    def __init__(self, what: str, problems: Sequence[Problem]) -> None:
        super().__init__(f"{what}: " + "; ".join(f"{field}: {problem}" for field, problem in problems) + ".")
        self.what = what
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[Any, ...]:
        return RequestProblems, (self.what, self.problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One piece of gold evidence.

    Parameters
    ----------
    quote : str
        The words as they stand in the artifact; cells of a table row are joined by " | ". It may be "" only where a
        page or an anchor says what holds the evidence.
    page : int, optional
        1-based page on which it stands: of the file, where one is named, else of the whole artifact.
    anchor : CharRange, optional
        Its range of the text layer: of the file, where one is named, else of the whole artifact.
    file : str, optional
        Name of the file, in a folder or archive.

    Raises
    ------
    InvalidWorkload
        For a value of the wrong type or outside its range, and for evidence that says neither words nor place.
    """

    quote: str = ""
    page: int | None = None
    anchor: CharRange | None = None
    file: str | None = None

    def __post_init__(self) -> None:
        problems = [
            *_of_field("quote", text_problem(self.quote, empty=True)),
            *_of_field("page", page_problem(self.page)),
            *_of_field("anchor", anchor_problem(self.anchor)),
            *_of_field("file", "" if self.file is None else text_problem(self.file)),
        ]
        if not problems and not self.quote.strip() and self.page is None and self.anchor is None:
            problems.append(
                ("quote", "there is none; copy the words from the artifact, or give the page or anchor that holds them")
            )
        if problems:
            raise RequestProblems("Evidence", problems)
        if self.anchor is not None:
            object.__setattr__(self, "anchor", CharRange(*self.anchor))

    def to_dict(self) -> dict[str, Any]:
        """Return what a line of the file says of it; what is not given is left out."""
        said: dict[str, Any] = {"quote": self.quote, "page": self.page, "file": self.file}
        if self.anchor is not None:
            said["anchor"] = self.anchor._asdict()
        return {name: value for name, value in said.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One entry of a workload.

    Parameters
    ----------
    id : str
        Its identity in the workload.
    artifact : str
        Path of the file, folder or archive that it is about, relative to the workload's folder and inside it.
    question : str
    scope : Scope, optional
        Where a caller would say it.
    action : Action, optional
        Where a caller would say it.
    evidence : sequence of Evidence
        What must be found; each piece counts alike.
    answer : str, optional
        A short gold answer.
    answers : sequence of str
        Other answers that are as good.
    answerable : bool
        False where the artifact does not answer the question; then there is no evidence.
    scenario : str
        One of ``SCENARIOS``.
    split : {"dev", "test"}
        What it is for: fitting, or judging. All requests on an artifact are in one split.
    turns : sequence of str
        Earlier questions of the dialogue, oldest first.
    label : str
        The maker's own name for the kind of question.
    rubric : str, optional
        How to judge an answer where no short one exists.
    near_miss : str, optional
        What a careless reader would take for the answer.

    Raises
    ------
    InvalidWorkload
        With every mistake of the request in one message.

    Examples
    --------
    >>> request = Request(id="1", artifact="a.txt", question="When is it due?", evidence=[Evidence(quote="in May")])
    >>> request.document_key, request.split
    ('a.txt', 'dev')
    """

    id: str
    artifact: str
    question: str
    scope: Scope | None = None
    action: Action | None = None
    evidence: Sequence[Evidence] = ()
    answer: str | None = None
    answers: Sequence[str] = ()
    answerable: bool = True
    scenario: str = SCENARIOS[0]
    split: str = "dev"
    turns: Sequence[str] = ()
    label: str = ""
    rubric: str | None = None
    near_miss: str | None = None

    def __post_init__(self) -> None:
        problems = list(_problems(self))
        if problems:
            raise RequestProblems(f"Request {shortened(str(self.id), 60)!r}", problems)
        given = {
            "scope": None if self.scope is None else Scope(self.scope),
            "action": None if self.action is None else Action(self.action),
            "split": self.split or "dev",
            "evidence": tuple(self.evidence),
            "answers": tuple(self.answers),
            "turns": tuple(self.turns),
        }
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @property
    def document_key(self) -> str:
        """The artifact's path in its plain spelling: what requests on the same document have in common."""
        return clean_name(self.artifact)

    def to_dict(self) -> dict[str, Any]:
        """Return what its line of the file says; what is as by default is left out."""
        said: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("id", "artifact", "question", "scenario", "split") or value != field.default:
                said[field.name] = list(value) if isinstance(value, tuple) else value
        if self.evidence:
            said["evidence"] = [piece.to_dict() for piece in self.evidence]
        return said

    def __repr__(self) -> str:
        return f"Request({self.id!r}, {self.artifact!r}, {shortened(self.question, 60)!r})"


REQUEST_FIELDS = tuple(field.name for field in fields(Request))
EVIDENCE_FIELDS = tuple(field.name for field in fields(Evidence))


def request_of(values: Mapping[str, Any]) -> Request:
    """Return the request that a line of the file says.

    Raises
    ------
    InvalidWorkload
        With every mistake of the line, also names that are no fields.
    """
    problems = [*_unknown(values, REQUEST_FIELDS), *_missing(values, ("id", "artifact", "question"))]
    known = {name: value for name, value in values.items() if name in REQUEST_FIELDS}
    for name in ("evidence", "answers", "turns"):
        if known.get(name, ()) is None:
            del known[name]
    for name, default in (("scenario", SCENARIOS[0]), ("split", "dev"), ("label", ""), ("answerable", True)):
        if known.get(name, default) is None:
            known[name] = default
    given = known.pop("evidence", ())
    evidence: list[Evidence] = []
    if isinstance(given, list | tuple):
        for number, entry in enumerate(given, start=1):
            try:
                evidence.append(_evidence_of(entry))
            except RequestProblems as error:
                problems += [(f"evidence {number}, {field}" if field else f"evidence {number}", problem)
                             for field, problem in error.problems]  # fmt: skip
    else:
        problems.append(("evidence", f"it is {kind_of(given)}; write a list of objects, or []"))
    blanks: dict[str, Any] = {name: "" for name in ("id", "artifact", "question") if name not in known}
    try:
        request = Request(**blanks, **known, evidence=evidence)
    except RequestProblems as error:
        problems += [found for found in error.problems if found[0] not in blanks]
    if problems:
        raise RequestProblems(f"Request {shortened(str(values.get('id')), 60)!r}", problems)
    return request


def _evidence_of(entry: Any) -> Evidence:
    if not isinstance(entry, dict):
        raise RequestProblems("Evidence", [("", f'it is {kind_of(entry)}; write an object, as in {{"quote": "…"}}')])
    problems = list(_unknown(entry, EVIDENCE_FIELDS))
    known = {name: value for name, value in entry.items() if name in EVIDENCE_FIELDS}
    if known.get("quote", "") is None:
        del known["quote"]
    anchor = known.get("anchor")
    if isinstance(anchor, dict):
        names = CharRange._fields
        wrong = [*_unknown(anchor, names), *_missing(anchor, names)]
        problems += [(f"anchor, {field}", problem) for field, problem in wrong]
        known["anchor"] = None if wrong else tuple(anchor[name] for name in names)
    elif anchor is not None:
        problems.append(("anchor", f'it is {kind_of(anchor)}; write {{"start_char": 0, "end_char": 9}}, or null'))
        del known["anchor"]
    try:
        evidence = Evidence(**known)
    except RequestProblems as error:
        # Where another field is wrong, it may be the very one that said the place.
        problems += [found for found in error.problems if not (problems and found[1].startswith("there is none"))]
    if problems:
        raise RequestProblems("Evidence", problems)
    return evidence


def _unknown(values: Mapping[str, Any], allowed: Sequence[str]) -> list[Problem]:
    return [
        (shortened(name, 60), f"there is no such field{nearest(name, allowed)}")
        for name in values
        if name not in allowed
    ]


def _missing(values: Mapping[str, Any], needed: Sequence[str]) -> list[Problem]:
    return [(name, "it is missing; every entry needs one") for name in needed if name not in values]


def _of_field(field: str, problem: str) -> list[Problem]:
    return [(field, problem)] if problem else []


def _problems(request: Request) -> list[Problem]:
    found = [
        ("id", id_problem(request.id)),
        ("artifact", path_problem(request.artifact)),
        ("question", question_problem(request.question)),
        ("scope", "" if request.scope is None else choice_problem("scope", request.scope, SCOPES)),
        ("action", "" if request.action is None else choice_problem("action", request.action, ACTIONS)),
        ("evidence", _evidence_problem(request.evidence, request.answerable)),
        ("answer", "" if request.answer is None else text_problem(request.answer)),
        ("answers", texts_problem(request.answers)),
        ("answerable", switch_problem(request.answerable)),
        ("scenario", choice_problem("scenario", request.scenario, SCENARIOS)),
        ("split", "" if request.split is None else choice_problem("split", request.split, SPLITS)),
        ("turns", texts_problem(request.turns)),
        ("label", text_problem(request.label, empty=True)),
        ("rubric", "" if request.rubric is None else text_problem(request.rubric)),
        ("near_miss", "" if request.near_miss is None else text_problem(request.near_miss)),
    ]
    return [(field, problem) for field, problem in found if problem]


def _evidence_problem(given: Any, answerable: Any) -> str:
    if not isinstance(given, list | tuple) or not all(isinstance(piece, Evidence) for piece in given):
        return f"it is {kind_of(given)}; give a list of Evidence"
    if given and answerable is False:
        return "it has pieces, but answerable is false; take out one of the two"
    return ""
