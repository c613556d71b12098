import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { hasMailQuota } from '@/server/platform/mail/quota';
import { type ChannelType, recipientOf } from './providers/definitions';
import { readConfirmations } from './recipient-queries';
import { sendConfirmation } from './send-confirmation';

interface ChannelOf {
  id: string;
  teamId: string;
  type: ChannelType;
  config: unknown;
}

/**
 * Asks the address of a new or changed email channel for confirmation. Sends nothing if it confirmed before, belongs to a member, or the daily mail
 * limit is reached: then it can be asked later.
 */
export async function requestConfirmation(tx: Tx, channel: ChannelOf): Promise<void> {
  const address = recipientOf(channel);
  if (address === null) return;
  if ((await readConfirmations(tx, [channel.id])).get(channel.id) !== 'pending') return;
  const { teamId } = channel;
  if (!(await hasMailQuota(tx, { by: { teamId }, to: address }))) return;
  await enqueue(tx, sendConfirmation, { id: newId(), teamId, address });
}
