"""What the browser keeps for the kernel, and what it lets go of: called in a page without Jupyter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from workbench.widgets.scripts import script_of

pytestmark = pytest.mark.browser

# A model as a notebook gives it: it hears nobody, and keeps what is said to the kernel.
MADE = """
globalThis.modelOf = (workspace, more = {}) => ({
  sent: [],
  heard: new Map(),
  values: { workspace, words: { lost: 'It has gone.', close: 'Close' }, fault: '', details: '', ...more.values },
  get(name) { return this.values[name]; },
  set(name, value) {
    this.values[name] = value;
    for (const listener of this.heard.get(`change:${name}`) ?? []) listener();
  },
  on(name, listener) { this.heard.set(name, [...(this.heard.get(name) ?? []), listener]); },
  off(name, listener) { this.heard.set(name, (this.heard.get(name) ?? []).filter((one) => one !== listener)); },
  save_changes() { if (this.dead) throw new Error('The line is dead.'); },
  send(message) { this.sent.push(message); },
  tell(message) { for (const listener of this.heard.get('msg:custom') ?? []) listener(message, []); },
  ...more,
});
globalThis.kernelOf = () => {
  const signal = () => ({
    slots: new Set(),
    connect(slot) { this.slots.add(slot); },
    disconnect(slot) { this.slots.delete(slot); },
    emit(...values) { for (const slot of [...this.slots]) slot(null, ...values); },
  });
  return { statusChanged: signal(), disposed: signal(), connectionStatusChanged: signal() };
};
"""


@pytest.fixture(scope="module")
def parts(browser: Browser) -> Iterator[Page]:
    """A page with an address of its own, which has a storage, and in it the scripts."""
    context = browser.new_context()
    page = context.new_page()
    page.route("**/*", lambda route: route.fulfill(body="<html></html>", content_type="text/html"))
    page.goto("http://127.0.0.1/bench")
    script = script_of("workbench_children").rpartition("export default")[0]
    others = "const $fault = (() => { " + script_of("fault").rpartition("export default")[0] + " return $$fault; })();"
    names = "actions: $$actions.actions, bus: $bus.bus, placeOf: $$workbench_children.placeOf, faultOf: $fault.faultOf"
    channel = "const $bus = (() => { " + script_of("bus").rpartition("export default")[0] + " return $$bus; })();"
    content = f"{script}\n{others}\n{channel}\nglobalThis.parts = {{ {names} }};\n{MADE}"
    page.add_script_tag(content=content, type="module")
    page.wait_for_function("globalThis.kernelOf !== undefined")
    yield page
    context.close()


def said(page: Page, script: str) -> Any:
    """Run a function in the page, with the parts in reach."""
    page.evaluate("localStorage.clear()")
    return page.evaluate(f"async () => {{ const {{ actions, bus, placeOf, faultOf }} = globalThis.parts; {script} }}")


def test_what_waits_for_a_rest_is_said_before_the_next_action_of_the_workspace(parts: Page) -> None:
    found = said(
        parts,
        """
        const [shell, panel, other] = [modelOf('/one'), modelOf('/one'), modelOf('/two')];
        const order = [];
        for (const [name, model] of Object.entries({ shell, panel, other })) {
          model.send = ({ operation }) => order.push(`${name} ${operation.kind}`);
        }
        actions(panel).due(() => actions(panel).act('set_cut'));
        const before = [actions(shell).changing, actions(other).changing];
        actions(other).act('undo');
        actions(shell).act('undo');
        actions(shell).act('redo');
        const taken = actions(panel).due(() => order.push('never'));
        taken();
        actions(shell).act('show');
        return { order, before };
        """,
    )
    assert found["order"] == ["other undo", "panel set_cut", "shell undo", "shell redo", "shell show"]
    assert found["before"] == [True, False]


def test_a_full_storage_loses_no_action(parts: Page) -> None:
    found = said(
        parts,
        """
        const [model, sibling] = [modelOf('/full'), modelOf('/full')];
        const [one, two] = [actions(model), actions(sibling)];
        one.act('set_budget', { tokens: 1 });
        const store = Storage.prototype.setItem;
        Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
        one.act('set_cut', { kind: 'share', value: 0.1 });
        two.act('set_cut', { kind: 'share', value: 0.2 });
        const full = [one.pending, two.pending];
        model.tell({ kind: 'done', id: model.sent[0].operation.id });
        const acknowledged = two.pending;
        Storage.prototype.setItem = store;
        model.tell({ kind: 'done', id: model.sent[1].operation.id });
        const kept = JSON.parse(localStorage.getItem('sparseread:/full')).map(({ values }) => values.value);
        return { full, acknowledged, kept, last: one.pending };
        """,
    )
    assert found == {"full": [3, 3], "acknowledged": 2, "kept": [0.2], "last": 1}


def test_a_fault_is_closed_without_the_kernel(parts: Page) -> None:
    found = said(
        parts,
        """
        const values = { workspace: '/dead', words: {}, fault: 'No.', details: 'x' };
        const model = modelOf('/dead', { dead: true, values });
        const { element, dispose } = faultOf(model);
        const shown = element.textContent.includes('No.');
        element.querySelector('button').click();
        const after = element.textContent;
        dispose();
        const [details, sent] = [model.get('details'), model.sent.length];
        return { shown, after, details, pending: actions(model).pending, sent };
        """,
    )
    assert found == {"shown": True, "after": "", "details": "", "pending": 0, "sent": 0}


def test_questions_to_a_kernel_that_has_gone_are_answered_with_an_error(parts: Page) -> None:
    found = said(
        parts,
        """
        const model = modelOf('/gone');
        const asked = actions(model);
        const open = asked.ask('explain', { block: 1 });
        asked.act('set_budget', { tokens: 1 });
        asked.lost();
        return { open: await open, later: await asked.ask('diff'), pending: asked.pending, sent: model.sent.length };
        """,
    )
    assert found == {"open": {"error": "It has gone."}, "later": {"error": "It has gone."}, "pending": 1, "sent": 2}


def test_a_model_that_nobody_shows_is_held_by_nothing(parts: Page) -> None:
    found = said(
        parts,
        """
        const kernel = kernelOf();
        const model = modelOf('/held', { widget_manager: { kernel } });
        let listening = 0;
        const queues = globalThis.sparsereadQueues;
        const [add, remove] = [queues.addEventListener, queues.removeEventListener];
        queues.addEventListener = function (...given) { listening += 1; return add.apply(this, given); };
        queues.removeEventListener = function (...given) { listening -= 1; return remove.apply(this, given); };
        const found = actions(model);
        const still = listening;
        let told = 0;
        const ends = [found.watch(() => (told += 1)), found.watch(() => {})];
        actions(modelOf('/held')).act('undo');
        const watched = listening;
        for (const end of ends) end();
        const signals = Object.values(kernel);
        const connected = signals.map(({ slots }) => slots.size);
        for (const listener of model.heard.get('comm:close')) listener();
        const closed = signals.map(({ slots }) => slots.size);
        delete queues.addEventListener;
        delete queues.removeEventListener;
        return { still, watched, told, after: listening, connected, closed };
        """,
    )
    assert found == {"still": 0, "watched": 1, "told": 1, "after": 0, "connected": [1, 1, 1], "closed": [0, 0, 0]}


def test_a_channel_is_there_while_somebody_listens(parts: Page) -> None:
    found = said(
        parts,
        """
        const known = () => globalThis.sparsereadChannels.has('place');
        const [speaks, hears] = [bus('place'), bus('place')];
        speaks.emit('select', { block: 1 });
        const heard = [];
        const rooms = [known()];
        const ends = ['select', 'cut'].map((topic) => hears.on(topic, (value) => heard.push(value)));
        rooms.push(known());
        speaks.emit('cut', 5);
        ends[0]();
        rooms.push(known());
        const last = speaks.last('cut');
        ends[1]();
        rooms.push(known());
        bus('place').on('cut', (value) => heard.push(value));
        speaks.emit('cut', 6);
        return { rooms, heard, last };
        """,
    )
    assert found == {"rooms": [False, True, True, False], "heard": [5, 6], "last": 5}


SHELL = """
  const ends = [];
  const model = modelOf('', { values: { workspace: '', children: { gate: modelOf('') }, words: {} }, alone: true });
  const mounted = [];
  const t = (key, values = {}) => `${key} ${values.error ?? ''}`.trim();
  const shell = { model, t, ends: (end) => ends.push(end), mounted: (name) => mounted.push(name) };
"""


def test_what_is_drawn_after_its_bench_has_gone_is_taken_away(parts: Page) -> None:
    found = said(
        parts,
        SHELL
        + """
        let ready;
        let disposed = 0;
        const drawing = new Promise((resolve) => (ready = resolve));
        const place = placeOf(shell, 'gate', () => drawing);
        const shown = place.show();
        await Promise.resolve();
        for (const end of ends) end();
        ready(() => (disposed += 1));
        await shown;
        return { disposed, mounted };
        """,
    )
    assert found == {"disposed": 1, "mounted": []}


def test_a_part_that_cannot_be_drawn_says_so_and_can_be_tried_again(parts: Page) -> None:
    found = said(
        parts,
        SHELL
        + """
        let tries = 0;
        const draw = ({ el }) => {
          tries += 1;
          el.append('half a picture');
          if (tries === 1) throw new TypeError('no options');
          el.replaceChildren('drawn');
        };
        const place = placeOf(shell, 'gate', draw);
        await place.show();
        const first = place.element.textContent;
        await place.show();
        return { first, then: place.element.textContent, mounted };
        """,
    )
    assert found == {"first": "wait.broken TypeError: no options", "then": "drawn", "mounted": ["gate"]}
