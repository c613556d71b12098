import { invalidField } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { assertMailQuota } from '@/server/platform/mail/quota';
import type { OnOneObject } from '@/server/trpc/contexts';
import { recipientOf } from '../providers/definitions';
import { findChannel, readChannel } from '../queries';
import type { Channel } from '../schema';
import { readConfirmations } from './recipient-queries';
import { sendConfirmation } from './send-confirmation';

/**
 * Resends the confirmation link of an email channel. Does nothing if the address has confirmed.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (no email channel), RATE_LIMITED (daily mail limit)
 */
export async function resendConfirmation({ ctx, input: { id } }: OnOneObject): Promise<Channel> {
  const { id: teamId } = ctx.team;
  await ctx.db.$transaction(async (tx) => {
    const address = recipientOf(await findChannel(tx, teamId, id));
    if (address === null) throw invalidField('id', 'Only email channels need confirmation.');
    if ((await readConfirmations(tx, [id])).get(id) === 'confirmed') return;
    await assertMailQuota(tx, { by: { teamId }, to: address });
    await enqueue(tx, sendConfirmation, { id: newId(), teamId, address });
  });
  return readChannel({ ctx, input: { id } });
}
