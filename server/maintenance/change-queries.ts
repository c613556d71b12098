import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';

/** Selects the dates of an array column as one text: milliseconds since 1970, separated by commas. */
const inMs = (column: 'changed_starts' | 'changed_ends' | 'skipped_starts') => Prisma.sql`(
  select string_agg(round(extract(epoch from at) * 1000)::bigint::text, ',' order by nth)
  from unnest(${Prisma.raw(column)}) with ordinality dates (at, nth))`;

interface Row {
  id: string;
  starts: string | null;
  ends: string | null;
  skipped: string | null;
}

/** Reads the changed and skipped occurrences of windows, as milliseconds separated by commas. Windows without any are missing. */
export function readChanges(db: Db, ids: string[]): Promise<Row[]> {
  // Raw: one value for all dates of a column, because a model call takes many times the CPU.
  return db.$queryRaw<Row[]>`
    select id, ${inMs('changed_starts')} as starts, ${inMs('changed_ends')} as ends, ${inMs('skipped_starts')} as skipped
    from maintenance_windows where id = any(${ids}::text[]) and (changed_starts <> '{}' or skipped_starts <> '{}')`;
}
