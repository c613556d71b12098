import type { Call, VerbContext } from '@/server/trpc/contexts';
import { findRecipient, noConfirmation } from '../queries';
import type { ConfirmationView } from '../schema';
import { readConfirmationToken } from './confirmation-link';

/**
 * Returns the content of a confirmation link's page. Read-only.
 * @throws AppError NOT_FOUND (an invalid link, or one for an address that the team sends nothing to)
 */
export async function getConfirmation({
  ctx,
  input: { token },
}: Call<{ token: string }, VerbContext>): Promise<ConfirmationView> {
  const recipient = readConfirmationToken(token);
  const known = await findRecipient(ctx.db, recipient);
  if (!known) throw noConfirmation();
  return { teamName: known.teamName, address: recipient.address, isConfirmed: known.isConfirmed };
}
