"""A widget in a page of its own, without Jupyter: what needs no notebook is tested here, in tenths of a second.

``bare_page(browser, widget)`` shows the widget as an exported page does, without a kernel. With ``live=True`` this
process is the kernel: actions and questions reach the widget itself, and what it sends reaches the page.
"""

from __future__ import annotations

import base64
import contextlib
import queue
import tempfile
import threading
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ipywidgets.widgets.widget import _remove_buffers
from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as Waited

from workbench.widgets.base import Widget
from workbench.widgets.page_export import save_html

from .jupyter import Guard

PAINTED = (
    """() => { const found = document.querySelector('[data-widget]'); return found && found.dataset.painted > 0 }"""
)

# The models of a page go to the widgets in this process: `sparsereadTell` is what the page calls there.
CONNECT = """
const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
const textOf = value => {
  const view = new Uint8Array(value.buffer ?? value, value.byteOffset ?? 0, value.byteLength);
  let text = '';
  for (const code of view) text += String.fromCharCode(code);
  return btoa(text);
};
const connected = new Map();
const tell = (id, message) => globalThis.sparsereadTell(id, message).then(globalThis.sparsereadHear);
const put = (within, path, value) => {
  path.slice(0, -1).reduce((inner, key) => inner[key], within)[path.at(-1)] = value;
};
const hearOne = ({ id, born, state, content, buffers, paths }) => {
  const views = buffers.map(text => new DataView(bytesOf(text).buffer));
  if (content !== undefined) return connected.get(id).trigger('msg:custom', content, views);
  paths.forEach((path, rank) => put(state, path, views[rank]));
  if (born) return connect(id, new (connected.get('0').constructor)(state, []));
  const model = connected.get(id);
  const changed = Object.keys(state).filter(name => model.state[name] !== state[name]);
  Object.assign(model.state, state);
  if (state.children) model.adopt(connected);
  for (const name of changed) model.trigger(`change:${name}`, state[name]);
  if (changed.length) model.trigger('change');
};
globalThis.sparsereadHear = messages => messages.forEach(hearOne);
function connect(id, model) {
  connected.set(id, model);
  const changed = new Set();
  const set = model.set.bind(model);
  Object.assign(model, {
    alone: false,
    set(name, value) { changed.add(name); set(name, value); },
    save_changes() {
      const state = Object.fromEntries([...changed].map(name => [name, model.state[name]]));
      changed.clear();
      tell(id, { state });
    },
    send(content, _callbacks, buffers = []) { tell(id, { content, buffers: buffers.map(textOf) }); },
  });
  if (model.state.children) model.adopt(connected);
}
Object.defineProperty(globalThis, 'sparsereadModels', {
  get: () => Object.fromEntries(connected),
  set(models) {
    for (const [id, model] of Object.entries(models)) connect(id, model);
    setInterval(() => tell('', {}), 50);
  },
});
"""


@contextlib.contextmanager
def bare_page(
    browser: Browser,
    widget: Widget,
    *,
    theme: str = "light",
    width: int = 1280,
    height: int = 900,
    guard: Guard | None = None,
    live: bool = False,
    scale: float = 1.0,
    wait: str = PAINTED,
) -> Iterator[Page]:
    """Show a widget in a page of its own, until its first paint.

    Parameters
    ----------
    browser : Browser
    widget : Widget
    theme : str
        "light" or "dark".
    width, height : int
        Of the page, in pixels of CSS.
    guard : Guard, optional
        Collects what goes wrong in the page.
    live : bool
        Whether the widget answers; otherwise the page is one without a kernel.
    scale : float
        Pixels of the screen for each of CSS.
    wait : str
        A JavaScript function that says when the page is ready.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = save_html(widget, Path(folder) / "widget.html", theme=theme)
        context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=scale)
        page = context.new_page()
        if guard is not None:
            guard.watch(context, page)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        try:
            kernel = _Kernel(page, widget) if live else None
            page.goto(file.as_uri())
            _wait(page, wait, errors)
            if kernel is not None:
                kernel.listening = True
            yield page
        finally:
            context.close()


def _wait(page: Page, ready: str, errors: list[str], seconds: float = 15.0) -> None:
    try:
        page.wait_for_function(ready, timeout=1000 * seconds)
    except Waited as waited:
        said = "; ".join(errors) or "it reports no error"
        raise AssertionError(f"the page was not ready after {seconds:g} s: {said}") from waited


class _Kernel:
    """Connects a page's models with the widgets in this process, named as ``page_export`` names them."""

    def __init__(self, page: Page, widget: Widget) -> None:
        self.page = page
        self.listening = False
        self._thread = threading.get_ident()
        self._answering = False
        self._messages: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._names: dict[Widget, str] = {}
        self.name_of(widget)
        page.expose_function("sparsereadTell", self.hear)
        page.add_init_script(CONNECT)

    def name_of(self, widget: Widget) -> str:
        """Return what the page calls a widget; one that it does not know yet is sent before."""
        known = self._names.get(widget)
        if known is not None:
            return known
        name = self._names[widget] = str(len(self._names))
        widget.comm = _Comm(self, name)
        for child in dict(getattr(widget, "children", None) or {}).values():
            self.name_of(child)
        if self.listening:
            state, paths, buffers = _remove_buffers(widget.get_state())
            self.say(name, {"born": True, "state": self.with_names(widget, state), "paths": paths}, buffers)
        return name

    def with_names(self, widget: Widget, state: dict[str, Any]) -> dict[str, Any]:
        """Return what a widget sends with its children as the page calls them."""
        if "children" not in state:
            return state
        children = dict(getattr(widget, "children", {}))
        return state | {"children": {key: self.name_of(child) for key, child in children.items()}}

    def hear(self, name: str, message: dict[str, Any]) -> list[dict[str, Any]]:
        """Do what a model of the page says, and return what the widgets have said since."""
        self._answering = True
        try:
            if name:
                self._do({known: found for found, known in self._names.items()}[name], message)
        finally:
            self._answering = False
        return self._taken()

    def _do(self, widget: Widget, message: dict[str, Any]) -> None:
        if "state" in message:
            widget.set_state(message["state"])
        else:
            buffers = [memoryview(base64.b64decode(text)) for text in message["buffers"]]
            widget._handle_custom_msg(message["content"], buffers)

    def say(self, name: str, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Send to the page: at once, or with the next answer where the page asks or a thread speaks."""
        texts = [base64.b64encode(bytes(buffer)).decode("ascii") for buffer in buffers]
        self._messages.put({"id": name, "buffers": texts, **message})
        if self.listening and not self._answering and threading.get_ident() == self._thread:
            self.page.evaluate("messages => globalThis.sparsereadHear(messages)", self._taken())

    def _taken(self) -> list[dict[str, Any]]:
        taken = []
        with contextlib.suppress(queue.Empty):
            while True:
                taken.append(self._messages.get_nowait())
        return taken


class _Comm:
    """What ipywidgets sends the messages of one widget to."""

    def __init__(self, kernel: _Kernel, name: str) -> None:
        self.comm_id = uuid.uuid4().hex
        self._kernel = kernel
        self._name = name

    def send(self, data: dict[str, Any], buffers: Sequence[Any] | None = None, **_others: Any) -> None:
        """Pass a message of ipywidgets on."""
        if data["method"] == "custom":
            self._kernel.say(self._name, {"content": data["content"]}, buffers or ())
        elif data["method"] == "update":
            widget = next(found for found, name in self._kernel._names.items() if name == self._name)
            state = self._kernel.with_names(widget, data["state"])
            self._kernel.say(self._name, {"state": state, "paths": data["buffer_paths"]}, buffers or ())

    def on_msg(self, callback: Any) -> None:
        """Messages of the page come by another way."""

    def close(self, *_arguments: Any, **_values: Any) -> None:
        """End nothing: the page ends it."""
