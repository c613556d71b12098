import { log } from '@/server/platform/log';
import { writeApart } from '@/server/platform/write-apart';
import type { Destination } from './claim-queries';
import { type Attempted, type FollowUp, recordAttempts } from './record-attempts';

const CAUSE = 'The result of this attempt could not be stored; see the Upwatch log for details';

/** Returns an attempt that the database rejects without its exchange, status code and error text, so that at least the outcome can be recorded. */
function withoutText({ result: { exchange: _, ...result }, ...attempted }: Attempted): Attempted {
  return {
    ...attempted,
    result: result.ok ? { ok: true, statusCode: null } : { ...result, statusCode: null, error: CAUSE },
  };
}

/**
 * Records attempts of a channel together. If the database rejects one of them, records it without its texts, and the others as they are.
 * @throws the error of the database if it concerns more than single attempts
 */
export async function recordApart(
  destination: Destination,
  attempted: Attempted[],
  { notBefore, release }: FollowUp,
): Promise<void> {
  if (attempted.length === 0) return;
  // A part of a group does not end its claim.
  const write = (some: Attempted[]) =>
    recordAttempts(destination, some, { notBefore, ...(release && some.length === attempted.length && { release }) });
  const { rejected, unwritten, error } = await writeApart(attempted, write);
  for (const { item, error: refusal } of rejected) {
    log.error({ err: refusal, deliveryId: item.claim.id }, 'The result of an attempt was rejected');
    await write([withoutText(item)]);
  }
  if (unwritten.length > 0) throw error;
  if (release && rejected.length > 0) await recordAttempts(destination, [], { notBefore, release });
}
