import { sha256 } from '@/server/platform/crypto';
import { AppError } from '@/server/platform/errors';
import type { SessionKind } from '@/server/platform/generated/prisma/enums';
import { verifyAccessToken } from './access-token';
import type { Actor } from './actor';
import { findKey, findSession } from './queries';
import { limitToRole } from './schema';

/** The credential of a request. A bearer token that starts with `uw_` is an API key, any other an access token. */
export type Credential =
  | { kind: 'none' }
  /** A credential that this auth surface does not accept, such as an API key in the dashboard API. */
  | { kind: 'refused' }
  | { kind: 'bearer'; token: string }
  | { kind: 'session'; sid: string; userId: string; sv: number };

/** The scopes of a person's session, before the role limits them. */
const OF_A_PERSON = ['read', 'write'];

async function fromKey(secret: string, address: string): Promise<Actor | null> {
  const found = await findKey(sha256(secret), address);
  return found && { kind: 'key', ...found, scopes: limitToRole(found.scopes, found.role) };
}

async function fromSession(
  kind: SessionKind,
  named: { sid: string; userId: string; sv: number },
): Promise<Actor | null> {
  const found = await findSession(kind, named);
  if (!found) return null;
  return { kind: 'user', ...found, sessionKind: kind, scopes: found.role ? limitToRole(OF_A_PERSON, found.role) : [] };
}

async function recognise(credential: Exclude<Credential, { kind: 'none' }>, address: string): Promise<Actor | null> {
  if (credential.kind === 'refused') return null;
  if (credential.kind === 'session') return fromSession('dashboard', credential);
  if (credential.token.startsWith('uw_')) return fromKey(credential.token, address);
  const claims = await verifyAccessToken(credential.token);
  return claims && fromSession('tokens', claims);
}

/**
 * Resolves a request's credential to its actor, with one database query. Without a credential the actor is anonymous.
 * @param address the caller's network address; without one, a key that is limited to networks is refused
 * @throws AppError UNAUTHENTICATED for a credential that is unknown, expired, revoked or not accepted by this auth surface, or a key whose creator
 * left the team; FORBIDDEN for a key from a network that it does not allow
 */
export async function resolveActor(credential: Credential, address = ''): Promise<Actor> {
  if (credential.kind === 'none') return { kind: 'anonymous' };
  const actor = await recognise(credential, address);
  if (!actor) throw new AppError('UNAUTHENTICATED', 'This credential is invalid, expired or revoked.');
  return actor;
}
