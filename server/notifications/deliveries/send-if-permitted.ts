import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { returnAlertQuota, takeAlertQuota } from '@/server/platform/mail/quota';
import { type ChannelConfig, recipientOf } from '../providers/definitions';
import type { SendResult } from '../providers/provider';
import type { ChannelType, Confirmation } from '../schema';

type Refusal = Extract<SendResult, { ok: false }>;

/** Returns a retryable failure, so that the message is still sent if the address is confirmed within a day. */
const refusal = (error: string, retryAfterSeconds?: number): Refusal => ({
  ok: false,
  permanent: false,
  statusCode: null,
  error,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/**
 * Sends a message if its address may receive it: a confirmed address gets everything, a member's unconfirmed address a limited number of alerts per
 * day, any other address nothing. Failed sends do not count against the limit. Without a mail server nothing is refused, because nothing leaves the
 * instance.
 */
export async function sendIfPermitted(
  { type, event, confirmation }: { type: ChannelType; event: string; confirmation: Confirmation | null },
  config: ChannelConfig,
  send: () => Promise<SendResult>,
): Promise<SendResult> {
  const recipient = recipientOf({ type, config });
  if (recipient === null || !env.smtpUrl || confirmation === 'confirmed') return send();
  if (confirmation !== 'member') return refusal('The recipient has not confirmed this address yet');
  // Tests are counted when they are requested.
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
