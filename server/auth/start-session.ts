import { randomToken, sha256 } from '@/server/platform/crypto';
import type { Tx } from '@/server/platform/db';
import type { SessionKind } from '@/server/platform/generated/prisma/enums';
import { newId } from '@/server/platform/ids';
import { signAccessToken } from '@/server/trpc/access-token';
import type { VerbContext } from '@/server/trpc/contexts';
import { idleEnd } from '@/server/trpc/session';
import type { Tokens } from './schema';

export interface StartedSession {
  id: string;
  userId: string;
  teamId: string | null;
  sessionVersion: number;
}

/**
 * Creates a session and deletes the user's ended ones. `sessionVersion` is the one that the password was checked
 * against.
 */
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

/** The next pair of tokens of a session. The refresh token is stored as its SHA-256: 256 random bits need no salt. */
export async function issueTokens(tx: Tx, session: StartedSession): Promise<Tokens> {
  const refreshToken = `uwr_${randomToken()}`;
  await tx.refreshToken.create({
    data: { tokenHash: sha256(refreshToken), sessionId: session.id, expiresAt: idleEnd() },
  });
  const { id: sid, userId, teamId, sessionVersion } = session;
  return { accessToken: await signAccessToken({ sid, userId, teamId, sessionVersion }), refreshToken };
}
