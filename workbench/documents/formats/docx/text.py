"""The text of one Word paragraph: what a reader of the finished document sees, run by run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..office.package import alternative, attribute, child, descendants, is_on, local
from .styles import Styles

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_DESCEND = {"hyperlink", "ins", "moveTo", "smartTag", "customXml", "fldSimple", "dir", "bdo", "sdtContent", "oMathPara"}
_FIXED = {"tab": "\t", "ptab": "\t", "cr": "\n", "br": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_CONTROLS = {"text", "comboBox", "dropDownList", "date", "checkbox"}
_MATH_SIGNS = {"den": "/", "sup": "^", "sub": "_"}
_CHECKED, _UNCHECKED = "\u2612", "\u2610"


@dataclass(slots=True)
class ParagraphText:
    """What was found in a paragraph.

    Attributes
    ----------
    text : str
        Visible text, in order.
    unseen : list of (str, str)
        Texts that the paragraph holds but does not show as its own, with the reason.
    boxes : list of Element
        Contents of text boxes anchored in it.
    graphics : list of (str, str)
        Charts ("chart") and diagrams ("dm") anchored in it, by relation id.
    control_chars : int
        Characters that stand in form controls.
    has_control : bool
        Whether it holds a form control.
    images, deleted, inserted : int
    """

    text: str = ""
    unseen: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    graphics: list[tuple[str, str]] = field(default_factory=list)
    control_chars: int = 0
    has_control: bool = False
    images: int = 0
    deleted: int = 0
    inserted: int = 0


def read_paragraph(paragraph: Element, styles: Styles) -> ParagraphText:
    """Return the text of a ``w:p`` and what is anchored in it."""
    reader = _ParagraphReader(styles)
    reader.read(paragraph)
    reader.found.text = "".join(reader.parts)
    return reader.found


def is_control(sdt: Element) -> bool:
    """Whether a content control (``w:sdt``) is a field to fill in, and no mere container."""
    properties = child(sdt, "sdtPr")
    return properties is not None and any(local(element) in _CONTROLS for element in properties)


def shows_placeholder(sdt: Element) -> bool:
    """Whether a content control is empty and shows its prompt."""
    return is_on(child(sdt, "sdtPr", "showingPlcHdr"))


class _ParagraphReader:
    def __init__(self, styles: Styles) -> None:
        self.styles = styles
        self.found = ParagraphText()
        self.parts: list[str] = []
        # One entry an open field: True while its instruction, which is not shown, is being read.
        self.fields: list[bool] = []

    def read(self, container: Element) -> None:
        for element in container:
            name = local(element)
            if name == "r":
                self._run(element)
            elif name in _DESCEND:
                self.found.inserted += name in ("ins", "moveTo")
                self.read(element)
            elif name in ("del", "moveFrom"):
                self.found.deleted += 1
            elif name == "sdt":
                self._control(element)
            elif name == "oMath":
                self._math(element)
            elif name == "AlternateContent":
                branch = alternative(element)
                if branch is not None:
                    self.read(branch)

    def _control(self, sdt: Element) -> None:
        content = child(sdt, "sdtContent")
        if content is None:
            return
        controlled = is_control(sdt)
        self.found.has_control |= controlled
        before = len(self.parts)
        self.read(content)
        written = "".join(self.parts[before:])
        if shows_placeholder(sdt):
            del self.parts[before:]
            self.found.unseen.append((written, "prompt of an empty form field"))
        elif controlled:
            self.found.control_chars += len(written)

    def _run(self, run: Element) -> None:
        properties = child(run, "rPr")
        style = attribute(child(properties, "rStyle"), "val")
        own = child(properties, "vanish")
        hidden = is_on(own) if own is not None else self.styles.hides(style)
        before = len(self.parts)
        for element in run:
            self._run_content(element)
        if hidden and len(self.parts) > before:
            text = "".join(self.parts[before:])
            del self.parts[before:]
            self.found.unseen.append((text, "hidden text"))

    def _run_content(self, element: Element) -> None:
        name = local(element)
        if name == "fldChar":
            self._field(element)
        elif name == "t":
            self._write(element.text or "")
        elif name in _FIXED:
            self._write(_FIXED[name])
        elif name == "sym":
            self._write(_symbol(element))
        elif name == "ruby":
            self._ruby(element)
        elif name in ("drawing", "pict", "object"):
            self._drawing(element)
        elif name == "AlternateContent":
            branch = alternative(element)
            for inner in branch if branch is not None else ():
                self._run_content(inner)

    def _write(self, text: str) -> None:
        if text and not any(self.fields):
            self.parts.append(text)

    def _field(self, element: Element) -> None:
        kind = attribute(element, "fldCharType")
        if kind == "begin":
            self.fields.append(True)
            data = child(element, "ffData")
            if data is not None:
                self.found.has_control = True
                self._checkbox(child(data, "checkBox"))
        elif kind == "separate" and self.fields:
            self.fields[-1] = False
        elif kind == "end" and self.fields:
            self.fields.pop()

    def _checkbox(self, box: Element | None) -> None:
        """An old check box stores a state only; it is shown as the sign that newer ones store."""
        if box is None:
            return
        state = child(box, "checked")
        state = state if state is not None else child(box, "default")
        self.parts.append(_CHECKED if is_on(state) else _UNCHECKED)
        self.found.control_chars += 1

    def _ruby(self, ruby: Element) -> None:
        base, guide = child(ruby, "rubyBase"), child(ruby, "rt")
        if base is not None:
            self.read(base)
        text = "".join(found.text or "" for found in descendants(guide, "t")) if guide is not None else ""
        if text:
            self.found.unseen.append((text, "phonetic guide"))

    def _math(self, element: Element) -> None:
        """Write a formula on one line: without a sign, one over two would read as twelve."""
        for inner in element:
            name = local(inner)
            if name == "t":
                self._write(inner.text or "")
            elif name in ("rPr", "ctrlPr") or name.endswith("Pr"):
                continue
            else:
                if name in _MATH_SIGNS and next(descendants(inner, "t"), None) is not None:
                    self._write(_MATH_SIGNS[name])
                self._math(inner)

    def _drawing(self, element: Element) -> None:
        contents = list(_outermost_boxes(element))
        self.found.boxes += contents
        for graphic in _outside_boxes(element):
            name = local(graphic)
            if name == "chart":
                self.found.graphics.append(("chart", attribute(graphic, "id") or ""))
            elif name == "relIds":
                self.found.graphics.append(("dm", attribute(graphic, "dm") or ""))
            elif name in ("blip", "imagedata"):
                self.found.images += 1


def _outermost_boxes(element: Element) -> list[Element]:
    found: list[Element] = []
    for inner in element:
        if local(inner) == "txbxContent":
            found.append(inner)
        elif local(inner) == "AlternateContent":
            branch = alternative(inner)
            found += _outermost_boxes(branch) if branch is not None else []
        else:
            found += _outermost_boxes(inner)
    return found


def _outside_boxes(element: Element) -> list[Element]:
    found: list[Element] = []
    for inner in element:
        if local(inner) == "AlternateContent":
            branch = alternative(inner)
            found += _outside_boxes(branch) if branch is not None else []
        elif local(inner) != "txbxContent":
            found.append(inner)
            found += _outside_boxes(inner)
    return found


def _symbol(element: Element) -> str:
    """Return the character of ``w:sym``; symbol fonts use the private area, which is kept as it is."""
    try:
        code = int(attribute(element, "char") or "", 16)
        return "" if 0xD800 <= code <= 0xDFFF else chr(code)
    except (ValueError, OverflowError):
        return ""
