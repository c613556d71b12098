import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { returnAlertQuota, takeAlertQuota } from '@/server/platform/mail/quota';
import type { DeliveryClaim } from './delivery-queries';
import { type ChannelConfig, recipientOf } from './providers/definitions';
import type { SendResult } from './providers/provider';

type Refusal = Extract<SendResult, { ok: false }>;

/** Not for good: who confirms within a day gets what was waiting. */
const refusal = (error: string, retryAfterSeconds?: number): Refusal => ({
  ok: false,
  permanent: false,
  statusCode: null,
  error,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/**
 * Sends a message where its address may get it: one that confirmed gets everything, a member's that did not a limited
 * number of alerts a day, and any other nothing. Without a mail server nothing leaves the instance, so nothing is refused.
 */
export async function sendIfPermitted(
  { type, event, confirmation }: DeliveryClaim,
  config: ChannelConfig,
  send: () => Promise<SendResult>,
): Promise<SendResult> {
  const recipient = recipientOf({ type, config });
  if (recipient === null || !env.smtpUrl || confirmation === 'confirmed') return send();
  if (confirmation !== 'member') return refusal('The recipient has not confirmed this address yet');
  // Tests are counted when they are asked for.
  if (event === 'channel.test') return send();
  const waitSeconds = await takeAlertQuota(db, recipient);
  if (waitSeconds !== null) {
    return refusal(
      'The recipient has not confirmed this address; the daily limit for unconfirmed addresses is reached',
      waitSeconds,
    );
  }
  const result = await send();
  if (!result.ok) await returnAlertQuota(db, recipient);
  return result;
}
