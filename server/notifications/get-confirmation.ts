import type { VerbContext } from '@/server/trpc/contexts';
import { readConfirmationToken } from './confirmation-link';
import { findEmailChannels, noConfirmation } from './queries';
import { readConfirmations } from './recipient-queries';
import type { ConfirmationView } from './schema';

/**
 * What the holder of a confirmation link is asked. Changes nothing.
 * @throws AppError NOT_FOUND (a link that does not work, or that no channel needs)
 */
export async function getConfirmation({
  ctx,
  input: { token },
}: {
  ctx: VerbContext;
  input: { token: string };
}): Promise<ConfirmationView> {
  const recipient = readConfirmationToken(token);
  const [channel] = await findEmailChannels(ctx.db, recipient);
  if (!channel) throw noConfirmation();
  const isConfirmed = (await readConfirmations(ctx.db, [channel.id])).get(channel.id) === 'confirmed';
  return { teamName: channel.team.name, address: recipient.address, isConfirmed };
}
