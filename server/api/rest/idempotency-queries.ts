// Raw SQL, since leases use the database's clock, which all web processes share and model calls cannot use.
import { db } from '@/server/platform/db';

const KEPT_HOURS = 24;
/** A running request renews its lease; if its process dies, a repetition runs the request once the lease has expired. */
const LEASE_SECONDS = 5;

interface KeyClaim {
  id: string;
  userId: string | null;
  teamId: string | null;
  operation: string;
  bodyHash: string;
  /** The right to write the response. */
  token: string;
}

/**
 * Claims an idempotency key.
 * @returns false if it is in use or has a response
 */
export async function claimKey({ id, userId, teamId, operation, bodyHash, token }: KeyClaim): Promise<boolean> {
  // Raw: an upsert that replaces only an expired row or an abandoned claim.
  const taken = await db.$executeRaw`
    insert into idempotent_requests as kept
      (id, user_id, team_id, operation, body_hash, claim_token, locked_until, expires_at)
    values (${id}, ${userId}, ${teamId}, ${operation}, ${bodyHash}, ${token},
      now() + make_interval(secs => ${LEASE_SECONDS}::float8), now() + make_interval(hours => ${KEPT_HOURS}::int))
    on conflict (id) do update set user_id = excluded.user_id, team_id = excluded.team_id,
      operation = excluded.operation, body_hash = excluded.body_hash, status = null, body = null,
      claim_token = excluded.claim_token, created_at = now(), locked_until = excluded.locked_until,
      expires_at = excluded.expires_at
    where kept.expires_at < now()
      or (kept.status is null and kept.locked_until < now() and kept.body_hash = excluded.body_hash)`;
  return taken === 1;
}

/** Extends the lease of a claim that still holds. */
export async function renewClaim(id: string, token: string): Promise<void> {
  // Raw: the database's clock.
  await db.$executeRaw`
    update idempotent_requests set locked_until = now() + make_interval(secs => ${LEASE_SECONDS}::float8)
    where id = ${id} and claim_token = ${token}`;
}

interface Stored {
  bodyHash: string;
  status: number | null;
  body: string | null;
  isLeased: boolean;
}

/** What is stored under a key, and whether a request holds it; null if nothing is stored. */
export async function readStored(id: string): Promise<Stored | null> {
  // Raw: the database's clock.
  const [stored] = await db.$queryRaw<Stored[]>`
    select body_hash as "bodyHash", status, body, locked_until >= now() as "isLeased"
    from idempotent_requests where id = ${id}`;
  return stored ?? null;
}
