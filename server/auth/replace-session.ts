import type { Tx } from '@/server/platform/db';
import type { PersonContext } from '@/server/trpc/contexts';
import type { SessionChanged } from './schema';
import { issueTokens, startSession } from './start-session';

/** Starts another session for a caller with tokens and returns its tokens with the new team and role; a dashboard session keeps its cookie. */
export async function replaceSession(
  tx: Tx,
  ctx: PersonContext,
  to: { team: { teamId: string; role: NonNullable<SessionChanged['role']> } | null; sessionVersion: number },
): Promise<SessionChanged> {
  const { id, email, name } = ctx.user;
  const teamId = to.team?.teamId ?? null;
  const changed = { user: { id, email, name }, teamId, role: to.team?.role ?? null };
  if (ctx.actor.sessionKind === 'dashboard') return changed;
  const { sessionVersion } = to;
  const session = await startSession(tx, ctx, { kind: 'tokens', userId: id, teamId, sessionVersion });
  return { ...changed, ...(await issueTokens(tx, session)) };
}
