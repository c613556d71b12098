/** The maximum pause after a flush in ms. */
const longestRestMs = 1_000;

/**
 * Collects items and flushes them in batches, at most once per `everyMs()`. Items wait for the interval and for a running flush, if `flush` returns a
 * promise. After a slow flush follows an equal pause of up to one second, so that bursts leave half of the time to the page.
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
    flush(): void {
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
