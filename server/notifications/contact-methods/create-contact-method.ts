import type { Call } from '@/server/trpc/contexts';
import { createChannel } from '../create-channel';
import type { ContactMethod, CreateContactMethodInput } from '../schema';

/**
 * Creates a contact method of the caller, in the last position.
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR
 */
export async function createContactMethod({
  ctx,
  input: { delayMinutes, ...input },
}: Call<CreateContactMethodInput>): Promise<ContactMethod> {
  return { ...(await createChannel({ ctx, input }, { own: { delayMinutes } })), delayMinutes };
}
