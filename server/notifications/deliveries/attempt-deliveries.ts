import { performance } from 'node:perf_hooks';
import { ZodError } from 'zod';
import { UnknownKeyError } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';
import { OwnError } from '@/server/platform/own-error';
import { openSecret, type SealedSecret } from '@/server/platform/secrets';
import { openConfig } from '../config-secrets';
import { EventPayload } from '../messages/event';
import type { Message } from '../messages/message';
import { toMessage } from '../messages/to-message';
import { send } from '../providers';
import type { SendResult } from '../providers/provider';
import { type ChannelConfig, ChannelTemplates } from '../schema';
import { claimDeliveries, type DeliveryClaim, expeditePredecessors, postponePaused } from './delivery-queries';
import type { Schedule } from './queue-deliveries';
import { recordApart } from './record-apart';
import type { Attempted } from './record-attempts';
import { sendIfPermitted } from './send-if-permitted';

/** Longer than any provider waits. */
export const SEND_WITHIN_MS = 15_000;

/** The payload was written by another version and cannot be read. */
class UnreadableMessageError extends OwnError {
  static override readonly kind: string = 'UnreadableMessageError';
}

function readPayload(payload: unknown): EventPayload {
  const parsed = EventPayload.safeParse(payload);
  if (!parsed.success) throw new UnreadableMessageError(parsed.error.message, { cause: parsed.error });
  return parsed.data;
}

/** Returns the message and its destination, or why the delivery fails without being sent. */
export function prepare({
  id,
  channelId,
  opening,
  payload,
  type,
  config,
  templates,
}: DeliveryClaim): { message: Message; config: ChannelConfig } | Extract<SendResult, { ok: false }> {
  try {
    return {
      message: toMessage(
        id,
        readPayload(payload),
        { id: channelId, type, templates: ChannelTemplates.parse(templates) },
        opening,
      ),
      config: openConfig(type, config),
    };
  } catch (error) {
    log.error({ err: error, deliveryId: id }, 'A message or the config of its channel could not be read');
    const isOurs = error instanceof UnknownKeyError;
    // A payload of another version is retried for a day, because a worker of that version may read it. An unreadable config stays so until it is saved
    // again, so the fallback gets the messages.
    const permanent = !isOurs && !(error instanceof UnreadableMessageError);
    return { ok: false, permanent, isOurs, statusCode: null, error: unreadableReason(error) };
  }
}

function unreadableReason(error: unknown): string {
  if (error instanceof UnreadableMessageError) return 'This version of Upwatch cannot read the message';
  // An earlier version accepted this config.
  const issue = error instanceof ZodError ? error.issues[0]?.message : undefined;
  return issue === undefined
    ? 'The settings of this channel could not be decrypted. Save them again'
    : `The settings of this channel are not valid: ${issue.replace(/\.$/, '')}`;
}

/** The signing secret before the last rotation. If it cannot be decrypted, only the current one signs. */
function alsoSignedWith(previousSecret: unknown): { alsoSignedWith?: string } {
  if (previousSecret === null) return {};
  try {
    return { alsoSignedWith: openSecret(previousSecret as SealedSecret) };
  } catch {
    return {};
  }
}

async function sendClaimed(claim: DeliveryClaim, signal: AbortSignal): Promise<SendResult> {
  const prepared = prepare(claim);
  if ('error' in prepared) return prepared;
  const { message, config } = prepared;
  const options = { signal, teamId: claim.teamId, withExchange: true, ...alsoSignedWith(claim.previousSecret) };
  return sendIfPermitted(claim, config, () => send(claim.type, message, config, options));
}

async function attempt(claim: DeliveryClaim, stop: AbortSignal | undefined): Promise<Attempted> {
  const timeout = AbortSignal.timeout(SEND_WITHIN_MS);
  const startedAt = performance.now();
  const result = await sendClaimed(claim, stop ? AbortSignal.any([timeout, stop]) : timeout);
  return { claim, durationMs: Math.round(performance.now() - startedAt), result };
}

/**
 * Schedules the pending deliveries that were not claimed because another worker has them, they are not due, or their channel is paused by its
 * receiver. Deliveries that wait for a predecessor are left out: they are queued when that one is final.
 */
async function readLater(ids: string[], schedule: Schedule): Promise<{ id: string; runAt: Date }[]> {
  if (ids.length === 0) return [];
  await postponePaused(ids);
  await expeditePredecessor(ids, schedule);
  const rows = await db.delivery.findMany({
    where: { id: { in: ids }, status: 'pending', OR: [{ afterId: null }, { after: { status: { not: 'pending' } } }] },
    select: { id: true, nextAttemptAt: true },
  });
  return rows.map(({ id, nextAttemptAt }) => ({ id, runAt: nextAttemptAt ?? new Date() }));
}

/**
 * Makes one attempt at each delivery, concurrently and outside any transaction, and records each as soon as it is made, batched with others. A
 * process that dies leaves them pending: they are sent again, under the same ID, once the claim expires (at-least-once).
 * @returns those claimed by another worker or not due; delivered, failed and deleted ones, and those that wait for a predecessor, are not included
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
    // If one attempt cannot be recorded, its delivery is sent again; the others are still recorded.
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

/**
 * Expedites the retry of an incident's pending deliveries when a new one is enqueued, so that the new one is not delayed for up to an hour.
 * Deliveries being sent are left alone. Waits for transactions that record an attempt at a predecessor: a delivery still waiting afterwards is seen
 * by the sender that completes its predecessor (`recordAttempts`).
 */
export async function expeditePredecessor(ids: string[], schedule: Schedule): Promise<void> {
  await db.$transaction(async (tx) => {
    const predecessors = await expeditePredecessors(tx, ids);
    if (predecessors.length === 0) return;
    await schedule(
      tx,
      predecessors.map(({ id, now }) => ({ id, runAt: now })),
    );
  });
}
