"""What all widgets share: actions, questions, errors that are seen, and words in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, ClassVar

import pytest
import traitlets

from workbench.errors import InvalidOption
from workbench.widgets import linking, wording
from workbench.widgets.base import Widget
from workbench.widgets.wording import LANGUAGES, words_of
from workbench.workspace.operations import Operation

WORDS = Path(wording.__file__).resolve().parent / "words"
SECTIONS = sorted({path.name.split(".")[0] for path in WORDS.glob("*.json")})


class Counter(Widget):
    """A widget that counts."""

    script: ClassVar[str] = "page_view"
    count = traitlets.Int(0).tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.sent: list[tuple[Any, list[Any]]] = []

    def send(self, content: Any, buffers: Any = None) -> None:
        self.sent.append((content, list(buffers or ())))

    def do_add(self, by: int) -> None:
        if by < 0:
            raise InvalidOption(f"by is {by}; give 0 or more.")
        self.count += by

    def do_break(self) -> None:
        raise ZeroDivisionError("by nothing")

    def answer_double(self, n: int) -> int:
        return 2 * n

    def answer_bytes(self, n: int, buffers: Any = ()) -> tuple[dict[str, int], list[bytes]]:
        return {"got": len(buffers)}, [b"\x01" * n]

    def says(self, content: Any, buffers: Any = ()) -> Any:
        """Receive a message of the browser and return what was said to it last."""
        self._received(self, content, buffers)
        return self.sent[-1] if self.sent else None


def acting(kind: str, **values: Any) -> dict[str, Any]:
    return {"kind": "act", "operation": {"id": "1", "kind": kind, "values": values}}


def test_an_action_of_the_browser_and_a_call_do_the_same() -> None:
    widget = Counter()
    assert widget.says(acting("add", by=3)) == ({"kind": "done", "id": "1"}, [])
    widget.act("add", by=4)
    assert widget.count == 7


def test_an_action_that_cannot_be_done_is_told_in_the_widget_and_changes_nothing() -> None:
    widget = Counter()
    reply, _ = widget.says(acting("add", by=-1))
    assert reply == {"kind": "done", "id": "1", "error": "by is -1; give 0 or more."}
    assert (widget.fault, widget.details, widget.count) == ("by is -1; give 0 or more.", "", 0)
    assert widget.says(acting("close_fault")) == ({"kind": "done", "id": "1"}, [])
    assert (widget.fault, widget.details) == ("", "")


def test_a_call_that_cannot_be_done_raises() -> None:
    with pytest.raises(InvalidOption, match=r"^by is -1; give 0 or more\.$"):
        Counter().act("add", by=-1)
    with pytest.raises(InvalidOption, match=r"^Counter knows no action 'fly'\.$"):
        Counter().act("fly")


def test_a_fault_of_ours_is_shown_with_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARSEREAD_STRICT", raising=False)
    widget = Counter()
    reply, _ = widget.says(acting("break"))
    said = "Something went wrong here that should not: ZeroDivisionError: by nothing"
    assert reply == {"kind": "done", "id": "1", "error": said}
    assert widget.fault == said
    assert widget.details.rstrip().endswith("ZeroDivisionError: by nothing")


def test_a_fault_of_ours_is_raised_as_well_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSEREAD_STRICT", "1")
    widget = Counter()
    with pytest.raises(ZeroDivisionError, match=r"^by nothing$"):
        widget.says(acting("break"))
    assert widget.fault.endswith("ZeroDivisionError: by nothing")
    assert widget.sent[-1][0]["error"] == widget.fault
    widget.says(acting("add", by=-1))
    assert widget.fault == "by is -1; give 0 or more."


def test_a_question_has_an_answer_with_its_bytes() -> None:
    widget = Counter()
    asked = {"kind": "ask", "id": "7", "name": "double", "values": {"n": 21}}
    assert widget.says(asked) == ({"kind": "answer", "id": "7", "value": 42}, [])
    asked = {"kind": "ask", "id": "8", "name": "bytes", "values": {"n": 2}}
    assert widget.says(asked) == ({"kind": "answer", "id": "8", "value": {"got": 0}}, [b"\x01\x01"])
    assert widget.says(asked, [memoryview(b"x")])[0]["value"] == {"got": 1}


def test_a_question_that_nobody_knows_is_told() -> None:
    reply, _ = Counter().says({"kind": "ask", "id": "9", "name": "weather"})
    assert reply == {"kind": "answer", "id": "9", "error": "Counter knows no question 'weather'."}


@pytest.mark.parametrize("content", ["text", None, [], {}, {"kind": "shout"}])
def test_what_is_neither_action_nor_question_is_not_answered(content: Any) -> None:
    assert Counter().says(content) is None


def test_a_controller_takes_the_actions_in_the_widgets_stead() -> None:
    class Book:
        def __init__(self) -> None:
            self.taken: list[Operation] = []

        def take(self, operation: Operation) -> None:
            self.taken.append(operation)

    widget = Counter()
    widget.controller = book = Book()
    widget.says(acting("add", by=3))
    widget.act("add", by=4)
    assert [(found.kind, dict(found.values)) for found in book.taken] == [("add", {"by": 3}), ("add", {"by": 4})]
    assert book.taken[0].id == "1"
    assert widget.count == 0
    widget.says(acting("close_fault"))
    assert len(book.taken) == 2


def test_the_script_of_a_widget_stays_a_trait_that_the_browser_gets() -> None:
    state = Counter().get_state()
    assert state["_esm"].endswith("export default { render: $$page_view.render };\n")
    assert ".sr {" in state["_css"]


def test_linked_widgets_have_a_channel_of_their_own() -> None:
    one, two, three, four = (Counter() for _ in range(4))
    linking.link(one, two)
    linking.link(three, four)
    assert one.channel == two.channel != three.channel == four.channel
    assert one.channel


def test_a_language_without_words_is_refused() -> None:
    with pytest.raises(InvalidOption, match=r"^language is 'de'; choose from en, zh\.$"):
        Counter(language="de")


@pytest.mark.parametrize("section", SECTIONS)
def test_both_languages_say_the_same_things_with_the_same_values(section: str) -> None:
    english, chinese = (words_of([section], language) for language in LANGUAGES)
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert placeholders(text) == placeholders(chinese[key]), key
        assert text.strip(), key
        assert chinese[key].strip(), key


@pytest.mark.parametrize("section", SECTIONS)
def test_sections_do_not_say_one_thing_in_two_ways(section: str) -> None:
    if section != "common":
        assert not words_of([section], "en").keys() & words_of(["common"], "en").keys()
    for language in LANGUAGES:
        text = (WORDS / f"{section}.{language}.json").read_text(encoding="utf-8")
        keys = [key for key, _ in json.loads(text, object_pairs_hook=list)]
        assert len(keys) == len(set(keys))


def placeholders(text: str) -> list[str]:
    return sorted(set(re.findall(r"\{(\w+)\}", text)))


@pytest.mark.parametrize("section", [name for name in SECTIONS if name != "common"])
def test_words_are_used(section: str) -> None:
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in [*WORDS.parent.glob("*.py"), *(WORDS.parent / "static").rglob("*.js")]
    )
    # A key may be put together: `status.${name}`, or wordOr(t, "type", code); each uses all that begin so.
    begins = {begin for begin in re.findall(r"[`\"]([\w.]+)\$?\{", code) if begin.endswith((".", "_"))}
    begins |= {f"{name}." for name in re.findall(r"\(\w*,? ?\"(\w+)\",", code)}
    unused = [key for key in words_of([section], "en") if f'"{key}"' not in code and not key.startswith(tuple(begins))]
    assert unused == []
