"""Program text and configuration: blocks are definitions (Python) or stretches between blank lines.

The text layer is the decoded file; the page's label is the name of the language.
"""

from __future__ import annotations

import re

from ...blocks import BlockKind
from ...draft import Draft, Span
from ...registry import Format
from ...source import ParseContext, Source
from ..decoding import decoded_draft, head_text
from ..emptiness import warn_if_nothing_read
from ..lines import split_lines
from ..pacing import Pace, warn_if_empty
from .cuts import cut_at_margin, cut_code
from .python_cuts import python_parts

LANGUAGES: dict[str, str] = {
    ".py": "Python", ".pyi": "Python", ".js": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript",
    ".jsx": "JavaScript", ".ts": "TypeScript", ".tsx": "TypeScript", ".java": "Java", ".kt": "Kotlin",
    ".scala": "Scala", ".c": "C", ".h": "C", ".cc": "C++", ".cpp": "C++", ".cxx": "C++", ".hpp": "C++",
    ".cs": "C#", ".go": "Go", ".rs": "Rust", ".rb": "Ruby", ".php": "PHP", ".pl": "Perl", ".lua": "Lua",
    ".r": "R", ".jl": "Julia", ".swift": "Swift", ".m": "Objective-C", ".sh": "Shell", ".bash": "Shell",
    ".zsh": "Shell", ".ps1": "PowerShell", ".bat": "Batch", ".sql": "SQL", ".css": "CSS", ".scss": "SCSS",
    ".less": "Less", ".vue": "Vue", ".svelte": "Svelte", ".yaml": "YAML", ".yml": "YAML", ".toml": "TOML",
    ".ini": "INI", ".cfg": "INI", ".conf": "INI", ".properties": "Properties", ".env": "Shell", ".xml": "XML",
    ".xsd": "XML", ".xsl": "XML", ".tex": "TeX", ".bib": "BibTeX", ".rst": "reStructuredText",
    ".proto": "Protocol Buffers",
    ".graphql": "GraphQL", ".tf": "Terraform", ".dockerfile": "Docker", ".make": "Makefile", ".cmake": "CMake",
    ".gradle": "Gradle", ".groovy": "Groovy", ".dart": "Dart", ".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang",
    ".hs": "Haskell", ".ml": "OCaml", ".clj": "Clojure", ".lisp": "Lisp", ".el": "Lisp", ".f90": "Fortran",
    ".asm": "Assembly", ".vb": "Visual Basic", ".diff": "Diff", ".patch": "Diff",
}  # fmt: skip

_AROUND_MARKUP = (".php", ".vue", ".svelte")
"""Programs that may begin as a web page does."""
_SIGNS = (
    re.compile(r"\A#!"),
    re.compile(r"^(?:import|from) [\w.]+", re.MULTILINE),
    re.compile(r"^#include\s*[<\"]", re.MULTILINE),
    re.compile(r"^(?:def|class|func|fn|function|public class|package|namespace)\s+\w+.*[:{(;]\s*$", re.MULTILINE),
    re.compile(r"[;{]\s*$.*[;}]\s*$", re.MULTILINE | re.DOTALL),
    re.compile(r"^\s*(?:return|if|for|while)\b.*[:{;]\s*$", re.MULTILINE),
    re.compile(r"\A\s*<\?xml "),
)


def sniff(source: Source) -> float:
    """Believe a known suffix; without one, count signs of program text."""
    text = head_text(source)
    if text is None:
        return 0.0
    found = sum(sign.search(text) is not None for sign in _SIGNS)
    if source.suffix in LANGUAGES:
        return 0.5 if found or source.suffix in _AROUND_MARKUP else 0.3
    return 0.4 if text.startswith("#!") else min(0.3, 0.1 * found)


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a program file.

    Raises
    ------
    DamagedFile
        If the file holds binary data.
    LimitExceeded
        If it takes longer than ``max_seconds`` and ``partial`` is not set.
    """
    draft, text = decoded_draft(source)
    language = language_name(source.name, text)
    draft.pages[0].label = language
    if warn_if_empty(draft, source.name, text):
        return draft
    limit = 4 * context.options.max_block_chars
    pace = Pace(draft, context, source.name, len(text))
    parts = python_parts(text, limit) if language == "Python" else None
    if parts is None:
        parts = [(Span(group[0].start, group[-1].end), "") for group in cut_at_margin(text, split_lines(text))]
    for span, locator in parts:
        if not pace.goes_on(span.start):
            pace.give_up(Span(span.start, len(text)))
            break
        for part in cut_code(text, span, limit):
            draft.add(BlockKind.CODE, part, locator=locator)
    warn_if_nothing_read(draft, source.name)
    return draft


def language_name(name: str, text: str) -> str:
    """Return the language of a program file by its suffix, its name, or its first line; "" when unknown.

    Examples
    --------
    >>> language_name("Makefile", "all:"), language_name("a.py", ""), language_name("x", "#!/bin/bash")
    ('Makefile', 'Python', 'Bash')
    """
    suffix = name[name.rfind(".") :].lower() if "." in name else ""
    if suffix in LANGUAGES:
        return LANGUAGES[suffix]
    from pygments.lexers import find_lexer_class_for_filename, get_lexer_by_name
    from pygments.util import ClassNotFound

    found = find_lexer_class_for_filename(name)
    if found is not None:
        return str(found.name)
    interpreter = re.match(r"#!\s*\S*?(?:env\s+)?(\w+)\s*(?:\r?\n|$)", text[:200])
    if interpreter is None:
        return ""
    try:
        return str(get_lexer_by_name(interpreter.group(1).rstrip("0123456789.")).name)
    except ClassNotFound:
        return ""


FORMAT = Format(name="code", suffixes=tuple(LANGUAGES), sniff=sniff, parse=parse, version=3, truncatable=True)
