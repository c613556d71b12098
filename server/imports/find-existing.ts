import type { Db } from '@/server/platform/db';
import type { Draft } from './draft';
import type { ImportKind } from './schema';

/** Returns the reference to an item in the choices of an import, such as "monitor:12". */
export const refOf = (kind: ImportKind, key: string) => `${kind}:${key}`;

/** Returns the external ID of an imported object, by which a later import of the same file finds it. */
export const importedId = (source: string, { instance }: Draft, kind: ImportKind, key: string) =>
  `${source}:${instance}:${kind}:${key}`.slice(0, 255);

interface Existing {
  id: string;
  name: string;
  /** Whether an earlier import created it; otherwise it has the same type and name. */
  isImported: boolean;
}

interface Row {
  id: string;
  name: string;
  type: string;
  externalId: string | null;
}

const READ_AT_ONCE = 1_000;

/** Reads in parts, because a statement has a limited number of parameters. */
async function inParts<Value, Found>(values: Value[], read: (part: Value[]) => Promise<Found[]>): Promise<Found[]> {
  const found: Found[] = [];
  for (let from = 0; from < values.length; from += READ_AT_ONCE) {
    found.push(...(await read(values.slice(from, from + READ_AT_ONCE))));
  }
  return found;
}

/**
 * Finds the objects of the team that correspond to items of a draft, by `refOf`: imported earlier, or with the same type and name. Items without one
 * are missing.
 */
export async function findExisting(
  db: Db,
  teamId: string,
  source: string,
  draft: Draft,
): Promise<Map<string, Existing>> {
  const existing = new Map<string, Existing>();
  const match = async (
    kind: ImportKind,
    items: { key: string; name: string; type: string }[],
    read: (names: string[], externalIds: string[]) => Promise<Row[]>,
  ) => {
    const rows = await inParts(items, (part) => {
      const ids = part.map(({ key }) => importedId(source, draft, kind, key));
      return read(
        part.map(({ name }) => name),
        ids,
      );
    });
    const byExternalId = new Map(rows.map((row) => [row.externalId, row]));
    const byName = new Map(rows.map((row) => [`${row.type} ${row.name}`, row]));
    for (const { key, name, type } of items) {
      const imported = byExternalId.get(importedId(source, draft, kind, key));
      const row = imported ?? byName.get(`${type} ${name}`);
      if (row) existing.set(refOf(kind, key), { id: row.id, name: row.name, isImported: imported !== undefined });
    }
  };
  const either = (name: string, names: string[], externalIds: string[]) => ({
    teamId,
    OR: [{ externalId: { in: externalIds } }, { [name]: { in: names } }],
  });
  const toItem = ({ key, input }: { key: string; input: { name: string; type: string } }) => {
    return { key, name: input.name, type: input.type };
  };
  const columns = { id: true, externalId: true } as const;
  await match('channel', draft.channels.map(toItem), (names, ids) =>
    db.channel.findMany({
      where: { ...either('name', names, ids), ownerId: null },
      select: { ...columns, name: true, type: true },
    }),
  );
  await match('monitor', draft.monitors.map(toItem), (names, ids) =>
    db.monitor.findMany({ where: either('name', names, ids), select: { ...columns, name: true, type: true } }),
  );
  const windows = draft.windows.map(({ key, input }) => ({ key, name: input.title, type: '' }));
  await match('window', windows, async (names, ids) => {
    const where = either('title', names, ids);
    const rows = await db.maintenanceWindow.findMany({ where, select: { ...columns, title: true } });
    return rows.map(({ title, ...row }) => ({ ...row, name: title, type: '' }));
  });
  const pages = draft.pages.map(({ key, input }) => ({ key, name: input.slug, type: '' }));
  await match('page', pages, async (names, ids) => {
    const rows = await db.statusPage.findMany({
      where: either('slug', names, ids),
      select: { ...columns, slug: true },
    });
    return rows.map(({ slug, ...row }) => ({ ...row, name: slug, type: '' }));
  });
  return existing;
}
