"""An audit: facts and rows as plain values, with what can be done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .sealing import seal_of, signature_of

if TYPE_CHECKING:
    import pandas as pd

    from ...gate.profile import GateProfile
    from ..decision import Decision


@dataclass(frozen=True)
class Audit:
    """Every block of a reading with all its numbers; made by ``Reading.audit``, read again by ``load_audit``.

    Attributes
    ----------
    facts : mapping
        What holds for the whole reading: document, pages, question, cut, budget, bound, counts, notes, and the
        fingerprints of document, profile, models, calibration, rules, kept text, tokenizer and version.
    columns : tuple of str
        Of the block: block_id, page (1-based), kind, section (titles joined by " > "), text (a lone surrogate is the
        replacement character), features (those of ``facts["features"]`` that it has), tokens, start_char, end_char
        (text layer), parent (heading above), table (of a row), continues (of a table), is_header.

        Of its scores: scored_logit, scored_relevance (0-1; as scorer and calibration gave them), feedback (factor, 1
        without), logit, one ``part_…`` for each part of it, share_read (0-1), relevance (0-1), scale.

        Of the decision: weight, pinned, rules (those that spoke, "*" behind those that won), priority, threshold,
        offset, margin, status, kept, reason, tokens_kept, focus (ranges of the block's text).
    rows : tuple of tuple
        One a block, in the order of the document; None where there is no value.
    signature : str or None
        HMAC-SHA-256 of the seal, where somebody signed it.
    """

    facts: Mapping[str, Any]
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    signature: str | None = None

    @cached_property
    def seal(self) -> str:
        """SHA-256 of facts, columns and rows: the same in every format.

        It needs no key. So it proves that nothing was lost or changed since, unless somebody computed it again.
        """
        return seal_of(self.facts, self.columns, self.rows)

    def signed(self, key: bytes) -> Audit:
        """Return the audit with a signature, which nobody can make or make again who does not have the key.

        Parameters
        ----------
        key : bytes
            At least 16, kept apart from the audit. Who checks the signature needs it as well.

        Raises
        ------
        InvalidOption
            For a key that is none.
        """
        return replace(self, signature=signature_of(self.seal, key))

    def save(self, path: str | Path, *, key: bytes | None = None) -> Path:
        """Write it as its suffix says, at once or not at all, and return the path.

        Parameters
        ----------
        path : str or pathlib.Path
            Ends in .csv, .json or .parquet.
        key : bytes, optional
            Sign it with this key; see ``signed``.

        Raises
        ------
        InvalidOption
            For another suffix, or a key that is none.
        InvalidAudit
            If it cannot be written.
        """
        from .files import save

        return save(self if key is None else self.signed(key), Path(path))

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return the table as CSV that is safe to open in a spreadsheet, and write it to ``path`` if one is given.

        A text that a spreadsheet would take for a formula gets an apostrophe in front, which ``load_audit`` takes off;
        numbers stay numbers. Fingerprints and seal stand at the end of every row; all facts, as JSON, at the end of the
        first. A document without blocks has one row without a block. A file is UTF-8 with the mark that spreadsheets
        know it by.
        """
        from .csv_file import csv_text
        from .files import write

        text = csv_text(self)
        if path is not None:
            write(Path(path), text.encode("utf-8-sig"))
        return text

    def to_json(self, path: str | Path | None = None) -> str:
        """Return facts, seal and blocks as one JSON object, a block a line; write it to ``path`` if one is given."""
        from .files import write
        from .json_file import json_text

        text = json_text(self)
        if path is not None:
            write(Path(path), text.encode())
        return text

    def to_parquet(self) -> bytes:
        """Return the table as Parquet: a typed column each, facts and seal in the metadata of the schema."""
        from .parquet_file import parquet_bytes

        return parquet_bytes(self)

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a DataFrame with ``columns``; the facts are in its ``attrs``."""
        import pandas as pd

        frame = pd.DataFrame(list(self.rows), columns=pd.Index(self.columns))
        frame.attrs.update(self.facts)
        return frame

    def decided_again(self, *, tokenizer: Any = None) -> Decision:
        """Decide every block again, from the stored inputs alone and by the code that decides a reading.

        Inputs are texts, links, the scorer's logits and relevances, feedback, which rules spoke, cut, budget and focus.
        Tokens are counted again where there is what counts them, and are an input elsewhere. Weight, priority, margin,
        status and reason are never looked at.

        Parameters
        ----------
        tokenizer : optional
            What the reading counted with, as ``SparseReader`` takes it; needed for a budget or a focus if that was
            another one than the default, because no file decides what is loaded.

        Raises
        ------
        InvalidOption
            If the tokenizer has another name.
        MissingModel
            If one is needed and was not given.
        InvalidAudit
            If an input is impossible.
        """
        from .replay import decided_again

        return decided_again(self, tokenizer=tokenizer)[1]

    def check(self, *, tokenizer: Any = None, profile: GateProfile | str | Path | None = None) -> tuple[str, ...]:
        """Decide again and return each value that comes out otherwise than it stands here; () if all are reproduced.

        Inputs are believed, but that the parts of a logit must add up to it; see "The audit" in docs/reading.md for
        what that leaves open.

        Parameters
        ----------
        tokenizer : optional
            As ``decided_again`` takes it.
        profile : GateProfile, str or pathlib.Path, optional
            The gate profile, or its file. Whatever of the reading is not as it says is named, also where the audit
            admits it: fingerprint, scorer, calibration, tokenizer, offset, cut, rules and their weights; and each
            relevance that its map does not give.

        Returns
        -------
        tuple of str
            A sentence each: the block or fact, what stands here, what comes out.

        Raises
        ------
        InvalidOption, MissingModel, InvalidAudit
            As ``decided_again``.
        FileMissing, InvalidProfile
            If there is no such profile.
        """
        from .replay import check

        return check(self, tokenizer=tokenizer, profile=profile)

    def differences(self, other: Audit) -> tuple[str, ...]:
        """Return each fact and each value in which another audit differs, such as one of a fresh reading."""
        from .comparing import differences

        return differences(self, other)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return (
            f"Audit({self.facts['document']!r}, {len(self.rows):,} blocks, {len(self.columns)} columns, "
            f"seal {self.seal[:12]})"
        )
