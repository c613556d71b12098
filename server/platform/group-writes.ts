/**
 * Returns a function that writes items in batches: items that arrive during a write go into the next one (group commit), so that one statement runs
 * at a time. The function resolves when its item is written, and rejects as that write does.
 * @param write writes all of these items or none
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
