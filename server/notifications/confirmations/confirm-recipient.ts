import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { lockChannel } from '@/server/platform/locks';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import { endPauses } from '../deliveries/claim-queries';
import { makeAllDue } from '../deliveries/make-all-due';
import { findRecipient, noConfirmation } from '../queries';
import type { ConfirmationView } from '../schema';
import { readConfirmationToken } from './confirmation-link';

/** Ends the pauses of these channels and makes their pending deliveries due, because these waited for the confirmation. */
async function sendWaiting(tx: Tx, teamId: string, channelIds: string[]): Promise<void> {
  for (const id of channelIds) await lockChannel(tx, teamId, id);
  await endPauses(tx, channelIds);
  for (const id of channelIds) await makeAllDue(tx, id, { heldOnly: false });
}

/**
 * Confirms that an address accepts a team's messages, and sends the pending ones. Idempotent.
 * @throws AppError NOT_FOUND (an invalid link, or one for an address that the team sends nothing to)
 */
export async function confirmRecipient({
  ctx,
  input: { token },
}: Call<{ token: string }, VerbContext>): Promise<ConfirmationView> {
  const recipient = readConfirmationToken(token);
  const { teamId, address } = recipient;
  return ctx.db.$transaction(async (tx) => {
    const known = await findRecipient(tx, recipient);
    if (!known) throw noConfirmation();
    const confirmed = { teamName: known.teamName, address, isConfirmed: true };
    const { count } = await tx.confirmedRecipient.createMany({ data: [recipient], skipDuplicates: true });
    if (count === 0) return confirmed;
    const ids = known.channels.map(({ id }) => id);
    await sendWaiting(tx, teamId, ids);
    const [channel] = known.channels;
    await recordAudit(tx, ctx, {
      teamId,
      ...(channel
        ? { action: 'channel.confirm', target: { type: 'channel', id: channel.id, name: channel.name } }
        : { action: 'member.confirm', target: { type: 'member', id: known.memberId, name: address } }),
      after: { address },
    });
    await notify(tx, { team: teamId, kind: 'channel', ids });
    return confirmed;
  });
}
