import { createHash } from 'node:crypto';
import { unseal } from '@/server/platform/crypto';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Import as StoredImport } from '@/server/platform/generated/prisma/client';
import { takeLoopTurn } from '@/server/platform/loop-share';
import type { Draft } from './draft';
import { type Import, ImportKind, type ImportSource } from './schema';

const importNotFound = () => new AppError('NOT_FOUND', 'There is no such import.');

/** Returns the error for an import that is not in the state that an action needs. */
export const inOtherState = (message: string) => new AppError('EDIT_CONFLICT', message);

/** An import without its draft, which is large. */
export type ImportRow = Omit<StoredImport, 'draft'>;

/**
 * Reads an import of the team without its draft.
 * @throws AppError NOT_FOUND
 */
export async function findImport(db: Db, teamId: string, id: string): Promise<ImportRow> {
  const row = await db.import.findFirst({ where: { id, teamId }, omit: { draft: true } });
  if (!row) throw importNotFound();
  return row;
}

/**
 * Decrypts and parses the draft of an import, in turn with the work of other teams.
 * @throws AppError EDIT_CONFLICT if the import has no draft, or the draft was encrypted with another APP_SECRET
 */
export async function readDraft(db: Db, { id, teamId }: ImportRow): Promise<Draft> {
  const stored = await db.import.findFirst({ where: { id, teamId }, select: { draft: true } });
  const draft = stored?.draft ?? null;
  await takeLoopTurn(teamId);
  try {
    if (draft !== null) return JSON.parse(unseal(draft)) as Draft;
  } catch {
    // The secret was changed since the upload.
  }
  throw inOtherState('The file is no longer there. Upload it again.');
}

const noCounts = () => ({ total: 0, waiting: 0, created: 0, updated: 0, kept: 0, failed: 0, deleted: 0, left: 0 });

/** Maps an import to the API form: counts its items by kind and outcome, and names the next one. */
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

/** Returns a hash of the settings of an object, which shows whether somebody changed it; null if it was deleted. Ignores whether it is paused. */
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
      const row = await db.channel.findFirst({
        where,
        select: {
          name: true,
          config: true,
          fallbackChannelId: true,
          templates: true,
          maxPerMinute: true,
          allMonitors: true,
          tags: true,
          minSeverity: true,
          mutedEvents: true,
          quietHours: true,
          reminderMinutes: true,
          routed: { select: { monitorId: true }, orderBy: { monitorId: 'asc' } },
        },
      });
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
          allMonitors: true,
          tags: true,
          checks: true,
          isAnnounced: true,
          announceHours: true,
          notifiesChannels: true,
          skippedStarts: true,
          changedStarts: true,
          changedEnds: true,
          monitors: { select: { monitorId: true }, orderBy: { monitorId: 'asc' } },
        },
      });
      return row && hash(row);
    }
    case 'page': {
      const row = await db.statusPage.findFirst({
        where,
        select: {
          slug: true,
          title: true,
          description: true,
          isPublic: true,
          logoKey: true,
          monitors: {
            select: { monitorId: true, position: true, displayName: true },
            orderBy: [{ position: 'asc' }, { monitorId: 'asc' }],
          },
          components: { select: { id: true, name: true, description: true, position: true }, orderBy: { id: 'asc' } },
        },
      });
      return row && hash(row);
    }
    default:
      return kind satisfies never;
  }
}

/** Like `describeUse`, for a channel. */
async function describeChannelUse(db: Db, teamId: string, id: string): Promise<string | null> {
  const fallback = { fallbackChannelId: id };
  if ((await db.monitorChannel.count({ where: { channelId: id } })) > 0) return 'Another monitor uses it.';
  if ((await db.channel.count({ where: { teamId, ...fallback } })) > 0) return 'It is the fallback of another channel.';
  if ((await db.team.count({ where: { id: teamId, ...fallback } })) > 0) return 'It is the fallback of the team.';
  const steps = { array_contains: [{ targets: [{ id }] }] };
  return (await db.escalationPolicy.count({ where: { teamId, steps } })) > 0
    ? 'An escalation policy notifies it.'
    : null;
}

/** Returns a sentence on what uses a channel or monitor that an undo would delete; null if nothing does, and for other kinds. */
export async function describeUse(db: Db, teamId: string, kind: ImportKind, id: string): Promise<string | null> {
  if (kind === 'channel') return describeChannelUse(db, teamId, id);
  if (kind !== 'monitor') return null;
  const where = { monitorId: id };
  if ((await db.escalationPolicyMonitor.count({ where })) > 0) return 'An escalation policy names it.';
  if ((await db.channelRoute.count({ where })) > 0) return 'The rules of a channel name it.';
  if ((await db.statusPageMonitor.count({ where })) > 0) return 'A status page shows it.';
  if ((await db.maintenanceWindowMonitor.count({ where })) > 0) return 'A maintenance window names it.';
  return (await db.monitor.count({ where: { parentId: id } })) > 0 ? 'Another monitor depends on it.' : null;
}
