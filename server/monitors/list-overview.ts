import { z } from 'zod';
import { readP95 } from '@/server/history/latency/read-p95';
import { rangeMs } from '@/server/history/monitor/read-uptime';
import { readHistories, uptimeIn } from '@/server/history/read-histories';
import { stripFromSpans } from '@/server/history/uptime';
import { maskConfig } from '@/server/monitor-types/config/config-secrets';
import { targetOf } from '@/server/monitor-types/config/target-of';
import {
  type MonitorOverview,
  MonitorStatus,
  type OverviewInput,
  type OverviewRow,
} from '@/server/monitor-types/schema';
import { invalidCursor } from '@/server/platform/cursor';
import type { Db } from '@/server/platform/db';
import { isId } from '@/server/platform/ids';
import { countByStatus, countMatching, type ListRow, type Position, readListPage } from './list-queries';

/** The number of parts in a row's 24 h strip: 30 min each. */
const STRIP_PARTS = 48;

/** Rejects text that PostgreSQL cannot store, because the content of a cursor was not validated with the rest of the input. */
const Name = z.string().refine((text) => !text.includes('\u0000') && text.isWellFormed());

function encodeCursor({ status, name, id }: Position): string {
  return Buffer.from(JSON.stringify([status, name, id])).toString('base64url');
}

function decodeCursor(cursor: string): Position {
  try {
    const [status, name, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    return { status: MonitorStatus.parse(status), name: Name.parse(name), id: z.string().refine(isId).parse(id) };
  } catch {
    throw invalidCursor();
  }
}

/** The dashboard's list: most severe first, then by name, with the data of each row. Reads only one page of monitors. */
export async function listOverview(db: Db, teamId: string, input: OverviewInput): Promise<MonitorOverview> {
  const { limit, status } = input;
  const after = input.cursor === undefined ? null : decodeCursor(input.cursor);
  const { counts, total } = await countByStatus(db, teamId);
  const filter = { teamId, status, search: input.search };
  const [rows, matching] = await Promise.all([
    readListPage(db, filter, { after, limit: limit + 1, counts }),
    input.search ? countMatching(db, filter) : status ? counts[status] : total,
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: await toOverviewRows(db, page),
    nextCursor: rows.length > limit && last ? encodeCursor(last) : null,
    counts,
    total,
    matching,
  };
}

async function toOverviewRows(db: Db, rows: ListRow[]): Promise<OverviewRow[]> {
  const to = new Date();
  const day = new Date(to.getTime() - rangeMs['24h']);
  const month = new Date(to.getTime() - rangeMs['30d']);
  const nums = rows.map(({ num }) => num);
  const ranges = [
    { from: month, to },
    { from: day, to, partMs: rangeMs['24h'] / STRIP_PARTS },
  ];
  const [histories, latencies] = await Promise.all([readHistories(db, rows, ranges), readP95(db, nums, to)]);
  return rows.map((row) => {
    const history = histories.get(row.num);
    return {
      id: row.id,
      name: row.name,
      type: row.type,
      target: targetOf(row.type, maskConfig(row.type, row.config)),
      tags: row.tags,
      status: row.status,
      statusSince: row.statusSince.toISOString(),
      isFlapping: row.isFlapping,
      intervalSeconds: row.intervalSeconds,
      lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
      lastError: row.lastError,
      p95Ms: latencies.get(row.num) ?? null,
      uptime30d: history ? uptimeIn(history, { from: month, to }).ratio : null,
      strip: history ? stripFromSpans(history.known, { from: day, to, parts: STRIP_PARTS, now: to }) : [],
    };
  });
}
