import { performance } from 'node:perf_hooks';
import { db, type Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { log } from '@/server/platform/log';
import { openConfig } from './config-secrets';
import { EventPayload } from './event';
import { toMessage } from './message';
import { send } from './providers';
import type { SendResult } from './providers/provider';
import { retryDelay } from './retry-delay';
import type { ChannelType } from './schema';

/** Whatever a provider waits for, it is over by then. */
const SEND_WITHIN_MS = 15_000;
/** How long a claim keeps others away. Longer than a send, so that it only runs out where the sender died. */
const LEASE_MS = 25_000;

interface Claim {
  id: string;
  teamId: string;
  channelId: string;
  event: string;
  payload: unknown;
  type: ChannelType;
  config: unknown;
  /** Attempts made so far. */
  attempts: number;
  /** The database's clock; the times of other machines are not compared. */
  at: Date;
  /** Also the token that says whether this claim is still the last one. */
  leaseUntil: Date;
}

/** Queues what is to follow, in the transaction that records what was. */
export type Schedule = (tx: Tx, deliveryId: string, runAt: Date) => Promise<void>;

/**
 * Takes a pending delivery whose time has come. Of two that try at once, one gets it: the row's lock makes the second
 * look again, and then `next_attempt_at` lies in the future.
 */
async function claim(id: string): Promise<Claim | null> {
  const [row] = await db.$queryRaw<Claim[]>`
    update deliveries delivery
    set next_attempt_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
    from channels channel
    where delivery.id = ${id} and channel.id = delivery.channel_id
      and delivery.status = 'pending' and delivery.next_attempt_at <= clock_timestamp()
    returning delivery.id, delivery.team_id as "teamId", delivery.channel_id as "channelId", delivery.event,
      delivery.payload, channel.type::text as "type", channel.config, delivery.next_attempt_at as "leaseUntil",
      clock_timestamp()::timestamptz(3) as "at",
      (select count(*)::int from delivery_attempts attempt where attempt.delivery_id = delivery.id) as "attempts"`;
  return row ?? null;
}

/** The message and where it goes; null where that cannot be read, which no receiver can help. */
function prepare({ id, payload, type, config }: Claim) {
  try {
    return { message: toMessage(id, EventPayload.parse(payload)), config: openConfig(type, config) };
  } catch (error) {
    log.error({ err: error, deliveryId: id }, 'A message or the settings of its channel could not be read');
    return null;
  }
}

async function sendClaimed(claimed: Claim, signal: AbortSignal): Promise<SendResult> {
  const prepared = prepare(claimed);
  if (prepared) return send(claimed.type, prepared.message, prepared.config, { signal });
  const error = 'The settings of this channel could not be read. Save them again';
  return { ok: false, permanent: true, statusCode: null, error };
}

/**
 * Records an attempt and what follows from it. A sender that was given up for dead and turns up after all still tells
 * of a success, but leaves the rest to the one that took over.
 */
async function record(claimed: Claim, durationMs: number, result: SendResult, schedule: Schedule): Promise<void> {
  const { id, teamId, channelId, at, leaseUntil } = claimed;
  const isTest = claimed.event === 'channel.test';
  const delay = result.ok || isTest ? null : retryDelay(claimed.attempts + 1, result, Math.random());
  const nextAttemptAt = delay === null ? null : new Date(at.getTime() + durationMs + Math.round(delay * 1000));
  const status = result.ok ? 'delivered' : nextAttemptAt ? 'pending' : 'failed';
  await db.$transaction(async (tx) => {
    const current = { id, status: 'pending' as const, ...(!result.ok && { nextAttemptAt: leaseUntil }) };
    const { count } = await tx.delivery.updateMany({ where: current, data: { status, nextAttemptAt } });
    const { statusCode } = result;
    const error = result.ok ? null : result.error;
    // The delivery is gone where its channel was deleted meanwhile; there is nothing left to record then.
    const recorded = await tx.$executeRaw`
      insert into delivery_attempts (id, delivery_id, at, duration_ms, status_code, error)
      select ${newId()}, id, ${at}, ${durationMs}, ${statusCode}, ${error} from deliveries where id = ${id} for key share`;
    if (recorded === 0) return;
    if (count === 1 && nextAttemptAt) await schedule(tx, id, nextAttemptAt);
    await notify(tx, { team: teamId, kind: 'channel', ids: [channelId] });
  });
}

export type Outcome =
  | { kind: 'attempted' }
  /** Someone else is at it, or its time has not come: look again then. */
  | { kind: 'later'; at: Date }
  /** Delivered, given up, or deleted. */
  | { kind: 'final' };

/**
 * Makes one attempt at a delivery, outside any transaction, and records it. A process that dies on the way leaves the
 * delivery pending: it is sent again, under the same id, once the claim has run out.
 */
export async function attemptDelivery(id: string, schedule: Schedule, stop?: AbortSignal): Promise<Outcome> {
  const claimed = await claim(id);
  if (!claimed) {
    const row = await db.delivery.findUnique({ where: { id }, select: { status: true, nextAttemptAt: true } });
    if (row?.status !== 'pending') return { kind: 'final' };
    return { kind: 'later', at: row.nextAttemptAt ?? new Date() };
  }
  const timeout = AbortSignal.timeout(SEND_WITHIN_MS);
  const startedAt = performance.now();
  const result = await sendClaimed(claimed, stop ? AbortSignal.any([timeout, stop]) : timeout);
  await record(claimed, Math.round(performance.now() - startedAt), result, schedule);
  return { kind: 'attempted' };
}
