// All statements are raw SQL, because leases use the database's clock, which all web processes share and model calls cannot use.
import { type Db, db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';

const KEPT_HOURS = 24;
/**
 * The maximum number and size of responses that a team, or a user without one, may store on one day (UTC). Further requests with a key are rejected;
 * stored responses are never evicted.
 */
export const STORED_PER_DAY = { responses: 50_000, bytes: 64 * 1024 * 1024 };
/** A running request renews its lease; if its process dies, a repetition runs the request once the lease has expired. */
const LEASE_SECONDS = 5;

interface KeyClaim {
  id: string;
  userId: string | null;
  teamId: string | null;
  operation: string;
  bodyHash: string;
  /** Identifies this claim; only its holder may write the response. */
  token: string;
  /** Whose quota the response counts against; null for an anonymous caller. */
  quotaKey: string | null;
}

const today = Prisma.sql`(now() at time zone 'UTC')::date`;

/**
 * Claims an idempotency key for a request. Replaces an expired response, or the claim of a process that died.
 * @returns null if it is in use or has a response; else whether the quota is used up
 */
export async function claimKey(claim: KeyClaim): Promise<{ isFull: boolean } | null> {
  const { id, userId, teamId, operation, bodyHash, token, quotaKey } = claim;
  const { responses, bytes } = STORED_PER_DAY;
  // Raw: an upsert that replaces only an expired row or an abandoned claim.
  const [taken] = await db.$queryRaw<{ isFull: boolean }[]>`
    insert into idempotent_requests as kept
      (id, user_id, team_id, operation, body_hash, claim_token, locked_until, expires_at)
    values (${id}, ${userId}, ${teamId}, ${operation}, ${bodyHash}, ${token},
      now() + make_interval(secs => ${LEASE_SECONDS}::float8), now() + make_interval(hours => ${KEPT_HOURS}::int))
    on conflict (id) do update set user_id = excluded.user_id, team_id = excluded.team_id,
      operation = excluded.operation, body_hash = excluded.body_hash, status = null, body = null,
      claim_token = excluded.claim_token, created_at = now(), locked_until = excluded.locked_until,
      expires_at = excluded.expires_at
    where kept.expires_at < now()
      or (kept.status is null and kept.locked_until < now() and kept.body_hash = excluded.body_hash)
    returning exists (
      select from idempotency_quotas where key = ${quotaKey} and day = ${today} and (responses >= ${responses} or bytes >= ${bytes})
    ) as "isFull"`;
  return taken ?? null;
}

/** Extends the lease of a claim, unless another request has taken the key. */
export async function renewClaim(id: string, token: string): Promise<void> {
  // Raw: the database's clock.
  await db.$executeRaw`
    update idempotent_requests set locked_until = now() + make_interval(secs => ${LEASE_SECONDS}::float8)
    where id = ${id} and claim_token = ${token}`;
}

/** Counts a stored response. Must be the last statement of its transaction, because others of the same team wait for the row. */
export async function countStored(from: Db, quotaKey: string, bytes: number): Promise<void> {
  // Raw: an upsert that adds to the stored values, and the database's clock.
  await from.$executeRaw`
    insert into idempotency_quotas as kept (key, day, responses, bytes) values (${quotaKey}, ${today}, 1, ${bytes})
    on conflict (key, day) do update set responses = kept.responses + 1, bytes = kept.bytes + excluded.bytes`;
}

interface Stored {
  bodyHash: string;
  status: number | null;
  body: string | null;
  isLeased: boolean;
}

/** Returns what is stored under a key, and whether a running request holds it; null if nothing is stored. */
export async function readStored(id: string): Promise<Stored | null> {
  // Raw: the database's clock.
  const [stored] = await db.$queryRaw<Stored[]>`
    select body_hash as "bodyHash", status, body, locked_until >= now() as "isLeased"
    from idempotent_requests where id = ${id}`;
  return stored ?? null;
}
