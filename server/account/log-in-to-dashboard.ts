import { authenticate } from '@/server/auth/authenticate';
import type { LogInInput } from '@/server/auth/schema';
import { type StartedSession, startSession } from '@/server/auth/start-session';
import { chooseTeam } from '@/server/teams/choose-team';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import { limitAuth } from '@/server/trpc/throttle';

/**
 * Signs in to the dashboard: creates a session without tokens, which a cookie identifies. Rate-limited like the REST sign-in. Also counts against the
 * limit of the IP address, because no procedure runs before it that would.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED
 */
export async function logInToDashboard({ ctx, input }: Call<LogInInput, VerbContext>): Promise<StartedSession> {
  await limitAuth(ctx.address);
  const { id: userId, sessionVersion } = await authenticate({ ctx, input });
  return ctx.db.$transaction(async (tx) => {
    const teamId = (await chooseTeam(tx, userId))?.teamId ?? null;
    return startSession(tx, ctx, { kind: 'dashboard', userId, teamId, sessionVersion });
  });
}
