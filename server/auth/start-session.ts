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

/** The maximum number of sessions per account, ended ones included, so that statements about all of them stay fast. */
const MOST_SESSIONS = 1_000;
/** The maximum number of sessions that one sign-in deletes. */
const DELETED_AT_ONCE = 100;

/** Deletes the user's expired sessions, and those least recently used beyond the limit. */
async function makeRoom(tx: Tx, userId: string): Promise<void> {
  await tx.session.deleteMany({ where: { userId, expiresAt: { lt: new Date() } }, limit: DELETED_AT_ONCE });
  const beyond = await tx.session.findMany({
    where: { userId },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
    skip: MOST_SESSIONS - 1,
    take: DELETED_AT_ONCE,
    select: { id: true },
  });
  if (beyond.length > 0) await tx.session.deleteMany({ where: { id: { in: beyond.map(({ id }) => id) } } });
}

/** Creates a session and deletes excess ones. `sessionVersion` is the version for which the password was verified. */
export async function startSession(
  tx: Tx,
  ctx: Pick<VerbContext, 'address' | 'userAgent'>,
  { kind, ...session }: Omit<StartedSession, 'id'> & { kind: SessionKind },
): Promise<StartedSession> {
  const id = newId();
  const { address, userAgent } = ctx;
  await makeRoom(tx, session.userId);
  await tx.session.create({
    data: { id, kind, ...session, address, userAgent: userAgent?.slice(0, 500) ?? null, expiresAt: idleEnd() },
  });
  return { id, ...session };
}

/** Creates the next pair of tokens of a session. Stores the refresh token as its SHA-256, because 256 random bits need no salt. */
export async function issueTokens(tx: Tx, session: StartedSession): Promise<Tokens> {
  const refreshToken = `uwr_${randomToken()}`;
  await tx.refreshToken.create({
    data: { tokenHash: sha256(refreshToken), sessionId: session.id, expiresAt: idleEnd() },
  });
  const { id: sid, userId, teamId, sessionVersion } = session;
  return { accessToken: await signAccessToken({ sid, userId, teamId, sessionVersion }), refreshToken };
}
