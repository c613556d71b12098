import type { Call } from '@/server/trpc/contexts';
import { findChannel } from '../queries';
import type { ContactMethod, UpdateContactMethodInput } from '../schema';
import { updateChannel } from '../update-channel';

/**
 * Updates a contact method of the caller; see `updateChannel`.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, VALIDATION_ERROR
 */
export async function updateContactMethod({
  ctx,
  input: { delayMinutes, ...input },
}: Call<UpdateContactMethodInput>): Promise<ContactMethod> {
  const channel = await updateChannel({ ctx, input }, { delayMinutes });
  const row = await findChannel(ctx.db, ctx.team.id, input.id, ctx.user.id);
  return { ...channel, delayMinutes: row.delayMinutes };
}
