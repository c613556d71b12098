import { db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Plan, Role, SessionKind } from '@/server/platform/generated/prisma/enums';
import { log } from '@/server/platform/log';
import { isWithin } from '@/server/platform/net/address';
import type { ActorTeam, ActorUser } from './actor';
import { idleEnd } from './session';

interface UserColumns {
  userId: string;
  email: string;
  userName: string | null;
  isAdmin: boolean;
  /** Whether the last use of the credential was recorded more than a minute ago, or never. */
  stale: boolean;
}

interface TeamColumns {
  teamId: string;
  teamName: string;
  plan: Plan;
  role: Role;
}

type NullColumns<T> = { [Column in keyof T]: null };

function toUser({ userId, email, userName, isAdmin }: UserColumns): ActorUser {
  return { id: userId, email, name: userName, isAdmin };
}

function toTeam({ teamId, teamName, plan }: TeamColumns): ActorTeam {
  return { id: teamId, name: teamName, plan };
}

/**
 * Records the use of a credential without delaying the request; logs a failure. The condition of the update prevents parallel requests from writing a
 * row repeatedly.
 */
function recordUse(update: Promise<unknown>): void {
  update.catch((error) => log.warn({ err: error }, 'The last use of a credential could not be recorded'));
}

const aMinuteAgo = () => new Date(Date.now() - 60_000);

interface KeyColumns {
  keyId: string;
  keyPrefix: string;
  scopes: string[];
  allowedNetworks: string[];
}

/**
 * Finds the valid API key with this hash, whose creator is still a member of its team; null if there is none. Records its use at most once a minute.
 * @throws AppError FORBIDDEN if the key does not allow the network of `address`
 */
export async function findKey(secretHash: string, address: string) {
  // Raw: joins the membership of the key's team and creator, which no relation of the schema expresses.
  const [row] = await db.$queryRaw<(UserColumns & TeamColumns & KeyColumns)[]>`
    select k.id as "keyId", k.prefix as "keyPrefix", k.scopes::text[] || k.grants as scopes,
      k.allowed_networks as "allowedNetworks",
      coalesce(k.last_used_at < now() - interval '1 minute', true) as stale,
      u.id as "userId", u.email, u.name as "userName", u.is_admin as "isAdmin",
      t.id as "teamId", t.name as "teamName", t.plan::text as plan, m.role::text as role
    from api_keys k
    join users u on u.id = k.created_by_id
    join teams t on t.id = k.team_id
    join memberships m on m.team_id = k.team_id and m.user_id = k.created_by_id
    where k.secret_hash = ${secretHash} and (k.expires_at is null or k.expires_at > now())`;
  if (!row) return null;
  const { keyId, keyPrefix, scopes, allowedNetworks, role } = row;
  if (allowedNetworks.length > 0 && !isWithin(address, allowedNetworks)) {
    throw new AppError('FORBIDDEN', `This API key is not accepted from ${address || 'an unknown address'}.`);
  }
  if (row.stale) {
    const isStale = { OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: aMinuteAgo() } }] };
    recordUse(db.apiKey.updateMany({ where: { id: keyId, ...isStale }, data: { lastUsedAt: new Date() } }));
  }
  return { keyId, keyPrefix, scopes, role, user: toUser(row), team: toTeam(row) };
}

/**
 * Finds the valid session of this kind, user and version; null if there is none. Its team is null if the user is no longer a member. Records its use
 * at most once a minute, which extends a dashboard session.
 */
export async function findSession(kind: SessionKind, { sid, userId, sv }: { sid: string; userId: string; sv: number }) {
  // Raw: joins the membership of the session's team and user, which no relation of the schema expresses.
  const [row] = await db.$queryRaw<(UserColumns & (TeamColumns | NullColumns<TeamColumns>))[]>`
    select s.last_used_at < now() - interval '1 minute' as stale,
      u.id as "userId", u.email, u.name as "userName", u.is_admin as "isAdmin",
      t.id as "teamId", t.name as "teamName", t.plan::text as plan, m.role::text as role
    from sessions s
    join users u on u.id = s.user_id
    left join memberships m on m.team_id = s.team_id and m.user_id = s.user_id
    left join teams t on t.id = m.team_id
    where s.id = ${sid} and s.user_id = ${userId} and s.kind = ${kind}::session_kind
      and s.session_version = ${sv} and u.session_version = ${sv}
      and s.revoked_at is null and s.expires_at > now()`;
  if (!row) return null;
  // A session with tokens is extended when its tokens are refreshed instead.
  if (row.stale && kind === 'dashboard') {
    const where = { id: sid, lastUsedAt: { lt: aMinuteAgo() }, revokedAt: null };
    recordUse(db.session.updateMany({ where, data: { lastUsedAt: new Date(), expiresAt: idleEnd() } }));
  }
  const team = row.teamId === null ? null : toTeam(row);
  return { sessionId: sid, sessionVersion: sv, user: toUser(row), team, role: row.role };
}
