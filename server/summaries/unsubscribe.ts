import type { Db } from '@/server/platform/db';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import type { SummarySubscription } from './schema';
import { findSubscriber } from './subscriber';
import { noSubscription, readUnsubscribeToken } from './unsubscribe-link';
import { setActive } from './update-weekly-summary';

async function read(db: Db, token: string): Promise<SummarySubscription> {
  const found = await findSubscriber(db, readUnsubscribeToken(token));
  if (!found) throw noSubscription();
  const { teamName, address, isActive } = found;
  return { teamName, address, isActive };
}

/**
 * Returns what the page of an unsubscribe link shows. Read-only, because mail scanners open links too.
 * @throws AppError NOT_FOUND (an invalid link, or a member who left)
 */
export function getSubscription({
  ctx,
  input: { token },
}: Call<{ token: string }, VerbContext>): Promise<SummarySubscription> {
  return read(ctx.db, token);
}

/**
 * Ends a member's weekly summaries of a team. The token is the credential. Idempotent.
 * @throws AppError NOT_FOUND (an invalid link, or a member who left)
 */
export async function unsubscribe({
  ctx,
  input: { token },
}: Call<{ token: string }, VerbContext>): Promise<SummarySubscription> {
  return ctx.db.$transaction(async (tx) => {
    const { address } = await read(tx, token);
    await setActive(tx, ctx, { ...readUnsubscribeToken(token), email: address, isActive: false });
    return read(tx, token);
  });
}
