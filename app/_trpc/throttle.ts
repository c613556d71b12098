/** The maximum pause after a flush in ms. */
const longestRestMs = 1_000;

/**
 * Gathers what is added and hands it over at once, but never twice within `everyMs()`; what comes in between waits for
 * the end of that time, and of the work before, where `flush` gives a promise of it. Work that takes long is followed by
 * a rest as long, up to a second, so that a storm leaves half of the time to the person at the page.
 */
export function createThrottle<Item>(everyMs: () => number, flush: (items: ReadonlySet<Item>) => unknown) {
  let waiting = new Set<Item>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWorking = false;
  function run() {
    timer = undefined;
    if (isWorking || waiting.size === 0) return;
    const items = waiting;
    waiting = new Set();
    const began = performance.now();
    const work = flush(items);
    if (!(work instanceof Promise)) {
      timer = setTimeout(run, everyMs());
      return;
    }
    isWorking = true;
    const end = () => {
      isWorking = false;
      const tookMs = performance.now() - began;
      timer = setTimeout(run, Math.max(everyMs() - tookMs, Math.min(tookMs, longestRestMs)));
    };
    work.then(end, end);
  }
  return {
    add(items: readonly Item[]): void {
      for (const item of items) waiting.add(item);
      if (timer === undefined && !isWorking) run();
    },
    /** Flushes immediately, unless a flush is running. */
    hurry(): void {
      clearTimeout(timer);
      run();
    },
    /** Discards pending items. */
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
      waiting = new Set();
    },
  };
}
