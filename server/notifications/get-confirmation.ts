import type { VerbContext } from '@/server/trpc/contexts';
import { readConfirmationToken } from './confirmation-link';
import { findEmailChannels, noConfirmation } from './queries';
import { readConfirmations } from './recipient-queries';
import type { ConfirmationView } from './schema';

/**
 * The question shown for a confirmation link. Read-only.
 * @throws AppError NOT_FOUND (an invalid link, or one that no channel needs)
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
