/** Rows of the list below one heading, by ID. The heading is null in a list without groups. */
export interface ListGroup {
  key: string;
  heading: string | null;
  /** The number of rows of the group, which may not be loaded yet. */
  count: number;
  ids: string[];
}

/** A line of the list. A row without an ID is not known yet. */
export type Entry =
  | { key: string; kind: 'heading'; heading: string; count: number }
  | { key: string; kind: 'row'; id: string | null };

/** Divides a list that is sorted by severity into the first rows, which need attention, and the rest. */
export function splitByAttention(ids: string[], attention: number, count: number): ListGroup[] {
  if (attention === 0) return [{ key: 'rest', heading: null, count, ids }];
  const all: ListGroup[] = [
    { key: 'attention', heading: 'Needs attention', count: attention, ids: ids.slice(0, attention) },
    { key: 'rest', heading: 'Everything else', count: Math.max(0, count - attention), ids: ids.slice(attention) },
  ];
  return all.filter(({ ids: some }) => some.length > 0);
}

/**
 * Keeps the place of every row that is in both lists: removes rows that are gone, and appends new ones to the last group. With `isByGroup`, a row may be in
 * several groups, and a new one is appended to its own.
 */
export function keepPlaces(kept: ListGroup[], next: ListGroup[], isByGroup: boolean): ListGroup[] {
  const nameOf = (key: string, id: string) => (isByGroup ? `${key} ${id}` : id);
  const namesIn = (groups: ListGroup[]) => new Set(groups.flatMap(({ key, ids }) => ids.map((id) => nameOf(key, id))));
  const [before, after] = [namesIn(kept), namesIn(next)];
  const counts = new Map(next.map(({ key, count }) => [key, count]));
  const groups = kept.map((group) => ({
    ...group,
    count: counts.get(group.key) ?? group.count,
    ids: group.ids.filter((id) => after.has(nameOf(group.key, id))),
  }));
  for (const { ids, ...group } of next) {
    const added = ids.filter((id) => !before.has(nameOf(group.key, id)));
    if (added.length === 0) continue;
    const target = isByGroup ? groups.find(({ key }) => key === group.key) : groups.at(-1);
    if (target) target.ids.push(...added);
    else groups.push({ ...group, ids: added });
  }
  return groups.filter(({ ids }) => ids.length > 0);
}

/** Whether two lists have the same groups with the same rows. */
export function areSame(a: ListGroup[], b: ListGroup[]): boolean {
  return (
    a.length === b.length &&
    a.every((group, index) => {
      const other = b[index];
      return (
        group.key === other?.key &&
        group.count === other.count &&
        group.ids.length === other.ids.length &&
        group.ids.every((id, place) => id === other.ids[place])
      );
    })
  );
}

/** The lines of a list, with a line for each of the `count` rows that are not known yet. */
export function toEntries(groups: ListGroup[], count: number): Entry[] {
  const entries: Entry[] = [];
  let known = 0;
  for (const { key, heading, count: inGroup, ids } of groups) {
    if (heading !== null) entries.push({ key, kind: 'heading', heading, count: inGroup });
    for (const id of ids) entries.push({ key: `${key} ${id}`, kind: 'row', id });
    known += ids.length;
  }
  for (; known < count; known += 1) entries.push({ key: `unknown ${known}`, kind: 'row', id: null });
  return entries;
}
