/**
 * Gathers what is added and hands it over at once, but never twice within `everyMs`; what comes in between waits for
 * the end of that time.
 */
export function createThrottle<Item>(everyMs: number, flush: (items: ReadonlySet<Item>) => void) {
  let waiting = new Set<Item>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function run() {
    timer = undefined;
    if (waiting.size === 0) return;
    const items = waiting;
    waiting = new Set();
    timer = setTimeout(run, everyMs);
    flush(items);
  }
  return {
    add(items: readonly Item[]): void {
      for (const item of items) waiting.add(item);
      if (timer === undefined) run();
    },
    /** Forgets what waits. */
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
      waiting = new Set();
    },
  };
}
