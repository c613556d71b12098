import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { seal, sha256, unseal } from '@/server/platform/crypto';
import { unqueued } from '@/server/platform/database/connection-share';
import { type Db, db, holdTransaction, type Tx } from '@/server/platform/db';
import { AppError, invalidField, rateLimited } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import type { Actor } from '@/server/trpc/actor';
import type { Outcome } from './bridge';
import { claimKey, countStored, readStored, renewClaim, STORED_PER_DAY } from './idempotency-queries';

/** The interval at which a lease is renewed, well below its length. */
const RENEW_EVERY_MS = 1_500;
const WAIT_MS = 10_000;
const DAY_SECONDS = 24 * 60 * 60;
/**
 * The bounds of the delay after which a repetition polls again. The delay is as long as it has waited in total, because many repetitions of one slow
 * request must not load the database.
 */
const SETTLE_AFTER_MS = { least: 50, most: 500 };

/** A request's right to run under a key. */
interface Claim {
  id: string;
  token: string;
  /** Whose quota the response counts against. Null without a credential: errors are not stored, so that anonymous clients cannot fill the table. */
  quotaKey: string | null;
}

function principal(actor: Actor, address: string): string {
  if (actor.kind === 'key') return `key:${actor.keyId}`;
  if (actor.kind === 'user') return `user:${actor.user.id}:${actor.team?.id ?? ''}`;
  return `address:${address}`;
}

/**
 * Returns the Idempotency-Key of a request, or null.
 * @throws AppError VALIDATION_ERROR
 */
export function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'An idempotency key has 1 to 255 visible ASCII characters.');
  }
  return key;
}

function stillRunning(): AppError {
  return new AppError('IDEMPOTENCY_MISMATCH', 'A request with this idempotency key is still running.', {
    retryAfterSeconds: 1,
  });
}

function quotaUsedUp(): AppError {
  const { responses: limit, bytes } = STORED_PER_DAY;
  const resetSeconds = DAY_SECONDS - (Math.floor(Date.now() / 1000) % DAY_SECONDS);
  const stored = `${limit.toLocaleString('en')} responses or ${bytes / 1024 ** 2} MiB`;
  const message = `Requests with an Idempotency-Key are limited to ${stored} per day (UTC). Send this one without a key, or try again in ${Math.ceil(resetSeconds / 3600)} h.`;
  return rateLimited(message, { limit, resetSeconds });
}

/**
 * Claims the key for this request. Returns null if the key is in use or has a response.
 * @throws AppError RATE_LIMITED if too much is stored already
 */
async function take(id: string, actor: Actor, operation: string, bodyHash: string): Promise<Claim | null> {
  const [userId, teamId] = actor.kind === 'anonymous' ? [null, null] : [actor.user.id, actor.team?.id ?? null];
  const token = newId();
  const quotaKey = teamId ? `team:${teamId}` : userId && `user:${userId}`;
  const taken = await claimKey({ id, userId, teamId, operation, bodyHash, token, quotaKey });
  if (!taken) return null;
  const claim = { id, token, quotaKey };
  if (!taken.isFull) return claim;
  await release(claim);
  throw quotaUsedUp();
}

/** Renews the claim until the returned interval is cleared. Only logs a failure, because the commit verifies that the claim still holds. */
function renew({ id, token }: Claim): NodeJS.Timeout {
  return setInterval(() => {
    // The request's transaction holds a connection and commits only while the claim lasts.
    unqueued(() => renewClaim(id, token)).catch((error) =>
      log.warn({ err: error }, 'The lease of an idempotency key could not be renewed'),
    );
  }, RENEW_EVERY_MS);
}

/** Frees a claimed key that has no response. */
function release({ id, token }: Claim, from: Db = db) {
  return from.idempotentRequest.deleteMany({ where: { id, claimToken: token, status: null } });
}

/** Matches a response that gave a user an account or a session. */
const Signed = z.object({ user: z.object({ id: z.string() }) });

/**
 * Stores the response under the key, or frees the key if a retry may have another outcome. Runs in the transaction of the change, so that this fails
 * if the lease has expired and another request has the key.
 * @throws AppError IDEMPOTENCY_MISMATCH in that case
 */
async function keep(from: Db, claim: Claim, { status, text }: Outcome): Promise<void> {
  const { id, token, quotaKey } = claim;
  // Stores successes, and errors that no retry can change; permissions, plans and resources may change.
  if (status >= 400 && (quotaKey === null || (status !== 400 && status !== 409))) {
    await release(claim, from);
    return;
  }
  const { data: signed } = Signed.safeParse(JSON.parse(text));
  const body = seal(text);
  const data = { status, body, ...(signed && { userId: signed.user.id }) };
  const { count } = await from.idempotentRequest.updateMany({ where: { id, claimToken: token }, data });
  // No row at all: the request deleted the account or team that its response belonged to.
  if (count === 0 && (await from.idempotentRequest.findUnique({ where: { id }, select: { id: true } })) !== null) {
    throw stillRunning();
  }
  if (count > 0 && quotaKey !== null) await countStored(from, quotaKey, body.length);
}

/**
 * Waits for the response of the request that holds the key. Returns null when the key can be claimed.
 * @throws AppError IDEMPOTENCY_MISMATCH for a different request, or after 10 s
 */
async function awaitAnswer(id: string, bodyHash: string): Promise<Outcome | null> {
  const start = Date.now();
  for (;;) {
    const stored = await readStored(id);
    if (!stored) return null;
    if (stored.bodyHash !== bodyHash) {
      throw new AppError('IDEMPOTENCY_MISMATCH', 'This idempotency key was used for a different request.');
    }
    if (stored.status !== null && stored.body !== null) {
      return { status: stored.status, text: unseal(stored.body) };
    }
    if (!stored.isLeased) return null;
    const waited = Date.now() - start;
    if (waited > WAIT_MS) throw stillRunning();
    await sleep(Math.min(Math.max(waited, SETTLE_AFTER_MS.least), SETTLE_AFTER_MS.most));
  }
}

/** Runs the request with its changes and its response in one transaction. */
async function runClaimed(claim: Claim, run: () => Promise<Outcome>): Promise<Outcome> {
  const keepInterim = (tx: Tx, answer: unknown) => keep(tx, claim, { status: 200, text: JSON.stringify(answer) });
  const held = holdTransaction(keepInterim);
  const renewing = renew(claim);
  try {
    const outcome = await held.during(run);
    // A server error is rolled back, so that a repetition can run again.
    if (outcome.status >= 500) await held.rollBack();
    await held.commit((tx) => keep(tx, claim, outcome));
    return outcome;
  } catch (error) {
    await held.rollBack();
    await release(claim);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/**
 * Runs a request at most once per caller and key within 24 h: a repetition gets the first response, a concurrent request waits for it. The response
 * is committed with the change, so a process that dies leaves both or neither.
 * @throws AppError RATE_LIMITED for a caller who has stored too much, IDEMPOTENCY_MISMATCH for another request under the same key, or for one that
 *   runs too long to wait for
 */
export async function runOnce(
  key: string,
  { actor, address, operation, input }: { actor: Actor; address: string; operation: string; input: unknown },
  run: () => Promise<Outcome>,
): Promise<{ outcome: Outcome; replayed: boolean }> {
  const id = sha256(`${principal(actor, address)}\n${key}`);
  const bodyHash = sha256(`${operation}\n${JSON.stringify(input)}`);
  for (;;) {
    const claim = await take(id, actor, operation, bodyHash);
    if (claim) return { outcome: await runClaimed(claim, run), replayed: false };
    const outcome = await awaitAnswer(id, bodyHash);
    if (outcome) return { outcome, replayed: true };
  }
}
