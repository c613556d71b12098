import { performance } from 'node:perf_hooks';
import { UnknownKeyError } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import { openConfig } from './config-secrets';
import { claimDeliveries, type DeliveryClaim } from './delivery-queries';
import { EventPayload } from './event';
import { hurryEarlier } from './hurry-earlier';
import { type Message, toMessage } from './message';
import { send } from './providers';
import type { SendResult } from './providers/provider';
import { recordApart } from './record-apart';
import type { Attempted, Schedule } from './record-attempts';
import type { ChannelConfig } from './schema';
import { sendIfPermitted } from './send-if-permitted';

/** Whatever a provider waits for, it is over by then. */
const SEND_WITHIN_MS = 15_000;

/** The message and where it goes, or why no receiver was asked. */
function prepare({
  id,
  payload,
  type,
  config,
}: DeliveryClaim): { message: Message; config: ChannelConfig } | Extract<SendResult, { ok: false }> {
  try {
    return { message: toMessage(id, EventPayload.parse(payload)), config: openConfig(type, config) };
  } catch (error) {
    log.error({ err: error, deliveryId: id }, 'A message or the config of its channel could not be read');
    const isOurs = error instanceof UnknownKeyError;
    const reason = 'The settings of this channel could not be decrypted. Save them again';
    return { ok: false, permanent: !isOurs, isOurs, statusCode: null, error: reason };
  }
}

async function sendClaimed(claim: DeliveryClaim, signal: AbortSignal): Promise<SendResult> {
  const prepared = prepare(claim);
  if ('error' in prepared) return prepared;
  const { message, config } = prepared;
  return sendIfPermitted(claim, config, () => send(claim.type, message, config, { signal, teamId: claim.teamId }));
}

async function attempt(claim: DeliveryClaim, stop: AbortSignal | undefined): Promise<Attempted> {
  const timeout = AbortSignal.timeout(SEND_WITHIN_MS);
  const startedAt = performance.now();
  const result = await sendClaimed(claim, stop ? AbortSignal.any([timeout, stop]) : timeout);
  return { claim, durationMs: Math.round(performance.now() - startedAt), result };
}

/**
 * Deliveries that are still to be made, but by someone else, or not yet: look again then. What waits for an earlier
 * message is queued by whoever is done with that one; nobody needs to look for it.
 */
async function readLater(ids: string[], schedule: Schedule): Promise<{ id: string; runAt: Date }[]> {
  if (ids.length === 0) return [];
  await hurryEarlier(ids, schedule);
  const rows = await db.delivery.findMany({
    where: { id: { in: ids }, status: 'pending', OR: [{ afterId: null }, { after: { status: { not: 'pending' } } }] },
    select: { id: true, nextAttemptAt: true },
  });
  return rows.map(({ id, nextAttemptAt }) => ({ id, runAt: nextAttemptAt ?? new Date() }));
}

/**
 * Makes one attempt at each delivery, all at once and outside any transaction, and records each as soon as it is made,
 * together with those that are made meanwhile. A process that dies on the way leaves them pending: they are sent again,
 * under the same id, once the claim has run out.
 *
 * @returns those that someone else is at or whose time has not come; what is delivered, given up or gone, or waits for an
 * earlier message, is not among them
 */
export async function attemptDeliveries(
  ids: string[],
  schedule: Schedule,
  stop?: AbortSignal,
): Promise<{ id: string; runAt: Date }[]> {
  const claims = await claimDeliveries(ids);
  const made: Attempted[] = [];
  let recording: Promise<void> = Promise.resolve();
  const record = () => recordApart(made.splice(0), schedule);
  const attempts = claims.map(async (claim) => {
    made.push(await attempt(claim, stop));
    // What could not be recorded is sent again; that is no reason not to record the others.
    recording = recording.catch(() => undefined).then(record);
    await recording;
  });
  const settled = await Promise.allSettled(attempts);
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  const claimed = new Set(claims.map(({ id }) => id));
  return readLater(
    ids.filter((id) => !claimed.has(id)),
    schedule,
  );
}
