import { db, type Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import type { SendResult } from '../providers/provider';
import { type AttemptRow, type DeliveryClaim, writeAttempts } from './delivery-queries';
import { retryDelay } from './retry-delay';

/** An attempt and its result. */
export interface Attempted {
  claim: DeliveryClaim;
  durationMs: number;
  result: SendResult;
}

/** Queues follow-up jobs in the transaction that records the attempts. */
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
 * The deliveries that waited for these. Read while their rows are locked: a delivery that is not visible yet still has its own job to run, which will
 * find its predecessor final.
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
 * Records attempts and their follow-ups in one transaction: the next attempt, or the first attempt of the successor. A sender whose claim expired
 * still records a success, but leaves the rest to its successor.
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
