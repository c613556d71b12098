import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Actor } from '@/server/auth/resolve-actor';
import { seal, sha256, unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { AppError, invalidField } from '@/server/platform/errors';
import type { Outcome } from './call-operation';

const KEPT_HOURS = 24;
/** A request that has not answered by then was cut off by a crash; its key may be used again. */
const LOCK_SECONDS = 60;
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 50;

interface Stored {
  bodyHash: string;
  status: number | null;
  body: string | null;
}

function principal(actor: Actor, address: string): string {
  if (actor.kind === 'key') return `key:${actor.keyId}`;
  if (actor.kind === 'user') return `user:${actor.user.id}:${actor.team?.id ?? ''}`;
  return `address:${address}`;
}

/** The Idempotency-Key of a request, or null. @throws AppError VALIDATION_ERROR */
export function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'An idempotency key is 1 to 255 visible ASCII characters.');
  }
  return key;
}

/** Takes the key for this request: true when it is to run, false when the key is in use or has an answer. */
async function take(id: string, actor: Actor, operation: string, bodyHash: string): Promise<boolean> {
  const [userId, teamId] = actor.kind === 'anonymous' ? [null, null] : [actor.user.id, actor.team?.id ?? null];
  const taken = await db.$executeRaw`
    insert into idempotent_requests as kept (id, user_id, team_id, operation, body_hash, locked_until, expires_at)
    values (${id}, ${userId}, ${teamId}, ${operation}, ${bodyHash}, now() + make_interval(secs => ${LOCK_SECONDS}::float8),
      now() + make_interval(hours => ${KEPT_HOURS}::int))
    on conflict (id) do update set user_id = excluded.user_id, team_id = excluded.team_id,
      operation = excluded.operation, body_hash = excluded.body_hash, status = null,
      body = null, created_at = now(), locked_until = excluded.locked_until, expires_at = excluded.expires_at
    where kept.expires_at < now()
      or (kept.status is null and kept.locked_until < now() and kept.body_hash = excluded.body_hash)`;
  return taken === 1;
}

/** Who got an account or a session by an answer, where one was given. */
const Signed = z.object({ user: z.object({ id: z.string() }) });

async function keep(id: string, { status, text }: Outcome): Promise<void> {
  // What was done is kept, and what no other try makes right; rights, plans and what there is may change.
  if (status >= 400 && status !== 400 && status !== 409) {
    await db.idempotentRequest.deleteMany({ where: { id } });
    return;
  }
  const { data: signed } = Signed.safeParse(JSON.parse(text));
  const data = { status, body: seal(text), ...(signed && { userId: signed.user.id }) };
  await db.idempotentRequest.updateMany({ where: { id }, data });
}

/** The answer of the request that has the key, once it is there; null when the key is free again. */
async function awaitAnswer(id: string, bodyHash: string): Promise<Outcome | null> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const stored: Stored | null = await db.idempotentRequest.findUnique({ where: { id } });
    if (!stored) return null;
    if (stored.bodyHash !== bodyHash) {
      throw new AppError('IDEMPOTENCY_MISMATCH', 'This idempotency key was used for another request.');
    }
    if (stored.status !== null && stored.body !== null) {
      return { status: stored.status, text: unseal(stored.body) };
    }
    if (Date.now() > end) {
      throw new AppError('IDEMPOTENCY_MISMATCH', 'A request with this idempotency key is still running.', {
        retryAfterSeconds: 1,
      });
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Runs a request at most once per caller and key within 24 hours: a repetition gets the first one's answer, a concurrent
 * one waits for it.
 *
 * @throws AppError IDEMPOTENCY_MISMATCH for another request under the same key, or one that runs too long to wait for
 */
export async function runOnce(
  key: string,
  { actor, address, operation, input }: { actor: Actor; address: string; operation: string; input: unknown },
  run: () => Promise<Outcome>,
): Promise<{ outcome: Outcome; replayed: boolean }> {
  const id = sha256(`${principal(actor, address)}\n${key}`);
  const bodyHash = sha256(`${operation}\n${JSON.stringify(input)}`);
  for (;;) {
    if (await take(id, actor, operation, bodyHash)) {
      try {
        const outcome = await run();
        await keep(id, outcome);
        return { outcome, replayed: false };
      } catch (error) {
        await db.idempotentRequest.deleteMany({ where: { id } });
        throw error;
      }
    }
    const outcome = await awaitAnswer(id, bodyHash);
    if (outcome) return { outcome, replayed: true };
  }
}
