// When the browser has painted: for marks that tests and benchmarks wait for, and to do at most one thing a frame.

export function afterPaint(then) {
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => then(performance.now());
    channel.port2.postMessage(0);
  });
}

// Returns a function that runs `work` with the newest value at most once a frame.
export function eachFrame(work) {
  let value;
  let asked = false;
  return (newest) => {
    value = newest;
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work(value);
    });
  };
}
