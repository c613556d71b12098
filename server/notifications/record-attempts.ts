import { db, type Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { type AttemptRow, type DeliveryClaim, writeAttempts } from './delivery-queries';
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

function toRow({ claim, durationMs, result }: Attempted): AttemptRow {
  const { id, at, leaseUntil, event, attempts } = claim;
  const isTest = event === 'channel.test';
  const delay = result.ok || isTest ? null : retryDelay(attempts + 1, result, Math.random());
  const nextAttemptAt = delay === null ? null : new Date(at.getTime() + durationMs + Math.round(delay * 1000));
  const status = result.ok ? 'delivered' : nextAttemptAt ? 'pending' : 'failed';
  const { ok, statusCode } = result;
  const error = result.ok ? null : result.error;
  return { ok, id, attemptId: newId(), at, leaseUntil, durationMs, status, statusCode, error, nextAttemptAt };
}

/**
 * What waited for these messages to be done with. Asked when their rows are locked: a message that is not seen here yet
 * has its own job still to run, and that finds them done.
 */
function findReleased(tx: Tx, done: string[]): Promise<{ id: string }[]> {
  return tx.delivery.findMany({ where: { afterId: { in: done }, status: 'pending' }, select: { id: true } });
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
    const changed = await writeAttempts(tx, rows);
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
