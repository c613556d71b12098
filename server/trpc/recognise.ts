import { noteRequest } from '@/server/platform/request-facts';
import type { Access } from './access';
import type { Context } from './context';
import { limitRate } from './rate-limit';
import { type Actor, resolveActor } from './resolve-actor';

/** What is called: a change counts against the limit of changes also where the dashboard makes it. */
export type CallKind = 'query' | 'mutation' | 'subscription';

/**
 * Who is calling: looked up once per request and counted once per call, against the limit of their credential, else of
 * their network. A REST request is one call, a batch of the dashboard is as many as it holds.
 *
 * @throws AppError UNAUTHENTICATED for a credential that does not hold, RATE_LIMITED
 */
export async function recognise(ctx: Context, access: Access, kind: CallKind): Promise<Actor> {
  const count = async (actor: Actor) => {
    if (ctx.isCounted) return;
    const isDashboard = ctx.surface === 'dashboard';
    // REST asks before it reads the body, and the procedure asks again.
    if (!isDashboard) ctx.isCounted = true;
    const isDashboardRead = isDashboard && kind !== 'mutation';
    await limitRate({ actor, address: ctx.address, isDashboardRead }, ctx.resHeaders);
  };
  let actor: Actor = { kind: 'anonymous' };
  try {
    if (access.kind !== 'public') {
      ctx.resolving ??= resolveActor(ctx.credential);
      actor = await ctx.resolving;
    }
  } catch (error) {
    await count(actor);
    throw error;
  }
  noteRequest(ctx.requestId, { actor: actor.kind });
  await count(actor);
  return actor;
}
