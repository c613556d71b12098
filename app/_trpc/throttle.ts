/**
 * Gathers what is added and hands it over at once, but never twice within `everyMs`; what comes in between waits for
 * the end of that time, and of the work before, where `flush` gives a promise of it.
 */
export function createThrottle<Item>(everyMs: number, flush: (items: ReadonlySet<Item>) => unknown) {
  let waiting = new Set<Item>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWorking = false;
  function run() {
    timer = undefined;
    if (isWorking || waiting.size === 0) return;
    const items = waiting;
    waiting = new Set();
    timer = setTimeout(run, everyMs);
    const work = flush(items);
    if (!(work instanceof Promise)) return;
    isWorking = true;
    const end = () => {
      isWorking = false;
      if (timer === undefined) run();
    };
    work.then(end, end);
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
