import { db } from '@/server/platform/db';
import type { Gap } from '../verdict/heartbeat';

/** The interval in which each web process records that it can receive pings. */
export const RECORD_EVERY_MS = 2_000;
/** A longer interval without a record is a gap in which no process could receive pings. */
const SILENT_FOR_MS = 6_000;
/** The same limit when a process starts: without other processes, pings were rejected since the last one ended. */
const SILENT_AT_START_MS = RECORD_EVERY_MS + 500;
/** Longer than the longest grace period. */
const KEPT_DAYS = 40;

/**
 * Records that this process can receive and store pings: extends the latest span, or starts a new one after a gap. Deletes spans of more than 40 days
 * ago.
 * @param before what this process knows of the time before: it could receive pings, it has just started, or it lost a ping
 */
export async function recordListening(before: 'listening' | 'started' | 'lost'): Promise<void> {
  const silentMs = before === 'listening' ? SILENT_FOR_MS : SILENT_AT_START_MS;
  // Raw: uses the database's clock, and commits asynchronously in one statement.
  await db.$executeRaw`
    with extended as (
      update listening_spans set until_at = now()
      where id = (select id from listening_spans order by until_at desc, id desc limit 1)
        and until_at > now() - ${silentMs}::int * interval '1 ms' and not ${before === 'lost'}
      returning id
    ), pruned as (
      delete from listening_spans where until_at < now() - ${KEPT_DAYS}::int * interval '1 day'
    )
    insert into listening_spans (from_at, until_at)
    select now(), now() where not exists (select from extended)`;
}

/** Returns the gaps until now in which no process could receive pings, in chronological order; null if none ever recorded that it could. */
export async function readGaps(): Promise<Gap[] | null> {
  // Raw: the database's clock.
  const spans = await db.$queryRaw<{ from: Date; until: Date; now: Date }[]>`
    select from_at as "from", until_at as "until", now() as now from listening_spans order by from_at`;
  const [first] = spans;
  if (!first) return null;
  const gaps: Gap[] = [];
  let heardUntil = new Date(0);
  for (const { from, until } of spans) {
    if (from > heardUntil) gaps.push({ from: heardUntil, to: from });
    if (until > heardUntil) heardUntil = until;
  }
  const { now } = first;
  const isSilent = now.getTime() - heardUntil.getTime() > SILENT_FOR_MS;
  return isSilent ? [...gaps, { from: heardUntil, to: now }] : gaps;
}
