import { db, type Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import type { DeliveryClaim } from './delivery-queries';
import type { SendResult } from './providers/provider';
import { retryDelay } from './retry-delay';

/** An attempt that was made, and what came of it. */
export interface Attempted {
  claim: DeliveryClaim;
  durationMs: number;
  result: SendResult;
}

/** Queues what is to follow, in the transaction that records what was. */
export type Schedule = (tx: Tx, deliveries: { id: string; runAt: Date }[]) => Promise<void>;

function toRow({ claim, durationMs, result }: Attempted) {
  const { id, at, leaseUntil, event, attempts } = claim;
  const isTest = event === 'channel.test';
  const delay = result.ok || isTest ? null : retryDelay(attempts + 1, result, Math.random());
  const nextAttemptAt = delay === null ? null : new Date(at.getTime() + durationMs + Math.round(delay * 1000));
  const status = result.ok ? 'delivered' : nextAttemptAt ? 'pending' : 'failed';
  const { ok, statusCode } = result;
  const error = result.ok ? null : result.error;
  return { ok, id, attemptId: newId(), at, leaseUntil, durationMs, status, statusCode, error, nextAttemptAt };
}

async function write(tx: Tx, rows: ReturnType<typeof toRow>[]): Promise<Set<string>> {
  const changed = await tx.$queryRaw<{ id: string }[]>`
    with attempted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a (
        id text, ok boolean, "attemptId" text, at timestamptz, "leaseUntil" timestamptz, "durationMs" int,
        status delivery_status, "statusCode" int, error text, "nextAttemptAt" timestamptz
      )
    ), locked as materialized (
      -- A delivery is gone where its channel was deleted meanwhile; there is nothing left to record then.
      select d.id from deliveries d join attempted a on a.id = d.id order by d.id for no key update of d
    ), recorded as (
      insert into delivery_attempts (id, delivery_id, at, duration_ms, status_code, error)
      select a."attemptId", a.id, a.at, a."durationMs", a."statusCode", a.error
      from attempted a join locked on locked.id = a.id
    )
    update deliveries d set status = a.status, next_attempt_at = a."nextAttemptAt"
    from locked join attempted a on a.id = locked.id
    where d.id = a.id and d.status = 'pending' and (a.ok or d.next_attempt_at = a."leaseUntil")
    returning d.id`;
  return new Set(changed.map(({ id }) => id));
}

/**
 * What waited for these messages to be done with. Asked when their rows are locked: a message that is not seen here yet
 * has its own job still to run, and that finds them done.
 */
function findReleased(tx: Tx, done: string[]): Promise<{ id: string }[]> {
  return tx.$queryRaw<{ id: string }[]>`
    select id from deliveries where after_id = any(${done}::text[]) and status = 'pending'`;
}

/** The live events of these attempts: channels by team. */
function channelsByTeam(attempted: Attempted[]): Map<string, Set<string>> {
  const teams = new Map<string, Set<string>>();
  for (const { teamId, channelId } of attempted.map(({ claim }) => claim)) {
    teams.set(teamId, (teams.get(teamId) ?? new Set()).add(channelId));
  }
  return teams;
}

/**
 * Records attempts and what follows from each, all in one transaction: its next attempt, or the first of the message that
 * waited for it. A sender that was given up for dead and turns up after all still tells of a success, but leaves the
 * rest to the one that took over.
 */
export async function recordAttempts(attempted: Attempted[], schedule: Schedule): Promise<void> {
  const rows = attempted.map(toRow);
  await db.$transaction(async (tx) => {
    const changed = await write(tx, rows);
    const next: { id: string; runAt: Date }[] = [];
    const done: string[] = [];
    for (const { id, nextAttemptAt } of rows) {
      if (!changed.has(id)) continue;
      if (nextAttemptAt) next.push({ id, runAt: nextAttemptAt });
      else done.push(id);
    }
    const released = done.length > 0 ? await findReleased(tx, done) : [];
    const now = rows[0]?.at ?? new Date();
    next.push(...released.map(({ id }) => ({ id, runAt: now })));
    if (next.length > 0) await schedule(tx, next);
    for (const [team, ids] of channelsByTeam(attempted)) await notify(tx, { team, kind: 'channel', ids: [...ids] });
  });
}
