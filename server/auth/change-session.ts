import type { Tx } from '@/server/platform/db';
import type { PersonContext } from '@/server/trpc/contexts';
import type { SessionChanged } from './schema';
import { issueTokens, startSession } from './start-session';

/** The response after a session was replaced: new tokens for a session with tokens, none for a cookie session of the dashboard. */
export async function changeSession(
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
