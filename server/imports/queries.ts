import { createHash } from 'node:crypto';
import { unseal } from '@/server/platform/crypto';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Import as ImportRow } from '@/server/platform/generated/prisma/client';
import type { Draft } from './draft';
import { type Import, ImportKind, type ImportSource } from './schema';

const importNotFound = () => new AppError('NOT_FOUND', 'There is no such import.');

/** The error for an import that is not in the state that an action needs. */
export const inOtherState = (message: string) => new AppError('EDIT_CONFLICT', message);

/** @throws AppError NOT_FOUND */
export async function findImport(db: Db, teamId: string, id: string): Promise<ImportRow> {
  const row = await db.import.findFirst({ where: { id, teamId } });
  if (!row) throw importNotFound();
  return row;
}

/**
 * What was read of the file of an import.
 * @throws AppError EDIT_CONFLICT if it is not there, or was encrypted with another APP_SECRET
 */
export function draftOf({ draft }: ImportRow): Draft {
  try {
    if (draft !== null) return JSON.parse(unseal(draft)) as Draft;
  } catch {
    // The secret was changed since the upload.
  }
  throw inOtherState('The file is no longer there. Upload it again.');
}

const noCounts = () => ({ total: 0, waiting: 0, created: 0, updated: 0, kept: 0, failed: 0, deleted: 0, left: 0 });

/** An import with the numbers of its items. */
export async function toImport(db: Db, row: ImportRow): Promise<Import> {
  const [groups, current] = await Promise.all([
    db.importItem.groupBy({ by: ['kind', 'outcome'], where: { importId: row.id }, _count: true }),
    db.importItem.findFirst({
      where: { importId: row.id, outcome: { in: ['waiting', 'started'] } },
      orderBy: { position: 'asc' },
      select: { name: true },
    }),
  ]);
  const counts = { channel: noCounts(), monitor: noCounts(), window: noCounts(), page: noCounts() };
  for (const { kind, outcome, _count: count } of groups) {
    const own = counts[ImportKind.parse(kind)];
    own.total += count;
    own[outcome === 'started' ? 'waiting' : outcome] += count;
  }
  return {
    id: row.id,
    source: row.source as ImportSource,
    fileName: row.fileName,
    bytes: row.bytes,
    state: row.state,
    authorName: row.authorName,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    counts,
    current: row.state === 'running' ? (current?.name ?? null) : null,
  };
}

const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** A hash of the settings of an object, which shows whether somebody changed it; null if it is gone. Pausing is no change. */
export async function readFingerprint(db: Db, teamId: string, kind: ImportKind, id: string): Promise<string | null> {
  const where = { id, teamId };
  switch (kind) {
    case 'monitor': {
      const row = await db.monitor.findFirst({
        where,
        select: {
          name: true,
          config: true,
          intervalSeconds: true,
          tags: true,
          regions: true,
          severity: true,
          allChannels: true,
          parentId: true,
          channels: { select: { channelId: true }, orderBy: { channelId: 'asc' } },
        },
      });
      return row && hash(row);
    }
    case 'channel': {
      const row = await db.channel.findFirst({ where, select: { name: true, config: true, fallbackChannelId: true } });
      return row && hash(row);
    }
    case 'window': {
      const row = await db.maintenanceWindow.findFirst({
        where,
        select: {
          title: true,
          description: true,
          startsAt: true,
          endsAt: true,
          recurrence: true,
          timezone: true,
          tags: true,
        },
      });
      return row && hash(row);
    }
    case 'page': {
      const row = await db.statusPage.findFirst({
        where,
        select: { slug: true, title: true, description: true, isPublic: true, logoKey: true },
      });
      return row && hash(row);
    }
    default:
      return kind satisfies never;
  }
}

/** What uses an object that an undo would delete, in words; null if nothing does. */
export async function findUse(db: Db, kind: ImportKind, id: string): Promise<string | null> {
  if (kind === 'channel') {
    return (await db.monitorChannel.count({ where: { channelId: id } })) > 0 ? 'Another monitor uses it.' : null;
  }
  if (kind !== 'monitor') return null;
  const where = { monitorId: id };
  if ((await db.statusPageMonitor.count({ where })) > 0) return 'A status page shows it.';
  if ((await db.maintenanceWindowMonitor.count({ where })) > 0) return 'A maintenance window names it.';
  return (await db.monitor.count({ where: { parentId: id } })) > 0 ? 'Another monitor depends on it.' : null;
}
