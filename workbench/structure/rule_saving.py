"""An edited table as a file: what would be written, shown before it is, with the comments that can be kept."""

from __future__ import annotations

import difflib
import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import FileMissing, InvalidRules
from .atomic import write_text
from .rule_files import RuleFile
from .rules import RuleTable
from .tables import SUFFIX, parse_table, table_names
from .yaml_nodes import read_nodes
from .yaml_writing import table_text


@dataclass(frozen=True)
class RuleSave:
    """What saving a table would write; nothing is written before ``write``.

    Attributes
    ----------
    path : pathlib.Path
    text : str
        The new text of the file.
    before : str
        The text that it is compared with: of the file there, of the shipped table that it came from, or "".
    compared_with : str
        Name of what it is compared with, "" for nothing.
    complete : bool
        Whether the file holds all rules itself, without comments: where the edits cannot be said in the old text.
    """

    path: Path
    text: str
    before: str
    compared_with: str
    complete: bool
    _loaded: bytes | None

    @property
    def fingerprint(self) -> str:
        """What is written over what, as a hash: another file, text or file there has another one."""
        said = [str(self.path.absolute()), self.text, None if self._loaded is None else self._loaded.hex()]
        return hashlib.sha256(json.dumps(said).encode("ascii")).hexdigest()

    def check(self, fingerprint: str | None) -> None:
        """Refuse to write anything but what somebody has seen.

        Raises
        ------
        InvalidRules
            If that had another fingerprint; None is never refused.
        """
        if fingerprint not in (None, self.fingerprint):
            raise InvalidRules(
                f"Saving to {self.path.name} would not write what was shown; look at the diff again, and save then."
            )

    def diff(self) -> str:
        """Return what changes, as a unified diff; "" where nothing does."""
        before, after = self.before.splitlines(keepends=True), self.text.splitlines(keepends=True)
        return "".join(difflib.unified_diff(before, after, self.compared_with or "nothing", self.path.name))

    def write(self) -> None:
        """Write the file, at once or not at all.

        Raises
        ------
        InvalidRules
            If the file was changed since it was compared, or cannot be written.
        """
        now = self.path.read_bytes() if self.path.is_file() else None
        if now != self._loaded:
            raise InvalidRules(f"{self.path.name} was changed on disk since it was compared; look at the diff again.")
        mark = b"\xef\xbb\xbf" if now is not None and now.startswith(b"\xef\xbb\xbf") else b""
        write_text(self.path, mark.decode("utf-8") + self.text)


def prepared_save(table: RuleTable, path: str | Path, *, source: str | Path | None = None) -> RuleSave:
    """Return what saving a table would write.

    Where the file is there, its text is changed as little as possible; otherwise that of the table's source is.

    Parameters
    ----------
    table : RuleTable
    path : str or pathlib.Path
        Ends in .yaml.
    source : str or pathlib.Path, optional
        The shipped table or the file that the table came from; by default the shipped one of its name.

    Raises
    ------
    InvalidRules
        If the path is that of no rule table, or what is there is none.
    """
    target = Path(path).expanduser()
    if target.suffix != SUFFIX or not target.stem:
        raise InvalidRules(f"{str(path)[:200]!r} is no name of a rule table; let it end in {SUFFIX}.")
    if not target.parent.is_dir():
        raise InvalidRules(f"There is no folder {target.parent}; make it, or save to another one.")
    there = target.is_file()
    loaded = target.read_bytes() if there else None
    known = source if source is not None else (table.name if table.name in table_names() else None)
    origin = target if there else known
    if origin is None:
        return RuleSave(target, _whole(table, target), "", "", complete=True, _loaded=loaded)
    try:
        file = RuleFile(origin)
    except FileMissing:
        return RuleSave(target, _whole(table, target), "", "", complete=True, _loaded=loaded)
    shipped = not there and isinstance(origin, str) and origin in table_names()
    before, compared_with = file.text, f"{file.path.name} (shipped)" if shipped else file.path.name
    try:
        file.take(table)
        text = file.text if there else _named(file.text, target, table)
        complete = False
    except InvalidRules:
        text, complete = _whole(table, target), True
    return RuleSave(target, text, before, compared_with, complete=complete, _loaded=loaded)


def _named(text: str, target: Path, table: RuleTable) -> str:
    """Return a text that calls itself as its new file does; the extended table may be another one beside that."""
    node = read_nodes(text, target.name).get("name")
    if node is not None:
        text = text[: node.start] + target.stem + text[node.end :]
    found = parse_table(text, target)
    wanted = {rule.name: rule for rule in table.rules}
    if any(wanted.get(rule.name, replace(rule, enabled=False)) != rule for rule in found.rules):
        raise InvalidRules(f"{target.name} would not say what the table says.")
    return text


def _whole(table: RuleTable, target: Path) -> str:
    return table_text(replace(table, name=target.stem))
