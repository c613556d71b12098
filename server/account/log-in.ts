import { authenticate } from '@/server/auth/authenticate';
import type { LogInInput, SignedIn } from '@/server/auth/schema';
import { issueTokens, startSession } from '@/server/auth/start-session';
import { chooseTeam } from '@/server/teams/choose-team';
import type { Call, VerbContext } from '@/server/trpc/contexts';

/**
 * Signs in and creates a session with tokens.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED
 */
export async function logIn({ ctx, input }: Call<LogInInput, VerbContext>): Promise<SignedIn> {
  const { id, email, name, sessionVersion } = await authenticate({ ctx, input });
  return ctx.db.$transaction(async (tx) => {
    const membership = await chooseTeam(tx, id);
    const teamId = membership?.teamId ?? null;
    const session = await startSession(tx, ctx, { kind: 'tokens', userId: id, teamId, sessionVersion });
    return { user: { id, email, name }, teamId, role: membership?.role ?? null, ...(await issueTokens(tx, session)) };
  });
}
