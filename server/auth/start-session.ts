import { randomToken, sha256 } from '@/server/platform/crypto';
import type { Tx } from '@/server/platform/db';
import type { SessionKind } from '@/server/platform/generated/prisma/enums';
import { newId } from '@/server/platform/ids';
import { signAccessToken } from './access-token';
import type { VerbContext } from './contexts';
import type { Tokens } from './schema';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session ends when it was not used for this long. */
export const SESSION_IDLE_DAYS = 30;

export interface StartedSession {
  id: string;
  userId: string;
  teamId: string | null;
  sessionVersion: number;
}

export function idleEnd(): Date {
  return new Date(Date.now() + SESSION_IDLE_DAYS * DAY_MS);
}

/** Opens a session, and clears away the person's ended ones. `sessionVersion` is the one the password was checked at. */
export async function startSession(
  tx: Tx,
  ctx: Pick<VerbContext, 'address' | 'userAgent'>,
  { kind, ...session }: Omit<StartedSession, 'id'> & { kind: SessionKind },
): Promise<StartedSession> {
  const id = newId();
  const { address, userAgent } = ctx;
  await tx.session.deleteMany({ where: { userId: session.userId, expiresAt: { lt: new Date() } } });
  await tx.session.create({
    data: { id, kind, ...session, address, userAgent: userAgent?.slice(0, 500) ?? null, expiresAt: idleEnd() },
  });
  return { id, ...session };
}

/** The next pair of tokens of a session. The refresh token is kept as its SHA-256: 256 random bits need no salt. */
export async function issueTokens(tx: Tx, session: StartedSession): Promise<Tokens> {
  const refreshToken = `uwr_${randomToken()}`;
  await tx.refreshToken.create({
    data: { tokenHash: sha256(refreshToken), sessionId: session.id, expiresAt: idleEnd() },
  });
  const { id: sid, userId, teamId, sessionVersion } = session;
  return { accessToken: await signAccessToken({ sid, userId, teamId, sessionVersion }), refreshToken };
}
