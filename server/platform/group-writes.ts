/**
 * Batches items that arrive during a write into the next write (group commit): one statement runs at a time.
 * @param write writes all of these items or none
 * @returns adds an item; resolves when it is written, rejects as its write does
 */
export function groupWrites<Item>(write: (items: Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let gathered: Item[] = [];
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();
  const start = (): Promise<void> => {
    const items = gathered;
    gathered = [];
    next = null;
    return write(items);
  };
  return (item) => {
    gathered.push(item);
    next ??= last.catch(() => undefined).then(start);
    last = next;
    return next;
  };
}
