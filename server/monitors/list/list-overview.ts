import { z } from 'zod';
import { readP95 } from '@/server/history/latency/read-p95';
import { rangeMs } from '@/server/history/monitor/read-uptime';
import { readHistories, uptimeIn } from '@/server/history/read-histories';
import { stripFromSpans } from '@/server/history/uptime';
import { maskConfig } from '@/server/monitor-types/config/config-secrets';
import { targetOf } from '@/server/monitor-types/config/target-of';
import {
  MOST_LISTED,
  type MonitorOverview,
  MonitorStatus,
  type OverviewInput,
  type OverviewOrder,
  type OverviewOrderInput,
  type OverviewRow,
  type OverviewRowsInput,
  type OverviewSort,
} from '@/server/monitor-types/schema';
import { invalidCursor, parseTimeCursor } from '@/server/platform/cursor';
import type { Db } from '@/server/platform/db';
import { isId } from '@/server/platform/ids';
import { groupEntries } from './group-entries';
import {
  countByStatus,
  countMatching,
  entryColumns,
  type Filter,
  isNarrowed,
  type ListEntry,
  type ListRow,
  type Position,
  readByIds,
  readByName,
  readLatestChange,
  readWorstFirst,
  rowColumns,
} from './list-queries';
import { readInPages } from './read-in-pages';
import { type Figure, readByFigure } from './sort-by-figure';

/** The number of parts in a row's 24 h strip: 30 min each. */
const STRIP_PARTS = 48;

/** Rejects text that PostgreSQL cannot store, because the content of a cursor was not validated with the rest of the input. */
const Name = z.string().refine((text) => !text.includes('\u0000') && text.isWellFormed());
const Id = z.string().refine(isId);
const Worst = z.tuple([MonitorStatus, Name, Id]);
const ByName = z.tuple([z.literal('name'), Name, Id]);
const Changed = z.tuple([z.literal('changed'), z.string(), Id]);
const ByFigure = z.tuple([z.enum(['p95', 'uptime']), z.number().nullable(), Id]);

type After = Position | { sort: Figure; value: number | null; id: string };

function encodeCursor(after: After): string {
  const parts = () => {
    switch (after.sort) {
      case 'worst':
        return [after.status, after.name, after.id];
      case 'name':
        return ['name', after.name, after.id];
      case 'changed':
        return ['changed', after.since.toISOString(), after.id];
      default:
        return [after.sort, after.value, after.id];
    }
  };
  return Buffer.from(JSON.stringify(parts())).toString('base64url');
}

/**
 * Decodes the cursor of a list that is sorted by `sort`.
 * @throws AppError VALIDATION_ERROR (cursor) for any other text, and for the cursor of a list in another order
 */
function decodeCursor(cursor: string, sort: OverviewSort): After {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    switch (sort) {
      case 'worst': {
        const [status, name, id] = Worst.parse(parts);
        return { sort, status, name, id };
      }
      case 'name': {
        const [, name, id] = ByName.parse(parts);
        return { sort, name, id };
      }
      case 'changed': {
        const [, since, id] = Changed.parse(parts);
        return { sort, since: parseTimeCursor(since), id };
      }
      default: {
        const [of, value, id] = ByFigure.parse(parts);
        if (of !== sort) throw invalidCursor();
        return { sort, value, id };
      }
    }
  } catch {
    throw invalidCursor();
  }
}

interface Page {
  after: After | null;
  limit: number;
  counts: Record<MonitorStatus, number>;
}

/** Reads the rows of a page, each with its position. For the order of a figure, sorts the whole list first and reads the page by ID. */
async function readRows(
  db: Db,
  filter: Filter,
  sort: OverviewSort,
  page: Page,
): Promise<{ row: ListRow; at: After }[]> {
  const { limit } = page;
  switch (sort) {
    case 'worst': {
      const after = page.after?.sort === sort ? page.after : null;
      const rows = await readWorstFirst(db, rowColumns, filter, { ...page, after });
      return rows.map((row) => ({ row, at: { sort, status: row.status, name: row.name, id: row.id } }));
    }
    case 'name': {
      const after = page.after?.sort === sort ? page.after : null;
      const rows = await readByName(db, rowColumns, filter, { after, limit });
      return rows.map((row) => ({ row, at: { sort, name: row.name, id: row.id } }));
    }
    case 'changed': {
      const after = page.after?.sort === sort ? page.after : null;
      const rows = await readLatestChange(db, rowColumns, filter, { after, limit });
      return rows.map((row) => ({ row, at: { sort, since: row.statusSince, id: row.id } }));
    }
    default: {
      const after = page.after?.sort === sort ? page.after : null;
      const sorted = await readByFigure(db, filter, sort, { after, limit });
      const rows = await readByIds(
        db,
        rowColumns,
        filter.teamId,
        sorted.map(({ id }) => id),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      return sorted.flatMap(({ id, value }) => {
        const row = byId.get(id);
        return row ? [{ row, at: { sort, value, id } }] : [];
      });
    }
  }
}

/** Returns a page of the dashboard's list with the data of each row. Reads only one page of monitors, unless the list is sorted by a figure. */
export async function listOverview(db: Db, teamId: string, input: OverviewInput): Promise<MonitorOverview> {
  const { limit, sort = 'worst', cursor, ...conditions } = input;
  const after = cursor === undefined ? null : decodeCursor(cursor, sort);
  const { counts, total } = await countByStatus(db, teamId);
  const filter = { teamId, ...conditions };
  const [found, matching] = await Promise.all([
    readRows(db, filter, sort, { after, limit: limit + 1, counts }),
    isNarrowed(filter) ? countMatching(db, filter) : filter.status ? counts[filter.status] : total,
  ]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: await toOverviewRows(
      db,
      page.map(({ row }) => row),
    ),
    nextCursor: found.length > limit && last ? encodeCursor(last.at) : null,
    counts,
    total,
    matching,
  };
}

/** Returns the IDs of the whole list in order and in groups, without the data of the rows. A page then reads the rows of the part that it shows. */
export async function readOrder(db: Db, teamId: string, input: OverviewOrderInput): Promise<OverviewOrder> {
  const { sort = 'worst', group, ...conditions } = input;
  const filter = { teamId, ...conditions };
  const read = async (): Promise<ListEntry[]> => {
    switch (sort) {
      case 'worst': {
        const { counts } = await countByStatus(db, teamId);
        return readInPages<ListEntry>(teamId, (last, limit) =>
          readWorstFirst(db, entryColumns, filter, { after: last ? { sort, ...last } : null, limit, counts }),
        );
      }
      case 'name':
        return readInPages<ListEntry>(teamId, (last, limit) =>
          readByName(db, entryColumns, filter, { after: last ? { sort, ...last } : null, limit }),
        );
      case 'changed':
        return readInPages<ListEntry>(teamId, (last, limit) => {
          const after = last ? { sort, since: last.statusSince, id: last.id } : null;
          return readLatestChange(db, entryColumns, filter, { after, limit });
        });
      default:
        return readByFigure(db, filter, sort, { after: null, limit: MOST_LISTED + 1 });
    }
  };
  return groupEntries(db, await read(), group);
}

/** Returns the rows of monitors of the team, in any order. Deleted monitors are left out. */
export async function readOverviewRows(db: Db, teamId: string, { ids }: OverviewRowsInput): Promise<OverviewRow[]> {
  return toOverviewRows(db, await readByIds(db, rowColumns, teamId, ids));
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
      parent: row.parentId !== null && row.parentName !== null ? { id: row.parentId, name: row.parentName } : null,
      status: row.status,
      statusSince: row.statusSince.toISOString(),
      isFlapping: row.isFlapping,
      deletesAt: row.deletesAt?.toISOString() ?? null,
      intervalSeconds: row.intervalSeconds,
      lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
      lastError: row.lastError,
      p95Ms: latencies.get(row.num) ?? null,
      uptime30d: history ? uptimeIn(history, { from: month, to }).ratio : null,
      strip: history ? stripFromSpans(history.known, { from: day, to, parts: STRIP_PARTS, now: to }) : [],
    };
  });
}
