"""How a move in the bench is timed in the browser: from the event to the end of the frame that shows what it did.

The clock stands in the page itself, so no time of the test tool is in any figure. A frame that shows nothing new takes
time as well, for the browser draws at its own beat: the same clock around no event at all is the noise that every
figure must be read against.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from playwright.sync_api import Page, WebSocket

CLOCK = """() => {
  const frame = () => new Promise(done => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done();
    channel.port2.postMessage(0);
  }));
  const turn = () => new Promise(done => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done();
    channel.port2.postMessage(0);
  });
  const rest = ms => new Promise(done => setTimeout(done, ms));
  const shown = selector => [...document.querySelectorAll(selector)].find(found => found.offsetParent !== null);
  const put = (input, value) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    set.call(input, String(value));
  };
  const until = async (met, limit = 20000) => {
    const end = performance.now() + limit;
    while (!met()) {
      if (performance.now() > end) throw new Error('nothing came of the event: ' + met);
      await frame();
    }
  };
  // Each event at another moment of the browser's beat.
  const pause = place => rest(40 + (place * 7) % 17);
  window.benchClock = {
    frame, turn, rest, shown, put, until,
    async idle(count) {
      const times = [];
      for (let place = 0; place < count; place++) {
        await pause(place);
        const start = performance.now();
        await frame();
        times.push(performance.now() - start);
      }
      return times;
    },
    // `mark` says what is on the page; a move that leaves it as it was has not been painted, and is no time.
    async moves({ selector, values, mark, settle }) {
      const input = shown(selector);
      const numbers = found => [...found.querySelectorAll('input[type=number]')].map(field => field.value);
      const marked = () => {
        const found = document.querySelector(mark);
        return found.textContent + numbers(found);
      };
      const times = [];
      for (const [place, value] of values.entries()) {
        await pause(place);
        const before = marked();
        const start = performance.now();
        put(input, value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await frame();
        const took = performance.now() - start;
        if (marked() === before) await until(() => marked() !== before);
        times.push(marked() === before ? performance.now() - start : took);
      }
      if (settle) input.dispatchEvent(new Event('change', { bubbles: true }));
      return times;
    },
  };
}"""


@dataclass(frozen=True)
class Times:
    """What a number of moves took, in milliseconds."""

    values: Sequence[float]

    @property
    def median(self) -> float:
        """The middle one."""
        return float(np.median(self.values))

    @property
    def p95(self) -> float:
        """What one in twenty is above."""
        return float(np.percentile(self.values, 95))

    def __str__(self) -> str:
        return f"{self.median:,.1f} ms (95 % within {self.p95:,.1f})"


@dataclass
class Wire:
    """Bytes that cross the page's websockets, both ways, while it listens.

    ``spoken`` are those of messages between widget and kernel; the rest is JupyterLab's own, such as a sign of life.
    """

    sent: int = 0
    received: int = 0
    spoken: int = 0
    listening: bool = False
    heard: int = 0
    sockets: list[WebSocket] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Count what the sockets of a page carry that are opened from now on."""
        page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framesent", lambda payload: self._add("sent", payload))
        socket.on("framereceived", lambda payload: self._add("received", payload))

    def wait_for_silence(self, page: Page, *, milliseconds: int, tries: int = 10) -> None:
        """Wait until widget and kernel have said nothing for a while: on a slow machine a bench still computes."""
        for _ in range(tries):
            before = self.heard
            page.wait_for_timeout(milliseconds)
            if self.heard == before:
                return

    def _add(self, way: str, payload: str | bytes) -> None:
        data = payload.encode("utf-8") if isinstance(payload, str) else payload
        self.heard += b"comm_msg" in data
        if self.listening:
            setattr(self, way, getattr(self, way) + len(data))
            self.spoken += len(data) if b"comm_msg" in data else 0

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count from zero while the block runs."""
        self.sent = self.received = self.spoken = 0
        self.listening = True
        try:
            yield
        finally:
            self.listening = False

    @property
    def total(self) -> int:
        """Both ways."""
        return self.sent + self.received


def idle(page: Page, count: int) -> Times:
    """Return what a frame takes in which nothing happens."""
    return Times(page.evaluate("count => benchClock.idle(count)", count))


def moves(page: Page, selector: str, values: Sequence[float], mark: str, *, settle: bool = False) -> Times:
    """Move a slider to each value in turn, and return what each took until it was painted.

    Parameters
    ----------
    selector : str
        Of the slider; the one that is shown is taken.
    values : sequence of float
    mark : str
        Selector of an element whose text or numbers every move changes.
    settle : bool
        Whether the slider is let go at the end.
    """
    asked: dict[str, Any] = {"selector": selector, "values": list(values), "mark": mark, "settle": settle}
    return Times(page.evaluate("asked => benchClock.moves(asked)", asked))
