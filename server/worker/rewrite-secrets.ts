import { isDeepStrictEqual } from 'node:util';
import { db } from '@/server/platform/db';
import type { ChannelType, MonitorType } from '@/server/platform/generated/prisma/enums';

const ROWS_AT_ONCE = 500;
/** The number of times that an edit may change a row between read and write before the job restarts. */
const TRIES = 5;

/** The columns of a row with long-lived secrets. */
interface Secrets {
  config: unknown;
  /** Only for heartbeats. */
  pingToken: string | null;
}

interface Row extends Secrets {
  id: string;
  /** The version for optimistic locking. */
  updatedAt: Date;
}

interface MonitorRow extends Row {
  type: MonitorType;
}

interface ChannelRow extends Row {
  type: ChannelType;
}

/** How to rewrite the secrets of a monitor and of a channel. Returns secrets that need no change as they are. */
export interface Rewrite {
  monitor: (row: MonitorRow) => Secrets;
  channel: (row: ChannelRow) => Secrets;
}

const columns = { id: true, type: true, config: true, updatedAt: true } as const;
const page = (after: string) => ({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: ROWS_AT_ONCE }) as const;

/** A table of rows with secrets. */
interface Table<R extends Row> {
  list: (after: string) => Promise<R[]>;
  find: (id: string) => Promise<R | null>;
  /** Writes a row if it is unchanged since it was read. Keeps its version, because nothing visible changes. */
  write: (before: R, after: Secrets) => Promise<{ count: number }>;
}

const monitors: Table<MonitorRow> = {
  list: (after) => db.monitor.findMany({ ...page(after), select: { ...columns, pingToken: true } }),
  find: (id) => db.monitor.findUnique({ where: { id }, select: { ...columns, pingToken: true } }),
  write: ({ id, updatedAt, ...before }, { config, pingToken }) =>
    db.monitor.updateMany({
      where: { id, updatedAt, config: { equals: before.config as object }, pingToken: before.pingToken },
      data: { config: config as object, pingToken, updatedAt },
    }),
};

const withoutToken = <R>(row: R) => ({ ...row, pingToken: null });

const channels: Table<ChannelRow> = {
  list: async (after) => (await db.channel.findMany({ ...page(after), select: columns })).map(withoutToken),
  find: async (id) => {
    const row = await db.channel.findUnique({ where: { id }, select: columns });
    return row && withoutToken(row);
  },
  write: ({ id, updatedAt, ...before }, { config }) =>
    db.channel.updateMany({
      where: { id, updatedAt, config: { equals: before.config as object } },
      data: { config: config as object, updatedAt },
    }),
};

/** Rewrites a row; returns 1 if it changed, otherwise 0. Retries if the row was edited in between, because the edit may have kept a stored secret. */
async function rewriteRow<R extends Row>(table: Table<R>, first: R, rewrite: (row: R) => Secrets): Promise<number> {
  let row: R | null = first;
  for (let tries = 0; row && tries < TRIES; tries += 1) {
    const { config, pingToken } = rewrite(row);
    if (isDeepStrictEqual([config, pingToken], [row.config, row.pingToken])) return 0;
    const { count } = await table.write(row, { config, pingToken });
    if (count === 1) return 1;
    row = await table.find(row.id);
  }
  if (!row) return 0;
  throw new Error(`Row ${row.id} kept changing while its secrets were rewritten.`);
}

async function rewriteTable<R extends Row>(table: Table<R>, rewrite: (row: R) => Secrets, signal: AbortSignal) {
  let written = 0;
  for (let rows = await table.list(''); rows.length > 0; rows = await table.list(rows.at(-1)?.id ?? '')) {
    for (const row of rows) {
      signal.throwIfAborted();
      written += await rewriteRow(table, row, rewrite);
    }
  }
  return written;
}

/**
 * Rewrites the secrets of all monitors and channels, row by row.
 * @returns the number of changed rows
 */
export async function rewriteSecrets(rewrite: Rewrite, signal: AbortSignal): Promise<number> {
  const written = await rewriteTable(monitors, rewrite.monitor, signal);
  return written + (await rewriteTable(channels, rewrite.channel, signal));
}
