import { noteRequest } from '@/server/platform/request-facts';
import type { Access } from './access';
import type { Context } from './context';
import { limitRate } from './rate-limit';
import { type Actor, resolveActor } from './resolve-actor';

/** The called procedure: a change made by the dashboard counts against the limit of changes. */
export type CallKind = 'query' | 'mutation' | 'subscription';

/**
 * Resolves the caller once per request and counts each call, against the limit of the credential, else of the network. A REST request is one call, a
 * batch of the dashboard as many as it contains.
 * @throws AppError UNAUTHENTICATED for an invalid credential, RATE_LIMITED
 */
export async function recognise(ctx: Context, access: Access, kind: CallKind): Promise<Actor> {
  const count = async (actor: Actor) => {
    if (ctx.isCounted) return;
    const isDashboard = ctx.surface === 'dashboard';
    // REST resolves the caller before it reads the body, and the procedure uses the result.
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
