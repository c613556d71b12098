import { z } from 'zod';
import { readHistories, uptimeIn } from '@/server/history/read-histories';
import { readP95 } from '@/server/history/read-p95';
import { invalidCursor } from '@/server/platform/cursor';
import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { isId } from '@/server/platform/ids';
import { rangeMs } from './history';
import { type MonitorOverview, MonitorStatus, type MonitorType, type OverviewInput, type OverviewRow } from './schema';
import { targetOf } from './target-of';
import { stripFromSpans } from './uptime';

/** How many parts the 24 hours of a line's strip have: half an hour each. */
const STRIP_PARTS = 48;

interface Row {
  id: string;
  num: number;
  name: string;
  type: MonitorType;
  config: unknown;
  tags: string[];
  intervalSeconds: number;
  status: MonitorStatus;
  statusSince: Date;
  isFlapping: boolean;
  lastCheckedAt: Date | null;
  lastError: string | null;
}

interface Position {
  status: MonitorStatus;
  name: string;
  id: string;
}

/** What PostgreSQL can keep; the text inside a cursor was not looked at with the rest of the input. */
const Name = z.string().refine((text) => !text.includes('\u0000') && text.isWellFormed());

function encodeCursor({ status, name, id }: Row): string {
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

/** What a search text is looked for in: the name, the address and the tags. */
function searchFilter(search: string | undefined): Prisma.Sql {
  if (!search) return Prisma.empty;
  const text = search.toLowerCase();
  return Prisma.sql`and (strpos(lower(m.name), ${text}) > 0
    or strpos(lower(coalesce(m.config->>'url', m.config->>'host', '')), ${text}) > 0
    or ${text} = any(m.tags))`;
}

/**
 * The dashboard's list: worst first, then by name, with what each line shows. Reads a page of monitors and only what
 * belongs to them.
 */
export async function listOverview(db: Db, teamId: string, input: OverviewInput): Promise<MonitorOverview> {
  const { limit, status } = input;
  const after = input.cursor === undefined ? null : decodeCursor(input.cursor);
  const filter = Prisma.sql`
    from monitors m join monitor_states s on s.monitor_id = m.id
    where s.team_id = ${teamId}
      ${status ? Prisma.sql`and s.status = ${status}::monitor_status` : Prisma.empty}
      ${searchFilter(input.search)}`;
  const [rows, counted, matching] = await Promise.all([
    db.$queryRaw<Row[]>`
      select m.id, m.num, m.name, m.type::text as type, m.config, m.tags, m.interval_seconds as "intervalSeconds",
        s.status::text as status, s.status_since as "statusSince",
        s.steady_since is not null as "isFlapping", s.last_checked_at as "lastCheckedAt",
        s.last_error as "lastError"
      ${filter}
        ${after ? Prisma.sql`and (s.status, m.name, m.id) > (${after.status}::monitor_status, ${after.name}, ${after.id})` : Prisma.empty}
      order by s.status, m.name, m.id limit ${limit + 1}`,
    db.monitorState.groupBy({ by: ['status'], where: { teamId }, _count: { _all: true } }),
    status || input.search ? db.$queryRaw<{ count: number }[]>`select count(*)::int as count ${filter}` : null,
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const counts = Object.fromEntries(MonitorStatus.options.map((each) => [each, 0])) as Record<MonitorStatus, number>;
  for (const each of counted) counts[each.status] = each._count._all;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    rows: await toOverviewRows(db, page),
    nextCursor: rows.length > limit && last ? encodeCursor(last) : null,
    counts,
    total,
    matching: matching?.[0]?.count ?? total,
  };
}

async function toOverviewRows(db: Db, rows: Row[]): Promise<OverviewRow[]> {
  const to = new Date();
  const day = new Date(to.getTime() - rangeMs['24h']);
  const month = new Date(to.getTime() - rangeMs['30d']);
  const nums = rows.map(({ num }) => num);
  const ranges = [
    { from: month, to },
    { from: day, to },
  ];
  const [histories, latencies] = await Promise.all([readHistories(db, rows, ranges), readP95(db, nums, to)]);
  return rows.map((row) => {
    const history = histories.get(row.num);
    return {
      id: row.id,
      name: row.name,
      type: row.type,
      target: targetOf(row.type, row.config),
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
