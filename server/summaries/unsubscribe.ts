import type { Db } from '@/server/platform/db';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import type { SummarySubscription } from './schema';
import { findSubscriber } from './subscriber';
import { noSubscription, readUnsubscribeToken } from './unsubscribe-link';
import { setActive } from './update-setting';

async function read(db: Db, token: string): Promise<SummarySubscription> {
  const { kind, ...subscriber } = readUnsubscribeToken(token);
  const found = await findSubscriber(db, kind, subscriber);
  if (!found) throw noSubscription();
  const { teamName, address, isActive } = found;
  return { kind, teamName, address, isActive };
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
 * Ends a member's weekly summaries or monthly reports of a team. The token is the credential. Idempotent.
 * @throws AppError NOT_FOUND (an invalid link, or a member who left)
 */
export async function unsubscribe({
  ctx,
  input: { token },
}: Call<{ token: string }, VerbContext>): Promise<SummarySubscription> {
  return ctx.db.$transaction(async (tx) => {
    const { address } = await read(tx, token);
    const { kind, ...subscriber } = readUnsubscribeToken(token);
    await setActive(tx, ctx, kind, { ...subscriber, email: address, isActive: false });
    return read(tx, token);
  });
}
