"""Blocks of a Markdown text: the line maps of markdown-it-py turned into slices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...anchors import JOINT_LINE, Piece
from ...blocks import BlockKind
from ...draft import Draft, Span
from ..code.cuts import cut_code
from ..lines import Line, joined_lines, split_lines, trimmed

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

CHUNK_CHARS = 1 << 18
"""Long texts are parsed in parts that begin at a heading, so that time can be checked between them."""

# What may stand before or around the text of a line: quotes, bullets, numbers, hashes, rules, underlines.
_MARKUP = re.compile(r"(?:[>#\-*+=_~`|:\s]|\d{1,9}[.)](?=\s|$))*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_FOOTNOTE = re.compile(r"\s*\[\^[^\]\s]+\]:")
_LINK_DEFINITION = re.compile(r"\s*\[[^\]]+\]:\s*\S")
_IMAGES = re.compile(r"(?:\s*\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\]\([^)]*\))?)+\s*")
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<[^>]*>", re.DOTALL)
_HTML_SAMPLE = 4_000
_COMMENT = re.compile(r"\s*<!--(?:(?!-->).)*-->\s*", re.DOTALL)
_PIPE = re.compile(r"\\.|\|", re.DOTALL)
_FRONT_MATTER_END = re.compile(r"(?:---|\.\.\.)[ \t]*$")


class MarkdownReader:
    """Adds the blocks of a Markdown text to a draft.

    Parameters
    ----------
    draft : Draft
        Its text layer already holds ``text``, from ``base`` on.
    text : str
    base : int
        Where the text begins in the text layer.
    locator : str
        The place of the whole text in its format's terms, for a text inside another file.
    max_code_chars : int
        Longest code block.
    """

    def __init__(
        self, draft: Draft, text: str, *, base: int = 0, locator: str = "", max_code_chars: int = 2_048
    ) -> None:
        self._draft = draft
        self._text = text
        self._base = base
        self._locator = locator
        self._max_code = max_code_chars
        self._lines: list[Line] = []
        self._at = 0
        self._depth = 0
        self._item_starts = False
        self._table = -1

    def steps(self) -> Iterator[int]:
        """Parse one part after another; yields where in the text the next part begins."""
        parser = _parser()
        start = self._add_front_matter()
        for end in self._part_ends(start):
            self._lines = split_lines(self._text, start, end)
            self._at = start
            self._depth = 0
            tokens = parser.parse(self._text[start:end])
            for rank, token in enumerate(tokens):
                self._take(token, tokens, rank)
            self._pass_over(end)
            start = end
            yield end

    def read_all(self) -> None:
        """Parse the whole text."""
        for _ in self.steps():
            pass

    def _part_ends(self, start: int) -> Iterator[int]:
        """A heading at the left margin outside a fence ends every open block, so a part can begin there."""
        fence = ""
        begin = start
        for line in split_lines(self._text, start):
            head = self._text[line.start : min(line.end, line.start + 80)]
            match = _FENCE.match(head)
            if match and not fence:
                fence = match.group(1)
            elif match and match.group(1).startswith(fence):
                fence = ""
            elif not fence and line.start - begin >= CHUNK_CHARS and _HEADING.match(head):
                yield line.start
                begin = line.start
        yield len(self._text)

    def _add_front_matter(self) -> int:
        if not re.match(r"---[ \t]*\r?\n", self._text):
            return 0
        lines = split_lines(self._text[:CHUNK_CHARS])
        for line in lines[1:]:
            if _FRONT_MATTER_END.match(self._text[line.start : line.end]):
                body = Span(lines[1].start, line.start)
                if ":" not in self._text[body.start : body.end]:
                    return 0
                self._exclude(lines[0].start, lines[0].end)
                self._add_code(body, self._place("front matter"))
                self._exclude(line.start, line.end)
                return line.after
        return 0

    # One token after another -----------------------------------------------------------------------------

    def _take(self, token: Token, tokens: list[Token], rank: int) -> None:
        name = token.type
        if name in ("bullet_list_open", "ordered_list_open"):
            self._depth += 1
        elif name in ("bullet_list_close", "ordered_list_close"):
            self._depth -= 1
        elif name == "list_item_open":
            self._item_starts = True
        elif name == "table_open":
            self._table = -1
        elif name == "tr_open":
            self._add_table_row(token, is_header=tokens[rank - 1].type == "thead_open")
        elif name == "inline" and tokens[rank - 1].type == "paragraph_open":
            self._add_paragraph(token)
        elif name == "inline" and tokens[rank - 1].type == "heading_open":
            self._add_heading(token, tokens[rank - 1])
        elif name == "fence":
            self._add_fence(token)
        elif name == "code_block":
            self._add_indented_code(token)
        elif name == "html_block":
            self._add_html(token)

    def _add_paragraph(self, token: Token) -> None:
        spans = self._content_spans(token)
        if not spans:
            return
        self._pass_over(spans[0].start)
        first = self._text[spans[0].start : spans[-1].end]
        kind, level = BlockKind.PARAGRAPH, 0
        if _FOOTNOTE.match(first):
            kind = BlockKind.FOOTNOTE
        elif self._depth and self._item_starts:
            kind, level = BlockKind.LIST_ITEM, min(self._depth, 255)
        elif len(first) < 2_000 and _IMAGES.fullmatch(first):
            kind = BlockKind.CAPTION
        self._item_starts = False
        for part in self._definitions(spans) if kind is BlockKind.FOOTNOTE else (spans,):
            self._pass_over(part[0].start)
            found = self._definition_kind(part[0]) if kind is BlockKind.FOOTNOTE else None
            self._add_pieces(found or kind, joined_lines(self._text, part), level=level)

    def _definitions(self, spans: list[Span]) -> list[list[Span]]:
        """Definitions on neighbouring lines are one paragraph to the parser, which does not know footnotes."""
        parts: list[list[Span]] = []
        for span in spans:
            if parts and self._definition_kind(span) is None:
                parts[-1].append(span)
            else:
                parts.append([span])
        return parts

    def _definition_kind(self, span: Span) -> BlockKind | None:
        text = self._text[span.start : span.end]
        if _FOOTNOTE.match(text):
            return BlockKind.FOOTNOTE
        return BlockKind.REFERENCE if _LINK_DEFINITION.match(text) else None

    def _add_heading(self, token: Token, opening: Token) -> None:
        self._item_starts = False
        level = int(opening.tag[1])
        if opening.markup.startswith("#"):
            line = self._lines[_range(token)[0]]
            raw = self._raw(line)
            mark = raw.find("#")
            while raw[mark : mark + 1] == "#":
                mark += 1
            found = raw.find(token.content, mark) if token.content else -1
            if found < 0:
                return
            spans = [Span(line.start + found, line.start + found + len(token.content))]
        else:
            spans = self._content_spans(token)
        if spans:
            self._pass_over(spans[0].start)
            self._add_pieces(BlockKind.HEADING, joined_lines(self._text, spans), level=level)
            self._pass_over(self._lines[_range(opening)[1] - 1].end)

    def _content_spans(self, token: Token) -> list[Span]:
        """Where the lines of a paragraph's content stand: each is the end of its source line."""
        low, high = _range(token)
        contents = token.content.split("\n")
        spans = []
        for line, content in zip(self._lines[low:high], contents, strict=False):
            raw = self._raw(line).rstrip()
            wanted = content.strip()
            begin = line.end
            if wanted:
                begin = line.start + (len(raw) - len(wanted) if raw.endswith(wanted) else 0)
            spans.append(Span(begin, line.start + len(raw)))
        return [span for span in spans if span.end > span.start]

    def _add_table_row(self, token: Token, *, is_header: bool) -> None:
        line = self._lines[_range(token)[0]]
        raw = self._text[line.start : line.end]
        quoted = (
            re.match(r"(?:\s*>)*\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*", raw) if is_header else re.match(r"(?:\s*>)*", raw)
        )
        begin = line.start + (quoted.end() if quoted else 0)
        bars = [m.start() for m in _PIPE.finditer(self._text, begin, line.end) if m.group() == "|"]
        edges = [begin - 1, *bars, line.end]
        cells = [trimmed(self._text, a + 1, b) for a, b in pairwise(edges)]
        if cells and bars and not self._text[begin : bars[0]].strip():
            cells = cells[1:]
        if cells and bars and not self._text[bars[-1] + 1 : line.end].strip():
            cells = cells[:-1]
        filled = [cell for cell in cells if cell.end > cell.start]
        if not filled:
            return
        self._item_starts = False
        self._pass_over(filled[0].start)
        if self._table < 0:
            self._table = self._draft.begin_table(locator=self._locator)
        shown = [self._shifted(cell) if cell.end > cell.start else None for cell in cells]
        self._draft.add_row(self._table, shown, is_header=is_header, locator=self._locator)
        for before, after in pairwise(filled):
            self._exclude(before.end, after.start)
        self._at = filled[-1].end
        self._pass_over(line.end)

    def _add_fence(self, token: Token) -> None:
        low, high = _range(token)
        self._pass_over(self._lines[low].start)
        opening = self._lines[low]
        self._exclude(self._at, opening.end)
        self._at = opening.end
        closing = self._text[self._lines[high - 1].start : self._lines[high - 1].end].strip(" \t>")
        closed = high - 1 > low and set(closing) == {token.markup[0]} and len(closing) >= len(token.markup)
        self._add_code_lines(
            self._lines[low + 1 : high - 1 if closed else high], token, token.info.strip().split(" ")[0]
        )
        if closed:
            last = self._lines[high - 1]
            self._exclude(last.start, last.end)
            self._at = last.end

    def _add_indented_code(self, token: Token) -> None:
        low, high = _range(token)
        self._pass_over(self._lines[low].start)
        self._add_code_lines(self._lines[low:high], token, "")

    def _add_code_lines(self, lines: list[Line], token: Token, language: str) -> None:
        """Code in a quote or list has its container's marks before each line: then one piece a line."""
        self._item_starts = False
        contents = token.content.split("\n")
        spans = []
        for line, content in zip(lines, contents, strict=False):
            raw = self._raw(line)
            wanted = content.strip()
            begin = raw.rfind(wanted) if wanted else len(raw)
            if begin < 0 or _MARKUP.fullmatch(raw[:begin]) is None:
                begin = 0
            # Indentation belongs to code, the container's marks do not.
            spaces = len(raw[:begin]) - len(raw[:begin].rstrip(" \t"))
            spans.append(Span(line.start + begin - spaces, line.start + len(raw.rstrip())))
        whole = all(
            span.start == line.start or span.end <= span.start for span, line in zip(spans, lines, strict=False)
        )
        filled = [span for span in spans if span.end > span.start]
        if not filled:
            return
        if whole:
            self._add_code(Span(filled[0].start, filled[-1].end), self._place(language))
            return
        self._pass_over(filled[0].start)
        pieces = [Piece(span.start, span.end, JOINT_LINE) for span in filled]
        self._add_pieces(BlockKind.CODE, pieces, locator=self._place(language))

    def _add_html(self, token: Token) -> None:
        low, high = _range(token)
        first, last = self._lines[low], self._lines[high - 1]
        self._pass_over(first.start)
        text = self._text[first.start : last.end]
        if _COMMENT.fullmatch(text):
            self._exclude(first.start, last.end, "comment")
            self._at = last.end
            return
        self._item_starts = False
        # Unclosed tags would make this search quadratic; the beginning tells enough.
        if _TAG.sub("", text[:_HTML_SAMPLE]).strip():
            spans = [Span(line.start, line.end) for line in self._lines[low:high]]
            self._add_pieces(BlockKind.PARAGRAPH, joined_lines(self._text, spans, keep_lines=True))
        else:
            self._add_code(Span(first.start, last.end), self._locator)

    # Text between the tokens -----------------------------------------------------------------------------

    def _raw(self, line: Line) -> str:
        """A line as the parser sees it: NUL is shown as U+FFFD, which has one character as well."""
        return self._text[line.start : line.end].replace("\0", "\ufffd")

    def _pass_over(self, end: int) -> None:
        """Name what stands before ``end`` and in no token: marks, definitions, or lines the parser left out."""
        if end <= self._at:
            return
        for line in split_lines(self._text, self._at, end):
            span = trimmed(self._text, line.start, line.end)
            text = self._text[span.start : span.end]
            if not text:
                continue
            if _MARKUP.fullmatch(text):
                self._exclude(span.start, span.end)
            else:
                kind = self._definition_kind(span) or BlockKind.PARAGRAPH
                self._draft.add(kind, self._shifted(span), locator=self._locator)
        self._at = end

    def _add_pieces(self, kind: BlockKind, pieces: list[Piece], *, level: int = 0, locator: str = "") -> None:
        if not pieces:
            return
        for before, after in pairwise(pieces):
            self._exclude(before.end_char, after.start_char)
        moved = [p._replace(start_char=p.start_char + self._base, end_char=p.end_char + self._base) for p in pieces]
        self._draft.add(kind, moved, level=level, locator=locator or self._locator)
        self._at = pieces[-1].end_char

    def _add_code(self, span: Span, locator: str) -> None:
        for part in cut_code(self._text, span, self._max_code):
            self._draft.add(BlockKind.CODE, self._shifted(part), locator=locator)
        self._at = span.end

    def _exclude(self, start: int, end: int, reason: str = "markup") -> None:
        if self._text[start:end].strip():
            self._draft.exclude(self._shifted(Span(start, end)), reason)

    def _shifted(self, span: Span) -> Span:
        return Span(span.start + self._base, span.end + self._base)

    def _place(self, detail: str) -> str:
        return f"{self._locator} {detail}".strip()


def _range(token: Any) -> tuple[int, int]:
    low, high = token.map
    return low, high


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    # Inline marks are not needed, and their rules take more than linear time on hostile text.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
