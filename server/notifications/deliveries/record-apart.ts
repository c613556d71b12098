import { log } from '@/server/platform/log';
import { writeApart } from '@/server/platform/write-apart';
import type { Destination } from './claim-queries';
import { type Attempted, type FollowUp, recordAttempts } from './record-attempts';

const CAUSE = 'The result of this attempt could not be stored; see the Upwatch log for details';

/** Removes the stored exchange of an attempt that the database rejects, so that at least the outcome is recorded. */
function withoutText({ result: { exchange: _, ...result }, ...attempted }: Attempted): Attempted {
  return {
    ...attempted,
    result: result.ok ? { ok: true, statusCode: null } : { ...result, statusCode: null, error: CAUSE },
  };
}

/** Records attempts of a channel together. If the database rejects one of them, the others are still recorded. */
export async function recordApart(
  destination: Destination,
  attempted: Attempted[],
  { notBefore, release }: FollowUp,
): Promise<void> {
  if (attempted.length === 0) return;
  // A part of a group does not end its claim.
  const write = (some: Attempted[]) =>
    recordAttempts(destination, some, { notBefore, ...(release && some.length === attempted.length && { release }) });
  const { refused, left, error } = await writeApart(attempted, write);
  for (const { item, error: refusal } of refused) {
    log.error({ err: refusal, deliveryId: item.claim.id }, 'The result of an attempt was rejected');
    await write([withoutText(item)]);
  }
  if (left.length > 0) throw error;
  if (release && refused.length > 0) await recordAttempts(destination, [], { notBefore, release });
}
