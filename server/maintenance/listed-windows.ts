import type { Db } from '@/server/platform/db';
import type { Prisma, MaintenanceWindow as Window } from '@/server/platform/generated/prisma/client';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { readChanges } from './change-queries';

/** The changes of single occurrences. */
export type Changes = Pick<Window, 'changedStarts' | 'changedEnds' | 'skippedStarts'>;

/** The columns that are not read for many windows at once: a window may have 600 dates, and reading them as arrays takes a millisecond. */
export const withoutChanges = { announced: true, changedStarts: true, changedEnds: true, skippedStarts: true } as const;
const omit = { ...withoutChanges, description: true } as const;

export type ListedWindow = Omit<Window, keyof typeof omit>;

/** The number of windows that are read in a turn. */
const AT_ONCE = 50;

/** Yields the windows of a team that match, 50 at a time, and takes turns with other teams, because a team may have a thousand. */
export async function* readWindows(
  db: Db,
  teamId: string,
  where: Prisma.MaintenanceWindowWhereInput,
): AsyncGenerator<ListedWindow[]> {
  for (let after = '', isMore = true; isMore; ) {
    await takeLoopTurn(teamId);
    const windows = await db.maintenanceWindow.findMany({
      where: { AND: [{ teamId, id: { gt: after } }, where] },
      orderBy: { id: 'asc' },
      take: AT_ONCE,
      omit,
    });
    if (windows.length > 0) yield windows;
    after = windows.at(-1)?.id ?? '';
    isMore = windows.length === AT_ONCE;
  }
}

const toDates = (text: string | null) => (text ? text.split(',').map((ms) => new Date(Number(ms))) : []);

/** Reads the changed and skipped occurrences of windows and adds them. Takes turns with other teams. */
export async function withChanges<Each extends { id: string; teamId: string }>(
  db: Db,
  windows: Each[],
): Promise<(Each & Changes)[]> {
  const found: (Each & Changes)[] = [];
  for (let first = 0; first < windows.length; first += AT_ONCE) {
    const slice = windows.slice(first, first + AT_ONCE);
    await takeLoopTurn(slice[0]?.teamId ?? '');
    const rows = await readChanges(
      db,
      slice.map(({ id }) => id),
    );
    const changes = new Map(rows.map((row) => [row.id, row]));
    for (const window of slice) {
      const { starts = null, ends = null, skipped = null } = changes.get(window.id) ?? {};
      found.push({
        ...window,
        changedStarts: toDates(starts),
        changedEnds: toDates(ends),
        skippedStarts: toDates(skipped),
      });
    }
  }
  return found;
}
