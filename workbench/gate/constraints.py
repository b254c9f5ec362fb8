"""Hard constraints: requests that are read natively whatever the signals say, each with the reason in a sentence.

They are asked in the order of ``CONSTRAINTS``; the first that holds is the one that is named.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..relevance.scores import Scope
from .cost import least_tokens_of_sparse
from .intent import Action, Intent
from .preview import Preview
from .risk import WIDE
from .signal_options import SignalOptions

UNSUPPORTED = "unsupported"
SMALL_FILE = "small_file"
WHOLE_TABLE = "whole_table"
EXACT_COPY = "exact_copy"
EDIT_OR_EXECUTE = "edit_or_execute"
CONSTRAINTS = (UNSUPPORTED, SMALL_FILE, WHOLE_TABLE, EXACT_COPY, EDIT_OR_EXECUTE)
"""Their names, in the order in which they are asked."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """Why a request is read natively whatever the signals say.

    Attributes
    ----------
    name : str
        One of ``CONSTRAINTS``.
    reason : str
        One sentence.
    tokens : tuple of float
        Of a small file: those of the artifact, of reading it all, and of the cheapest sparse read.
    """

    name: str
    reason: str
    tokens: tuple[float, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def constraint_of(preview: Preview, intent: Intent, options: SignalOptions | None = None) -> Constraint | None:
    """Return the hard constraint of a request, or None.

    A file is small where even the cheapest sparse exchange, one round that is enough, costs at least as many tokens as
    reading it all. So nothing is set by hand: the limit follows from preview, prompts and the least that a reader
    keeps, and a request under it can save nothing on the sparse path.

    Examples
    --------
    >>> from workbench.gate.intent import Intent
    >>> from workbench.gate.preview import Preview
    >>> print(constraint_of(Preview(name="note.txt", tokens=300, preview_tokens=120), Intent("Who is invited?")))
    small_file: The artifact has 300 tokens: reading it all costs 1,168 tokens, and the cheapest sparse read 1,950.
    """
    if not preview.supported or not preview.tokens:
        why = preview.why_not or "The artifact has no text that blocks could be chosen from."
        return Constraint(UNSUPPORTED, why)
    sparse, native = least_tokens_of_sparse(preview, intent.question, options or SignalOptions())
    if sparse >= native:
        return Constraint(
            SMALL_FILE,
            f"The artifact has {preview.tokens:,} tokens: reading it all costs {native:,.0f} tokens, and the cheapest "
            f"sparse read {sparse:,.0f}.",
            (preview.tokens, native, sparse),
        )
    if intent.scope in WIDE and preview.is_table:
        asked = "all of it" if intent.scope is Scope.WHOLE else "a computation over its rows"
        return Constraint(
            WHOLE_TABLE, f"The artifact is a table, and the question wants {asked}: one row left out makes it wrong."
        )
    if intent.action is Action.COPY:
        return Constraint(EXACT_COPY, "The text is wanted word for word, so nothing of it may be left out.")
    if intent.action in (Action.EDIT, Action.EXECUTE):
        return Constraint(
            EDIT_OR_EXECUTE,
            f"The artifact is to be {'edited' if intent.action is Action.EDIT else 'executed'}, which needs the file "
            "itself and not a choice of its blocks.",
        )
    return None
