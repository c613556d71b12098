import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { takeMailQuota } from '@/server/platform/mail/quota';
import { type ChannelType, recipientOf } from '../providers/definitions';
import { readConfirmations } from './recipient-queries';
import { sendConfirmation } from './send-confirmation';

interface ChannelOf {
  id: string;
  teamId: string;
  type: ChannelType;
  config: unknown;
}

/**
 * Mails the address of a new or changed email channel a confirmation link. Sends nothing if the address confirmed before or belongs to a member, or
 * if the daily mail limit is reached: an editor can then resend the link later.
 */
export async function requestConfirmation(tx: Tx, channel: ChannelOf): Promise<void> {
  const address = recipientOf(channel);
  if (address === null) return;
  if ((await readConfirmations(tx, [channel.id])).get(channel.id) !== 'pending') return;
  const { teamId } = channel;
  if (!(await takeMailQuota(tx, { by: { teamId }, to: address }))) return;
  await enqueue(tx, sendConfirmation, { id: newId(), teamId, address });
}
