import { performance } from 'node:perf_hooks';
import { commitBefore } from '@/server/platform/database/held-transaction';
import { newId } from '@/server/platform/ids';
import { assertMailQuota } from '@/server/platform/mail/quota';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { isStronger } from '@/server/trpc/schema';
import { assertReachable } from './assert-reachable';
import { readConfirmation } from './confirmations/recipient-queries';
import { SEND_WITHIN_MS } from './deliveries/send';
import { sendIfPermitted } from './deliveries/send-if-permitted';
import { toMessage } from './messages/to-message';
import { completeConfig, send } from './providers';
import { recipientOf } from './providers/definitions';
import { readDraft } from './read-draft';
import type { ChannelDraft, Confirmation, TestResult } from './schema';
import { testEvent, testNote } from './test-event';

const INTERRUPTED: TestResult = {
  isDelivered: false,
  statusCode: null,
  error: 'Upwatch was stopped before the result was known',
  durationMs: 0,
  note: null,
  exchange: null,
};

/**
 * Counts a test email to this address against the daily limit, and returns the confirmation state of the address.
 * @throws AppError RATE_LIMITED
 */
function admit({ db, team }: TeamContext, to: string): Promise<Confirmation> {
  return db.$transaction(async (tx) => {
    await assertMailQuota(tx, { by: { teamId: team.id }, to });
    return readConfirmation(tx, team.id, to);
  });
}

/**
 * Sends a test message with settings that are not saved, through the same code as notifications. Stores only the count of emails. Not retried. The
 * result contains the request and the response for members only: a viewer may test their own contact methods, but must not read answers of
 * arbitrary servers.
 * @param ownerId for a contact method of this member instead of a channel of the team
 * @throws AppError NOT_FOUND, VALIDATION_ERROR, RATE_LIMITED (daily mail limit)
 */
export async function testSettings(
  { ctx, input }: Call<ChannelDraft>,
  ownerId: string | null = null,
): Promise<TestResult> {
  const { id: teamId, role } = ctx.team;
  const { type, config: given, stored } = await readDraft(ctx, input, ownerId);
  const config = completeConfig(type, given);
  assertReachable(config);
  const to = recipientOf({ type, config });
  const confirmation = to === null ? null : await admit(ctx, to);
  await commitBefore({ result: INTERRUPTED });
  const event = testEvent(ownerId === null ? stored : null);
  const message = toMessage(newId(), event, { id: stored?.id ?? '', type });
  const options = { signal: AbortSignal.timeout(SEND_WITHIN_MS), teamId, withExchange: !isStronger('member', role) };
  const startedAt = performance.now();
  const result = await sendIfPermitted({ type, event: event.type, confirmation }, config, () =>
    send(type, message, config, options),
  );
  return {
    isDelivered: result.ok,
    statusCode: result.statusCode,
    error: result.ok ? null : result.error,
    durationMs: Math.round(performance.now() - startedAt),
    note: result.ok ? testNote(type) : null,
    exchange: result.exchange ?? null,
  };
}
