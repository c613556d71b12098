/**
 * Makes `make` answer everyone who asks for the same key within `forMs` with the same promise, so that a crowd costs what
 * one visitor does. What failed is not kept.
 */
export function createShared<Args extends unknown[], Value>(
  forMs: number,
  make: (...args: Args) => Promise<Value>,
): (key: string, ...args: Args) => Promise<Value> {
  const kept = new Map<string, Promise<Value>>();
  return (key, ...args) => {
    const known = kept.get(key);
    if (known) return known;
    const made = make(...args);
    const forget = () => {
      if (kept.get(key) === made) kept.delete(key);
    };
    kept.set(key, made);
    made.catch(forget);
    setTimeout(forget, forMs).unref();
    return made;
  };
}
