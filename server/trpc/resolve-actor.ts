import { sha256 } from '@/server/platform/crypto';
import { AppError } from '@/server/platform/errors';
import type { Role, Scope, SessionKind } from '@/server/platform/generated/prisma/enums';
import { verifyAccessToken } from './access-token';
import type { Actor } from './actor';
import { findKey, findSession } from './queries';

/** The credential of a request. A bearer token that starts with `uw_` is an API key, any other an access token. */
export type Credential =
  | { kind: 'none' }
  /** A credential that this auth surface does not accept, such as an API key in the dashboard API. */
  | { kind: 'refused' }
  | { kind: 'bearer'; token: string }
  | { kind: 'session'; sid: string; userId: string; sv: number };

const scopesOf: Record<Role, Scope[]> = {
  owner: ['read', 'write'],
  admin: ['read', 'write'],
  member: ['read', 'write'],
  viewer: ['read'],
};

async function fromKey(secret: string): Promise<Actor | null> {
  const found = await findKey(sha256(secret));
  if (!found) return null;
  const { keyId, keyPrefix, user, team, role } = found;
  const scopes = found.scopes.filter((scope) => scopesOf[role].includes(scope));
  return { kind: 'key', keyId, keyPrefix, user, team, role, scopes };
}

async function fromSession(
  kind: SessionKind,
  named: { sid: string; userId: string; sv: number },
): Promise<Actor | null> {
  const found = await findSession(kind, named);
  if (!found) return null;
  return { kind: 'user', ...found, sessionKind: kind, scopes: found.role ? scopesOf[found.role] : [] };
}

async function recognise(credential: Exclude<Credential, { kind: 'none' }>): Promise<Actor | null> {
  if (credential.kind === 'refused') return null;
  if (credential.kind === 'session') return fromSession('dashboard', credential);
  if (credential.token.startsWith('uw_')) return fromKey(credential.token);
  const claims = await verifyAccessToken(credential.token);
  return claims && fromSession('tokens', claims);
}

/**
 * Resolves a request's credential to its actor, with one database query. Without a credential the actor is anonymous.
 * @throws AppError UNAUTHENTICATED for a credential that is unknown, expired, revoked or not accepted by this auth surface, or a key whose creator
 * left the team
 */
export async function resolveActor(credential: Credential): Promise<Actor> {
  if (credential.kind === 'none') return { kind: 'anonymous' };
  const actor = await recognise(credential);
  if (!actor) throw new AppError('UNAUTHENTICATED', 'This credential is invalid, expired or revoked.');
  return actor;
}
