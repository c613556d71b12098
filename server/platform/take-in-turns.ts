/**
 * Returns up to `count` items, alternating between groups (round robin), so that a group with many items does not delay others. Items keep their
 * order within a group, and groups their order of first appearance.
 */
export function takeInTurns<T>(items: Iterable<T>, groupOf: (item: T) => string, count: number): T[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(groupOf(item));
    if (group) group.push(item);
    else groups.set(groupOf(item), [item]);
  }
  const taken: T[] = [];
  for (let turn = 0; groups.size > 0 && taken.length < count; turn += 1) {
    for (const [name, group] of groups) {
      const item = group[turn];
      if (item === undefined) groups.delete(name);
      else if (taken.push(item) >= count) break;
    }
  }
  return taken;
}
